"""A topological order kept up to date while edges arrive: a cycle is found at the edge that closes it.

The algorithm is that of Pearce and Kelly ("A dynamic topological sort algorithm for directed acyclic graphs",
JEA 11, 2006): an edge that agrees with the order costs nothing, another one costs a search of the affected
region only. The region is searched from both ends by turns and only the side that is done first is moved
(the two-way search of Bender, Fineman, Gilbert and Tarjan, "A new approach to incremental cycle detection and
related problems", TALG 12, 2015). Positions are labels with room between them (order maintenance), so that a
vertex can be put anywhere without moving the others.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Protocol

# Room left at the end of the order for one root and all that will be nested in it.
_TAIL_GAP = 1 << 256
# A new vertex takes 2**-6 of the room, because most vertices are put just before the same one.
_SHARE_SHIFT = 6
_MIN_SPACING = 1 << 32


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
        ahead = _Search(target, _outward, below=source.slot.label)
        behind = _Search(source, _inward, above=target.slot.label)
        # By turns, so that what is searched is about twice the smaller side, however large the other one is.
        while True:
            if (met := ahead.step()) is not None and met in behind.came_from:
                return ahead.trace(met)[::-1] + behind.trace(met)[1:]
            if ahead.exhausted:
                self._put_before(source.slot.next, ahead.found())
                return None
            if (met := behind.step()) is not None and met in ahead.came_from:
                return ahead.trace(met)[::-1] + behind.trace(met)[1:]
            if behind.exhausted:
                self._put_before(target.slot, behind.found())
                return None

    def _put_before(self, after: Slot | None, vertices: Sequence[Vertex]) -> None:
        """Move vertices, given in their order, to just before a slot that is none of theirs (None: to the end)."""
        for vertex in vertices:
            self.remove(vertex)
        for vertex in vertices:
            vertex.slot = self._slot_before(after)

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


def _outward(vertex: Vertex) -> Iterable[Vertex]:
    return vertex.outward()


def _inward(vertex: Vertex) -> Iterable[Vertex]:
    return vertex.inward()


class _Search:
    """A search from one end of a new edge over the region that it affects, one edge at a time."""

    __slots__ = ("_above", "_below", "_edges", "_stack", "came_from")

    def __init__(
        self,
        start: Vertex,
        edges: Callable[[Vertex], Iterable[Vertex]],
        *,
        below: int | None = None,
        above: int | None = None,
    ) -> None:
        self.came_from: dict[Vertex, Vertex | None] = {start: None}
        self._edges = edges
        self._below = below
        self._above = above
        self._stack: list[tuple[Vertex, Iterator[Vertex]]] = [(start, iter(edges(start)))]

    @property
    def exhausted(self) -> bool:
        """True when everything within the region has been seen."""
        return not self._stack

    def step(self) -> Vertex | None:
        """Look along one edge; return the vertex at its end when it is within the region or at its rim."""
        vertex, edges = self._stack[-1]
        other = next(edges, None)
        if other is None:
            self._stack.pop()
            return None
        label = other.slot.label
        if other in self.came_from:
            return None
        if (self._below is not None and label > self._below) or (
            self._above is not None and label < self._above
        ):
            return None
        self.came_from[other] = vertex
        self._stack.append((other, iter(self._edges(other))))
        return other

    def found(self) -> list[Vertex]:
        """Return what was seen, in its order."""
        return sorted(self.came_from, key=lambda vertex: vertex.slot.label)

    def trace(self, vertex: Vertex) -> list[Vertex]:
        """Return the way from a vertex back to where the search began."""
        way = [vertex]
        while (step := self.came_from[way[-1]]) is not None:
            way.append(step)
        return way
