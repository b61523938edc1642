"""The leaves that may start now, kept ready while the graph changes."""

from __future__ import annotations

import heapq
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from zulong.tasks.record import Record


class ReadyQueue:
    """Children of one node that may start or hold something that may, in the order of their positions."""

    __slots__ = ("_heap", "_members")

    def __init__(self) -> None:
        self._heap: list[int] = []
        self._members: dict[int, Record] = {}

    def __bool__(self) -> bool:
        return bool(self._members)

    def add(self, record: Record) -> None:
        """Put a child in."""
        self._members[record.position] = record
        heapq.heappush(self._heap, record.position)

    def discard(self, record: Record) -> None:
        """Take a child out; its place in the heap is dropped when it comes to the top."""
        self._members.pop(record.position, None)

    def first(self) -> Record | None:
        """Return the earliest member, None when empty."""
        heap, members = self._heap, self._members
        while heap:
            record = members.get(heap[0])
            if record is not None:
                return record
            heapq.heappop(heap)
        return None

    def in_order(self) -> list[Record]:
        """Return all members, earliest first."""
        members = self._members
        return [members[position] for position in sorted(members)]
