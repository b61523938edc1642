"""What the robot's devices measure: laser, odometry, inertial unit, gas and temperature, battery. Seeded noise."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from zulong.apartment import Pose2D
from zulong.sim.geometry import wrap_angle
from zulong.sim.world import World

LASER_GROUPS = (0, 1, 2, 5)
GRAVITY_MPS2 = 9.81


@dataclass(slots=True)
class Laser:
    """A turning laser: ``rays`` beams anticlockwise from straight ahead minus pi, in the frame ``laser``."""

    rays: int = 360
    range_min_m: float = 0.05
    range_max_m: float = 12.0
    noise_m: float = 0.008
    angle_min_rad: float = -math.pi
    _angles: NDArray[np.float64] = field(init=False)

    def __post_init__(self) -> None:
        self._angles = self.angle_min_rad + self.angle_increment_rad * np.arange(self.rays)

    @property
    def angle_increment_rad(self) -> float:
        """Angle between two beams."""
        return math.tau / self.rays

    def measure(self, world: World, rng: np.random.Generator) -> NDArray[np.float32]:
        """Return one turn of ranges in metres; infinity where nothing is in range (REP 117)."""
        pose = world.robot_pose
        angles = self._angles + pose.yaw
        rays = np.stack([np.cos(angles), np.sin(angles), np.zeros(self.rays)], axis=1)
        origin = np.array([pose.x, pose.y, world.shape.laser_z_m])
        ranges = world.cast(origin, rays, LASER_GROUPS, self.range_max_m)
        hit = np.isfinite(ranges)
        ranges[hit] = np.maximum(
            ranges[hit] + rng.normal(0.0, self.noise_m, int(hit.sum())), self.range_min_m
        )
        ranges[ranges > self.range_max_m] = np.inf
        return ranges.astype(np.float32)


@dataclass(slots=True)
class Odometry:
    """Wheel odometry: dead reckoning from noisy wheel speeds; it drifts as wheels do."""

    scale_error: float = 0.01
    noise_mps: float = 0.005
    noise_rps: float = 0.005
    pose: Pose2D = field(default_factory=lambda: Pose2D(0.0, 0.0, 0.0))
    velocity: tuple[float, float] = (0.0, 0.0)

    def update(self, velocity: tuple[float, float, float], dt_s: float, rng: np.random.Generator) -> None:
        """Integrate the true base velocity over ``dt_s`` with noise that grows with speed."""
        v, _, w = velocity
        moving = min(1.0, abs(v) * 10 + abs(w) * 10)
        v = v * (1.0 + self.scale_error) + float(rng.normal(0.0, self.noise_mps)) * moving
        w = w * (1.0 + self.scale_error) + float(rng.normal(0.0, self.noise_rps)) * moving
        yaw = self.pose.yaw + w * dt_s / 2
        self.pose = Pose2D(
            self.pose.x + v * math.cos(yaw) * dt_s,
            self.pose.y + v * math.sin(yaw) * dt_s,
            wrap_angle(self.pose.yaw + w * dt_s),
        )
        self.velocity = (v, w)


@dataclass(slots=True, frozen=True)
class ImuSample:
    """Orientation quaternion x, y, z, w in the map; rates in rad/s and accelerations in m/s^2 in ``base_link``."""

    orientation: tuple[float, float, float, float]
    angular_velocity: tuple[float, float, float]
    linear_acceleration: tuple[float, float, float]


@dataclass(slots=True)
class Imu:
    """Inertial unit at the base. ``tilt_rad`` leans the base about its y axis."""

    noise_rps: float = 0.002
    noise_mps2: float = 0.02
    tilt_rad: float = 0.0

    def measure(self, world: World, rng: np.random.Generator) -> ImuSample:
        """Return one sample."""
        accel = np.array(world.data.sensor("accelerometer").data)
        gyro = np.array(world.data.sensor("gyro").data)
        # The planar base cannot lean in the physics: leaning is a turn of what it feels.
        c, s = math.cos(self.tilt_rad), math.sin(self.tilt_rad)
        lean = np.array([[c, 0.0, -s], [0.0, 1.0, 0.0], [s, 0.0, c]])
        accel = lean @ accel + rng.normal(0.0, self.noise_mps2, 3)
        gyro = lean @ gyro + rng.normal(0.0, self.noise_rps, 3)
        yaw = world.robot_pose.yaw
        cy, sy = math.cos(yaw / 2), math.sin(yaw / 2)
        cp, sp = math.cos(self.tilt_rad / 2), math.sin(self.tilt_rad / 2)
        orientation = (-sy * sp, cy * sp, sy * cp, cy * cp)
        return ImuSample(orientation, tuple(map(float, gyro)), tuple(map(float, accel)))  # type: ignore[arg-type]


@dataclass(slots=True, frozen=True)
class Leak:
    """A gas leak: ``source_ppm`` at its centre once it has spread."""

    x: float
    y: float
    source_ppm: float
    since_s: float


@dataclass(slots=True)
class GasField:
    """Concentration of gas over the floor: a bell of ``radius_m`` around each leak, rising within ``rise_s``."""

    background_ppm: float = 4.0
    noise_ppm: float = 0.5
    radius_m: float = 2.0
    rise_s: float = 1.0
    leaks: list[Leak] = field(default_factory=list)

    def concentration_ppm(self, x: float, y: float, now_s: float) -> float:
        """Return the true concentration at a point."""
        total = self.background_ppm
        for leak in self.leaks:
            spread = 1.0 - math.exp(-3.0 * max(0.0, now_s - leak.since_s) / self.rise_s)
            distance = math.hypot(x - leak.x, y - leak.y)
            total += leak.source_ppm * spread * math.exp(-((distance / self.radius_m) ** 2))
        return total

    def measure(self, pose: Pose2D, now_s: float, rng: np.random.Generator) -> float:
        """Return what a gas sensor at ``pose`` reads, in ppm."""
        return max(
            0.0, self.concentration_ppm(pose.x, pose.y, now_s) + float(rng.normal(0.0, self.noise_ppm))
        )


@dataclass(slots=True)
class Battery:
    """Energy store of the robot; ``charge`` is its state of charge, 0 to 1."""

    capacity_wh: float = 180.0
    idle_w: float = 30.0
    drive_w_per_mps: float = 60.0
    turn_w_per_rps: float = 10.0
    charge_w: float = 120.0
    charge: float = 0.95
    charging: bool = False
    power_w: float = 0.0

    def update(self, velocity: tuple[float, float, float], docked: bool, dt_s: float) -> None:
        """Draw or load energy over ``dt_s``."""
        load = self.idle_w + self.drive_w_per_mps * abs(velocity[0]) + self.turn_w_per_rps * abs(velocity[2])
        self.charging = docked and self.charge < 1.0
        self.power_w = (self.charge_w if docked else 0.0) - load
        self.charge = min(1.0, max(0.0, self.charge + self.power_w * dt_s / 3600.0 / self.capacity_wh))

    @property
    def voltage_v(self) -> float:
        """Voltage of a seven-cell lithium pack, linear between empty and full."""
        return 21.0 + 8.4 * self.charge

    @property
    def current_a(self) -> float:
        """Current in amperes, negative while discharging (sensor_msgs/BatteryState)."""
        return self.power_w / self.voltage_v
