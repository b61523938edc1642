from __future__ import annotations

import math

import numpy as np
import pytest

from zulong.reflex import Cause, GuardLimits, Motion, ReflexGuard

LIMITS = GuardLimits()
FREE = np.full(360, math.inf, dtype=np.float32)


def wall_ahead(distance_m: float) -> np.ndarray:
    angles = np.deg2rad(np.arange(360) - 180.0)
    with np.errstate(divide="ignore"):
        ranges = distance_m / np.cos(angles)
    return np.where((np.cos(angles) > 0.2) & (ranges < 10), ranges, np.inf).astype(np.float32)


class Bench:
    """A guard with a hand-set clock."""

    def __init__(self, limits: GuardLimits = LIMITS) -> None:
        self.guard = ReflexGuard(limits)
        self.now = 100.0
        self.guard.on_safety(False, self.now)

    def scan(self, ranges: np.ndarray) -> None:
        self.guard.on_scan(ranges, -math.pi, math.radians(1.0), 0.05, 12.0, self.now)

    def drive(self, linear: float, angular: float = 0.0) -> Motion:
        self.guard.on_command(linear, angular, self.now)
        self.motion, self.trigger = self.guard.decide(self.now)
        return self.motion

    def wait(self, seconds: float) -> None:
        self.now += seconds


@pytest.mark.feature("RB-02")
def test_free_way_lets_the_wish_through() -> None:
    bench = Bench()
    bench.scan(FREE)
    assert bench.drive(0.5, 0.3) == Motion(0.5, 0.3)
    assert bench.trigger is None


@pytest.mark.feature("RB-02")
def test_no_scan_since_start_stops() -> None:
    bench = Bench()
    assert bench.drive(0.5) == Motion()
    assert bench.trigger is not None
    assert bench.trigger.cause is Cause.STALE_SENSOR


@pytest.mark.feature("RB-02")
def test_scan_older_than_200_ms_stops_and_a_new_one_lets_go_after_the_hold() -> None:
    bench = Bench()
    bench.scan(FREE)
    assert bench.drive(0.5).linear_mps == 0.5
    bench.wait(0.21)
    assert bench.drive(0.5) == Motion()
    assert bench.trigger.cause is Cause.STALE_SENSOR
    bench.scan(FREE)
    assert bench.drive(0.5).linear_mps == 0.5
    for _ in range(6):
        bench.wait(0.1)
        bench.scan(FREE)
        bench.drive(0.5)
        if bench.trigger:
            break
    assert bench.trigger.cause is Cause.STALE_SENSOR
    assert not bench.trigger.active


@pytest.mark.feature("RB-02")
@pytest.mark.parametrize("speed", [0.1, 0.4, 0.8])
def test_base_never_touches_a_wall_it_drives_at(speed: float) -> None:
    bench = Bench()
    gap, step = 2.0, 0.02
    velocity = 0.0
    for _ in range(1000):
        bench.scan(wall_ahead(gap))
        bench.guard.on_safety(False, bench.now)
        allowed = bench.drive(speed).linear_mps
        change = max(
            -LIMITS.deceleration_mps2 * step, min(LIMITS.deceleration_mps2 * step, allowed - velocity)
        )
        velocity += change
        gap -= velocity * step
        bench.wait(step)
    assert gap > LIMITS.radius_m
    assert velocity < LIMITS.creep_mps
    assert bench.guard.cause is Cause.OBSTACLE


@pytest.mark.feature("RB-02")
def test_obstacle_stays_reported_while_the_navigator_is_silent_and_clears_when_it_leaves() -> None:
    bench = Bench()
    bench.scan(wall_ahead(0.30))
    assert bench.drive(0.5) == Motion()
    assert bench.trigger.active
    for _ in range(20):
        bench.wait(0.1)
        bench.guard.on_safety(False, bench.now)
        bench.scan(wall_ahead(0.30))
        _, trigger = bench.guard.decide(bench.now)
        assert trigger is None
    cleared = None
    for _ in range(10):
        bench.wait(0.1)
        bench.guard.on_safety(False, bench.now)
        bench.scan(FREE)
        _, trigger = bench.guard.decide(bench.now)
        cleared = cleared or trigger
    assert cleared is not None
    assert cleared.cause is Cause.OBSTACLE
    assert not cleared.active


def test_blocked_base_may_still_turn_and_retreat() -> None:
    bench = Bench()
    bench.scan(wall_ahead(0.28))
    assert bench.drive(0.0, 1.0) == Motion(0.0, 1.0)
    assert bench.drive(-0.2).linear_mps == -0.2
    assert bench.drive(0.2) == Motion()


@pytest.mark.feature("RB-02")
def test_bump_backs_off_then_stops() -> None:
    bench = Bench()
    bench.scan(FREE)
    bench.guard.on_bumper(True, bench.now)
    assert bench.drive(0.5).linear_mps == -LIMITS.back_off_mps
    assert bench.trigger.cause is Cause.BUMP
    bench.wait(LIMITS.back_off_s + 0.01)
    bench.scan(FREE)
    assert bench.drive(0.5) == Motion()
    bench.guard.on_bumper(False, bench.now)
    assert bench.drive(0.5).linear_mps == 0.5


@pytest.mark.feature("RB-02")
def test_charging_suppresses_events_and_retreat_but_not_the_stop() -> None:
    bench = Bench()
    bench.guard.on_charging(True)
    bench.scan(wall_ahead(0.28))
    bench.guard.on_bumper(True, bench.now)
    assert bench.drive(0.5) == Motion()
    assert bench.trigger is None


@pytest.mark.parametrize(
    ("up_z", "force", "stopped"),
    [(1.0, 9.81, False), (math.cos(math.radians(40)), 9.81, True), (1.0, 1.0, True), (0.99, 11.0, False)],
)
def test_fall_stops(up_z: float, force: float, stopped: bool) -> None:
    bench = Bench()
    bench.scan(FREE)
    bench.guard.on_imu(up_z, force)
    assert (bench.drive(0.3) == Motion()) is stopped


@pytest.mark.feature("RB-03")
def test_emergency_stop_and_silence_of_the_safety_layer_stop() -> None:
    bench = Bench()
    bench.scan(FREE)
    bench.guard.on_safety(True, bench.now)
    assert bench.drive(0.3) == Motion()
    bench.guard.on_safety(False, bench.now)
    assert bench.drive(0.3).linear_mps == 0.3
    bench.wait(2.1)
    bench.scan(FREE)
    assert bench.drive(0.3) == Motion()
    assert bench.guard.cause is Cause.SAFETY_STOP


def test_stale_command_and_nonsense_commands_stop() -> None:
    bench = Bench()
    bench.scan(FREE)
    bench.drive(0.5)
    bench.wait(0.31)
    bench.scan(FREE)
    motion, trigger = bench.guard.decide(bench.now)
    assert motion == Motion()
    assert trigger.cause is Cause.COMMAND_LOST
    assert bench.drive(math.nan, 0.1) == Motion()
    assert bench.drive(math.inf) == Motion()


def person_ahead(distance_m: float, half_width_rad: float = 0.15) -> np.ndarray:
    angles = np.deg2rad(np.arange(360) - 180.0)
    return np.where(np.abs(angles) < half_width_rad, distance_m, np.inf).astype(np.float32)


@pytest.mark.feature("RB-02")
@pytest.mark.parametrize("distance", [0.35, 0.6, 0.9])
def test_somebody_who_steps_in_front_stops_the_base_with_that_very_scan(distance: float) -> None:
    bench = Bench()
    bench.scan(FREE)
    assert bench.drive(0.6).linear_mps == 0.6
    bench.wait(0.05)
    bench.scan(person_ahead(distance))
    motion, trigger = bench.guard.decide(bench.now)
    assert motion == Motion()
    assert trigger.cause is Cause.OBSTACLE
    assert trigger.active
    bench.wait(LIMITS.intrusion_hold_s / 2)
    bench.scan(person_ahead(distance))
    assert bench.drive(0.6) == Motion(), "the stop is held long enough to be seen and understood"


def test_something_that_appears_far_away_or_aside_does_not_stop_the_base() -> None:
    bench = Bench()
    for later in (person_ahead(2.2), np.roll(person_ahead(0.8), 90)):
        bench.scan(FREE)
        bench.drive(0.6)
        bench.wait(0.05)
        bench.scan(later)
        assert bench.guard.decide(bench.now)[0].linear_mps == 0.6


def test_edges_that_sweep_by_in_a_turn_are_no_intrusion() -> None:
    bench = Bench()
    ranges = np.where(np.arange(360) % 40 < 20, 3.0, 1.2).astype(np.float32)
    for shift in range(60):
        bench.scan(np.roll(ranges, shift // 2))
        assert bench.drive(0.3, 0.15).linear_mps > 0.0
        bench.wait(0.05)
        bench.guard.on_safety(False, bench.now)


def test_a_navigator_that_slows_down_by_itself_is_no_emergency() -> None:
    bench = Bench()
    bench.scan(wall_ahead(1.5))
    bench.drive(0.6)
    assert bench.drive(0.1).linear_mps == 0.1
    assert bench.trigger is None


def test_only_long_runs_of_rays_count() -> None:
    from zulong.reflex.guard import _long_runs

    flags = np.array([1, 1, 0, 1, 1, 1, 0, 1, 1, 1, 1], dtype=bool)
    assert _long_runs(flags, 3).tolist() == [False] * 3 + [True] * 3 + [False] + [True] * 4
    assert not _long_runs(flags, 5).any()


def test_a_second_intrusion_before_the_first_was_cleared_is_told_again() -> None:
    bench = Bench()
    told = 0
    for _ in range(2):
        bench.scan(FREE)
        assert bench.drive(0.6).linear_mps == 0.6
        bench.wait(0.05)
        bench.scan(person_ahead(0.6))
        told += bool(bench.guard.decide(bench.now)[1])
        bench.wait(LIMITS.intrusion_hold_s + 0.01)
        bench.guard.on_safety(False, bench.now)
    assert told == 2
