"""The robot of the simulator in the same process, as skills see it: simulated time passes only while they wait.

Runs skills without ROS, many times faster than real time and the same each time; tests and benchmarks use it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from zulong.apartment import Pose2D
from zulong.experts.robot import Glance, GripperRefusedError, Heard, LaserView, Seen, Waiting
from zulong.experts.scene import SceneBook
from zulong.sim.gripper import GripperError
from zulong.sim.mjcf import TIMESTEP_S
from zulong.sim.simulator import Simulator

_GLANCE_S = 0.2
_SCAN_S = 0.05
_COMMAND_LASTS_S = 0.5


class InlineRobot:
    """Implements :class:`zulong.experts.robot.Robot` over a :class:`Simulator`. For one thread.

    Args:
        simulator: the world.
        each_step: called after each simulated step of 10 ms, for stories that tests tell.
    """

    def __init__(self, simulator: Simulator, each_step: Callable[[], None] | None = None) -> None:
        self.sim = simulator
        self.each_step = each_step
        self.said: list[str] = []
        self.bumps = 0
        self._scene = SceneBook()
        self._heard: list[Heard] = []
        self._glances = 0
        self._glance: Glance | None = None
        self._laser: LaserView | None = None
        self._next_glance_s = 0.0
        self._next_scan_s = 0.0
        self._commanded_s = -math.inf
        self._observe()

    def clock_s(self) -> float:
        """See :class:`zulong.experts.robot.Robot`, as for all of this class."""
        return self.sim.time_s

    def sleep(self, seconds: float, latch: Waiting | None = None) -> None:
        """Let simulated time pass."""
        for _ in range(max(1, round(seconds / TIMESTEP_S))):
            if latch is not None and latch.is_set:
                return
            if self.sim.time_s - self._commanded_s > _COMMAND_LASTS_S:
                self.sim.drive(0.0, 0.0)
            self.sim.step()
            self.bumps += bool(self.sim.world.touching())
            self._observe()
            if self.each_step is not None:
                self.each_step()

    def pose(self) -> Pose2D:
        """True pose."""
        return self.sim.world.robot_pose

    def laser(self) -> LaserView:
        """Newest scan, 20 a second."""
        assert self._laser is not None  # observed in the constructor  # noqa: S101
        return self._laser

    def glance(self) -> Glance | None:
        """Newest sightings, five a second."""
        return self._glance

    def remembered(self) -> Sequence[Seen]:
        """Everything seen so far."""
        return self._scene.remembered()

    def drive(self, linear_mps: float, angular_rps: float) -> None:
        """Command the base."""
        self._commanded_s = self.sim.time_s
        self.sim.drive(linear_mps, angular_rps)

    def at_rest(self) -> bool:
        """Whether the base stands."""
        linear, _, angular = self.sim.world.robot_velocity
        return abs(linear) < 0.02 and abs(angular) < 0.05

    def held(self) -> str:
        """What the gripper holds."""
        return self.sim.gripper.held.spec.id if self.sim.gripper.held else ""

    def grasp(self, object_id: str, position: tuple[float, float, float] | None, key: str = "") -> str:
        """Close the gripper."""
        try:
            taken = self.sim.gripper.grasp(object_id, position).spec.id
        except GripperError as error:
            raise GripperRefusedError(error.fault.value, str(error)) from error
        self._scene.forget(taken)
        return taken

    def release(self, position: tuple[float, float, float] | None, key: str = "") -> None:
        """Open the gripper at a spot."""
        try:
            self.sim.gripper.release(position)
        except GripperError as error:
            raise GripperRefusedError(error.fault.value, str(error)) from error

    def give(self, person_id: str, key: str = "") -> None:
        """Hand over."""
        try:
            self.sim.gripper.hand_over(person_id)
        except GripperError as error:
            raise GripperRefusedError(error.fault.value, str(error)) from error

    def say(self, text: str, language: str, latch: Waiting | None = None) -> None:
        """Speak; people in earshot hear it."""
        self.said.append(text)
        self.sim.say(text)
        self.sleep(0.3, latch)

    def heard_since(self, since_s: float) -> Sequence[Heard]:
        """What people answered."""
        return [h for h in self._heard if h.heard_s > since_s]

    def _observe(self) -> None:
        now = self.sim.time_s
        if now >= self._next_scan_s:
            self._next_scan_s = now + _SCAN_S
            laser = self.sim.laser
            self._laser = LaserView(
                self.sim.scan(),
                laser.angle_min_rad,
                laser.angle_increment_rad,
                self.sim.world.robot_pose,
                now,
            )
        if now >= self._next_glance_s:
            self._next_glance_s = now + _GLANCE_S
            seen = [
                Seen(s.id, s.label, s.category, s.colour, s.position, s.score, now, s.attributes)
                for s in self.sim.sightings()
            ]
            self._glances += 1
            self._glance = Glance(self._glances, now, self.sim.world.robot_pose, seen)
            self._scene.note(seen)
        self._heard += [Heard(u.text, u.language, u.person, now) for u in self.sim.replies()]
