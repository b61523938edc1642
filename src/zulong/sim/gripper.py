"""What can be carried, where it is, and a gripper that fails as hardware does: reach, height and hands count."""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import Enum

from zulong.apartment import Apartment, ObjectSpec, Placement, Pose2D
from zulong.sim.people import Crowd, Person
from zulong.sim.world import World

GRIPPER_AHEAD_M = 0.24
GRIPPER_Z_M = 0.62
HAND_OVER_REACH_M = 1.3
_PLACE_TOLERANCE_M = 0.12


class GripperFault(Enum):
    """Why the gripper did not do it; the names are those of ``srv/GripperControl``."""

    OUT_OF_REACH = "OUT_OF_REACH"
    NOTHING_THERE = "NOTHING_THERE"
    ALREADY_HOLDING = "ALREADY_HOLDING"
    NOT_HOLDING = "NOT_HOLDING"
    OCCUPIED = "OCCUPIED"


class GripperError(RuntimeError):
    """The gripper could not act; ``fault`` says why."""

    def __init__(self, fault: GripperFault, message: str) -> None:
        super().__init__(message)
        self.fault = fault


@dataclass(slots=True)
class Thing:
    """A thing that can be carried. ``x, y, z``: middle of its bottom in the map, metres."""

    spec: ObjectSpec
    x: float
    y: float
    z: float
    at: str | None
    held_by: str | None = None
    present: bool = True

    @property
    def body(self) -> str:
        """Name of its body in the world."""
        return f"object:{self.spec.id}"

    @property
    def centre_z(self) -> float:
        """Height of its middle."""
        return self.z + self.spec.size[2] / 2


class Gripper:
    """The things of the home and the hand that takes and puts them."""

    def __init__(self, home: Apartment, world: World, crowd: Crowd) -> None:
        self._home = home
        self._world = world
        self._crowd = crowd
        self.things: dict[str, Thing] = {}
        self.held: Thing | None = None
        self.reset()

    def reset(self) -> None:
        """Put every thing where the world file has it; the hand is empty."""
        self.held = None
        for spec in self._home.objects:
            placement = self._home.placement(spec.at)
            assert placement is not None, spec.at  # the loader has checked it  # noqa: S101
            c, s = math.cos(placement.pose.yaw), math.sin(placement.pose.yaw)
            x = placement.pose.x + c * spec.offset[0] - s * spec.offset[1]
            y = placement.pose.y + s * spec.offset[0] + c * spec.offset[1]
            self.things[spec.id] = Thing(spec, x, y, placement.height_m, placement.id)
            self._show(self.things[spec.id])

    def put(self, thing: Thing, x: float, y: float, z: float | None) -> None:
        """Put a thing somewhere by the hand of a test; without ``z`` it lies on what is below."""
        if self.held is thing:
            self.held = None
        support = self._support(x, y)
        height = z if z is not None else (support.height_m if support else 0.0)
        thing.x, thing.y, thing.z, thing.present, thing.held_by = x, y, height, True, None
        thing.at = support.id if support and abs(support.height_m - height) < 0.05 else None
        self._show(thing)

    def remove(self, thing: Thing) -> None:
        """Take a thing out of the world."""
        if self.held is thing:
            self.held = None
        thing.present = False
        self._world.park_body(thing.body)

    def grasp(self, object_id: str, expected: tuple[float, float, float] | None) -> Thing:
        """Close on a thing within reach.

        Args:
            object_id: which thing; empty: the nearest one in reach.
            expected: where it was seen (x, y, z in the map), checked if given.

        Raises:
            GripperError: the hand is full, the thing is not there or not in reach.
        """
        if self.held is not None:
            raise GripperError(
                GripperFault.ALREADY_HOLDING,
                f"The gripper holds the {self.held.spec.name}; put it down first.",
            )
        pose = self._world.robot_pose
        free = [t for t in self.things.values() if t.present and t.held_by is None]
        if object_id:
            free = [t for t in free if t.spec.id == object_id]
        if not free:
            raise GripperError(
                GripperFault.NOTHING_THERE, f"There is no {object_id or 'thing'} to grasp; look for it first."
            )
        thing = min(free, key=lambda t: math.hypot(t.x - pose.x, t.y - pose.y))
        if expected is not None and math.dist(expected[:2], (thing.x, thing.y)) > 0.25:
            raise GripperError(
                GripperFault.NOTHING_THERE, f"The {thing.spec.name} is not where it was seen; look again."
            )
        self._check_reach(thing.x, thing.y, thing.centre_z, thing.spec.name)
        thing.held_by, thing.at = "robot", None
        self.held = thing
        self.carry()
        return thing

    def release(self, at: tuple[float, float, float] | None) -> Thing:
        """Set the held thing down at a spot (its bottom, map), or on the floor ahead.

        Raises:
            GripperError: empty hand, out of reach, or no room or nothing to stand on there.
        """
        thing = self._must_hold()
        pose = self._world.robot_pose
        if at is None:
            ahead = self._world.shape.radius_m + 0.15
            at = (pose.x + ahead * math.cos(pose.yaw), pose.y + ahead * math.sin(pose.yaw), 0.0)
        x, y, z = at
        self._check_reach(x, y, z, f"spot for the {thing.spec.name}")
        support = self._support(x, y)
        height = support.height_m if support else 0.0
        if support is not None and not support.holds:
            raise GripperError(GripperFault.OCCUPIED, f"Nothing can be put on the {support.name}.")
        if abs(z - height) > _PLACE_TOLERANCE_M:
            raise GripperError(
                GripperFault.OCCUPIED,
                f"There is nothing to stand on at height {z:.2f} m; the surface is at {height:.2f} m.",
            )
        for other in self.things.values():
            gap = (max(other.spec.size[:2]) + max(thing.spec.size[:2])) / 2
            if (
                other is not thing
                and other.present
                and other.held_by is None
                and abs(other.z - height) < 0.1
                and math.hypot(other.x - x, other.y - y) < gap * 0.9
            ):
                raise GripperError(GripperFault.OCCUPIED, f"The {other.spec.name} already stands there.")
        thing.x, thing.y, thing.z = x, y, height
        thing.at, thing.held_by = (support.id if support else None), None
        self.held = None
        self._show(thing)
        return thing

    def hand_over(self, person_id: str) -> tuple[Thing, Person]:
        """Give the held thing to a person within reach of the arm.

        Raises:
            GripperError: empty hand, or nobody (not this person) within reach.
        """
        thing = self._must_hold()
        pose = self._world.robot_pose
        people = [p for p in self._crowd.people.values() if p.present]
        if person_id:
            found = self._crowd.find(person_id)
            people = [found] if found is not None and found.present else []
        if not people:
            raise GripperError(GripperFault.NOTHING_THERE, f"There is nobody called {person_id!r} here.")
        person = min(people, key=lambda p: math.hypot(p.x - pose.x, p.y - pose.y))
        distance = math.hypot(person.x - pose.x, person.y - pose.y)
        if distance > HAND_OVER_REACH_M:
            raise GripperError(
                GripperFault.OUT_OF_REACH,
                f"{person.spec.name} is {distance:.1f} m away; the arm reaches {HAND_OVER_REACH_M} m.",
            )
        thing.held_by = person.spec.id
        person.holds = thing.spec.id
        self.held = None
        self.follow_hands()
        return thing, person

    def carry(self) -> None:
        """Keep the held thing in the hand."""
        if self.held is not None:
            pose = self._world.robot_pose
            self.held.x = pose.x + GRIPPER_AHEAD_M * math.cos(pose.yaw)
            self.held.y = pose.y + GRIPPER_AHEAD_M * math.sin(pose.yaw)
            self.held.z = GRIPPER_Z_M
            self._show(self.held, pose.yaw)

    def follow_hands(self) -> None:
        """Keep what people hold with them."""
        for thing in self.things.values():
            person = self._crowd.people.get(thing.held_by) if thing.held_by not in (None, "robot") else None
            if person is not None:
                thing.x = person.x + 0.25 * math.cos(person.yaw)
                thing.y = person.y + 0.25 * math.sin(person.yaw)
                thing.z = person.chest_z - 0.15
                self._show(thing)

    def _must_hold(self) -> Thing:
        if self.held is None:
            raise GripperError(GripperFault.NOT_HOLDING, "The gripper is empty; pick something up first.")
        return self.held

    def _check_reach(self, x: float, y: float, z: float, what: str) -> None:
        pose: Pose2D = self._world.robot_pose
        shape = self._world.shape
        distance = math.hypot(x - pose.x, y - pose.y)
        if distance > shape.gripper_reach_m:
            raise GripperError(
                GripperFault.OUT_OF_REACH,
                f"The {what} is {distance:.2f} m away; the arm reaches {shape.gripper_reach_m:.2f} m. Drive nearer.",
            )
        if not shape.gripper_z_min_m <= z <= shape.gripper_z_max_m:
            raise GripperError(
                GripperFault.OUT_OF_REACH, f"The {what} is at height {z:.2f} m, beyond the arm."
            )
        bearing = math.atan2(y - pose.y, x - pose.x) - pose.yaw
        if abs(math.remainder(bearing, math.tau)) > math.radians(60):
            raise GripperError(
                GripperFault.OUT_OF_REACH, f"The {what} is not in front of the robot; turn to it."
            )

    def _support(self, x: float, y: float) -> Placement | None:
        for p in self._home.placements:
            if p.kind != "furniture":
                continue
            c, s = math.cos(p.pose.yaw), math.sin(p.pose.yaw)
            dx, dy = x - p.pose.x, y - p.pose.y
            if abs(c * dx + s * dy) <= p.size[0] / 2 and abs(-s * dx + c * dy) <= p.size[1] / 2:
                return p
        return None

    def _show(self, thing: Thing, yaw: float = 0.0) -> None:
        self._world.place_body(thing.body, thing.x, thing.y, thing.centre_z, yaw)
