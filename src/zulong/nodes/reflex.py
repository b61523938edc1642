"""L1-A as a node: scan, bumper and IMU in, the only velocity to the base out. Its process does nothing else."""

from __future__ import annotations

import math
import time
from typing import ClassVar

import numpy as np
from geometry_msgs.msg import Twist
from sensor_msgs.msg import BatteryState, Imu, LaserScan
from std_msgs.msg import Bool

from zulong.msg import Event, ReflexEvent, SafetyState
from zulong.nodes import names, qos
from zulong.nodes.base import Health, Level, Parameter, ZulongNode
from zulong.nodes.base import main as run_node
from zulong.nodes.measured import up_component
from zulong.nodes.process import take_priority
from zulong.reflex import Cause, GuardLimits, ReflexGuard, ScanGeometry, Trigger

_TICK_S = 0.02
_ACTIONS = {Cause.BUMP: ReflexEvent.ACTION_BACK_OFF}
_SENSORS = {
    Cause.OBSTACLE: names.SCAN,
    Cause.FALL: names.IMU,
    Cause.BUMP: names.BUMPER,
    Cause.STALE_SENSOR: names.SCAN,
    Cause.SAFETY_STOP: names.SAFETY_STATE,
    Cause.COMMAND_LOST: names.CMD_VEL_RAW,
}
_SENTENCES = {
    Cause.OBSTACLE: "Something stands in the way; the base is stopped.",
    Cause.FALL: "The base tilts or falls; it is stopped.",
    Cause.BUMP: "The bumper touched something; the base backs off.",
    Cause.STALE_SENSOR: "No laser scan for too long; the base is stopped.",
    Cause.SAFETY_STOP: "The safety layer does not allow motion, or is silent.",
    Cause.COMMAND_LOST: "The velocity commands stopped coming while the base moved.",
}


def _limit(name: str, default: float, description: str, unit: str, low: float, high: float) -> Parameter:
    return Parameter(name, default, description, unit, low, high, read_only=True)


class ReflexNode(ZulongNode):
    """Gates every velocity; publishes one ReflexEvent when a reflex sets in and one when it ends."""

    parameters: ClassVar[tuple[Parameter, ...]] = (
        _limit(
            "radius_m",
            0.25,
            "Radius of the circle around the base's centre that nothing may enter.",
            "m",
            0.05,
            2.0,
        ),
        _limit("margin_m", 0.06, "Extra distance that is kept while driving.", "m", 0.0, 1.0),
        _limit("deceleration_mps2", 1.0, "Braking that the base surely reaches.", "m/s^2", 0.1, 20.0),
        _limit("reaction_s", 0.10, "Time from a scan until the base begins to brake.", "s", 0.0, 1.0),
        _limit("scan_stale_s", 0.20, "Silence of the laser after which the base stops.", "s", 0.02, 5.0),
        _limit(
            "command_stale_s", 0.30, "Silence of the commands after which the base stops.", "s", 0.05, 5.0
        ),
        _limit(
            "safety_stale_s", 2.0, "Silence of the safety layer after which the base stops.", "s", 0.1, 30.0
        ),
        Parameter(
            "require_safety", True, "Whether silence of the safety layer stops the base.", read_only=True
        ),
        _limit("clear_hold_s", 0.5, "How long a way must be free before a reflex ends.", "s", 0.0, 10.0),
        _limit("max_linear_mps", 1.0, "Fastest linear velocity that is let through.", "m/s", 0.05, 5.0),
        _limit("max_angular_rps", 2.0, "Fastest angular velocity that is let through.", "rad/s", 0.1, 10.0),
        Parameter(
            "realtime_priority",
            10,
            "SCHED_FIFO priority of the process, where the system allows it; 0: ordinary scheduling.",
            minimum=0,
            maximum=98,
            read_only=True,
        ),
        _limit("laser_x_m", 0.0, "Where the laser sits ahead of the base's centre.", "m", -2.0, 2.0),
        _limit("laser_yaw_rad", 0.0, "How the laser is turned against the base.", "rad", -math.pi, math.pi),
    )

    def __init__(self) -> None:
        super().__init__("reflex")

    def setup(self) -> None:
        """Make the guard and everything it hears."""
        own = {each.name for each in self.parameters} - {"laser_x_m", "laser_yaw_rad", "realtime_priority"}
        limits = GuardLimits(**{name: self.param(name) for name in own})
        self._guard = ReflexGuard(limits, ScanGeometry(self.param("laser_x_m"), self.param("laser_yaw_rad")))
        self._scheduling = take_priority(self.param("realtime_priority"))
        self._frame = "base_link"
        self._scan_stamp = LaserScan().header.stamp
        self._arrived_s = time.monotonic()
        self._stops = 0
        self._stop_latency = self.latency("scan_to_stop")
        self._velocity = self.create_publisher(Twist, names.CMD_VEL, qos.command_publisher())
        self._events = self.create_publisher(ReflexEvent, names.REFLEX_EVENT, qos.event())
        self._bus = self.create_publisher(Event, names.EVENTS, qos.event())
        self.subscribe(LaserScan, names.SCAN, self._on_scan, qos.sensor())
        self.subscribe(Imu, names.IMU, self._on_imu, qos.sensor())
        self.subscribe(Bool, names.BUMPER, self._on_bumper, qos.sensor())
        self.subscribe(BatteryState, names.BATTERY, self._on_battery, qos.sensor())
        self.subscribe(Twist, names.CMD_VEL_RAW, self._on_command, qos.command())
        self.subscribe(SafetyState, names.SAFETY_STATE, self._on_safety, qos.latched())
        self.every(_TICK_S, self._act, "watch")

    def stop(self) -> None:
        """Leave the base at rest."""
        self._velocity.publish(Twist())

    def health(self) -> Health:
        """Tell which reflex holds the base."""
        cause = self._guard.cause
        values: dict[str, str | float | int | bool] = {
            "cause": cause.name,
            "stops": self._stops,
            "scheduling": self._scheduling,
        }
        if cause is Cause.NONE:
            return Health(Level.OK, "Motion is free.", values)
        return Health(Level.WARN, _SENTENCES[cause], values)

    def _on_scan(self, scan: LaserScan) -> None:
        self._arrived_s = time.monotonic()
        self._scan_stamp = scan.header.stamp
        ranges = np.array(scan.ranges, dtype=np.float32)  # a copy: the guard compares it with the next scan
        self._guard.on_scan(
            ranges, scan.angle_min, scan.angle_increment, scan.range_min, scan.range_max, self._arrived_s
        )
        self._act()

    def _on_command(self, twist: Twist) -> None:
        self._guard.on_command(twist.linear.x, twist.angular.z, time.monotonic())
        self._act()

    def _on_imu(self, imu: Imu) -> None:
        up_z = up_component(imu)
        if math.isnan(up_z):  # not measured: the safety layer stops the robot for it
            up_z = 1.0
        a = imu.linear_acceleration
        self._guard.on_imu(up_z, math.sqrt(a.x * a.x + a.y * a.y + a.z * a.z))

    def _on_bumper(self, pressed: Bool) -> None:
        self._arrived_s = time.monotonic()
        self._guard.on_bumper(pressed.data, self._arrived_s)
        if pressed.data:
            self._act()

    def _on_battery(self, battery: BatteryState) -> None:
        self._guard.on_charging(battery.power_supply_status == BatteryState.POWER_SUPPLY_STATUS_CHARGING)

    def _on_safety(self, state: SafetyState) -> None:
        self._guard.on_safety(not state.motion_allowed, time.monotonic())
        if not state.motion_allowed:
            self._act()

    def _act(self) -> None:
        """Decide, command the base, and only then tell others about it."""
        motion, trigger = self._guard.decide(time.monotonic())
        twist = Twist()
        twist.linear.x = motion.linear_mps
        twist.angular.z = motion.angular_rps
        self._velocity.publish(twist)
        if trigger is not None:
            self._tell(trigger, twist)

    def _tell(self, trigger: Trigger, twist: Twist) -> None:
        latency_s = time.monotonic() - self._arrived_s
        if trigger.active:
            self._stops += 1
            if trigger.cause is Cause.OBSTACLE:
                self._stop_latency.note(latency_s)
        now = self.get_clock().now().to_msg()
        event = ReflexEvent(
            kind=int(trigger.cause),
            action=_ACTIONS.get(trigger.cause, ReflexEvent.ACTION_STOP)
            if trigger.active
            else ReflexEvent.ACTION_NONE,
            active=trigger.active,
            sensor=_SENSORS[trigger.cause],
            sensor_stamp=self._scan_stamp,
            latency_s=latency_s,
            range_m=float(trigger.distance_m),
            bearing_rad=math.nan,
            command=twist,
            message=_SENTENCES[trigger.cause] if trigger.active else "The way is free again.",
        )
        event.header.stamp, event.header.frame_id = now, self._frame
        self._events.publish(event)
        self._bus.publish(self._bus_event(trigger, event))

    def _bus_event(self, trigger: Trigger, event: ReflexEvent) -> Event:
        stamp = event.header.stamp
        kind = trigger.cause.name.lower()
        return Event(
            stamp=stamp,
            id=f"reflex-{kind}-{stamp.sec}.{stamp.nanosec:09d}",
            source=self.get_fully_qualified_name(),
            type=f"reflex.{'stop' if trigger.active else 'clear'}",
            priority=Event.PRIORITY_CRITICAL,
            payload_json=f'{{"cause": "{kind}"}}',
        )


def main(argv: list[str] | None = None) -> int:
    """Run the node."""
    return run_node(ReflexNode, argv)


if __name__ == "__main__":
    raise SystemExit(main())
