"""Hazards from readings, and the emergency stop that they latch."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from enum import IntEnum, IntFlag

from zulong.safety.heartbeats import Heartbeats


class Level(IntEnum):
    """How bad it is; the values are the LEVEL_ constants of ``SafetyState.msg``."""

    NOMINAL = 0
    CAUTION = 1
    PROTECTIVE_STOP = 2
    EMERGENCY_STOP = 3


class HazardKind(IntFlag):
    """What a hazard is about; the values are the HAZARD_ bits of ``SafetyState.msg``."""

    GAS = 1
    TILT = 2
    TEMPERATURE = 4
    BATTERY = 8
    GEOFENCE = 16
    HEARTBEAT = 32
    SENSOR = 64
    BUTTON = 128
    REFLEX = 256


@dataclass(slots=True, frozen=True)
class Hazard:
    """One danger: its kind, its level, the reading that shows it, and a sentence for people."""

    kind: HazardKind
    level: Level
    value: float
    message: str


@dataclass(slots=True, frozen=True)
class SafetyLimits:
    """Thresholds (ppm, radians, degrees Celsius, charge fraction 0-1, seconds, metres in the map frame)."""

    gas_ppm: float = 500.0
    gas_warning_ppm: float = 300.0
    tilt_rad: float = math.radians(20.0)
    temperature_c: float = 70.0
    temperature_warning_c: float = 60.0
    battery_stop: float = 0.05
    battery_warning: float = 0.20
    sensor_silence_s: float = 3.0
    start_grace_s: float = 20.0
    geofence: tuple[tuple[float, float], ...] = ()

    def __post_init__(self) -> None:
        if len(self.geofence) in (1, 2):
            raise ValueError("SafetyLimits.geofence needs at least three corners, or none to switch it off.")
        if not self.battery_stop < self.battery_warning:
            raise ValueError("SafetyLimits.battery_stop must be below battery_warning.")


@dataclass(slots=True, frozen=True)
class Verdict:
    """The state that is published: the worst level, every hazard, and whether the stop is latched."""

    level: Level
    hazards: tuple[Hazard, ...]
    emergency_stop: bool
    message: str

    @property
    def motion_allowed(self) -> bool:
        """False while every velocity must be zero."""
        return self.level < Level.PROTECTIVE_STOP


_LATCHING = frozenset({HazardKind.GAS, HazardKind.TILT, HazardKind.TEMPERATURE, HazardKind.GEOFENCE})
_SENSORS = ("gas", "imu", "battery", "pose")


class SafetyMonitor:
    """Holds the newest readings and judges them; silence of a required sensor counts as danger.

    Gas, tilt, temperature, leaving the geofence and an operator's stop latch: they hold until ``reset``.
    A lost node, a silent sensor and an empty battery stop the robot as long as they last.
    All times are steady-clock seconds.
    """

    def __init__(
        self,
        limits: SafetyLimits,
        heartbeats: Heartbeats,
        start_s: float,
        required_sensors: Iterable[str] = ("gas", "imu", "battery"),
        critical_nodes: Iterable[str] = ("reflex",),
    ) -> None:
        self.limits = limits
        self.heartbeats = heartbeats
        self._required = tuple(required_sensors)
        unknown = set(self._required) - set(_SENSORS)
        if unknown:
            raise ValueError(f"Unknown sensors {sorted(unknown)}; known are {', '.join(_SENSORS)}.")
        self._critical = frozenset(critical_nodes)
        self._seen_s = dict.fromkeys(self._required, start_s + limits.start_grace_s - limits.sensor_silence_s)
        self._gas_ppm = 0.0
        self._tilt_rad = 0.0
        self._temperature_c = -math.inf
        self._charge = 1.0
        self._charging = False
        self._pose: tuple[float, float] | None = None
        self._latched: Hazard | None = None

    def on_gas(self, ppm: float, now_s: float) -> None:
        """Take a gas concentration in parts per million; a reading that is no number counts as silence."""
        if math.isfinite(ppm):
            self._gas_ppm = ppm
            self._saw("gas", now_s)

    def on_tilt(self, tilt_rad: float, now_s: float) -> None:
        """Take the angle between the base's up axis and the vertical."""
        if math.isfinite(tilt_rad):
            self._tilt_rad = abs(tilt_rad)
            self._saw("imu", now_s)

    def on_temperature(self, celsius: float) -> None:
        """Take a temperature of motors or battery; NaN means not measured (sensor_msgs convention)."""
        if math.isfinite(celsius):
            self._temperature_c = celsius

    def on_battery(self, charge: float, charging: bool, now_s: float) -> None:
        """Take the battery's charge as a fraction 0-1; NaN means not measured."""
        if math.isfinite(charge):
            self._charge, self._charging = charge, charging
            self._saw("battery", now_s)

    def on_pose(self, x_m: float, y_m: float, now_s: float) -> None:
        """Take the base's position in the map frame."""
        if math.isfinite(x_m) and math.isfinite(y_m):
            self._pose = (x_m, y_m)
            self._saw("pose", now_s)

    @property
    def readings(self) -> dict[str, float]:
        """The newest readings: ``gas_ppm``, ``tilt_rad``, ``temperature_c`` (-inf: none yet), ``charge`` (0-1)."""
        return {
            "gas_ppm": self._gas_ppm,
            "tilt_rad": self._tilt_rad,
            "temperature_c": self._temperature_c,
            "charge": self._charge,
        }

    @property
    def charging(self) -> bool:
        """Whether the battery is being charged."""
        return self._charging

    def emergency_stop(self, reason: str) -> None:
        """Latch the stop because a person or another node asked for it."""
        self._latched = Hazard(
            HazardKind.BUTTON, Level.PROTECTIVE_STOP, math.nan, f"Emergency stop: {reason}."
        )

    def reset(self, now_s: float) -> tuple[bool, str]:
        """Release the latch, unless the danger that set it is still there. Returns success and a sentence."""
        persisting = [
            h for h in self._hazards(now_s) if h.level is Level.PROTECTIVE_STOP and h.kind in _LATCHING
        ]
        if persisting:
            return False, f"Not reset: {persisting[0].message}"
        if self._latched is None:
            return True, "No emergency stop was latched."
        self._latched = None
        return True, "Emergency stop released."

    def evaluate(self, now_s: float) -> Verdict:
        """Judge the newest readings; latches what must latch."""
        hazards = list(self._hazards(now_s))
        for hazard in hazards:
            if self._latched is None and hazard.level is Level.PROTECTIVE_STOP and hazard.kind in _LATCHING:
                self._latched = hazard
        if self._latched is not None and all(h.kind is not self._latched.kind for h in hazards):
            held = self._latched
            hazards.append(
                Hazard(held.kind, Level.PROTECTIVE_STOP, held.value, f"Latched until reset: {held.message}")
            )
        hazards.sort(key=lambda h: -h.level)
        level = hazards[0].level if hazards else Level.NOMINAL
        if self._latched is not None:
            level = Level.EMERGENCY_STOP
        message = hazards[0].message if hazards else "All clear."
        return Verdict(level, tuple(hazards), self._latched is not None, message)

    def _saw(self, sensor: str, now_s: float) -> None:
        if sensor in self._seen_s:
            self._seen_s[sensor] = now_s

    def _hazards(self, now_s: float) -> Iterable[Hazard]:
        yield from self._reading_hazards()
        for sensor, seen_s in self._seen_s.items():
            if now_s - seen_s > self.limits.sensor_silence_s:
                yield Hazard(
                    HazardKind.SENSOR,
                    Level.PROTECTIVE_STOP,
                    now_s - seen_s,
                    f"No {sensor} reading for more than {self.limits.sensor_silence_s:g} s.",
                )
        for name in self.heartbeats.lost(now_s):
            level = Level.PROTECTIVE_STOP if name in self._critical else Level.CAUTION
            yield Hazard(HazardKind.HEARTBEAT, level, math.nan, f"Node {name} does not answer.")

    def _reading_hazards(self) -> Iterable[Hazard]:
        limits = self.limits
        yield from _above(
            HazardKind.GAS, self._gas_ppm, limits.gas_warning_ppm, limits.gas_ppm, "Gas concentration", "ppm"
        )
        if self._tilt_rad >= limits.tilt_rad:
            degrees = math.degrees(self._tilt_rad)
            yield Hazard(
                HazardKind.TILT,
                Level.PROTECTIVE_STOP,
                self._tilt_rad,
                f"Base tilted by {degrees:.0f} degrees.",
            )
        yield from _above(
            HazardKind.TEMPERATURE,
            self._temperature_c,
            limits.temperature_warning_c,
            limits.temperature_c,
            "Temperature",
            "degrees Celsius",
        )
        if not self._charging and self._charge <= limits.battery_warning:
            level = Level.PROTECTIVE_STOP if self._charge <= limits.battery_stop else Level.CAUTION
            yield Hazard(HazardKind.BATTERY, level, self._charge, f"Battery at {self._charge:.0%}.")
        if limits.geofence and self._pose is not None and not _inside(self._pose, limits.geofence):
            x_m, y_m = self._pose
            yield Hazard(
                HazardKind.GEOFENCE,
                Level.PROTECTIVE_STOP,
                math.nan,
                f"Base left the geofence at ({x_m:.2f}, {y_m:.2f}) m.",
            )


def _above(
    kind: HazardKind, value: float, warning: float, stop: float, name: str, unit: str
) -> Iterable[Hazard]:
    if value >= stop:
        yield Hazard(kind, Level.PROTECTIVE_STOP, value, f"{name} {value:.0f} {unit}, limit {stop:.0f}.")
    elif value >= warning:
        yield Hazard(kind, Level.CAUTION, value, f"{name} {value:.0f} {unit}, warning from {warning:.0f}.")


def _inside(point: tuple[float, float], corners: tuple[tuple[float, float], ...]) -> bool:
    """Even-odd rule: count how often a ray to the right crosses the polygon."""
    x, y = point
    odd = False
    for (x1, y1), (x2, y2) in zip(corners, corners[1:] + corners[:1], strict=True):
        if (y1 > y) != (y2 > y) and x < (x2 - x1) * (y - y1) / (y2 - y1) + x1:
            odd = not odd
    return odd
