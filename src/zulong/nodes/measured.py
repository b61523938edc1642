"""Numbers of messages that must be looked at before they are believed."""

from __future__ import annotations

import math
from typing import Any

from sensor_msgs.msg import Imu

_UNIT_TOLERANCE = 0.1


def finite(vector: Any) -> bool:
    """Tell whether x, y and z of a point or vector are finite numbers."""
    return all(map(math.isfinite, (vector.x, vector.y, vector.z)))


def up_component(imu: Imu) -> float:
    """Return the z component of the base's up axis in the world: 1 upright, 0 on its side, -1 upside down.

    It is the (2, 2) element of the rotation matrix of the quaternion. NaN when the orientation is not measured
    (a first covariance of -1, the convention of sensor_msgs) or is no rotation: not finite, or not of length 1.
    """
    q = imu.orientation
    length = math.sqrt(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w)
    if imu.orientation_covariance[0] < 0.0 or not abs(length - 1.0) <= _UNIT_TOLERANCE:
        return math.nan
    return max(-1.0, min(1.0, 1.0 - 2.0 * (q.x * q.x + q.y * q.y) / (length * length)))
