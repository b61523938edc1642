"""L3: the skills as one ExecuteSkill server, advertised one by one on ``skills``."""

from __future__ import annotations

import json
import math
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any, ClassVar

from zulong.action import ExecuteSkill
from zulong.apartment import ApartmentError, load_apartment
from zulong.experts.ledger import Ledger, LedgerError
from zulong.experts.navigation.navigator import Navigator
from zulong.experts.navigation.pursuit import DriveLimits
from zulong.experts.runner import Outcome, SkillRunner
from zulong.experts.skill import CancelLatch, SkillSpec
from zulong.experts.skills import all_skills
from zulong.experts.skills.toolbox import Toolbox
from zulong.msg import SkillInfo
from zulong.nodes import names, qos
from zulong.nodes.actions import Goal
from zulong.nodes.base import ConfigurationError, Health, Parameter, ZulongNode, main
from zulong.nodes.robot_port import TopicRobot
from zulong.nodes.stamps import from_duration, to_duration
from zulong.nodes.state import STATE_DIR, state_folder

_FEEDBACK_S = 0.2
_MOST_GOALS = 16


class ExpertsNode(ZulongNode):
    """Hosts the skills; each goal runs in its own thread, and one at a time holds the base."""

    parameters: ClassVar[tuple[Parameter, ...]] = (
        Parameter("world", "", "File of the home; empty: config/apartment.yaml.", read_only=True),
        Parameter(
            "detections_topic",
            names.SIM_OBJECTS,
            "DetectionArray that skills look at; on a robot: detections, from the vision node.",
            read_only=True,
        ),
        Parameter(
            "linear_speed",
            0.6,
            "Fastest that skills drive.",
            unit="m/s",
            minimum=0.1,
            maximum=2.0,
            read_only=True,
        ),
        Parameter(
            "angular_speed",
            1.4,
            "Fastest that skills turn.",
            unit="rad/s",
            minimum=0.2,
            maximum=4.0,
            read_only=True,
        ),
        Parameter(
            "camera_x",
            0.06,
            "Camera ahead of the base's centre.",
            unit="m",
            minimum=-1.0,
            maximum=1.0,
            read_only=True,
        ),
        Parameter(
            "camera_z", 1.20, "Height of the camera.", unit="m", minimum=0.0, maximum=3.0, read_only=True
        ),
        Parameter(
            "camera_pitch",
            0.30,
            "Camera's tilt down.",
            unit="rad",
            minimum=-1.57,
            maximum=1.57,
            read_only=True,
        ),
        STATE_DIR,
    )

    def __init__(self) -> None:
        super().__init__("experts")
        self._ledger: Ledger | None = None

    def setup(self) -> None:
        """Load the home, open the ledger, make the robot's port and the server."""
        world = self.param("world")
        try:
            home = load_apartment(Path(world)) if world else load_apartment()
        except (ApartmentError, OSError) as error:
            raise ConfigurationError(f"The home cannot be read: {error}") from error
        try:
            self._ledger = Ledger(state_folder(self, "ledger"))
        except LedgerError as error:
            raise ConfigurationError(str(error)) from error
        limits = DriveLimits(linear_mps=self.param("linear_speed"), angular_rps=self.param("angular_speed"))
        camera = (self.param("camera_x"), self.param("camera_z"), self.param("camera_pitch"))
        self._robot = TopicRobot(self, self.param("detections_topic"), camera)
        skills = all_skills(Toolbox(home, Navigator(home, limits)))
        self._runner = SkillRunner(skills, self._robot, self._ledger, self.note_fault)
        self._infos = self.create_publisher(SkillInfo, names.SKILLS, qos.latched(depth=64))
        self._server = self.serve_goals(
            ExecuteSkill, names.EXECUTE_SKILL, self._execute, max_goals=_MOST_GOALS
        )
        self._done: dict[str, int] = {}

    def start(self) -> None:
        """Offer the skills."""
        self._advertise(available=True)

    def stop(self) -> None:
        """Withdraw the skills; the base stands."""
        self._advertise(available=False)
        self._robot.drive(0.0, 0.0)

    def teardown(self) -> None:
        """Close the ledger."""
        if self._ledger is not None:
            self._ledger.close()
            self._ledger = None

    def health(self) -> Health:
        """Count outcomes."""
        counts = {f"outcome.{code}": number for code, number in sorted(self._done.items())}
        return Health(message=f"{self.running_goals} goals run.", values=dict(counts))

    def _advertise(self, available: bool) -> None:
        for skill in self._runner.skills.values():
            self._infos.publish(self._info(skill.spec, available))

    def _info(self, spec: SkillSpec, available: bool) -> SkillInfo:
        return SkillInfo(
            stamp=self.get_clock().now().to_msg(),
            name=spec.name,
            description=spec.description,
            arguments_schema_json=json.dumps(spec.arguments),
            result_schema_json=json.dumps(spec.result),
            action_name=self.resolve_service_name(names.EXECUTE_SKILL),
            node_name=self.get_fully_qualified_name(),
            needs_approval=False,
            approval=SkillInfo.APPROVAL_NEVER,
            available=available,
            has_side_effects=spec.has_side_effects,
            moves_base=spec.moves_base,
            uses_arm=spec.uses_arm,
            typical_duration_s=spec.typical_s,
        )

    def _execute(self, goal: Goal) -> Any:
        request = goal.request
        if from_duration(request.time_limit) < 0.0:
            return ExecuteSkill.Result(
                error_code=ExecuteSkill.Result.INVALID_ARGUMENTS,
                error_msg="time_limit is negative; zero stands for the skill's own limit.",
            )
        latch = CancelLatch()
        goal.on_cancel(latch.set)
        feedback = _FeedbackStream(goal)
        outcome = self._runner.execute(
            request.skill,
            request.arguments_json,
            request.idempotency_key,
            from_duration(request.time_limit),
            latch,
            feedback.report,
        )
        self._done[outcome.code.value] = self._done.get(outcome.code.value, 0) + 1
        return _result(outcome, goal)


class _FeedbackStream:
    """Progress as feedback: at once when the sentence changes, else five times a second."""

    def __init__(self, goal: Goal) -> None:
        self._goal = goal
        self._sent_s = -math.inf
        self._message = ""

    def report(self, progress: float, message: str, state: Mapping[str, Any]) -> None:
        """Send progress (0 to 1), a sentence and details."""
        now = time.monotonic()
        if message == self._message and now - self._sent_s < _FEEDBACK_S:
            return
        self._sent_s, self._message = now, message
        self._goal.publish(
            ExecuteSkill.Feedback(
                progress=float(progress), message=message, state_json=json.dumps(dict(state))
            )
        )


def _result(outcome: Outcome, goal: Goal) -> Any:
    return ExecuteSkill.Result(
        error_code=getattr(ExecuteSkill.Result, outcome.code.value),
        error_msg=outcome.message,
        result_json=json.dumps(dict(outcome.result), ensure_ascii=False),
        replayed=outcome.replayed,
        elapsed=to_duration(goal.elapsed_s()),
    )


if __name__ == "__main__":
    raise SystemExit(main(ExpertsNode))
