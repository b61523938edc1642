"""L1-E as a node: hazards, heartbeats, the emergency-stop latch. Its state is published whatever happens."""

from __future__ import annotations

import math
import time
from typing import ClassVar

from diagnostic_msgs.msg import DiagnosticArray
from geometry_msgs.msg import PoseStamped
from sensor_msgs.msg import BatteryState, Imu, Temperature
from std_msgs.msg import Float32
from std_srvs.srv import Trigger

from zulong.msg import Event, ReflexEvent, SafetyState
from zulong.nodes import names, qos
from zulong.nodes.base import ConfigurationError, Health, Parameter, ZulongNode
from zulong.nodes.base import Level as HealthLevel
from zulong.nodes.base import main as run_node
from zulong.nodes.measured import up_component
from zulong.nodes.table import NODES
from zulong.safety import HazardKind, Heartbeats, Level, SafetyLimits, SafetyMonitor, Verdict

_WATCHED = tuple(spec.name for spec in NODES if not spec.optional and spec.name != "safety")
_CRITICAL = tuple(spec.name for spec in NODES if spec.critical and spec.name != "safety")


class SafetyNode(ZulongNode):
    """Publishes SafetyState at its period and at once when the level changes."""

    parameters: ClassVar[tuple[Parameter, ...]] = (
        Parameter("period_s", 0.1, "Time between two states.", "s", 0.02, 0.5, read_only=True),
        Parameter(
            "gas_limit_ppm", 500.0, "Gas concentration that stops the robot.", "ppm", 1.0, 1e6, read_only=True
        ),
        Parameter("gas_warning_ppm", 300.0, "Gas concentration that warns.", "ppm", 1.0, 1e6, read_only=True),
        Parameter("tilt_limit_rad", 0.35, "Tilt that stops the robot.", "rad", 0.05, 1.5, read_only=True),
        Parameter(
            "temperature_limit_c",
            70.0,
            "Temperature that stops the robot.",
            "degC",
            0.0,
            200.0,
            read_only=True,
        ),
        Parameter("battery_stop", 0.05, "Charge that stops the robot.", "", 0.0, 0.9, read_only=True),
        Parameter("battery_warning", 0.20, "Charge that warns.", "", 0.01, 1.0, read_only=True),
        Parameter(
            "geofence",
            [],
            "Corners x1, y1, x2, y2, ... of the area that the robot may not leave, map frame; empty: none.",
            "m",
            read_only=True,
            item_type=float,
        ),
        Parameter(
            "sensor_silence_s",
            3.0,
            "Silence of a required sensor that stops the robot.",
            "s",
            0.2,
            60.0,
            read_only=True,
        ),
        Parameter(
            "required_sensors",
            ["gas", "imu", "battery"],
            "Sensors whose silence is a danger; name only those that this robot has.",
            choices=("gas", "imu", "battery", "pose"),
            read_only=True,
        ),
        Parameter(
            "heartbeat_timeout_s",
            4.0,
            "Silence after which a node counts as lost.",
            "s",
            1.0,
            60.0,
            read_only=True,
        ),
        Parameter(
            "start_grace_s",
            30.0,
            "Time after start in which nodes and sensors may still be silent.",
            "s",
            0.0,
            300.0,
            read_only=True,
        ),
        Parameter(
            "watched_nodes",
            list(_WATCHED),
            "Nodes whose heartbeat is watched.",
            read_only=True,
            item_type=str,
        ),
    )

    def __init__(self) -> None:
        super().__init__("safety")

    def setup(self) -> None:
        """Make the monitor and all that it hears."""
        now = time.monotonic()
        try:
            limits = self._limits()
            beats = Heartbeats(
                tuple(self.param("watched_nodes")),
                now,
                timeout_s=self.param("heartbeat_timeout_s"),
                grace_s=self.param("start_grace_s"),
            )
            self._monitor = SafetyMonitor(limits, beats, now, self.param("required_sensors"), _CRITICAL)
        except ValueError as error:
            raise ConfigurationError(str(error)) from error
        self._level = Level.NOMINAL
        self._verdict: Verdict | None = None
        self._reflex_active = False
        self._state = self.create_publisher(SafetyState, names.SAFETY_STATE, qos.latched())
        self._bus = self.create_publisher(Event, names.EVENTS, qos.event())
        self.subscribe(
            Float32, names.GAS, lambda m: self._monitor.on_gas(m.data, time.monotonic()), qos.sensor()
        )
        self.subscribe(Imu, names.IMU, self._on_imu, qos.sensor())
        self.subscribe(BatteryState, names.BATTERY, self._on_battery, qos.sensor())
        self.subscribe(
            Temperature,
            names.TEMPERATURE,
            lambda m: self._monitor.on_temperature(m.temperature),
            qos.sensor(),
        )
        self.subscribe(PoseStamped, names.POSE, self._on_pose, qos.sensor())
        self.subscribe(ReflexEvent, names.REFLEX_EVENT, self._on_reflex, qos.event())
        self.subscribe(DiagnosticArray, names.DIAGNOSTICS, self._on_diagnostics, qos.event())
        self.serve(Trigger, names.SAFETY_STOP, self._emergency_stop)
        self.serve(Trigger, names.SAFETY_RESET, self._reset)
        self.every(self.param("period_s"), self._judge, "judge")

    def health(self) -> Health:
        """Tell the level and its first cause."""
        if self._verdict is None:
            return Health(HealthLevel.OK, "Not judged yet.")
        bad = self._verdict.level >= Level.PROTECTIVE_STOP
        level = HealthLevel.ERROR if bad else HealthLevel.WARN if self._verdict.level else HealthLevel.OK
        return Health(level, self._verdict.message, {"level": self._verdict.level.name})

    def _limits(self) -> SafetyLimits:
        flat = list(self.param("geofence"))
        if len(flat) % 2:
            raise ValueError("Parameter geofence needs pairs of x and y.")
        return SafetyLimits(
            gas_ppm=self.param("gas_limit_ppm"),
            gas_warning_ppm=self.param("gas_warning_ppm"),
            tilt_rad=self.param("tilt_limit_rad"),
            temperature_c=self.param("temperature_limit_c"),
            temperature_warning_c=self.param("temperature_limit_c") - 10.0,
            battery_stop=self.param("battery_stop"),
            battery_warning=self.param("battery_warning"),
            sensor_silence_s=self.param("sensor_silence_s"),
            start_grace_s=self.param("start_grace_s"),
            geofence=tuple(zip(flat[::2], flat[1::2], strict=True)),
        )

    def _on_imu(self, imu: Imu) -> None:
        self._monitor.on_tilt(math.acos(up_component(imu)), time.monotonic())  # acos(NaN) is NaN: silence

    def _on_battery(self, battery: BatteryState) -> None:
        charging = battery.power_supply_status == BatteryState.POWER_SUPPLY_STATUS_CHARGING
        self._monitor.on_battery(battery.percentage, charging, time.monotonic())
        if battery.temperature > 0.0:  # drivers leave it at zero when they do not measure it
            self._monitor.on_temperature(battery.temperature)

    def _on_pose(self, pose: PoseStamped) -> None:
        self._monitor.on_pose(pose.pose.position.x, pose.pose.position.y, time.monotonic())

    def _on_reflex(self, event: ReflexEvent) -> None:
        self._reflex_active = event.active

    def _on_diagnostics(self, diagnostics: DiagnosticArray) -> None:
        now, own = time.monotonic(), self.get_namespace().rstrip("/") + "/"
        for status in diagnostics.status:
            if status.name.startswith(own):
                self._monitor.heartbeats.beat(status.name[len(own) :], now)

    def _emergency_stop(self, _request: Trigger.Request, response: Trigger.Response) -> Trigger.Response:
        self._monitor.emergency_stop("demanded through the service")
        self._judge()
        response.success, response.message = True, "The robot is stopped until safety/reset."
        return response

    def _reset(self, _request: Trigger.Request, response: Trigger.Response) -> Trigger.Response:
        response.success, response.message = self._monitor.reset(time.monotonic())
        self._judge()
        return response

    def _judge(self) -> None:
        verdict = self._verdict = self._monitor.evaluate(time.monotonic())
        self._state.publish(self._message(verdict))
        if verdict.level is not self._level:
            self._tell(verdict)
            self._level = verdict.level

    def _message(self, verdict: Verdict) -> SafetyState:
        readings = self._monitor.readings
        bits = HazardKind(0)
        for hazard in verdict.hazards:
            bits |= hazard.kind
        if self._reflex_active:
            bits |= HazardKind.REFLEX
        state = SafetyState(
            level=int(verdict.level),
            motion_allowed=verdict.motion_allowed,
            latched=verdict.emergency_stop,
            hazards=int(bits),
            causes=[hazard.message for hazard in verdict.hazards],
            silent_nodes=list(self._monitor.heartbeats.lost(time.monotonic())),
            battery_fraction=float(readings["charge"]),
            charging=self._monitor.charging,
            gas_ppm=float(readings["gas_ppm"]),
            tilt_rad=float(readings["tilt_rad"]),
            temperature_c=float(readings["temperature_c"])
            if math.isfinite(readings["temperature_c"])
            else math.nan,
            speed_limit_mps=math.inf if verdict.motion_allowed else 0.0,
        )
        state.header.stamp = self.get_clock().now().to_msg()
        state.header.frame_id = "base_link"
        return state

    def _tell(self, verdict: Verdict) -> None:
        worse = verdict.level > self._level
        stamp = self.get_clock().now().to_msg()
        if worse:
            self.get_logger().warning(verdict.message)
        else:
            self.get_logger().info(verdict.message)
        self._bus.publish(
            Event(
                stamp=stamp,
                id=f"safety-{stamp.sec}.{stamp.nanosec:09d}",
                source=self.get_fully_qualified_name(),
                type=f"safety.{verdict.level.name.lower()}",
                priority=Event.PRIORITY_CRITICAL if worse else Event.PRIORITY_HIGH,
                payload_json="{}",
            )
        )


def main(argv: list[str] | None = None) -> int:
    """Run the node."""
    return run_node(SafetyNode, argv)


if __name__ == "__main__":
    raise SystemExit(main())
