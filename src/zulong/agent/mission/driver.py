"""One goal being carried out: drives the mission's StateGraph and serves what it waits for."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Mapping
from typing import Any

from zulong.agent.approval import ApprovalDesk
from zulong.agent.codes import Phase, TaskCode
from zulong.agent.interruption import look_around
from zulong.agent.latch import CancelLatch, latch_in_context
from zulong.agent.mission.build import build_mission_graph
from zulong.agent.mission.calls import Calls
from zulong.agent.mission.commands import withdrawn_by
from zulong.agent.mission.nodes import MissionNodes
from zulong.agent.mission.state import MissionConfig, Outcome, Planner, Update, World
from zulong.agent.mission.words import say, summary
from zulong.agent.skills import SkillExecutor
from zulong.agent.surroundings import Decision, Surroundings
from zulong.stategraph.checkpoint.base import BaseCheckpointSaver
from zulong.stategraph.types import Command
from zulong.tasks import TaskGraph

logger = logging.getLogger(__name__)

Tell = Callable[[Update], None]
_LONGEST_SLEEP_S = 1.0


class _Shutdown(Exception):
    """The process goes down; the thread stays suspended where it is."""


class Mission:
    """A goal: made by :class:`~zulong.agent.mission.engine.MissionEngine`, carried out by :meth:`run`.

    Every other method may be called from any thread at any time, before :meth:`run` as well.

    Attributes:
        thread_id: the checkpointed thread.
    """

    def __init__(
        self,
        thread_id: str,
        request: Mapping[str, Any],
        *,
        planner: Planner,
        skills: SkillExecutor,
        checkpointer: BaseCheckpointSaver[Any],
        world: World,
        config: MissionConfig,
        desk: ApprovalDesk | None,
        time_limit_s: float | None,
        tell: Tell | None,
    ) -> None:
        self.thread_id = thread_id
        self._request = dict(request)
        self._config = config
        self._world = world
        self._tell_user = tell
        self._limit_s = config.time_limit_s if time_limit_s is None else time_limit_s
        self._latch = CancelLatch()
        self._shutdown = threading.Event()
        self._woken = threading.Condition()
        # Whoever resumes a thread wants it to go on, also where it was paused before.
        resumed = request["kind"] == "resume"
        self._commands: list[dict[str, Any]] = [{"command": "resume"}] if resumed else []
        self._freezes: list[tuple[str, str]] = []
        self._frozen_at: Surroundings | None = None
        self._news = False
        self._held: dict[str, Any] = {}
        self._settling: set[str] = set()
        self._deadline = float("inf")
        self._ending = threading.Lock()
        self._ended = False
        self._nodes = MissionNodes(planner, skills, world, config, self._tell, thread_id)
        self._graph = build_mission_graph(self._nodes, checkpointer)
        self._run_config: Any = {"configurable": {"thread_id": thread_id}, "recursion_limit": 10_000}
        self._calls = Calls(skills, config, desk, self._wake, self._progress)
        self._latch.on_set(self._wake)

    # -- steering, from any thread -------------------------------------------------------------------------

    def cancel(self, reason: str = "") -> bool:
        """End the goal as soon as the robot is at rest; returns False when it has ended already.

        A cancel is never lost: after True the outcome is not SUCCEEDED.
        """
        with self._ending:
            if self._ended:
                return False
            self._latch.set(reason)
            return True

    def shut_down(self) -> None:
        """End :meth:`run` with SHUTTING_DOWN, the skills at rest and the thread ready to be resumed."""
        self._shutdown.set()
        self._wake()

    def pause(self) -> None:
        """Stop what moves and start nothing until :meth:`resume`."""
        self._command({"command": "pause"})

    def resume(self) -> None:
        """Go on after :meth:`pause`."""
        self._command({"command": "resume"})

    def skip(self, node_id: str) -> None:
        """Leave a task node out; what depends on it goes on."""
        self._command({"command": "skip", "node_id": node_id})

    def adjust(
        self, node_id: str, *, title: str | None = None, arguments: Mapping[str, Any] | None = None
    ) -> None:
        """Change a task node; what was done under it with the old words is done again."""
        plain = None if arguments is None else dict(arguments)
        self._command({"command": "adjust", "node_id": node_id, "title": title, "arguments": plain})

    def roll_back(self, node_id: str) -> None:
        """Undo a node and what was built on it: compensations run, then it is pending again."""
        self._command({"command": "rollback", "node_id": node_id})

    def freeze(self, reason: str = "") -> None:
        """A reflex holds the robot: start nothing until :meth:`thaw`. What runs is left to the reflex."""
        with self._woken:
            self._freezes.append(("freeze", reason))
            self._woken.notify_all()

    def thaw(self, words: str = "") -> None:
        """The reflex let go: compare the surroundings with those before, and abort, replan, merge or go on.

        Args:
            words: what the user said meanwhile.
        """
        with self._woken:
            self._freezes.append(("thaw", words))
            self._woken.notify_all()

    # -- running -------------------------------------------------------------------------------------------

    def run(self) -> Outcome:
        """Carry the goal out and return how it ended; blocks, and is called once."""
        self._deadline = time.monotonic() + self._limit_s
        try:
            outcome = self._drive()
        except _Shutdown:
            message = "The planner goes down; resume the thread when it is up again."
            outcome = self._outcome(TaskCode.SHUTTING_DOWN, message)
        except Exception as error:
            logger.exception("Mission %s failed.", self.thread_id)
            self._rest()
            outcome = self._outcome(TaskCode.INTERNAL, f"The planner failed: {error!r}; see its log.")
        return self._conclude(outcome)

    def _drive(self) -> Outcome:
        if self._latch.is_set:
            return self._canceled_outcome()
        given = self._first_input()
        while True:
            with latch_in_context(self._latch):
                self._graph.invoke(given, self._run_config, durability="sync")
            snapshot = self._graph.get_state(self._run_config)
            pending = snapshot.interrupts
            if not pending:
                return self._final(snapshot.values)
            waiting = pending[0]
            if waiting.value["kind"] == "question":
                question = {key: waiting.value.get(key) for key in ("text", "slot", "options")}
                return self._outcome(TaskCode.NEEDS_INPUT, str(question["text"]), question)
            given = Command(resume={waiting.id: self._serve(waiting.value)})

    def _first_input(self) -> Any:
        """Return what the graph is called with: the request, or what its thread was suspended for."""
        snapshot = self._graph.get_state(self._run_config)
        if not snapshot.next:
            return {"request": self._request}
        self._calls.inherit()
        if not snapshot.interrupts:
            return None  # killed inside a step: run the step again
        waiting = snapshot.interrupts[0]
        if waiting.value["kind"] == "question":
            answer = str(self._request.get("text", ""))
            return Command(resume={waiting.id: answer}) if answer else None
        return Command(resume={waiting.id: self._serve(waiting.value)})

    def _serve(self, request: Mapping[str, Any]) -> dict[str, Any]:
        """Have the wanted calls carried out and return what happens first."""
        hold = str(request.get("hold", ""))
        self._calls.reconcile(request["calls"], self.thread_id)
        if hold == "paused":
            self._calls.cancel_all()
        if hold == "frozen" and self._frozen_at is None:
            # Frozen by a process that is gone: nobody will thaw it, so look around and go on.
            self._frozen_at = self._world.surroundings()
            self.thaw()
        told_approval = False
        while True:
            stop = self._stop_inputs()
            if stop is not None:
                return stop
            self._calls.advance(may_start=not hold)
            inputs = self._take_inputs(hold)
            if inputs:
                return inputs
            if self._calls.waiting_for_approval and not told_approval:
                told_approval = True
                self._tell(Update(int(Phase.WAITING_APPROVAL), self.thread_id))
            self._sleep(min(self._deadline, self._calls.next_deadline()))

    def _stop_inputs(self) -> dict[str, Any] | None:
        if self._shutdown.is_set():
            self._rest()
            raise _Shutdown
        if self._latch.is_set:
            self._tell(Update(int(Phase.CANCELING), self.thread_id))
            stop = {"code": int(TaskCode.CANCELED), "message": self._canceled_message()}
        elif time.monotonic() >= self._deadline:
            limit = f"{self._limit_s:g}"
            stop = {"code": int(TaskCode.TIME_LIMIT), "message": self._say("time", limit=limit)}
        else:
            return None
        self._rest()
        return {"results": self._calls.take_results(), "stop": stop}

    def _take_inputs(self, hold: str) -> dict[str, Any]:
        """Return what has come; what takes running calls away comes when they are at rest, with their results."""
        if not self._held:
            self._held = self._take_steering(hold)
            if self._held:
                self._settling = self._calls.withdraw(withdrawn_by(self._held, self.task_graph()))
        if self._settling and not self._calls.at_rest(self._settling):
            return {}
        inputs, self._held, self._settling = self._held, {}, set()
        results = self._calls.take_results()
        return {**inputs, "results": results} if results else inputs

    def _take_steering(self, hold: str) -> dict[str, Any]:
        inputs: dict[str, Any] = {}
        with self._woken:
            commands, self._commands = self._commands, []
            freezes, self._freezes = self._freezes, []
        if commands:
            inputs["commands"] = commands
        for kind, text in freezes:
            if kind == "freeze" and self._frozen_at is None:
                self._frozen_at = self._world.surroundings()
                if hold != "paused":
                    inputs["hold"] = "frozen"
            elif kind == "thaw" and self._frozen_at is not None:
                inputs["verdict"] = self._look_around(self._frozen_at, text)
                self._frozen_at = None
                if hold != "paused":
                    inputs["hold"] = ""
        return inputs

    def _look_around(self, before: Surroundings, words: str) -> dict[str, Any]:
        verdict = look_around(
            self.task_graph(),
            before,
            self._world.surroundings(),
            words=words,
            limits=self._config.surroundings,
        )
        spoken = words if verdict.decision in (Decision.MERGE, Decision.REPLAN) else ""
        if spoken and verdict.rule not in ("user says change", "user adds"):
            spoken = ""
        return {
            "decision": verdict.decision.value,
            "rule": verdict.rule,
            "reason": verdict.reason,
            "words": spoken,
        }

    def _rest(self) -> None:
        """Cancel every call and wait until all have ended, as long as the configuration allows."""
        self._calls.cancel_all()
        self._calls.drop_unstarted()
        limit = time.monotonic() + self._config.cancel_time_limit_s + 1.0
        while not self._calls.idle and time.monotonic() < limit:
            self._calls.advance(may_start=False)
            if not self._calls.idle:
                self._sleep(min(limit, self._calls.next_deadline()))

    # -- ending --------------------------------------------------------------------------------------------

    def _final(self, values: Mapping[str, Any]) -> Outcome:
        outcome = values["outcome"]
        return self._outcome(TaskCode(outcome["code"]), outcome["message"])

    def _outcome(self, code: TaskCode, message: str, question: Mapping[str, Any] | None = None) -> Outcome:
        values = self._values()
        language = values.get("language", "en")
        return Outcome(
            code=int(code),
            message=message,
            summary=summary(self.task_graph(), language),
            thread_id=self.thread_id,
            skill_calls=int((values.get("budget") or {}).get("used", 0)),
            question=question,
        )

    def _conclude(self, outcome: Outcome) -> Outcome:
        """Close the goal; a cancel that came before this moment wins over success."""
        with self._ending:
            self._ended = True
            late = self._latch.is_set and outcome.code in (TaskCode.SUCCEEDED, TaskCode.NEEDS_INPUT)
        if not late:
            return outcome
        canceled = self._canceled_outcome()
        if outcome.code == TaskCode.SUCCEEDED:
            record = {"code": canceled.code, "message": canceled.message, "summary": canceled.summary}
            self._graph.update_state(self._run_config, {"outcome": record}, as_node="conclude")
        return canceled

    def _canceled_outcome(self) -> Outcome:
        return self._outcome(TaskCode.CANCELED, self._canceled_message())

    def _canceled_message(self) -> str:
        return self._say("canceled", why=self._latch.reason or "the client asked for it")

    def _say(self, name: str, **values: object) -> str:
        return say(str(self._values().get("language", "en")), name, **values)

    # -- looking -------------------------------------------------------------------------------------------

    def task_graph(self) -> TaskGraph:
        """Return the task graph of the last checkpoint, as a graph of its own."""
        return self._nodes.fresh_copy(self._values().get("events", []))

    def _values(self) -> Mapping[str, Any]:
        values: Mapping[str, Any] = self._graph.get_state(self._run_config).values
        return values

    # -- plumbing ------------------------------------------------------------------------------------------

    def _command(self, command: dict[str, Any]) -> None:
        with self._woken:
            self._commands.append(command)
            self._woken.notify_all()

    def _wake(self) -> None:
        with self._woken:
            self._news = True
            self._woken.notify_all()

    def _sleep(self, until: float) -> None:
        """Wait for news, at most until a moment on the steady clock (and never very long)."""
        with self._woken:
            if not self._news and not self._commands and not self._freezes:
                wait = min(until - time.monotonic(), _LONGEST_SLEEP_S)
                if wait > 0:
                    self._woken.wait(wait)
            self._news = False

    def _progress(self, node_id: str, fraction: float, message: str) -> None:
        self._tell(Update(int(Phase.EXECUTING), self.thread_id, message, node_id=node_id, progress=fraction))

    def _tell(self, update: Update) -> None:
        if self._tell_user is None:
            return
        try:
            self._tell_user(update)
        except Exception:
            logger.exception("The feedback callback of mission %s failed.", self.thread_id)
