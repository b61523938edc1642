"""Spreading activation: how strongly a few seeds bring the rest of the graph to mind.

    a[v] = max over paths from a seed to v of  seed * prod(weight * type factor) * decay ** hops

computed layer by layer: after ``d`` layers a slot holds the best path of at most ``d`` hops. Only slots that
a layer improved go into the next one, because a worse path over more hops can never win later. Paths whose
value falls below ``cut`` are not followed, and slots below it are not reported.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from zulong.memory.topology import F32, I32, I64, U8, EdgeArrays, View

SEED = 255
"""Edge type reported for a seed, which was reached over no edge."""

_WIDE_WINDOW = 64_000
_NARROW_WINDOW = 32_000
_WIDE_DEPTH = 5
_NARROW_DEPTH = 2


@dataclass(slots=True, frozen=True)
class Spread:
    """Activated slots, strongest first; for each the slot and edge type it was reached from, and the hops."""

    slots: I32
    values: F32
    parents: I32
    types: U8
    hops: U8


def dynamic_depth(depth: int, window_tokens: int, used_tokens: int) -> int:
    """Return how many hops to spread for a context window of that size and use.

    A wide window (> 64k) less than half used allows 5 hops; a narrow one (< 32k), or any that is more than
    80 % used, allows 2; pressure wins where both hold, so that more pressure never spreads wider.
    """
    use = used_tokens / window_tokens if window_tokens > 0 else 1.0
    if window_tokens < _NARROW_WINDOW or use > 0.8:
        return min(depth, _NARROW_DEPTH)
    if window_tokens > _WIDE_WINDOW and use < 0.5:
        return max(depth, _WIDE_DEPTH)
    return depth


def spread(
    view: View,
    slots: int,
    seeds: I32,
    strengths: F32,
    *,
    now: float,
    decay: float,
    depth: int,
    cut: float,
    floor: float,
    type_factors: F32 | None = None,
    direction: str = "both",
) -> Spread:
    """Spread from ``seeds`` over the graph that ``view`` shows; ``slots`` is the number of node slots.

    ``type_factors`` (one per EdgeType) scale weights; ``direction`` is ``out``, ``in`` or ``both``.
    """
    factors = None  # a dead edge weighs nothing, so that types are looked at only where they count
    if type_factors is not None:
        factors = np.zeros(256, np.float32)
        factors[: len(type_factors)] = type_factors
    scratch = _SCRATCH.take(slots)
    try:
        rule = _Rule(now, decay, cut, floor, factors)
        found = _layers(view, scratch, seeds, strengths, depth, rule, direction)
        found = found[np.argsort(-scratch.best[found])]
        result = Spread(
            found.astype(np.int32),
            scratch.best[found],
            scratch.parent[found],
            scratch.via[found],
            scratch.hops[found],
        )
        scratch.best[found] = 0.0
    except BaseException:
        _SCRATCH.drop()  # half-written: the next call starts with fresh arrays
        raise
    return result


class _Scratch(threading.local):
    """Arrays over all slots that a thread keeps between calls; ``best`` is all zeros in between.

    Zeroing a row for every node on each call would cost more than the spread itself.
    """

    best: F32
    parent: I32
    via: U8
    hops: U8
    mark: I32

    def __init__(self) -> None:
        self.drop()

    def drop(self) -> None:
        self.best = np.zeros(0, np.float32)

    def take(self, slots: int) -> _Scratch:
        if len(self.best) < slots:
            size = slots + slots // 4
            self.best = np.zeros(size, np.float32)
            self.parent, self.mark = np.empty(size, np.int32), np.empty(size, np.int32)
            self.via, self.hops = np.empty(size, np.uint8), np.empty(size, np.uint8)
        return self

    def once(self, slots: I64) -> I64:
        """Return each slot once, in no order; linear, where sorting would not be."""
        at = np.arange(len(slots), dtype=np.int32)
        self.mark[slots] = at
        kept: I64 = slots[self.mark.take(slots) == at]
        return kept


_SCRATCH = _Scratch()


def _layers(
    view: View, scratch: _Scratch, seeds: I32, strengths: F32, depth: int, rule: _Rule, direction: str
) -> I64:
    """Fill ``scratch`` layer by layer; returns every slot reached, once."""
    best = scratch.best
    strong = strengths >= rule.cut
    begin: I64 = seeds[strong].astype(np.int64)
    np.maximum.at(best, begin, strengths[strong])
    frontier = scratch.once(begin)
    scratch.parent[frontier], scratch.via[frontier], scratch.hops[frontier] = -1, SEED, 0
    reached = [frontier]
    for hop in range(1, depth + 1):
        frontier = frontier[best.take(frontier) * rule.decay >= rule.cut]
        if not len(frontier):
            break
        targets, sources, types, values = _step(view, frontier, best, rule, direction)
        better = (values > best.take(targets)).nonzero()[0]
        if not len(better):
            break
        targets, values = targets.take(better), values.take(better)
        np.maximum.at(best, targets, values)
        won = (values == best.take(targets)).nonzero()[0]  # the strongest of several paths names the parent
        targets, better = targets.take(won), better.take(won)
        scratch.parent[targets] = sources.take(better)
        scratch.via[targets] = types.take(better)
        scratch.hops[targets] = hop
        # The last layer is gone through once only, together with the others.
        frontier = targets if hop == depth else scratch.once(targets)
        reached.append(frontier)
    return scratch.once(np.concatenate(reached))


@dataclass(slots=True, frozen=True)
class _Rule:
    now: float
    decay: float
    cut: float
    floor: float
    factors: F32 | None


Layer = tuple[I64, I64, U8, F32]
"""Targets, sources, edge types and values of the edges that a layer walks."""


def _step(view: View, frontier: I64, best: F32, rule: _Rule, direction: str) -> Layer:
    parts: list[Layer] = []
    base = view.base
    known = frontier[frontier < base.slots]
    if len(base) and len(known):
        if direction != "in":
            picked, sources = _expand(base.out_start, known)
            parts.append(_walk(base.edges, picked, sources, base.edges.dst, best, rule))
        if direction != "out":
            entries, sources = _expand(base.in_start, known)
            parts.append(_walk(base.edges, base.in_edges.take(entries), sources, base.edges.src, best, rule))
    count = view.fresh_count
    if count:
        fresh = view.fresh
        member: NDArray[np.bool_] = np.zeros(len(best), np.bool_)
        member[frontier] = True
        for near, far in ((fresh.src, fresh.dst), (fresh.dst, fresh.src)):
            if direction == ("in" if near is fresh.src else "out"):
                continue
            touched = np.flatnonzero(member[near[:count]])
            parts.append(_walk(fresh, touched, near[touched].astype(np.int64), far, best, rule))
    if len(parts) == 1:
        return parts[0]
    if not parts:
        none = np.zeros(0, np.int64)
        return none, none, np.zeros(0, np.uint8), np.zeros(0, np.float32)
    targets, sources, types, values = (np.concatenate(column) for column in zip(*parts, strict=True))
    return targets, sources, types, values


def _expand(start: I64, frontier: I64) -> tuple[I64, I64]:
    """Return the entries of the frontier's compressed rows, and for each the slot whose row it is."""
    first = start.take(frontier)
    lengths = start.take(frontier + 1)
    lengths -= first
    ends = lengths.cumsum()
    first -= ends
    first += lengths
    entries = first.repeat(lengths)
    entries += np.arange(int(ends[-1]))
    return entries, frontier.repeat(lengths)


def _walk(edges: EdgeArrays, picked: I64 | I32, sources: I64, far: I32, best: F32, rule: _Rule) -> Layer:
    """Value every picked edge; most fall to the first test, which needs no exponential."""
    weight = edges.weight.take(picked)
    reach = best.take(sources)
    reach *= np.float32(rule.decay)
    reach *= weight
    if rule.factors is not None:
        reach *= rule.factors.take(edges.type.take(picked))
    keep = (reach >= rule.cut).nonzero()[0]
    if len(keep) < len(picked):
        picked, sources, reach, weight = (
            picked.take(keep),
            sources.take(keep),
            reach.take(keep),
            weight.take(keep),
        )
    rate = edges.rate.take(picked)
    left = edges.reinforced.take(picked)
    left -= rule.now  # minus the age
    np.minimum(left, 0.0, out=left)
    left *= rate
    share = np.exp2(left.astype(np.float32))
    reach *= share
    weight *= share
    alive = ((reach >= rule.cut) & ((weight >= rule.floor) | (rate == 0))).nonzero()[0]
    if len(alive) < len(picked):
        picked, sources, reach = picked.take(alive), sources.take(alive), reach.take(alive)
    return far.take(picked).astype(np.int64), sources, edges.type.take(picked), reach
