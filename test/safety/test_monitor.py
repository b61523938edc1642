from __future__ import annotations

import math

import pytest

from zulong.safety import HazardKind, Heartbeats, Level, SafetyLimits, SafetyMonitor

FENCE = ((0.0, 0.0), (10.0, 0.0), (10.0, 8.0), (0.0, 8.0))


def monitor(**limits: object) -> SafetyMonitor:
    built = SafetyMonitor(
        SafetyLimits(**limits),  # type: ignore[arg-type]  # keyword forwarding keeps the tests short
        Heartbeats(("reflex", "vision"), 0.0),
        0.0,
    )
    feed(built, 1.0)
    return built


def feed(built: SafetyMonitor, now: float) -> None:
    built.on_gas(20.0, now)
    built.on_tilt(0.0, now)
    built.on_battery(0.8, False, now)
    built.heartbeats.beat("reflex", now)
    built.heartbeats.beat("vision", now)


def test_all_clear_when_every_reading_is_good() -> None:
    verdict = monitor().evaluate(1.1)
    assert verdict.level is Level.NOMINAL
    assert not verdict.emergency_stop


@pytest.mark.feature("RB-03")
@pytest.mark.parametrize(
    ("act", "kind"),
    [
        (lambda m: m.on_gas(500.0, 1.0), HazardKind.GAS),
        (lambda m: m.on_tilt(0.5, 1.0), HazardKind.TILT),
        (lambda m: m.on_temperature(75.0), HazardKind.TEMPERATURE),
        (lambda m: m.on_pose(11.0, 4.0, 1.0), HazardKind.GEOFENCE),
    ],
)
def test_danger_latches_until_reset_and_reset_waits_for_its_end(act, kind) -> None:
    watch = monitor(geofence=FENCE)
    act(watch)
    verdict = watch.evaluate(1.1)
    assert verdict.emergency_stop
    assert verdict.hazards[0].kind is kind
    ok, message = watch.reset(1.2)
    assert not ok
    assert message.startswith("Not reset")
    watch.on_gas(10.0, 1.3)
    watch.on_tilt(0.0, 1.3)
    watch.on_temperature(30.0)
    watch.on_pose(5.0, 4.0, 1.3)
    assert watch.evaluate(1.3).emergency_stop, "a danger that passed still holds until a person resets"
    assert watch.reset(1.4)[0]
    assert watch.evaluate(1.4).level is Level.NOMINAL


@pytest.mark.feature("RB-03")
def test_gas_below_the_limit_warns_only() -> None:
    watch = monitor()
    watch.on_gas(499.0, 1.0)
    verdict = watch.evaluate(1.1)
    assert verdict.level is Level.CAUTION
    assert not verdict.emergency_stop


@pytest.mark.feature("RB-03")
def test_silent_sensor_counts_as_danger_and_its_return_clears_it() -> None:
    watch = monitor()
    for now in (2.0, 3.0, 4.0, 5.0):
        watch.on_tilt(0.0, now)
        watch.on_battery(0.8, False, now)
        watch.heartbeats.beat("reflex", now)
        watch.heartbeats.beat("vision", now)
    verdict = watch.evaluate(5.0)
    assert [h.kind for h in verdict.hazards] == [HazardKind.SENSOR]
    assert verdict.level is Level.PROTECTIVE_STOP
    watch.on_gas(math.nan, 5.0)
    assert watch.evaluate(5.0).level is Level.PROTECTIVE_STOP, "a reading that is no number is silence"
    watch.on_gas(10.0, 5.1)
    assert watch.evaluate(5.1).level is Level.NOMINAL


@pytest.mark.feature("RB-03")
def test_sensor_that_never_started_is_seen_after_the_grace() -> None:
    watch = SafetyMonitor(SafetyLimits(start_grace_s=5.0), Heartbeats((), 0.0), 0.0)
    assert watch.evaluate(4.0).level is Level.NOMINAL
    assert {h.kind for h in watch.evaluate(5.1).hazards} == {HazardKind.SENSOR}


@pytest.mark.feature("RB-03")
def test_empty_battery_stops_without_latching_and_charging_lifts_it() -> None:
    watch = monitor()
    watch.on_battery(0.04, False, 1.0)
    verdict = watch.evaluate(1.1)
    assert verdict.level is Level.PROTECTIVE_STOP
    assert not verdict.emergency_stop
    watch.on_battery(0.04, True, 1.2)
    assert watch.evaluate(1.2).level is Level.NOMINAL


@pytest.mark.feature("RB-03")
def test_operator_stop_latches_and_resets() -> None:
    watch = monitor()
    watch.emergency_stop("button")
    assert watch.evaluate(1.0).emergency_stop
    assert watch.reset(1.0)[0]
    assert not watch.evaluate(1.0).emergency_stop


@pytest.mark.feature("RB-03")
def test_lost_reflex_stops_and_lost_vision_warns() -> None:
    watch = monitor()
    for now in (2.0, 3.0, 4.0):
        feed(watch, now)
    watch.heartbeats.beat("reflex", 7.0)
    watch.on_gas(1, 7.0), watch.on_tilt(0, 7.0), watch.on_battery(0.8, False, 7.0)
    assert watch.evaluate(7.0).level is Level.CAUTION
    watch.on_gas(1, 9.5), watch.on_tilt(0, 9.5), watch.on_battery(0.8, False, 9.5)
    assert watch.evaluate(9.5).level is Level.PROTECTIVE_STOP


def test_flapping_node_stays_lost_until_it_beats_steadily() -> None:
    beats = Heartbeats(("reflex",), 0.0, timeout_s=1.0, recovery_s=1.0, grace_s=0.0)
    beats.beat("reflex", 0.1)
    assert beats.lost(0.5) == ()
    assert beats.lost(1.5) == ("reflex",)
    beats.beat("reflex", 1.6)
    assert beats.lost(1.7) == ("reflex",)
    beats.beat("reflex", 2.2)
    assert beats.lost(2.2) == ("reflex",)
    beats.beat("reflex", 2.7)
    assert beats.lost(2.8) == ()


def test_limits_are_checked() -> None:
    with pytest.raises(ValueError, match="three corners"):
        SafetyLimits(geofence=((0, 0), (1, 1)))
    with pytest.raises(ValueError, match="Unknown sensors"):
        SafetyMonitor(SafetyLimits(), Heartbeats((), 0.0), 0.0, required_sensors=("sonar",))
