"""What a skill is: its advertisement, the one way it runs, how it fails and how it is cancelled."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, Protocol

from zulong.experts.robot import Robot


class ErrorCode(Enum):
    """Outcome of a skill; the names are the constants of ``action/ExecuteSkill``."""

    SUCCEEDED = "SUCCEEDED"
    CANCELED = "CANCELED"
    INVALID_ARGUMENTS = "INVALID_ARGUMENTS"
    UNKNOWN_SKILL = "UNKNOWN_SKILL"
    NOT_FOUND = "NOT_FOUND"
    UNREACHABLE = "UNREACHABLE"
    BLOCKED = "BLOCKED"
    TIMEOUT = "TIMEOUT"
    OUT_OF_REACH = "OUT_OF_REACH"
    PRECONDITION_FAILED = "PRECONDITION_FAILED"
    NO_ANSWER = "NO_ANSWER"
    UNAVAILABLE = "UNAVAILABLE"
    ABORTED_BY_SAFETY = "ABORTED_BY_SAFETY"
    BUSY = "BUSY"
    OUTCOME_UNKNOWN = "OUTCOME_UNKNOWN"
    INTERNAL = "INTERNAL"


class SkillError(RuntimeError):
    """A skill ended without success; ``code`` says how, the message says what was wrong and what helps."""

    def __init__(self, code: ErrorCode, message: str) -> None:
        super().__init__(message)
        self.code = code


class CanceledError(SkillError):
    """The goal was cancelled; the base is at rest when this leaves the skill."""

    def __init__(self) -> None:
        super().__init__(ErrorCode.CANCELED, "The goal was cancelled; the robot is at rest.")


class CancelLatch:
    """A cancel that, once asked for, stays asked for. Safe from any thread."""

    def __init__(self) -> None:
        self._event = threading.Event()

    def set(self) -> None:
        """Ask for the end."""
        self._event.set()

    @property
    def is_set(self) -> bool:
        """Whether the end was asked for."""
        return self._event.is_set()

    def wait(self, seconds: float) -> bool:
        """Sleep for ``seconds`` or until the end is asked for; return whether it was."""
        return self._event.wait(seconds)


@dataclass(slots=True, frozen=True)
class SkillSpec:
    """The advertisement of a skill.

    Attributes:
        name: as in plans, for instance ``go_to``.
        description: one sentence that a model or a person can choose by.
        arguments: JSON schema (an object) of the arguments.
        result: JSON schema (an object) of the result.
        has_side_effects: it changes the world, so that it must not happen twice for one idempotency key.
        moves_base: it drives; only one such skill runs at a time.
        uses_arm: it uses the gripper; only one such skill runs at a time.
        typical_s: how long it usually takes, seconds.
        limit_s: how long it may take if the goal sets no limit, seconds.
    """

    name: str
    description: str
    arguments: Mapping[str, Any]
    result: Mapping[str, Any]
    has_side_effects: bool = False
    moves_base: bool = False
    uses_arm: bool = False
    typical_s: float = 1.0
    limit_s: float = 60.0


Report = Callable[[float, str, Mapping[str, Any]], None]


@dataclass(slots=True)
class Run:
    """One run of a skill: the robot, the cancel latch, the deadline on the robot's clock, and progress outward."""

    robot: Robot
    latch: CancelLatch
    deadline_s: float
    report_to: Report
    _progress: float = field(default=0.0)

    def check(self) -> None:
        """Raise if the goal was cancelled or its time is over.

        Raises:
            CanceledError: cancelled.
            SkillError: TIMEOUT.
        """
        if self.latch.is_set:
            raise CanceledError
        if self.robot.clock_s() >= self.deadline_s:
            raise SkillError(ErrorCode.TIMEOUT, "The time limit of the goal ended before the skill did.")

    def pause(self, seconds: float) -> None:
        """Let time pass, in steps short enough that a cancel is honoured within 50 ms.

        Raises:
            CanceledError: cancelled meanwhile.
            SkillError: TIMEOUT.
        """
        end = self.robot.clock_s() + seconds
        while True:
            self.check()
            left = end - self.robot.clock_s()
            if left <= 0.0:
                return
            self.robot.sleep(min(left, 0.05), self.latch)

    def report(self, progress: float, message: str, **state: Any) -> None:
        """Tell how far it is (0 to 1, never falling) and what happens now."""
        self._progress = max(self._progress, min(1.0, progress))
        self.report_to(self._progress, message, state)


class Skill(Protocol):
    """A skill: its advertisement and the function that carries it out from start to result."""

    @property
    def spec(self) -> SkillSpec:
        """The advertisement."""
        ...

    def run(self, arguments: Mapping[str, Any], run: Run) -> dict[str, Any]:
        """Carry it out and return the result.

        Blocks its thread; calls :meth:`Run.check` or :meth:`Run.pause` at least every 50 ms, reports progress,
        and leaves the base at rest however it ends.

        Raises:
            SkillError: with the code of the outcome.
        """
        ...
