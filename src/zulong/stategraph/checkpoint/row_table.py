"""What a saver does inside one transaction, over the few operations that a store of rows provides."""

from __future__ import annotations

import heapq
from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Iterator
from typing import Any, NamedTuple

from zulong.stategraph.checkpoint.errors import StorageFormatError
from zulong.stategraph.checkpoint.retention import Outline, kept_by_latest
from zulong.stategraph.checkpoint.rows import Head, Segment, TaskWrites, rows_of


class Place(NamedTuple):
    """The numbers under which a store keeps a thread and one of its namespaces."""

    thread: int
    namespace: int


class RowTable(ABC):
    """The rows as one transaction sees them."""

    # -- threads, namespaces, names -----------------------------------------------------------------

    @abstractmethod
    def find(self, thread_id: str, namespace: str) -> Place | None:
        """Return the numbers of a namespace, None when nothing was ever stored in it."""

    @abstractmethod
    def find_thread(self, thread_id: str) -> int | None:
        """Return the number of a thread, None when it is unknown."""

    @abstractmethod
    def make(self, thread_id: str, namespace: str) -> Place:
        """Return the numbers of a namespace, given now if it is new. Numbers are never given twice."""

    def lock(self, place: Place) -> None:  # noqa: B027 - most stores have one writer and nothing to do
        """Keep other writers of this thread out until the transaction ends, where a store has several."""

    @abstractmethod
    def threads(self) -> list[str]:
        """Return the ids of all threads."""

    @abstractmethod
    def namespaces(self, thread: int) -> list[tuple[str, Place]]:
        """Return the namespaces of a thread with their numbers."""

    @abstractmethod
    def set_name(self, place: Place, checkpoint_id: str, name: str) -> None:
        """Give a checkpoint a name; the name leaves any other checkpoint of the thread."""

    @abstractmethod
    def drop_name(self, thread: int, name: str) -> bool:
        """Take a name away; False when nothing had it."""

    @abstractmethod
    def names(self, thread: int) -> list[tuple[str, int, str]]:
        """Return (name, namespace number, checkpoint id) of the named checkpoints of a thread."""

    # -- heads, writes, data ------------------------------------------------------------------------

    @abstractmethod
    def head(self, place: Place, checkpoint_id: str) -> bytes | None:
        """Return the row of a checkpoint."""

    @abstractmethod
    def heads(
        self, place: Place, *, before: str | None = None, limit: int | None = None
    ) -> Iterator[tuple[str, bytes]]:
        """Yield id and row of the checkpoints of a namespace, newest first."""

    @abstractmethod
    def put_head(self, place: Place, checkpoint_id: str, row: bytes) -> None:
        """Store a checkpoint."""

    @abstractmethod
    def writes(self, place: Place, checkpoint_id: str) -> list[bytes]:
        """Return the rows of what waits on a checkpoint."""

    @abstractmethod
    def task_writes(self, place: Place, checkpoint_id: str, task_id: str) -> bytes | None:
        """Return the row of what one task wrote."""

    @abstractmethod
    def put_task_writes(self, place: Place, checkpoint_id: str, task_id: str, row: bytes) -> None:
        """Store the row of what one task wrote."""

    @abstractmethod
    def find_data(self, thread: int, row_id: bytes) -> bytes | None:
        """Return a row of data."""

    @abstractmethod
    def put_data(self, thread: int, row_id: bytes, row: bytes) -> None:
        """Store a row of data."""

    # -- removing and copying -----------------------------------------------------------------------

    @abstractmethod
    def delete_thread(self, thread_id: str) -> None:
        """Remove every row of a thread."""

    @abstractmethod
    def delete_head(self, place: Place, checkpoint_id: str) -> None:
        """Remove a checkpoint and its writes."""

    @abstractmethod
    def delete_data(self, thread: int, row_ids: Iterable[bytes]) -> None:
        """Remove rows of data."""

    @abstractmethod
    def delete_namespace(self, place: Place, namespace: str) -> None:
        """Remove the heads and writes of a namespace, and the namespace."""

    @abstractmethod
    def copy_rows(self, source: int, target_id: str) -> None:
        """Copy every row of a thread to a new one."""

    # -- what follows from these --------------------------------------------------------------------

    def newest(self, place: Place) -> tuple[str, bytes] | None:
        """Return id and row of the newest checkpoint of a namespace."""
        return next(self.heads(place, limit=1), None)

    def add_writes(self, place: Place, checkpoint_id: str, writes: TaskWrites) -> None:
        """Store what a task wrote, joined to what it wrote before."""
        earlier = self.task_writes(place, checkpoint_id, writes.task_id)
        if earlier is not None:
            writes = writes.merged(TaskWrites.unpack(earlier))
        self.put_task_writes(place, checkpoint_id, writes.task_id, writes.pack())

    def data(self, thread: int, row_id: bytes) -> bytes:
        """Return a row of data.

        Raises:
            StorageFormatError: it is not there.
        """
        row = self.find_data(thread, row_id)
        if row is None:
            raise StorageFormatError(
                "A part of a checkpoint is missing: it was removed by another process after it was listed, or the "
                "store is damaged."
            )
        return row

    def chain(self, thread: int, segment_id: bytes) -> list[tuple[bytes, Segment]]:
        """Return the segments of a log, oldest first."""
        chain: list[tuple[bytes, Segment]] = []
        cursor: bytes | None = segment_id
        while cursor is not None:
            segment = Segment.unpack(self.data(thread, cursor))
            if chain and segment.count >= chain[-1][1].count:
                raise StorageFormatError(
                    "An append-log is damaged: its segments do not grow."
                )  # or it has a loop
            chain.append((cursor, segment))
            cursor = segment.parent_id
        chain.reverse()
        return chain

    def copy_thread(self, source_id: str, target_id: str) -> None:
        """Copy a thread; an unknown one is no error.

        Raises:
            ValueError: the target exists.
        """
        source = self.find_thread(source_id)
        if source is None:
            return
        if self.find_thread(target_id) is not None:
            raise ValueError(
                f"Thread {target_id!r} has checkpoints of its own; delete it or choose another id."
            )
        self.copy_rows(source, target_id)

    def prune(self, place: Place, keep: int) -> set[str]:
        """Remove old checkpoints as `kept_by_latest` says; return the ids that went."""
        named = {row_id for _, namespace, row_id in self.names(place.thread) if namespace == place.namespace}
        outlines = [
            Outline(
                checkpoint_id,
                Head.unpack(row).parent_id,
                bool(self.writes(place, checkpoint_id)),
                checkpoint_id in named,
            )
            for checkpoint_id, row in self.heads(place)
        ]
        kept = kept_by_latest(outlines, keep)
        gone = {outline.checkpoint_id for outline in outlines if outline.checkpoint_id not in kept}
        self.remove(place, gone)
        return gone

    def remove(self, place: Place, gone: Collection[str]) -> None:
        """Remove checkpoints with their writes, names and the rows of data that only they needed."""
        if not gone:
            return
        going: list[Any] = []
        staying: list[Any] = []
        for checkpoint_id, row in list(self.heads(place)):
            refs = going if checkpoint_id in gone else staying
            refs.extend(Head.unpack(row).refs.values())
            for task in self.writes(place, checkpoint_id):
                refs.extend(write.value for write in TaskWrites.unpack(task).writes)
        for checkpoint_id in gone:
            self.delete_head(place, checkpoint_id)
        for name, namespace, checkpoint_id in self.names(place.thread):
            if namespace == place.namespace and checkpoint_id in gone:
                self.drop_name(place.thread, name)
        rows, segments = rows_of(going)
        kept_rows, kept_segments = rows_of(staying)
        self.delete_data(
            place.thread, (rows - kept_rows) | self._unreached(place.thread, segments, kept_segments)
        )

    def drop_namespace(self, place: Place, namespace: str) -> None:
        """Remove a namespace with everything in it."""
        self.remove(place, {checkpoint_id for checkpoint_id, _ in self.heads(place)})
        self.delete_namespace(place, namespace)

    def _unreached(self, thread: int, candidates: Iterable[bytes], kept: Iterable[bytes]) -> set[bytes]:
        """Return the segments at and before `candidates` that are not at or before `kept`.

        Counts fall along a chain, so both sets are walked together from the highest count down, kept ones
        first among equals; the walk ends with the last candidate and does not visit what lies before.
        """
        heap: list[tuple[int, int, bytes, bytes | None]] = []

        def push(segment_id: bytes, is_candidate: int) -> None:
            segment = Segment.unpack(self.data(thread, segment_id))
            heapq.heappush(heap, (-segment.count, is_candidate, segment_id, segment.parent_id))

        waiting = 0
        for segment_id in candidates:
            push(segment_id, 1)
            waiting += 1
        for segment_id in kept if waiting else ():
            push(segment_id, 0)
        alive: set[bytes] = set()
        dead: set[bytes] = set()
        while waiting:
            _, is_candidate, segment_id, parent_id = heapq.heappop(heap)
            waiting -= is_candidate
            if segment_id in alive or segment_id in dead:
                continue
            (dead if is_candidate else alive).add(segment_id)
            if parent_id is not None:
                push(parent_id, is_candidate)
                waiting += is_candidate
        return dead
