"""Follows a path: regulated pure pursuit.

Macenski et al., "Regulated pure pursuit for robot path tracking", 2023: the lookahead grows with speed, and
speed falls with curvature, nearness of things and the way left.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from zulong.apartment import Pose2D


@dataclass(slots=True, frozen=True)
class DriveLimits:
    """What the base may do while it follows a path (SI units)."""

    linear_mps: float = 0.6
    angular_rps: float = 1.4
    slow_down_mps2: float = 0.5
    creep_mps: float = 0.08
    lookahead_min_m: float = 0.30
    lookahead_max_m: float = 0.70
    lookahead_s: float = 0.9
    turn_first_rad: float = 0.75
    comfortable_m: float = 0.60
    turn_gain: float = 2.2


class PathFollower:
    """Turns the pose into a velocity along one path.

    Args:
        points: the path, metres in the map.
        limits: of the base.
    """

    def __init__(self, points: list[tuple[float, float]], limits: DriveLimits) -> None:
        self.points = points
        self.limits = limits
        self._segment = 0
        self._turning = False

    def distance_left(self, pose: Pose2D) -> float:
        """Return the way left along the path in metres."""
        here, segment = self._project(pose)
        way = math.dist(here, self.points[segment + 1]) if len(self.points) > 1 else 0.0
        for a, b in zip(self.points[segment + 1 :], self.points[segment + 2 :], strict=False):
            way += math.dist(a, b)
        return way

    def remaining(self, pose: Pose2D) -> list[tuple[float, float]]:
        """Return the part of the path that is still ahead, from the nearest point on it."""
        here, segment = self._project(pose)
        return [here, *self.points[segment + 1 :]]

    def velocity(self, pose: Pose2D, speed_mps: float, clearance_m: float) -> tuple[float, float]:
        """Return linear (m/s) and angular (rad/s) velocity.

        Args:
            pose: where the base is.
            speed_mps: how fast it goes now.
            clearance_m: distance from the base's centre to the nearest thing.
        """
        limits = self.limits
        lookahead = min(
            limits.lookahead_max_m, max(limits.lookahead_min_m, abs(speed_mps) * limits.lookahead_s)
        )
        target = self._carrot(pose, lookahead)
        dx, dy = target[0] - pose.x, target[1] - pose.y
        bearing = math.remainder(math.atan2(dy, dx) - pose.yaw, math.tau)
        # Two thresholds, so that the base does not flicker between turning and driving.
        self._turning = abs(bearing) > (0.2 if self._turning else limits.turn_first_rad)
        if self._turning:
            return 0.0, self._turn(bearing)
        distance = max(0.05, math.hypot(dx, dy))
        curvature = 2.0 * math.sin(bearing) / distance
        linear = limits.linear_mps
        if abs(curvature) > 1e-6:
            linear = min(linear, limits.angular_rps / abs(curvature))
        linear *= min(1.0, max(0.35, clearance_m / limits.comfortable_m))
        linear *= max(0.2, math.cos(bearing)) ** 2
        linear = min(linear, math.sqrt(2.0 * limits.slow_down_mps2 * self.distance_left(pose)))
        linear = max(limits.creep_mps, linear)
        angular = max(-limits.angular_rps, min(limits.angular_rps, curvature * linear))
        return linear, angular

    def _turn(self, bearing: float) -> float:
        limit = self.limits.angular_rps
        rate = max(-limit, min(limit, self.limits.turn_gain * bearing))
        return math.copysign(max(0.15, abs(rate)), bearing)

    def _project(self, pose: Pose2D) -> tuple[tuple[float, float], int]:
        """Nearest point on the path, not before the segment reached so far."""
        if len(self.points) < 2:
            return self.points[0], 0
        best = (math.inf, self.points[self._segment], self._segment)
        for i in range(self._segment, min(len(self.points) - 1, self._segment + 4)):
            (ax, ay), (bx, by) = self.points[i], self.points[i + 1]
            length2 = (bx - ax) ** 2 + (by - ay) ** 2
            t = 0.0 if length2 == 0 else ((pose.x - ax) * (bx - ax) + (pose.y - ay) * (by - ay)) / length2
            t = min(1.0, max(0.0, t))
            point = (ax + t * (bx - ax), ay + t * (by - ay))
            distance = math.hypot(pose.x - point[0], pose.y - point[1])
            if distance < best[0] - 1e-9:
                best = (distance, point, i)
        self._segment = best[2]
        return best[1], best[2]

    def _carrot(self, pose: Pose2D, lookahead: float) -> tuple[float, float]:
        here, segment = self._project(pose)
        left = lookahead
        for end in self.points[segment + 1 :]:
            length = math.dist(here, end)
            if length >= left:
                share = left / length
                return here[0] + (end[0] - here[0]) * share, here[1] + (end[1] - here[1]) * share
            left -= length
            here = end
        return self.points[-1]
