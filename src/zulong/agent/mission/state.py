"""What a mission's thread keeps in its checkpoint, and the requests and answers that go in and out of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any, Protocol, TypedDict

from zulong.agent.htn.step import PlanResult
from zulong.agent.surroundings import InterruptionLimits, Surroundings
from zulong.stategraph.channels import AppendLog
from zulong.tasks import TaskGraph, TaskNode

ROOT = "goal"


class MissionState(TypedDict, total=False):
    """The channels of a mission's StateGraph; plain values only.

    Attributes:
        request: what the present run was asked: ``{"kind": "instruction" | "plan" | "resume", ...}``.
        instruction: the words the mission began with.
        language: of the words to the user, ``zh`` or ``en``.
        context: the planner's dialogue context.
        events: the task graph's events, appended.
        hold: "" or why nothing new is started: ``paused``, ``frozen``.
        budget: limit and use of skill calls, see :class:`zulong.agent.budget.Budget`.
        inputs: what the last wait brought: results, commands, a stop, a verdict.
        question: what the user is asked, None when nothing.
        failure: the first failure that could not be repaired, None while there is none.
        replans: how often a plan was repaired or made anew.
        outcome: how the mission ended: code, message, summary; None while it runs.
    """

    request: dict[str, Any]
    instruction: str
    language: str
    context: dict[str, Any]
    events: Annotated[list[dict[str, Any]], AppendLog]
    hold: str
    budget: dict[str, Any]
    inputs: dict[str, Any]
    question: dict[str, Any] | None
    failure: dict[str, Any] | None
    replans: int
    outcome: dict[str, Any] | None


class Planner(Protocol):
    """Whoever turns words into a plan, a question or a refusal (the offline planner, a model behind it)."""

    def plan(self, text: str, context: Mapping[str, Any] | None = None) -> PlanResult:
        """Return what the words come to. ``context`` is that of the turn before, when there was one."""


@dataclass(slots=True, frozen=True)
class Failure:
    """What a planner is told when a leaf has failed and no alternative is left in its plan."""

    node: TaskNode
    code: int
    message: str
    graph: TaskGraph


class Replanner(Protocol):
    """A planner that can also find another way when one has failed."""

    def replan(self, failure: Failure, context: Mapping[str, Any] | None = None) -> PlanResult | None:
        """Return another way for what ``failure.node`` was to reach, None when there is none."""


class World(Protocol):
    """What the mission asks of the robot's view of the world."""

    def facts(self) -> Mapping[str, Any]:
        """Return beliefs by dotted name, for conditions."""

    def surroundings(self) -> Surroundings:
        """Return how things look now, for the comparison after an interruption."""


class BlankWorld:
    """A world of which nothing is known."""

    def facts(self) -> Mapping[str, Any]:
        """See :class:`World`."""
        return {}

    def surroundings(self) -> Surroundings:
        """See :class:`World`."""
        return Surroundings()


@dataclass(slots=True, frozen=True)
class MissionConfig:
    """Limits of a mission; defaults as in ``config/agent.yaml``, section ``mission``.

    Attributes:
        time_limit_s: longest run of one goal.
        skill_time_limit_s: longest wait for one skill's result where its profile names none.
        cancel_time_limit_s: longest wait for a canceled skill to come to rest.
        approval_time_limit_s: silence that counts as no.
        retries: attempts after the first for a failure that may pass by itself.
        retry_pause_s: seconds before such a retry.
        transient: names of the skill codes that may pass by themselves.
        max_replans: repairs of the plan before the mission gives up.
        max_parallel: skills under way at once.
        approval: ``always`` asks before every skill with a side effect, ``risky`` as profiles say, ``never``.
        surroundings: what counts as changed when an interrupted mission is taken up again.
    """

    time_limit_s: float = 1800.0
    skill_time_limit_s: float = 300.0
    cancel_time_limit_s: float = 5.0
    approval_time_limit_s: float = 30.0
    retries: int = 2
    retry_pause_s: float = 0.5
    transient: Sequence[str] = ("BUSY", "UNAVAILABLE", "BLOCKED")
    max_replans: int = 8
    max_parallel: int = 4
    approval: str = "risky"
    surroundings: InterruptionLimits = field(default_factory=InterruptionLimits)


@dataclass(slots=True, frozen=True)
class Outcome:
    """How a goal ended.

    Attributes:
        code: value of :class:`zulong.agent.codes.TaskCode`.
        message: one sentence: what went wrong and what helps; empty on success.
        summary: what was done and found, in the language of the instruction.
        thread_id: the thread, to resume or to read.
        skill_calls: skill calls made in the thread.
        question: what the user is asked when the code is NEEDS_INPUT: text, slot, options.
    """

    code: int
    message: str
    summary: str
    thread_id: str
    skill_calls: int = 0
    question: Mapping[str, Any] | None = None


@dataclass(slots=True, frozen=True)
class Update:
    """What a mission tells while it runs.

    Attributes:
        phase: value of :class:`zulong.agent.codes.Phase`.
        thread_id: the thread.
        message: one sentence about what happens now; may be empty.
        graph: the task graph after the change (of the mission's thread: read it in the callback), None when
            unchanged.
        node_id, progress: the leaf that reports progress 0..1; "" and 0 otherwise.
    """

    phase: int
    thread_id: str
    message: str = ""
    graph: TaskGraph | None = None
    node_id: str = ""
    progress: float = 0.0
    extra: Mapping[str, Any] = field(default_factory=dict)
