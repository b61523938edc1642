"""Measures of the simulated robot and of its sensors, and the few lines of planar geometry that they share."""

from __future__ import annotations

import math
from dataclasses import dataclass


@dataclass(slots=True, frozen=True)
class RobotShape:
    """Measures of the robot in metres, radians and SI units; the base frame is ``base_link`` (x ahead, y left)."""

    radius_m: float = 0.22
    base_height_m: float = 0.32
    camera_x_m: float = 0.06
    camera_z_m: float = 1.20
    camera_pitch_rad: float = 0.30
    camera_fov_y_rad: float = 1.05
    laser_z_m: float = 0.20
    max_linear_mps: float = 0.8
    max_angular_rps: float = 2.0
    max_linear_mps2: float = 1.5
    max_angular_rps2: float = 6.0
    gripper_reach_m: float = 0.95
    gripper_z_min_m: float = 0.0
    gripper_z_max_m: float = 1.45

    def camera_fov_x_rad(self, width: int, height: int) -> float:
        """Return the horizontal field of view of a ``width`` x ``height`` picture."""
        return 2 * math.atan(math.tan(self.camera_fov_y_rad / 2) * width / height)


def wrap_angle(angle_rad: float) -> float:
    """Return the same direction in (-pi, pi]."""
    wrapped = math.remainder(angle_rad, math.tau)
    return math.pi if wrapped == -math.pi else wrapped


def approach_value(current: float, target: float, limit: float) -> float:
    """Return ``current`` moved towards ``target`` by at most ``limit``."""
    return current + max(-limit, min(limit, target - current))
