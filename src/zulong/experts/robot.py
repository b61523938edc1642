"""What skills need of a robot: where it is, what it sees and hears, how it drives, grasps and speaks.

The experts node fills this from topics and services; tests fill it from the simulator without ROS.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from zulong.apartment import Pose2D


class Waiting(Protocol):
    """Something that cuts a sleep short (the cancel latch of a goal)."""

    @property
    def is_set(self) -> bool:
        """Whether the sleep is to end."""
        ...

    def wait(self, seconds: float) -> bool:
        """Sleep until it is set, at most ``seconds``."""
        ...


@dataclass(slots=True, frozen=True)
class LaserView:
    """One turn of the laser with the pose from which it was taken.

    Attributes:
        ranges_m: float32 [n]; infinity where nothing was in range.
        angle_min_rad, angle_increment_rad: of the beams, in the base frame.
        pose: of the base in the map when it was taken.
        taken_s: when, on the robot's clock.
    """

    ranges_m: NDArray[np.float32]
    angle_min_rad: float
    angle_increment_rad: float
    pose: Pose2D
    taken_s: float


@dataclass(slots=True, frozen=True)
class Seen:
    """One thing or person that was seen.

    Attributes:
        id: track id; stable while, and in the home's vocabulary if, the thing is recognised.
        label: what it is, for instance ``red_cup`` or ``person``.
        category, colour: words of the home's vocabulary; empty if unknown.
        position: middle in the map, metres.
        score: confidence, 0 to 1.
        seen_s: when, on the robot's clock.
        attributes: posture, gesture, clothes, name, size_m, mass_kg, ... as far as known.
    """

    id: str
    label: str
    category: str
    colour: str
    position: tuple[float, float, float]
    score: float
    seen_s: float
    attributes: Mapping[str, Any] = field(default_factory=dict)

    @property
    def is_person(self) -> bool:
        """Whether this is a person."""
        return self.category == "person" or self.label == "person"

    @property
    def name(self) -> str:
        """What people call it."""
        return str(self.attributes.get("name") or self.label.replace("_", " "))


@dataclass(slots=True, frozen=True)
class Glance:
    """All that was seen in one picture; ``number`` counts pictures up."""

    number: int
    taken_s: float
    pose: Pose2D
    seen: Sequence[Seen]


@dataclass(slots=True, frozen=True)
class Heard:
    """Words that somebody said, when on the robot's clock."""

    text: str
    language: str
    person: str
    heard_s: float


class DeviceError(RuntimeError):
    """A device is missing or silent; the message says which and what helps."""


class GripperRefusedError(RuntimeError):
    """The gripper did not do it. ``fault`` is the name of a constant of ``srv/GripperControl``."""

    def __init__(self, fault: str, message: str) -> None:
        super().__init__(message)
        self.fault = fault


class Robot(Protocol):
    """The robot as skills see it. All methods may be called from several threads."""

    def clock_s(self) -> float:
        """Return the clock of deadlines, in seconds; it never stands still while the robot lives."""
        ...

    def sleep(self, seconds: float, latch: Waiting | None = None) -> None:
        """Let time pass; cut short by the latch."""
        ...

    def pose(self) -> Pose2D:
        """Return the pose of the base in the map.

        Raises:
            DeviceError: localisation is silent.
        """
        ...

    def laser(self) -> LaserView:
        """Return the newest turn of the laser.

        Raises:
            DeviceError: the laser is silent.
        """
        ...

    def glance(self) -> Glance | None:
        """Return what the newest picture showed, or None before the first one."""
        ...

    def remembered(self) -> Sequence[Seen]:
        """Return the newest sighting of everything that was seen since the start."""
        ...

    def drive(self, linear_mps: float, angular_rps: float) -> None:
        """Ask for a velocity; it must be asked for again at least five times a second, else the base stops."""
        ...

    def at_rest(self) -> bool:
        """Whether the base stands, as far as its odometry tells; True where there is no odometry."""
        ...

    def held(self) -> str:
        """Return the id of what the gripper holds, empty if nothing.

        Raises:
            DeviceError: the gripper does not answer.
        """
        ...

    def grasp(self, object_id: str, position: tuple[float, float, float] | None, key: str = "") -> str:
        """Close the gripper on a thing and return its id.

        Raises:
            GripperRefusedError: it is not there, out of reach, or the gripper is full.
            DeviceError: the gripper does not answer.
        """
        ...

    def release(self, position: tuple[float, float, float] | None, key: str = "") -> None:
        """Set down what is held (errors as for :meth:`grasp`)."""
        ...

    def give(self, person_id: str, key: str = "") -> None:
        """Give what is held to a person (errors as for :meth:`grasp`)."""
        ...

    def say(self, text: str, language: str, latch: Waiting | None = None) -> None:
        """Speak words and return when they are out."""
        ...

    def heard_since(self, since_s: float) -> Sequence[Heard]:
        """Return finished utterances that were heard after a time on the robot's clock."""
        ...
