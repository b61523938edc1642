"""The walls of a home: the borders of its rooms without its doors."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator

from zulong.apartment import Apartment

WALL_THICKNESS_M = 0.10


def wall_segments(home: Apartment) -> list[tuple[float, float, float, float]]:
    """Return the walls as x0, y0, x1, y1 along their middle lines, doors left out, in metres."""
    lines: dict[tuple[str, float], list[tuple[float, float]]] = defaultdict(list)
    for room in home.rooms:
        x0, y0, x1, y1 = room.rect
        for x in (x0, x1):
            lines[("x", x)].append((y0, y1))
        for y in (y0, y1):
            lines[("y", y)].append((x0, x1))
    walls: list[tuple[float, float, float, float]] = []
    for (axis, level), spans in sorted(lines.items()):
        gaps = []
        for door in home.doors:
            across, along = door.at if axis == "x" else door.at[::-1]
            if math.isclose(across, level, abs_tol=1e-6):
                gaps.append((along - door.width_m / 2, along + door.width_m / 2))
        for start, end in _subtract(_union(spans), gaps):
            walls.append((level, start, level, end) if axis == "x" else (start, level, end, level))
    return walls


def _union(spans: Iterable[tuple[float, float]]) -> list[tuple[float, float]]:
    merged: list[tuple[float, float]] = []
    for start, end in sorted(spans):
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return merged


def _subtract(
    spans: Iterable[tuple[float, float]], gaps: Iterable[tuple[float, float]]
) -> Iterator[tuple[float, float]]:
    ordered = sorted(gaps)
    for start, end in spans:
        cursor = start
        for low, high in ordered:
            if high <= cursor or low >= end:
                continue
            if low > cursor:
                yield cursor, low
            cursor = max(cursor, high)
        if cursor < end:
            yield cursor, end
