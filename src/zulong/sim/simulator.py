"""One simulated home with its robot: steps the world, holds the devices, carries out what tests and skills ask."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from zulong.apartment import Apartment, Pose2D, load_apartment, normal_key
from zulong.sim.geometry import RobotShape
from zulong.sim.gripper import Gripper, Thing
from zulong.sim.mjcf import PASSER_BY, TIMESTEP_S
from zulong.sim.people import Crowd, Person, Utterance
from zulong.sim.sensors import Battery, GasField, Imu, ImuSample, Laser, Leak, Odometry
from zulong.sim.sight import Sight, Sighting
from zulong.sim.world import World

DOCKING_M = 0.35
ROBOT = "robot"
SENSORS = ("scan", "camera", "imu", "odom", "battery", "gas")


class UnknownEntityError(KeyError):
    """The world holds no such thing."""

    def __str__(self) -> str:
        return str(self.args[0])


class UnknownPlaceError(KeyError):
    """The home has no such place, or nobody can get there."""

    def __str__(self) -> str:
        return str(self.args[0])


@dataclass(slots=True, frozen=True)
class SimulatorConfig:
    """What can be chosen about a simulated home.

    Attributes:
        seed: of all noise; one seed and one series of commands give one story.
        walk_routes: whether people with a route walk it from the start.
        image_width: of the camera, pixels.
        image_height: of the camera, pixels.
    """

    seed: int = 1
    walk_routes: bool = True
    image_width: int = 320
    image_height: int = 240


class Simulator:
    """The world, its people and the robot's devices, advanced in steps of 10 ms of simulated time.

    Not thread-safe: its owner serialises calls.
    """

    def __init__(self, home: Apartment | None = None, config: SimulatorConfig | None = None) -> None:
        self.config = config or SimulatorConfig()
        self.home = home or load_apartment()
        self.shape = RobotShape()
        self.world = World(self.home, self.shape, (self.config.image_width, self.config.image_height))
        self.crowd = Crowd(self.home, self.world, self.config.walk_routes)
        self.gripper = Gripper(self.home, self.world, self.crowd)
        self.sight = Sight(self.config.image_width, self.config.image_height)
        self.laser, self.imu_unit, self.gas = Laser(), Imu(), GasField()
        self._faults: dict[str, float] = {}
        self._reset_devices()
        self.world.settle()

    def _reset_devices(self) -> None:
        # One generator a device: reading one sensor more often must not change the noise of another.
        streams = np.random.SeedSequence(self.config.seed).spawn(5)
        self._rng_laser, self._rng_odom, self._rng_imu, self._rng_gas, self._rng_sight = map(
            np.random.default_rng, streams
        )
        self.odometry, self.battery = Odometry(), Battery()
        self.imu_unit.tilt_rad = 0.0
        self.gas.leaks.clear()
        self.temperature_c = 22.0
        self.gripper_key = ""  # idempotency key of the newest act of the gripper
        self._faults.clear()
        self._bumped_until_s = -1.0

    @property
    def time_s(self) -> float:
        """Simulated seconds since the start; never falls, also not by a reset."""
        return self.world.time_s

    def step(self) -> None:
        """Advance by 10 ms of simulated time."""
        world = self.world
        world.step()
        self.crowd.step(TIMESTEP_S, world.robot_pose)
        self.gripper.carry()
        velocity = world.robot_velocity
        self.odometry.update(velocity, TIMESTEP_S, self._rng_odom)
        self.battery.update(velocity, self.docked, TIMESTEP_S)
        if world.touching():
            # A real bumper is a spring: it stays pressed long enough to be read.
            self._bumped_until_s = world.time_s + 0.1

    def run(self, seconds: float) -> None:
        """Advance by a span of simulated time, as fast as the machine can."""
        for _ in range(max(1, round(seconds / TIMESTEP_S))):
            self.step()

    def drive(self, linear_mps: float, angular_rps: float) -> None:
        """Command the base (see :meth:`World.command`)."""
        self.world.command(linear_mps, angular_rps)

    # What the devices say.

    def scan(self) -> NDArray[np.float32]:
        """Return one turn of the laser."""
        self.gripper.follow_hands()
        return self.laser.measure(self.world, self._rng_laser)

    def imu(self) -> ImuSample:
        """Return one sample of the inertial unit."""
        return self.imu_unit.measure(self.world, self._rng_imu)

    def gas_ppm(self) -> float:
        """Return what the gas sensor reads, in ppm."""
        return self.gas.measure(self.world.robot_pose, self.time_s, self._rng_gas)

    def sightings(self) -> list[Sighting]:
        """Return what a detector would find in the camera's view."""
        return self.sight.look(self.world, self.gripper, self.crowd, self._rng_sight)

    @property
    def bumped(self) -> bool:
        """Whether the bumper is pressed."""
        return self.time_s < self._bumped_until_s

    @property
    def docked(self) -> bool:
        """Whether the robot stands on its charging dock."""
        return self.world.robot_pose.distance_to(self.home.robot_dock) <= DOCKING_M

    def alive(self, sensor: str) -> bool:
        """Whether a sensor speaks; see :meth:`set_fault`."""
        return self.time_s >= self._faults.get(sensor, -math.inf)

    # What people and tests do.

    def say(self, text: str) -> Person | None:
        """Let people hear what the robot says; return who feels meant."""
        return self.crowd.hear(text, self.world.robot_pose)

    def replies(self) -> list[Utterance]:
        """Return and forget what people have said since the last call."""
        return self.crowd.take_replies()

    def move(
        self, entity: str, x: float, y: float, z: float | None = None, yaw: float = 0.0
    ) -> dict[str, Any]:
        """Put an entity somewhere at once and return its state.

        Raises:
            UnknownEntityError: there is no such entity.
        """
        found = self._entity(entity)
        if found == ROBOT:
            self.world.place_robot(Pose2D(x, y, yaw))
        elif isinstance(found, Person):
            self.crowd.move(found, x, y, yaw)
        elif isinstance(found, Thing):
            self.gripper.put(found, x, y, z)
        else:
            self.world.place_body(found, x, y, z or 0.0, yaw)
        self.world.settle()
        return self.state(entity)

    def remove(self, entity: str) -> dict[str, Any]:
        """Take an entity out of the world and return its state.

        Raises:
            UnknownEntityError: there is no such entity, or it is the robot.
        """
        found = self._entity(entity)
        if found == ROBOT:
            raise UnknownEntityError("The robot cannot be removed from its own world.")
        if isinstance(found, Person):
            self.crowd.remove(found)
        elif isinstance(found, Thing):
            self.gripper.remove(found)
        else:
            self.world.park_body(found)
        self.world.settle()
        return self.state(entity)

    def step_in_front(self, entity: str = "", distance_m: float = 0.8) -> dict[str, Any]:
        """Let somebody appear ``distance_m`` ahead of the robot's front, on the way that it drives.

        Raises:
            UnknownEntityError: there is no such entity.
        """
        pose = self.world.robot_pose
        v, _, w = self.world.robot_velocity
        reach = self.shape.radius_m + max(0.1, distance_m)
        # On a bend the way leads aside: aim at the chord of the arc that is being driven.
        bend = max(-0.6, min(0.6, 0.5 * reach * w / v)) if abs(v) > 0.05 else 0.0
        heading = pose.yaw + bend + (math.pi if v < -0.05 else 0.0)
        x, y = pose.x + reach * math.cos(heading), pose.y + reach * math.sin(heading)
        return self.move(entity or PASSER_BY, x, y, yaw=heading + math.pi / 2)

    def walk(self, entity: str, place: str = "", point: tuple[float, float] | None = None) -> dict[str, Any]:
        """Let a person walk to a named place or a point.

        Raises:
            UnknownEntityError: there is no such person.
            UnknownPlaceError: there is no such place, or no way to it.
        """
        found = self._entity(entity)
        if not isinstance(found, Person):
            raise UnknownEntityError(f"{entity!r} is not a person, so it cannot walk.")
        goal = self.crowd.spot_of(place) if place else point
        if goal is None or not self.crowd.walk_to(found, goal):
            raise UnknownPlaceError(f"No way leads {found.spec.name} to {place or point!r}.")
        return self.state(entity)

    def leak(self, source_ppm: float, point: tuple[float, float] | None = None) -> None:
        """Start a gas leak at a point, by default at the robot; zero ends all leaks."""
        if source_ppm <= 0.0:
            self.gas.leaks.clear()
            return
        pose = self.world.robot_pose
        x, y = point if point is not None else (pose.x, pose.y)
        self.gas.leaks.append(Leak(x, y, source_ppm, self.time_s))

    def set_fault(self, sensor: str, seconds: float) -> None:
        """Silence a sensor for a span of simulated time; 0: for good; negative: it works again.

        Raises:
            UnknownEntityError: there is no such sensor.
        """
        if sensor not in SENSORS:
            raise UnknownEntityError(f"There is no sensor {sensor!r}; there are {', '.join(SENSORS)}.")
        if seconds < 0:
            self._faults.pop(sensor, None)
        else:
            self._faults[sensor] = math.inf if seconds == 0 else self.time_s + seconds

    def reset(self) -> None:
        """Put everything back to the start of the world file; time goes on."""
        self.world.place_robot(self.home.robot_start)
        self.world.park_body(PASSER_BY)
        for name in [n for n in self._spare_bodies() if self.world.body_position(n)]:
            self.world.park_body(name)
        for person in self.crowd.people.values():
            self.world.park_body(person.body)
        self.crowd.reset()
        self.gripper.reset()
        self._reset_devices()
        self.world.settle()

    def state(self, entity: str) -> dict[str, Any]:
        """Return what is true about an entity, as plain data.

        Raises:
            UnknownEntityError: there is no such entity.
        """
        found = self._entity(entity)
        if found == ROBOT:
            pose = self.world.robot_pose
            v, _, w = self.world.robot_velocity
            return {
                "id": ROBOT, "position": [pose.x, pose.y, 0.0], "yaw": pose.yaw, "linear_mps": v, "angular_rps": w,
                "room": self._room(pose.x, pose.y), "holds": self.gripper.held.spec.id if self.gripper.held else "",
                "battery": self.battery.charge, "charging": self.battery.charging, "bumped": self.bumped,
                "time_s": self.time_s,
            }  # fmt: skip
        if isinstance(found, Person):
            return {
                "id": found.spec.id, "name": found.spec.name, "position": [found.x, found.y, found.z], "yaw": found.yaw,
                "room": self._room(found.x, found.y), "posture": found.posture, "gesture": found.gesture,
                "holds": found.holds or "", "present": found.present, "doing": found.mode.value,
            }  # fmt: skip
        if isinstance(found, Thing):
            return {
                "id": found.spec.id, "position": [found.x, found.y, found.z], "room": self._room(found.x, found.y),
                "at": found.at or "", "held_by": found.held_by or "", "present": found.present,
            }  # fmt: skip
        position = self.world.body_position(found)
        return {
            "id": found,
            "position": list(position) if position else None,
            "present": position is not None,
        }

    def _room(self, x: float, y: float) -> str:
        room = self.home.room_at(x, y)
        return room.id if room else ""

    def _spare_bodies(self) -> list[str]:
        return [n for n in (f"box_{i}" for i in range(1, 9)) if self.world.has_body(n)]

    def _entity(self, name: str) -> Person | Thing | str:
        key = normal_key(name)
        if key == ROBOT:
            return ROBOT
        person = self.crowd.find(name)
        if person is not None:
            return person
        spec = self.home.find(name)
        thing = self.gripper.things.get(getattr(spec, "id", key))
        if thing is not None:
            return thing
        if key == PASSER_BY or key in self._spare_bodies():
            return key
        raise UnknownEntityError(f"The world holds nothing called {name!r}.")
