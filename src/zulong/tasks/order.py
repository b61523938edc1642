"""A topological order kept up to date while edges arrive: a cycle is found at the edge that closes it.

The algorithm is that of Pearce and Kelly ("A dynamic topological sort algorithm for directed acyclic graphs",
JEA 11, 2006): an edge that agrees with the order costs nothing, another one costs a search of the affected
region only. Positions are labels with room between them (order maintenance), so that a vertex can be put
anywhere without moving the others.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from operator import attrgetter
from typing import Protocol

# Room left at the end of the order for one root and all that will be nested in it.
_TAIL_GAP = 1 << 256
# A new vertex takes 2**-6 of the room, because most vertices are put just before the same one.
_SHARE_SHIFT = 6
_MIN_SPACING = 1 << 32
_label = attrgetter("label")


class Slot:
    """A place in the order; vertices move between slots when the order is repaired."""

    __slots__ = ("label", "next", "prev")

    def __init__(self, label: int, prev: Slot | None, next_: Slot | None) -> None:
        self.label = label
        self.prev = prev
        self.next = next_


class Vertex(Protocol):
    """A point of the order. Its edges are what its owner knows anyway, so none are kept here."""

    slot: Slot

    def outward(self) -> Iterable[Vertex]:
        """Return the vertices that must come after this one."""

    def inward(self) -> Iterable[Vertex]:
        """Return the vertices that must come before this one."""


class TopologicalOrder:
    """An order of vertices in which every edge points forward."""

    __slots__ = ("_head", "_tail")

    def __init__(self) -> None:
        self._head: Slot | None = None
        self._tail: Slot | None = None

    def new_slot(self, before: Vertex | None = None) -> Slot:
        """Return a place for a new vertex without edges: just before another one, or at the end."""
        return self._slot_before(before.slot if before else None)

    def remove(self, vertex: Vertex) -> None:
        """Give a vertex's place up; its edges must be gone."""
        slot = vertex.slot
        if slot.prev:
            slot.prev.next = slot.next
        else:
            self._head = slot.next
        if slot.next:
            slot.next.prev = slot.prev
        else:
            self._tail = slot.prev

    def admit(self, source: Vertex, target: Vertex) -> list[Vertex] | None:
        """Make room for a new edge. None when it may be added; else the path target ... source is returned."""
        if source is target:
            return [source]
        if source.slot.label < target.slot.label:
            return None
        upper, lower = source.slot.label, target.slot.label
        came_from: dict[Vertex, Vertex | None] = {target: None}
        stack = [target]
        while stack:
            vertex = stack.pop()
            for after in vertex.outward():
                if after is source:
                    came_from[source] = vertex
                    return _trace(source, came_from)
                if after not in came_from and after.slot.label < upper:
                    came_from[after] = vertex
                    stack.append(after)
        behind = {source}
        stack = [source]
        while stack:
            for earlier in stack.pop().inward():
                if earlier not in behind and earlier.slot.label > lower:
                    behind.add(earlier)
                    stack.append(earlier)
        # What must come before the source is put before what must come after the target.
        moved = _by_label(behind) + _by_label(came_from)
        slots = sorted((vertex.slot for vertex in moved), key=_label)
        for vertex, slot in zip(moved, slots, strict=True):
            vertex.slot = slot
        return None

    def _slot_before(self, after: Slot | None) -> Slot:
        before = after.prev if after else self._tail
        if after is None:
            slot = Slot((before.label if before else 0) + _TAIL_GAP, before, None)
            self._tail = slot
        else:
            low = before.label if before else after.label - _TAIL_GAP
            if after.label - low < 2:
                self._spread_around(after)
                before = after.prev
                low = before.label if before else after.label - _TAIL_GAP
            room = after.label - low
            slot = Slot(low + max(1, room >> _SHARE_SHIFT), before, after)
            after.prev = slot
        if before:
            before.next = slot
        else:
            self._head = slot
        return slot

    def _spread_around(self, middle: Slot) -> None:
        """Give the slots around ``middle`` even labels again, in the smallest window that has room."""
        reach = 16
        while True:
            first, last, count = middle, middle, 1
            for _ in range(reach):
                if first.prev:
                    first, count = first.prev, count + 1
                if last.next:
                    last, count = last.next, count + 1
            low = first.prev.label if first.prev else first.label - _TAIL_GAP
            high = last.next.label if last.next else last.label + _TAIL_GAP
            spacing = (high - low) // (count + 1)
            if spacing >= _MIN_SPACING or (first.prev is None and last.next is None):
                slot: Slot | None = first
                label = low
                for _ in range(count):
                    assert slot is not None  # noqa: S101 - the window has `count` slots
                    label += spacing
                    slot.label = label
                    slot = slot.next
                return
            reach *= 2


def _by_label(vertices: Iterable[Vertex]) -> list[Vertex]:
    key: Callable[[Vertex], int] = lambda vertex: vertex.slot.label  # noqa: E731
    return sorted(vertices, key=key)


def _trace(end: Vertex, came_from: dict[Vertex, Vertex | None]) -> list[Vertex]:
    path = [end]
    step = came_from[end]
    while step is not None:
        path.append(step)
        step = came_from[step]
    path.reverse()
    return path
