"""The protocol of a checkpointer."""

from __future__ import annotations

import copy
from collections.abc import AsyncIterator, Iterable, Iterator, Mapping, Sequence
from typing import Any, Generic, TypedDict, TypeVar

from zulong.stategraph.checkpoint.base.model import (
    ChannelVersions,
    Checkpoint,
    CheckpointMetadata,
    CheckpointTuple,
    Config,
    PendingWrite,
    StepWrites,
)
from zulong.stategraph.checkpoint.serde.base import SerializerProtocol
from zulong.stategraph.checkpoint.serde.msgpack import MsgpackSerializer

V = TypeVar("V", int, float, str)
S = TypeVar("S", bound="BaseCheckpointSaver[Any]")


class DeltaChannelHistory(TypedDict, total=False):
    """What one channel received: `writes` (always there, oldest first) since `seed`, if one is stored."""

    writes: list[PendingWrite]
    seed: Any


class BaseCheckpointSaver(Generic[V]):
    """Keeps the checkpoints of threads.

    A custom saver overrides the synchronous methods; each asynchronous twin calls its synchronous one on
    the spot, so a saver that waits for a disk or a network overrides those too (`OffLoopTwins` does it).
    """

    serde: SerializerProtocol = MsgpackSerializer()

    def __init__(self, *, serde: SerializerProtocol | None = None) -> None:
        if serde is not None:
            self.serde = serde

    # -- reading ------------------------------------------------------------------------------------

    def get(self, config: Config) -> Checkpoint | None:
        """Return the checkpoint that `config` names, or the newest; None when there is none."""
        found = self.get_tuple(config)
        return found.checkpoint if found is not None else None

    def get_tuple(self, config: Config) -> CheckpointTuple | None:
        """Return checkpoint, metadata, parent and pending writes (sorted as `writes_sort_key` says)."""
        raise NotImplementedError

    def list(
        self,
        config: Config | None,
        *,
        filter: dict[str, Any] | None = None,
        before: Config | None = None,
        limit: int | None = None,
    ) -> Iterator[CheckpointTuple]:
        """Yield checkpoints, newest first.

        `config` narrows to its thread, namespace (if named) and checkpoint (if named); `filter` to
        metadata equal in every key; `before` to those older than the checkpoint it names.
        """
        raise NotImplementedError

    def get_delta_channel_history(
        self, *, config: Config, channels: Sequence[str]
    ) -> Mapping[str, DeltaChannelHistory]:
        """Return what each channel received on the way to `config`, back to its last stored value.

        Follows parents, so only this branch counts. Writes that wait on the checkpoint itself are left out.
        """
        if not channels:
            return {}
        target = self.get_tuple(config)
        newest_first: dict[str, list[PendingWrite]] = {channel: [] for channel in channels}
        seeds: dict[str, Any] = {}
        cursor = target.parent_config if target is not None else None
        while cursor is not None and len(seeds) < len(newest_first):
            found = self.get_tuple(cursor)
            if found is None:
                break
            for write in reversed(found.pending_writes or []):
                if write[1] in newest_first and write[1] not in seeds:
                    newest_first[write[1]].append(write)
            values = found.checkpoint["channel_values"]
            for channel in newest_first:
                if channel in values and channel not in seeds:
                    seeds[channel] = values[channel]
            cursor = found.parent_config
        return {
            channel: DeltaChannelHistory(writes=writes[::-1], seed=seeds[channel])
            if channel in seeds
            else DeltaChannelHistory(writes=writes[::-1])
            for channel, writes in newest_first.items()
        }

    # -- writing ------------------------------------------------------------------------------------

    def put(
        self,
        config: Config,
        checkpoint: Checkpoint,
        metadata: CheckpointMetadata,
        new_versions: ChannelVersions,
    ) -> dict[str, Any]:
        """Store a checkpoint as child of the one that `config` names; return its own config.

        Only channels in `new_versions` changed since the parent.
        """
        raise NotImplementedError

    def put_writes(
        self, config: Config, writes: Sequence[tuple[str, Any]], task_id: str, task_path: str = ""
    ) -> None:
        """Store what a task wrote against the checkpoint that `config` names.

        Idempotent: the same write of the same task is kept once. A write to a channel of
        `WRITES_IDX_MAP` replaces the task's earlier write to it.
        """
        raise NotImplementedError

    def put_step(
        self,
        config: Config,
        checkpoint: Checkpoint,
        metadata: CheckpointMetadata,
        new_versions: ChannelVersions,
        writes: Sequence[StepWrites],
        writes_config: Config,
    ) -> dict[str, Any]:
        """Store a finished superstep: the tasks' writes (against `writes_config`) and the new checkpoint.

        Savers over a transactional store keep both or neither. This fallback stores the writes first, so
        that a crash in between costs nothing but work that the writes let a resumed run skip.
        """
        for task_id, task_path, task_writes in writes:
            self.put_writes(writes_config, task_writes, task_id, task_path)
        return self.put(config, checkpoint, metadata, new_versions)

    # -- housekeeping -------------------------------------------------------------------------------

    def delete_thread(self, thread_id: str) -> None:
        """Remove everything of a thread; an unknown thread is no error."""
        raise NotImplementedError

    def delete_for_runs(self, run_ids: Sequence[str]) -> None:
        """Remove the checkpoints whose metadata name one of these runs, with their writes."""
        raise NotImplementedError

    def copy_thread(self, source_thread_id: str, target_thread_id: str) -> None:
        """Copy every checkpoint and write of a thread to another that has none."""
        raise NotImplementedError

    def prune(self, thread_ids: Sequence[str], *, strategy: str = "keep_latest") -> None:
        """Remove history: all but the newest checkpoint of each namespace, or (`"delete"`) everything."""
        raise NotImplementedError

    def get_next_version(self, current: V | None, channel: None) -> V:
        """Return a version above `current`."""
        if isinstance(current, str):
            raise NotImplementedError(
                f"{type(self).__name__} uses text versions and must override get_next_version."
            )
        return 1 if current is None else current + 1  # type: ignore[return-value]

    def with_allowlist(self: S, extra_allowlist: Iterable[type]) -> S:
        """Return a view of this saver that may also store these types; the store itself is shared."""
        extra = tuple(extra_allowlist)
        allow = getattr(self.serde, "with_types", None)
        if not extra or allow is None:
            return self
        serde = allow(extra)
        if serde is self.serde:
            return self
        clone = copy.copy(self)
        clone.serde = serde
        return clone

    # -- asynchronous twins -------------------------------------------------------------------------

    async def aget(self, config: Config) -> Checkpoint | None:
        """Asynchronous twin of `get`."""
        found = await self.aget_tuple(config)
        return found.checkpoint if found is not None else None

    async def aget_tuple(self, config: Config) -> CheckpointTuple | None:
        """Asynchronous twin of `get_tuple`."""
        return self.get_tuple(config)

    async def alist(
        self,
        config: Config | None,
        *,
        filter: dict[str, Any] | None = None,
        before: Config | None = None,
        limit: int | None = None,
    ) -> AsyncIterator[CheckpointTuple]:
        """Asynchronous twin of `list`."""
        for found in self.list(config, filter=filter, before=before, limit=limit):
            yield found

    async def aget_delta_channel_history(
        self, *, config: Config, channels: Sequence[str]
    ) -> Mapping[str, DeltaChannelHistory]:
        """Asynchronous twin of `get_delta_channel_history`."""
        return self.get_delta_channel_history(config=config, channels=channels)

    async def aput(
        self,
        config: Config,
        checkpoint: Checkpoint,
        metadata: CheckpointMetadata,
        new_versions: ChannelVersions,
    ) -> dict[str, Any]:
        """Asynchronous twin of `put`."""
        return self.put(config, checkpoint, metadata, new_versions)

    async def aput_writes(
        self, config: Config, writes: Sequence[tuple[str, Any]], task_id: str, task_path: str = ""
    ) -> None:
        """Asynchronous twin of `put_writes`."""
        self.put_writes(config, writes, task_id, task_path)

    async def aput_step(
        self,
        config: Config,
        checkpoint: Checkpoint,
        metadata: CheckpointMetadata,
        new_versions: ChannelVersions,
        writes: Sequence[StepWrites],
        writes_config: Config,
    ) -> dict[str, Any]:
        """Asynchronous twin of `put_step`."""
        for task_id, task_path, task_writes in writes:
            await self.aput_writes(writes_config, task_writes, task_id, task_path)
        return await self.aput(config, checkpoint, metadata, new_versions)

    async def adelete_thread(self, thread_id: str) -> None:
        """Asynchronous twin of `delete_thread`."""
        self.delete_thread(thread_id)

    async def adelete_for_runs(self, run_ids: Sequence[str]) -> None:
        """Asynchronous twin of `delete_for_runs`."""
        self.delete_for_runs(run_ids)

    async def acopy_thread(self, source_thread_id: str, target_thread_id: str) -> None:
        """Asynchronous twin of `copy_thread`."""
        self.copy_thread(source_thread_id, target_thread_id)

    async def aprune(self, thread_ids: Sequence[str], *, strategy: str = "keep_latest") -> None:
        """Asynchronous twin of `prune`."""
        self.prune(thread_ids, strategy=strategy)
