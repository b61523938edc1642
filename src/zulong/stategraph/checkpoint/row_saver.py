"""A checkpointer over rows: everything but where the rows are and what a transaction is."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any, TypeVar

from zulong.stategraph.checkpoint.base.model import (
    WRITES_IDX_MAP,
    ChannelVersions,
    Checkpoint,
    CheckpointMetadata,
    CheckpointTuple,
    Config,
    PendingWrite,
    StepWrites,
    config_of,
    get_checkpoint_id,
    get_checkpoint_metadata,
    storable,
)
from zulong.stategraph.checkpoint.errors import StorageFormatError
from zulong.stategraph.checkpoint.log import LogValue
from zulong.stategraph.checkpoint.off_loop import OffLoopTwins
from zulong.stategraph.checkpoint.row_table import Place, RowTable
from zulong.stategraph.checkpoint.rows import (
    Head,
    Segment,
    SharedItems,
    TaskWrites,
    Write,
    pack_typed,
    stamp_of,
    unpack_typed,
)
from zulong.stategraph.checkpoint.serde.base import SerializerProtocol
from zulong.stategraph.checkpoint.step_plan import NotLoadedError, StepPlan

T = TypeVar("T")
_PAGE = 32
_RECENT = 256


@dataclass(slots=True, frozen=True)
class _Found:
    """One checkpoint as bytes, gathered in a transaction and decoded after it."""

    thread_id: str
    namespace: str
    place: Place
    checkpoint_id: str
    head: Head
    tasks: list[TaskWrites]
    rows: dict[bytes, bytes]


class _Recent:
    """What a thread's next step will ask for: the numbers of its namespace, and the head stored last.

    Only a short cut. Another process may remove the thread at any time, so the caller looks whether the
    parent's row is still there under these numbers, and `head` compares its stamp. Operations on the
    dictionary are single steps of the interpreter, so threads need no lock here.
    """

    def __init__(self) -> None:
        self._entries: dict[tuple[str, str], tuple[Place, str, Head]] = {}
        self._since_prune: dict[tuple[str, str], int] = {}

    def place(self, address: tuple[str, str]) -> Place | None:
        """Return the numbers that a namespace had at its last step."""
        known = self._entries.get(address)
        return None if known is None else known[0]

    def head(self, address: tuple[str, str], checkpoint_id: str, row: bytes) -> Head:
        """Return the head in a row, without reading it when it is the one stored last."""
        known = self._entries.get(address)
        if known is not None and known[1] == checkpoint_id and known[2].stamp == stamp_of(row):
            return known[2]
        return Head.unpack(row)

    def put(self, address: tuple[str, str], place: Place, checkpoint_id: str, head: Head) -> None:
        """Keep what a step stored."""
        if len(self._entries) >= _RECENT and address not in self._entries:
            self._entries.pop(next(iter(list(self._entries)), address), None)
        self._entries[address] = (place, checkpoint_id, head)

    def due_for_pruning(self, address: tuple[str, str], keep_last: int) -> bool:
        """Count a step; True when enough came together that cutting history is worth its cost."""
        count = self._since_prune.get(address, 0) + 1
        due = count > max(8, keep_last // 2)
        if due:
            self._since_prune.pop(address, None)
        else:
            self._since_prune[address] = count
        return due


class RowSaver(OffLoopTwins[int]):
    """Checkpointer over a `RowTable`. A subclass says how to read and how to write in one transaction.

    `keep_last`: history is cut by itself to about this many checkpoints a namespace (never fewer), with the
    exceptions of `prune`. None keeps everything.
    """

    def __init__(self, *, serde: SerializerProtocol | None = None, keep_last: int | None = None) -> None:
        super().__init__(serde=serde)
        if keep_last is not None and keep_last < 1:
            raise ValueError(f"keep_last is {keep_last}; at least the newest checkpoint must stay.")
        self.keep_last = keep_last
        self._recent = _Recent()

    @abstractmethod
    def _read(self) -> AbstractContextManager[RowTable]:
        """Open a read transaction over one unchanging state."""

    @abstractmethod
    def _write(self, work: Callable[[RowTable], T]) -> T:
        """Run `work` in one durable transaction; it may run again from the start."""

    @abstractmethod
    def close(self) -> None:
        """Wait for calls under way and give the store up; closing twice is no error."""

    # -- reading ------------------------------------------------------------------------------------

    def get_tuple(self, config: Config) -> CheckpointTuple | None:
        """Return the checkpoint that `config` names, or the newest of its namespace."""
        configurable = config["configurable"]
        thread_id = str(configurable["thread_id"])
        namespace = configurable.get("checkpoint_ns") or ""
        checkpoint_id = get_checkpoint_id(config)
        with self._read() as table:
            place = table.find(thread_id, namespace)
            if place is None:
                return None
            if checkpoint_id is None:
                newest = table.newest(place)
                if newest is None:
                    return None
                checkpoint_id, row = newest
            else:
                wanted = table.head(place, checkpoint_id)
                if wanted is None:
                    return None
                row = wanted
            found = self._gather(table, thread_id, namespace, place, checkpoint_id, Head.unpack(row))
        return self._tuple(found)

    def list(
        self,
        config: Config | None,
        *,
        filter: dict[str, Any] | None = None,
        before: Config | None = None,
        limit: int | None = None,
    ) -> Iterator[CheckpointTuple]:
        """Yield checkpoints, newest first; see `BaseCheckpointSaver.list`.

        Reads page by page, so a slow consumer holds no transaction open.
        """
        left = limit
        before_id = get_checkpoint_id(before) if before else None
        wanted_id = get_checkpoint_id(config) if config else None
        for thread_id, namespace, place in self._places(config):
            cursor = before_id
            while left is None or left > 0:
                with self._read() as table:
                    page = [
                        self._gather(table, thread_id, namespace, place, checkpoint_id, Head.unpack(row))
                        for checkpoint_id, row in self._page(table, place, cursor, wanted_id)
                    ]
                for found in page:
                    item = self._tuple(found) if self._matches(found, filter) else None
                    if item is not None and (left is None or left > 0):
                        left = None if left is None else left - 1
                        yield item
                if len(page) < _PAGE:
                    break
                cursor = page[-1].checkpoint_id

    def _places(self, config: Config | None) -> Sequence[tuple[str, str, Place]]:
        with self._read() as table:
            thread_ids = [str(config["configurable"]["thread_id"])] if config else table.threads()
            wanted = config["configurable"].get("checkpoint_ns") if config else None
            places = []
            for thread_id in thread_ids:
                thread = table.find_thread(thread_id)
                for namespace, place in table.namespaces(thread) if thread is not None else ():
                    if wanted is None or namespace == wanted:
                        places.append((thread_id, namespace, place))
            return places

    @staticmethod
    def _page(
        table: RowTable, place: Place, before: str | None, wanted_id: str | None
    ) -> Iterator[tuple[str, bytes]]:
        if wanted_id is None:
            yield from table.heads(place, before=before, limit=_PAGE)
        elif before is None or wanted_id < before:
            row = table.head(place, wanted_id)
            if row is not None:
                yield wanted_id, row

    def _matches(self, found: _Found, filter: dict[str, Any] | None) -> bool:
        if not filter:
            return True
        metadata = self._payload(found.head)[4]
        return all(key in metadata and metadata[key] == value for key, value in filter.items())

    def _gather(
        self, table: RowTable, thread_id: str, namespace: str, place: Place, checkpoint_id: str, head: Head
    ) -> _Found:
        """Collect the bytes of a checkpoint; segments of logs stay where they are until someone looks."""
        tasks = [TaskWrites.unpack(row) for row in table.writes(place, checkpoint_id)]
        needed: set[bytes] = {ref for ref in head.refs.values() if isinstance(ref, bytes)}
        for task in tasks:
            for write in task.writes:
                if isinstance(write.value, bytes):
                    needed.add(write.value)
                elif isinstance(write.value, SharedItems):
                    needed.add(write.value.segment_id)
        rows = {row_id: table.data(place.thread, row_id) for row_id in needed}
        return _Found(thread_id, namespace, place, checkpoint_id, head, tasks, rows)

    def _tuple(self, found: _Found) -> CheckpointTuple:
        head = found.head
        v, ts, versions_seen, updated_channels, metadata, extra = self._payload(head)
        values: dict[str, Any] = {}
        for channel, ref in head.refs.items():
            if isinstance(ref, bytes):
                values[channel] = self._load(found.rows[ref])
            elif len(ref) == 2:
                values[channel] = LogValue.stored(ref[0], ref[1], self._chain_loader(found.place.thread))
            else:
                values[channel] = self._load(ref[0])
        checkpoint = Checkpoint(
            v=v,
            id=found.checkpoint_id,
            ts=ts,
            channel_values=values,
            channel_versions=dict(head.versions),
            versions_seen=versions_seen,
            updated_channels=updated_channels,
        )
        checkpoint.update(extra)
        return CheckpointTuple(
            config=config_of(found.thread_id, found.namespace, found.checkpoint_id),
            checkpoint=checkpoint,
            metadata=metadata,
            parent_config=config_of(found.thread_id, found.namespace, head.parent_id)
            if head.parent_id
            else None,
            pending_writes=[*self._pending(found)],
        )

    def _pending(self, found: _Found) -> Sequence[PendingWrite]:
        tasks = sorted(found.tasks, key=lambda task: (task.task_path, task.task_id))
        return [
            (task.task_id, write.channel, self._write_value(found, write))
            for task in tasks
            for write in task.writes
        ]

    def _write_value(self, found: _Found, write: Write) -> Any:
        value = write.value
        if isinstance(value, bytes):
            return self._load(found.rows[value])
        if isinstance(value, SharedItems):
            items = self._load(Segment.unpack(found.rows[value.segment_id]).items)[value.start : value.stop]
            return items[0] if value.form == 0 else items if value.form == 1 else tuple(items)
        return self._load(value[0])

    def _payload(self, head: Head) -> Any:
        payload = self._load(head.payload)
        shapes = (int, str, dict, list | None, dict, dict)
        if (
            not isinstance(payload, list)
            or len(payload) != len(shapes)
            or not all(isinstance(part, shape) for part, shape in zip(payload, shapes, strict=True))
        ):
            raise StorageFormatError(
                "A checkpoint's row is damaged: its parts are not what a checkpoint has."
            )
        return payload

    def _load(self, packed: bytes) -> Any:
        return self.serde.loads_typed(unpack_typed(packed))

    def _chain_loader(self, thread: int) -> Callable[[bytes], Sequence[tuple[bytes, Sequence[Any]]]]:
        def load(segment_id: bytes) -> Sequence[tuple[bytes, Sequence[Any]]]:
            with self._read() as table:
                chain = table.chain(thread, segment_id)
            return [(row_id, self._load(segment.items)) for row_id, segment in chain]

        return load

    # -- writing ------------------------------------------------------------------------------------

    def put(
        self,
        config: Config,
        checkpoint: Checkpoint,
        metadata: CheckpointMetadata,
        new_versions: ChannelVersions,
    ) -> dict[str, Any]:
        """Store a checkpoint durably; see `BaseCheckpointSaver.put`."""
        return self.put_step(config, checkpoint, metadata, new_versions, (), config)

    def put_step(
        self,
        config: Config,
        checkpoint: Checkpoint,
        metadata: CheckpointMetadata,
        new_versions: ChannelVersions,
        writes: Sequence[StepWrites],
        writes_config: Config,
    ) -> dict[str, Any]:
        """Store writes and checkpoint in one transaction: after a crash both are there, or neither."""
        configurable = config["configurable"]
        own = (str(configurable["thread_id"]), configurable.get("checkpoint_ns") or "")
        parent_id = get_checkpoint_id(config)
        full = get_checkpoint_metadata(config, metadata)
        plan = StepPlan(self.serde, checkpoint, full, new_versions, parent_id, writes)
        target = writes_config["configurable"]

        def work(table: RowTable) -> tuple[Place, Head]:
            place, parent = self._parent(table, own, parent_id)
            if plan.writes:
                other = (str(target["thread_id"]), target.get("checkpoint_ns") or "")
                waiting_on = place if other == own else table.make(*other)
                for task in plan.writes:
                    table.add_writes(waiting_on, target["checkpoint_id"], task)
            return place, plan.commit(table, place, parent)

        while True:
            try:
                place, head = self._write(work)
                break
            except NotLoadedError as missing:
                missing.segment.items  # noqa: B018 - reads them
        self._recent.put(own, place, plan.checkpoint_id, head)
        if self.keep_last is not None and self._recent.due_for_pruning(own, self.keep_last):
            self._prune_thread(own[0], self.keep_last, only=own[1])
        return config_of(*own, plan.checkpoint_id)

    def _parent(
        self, table: RowTable, address: tuple[str, str], parent_id: str | None
    ) -> tuple[Place, Head | None]:
        """Return the numbers of a namespace, and the head of the parent if it is stored."""
        if parent_id is None:
            return table.make(*address), None
        place = self._recent.place(address)
        row = None
        if place is not None:
            table.lock(place)
            row = table.head(place, parent_id)
        if place is None or row is None:
            place = table.make(*address)
            row = table.head(place, parent_id)
        return place, None if row is None else self._recent.head(address, parent_id, row)

    def put_writes(
        self, config: Config, writes: Sequence[tuple[str, Any]], task_id: str, task_path: str = ""
    ) -> None:
        """Store what a task wrote, durably; see `BaseCheckpointSaver.put_writes`."""
        configurable = config["configurable"]
        thread_id = str(configurable["thread_id"])
        namespace = configurable.get("checkpoint_ns") or ""
        task = TaskWrites(
            task_id,
            task_path,
            tuple(
                Write(
                    WRITES_IDX_MAP.get(channel, index),
                    channel,
                    (pack_typed(self.serde.dumps_typed(storable(channel, value))),),
                )
                for index, (channel, value) in enumerate(writes)
            ),
        )
        self._write(
            lambda table: table.add_writes(
                table.make(thread_id, namespace), configurable["checkpoint_id"], task
            )
        )

    # -- names --------------------------------------------------------------------------------------

    def name_checkpoint(self, config: Config, name: str) -> None:
        """Give a checkpoint a name, under which it is found again and kept by every clean-up.

        Raises:
            KeyError: there is no such checkpoint.
        """
        configurable = config["configurable"]
        thread_id = str(configurable["thread_id"])
        namespace = configurable.get("checkpoint_ns") or ""

        def work(table: RowTable) -> None:
            place = table.find(thread_id, namespace)
            checkpoint_id = get_checkpoint_id(config)
            if place is not None and checkpoint_id is None:
                newest = table.newest(place)
                checkpoint_id = newest[0] if newest is not None else None
            if place is None or checkpoint_id is None or table.head(place, checkpoint_id) is None:
                raise KeyError(
                    f"Thread {thread_id!r} has no checkpoint {checkpoint_id!r} that could be named."
                )
            table.set_name(place, checkpoint_id, name)

        self._write(work)

    def named_checkpoints(self, thread_id: str) -> dict[str, dict[str, Any]]:
        """Return the configs of the named checkpoints of a thread, by name."""
        with self._read() as table:
            thread = table.find_thread(str(thread_id))
            if thread is None:
                return {}
            namespaces = {place.namespace: text for text, place in table.namespaces(thread)}
            return {
                name: config_of(str(thread_id), namespaces[namespace], checkpoint_id)
                for name, namespace, checkpoint_id in table.names(thread)
            }

    def forget_name(self, thread_id: str, name: str) -> bool:
        """Take a name away (the checkpoint stays for now); False when nothing had it."""

        def work(table: RowTable) -> bool:
            thread = table.find_thread(str(thread_id))
            return thread is not None and table.drop_name(thread, name)

        return self._write(work)

    def threads(self) -> Sequence[str]:
        """Return the ids of all threads."""
        with self._read() as table:
            return table.threads()

    # -- housekeeping -------------------------------------------------------------------------------

    def delete_thread(self, thread_id: str) -> None:
        """Remove everything of a thread; an unknown thread is no error."""
        self._write(lambda table: table.delete_thread(str(thread_id)))

    def delete_for_runs(self, run_ids: Sequence[str]) -> None:
        """Remove the checkpoints whose metadata name one of these runs, with their writes."""
        runs = set(run_ids)
        if not runs:
            return

        def work(table: RowTable) -> None:
            for thread_id in table.threads():
                thread = table.find_thread(thread_id)
                for _, place in table.namespaces(thread) if thread is not None else ():
                    gone = {
                        checkpoint_id
                        for checkpoint_id, row in table.heads(place)
                        if self._payload(Head.unpack(row))[4].get("run_id") in runs
                    }
                    table.remove(place, gone)

        self._write(work)

    def copy_thread(self, source_thread_id: str, target_thread_id: str) -> None:
        """Copy every checkpoint, write and name of a thread to a new thread; an unknown source is no error.

        Raises:
            ValueError: the target has checkpoints.
        """
        self._write(lambda table: table.copy_thread(str(source_thread_id), str(target_thread_id)))

    def prune(self, thread_ids: Sequence[str], *, strategy: str = "keep_latest", keep: int = 1) -> None:
        """Remove history of threads.

        `"keep_latest"` keeps the newest `keep` checkpoints of each namespace, with their pending writes;
        besides these every named checkpoint, and the tips of other branches on which writes wait. The
        checkpoints of a subgraph's task go with the last checkpoint of the graph that they belong to.
        `"delete"` removes everything.

        Raises:
            ValueError: another strategy.
        """
        if strategy not in ("keep_latest", "delete"):
            raise ValueError(f"Strategy {strategy!r} is not known; use 'keep_latest' or 'delete'.")
        for thread_id in thread_ids:
            if strategy == "delete":
                self.delete_thread(thread_id)
            else:
                self._prune_thread(str(thread_id), max(1, keep))

    def _prune_thread(self, thread_id: str, keep: int, *, only: str | None = None) -> None:
        def work(table: RowTable) -> None:
            thread = table.find_thread(thread_id)
            if thread is None:
                return
            gone: set[str] = set()
            namespaces = table.namespaces(thread)
            for namespace, place in namespaces:
                if only is None or namespace == only:
                    gone |= table.prune(place, keep)
            for namespace, place in namespaces if gone else ():
                if ":" in namespace and namespace != only and self._orphaned(table, place, gone):
                    table.drop_namespace(place, namespace)

        self._write(work)

    def _orphaned(self, table: RowTable, place: Place, gone: set[str]) -> bool:
        """Whether the checkpoints of a subgraph's task all belong to parents that are gone now."""
        if any(namespace == place.namespace for _, namespace, _ in table.names(place.thread)):
            return False
        found = False
        for _, row in table.heads(place):
            parents = self._payload(Head.unpack(row))[4].get("parents") or {}
            if not gone.intersection(parents.values()):
                return False
            found = True
        return found

    def __enter__(self: T) -> T:
        return self

    def __exit__(self, *exc_info: object) -> None:
        self.close()

    async def __aenter__(self: T) -> T:
        return self

    async def __aexit__(self, *exc_info: object) -> None:
        self.close()
