"""The reflex's state: which motion is allowed now, and which trigger forbids it."""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import IntEnum

import numpy as np
from numpy.typing import NDArray

from zulong.reflex.clearance import ScanGeometry, free_distance


class Cause(IntEnum):
    """Why the base was stopped; the values are the KIND_ constants of ``ReflexEvent.msg``."""

    OBSTACLE = 0
    FALL = 1
    BUMP = 2
    STALE_SENSOR = 3
    SAFETY_STOP = 4
    COMMAND_LOST = 5
    NONE = 255


@dataclass(slots=True, frozen=True)
class GuardLimits:
    """What the reflex knows of the base and its brakes (SI units, base frame)."""

    radius_m: float = 0.25
    margin_m: float = 0.06
    deceleration_mps2: float = 1.0
    reaction_s: float = 0.10
    horizon_m: float = 2.5
    scan_stale_s: float = 0.20
    command_stale_s: float = 0.30
    safety_stale_s: float = 2.0
    require_safety: bool = True
    tilt_limit_rad: float = math.radians(25.0)
    free_fall_mps2: float = 3.0
    back_off_mps: float = 0.10
    back_off_s: float = 0.4
    clear_hold_s: float = 0.5
    creep_mps: float = 0.05
    intrusion_jump_m: float = 0.2
    intrusion_rays: int = 5
    intrusion_time_s: float = 1.5
    intrusion_turn_rps: float = 0.8
    intrusion_hold_s: float = 1.0
    max_linear_mps: float = 1.0
    max_angular_rps: float = 2.0

    def __post_init__(self) -> None:
        for name in ("radius_m", "deceleration_mps2", "horizon_m", "scan_stale_s", "command_stale_s"):
            if not getattr(self, name) > 0.0:
                raise ValueError(f"GuardLimits.{name} must be positive, got {getattr(self, name)!r}.")


@dataclass(slots=True, frozen=True)
class Motion:
    """A velocity of the base: metres a second forward, radians a second counter-clockwise."""

    linear_mps: float = 0.0
    angular_rps: float = 0.0


STOPPED = Motion()


@dataclass(slots=True, frozen=True)
class Trigger:
    """A reflex that set in (``active``) or ended. ``distance_m`` is the free way left, NaN where it has no meaning."""

    cause: Cause
    active: bool
    distance_m: float
    speed_mps: float


class ReflexGuard:
    """Gates every velocity on its way to the wheels.

    All times are seconds of the steady clock and are passed in, so that a test can set them. The guard
    never waits and keeps no history: one scan, one command, a few numbers.
    """

    def __init__(self, limits: GuardLimits, geometry: ScanGeometry | None = None) -> None:
        self.limits = limits
        self._geometry = geometry or ScanGeometry()
        self._x: NDArray[np.float64] = np.empty(0)
        self._y: NDArray[np.float64] = np.empty(0)
        self._scan_at = -math.inf
        self._wish = STOPPED
        self._wish_at = -math.inf
        self._safety_at = -math.inf
        self._emergency = False
        self._charging = False
        self._fallen = False
        self._back_off_until = -math.inf
        self._cause = Cause.NONE
        self._clear_since = math.nan
        self._distance = math.inf
        self._bumped = False
        self._blocked_wish = STOPPED
        self._sent = STOPPED
        self._hold_until = -math.inf
        self._held_anew = False
        self._last_ranges: NDArray[np.float32] = np.empty(0, np.float32)

    @property
    def cause(self) -> Cause:
        """The trigger that holds the base now."""
        return self._cause

    def on_scan(
        self,
        ranges_m: NDArray[np.float32],
        angle_min_rad: float,
        angle_increment_rad: float,
        range_min_m: float,
        range_max_m: float,
        now_s: float,
    ) -> None:
        """Take one laser scan."""
        if self._intruded(ranges_m, angle_min_rad, angle_increment_rad, range_min_m, range_max_m):
            self._hold(self._wish, now_s)
        self._x, self._y = self._geometry.points(
            ranges_m, angle_min_rad, angle_increment_rad, range_min_m, range_max_m
        )
        self._last_ranges = ranges_m
        self._scan_at = now_s

    def on_command(self, linear_mps: float, angular_rps: float, now_s: float) -> None:
        """Take the velocity that navigation wants; a command that is not a finite number counts as zero."""
        if not (math.isfinite(linear_mps) and math.isfinite(angular_rps)):
            linear_mps = angular_rps = 0.0
        limits = self.limits
        self._wish = Motion(
            max(-limits.max_linear_mps, min(limits.max_linear_mps, linear_mps)),
            max(-limits.max_angular_rps, min(limits.max_angular_rps, angular_rps)),
        )
        self._wish_at = now_s

    def on_imu(self, up_z: float, specific_force_mps2: float) -> None:
        """Take the base's attitude.

        Args:
            up_z: the z component of the base's up axis in the world (1 upright, 0 on its side).
            specific_force_mps2: length of the measured acceleration (9.81 at rest, near 0 in free fall).
        """
        tilted = up_z < math.cos(self.limits.tilt_limit_rad)
        falling = 0.0 < specific_force_mps2 < self.limits.free_fall_mps2
        self._fallen = tilted or falling

    def on_bumper(self, pressed: bool, now_s: float) -> None:
        """Take the bumper's state; the first contact starts a short retreat."""
        if pressed and not self._bumped and not self._charging:
            self._back_off_until = now_s + self.limits.back_off_s
        self._bumped = pressed

    def on_safety(self, emergency: bool, now_s: float) -> None:
        """Take the safety layer's verdict; its silence counts as danger after ``safety_stale_s``."""
        self._emergency = emergency
        self._safety_at = now_s

    def on_charging(self, charging: bool) -> None:
        """While the base charges, its dock is no obstacle to report: no event and no retreat, but no contact either."""
        self._charging = charging
        if charging:
            self._back_off_until = -math.inf

    def decide(self, now_s: float) -> tuple[Motion, Trigger | None]:
        """Return the velocity for the wheels now, and the trigger that changed, if one did."""
        motion, cause = self._gate(now_s)
        self._sent = motion
        return motion, self._transition(cause, now_s)

    def _intruded(
        self,
        ranges_m: NDArray[np.float32],
        angle_min_rad: float,
        angle_increment_rad: float,
        range_min_m: float,
        range_max_m: float,
    ) -> bool:
        """Tell whether something came into the way since the last scan, near in time at the present speed.

        Compared ray by ray: a run of neighbouring rays that are suddenly shorter is a thing that moved, not an
        edge that the turning laser sweeps over; in a fast turn that cannot be told apart.
        """
        limits, speed = self.limits, self._sent.linear_mps
        still = len(ranges_m) != len(self._last_ranges) or abs(speed) < 0.1
        if still or abs(self._sent.angular_rps) > limits.intrusion_turn_rps:
            return False
        with np.errstate(invalid="ignore"):
            shorter = self._last_ranges - ranges_m > limits.intrusion_jump_m
        thing = _long_runs(shorter, limits.intrusion_rays)
        if not thing.any():
            return False
        new = np.where(thing, ranges_m, np.float32(np.inf))
        x, y = self._geometry.points(new, angle_min_rad, angle_increment_rad, range_min_m, range_max_m)
        wide, near_m = limits.radius_m + limits.margin_m, abs(speed) * limits.intrusion_time_s
        return free_distance(x, y, speed, self._sent.angular_rps, wide, limits.horizon_m) < near_m

    def _hold(self, wish: Motion, now_s: float) -> None:
        """Keep the base at rest for a while because of something in the way of ``wish``."""
        self._held_anew = now_s >= self._hold_until
        self._hold_until = now_s + self.limits.intrusion_hold_s
        self._blocked_wish = wish

    def _gate(self, now_s: float) -> tuple[Motion, Cause]:
        limits = self.limits
        self._distance = math.nan
        if self._emergency or (limits.require_safety and now_s - self._safety_at > limits.safety_stale_s):
            return STOPPED, Cause.SAFETY_STOP
        if self._fallen:
            return STOPPED, Cause.FALL
        if now_s - self._scan_at > limits.scan_stale_s:
            return STOPPED, Cause.STALE_SENSOR
        if now_s < self._back_off_until:
            retreat = Motion(-limits.back_off_mps, 0.0)
            return self._within_clearance(retreat)[0], Cause.BUMP
        if self._bumped and self._wish.linear_mps > 0.0:
            return STOPPED, Cause.BUMP
        if now_s < self._hold_until:
            self._distance = self._free_way(self._blocked_wish)
            return STOPPED, Cause.OBSTACLE
        stale = now_s - self._wish_at > limits.command_stale_s
        if stale or self._wish == STOPPED:
            moving = self._wish != STOPPED
            self._wish = STOPPED
            # The navigator may fall silent while it is frozen: that does not make the obstacle go away.
            if self._cause is Cause.OBSTACLE and self._still_blocked():
                return STOPPED, Cause.OBSTACLE
            return STOPPED, Cause.COMMAND_LOST if moving and stale else Cause.NONE
        motion, blocked = self._within_clearance(self._wish)
        if blocked:
            self._blocked_wish = self._wish
        elif self._too_fast(motion):
            self._hold(self._wish, now_s)
            return STOPPED, Cause.OBSTACLE
        return motion, Cause.OBSTACLE if blocked else Cause.NONE

    def _too_fast(self, allowed: Motion) -> bool:
        """Tell whether the base drives clearly faster than would let it stop in time: then it brakes fully."""
        limited = abs(allowed.linear_mps) < abs(self._wish.linear_mps)
        return limited and abs(self._sent.linear_mps) > 1.3 * abs(allowed.linear_mps) + 0.1

    def _within_clearance(self, wish: Motion) -> tuple[Motion, bool]:
        """Slow the wish down so that the base can still stop before contact; second value: fully blocked."""
        limits = self.limits
        way = self._free_way(wish)
        self._distance = way
        speed = abs(wish.linear_mps)
        if speed == 0.0 or way >= limits.horizon_m:
            return wish, False
        # Way to stop from v: v * reaction + v^2 / (2 a); solved for the fastest v that fits.
        brake = limits.deceleration_mps2 * limits.reaction_s
        fastest = math.sqrt(brake * brake + 2.0 * limits.deceleration_mps2 * way) - brake
        if fastest >= speed:
            return wish, False
        if fastest < limits.creep_mps:
            # Turning on the spot cannot touch anything for a round base: it may still look for a way out.
            return Motion(0.0, wish.angular_rps), True
        share = fastest / speed
        return Motion(wish.linear_mps * share, wish.angular_rps * share), False

    def _free_way(self, wish: Motion) -> float:
        """Return the free way in metres along ``wish``.

        Points already nearer than the margin count with the bare radius: the base may pass along a wall
        that it stands close to, and only a way that ends in contact is closed.
        """
        limits = self.limits
        wide = limits.radius_m + limits.margin_m
        close = self._x * self._x + self._y * self._y < wide * wide
        if not close.any():
            return free_distance(self._x, self._y, wish.linear_mps, wish.angular_rps, wide, limits.horizon_m)
        far = ~close
        return min(
            free_distance(
                self._x[far], self._y[far], wish.linear_mps, wish.angular_rps, wide, limits.horizon_m
            ),
            free_distance(
                self._x[close],
                self._y[close],
                wish.linear_mps,
                wish.angular_rps,
                limits.radius_m,
                limits.horizon_m,
            ),
        )

    def _still_blocked(self) -> bool:
        """Tell whether the way that was closed is closed still, with a little play against flapping."""
        way = self._free_way(self._blocked_wish)
        self._distance = way
        return way < self.limits.margin_m

    def _transition(self, cause: Cause, now_s: float) -> Trigger | None:
        if self._charging and cause in (Cause.OBSTACLE, Cause.BUMP):
            cause = Cause.NONE
        # A second intrusion while the first is still being reported is told as well: the base drove meanwhile.
        again, self._held_anew = self._held_anew and cause is Cause.OBSTACLE, False
        if cause is self._cause and not again:
            self._clear_since = math.nan
            return None
        if cause is not Cause.NONE:
            self._cause, self._clear_since = cause, math.nan
            return Trigger(cause, True, self._distance, abs(self._wish.linear_mps))
        if math.isnan(self._clear_since):
            self._clear_since = now_s
        if now_s - self._clear_since < self.limits.clear_hold_s:
            return None
        ended, self._cause, self._clear_since = self._cause, Cause.NONE, math.nan
        return Trigger(ended, False, self._distance, abs(self._wish.linear_mps))


def _long_runs(flags: NDArray[np.bool_], least: int) -> NDArray[np.bool_]:
    """Return ``flags`` with every run of fewer than ``least`` true neighbours cleared."""
    kept = flags[: len(flags) - least + 1].copy()
    for shift in range(1, least):
        kept &= flags[shift : len(flags) - least + 1 + shift]
    runs = np.zeros_like(flags)
    for shift in range(least):
        runs[shift : len(kept) + shift] |= kept
    return runs
