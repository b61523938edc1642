"""Spreading activation: how strongly a few seeds bring the rest of the graph to mind.

    a[v] = max over paths from a seed to v of  seed * prod(weight * type factor) * decay ** hops

computed layer by layer: after ``d`` layers a slot holds the best path of at most ``d`` hops. Only slots that
a layer improved go into the next one, because a worse path over more hops can never win later. Paths whose
value falls below ``cut`` are not followed, and slots below it are not reported.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from zulong.memory.topology import DEAD, F32, I32, I64, U8, EdgeArrays, View, rows

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
    factors = np.ones(256, np.float32)
    if type_factors is not None:
        factors[: len(type_factors)] = type_factors
    factors[DEAD] = 0.0
    best = np.zeros(slots, np.float32)
    parent = np.full(slots, -1, np.int32)
    via = np.full(slots, SEED, np.uint8)
    hops = np.zeros(slots, np.uint8)
    np.maximum.at(best, seeds, strengths)
    frontier: I32 = np.unique(seeds[strengths >= cut]).astype(np.int32)
    reached = [frontier]
    for hop in range(1, depth + 1):
        frontier = frontier[best[frontier] * decay >= cut]
        if not len(frontier):
            break
        targets, sources, types, values = _step(
            view, frontier, best, now, decay, cut, floor, factors, direction
        )
        better = values > best[targets]
        targets, sources, types, values = targets[better], sources[better], types[better], values[better]
        if not len(targets):
            break
        # Written in ascending order of value the last write wins, which keeps parent and value together.
        order = np.argsort(values, kind="stable")
        targets, sources = targets[order], sources[order]
        best[targets] = values[order]
        parent[targets] = sources
        via[targets] = types[order]
        hops[targets] = hop
        frontier = np.unique(targets)
        reached.append(frontier)
    found = np.unique(np.concatenate(reached)) if len(reached) > 1 else frontier_or(reached)
    found = found[np.argsort(-best[found], kind="stable")]
    return Spread(found, best[found], parent[found], via[found], hops[found])


def frontier_or(reached: list[I32]) -> I32:
    """Return the only layer there is."""
    return reached[0]


def _step(
    view: View,
    frontier: I32,
    best: F32,
    now: float,
    decay: float,
    cut: float,
    floor: float,
    factors: F32,
    direction: str,
) -> tuple[I32, I32, U8, F32]:
    parts: list[tuple[I32, I32, U8, F32]] = []
    for edges, picked, near, far in _edges_of(view, frontier, best, direction):
        weight = edges.weight_now(picked, now)
        types = edges.type[picked]
        sources, targets = near[picked], far[picked]
        values = best[sources] * decay * weight * factors[types]
        keep = (values >= cut) & ((weight >= floor) | (edges.rate[picked] == 0))
        parts.append((targets[keep], sources[keep], types[keep], values[keep].astype(np.float32)))
    if not parts:
        none = np.zeros(0, np.int32)
        return none, none, np.zeros(0, np.uint8), np.zeros(0, np.float32)
    if len(parts) == 1:
        return parts[0]
    targets, sources, types, values = (np.concatenate(column) for column in zip(*parts, strict=True))
    return targets, sources, types, values


def _edges_of(
    view: View, frontier: I32, best: F32, direction: str
) -> Iterator[tuple[EdgeArrays, I64 | I32, I32, I32]]:
    """Yield (arrays, edges of the frontier, near ends, far ends) from base and overlay."""
    base = view.base
    known = frontier[frontier < base.slots]
    if len(base) and len(known):
        if direction != "in":
            _, picked = rows(base.out_start, known)
            yield base.edges, picked, base.edges.src, base.edges.dst
        if direction != "out":
            _, entries = rows(base.in_start, known)
            yield base.edges, base.in_edges[entries], base.edges.dst, base.edges.src
    count = view.fresh_count
    if count:
        member: NDArray[np.bool_] = np.zeros(len(best), np.bool_)
        member[frontier] = True
        fresh = view.fresh
        if direction != "in":
            yield fresh, np.flatnonzero(member[fresh.src[:count]]), fresh.src, fresh.dst
        if direction != "out":
            yield fresh, np.flatnonzero(member[fresh.dst[:count]]), fresh.dst, fresh.src
