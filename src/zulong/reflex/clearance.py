"""How far a round base can drive along an arc before it touches a point of the scan."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

_STRAIGHT_RAD_PER_M = 1e-3


@dataclass(slots=True)
class ScanGeometry:
    """Cached ray directions of one laser, so that a scan costs two multiplications.

    Args:
        mount_x_m: where the laser sits ahead of the base's centre, in the base frame.
        mount_yaw_rad: how the laser is turned against the base frame.
    """

    mount_x_m: float = 0.0
    mount_yaw_rad: float = 0.0
    _key: tuple[int, float, float] = (0, 0.0, 0.0)
    _cos: NDArray[np.float64] = field(default_factory=lambda: np.empty(0))
    _sin: NDArray[np.float64] = field(default_factory=lambda: np.empty(0))

    def points(
        self,
        ranges_m: NDArray[np.float32],
        angle_min_rad: float,
        angle_increment_rad: float,
        range_min_m: float,
        range_max_m: float,
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return the x and y (base frame, metres) of the valid returns of one scan.

        Readings outside ``[range_min, range_max]``, infinities and NaN are no returns (REP 117).
        """
        count = len(ranges_m)
        key = (count, angle_min_rad, angle_increment_rad)
        if key != self._key:
            angles = angle_min_rad + self.mount_yaw_rad + angle_increment_rad * np.arange(count)
            self._cos, self._sin, self._key = np.cos(angles), np.sin(angles), key
        with np.errstate(invalid="ignore"):
            valid = (ranges_m >= range_min_m) & (ranges_m <= range_max_m)
        near = ranges_m[valid]
        return near * self._cos[valid] + self.mount_x_m, near * self._sin[valid]


def free_distance(
    x_m: NDArray[np.float64],
    y_m: NDArray[np.float64],
    linear_mps: float,
    angular_rps: float,
    radius_m: float,
    horizon_m: float,
) -> float:
    """Return the arc length in metres that a disc of ``radius_m`` can drive before contact, at most ``horizon_m``.

    The disc starts at the origin and follows the arc of the twist. A point that already lies inside the
    disc blocks only a motion that brings the disc nearer to it: driving away stays free.
    """
    if linear_mps == 0.0 or x_m.size == 0:
        return horizon_m
    if linear_mps < 0.0:
        x_m, angular_rps, linear_mps = -x_m, -angular_rps, -linear_mps
        # A mirrored world drives forward: turning keeps its sense because both axes of motion flip.
    curvature = angular_rps / linear_mps
    if abs(curvature) < _STRAIGHT_RAD_PER_M:
        return _free_straight(x_m, y_m, radius_m, horizon_m)
    return _free_arc(x_m, y_m, curvature, radius_m, horizon_m)


def _free_straight(x: NDArray[np.float64], y: NDArray[np.float64], radius: float, horizon: float) -> float:
    ahead = (np.abs(y) < radius) & (x > 0.0) & (x < horizon + radius)
    if not ahead.any():
        return horizon
    near_x, near_y = x[ahead], y[ahead]
    reach = near_x - np.sqrt(radius * radius - near_y * near_y)
    return float(min(horizon, max(0.0, reach.min())))


def _free_arc(
    x: NDArray[np.float64], y: NDArray[np.float64], curvature: float, radius: float, horizon: float
) -> float:
    turn = 1.0 / curvature  # signed radius; the centre of the circle is (0, turn)
    dx, dy = x, y - turn
    distance = np.hypot(dx, dy)
    size = abs(turn)
    touched = (np.abs(distance - size) < radius) & (distance > 1e-9)
    if not touched.any():
        return horizon
    dx, dy, distance = dx[touched], dy[touched], distance[touched]
    # Angle of each point along the driven circle, measured from the start in the driving sense.
    along = np.arctan2(dx, -math.copysign(1.0, turn) * dy)
    # Half the angle that the disc covers when it touches the point: law of cosines on (size, distance, radius).
    cosine = (size * size + distance * distance - radius * radius) / (2.0 * size * distance)
    cover = np.arccos(np.clip(cosine, -1.0, 1.0))
    inside = np.hypot(x[touched], y[touched]) < radius
    # A point inside the disc blocks when it lies ahead of the centre, otherwise the disc moves off it.
    ahead = np.where(inside, x[touched] > 0.0, True)
    if not ahead.any():
        return horizon
    start = along - cover
    # Rounding may put a contact at the very start a hair behind it: that is contact, not a full turn of free way.
    angle = np.where(np.abs(start) < 1e-6, 0.0, np.mod(start, 2.0 * math.pi))
    angle = np.where(inside, 0.0, angle)[ahead]
    return float(min(horizon, max(0.0, angle.min() * size)))
