"""Who is joined to whom: immutable compressed rows for the bulk, a small overlay for what is new.

The base holds edges sorted by source (compressed sparse rows) and a permutation that sorts them by target.
Its structure never changes; weights and the type of a dead edge are written in place. New edges go to the
overlay, which a background merge folds into a new base. Adding an edge costs the same at ten edges and at
ten million (a live insertion costs python-igraph 0.4 s at a million).

Everything is in slots (see columns). ``rate`` is 1 / half-life in 1/s, 0 for what does not fade, so that the
weight now is ``weight * 2 ** -((now - reinforced) * rate)``. An edge that has faded below ``floor`` does not
exist for any reader, whether or not the prune has been there yet: that is what makes results independent of
when forgetting runs.
"""

from __future__ import annotations

import threading
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

I32 = NDArray[np.int32]
I64 = NDArray[np.int64]
F32 = NDArray[np.float32]
F64 = NDArray[np.float64]
U8 = NDArray[np.uint8]

EdgeRow = tuple[int, int, int, float, float, float]
"""Source slot, target slot, type, weight, time of the last reinforcement, rate."""
DEAD = 255
"""Type of an edge that has been removed but whose place has not been merged away yet."""


@dataclass(slots=True, frozen=True)
class EdgeArrays:
    """Aligned arrays over edges."""

    src: I32
    dst: I32
    type: U8
    weight: F32
    reinforced: F64
    rate: F32

    @classmethod
    def empty(cls, capacity: int) -> EdgeArrays:
        """Return zeroed arrays of that length."""
        return cls(
            np.zeros(capacity, np.int32),
            np.zeros(capacity, np.int32),
            np.full(capacity, DEAD, np.uint8),
            np.zeros(capacity, np.float32),
            np.zeros(capacity, np.float64),
            np.zeros(capacity, np.float32),
        )

    def columns(self) -> tuple[NDArray[np.generic], ...]:
        """Return the arrays in the order of the constructor."""
        return self.src, self.dst, self.type, self.weight, self.reinforced, self.rate

    def weight_now(self, edges: I64 | I32 | slice, now: float) -> F32:
        """Return what is left of these edges' weights at ``now``."""
        age = np.maximum(now - self.reinforced[edges], 0.0)
        left: F32 = self.weight[edges] * np.exp2(-(age * self.rate[edges])).astype(np.float32)
        return left


@dataclass(slots=True, frozen=True)
class Base:
    """The compressed part: edges of slot ``s`` are ``out_start[s]:out_start[s + 1]``; the edges into ``s`` are
    ``in_edges[in_start[s]:in_start[s + 1]]``. Slots beyond the arrays have none."""

    edges: EdgeArrays
    out_start: I64
    in_start: I64
    in_edges: I32

    @property
    def slots(self) -> int:
        """Number of slots that the base covers."""
        return len(self.out_start) - 1

    def __len__(self) -> int:
        return len(self.edges.src)


@dataclass(slots=True, frozen=True)
class View:
    """What one reader sees: the base, and the first ``fresh_count`` edges of the overlay."""

    base: Base
    fresh: EdgeArrays
    fresh_count: int


def compress(edges: EdgeArrays, slots: int) -> Base:
    """Return the base over ``edges``, which must be sorted by source."""
    out_start = np.zeros(slots + 1, np.int64)
    np.cumsum(np.bincount(edges.src, minlength=slots), out=out_start[1:])
    in_start = np.zeros(slots + 1, np.int64)
    np.cumsum(np.bincount(edges.dst, minlength=slots), out=in_start[1:])
    in_edges = np.argsort(edges.dst, kind="stable").astype(np.int32)
    return Base(edges, out_start, in_start, in_edges)


def rows(start: I64, wanted: I64 | I32) -> tuple[I64, I64]:
    """Return (position in ``wanted``, index) of every entry of those compressed rows."""
    first = start[wanted]
    lengths = start[np.asarray(wanted, np.int64) + 1] - first
    total = int(lengths.sum())
    position = np.repeat(np.arange(len(wanted)), lengths)
    offset = np.arange(total) - np.repeat(np.cumsum(lengths) - lengths, lengths)
    return position, np.repeat(first, lengths) + offset


class Topology:
    """The live graph. One thread writes; any thread reads through :attr:`view`."""

    def __init__(self, floor: float) -> None:
        self.floor = floor
        self._base = compress(EdgeArrays.empty(0), 0)
        self._fresh = EdgeArrays.empty(1024)
        self._fresh_count = 0
        self._fresh_at: dict[tuple[int, int, int], int] = {}
        self._fresh_of: defaultdict[int, list[int]] = defaultdict(list)
        self._lock = threading.RLock()
        self._during_merge: list[EdgeRow] | None = None
        self.view = View(self._base, self._fresh, 0)

    # -- reading ----------------------------------------------------------------------------------------

    def __len__(self) -> int:
        view = self.view
        dead = np.count_nonzero(view.base.edges.type == DEAD)
        dead += np.count_nonzero(view.fresh.type[: view.fresh_count] == DEAD)
        return len(view.base) + view.fresh_count - int(dead)

    @property
    def overlay_size(self) -> int:
        """Number of edges that wait for the next merge."""
        return self._fresh_count

    def touching(self, slot: int) -> list[tuple[int, int, int]]:
        """Return (source slot, target slot, type) of every edge of ``slot`` that is not dead, faded ones too."""
        with self._lock:
            base, fresh = self._base, self._fresh
            found: list[tuple[int, int, int]] = []
            if slot < base.slots:
                out = np.arange(base.out_start[slot], base.out_start[slot + 1])
                into = base.in_edges[base.in_start[slot] : base.in_start[slot + 1]]
                picked = np.concatenate([out, into])
                edges = base.edges
                picked = picked[edges.type[picked] != DEAD]
                ends = edges.src[picked].tolist(), edges.dst[picked].tolist(), edges.type[picked].tolist()
                found.extend(zip(*ends, strict=True))
            for edge in self._fresh_of.get(slot, ()):
                if fresh.type[edge] != DEAD:
                    found.append((int(fresh.src[edge]), int(fresh.dst[edge]), int(fresh.type[edge])))
        return list(dict.fromkeys(found))

    def degree(self, slots: I32) -> I32:
        """Return how many edges (both directions, dead and faded ones counted) touch each of ``slots``."""
        view = self.view
        base, fresh, count = view.base, view.fresh, view.fresh_count
        known = np.minimum(slots, max(base.slots - 1, 0)).astype(np.int64)
        degree = np.zeros(len(slots), np.int64)
        if base.slots:
            degree += base.out_start[known + 1] - base.out_start[known]
            degree += base.in_start[known + 1] - base.in_start[known]
            degree[slots >= base.slots] = 0
        if count and len(slots):
            order = np.argsort(slots, kind="stable")
            ends = np.concatenate([fresh.src[:count], fresh.dst[:count]])
            ends.sort()
            sorted_slots = slots[order]
            degree[order] += np.searchsorted(ends, sorted_slots, "right") - np.searchsorted(
                ends, sorted_slots, "left"
            )
        return degree.astype(np.int32)

    # -- writing (one thread) ---------------------------------------------------------------------------

    def load(self, base: Base) -> None:
        """Replace everything by ``base``."""
        with self._lock:
            self._base = base
            self._reset_overlay(1024)
            self._publish()

    def put(self, src: int, dst: int, type: int, weight: float, reinforced: float, rate: float) -> None:
        """Add an edge, or write the weight of the one that is there."""
        with self._lock:
            if self._during_merge is not None:
                self._during_merge.append((src, dst, type, weight, reinforced, rate))
            arrays, edge = self._find(src, dst, type)
            if arrays is None:
                self._append([(src, dst, type, weight, reinforced, rate)])
            else:
                arrays.weight[edge] = weight
                arrays.reinforced[edge] = reinforced
                arrays.rate[edge] = rate

    def add(self, edges: Sequence[EdgeRow]) -> None:
        """Add edges that are known not to be there, which spares looking for them."""
        if not edges:
            return
        with self._lock:
            if self._during_merge is not None:
                self._during_merge.extend(edges)
            self._append(edges)

    def remove(self, src: int, dst: int, type: int) -> None:
        """Take an edge away; nothing happens if it is not there."""
        with self._lock:
            if self._during_merge is not None:
                self._during_merge.append((src, dst, type, -1.0, 0.0, 0.0))
            arrays, edge = self._find(src, dst, type)
            if arrays is None:
                return
            arrays.type[edge] = DEAD
            arrays.weight[edge] = 0.0
            if arrays is self._fresh:
                self._fresh_at.pop((src, dst, type), None)

    def _find(self, src: int, dst: int, type: int) -> tuple[EdgeArrays | None, int]:
        edge = self._fresh_at.get((src, dst, type))
        if edge is not None:
            return self._fresh, edge
        base = self._base
        if src < base.slots:
            start, end = int(base.out_start[src]), int(base.out_start[src + 1])
            edges = base.edges
            if end > start:
                same = np.flatnonzero((edges.dst[start:end] == dst) & (edges.type[start:end] == type))
                if len(same):
                    return edges, start + int(same[0])
        return None, -1

    def _append(self, edges: Sequence[EdgeRow]) -> None:
        start, end = self._fresh_count, self._fresh_count + len(edges)
        if end > len(self._fresh.src):
            grown = EdgeArrays.empty(max(end, 2 * start))
            for old, new in zip(self._fresh.columns(), grown.columns(), strict=True):
                new[:start] = old[:start]
            self._fresh = grown
        fresh, at, of = self._fresh, self._fresh_at, self._fresh_of
        src, dst, type, weight, reinforced, rate = zip(*edges, strict=True)
        fresh.src[start:end] = src
        fresh.dst[start:end] = dst
        fresh.weight[start:end] = weight
        fresh.reinforced[start:end] = reinforced
        fresh.rate[start:end] = rate
        fresh.type[start:end] = type
        for edge, (one, other, kind) in enumerate(zip(src, dst, type, strict=True), start):
            at[one, other, kind] = edge
            of[one].append(edge)
            if other != one:
                of[other].append(edge)
        self._fresh_count = end

    def publish(self) -> None:
        """Show readers what has been written since the last call."""
        with self._lock:
            self._publish()

    def _publish(self) -> None:
        self.view = View(self._base, self._fresh, self._fresh_count)

    def _reset_overlay(self, capacity: int) -> None:
        self._fresh = EdgeArrays.empty(capacity)
        self._fresh_count = 0
        self._fresh_at = {}
        self._fresh_of = defaultdict(list)

    # -- merging ----------------------------------------------------------------------------------------

    def merge(self, slots: int) -> int:
        """Fold the overlay into a new base that covers ``slots`` slots; returns how many edges it has.

        Runs beside the writer: what is written meanwhile is noted and written again into the new base.
        """
        with self._lock:
            if self._during_merge is not None:
                return len(self._base)
            self._during_merge = []
            base, fresh, count = self._base, self._fresh, self._fresh_count
        try:
            merged = merge_arrays(base, fresh, count, slots)
        except BaseException:
            with self._lock:
                self._during_merge = None
            raise
        with self._lock:
            notes, self._during_merge = self._during_merge, None
            self._base = merged
            self._reset_overlay(1024)
            for src, dst, type, weight, reinforced, rate in notes or ():
                if weight < 0:
                    self.remove(src, dst, type)
                else:
                    self.put(src, dst, type, weight, reinforced, rate)
            self._publish()
        return len(merged)


def merge_arrays(base: Base, fresh: EdgeArrays, count: int, slots: int) -> Base:
    """Return a base with the live edges of both; linear in their number, no sort of the old part."""
    kept = np.flatnonzero(base.edges.type != DEAD)
    new = np.flatnonzero(fresh.type[:count] != DEAD)
    new = new[np.argsort(fresh.src[new], kind="stable")]
    old_src = base.edges.src[kept]
    # A new edge goes behind the old edges of its source; each old edge moves by the new ones before it.
    place_new = np.searchsorted(old_src, fresh.src[new], side="right") + np.arange(len(new))
    if len(new):  # nodes may have come after the caller counted them
        slots = max(slots, int(fresh.src[new].max()) + 1, int(fresh.dst[new].max()) + 1)
    total = len(kept) + len(new)
    from_old = np.ones(total, np.bool_)
    from_old[place_new] = False
    merged = EdgeArrays.empty(total)
    for target, old, added in zip(merged.columns(), base.edges.columns(), fresh.columns(), strict=True):
        target[from_old] = old[kept]
        target[place_new] = added[:count][new]
    return compress(merged, max(slots, base.slots))
