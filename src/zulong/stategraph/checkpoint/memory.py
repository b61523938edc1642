"""Checkpoints in this process's memory: for tests, and for threads that need not outlive the process."""

from __future__ import annotations

import os
import threading
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractAsyncContextManager, AbstractContextManager, ExitStack
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any

from zulong.stategraph.checkpoint.base.model import (
    WRITES_IDX_MAP,
    ChannelVersions,
    Checkpoint,
    CheckpointMetadata,
    CheckpointTuple,
    Config,
    StepWrites,
    config_of,
    get_checkpoint_id,
    get_checkpoint_metadata,
    storable,
    writes_sort_key,
)
from zulong.stategraph.checkpoint.base.saver import BaseCheckpointSaver
from zulong.stategraph.checkpoint.log import LogValue
from zulong.stategraph.checkpoint.retention import Outline, kept_by_latest
from zulong.stategraph.checkpoint.serde.base import SerializerProtocol

Typed = tuple[str, bytes]


@dataclass(slots=True, frozen=True)
class _LogHead:
    """A log value as it is kept: the id and the count of its newest segment."""

    segment_id: bytes
    count: int


@dataclass(slots=True, frozen=True)
class _Row:
    """One checkpoint: its parts as bytes. A channel's bytes are shared with the parent while it is unchanged.

    `own` holds what belongs to this checkpoint alone, and its metadata.
    """

    own: Typed
    parent_id: str | None
    versions: ChannelVersions
    values: dict[str, Typed | _LogHead]


@dataclass(slots=True)
class _Thread:
    """All that is kept of one thread."""

    # namespace -> checkpoint id -> row
    rows: dict[str, dict[str, _Row]] = field(default_factory=dict)
    # (namespace, checkpoint id) -> (task id, index) -> (channel, value, task path)
    writes: dict[tuple[str, str], dict[tuple[str, int], tuple[str, Typed, str]]] = field(default_factory=dict)
    # segment id -> (parent id, items)
    segments: dict[bytes, tuple[bytes | None, Typed]] = field(default_factory=dict)


def _inherited(
    parent: _Row | None, versions: ChannelVersions, new_versions: ChannelVersions
) -> tuple[dict[str, Typed | _LogHead], Iterable[str]]:
    """Return the bytes that a checkpoint shares with its parent, and the channels whose value it stores itself."""
    if parent is None:
        return {}, versions
    if parent.versions | new_versions == versions:  # the usual step
        return parent.values.copy(), new_versions
    shared = {channel: stored for channel, stored in parent.values.items() if channel in versions}
    known = parent.versions
    return shared, [c for c, version in versions.items() if c in new_versions or known.get(c) != version]


class PersistentDict(defaultdict[Any, Any]):
    """A dictionary that a caller of `InMemorySaver(factory=...)` may pass; its file stays empty.

    It exists so that code written for LangGraph runs. A state that must outlive the process belongs in
    `LmdbSaver`: writing whole dictionaries at exit loses everything in a crash.
    """

    def __init__(self, *args: Any, filename: str | os.PathLike[str], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.filename = filename

    def close(self) -> None:
        """Forget the contents."""
        self.clear()

    def __enter__(self) -> PersistentDict:
        return self

    def __exit__(self, *exc_info: object) -> None:
        self.close()


class InMemorySaver(
    BaseCheckpointSaver[int],
    AbstractContextManager["InMemorySaver"],
    AbstractAsyncContextManager["InMemorySaver"],
):
    """Keeps checkpoints as bytes in memory, so that a later change of an object never changes history.

    Safe to use from several threads. `factory` makes the dictionary of threads and may be a context manager.
    """

    def __init__(
        self,
        *,
        serde: SerializerProtocol | None = None,
        factory: Callable[..., Any] = defaultdict,
    ) -> None:
        super().__init__(serde=serde)
        self.stack = ExitStack()
        self.storage: defaultdict[str, _Thread] = factory(_Thread)
        if isinstance(self.storage, AbstractContextManager):
            self.stack.enter_context(self.storage)
        self._lock = threading.RLock()

    def __enter__(self) -> InMemorySaver:
        self.stack.__enter__()
        return self

    def __exit__(
        self,
        exc_type: type[BaseException] | None,
        exc_value: BaseException | None,
        traceback: TracebackType | None,
    ) -> bool | None:
        return self.stack.__exit__(exc_type, exc_value, traceback)

    async def __aenter__(self) -> InMemorySaver:
        return self.__enter__()

    async def __aexit__(
        self,
        exc_type: type[BaseException] | None,
        exc_value: BaseException | None,
        traceback: TracebackType | None,
    ) -> bool | None:
        return self.__exit__(exc_type, exc_value, traceback)

    # -- reading ------------------------------------------------------------------------------------

    def get_tuple(self, config: Config) -> CheckpointTuple | None:
        """Return the checkpoint that `config` names, or the newest of its namespace."""
        configurable = config["configurable"]
        thread_id = str(configurable["thread_id"])
        namespace = configurable.get("checkpoint_ns") or ""
        with self._lock:
            thread = self.storage.get(thread_id)
            rows = thread.rows.get(namespace) if thread is not None else None
            if thread is None or not rows:
                return None
            checkpoint_id = get_checkpoint_id(config) or max(rows)
            row = rows.get(checkpoint_id)
            return None if row is None else self._tuple(thread_id, thread, namespace, checkpoint_id, row)

    def list(
        self,
        config: Config | None,
        *,
        filter: dict[str, Any] | None = None,
        before: Config | None = None,
        limit: int | None = None,
    ) -> Iterator[CheckpointTuple]:
        """Yield checkpoints, newest first; see `BaseCheckpointSaver.list`."""
        wanted_ns = config["configurable"].get("checkpoint_ns") if config else None
        wanted_id = get_checkpoint_id(config) if config else None
        before_id = get_checkpoint_id(before) if before else None
        with self._lock:
            thread_ids = [str(config["configurable"]["thread_id"])] if config else list(self.storage)
            found = [
                (thread_id, namespace, checkpoint_id)
                for thread_id in thread_ids
                for namespace, rows in (
                    self.storage[thread_id].rows if thread_id in self.storage else {}
                ).items()
                if wanted_ns is None or namespace == wanted_ns
                for checkpoint_id in sorted(rows, reverse=True)
                if (not wanted_id or checkpoint_id == wanted_id)
                and (not before_id or checkpoint_id < before_id)
            ]
        left = limit
        for thread_id, namespace, checkpoint_id in found:
            if left is not None and left <= 0:
                return
            item = self._matching(thread_id, namespace, checkpoint_id, filter)
            if item is not None:
                left = None if left is None else left - 1
                yield item

    def _matching(
        self, thread_id: str, namespace: str, checkpoint_id: str, filter: dict[str, Any] | None
    ) -> CheckpointTuple | None:
        with self._lock:
            thread = self.storage.get(thread_id)
            row = thread.rows.get(namespace, {}).get(checkpoint_id) if thread is not None else None
            if thread is None or row is None:
                return None
            metadata = self._own(row)[1] if filter else {}
            if any(key not in metadata or metadata[key] != value for key, value in (filter or {}).items()):
                return None
            return self._tuple(thread_id, thread, namespace, checkpoint_id, row)

    def _tuple(
        self, thread_id: str, thread: _Thread, namespace: str, checkpoint_id: str, row: _Row
    ) -> CheckpointTuple:
        checkpoint, metadata = self._own(row)
        checkpoint["channel_values"] = {
            channel: self._log(thread, stored)
            if isinstance(stored, _LogHead)
            else self.serde.loads_typed(stored)
            for channel, stored in row.values.items()
        }
        checkpoint["channel_versions"] = dict(row.versions)
        writes = thread.writes.get((namespace, checkpoint_id), {})
        ordered = sorted(writes.items(), key=lambda item: writes_sort_key(item[1][2], *item[0]))
        return CheckpointTuple(
            config=config_of(thread_id, namespace, checkpoint_id),
            checkpoint=checkpoint,
            metadata=metadata,
            parent_config=config_of(thread_id, namespace, row.parent_id) if row.parent_id else None,
            pending_writes=[
                (task_id, channel, self.serde.loads_typed(value))
                for (task_id, _), (channel, value, _) in ordered
            ],
        )

    def _own(self, row: _Row) -> tuple[Checkpoint, Any]:
        checkpoint, metadata = self.serde.loads_typed(row.own)
        return checkpoint, metadata

    def _log(self, thread: _Thread, head: _LogHead) -> LogValue:
        def load(segment_id: bytes) -> list[tuple[bytes, Any]]:
            chain: list[tuple[bytes, Any]] = []
            cursor: bytes | None = segment_id
            while cursor is not None:
                parent, items = thread.segments[cursor]
                chain.append((cursor, self.serde.loads_typed(items)))
                cursor = parent
            chain.reverse()
            return chain

        return LogValue.stored(head.segment_id, head.count, load)

    # -- writing ------------------------------------------------------------------------------------

    def put(
        self,
        config: Config,
        checkpoint: Checkpoint,
        metadata: CheckpointMetadata,
        new_versions: ChannelVersions,
    ) -> dict[str, Any]:
        """Store a checkpoint; see `BaseCheckpointSaver.put`."""
        configurable = config["configurable"]
        thread_id = str(configurable["thread_id"])
        namespace = configurable.get("checkpoint_ns") or ""
        parent_id = get_checkpoint_id(config)
        own: dict[str, Any] = {**checkpoint}
        versions: ChannelVersions = dict(own.pop("channel_versions"))
        given: dict[str, Any] = own.pop("channel_values")
        with self._lock:
            thread = self.storage[thread_id]
            rows = thread.rows.setdefault(namespace, {})
            values, changed = _inherited(rows.get(parent_id) if parent_id else None, versions, new_versions)
            for channel in changed:
                if channel in given:
                    values[channel] = self._store(thread, given[channel])
                else:
                    values.pop(channel, None)
            rows[checkpoint["id"]] = _Row(
                own=self.serde.dumps_typed([own, get_checkpoint_metadata(config, metadata)]),
                parent_id=parent_id,
                versions=versions,
                values=values,
            )
        return config_of(thread_id, namespace, checkpoint["id"])

    def _store(self, thread: _Thread, value: Any) -> Typed | _LogHead:
        if not isinstance(value, LogValue) or value.head is None:
            return self.serde.dumps_typed(value)
        segment = value.head
        while segment is not None and segment.id not in thread.segments:
            parent = segment.parent
            thread.segments[segment.id] = (
                parent.id if parent is not None else None,
                self.serde.dumps_typed(list(segment.items)),
            )
            segment = parent  # type: ignore[assignment]
        return _LogHead(value.head.id, value.head.count)

    def put_writes(
        self, config: Config, writes: Sequence[tuple[str, Any]], task_id: str, task_path: str = ""
    ) -> None:
        """Store what a task wrote; see `BaseCheckpointSaver.put_writes`."""
        configurable = config["configurable"]
        address = (configurable.get("checkpoint_ns") or "", configurable["checkpoint_id"])
        dumps = self.serde.dumps_typed
        stored = {
            (task_id, WRITES_IDX_MAP.get(channel, index)): (
                channel,
                dumps(storable(channel, value)),
                task_path,
            )
            for index, (channel, value) in enumerate(writes)
        }
        with self._lock:
            kept = self.storage[str(configurable["thread_id"])].writes.setdefault(address, {})
            for place in kept.keys() & stored.keys():
                if place[1] >= 0:
                    del stored[place]  # kept once is kept for good, but for the places of their own
            kept.update(stored)

    def put_step(
        self,
        config: Config,
        checkpoint: Checkpoint,
        metadata: CheckpointMetadata,
        new_versions: ChannelVersions,
        writes: Sequence[StepWrites],
        writes_config: Config,
    ) -> dict[str, Any]:
        """Store writes and checkpoint; no reader sees one without the other."""
        with self._lock:
            return super().put_step(config, checkpoint, metadata, new_versions, writes, writes_config)

    # -- housekeeping -------------------------------------------------------------------------------

    def delete_thread(self, thread_id: str) -> None:
        """Forget a thread."""
        with self._lock:
            self.storage.pop(str(thread_id), None)

    def delete_for_runs(self, run_ids: Sequence[str]) -> None:
        """Forget the checkpoints of these runs, with their writes."""
        runs = set(run_ids)
        with self._lock:
            for thread in self.storage.values():
                for namespace, rows in thread.rows.items():
                    for checkpoint_id, row in list(rows.items()):
                        if self._own(row)[1].get("run_id") in runs:
                            del rows[checkpoint_id]
                            thread.writes.pop((namespace, checkpoint_id), None)
                self._sweep(thread)

    def copy_thread(self, source_thread_id: str, target_thread_id: str) -> None:
        """Copy a thread to another id; bytes are shared, because they never change."""
        with self._lock:
            source = self.storage.get(str(source_thread_id))
            if source is None:
                return
            self.storage[str(target_thread_id)] = _Thread(
                rows={namespace: dict(rows) for namespace, rows in source.rows.items()},
                writes={address: dict(writes) for address, writes in source.writes.items()},
                segments=dict(source.segments),
            )

    def prune(self, thread_ids: Sequence[str], *, strategy: str = "keep_latest") -> None:
        """Forget history; see `LmdbSaver.prune` for what `"keep_latest"` keeps."""
        if strategy == "delete":
            for thread_id in thread_ids:
                self.delete_thread(thread_id)
            return
        if strategy != "keep_latest":
            raise ValueError(f"Strategy {strategy!r} is not known; use 'keep_latest' or 'delete'.")
        with self._lock:
            for thread_id in thread_ids:
                thread = self.storage.get(str(thread_id))
                if thread is None:
                    continue
                for namespace, rows in thread.rows.items():
                    outlines = [
                        Outline(
                            checkpoint_id, row.parent_id, (namespace, checkpoint_id) in thread.writes, False
                        )
                        for checkpoint_id, row in rows.items()
                    ]
                    kept = kept_by_latest(outlines, 1)
                    for checkpoint_id in [c for c in rows if c not in kept]:
                        del rows[checkpoint_id]
                        thread.writes.pop((namespace, checkpoint_id), None)
                self._sweep(thread)

    def _sweep(self, thread: _Thread) -> None:
        """Drop the segments that no kept checkpoint reaches."""
        reached: set[bytes] = set()
        for rows in thread.rows.values():
            for row in rows.values():
                for value in row.values.values():
                    cursor = value.segment_id if isinstance(value, _LogHead) else None
                    while cursor is not None and cursor not in reached:
                        reached.add(cursor)
                        cursor = thread.segments[cursor][0]
        for segment_id in [s for s in thread.segments if s not in reached]:
            del thread.segments[segment_id]


MemorySaver = InMemorySaver
