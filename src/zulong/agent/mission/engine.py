"""The front door of missions: starts them, resumes them, knows which thread is busy."""

from __future__ import annotations

import threading
import uuid
from collections.abc import Iterator, Mapping
from typing import Any

from zulong.agent.approval import ApprovalDesk
from zulong.agent.codes import TaskCode
from zulong.agent.htn.step import Plan
from zulong.agent.mission.build import build_mission_graph
from zulong.agent.mission.checking import PlanError, check_plan
from zulong.agent.mission.driver import Mission, Tell
from zulong.agent.mission.nodes import MissionNodes
from zulong.agent.mission.state import BlankWorld, MissionConfig, Outcome, Planner, Update, World
from zulong.agent.skills import SkillExecutor
from zulong.agent.thread_hold import ThreadHolds
from zulong.stategraph.checkpoint.base import BaseCheckpointSaver
from zulong.tasks import TaskEvent, TaskGraph


class MissionError(Exception):
    """A goal that cannot begin.

    Attributes:
        code: UNKNOWN_THREAD, THREAD_BUSY or INVALID_GOAL, as a goal's result reports it.
    """

    def __init__(self, code: TaskCode, message: str) -> None:
        self.code = code
        super().__init__(message)


class MissionEngine:
    """Carries out instructions and plans as checkpointed threads. Thread-safe.

    Args:
        planner: turns words into plans (``plan``), and may find another way (``replan``).
        skills: carries out the leaves.
        checkpointer: where threads live; with one on disk they survive the process.
        world: beliefs for conditions and for the comparison after an interruption.
        config: limits.
        desk: where approvals are asked for; None denies what needs one.
    """

    def __init__(
        self,
        planner: Planner,
        skills: SkillExecutor,
        checkpointer: BaseCheckpointSaver[Any],
        *,
        world: World | None = None,
        config: MissionConfig | None = None,
        desk: ApprovalDesk | None = None,
    ) -> None:
        self._planner = planner
        self._skills = skills
        self._checkpointer = checkpointer
        self._world = world if world is not None else BlankWorld()
        self._config = config if config is not None else MissionConfig()
        self._desk = desk
        self._lock = threading.Lock()
        self._busy: dict[str, Mission] = {}
        self._holds = ThreadHolds(checkpointer)

    def start(
        self,
        instruction: str = "",
        *,
        plan: Plan | None = None,
        skill_budget: int | None = None,
        time_limit_s: float | None = None,
        language: str = "en",
        person: str = "",
        context: Mapping[str, Any] | None = None,
        tell: Tell | None = None,
        thread_id: str | None = None,
    ) -> Mission:
        """Return a mission for a new instruction or a ready plan; nothing happens before its ``run``.

        Args:
            instruction: the user's words; may be empty with a plan.
            plan: followed instead of making one.
            skill_budget: most skill calls; the words may set a tighter one. None: no limit by this field.
            time_limit_s: longest run, on the steady clock. None: the configuration's.
            language: for sentences to the user until the planner has found it out.
            person: id of who asks.
            context: the planner's dialogue context of the turn before.
            tell: called with every :class:`Update`, from the thread that runs or from a skill's.
            thread_id: id of the new thread; made up when None.

        Raises:
            MissionError: INVALID_GOAL (nothing to do, a bad limit, a plan that cannot be followed) or
                THREAD_BUSY.
        """
        if not instruction.strip() and plan is None:
            raise MissionError(
                TaskCode.INVALID_GOAL, "instruction is empty and there is no plan; give one of them."
            )
        request: dict[str, Any] = {
            "kind": "instruction" if plan is None else "plan",
            "text": instruction.strip(),
            "budget": _checked_budget(skill_budget),
            "language": language,
            "person": person,
            "context": dict(context or {}),
        }
        if plan is not None:
            try:
                check_plan(plan)
                request["plan"] = plan.to_dict()
            except (PlanError, AttributeError, TypeError) as error:
                raise MissionError(TaskCode.INVALID_GOAL, f"{error}") from error
        return self._mission(thread_id or uuid.uuid4().hex, request, time_limit_s, tell)

    def resume(
        self,
        thread_id: str,
        answer: str = "",
        *,
        skill_budget: int | None = None,
        time_limit_s: float | None = None,
        tell: Tell | None = None,
    ) -> Mission:
        """Return a mission that goes on with a thread: after a kill, a question, a cancel or a failure.

        Args:
            thread_id: the thread.
            answer: the user's answer when it waits for one.
            skill_budget: further skill calls allowed from now on; None leaves the thread's own limit.
            time_limit_s, tell: as for :meth:`start`.

        Raises:
            MissionError: UNKNOWN_THREAD, THREAD_BUSY or INVALID_GOAL.
        """
        if not self.knows(thread_id):
            raise MissionError(
                TaskCode.UNKNOWN_THREAD, f"There is no thread {thread_id!r}; ListTasks names those."
            )
        request = {"kind": "resume", "text": answer.strip(), "budget": _checked_budget(skill_budget)}
        return self._mission(thread_id, request, time_limit_s, tell)

    def run(self, instruction: str = "", **options: Any) -> Outcome:
        """Start a mission and carry it out in the calling thread; see :meth:`start` for the arguments."""
        return self.carry_out(self.start(instruction, **options))

    def carry_out(self, mission: Mission) -> Outcome:
        """Run a mission in the calling thread and free its thread afterwards, whatever happens."""
        try:
            return mission.run()
        finally:
            self.release(mission)

    def release(self, mission: Mission) -> None:
        """Free the thread of a mission that has ended or will not be run."""
        with self._lock:
            if self._busy.get(mission.thread_id) is mission:
                del self._busy[mission.thread_id]
                self._holds.release(mission.thread_id)

    @property
    def missions(self) -> tuple[Mission, ...]:
        """The missions that were started and not released."""
        with self._lock:
            return tuple(self._busy.values())

    def mission(self, thread_id: str) -> Mission | None:
        """Return the mission that holds a thread, None when none does."""
        with self._lock:
            return self._busy.get(thread_id)

    def knows(self, thread_id: str) -> bool:
        """Return whether a thread has a checkpoint."""
        return self._checkpointer.get_tuple({"configurable": {"thread_id": thread_id}}) is not None

    def task_graph(self, thread_id: str, checkpoint_id: str | None = None) -> TaskGraph:
        """Return the task graph of a thread's last checkpoint, or of an earlier one.

        Raises:
            MissionError: UNKNOWN_THREAD.
        """
        where: dict[str, Any] = {"thread_id": thread_id}
        if checkpoint_id is not None:
            where["checkpoint_id"] = checkpoint_id
        if self._checkpointer.get_tuple({"configurable": {**where, "checkpoint_ns": ""}}) is None:
            raise MissionError(
                TaskCode.UNKNOWN_THREAD, f"There is no thread {thread_id!r} or no such checkpoint."
            )
        events = self._reader().get_state({"configurable": where}).values.get("events", [])
        return TaskGraph.from_events([TaskEvent.from_dict(event) for event in events])

    def history(self, thread_id: str, limit: int | None = None) -> Iterator[tuple[str, Mapping[str, Any]]]:
        """Yield (checkpoint id, state values) of a thread, newest first."""
        config: Any = {"configurable": {"thread_id": thread_id}}
        for snapshot in self._reader().get_state_history(config, limit=limit):
            yield snapshot.config["configurable"]["checkpoint_id"], snapshot.values

    def _reader(self) -> Any:
        """Return a compiled graph that is only read with."""
        nodes = MissionNodes(self._planner, self._skills, self._world, self._config, _nothing, "")
        return build_mission_graph(nodes, self._checkpointer)

    def _mission(
        self, thread_id: str, request: Mapping[str, Any], time_limit_s: float | None, tell: Tell | None
    ) -> Mission:
        if time_limit_s is not None and not time_limit_s > 0:
            raise MissionError(TaskCode.INVALID_GOAL, f"time_limit must be positive, got {time_limit_s} s.")
        with self._lock:
            if thread_id in self._busy or not self._holds.take(thread_id):
                raise MissionError(
                    TaskCode.THREAD_BUSY,
                    f"Another goal runs thread {thread_id!r}; cancel it or wait for its end.",
                )
            mission = Mission(
                thread_id,
                request,
                planner=self._planner,
                skills=self._skills,
                checkpointer=self._checkpointer,
                world=self._world,
                config=self._config,
                desk=self._desk,
                time_limit_s=time_limit_s,
                tell=tell,
            )
            self._busy[thread_id] = mission
            return mission


def _nothing(update: Update) -> None:
    """Take an update that nobody wants."""


def _checked_budget(budget: int | None) -> int | None:
    """Return the budget; the message's -1 means none. Raises MissionError for other negative numbers."""
    if budget is None or budget == -1:
        return None
    if budget < 0:
        raise MissionError(
            TaskCode.INVALID_GOAL, f"tool_budget must be -1 (no limit), 0 or more, got {budget}."
        )
    return budget
