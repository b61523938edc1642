"""Things that the map does not hold: marked by the laser, kept while hidden, taken out when a beam passes through."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from zulong.experts.robot import LaserView

CELL_M = 0.05


class ObstacleMemory:
    """Cells of 5 cm with the time at which each was seen last.

    Args:
        keep_s: a thing that cannot be seen any more counts for this long.
        clear_m: a beam that reaches this much further than a cell shows that nothing is there.
        reach_m: cells further off than this are neither marked nor cleared.
    """

    def __init__(self, keep_s: float = 60.0, clear_m: float = 0.3, reach_m: float = 4.0) -> None:
        self._keep_s, self._clear_m, self._reach_m = keep_s, clear_m, reach_m
        self._cells = np.empty((0, 2), np.int64)
        self._seen_s: NDArray[np.float64] = np.empty(0)

    def update(self, marks: NDArray[np.float64], view: LaserView) -> NDArray[np.float64]:
        """Take one scan and return all points [n, 2] in metres that count as occupied now.

        Args:
            marks: points of this scan that the map does not explain, metres in the map.
            view: the scan itself.
        """
        self._clear(view)
        fresh = np.round(marks / CELL_M).astype(np.int64).reshape(-1, 2)
        cells = np.concatenate([fresh, self._cells])
        seen_s = np.concatenate([np.full(len(fresh), view.taken_s), self._seen_s])
        # Of equal cells np.unique keeps the first: the fresh one.
        _, first = np.unique(cells, axis=0, return_index=True)
        young = first[view.taken_s - seen_s[first] <= self._keep_s]
        self._cells, self._seen_s = cells[young], seen_s[young]
        points: NDArray[np.float64] = self._cells * CELL_M
        return points

    def forget_hidden(self) -> None:
        """Keep nothing but what the newest scan shows: what was hidden may have gone."""
        if len(self._seen_s):
            young = self._seen_s >= self._seen_s.max()
            self._cells, self._seen_s = self._cells[young], self._seen_s[young]

    def _clear(self, view: LaserView) -> None:
        if not len(self._cells):
            return
        dx = self._cells[:, 0] * CELL_M - view.pose.x
        dy = self._cells[:, 1] * CELL_M - view.pose.y
        distance = np.hypot(dx, dy)
        ranges = np.asarray(view.ranges_m, float)
        bearing = np.arctan2(dy, dx) - view.pose.yaw - view.angle_min_rad
        beam = np.round(bearing % math.tau / view.angle_increment_rad).astype(int)
        # All beams beside it must pass: one may slip by the edge of the thing.
        passing = np.minimum.reduce([ranges[(beam + side) % len(ranges)] for side in (-1, 0, 1)])
        gone = (passing > distance + self._clear_m) & (distance < self._reach_m)
        self._cells, self._seen_s = self._cells[~gone], self._seen_s[~gone]
