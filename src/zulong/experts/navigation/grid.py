"""Where a round robot can stand: clearance to walls, furniture and what the laser saw, on a grid over the map."""

from __future__ import annotations

import math
from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from zulong.apartment import Apartment, Pose2D

CLEAR_M = 10.0


class ClearanceGrid:
    """Clearance in metres at the centre of each cell; rectangles are exact, points are added and fade.

    Args:
        bounds: x_min, y_min, x_max, y_max of the map, metres.
        rectangles: solid boxes as centre x, centre y, size x, size y, yaw.
        resolution_m: edge of a cell.
    """

    def __init__(
        self,
        bounds: tuple[float, float, float, float],
        rectangles: Iterable[tuple[float, float, float, float, float]],
        resolution_m: float = 0.1,
    ) -> None:
        self.resolution_m = resolution_m
        self.origin = (bounds[0], bounds[1])
        self.columns = math.ceil((bounds[2] - bounds[0]) / resolution_m)
        self.rows = math.ceil((bounds[3] - bounds[1]) / resolution_m)
        self._rectangles = np.array(list(rectangles), float).reshape(-1, 5)
        xs = bounds[0] + (np.arange(self.columns) + 0.5) * resolution_m
        ys = bounds[1] + (np.arange(self.rows) + 0.5) * resolution_m
        self._x, self._y = np.meshgrid(xs, ys)
        self.fixed = self.map_clearance(self._x.ravel(), self._y.ravel()).reshape(self._x.shape)
        self.clearance = self.fixed.copy()

    @classmethod
    def of(cls, home: Apartment, resolution_m: float = 0.1) -> ClearanceGrid:
        """Build the grid of a home from its walls and furniture."""
        from zulong.apartment_walls import WALL_THICKNESS_M, wall_segments

        boxes = [
            (
                (x0 + x1) / 2,
                (y0 + y1) / 2,
                max(x1 - x0, WALL_THICKNESS_M),
                max(y1 - y0, WALL_THICKNESS_M),
                0.0,
            )
            for x0, y0, x1, y1 in wall_segments(home)
        ]
        boxes += [
            (p.pose.x, p.pose.y, p.size[0], p.size[1], p.pose.yaw)
            for p in home.placements
            if p.kind == "furniture"
        ]
        return cls(home.bounds, boxes, resolution_m)

    def map_clearance(self, x: NDArray[np.float64], y: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the distance in metres from each point to the nearest box of the map; 0 inside one."""
        nearest = np.full(x.shape, CLEAR_M)
        for cx, cy, sx, sy, yaw in self._rectangles:
            c, s = math.cos(yaw), math.sin(yaw)
            dx, dy = x - cx, y - cy
            across = np.maximum(np.abs(c * dx + s * dy) - sx / 2, 0.0)
            along = np.maximum(np.abs(-s * dx + c * dy) - sy / 2, 0.0)
            np.minimum(nearest, np.hypot(across, along), out=nearest)
        return nearest

    def set_points(self, points: NDArray[np.float64], reach_m: float = 0.7) -> None:
        """Let points [n, 2] that the laser saw (metres, map) take clearance away within ``reach_m`` of them."""
        self.clearance = self.fixed.copy()
        res, span = self.resolution_m, math.ceil(reach_m / self.resolution_m)
        for px, py in points:
            column, row = int((px - self.origin[0]) / res), int((py - self.origin[1]) / res)
            r0, r1 = max(0, row - span), min(self.rows, row + span + 1)
            c0, c1 = max(0, column - span), min(self.columns, column + span + 1)
            if r0 >= r1 or c0 >= c1:
                continue
            window = np.s_[r0:r1, c0:c1]
            distance = np.hypot(self._x[window] - px, self._y[window] - py)
            np.minimum(self.clearance[window], distance, out=self.clearance[window])

    def cell(self, x: float, y: float) -> tuple[int, int]:
        """Return row and column of a point, moved onto the grid if it lies outside."""
        column = int((x - self.origin[0]) / self.resolution_m)
        row = int((y - self.origin[1]) / self.resolution_m)
        return min(max(row, 0), self.rows - 1), min(max(column, 0), self.columns - 1)

    def point(self, cell: tuple[int, int]) -> tuple[float, float]:
        """Return the centre of a cell in metres."""
        return (
            self.origin[0] + (cell[1] + 0.5) * self.resolution_m,
            self.origin[1] + (cell[0] + 0.5) * self.resolution_m,
        )

    def clearance_at(self, x: float, y: float) -> float:
        """Return the clearance of the cell that holds a point, in metres."""
        return float(self.clearance[self.cell(x, y)])

    def nearest_free(
        self, x: float, y: float, clearance_m: float, reach_m: float, toward: Pose2D | None = None
    ) -> tuple[float, float] | None:
        """Return the best standing point within ``reach_m`` of a point, or None if there is none.

        Near is good, room around it is good, and with ``toward`` a short way from there is good too.
        """
        distance = np.hypot(self._x - x, self._y - y)
        free = (self.clearance >= clearance_m) & (distance <= reach_m)
        if not free.any():
            return None
        cost = distance - 0.5 * np.minimum(self.clearance, 0.6)
        if toward is not None:
            cost = cost + 0.3 * np.hypot(self._x - toward.x, self._y - toward.y)
        row, column = np.unravel_index(int(np.argmin(np.where(free, cost, np.inf))), cost.shape)
        return self.point((int(row), int(column)))
