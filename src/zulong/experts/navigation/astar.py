"""Shortest safe way over a :class:`~zulong.experts.navigation.grid.ClearanceGrid`: A*, then string pulling.

A* after Hart, Nilsson and Raphael (1968) with the octile distance as heuristic.
"""

from __future__ import annotations

import copy
import heapq
import math
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from zulong.experts.navigation.grid import ClearanceGrid

_DIAGONAL = math.sqrt(2.0)
_NEIGHBOURS = (
    (-1, -1, _DIAGONAL), (-1, 0, 1.0), (-1, 1, _DIAGONAL), (0, -1, 1.0),
    (0, 1, 1.0), (1, -1, _DIAGONAL), (1, 0, 1.0), (1, 1, _DIAGONAL),
)  # fmt: skip


@dataclass(slots=True, frozen=True)
class Footing:
    """How near to things a body may go: ``hard_m`` never less (but to get out), ``soft_m`` preferred."""

    hard_m: float = 0.34
    soft_m: float = 0.60
    escape_m: float = 0.6


def find_path(
    grid: ClearanceGrid, start: tuple[float, float], goal: tuple[float, float], footing: Footing | None = None
) -> list[tuple[float, float]] | None:
    """Return waypoints in metres from ``start`` to ``goal`` (both included), or None if no way is wide enough.

    A start that is too near to something may be left, within ``escape_m``, through cells that are as near.
    """
    footing = footing or Footing()
    begin, end = grid.cell(*start), grid.cell(*goal)
    cells = _search(grid, begin, end, footing)
    if cells is None:
        return None
    points = [start, *(grid.point(c) for c in cells[1:-1]), goal]
    return _pull(grid, points, footing)


def reachable_part(
    grid: ClearanceGrid, start: tuple[float, float], footing: Footing | None = None
) -> ClearanceGrid:
    """Return a copy of the grid in which nothing but what can be reached from ``start`` has clearance."""
    factor = _cost_factors(grid, grid.cell(*start), footing or Footing())
    open_cells = np.isfinite(factor)
    reached = np.zeros_like(open_cells)
    reached[grid.cell(*start)] = True
    while True:
        grown = reached.copy()
        grown[1:] |= reached[:-1]
        grown[:-1] |= reached[1:]
        grown[:, 1:] |= reached[:, :-1]
        grown[:, :-1] |= reached[:, 1:]
        grown &= open_cells | reached
        if (grown == reached).all():
            break
        reached = grown
    part = copy.copy(grid)
    part.clearance = np.where(reached, grid.clearance, 0.0)
    return part


def path_length(points: list[tuple[float, float]]) -> float:
    """Return the length of a polyline in metres."""
    return sum(math.dist(a, b) for a, b in pairwise(points))


def _cost_factors(grid: ClearanceGrid, begin: tuple[int, int], footing: Footing) -> NDArray[np.float64]:
    """Cost factor per cell; infinity where the body does not fit."""
    clearance = grid.clearance
    shortfall = np.clip((footing.soft_m - clearance) / max(1e-6, footing.soft_m - footing.hard_m), 0.0, 1.0)
    factor = 1.0 + 3.0 * shortfall
    narrow = clearance < footing.hard_m
    rows, columns = np.indices(clearance.shape)
    near = np.hypot(rows - begin[0], columns - begin[1]) * grid.resolution_m <= footing.escape_m
    floor = min(float(clearance[begin]), footing.hard_m)
    escape = narrow & near & (clearance >= max(floor - 1e-9, 1e-3))
    factor[narrow] = math.inf
    factor[escape] = 8.0
    result: NDArray[np.float64] = factor
    return result


def _search(
    grid: ClearanceGrid, begin: tuple[int, int], end: tuple[int, int], footing: Footing
) -> list[tuple[int, int]] | None:
    cost: list[list[float]] = _cost_factors(grid, begin, footing).tolist()
    if math.isinf(cost[end[0]][end[1]]):
        return None
    rows, columns = grid.rows, grid.columns
    best = {begin: 0.0}
    parent: dict[tuple[int, int], tuple[int, int]] = {}
    frontier = [(0.0, begin)]
    closed: set[tuple[int, int]] = set()
    while frontier:
        _, here = heapq.heappop(frontier)
        if here == end:
            return _trace(parent, end)
        if here in closed:
            continue
        closed.add(here)
        row, column = here
        for dr, dc, length in _NEIGHBOURS:
            r, c = row + dr, column + dc
            if not (0 <= r < rows and 0 <= c < columns):
                continue
            factor = cost[r][c]
            if factor == math.inf:
                continue
            total = best[here] + length * factor
            there = (r, c)
            if total < best.get(there, math.inf):
                best[there] = total
                parent[there] = here
                dx, dy = abs(r - end[0]), abs(c - end[1])
                heapq.heappush(frontier, (total + max(dx, dy) + (_DIAGONAL - 1.0) * min(dx, dy), there))
    return None


def _trace(parent: dict[tuple[int, int], tuple[int, int]], end: tuple[int, int]) -> list[tuple[int, int]]:
    cells = [end]
    while cells[-1] in parent:
        cells.append(parent[cells[-1]])
    cells.reverse()
    return cells


def _pull(
    grid: ClearanceGrid, points: list[tuple[float, float]], footing: Footing
) -> list[tuple[float, float]]:
    """Leave out waypoints where the straight line keeps a comfortable distance."""
    kept = [points[0]]
    index = 0
    while index < len(points) - 1:
        ahead = index + 1
        for candidate in range(min(len(points) - 1, index + 40), index + 1, -1):
            if _straight_is_free(grid, points[index], points[candidate], footing):
                ahead = candidate
                break
        kept.append(points[ahead])
        index = ahead
    return kept


def _straight_is_free(
    grid: ClearanceGrid, a: tuple[float, float], b: tuple[float, float], footing: Footing
) -> bool:
    steps = max(1, math.ceil(math.dist(a, b) / (grid.resolution_m / 2)))
    wanted = min(footing.hard_m + 0.08, footing.soft_m)
    return all(
        grid.clearance_at(a[0] + (b[0] - a[0]) * i / steps, a[1] + (b[1] - a[1]) * i / steps) >= wanted
        for i in range(steps + 1)
    )
