"""The nodes of a mission's StateGraph: understand -> dispatch -> execute -> evaluate -> ... -> conclude.

A node reads the state, decides, and returns an update with the next node; it touches nothing outside. What
happens outside (skills, questions, pauses) goes out as an interrupt and comes back as its answer, so that the
thread can be suspended there, be killed, and go on in another process.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from typing import Any

from zulong.agent.budget import Budget
from zulong.agent.chat.errors import ChatCanceledError, ChatError
from zulong.agent.codes import TASK_CODE_OF_REFUSAL, TASK_CODE_OF_SKILL, Phase, SkillCode, TaskCode
from zulong.agent.htn.answered import with_thing
from zulong.agent.htn.step import (
    Plan,
    PlanResult,
    Question,
    Refusal,
    UnresolvedReferenceError,
    condition_holds,
    resolve,
)
from zulong.agent.mission.checking import PlanError, add_checked
from zulong.agent.mission.commands import CommandError, apply_command
from zulong.agent.mission.recovery import Recovery
from zulong.agent.mission.results import results_for
from zulong.agent.mission.state import ROOT, MissionConfig, MissionState, Planner, Update, World
from zulong.agent.mission.words import say, summary, yes_or_no
from zulong.agent.plan_copy import GraphCopy
from zulong.agent.skills import SkillExecutor, SkillProfile, SkillResult
from zulong.stategraph.types import Command, interrupt
from zulong.tasks import TaskEvent, TaskGraph, TaskNode, TaskStatus

logger = logging.getLogger(__name__)

Step = Command[str]


class MissionNodes:
    """The functions of the graph, over what they need from outside.

    Args:
        planner: turns words into plans; may also offer ``replan``.
        skills: asked for profiles only; calls are made outside, by the driver.
        world: beliefs for conditions.
        config: limits.
        tell: called with every update for the user's feedback.
        thread_id: the thread.
    """

    def __init__(
        self,
        planner: Planner,
        skills: SkillExecutor,
        world: World,
        config: MissionConfig,
        tell: Any,
        thread_id: str,
    ) -> None:
        self._planner = planner
        self._skills = skills
        self._world = world
        self._config = config
        self._tell = tell
        self._thread_id = thread_id
        self._recovery = Recovery(planner, config)
        self.copy = GraphCopy()

    def fresh_copy(self, events: Sequence[Mapping[str, Any]]) -> TaskGraph:
        """Return the graph that saved events make, apart from the one the nodes work on."""
        return TaskGraph.from_events([TaskEvent.from_dict(event) for event in events])

    # -- understand --------------------------------------------------------------------------------------

    def accept(self, state: MissionState) -> Step:
        """Look at what this run was asked: a new instruction, a ready plan, or to go on."""
        request = state["request"]
        kind = request["kind"]
        if kind == "resume":
            return self._resume(state)
        text = request.get("text", "")
        graph = self.copy.at(state.get("events", []))
        if ROOT not in graph:
            graph.add_node(text or "plan", id=ROOT, meta={"person": request.get("person", "")})
        update = {
            "instruction": text,
            "language": request.get("language", "en"),
            "budget": Budget.of(text, request.get("budget")).to_dict(),
            "context": dict(request.get("context") or {}),
            "hold": "",
            "replans": 0,
            "question": None,
            "failure": None,
            "outcome": None,
        }
        if kind == "plan":
            return self._take_plan(state, graph, Plan.from_dict(request["plan"]), update)
        return self._go(state, graph, "understand", update)

    def understand(self, state: MissionState) -> Step:
        """Have the planner read the words."""
        self._phase(Phase.UNDERSTANDING)
        graph = self.copy.at(state["events"])
        try:
            result = self._planner.plan(state["request"]["text"], state.get("context") or None)
        except ChatCanceledError as error:
            return self._end(state, graph, TaskCode.CANCELED, str(error))
        except ChatError as error:
            return self._end(state, graph, TaskCode.MODEL_UNAVAILABLE, str(error))
        return self._take(state, graph, result)

    def _take(self, state: MissionState, graph: TaskGraph, result: PlanResult) -> Step:
        update: dict[str, Any] = {"context": dict(result.context), "language": result.language}
        if isinstance(result, Plan):
            return self._take_plan(state, graph, result, update)
        if isinstance(result, Question):
            question = {
                "kind": "plan",
                "text": result.text,
                "slot": result.slot,
                "options": list(result.options),
            }
            return self._go(state, graph, "ask", {**update, "question": question})
        assert isinstance(result, Refusal)  # noqa: S101 - the third and last kind of PlanResult
        code = TASK_CODE_OF_REFUSAL.get(result.code, TaskCode.REFUSED)
        return self._end(state, graph, code, result.text, update)

    def _take_plan(self, state: MissionState, graph: TaskGraph, plan: Plan, update: dict[str, Any]) -> Step:
        self._phase(Phase.PLANNING, plan.summary)
        try:
            add_checked(graph, plan.steps)
        except PlanError as error:
            return self._end(state, graph, TaskCode.INTERNAL, str(error), update)
        update |= {"language": plan.language, "context": dict(plan.context) or update.get("context", {})}
        return self._go(state, graph, "dispatch", update)

    def _resume(self, state: MissionState) -> Step:
        """Go on after an end: what was blocked or broken off is tried again, unless nobody knows how it ended."""
        graph = self.copy.at(state["events"])
        for leaf in graph.leaves():
            if leaf.meta.get("unknown_end"):
                continue
            if leaf.status is TaskStatus.IN_PROGRESS:
                graph.block(leaf.id, "broken off")
            if graph.status(leaf.id) in (TaskStatus.BLOCKED, TaskStatus.NEEDS_ADJUST):
                graph.reopen(leaf.id, "resumed")
        update: dict[str, Any] = {"hold": "", "failure": None, "outcome": None, "question": None}
        field = state["request"].get("budget")
        if field is not None:
            used = Budget.from_dict(state["budget"]).used
            update["budget"] = Budget(used + field, used).to_dict()
        return self._go(state, graph, "dispatch", update)

    def ask(self, state: MissionState) -> Step:
        """Ask the user and wait; the thread is suspended here until the answer comes."""
        question = state["question"] or {}
        self._phase(Phase.WAITING_INPUT, str(question.get("text", "")))
        answer = str(interrupt({**question, "kind": "question"}))
        graph = self.copy.at(state["events"])
        if question.get("kind") == "unknown_end":
            return self._settle_unknown_end(state, graph, question, answer)
        return self._go(
            state, graph, "understand", {"question": None, "request": {"kind": "instruction", "text": answer}}
        )

    def _settle_unknown_end(
        self, state: MissionState, graph: TaskGraph, question: Mapping[str, Any], answer: str
    ) -> Step:
        node_id = str(question["node_id"])
        meaning = yes_or_no(answer)
        if meaning is None:
            return self._go(state, graph, "ask", {})
        meta = {key: value for key, value in graph.node(node_id).meta.items() if key != "unknown_end"}
        graph.update(node_id, meta=meta)
        if meaning:
            graph.start(node_id)
            graph.complete(node_id, {}, reason="the user says that it was done")
        else:
            graph.reopen(node_id, "the user says that it was not done")
        return self._go(state, graph, "dispatch", {"question": None})

    # -- act ---------------------------------------------------------------------------------------------

    def dispatch(self, state: MissionState) -> Step:
        """Start every leaf that may run beside what is running, as far as budget and body allow."""
        graph = self.copy.at(state["events"])
        budget = Budget.from_dict(state["budget"])
        if state.get("hold"):
            return self._go(state, graph, "execute", {})
        running = list(graph.leaves(status=(TaskStatus.IN_PROGRESS,)))
        starved = False
        progress = True
        while progress:
            progress = False
            for leaf in graph.next_executable():
                if len(running) >= self._config.max_parallel:
                    break
                verdict = self._try_start(graph, leaf, running, budget, state["language"])
                starved = starved or verdict == "budget"
                if verdict == "started":
                    running.append(graph.node(leaf.id))
                    budget = budget.spend()
                if verdict in ("skipped", "done", "dead"):
                    progress = True
                    break
        update: dict[str, Any] = {"budget": budget.to_dict()}
        if running:
            return self._go(state, graph, "execute", update)
        question = self._next_question(graph, state["language"])
        if question is not None:
            return self._go(state, graph, "ask", {**update, "question": question})
        if starved:
            message = say(state["language"], "budget", limit=budget.limit)
            return self._end(state, graph, TaskCode.BUDGET_EXHAUSTED, message, update)
        return self._go(state, graph, "conclude", update)

    def _next_question(self, graph: TaskGraph, language: str) -> dict[str, Any] | None:
        """Return what must be asked about a leaf that was broken off at an unknown point."""
        for leaf in graph.leaves(status=(TaskStatus.BLOCKED,)):
            if leaf.meta.get("unknown_end"):
                return {
                    "kind": "unknown_end",
                    "text": say(language, "unknown_end", step=leaf.title),
                    "slot": "confirmation",
                    "options": [say(language, "yes"), say(language, "no")],
                    "node_id": leaf.id,
                }
        return None

    def _try_start(
        self, graph: TaskGraph, leaf: TaskNode, running: list[TaskNode], budget: Budget, language: str
    ) -> str:
        """Start one leaf if it may: started, done, skipped, dead, busy or budget."""
        refused = self._refused_by_condition(graph, leaf)
        if refused is not None:
            graph.skip(refused, "its condition does not hold", cause="condition")
            return "skipped"
        if leaf.skill is None:
            graph.start(leaf.id)
            graph.complete(leaf.id, {})
            return "done"
        profile = self._skills.profile(leaf.skill)
        if profile is not None and self._body_in_use(profile, running):
            return "busy"
        if budget.exhausted:
            return "budget"
        try:
            resolve(leaf.arguments, results_for(graph, leaf.arguments))
        except UnresolvedReferenceError as error:
            why = error.args[0] if error.args else str(error)
            graph.block(leaf.id, say(language, "reference", step=leaf.title, why=why), permanent=True)
            return "dead"
        graph.start(leaf.id)
        return "started"

    def _refused_by_condition(self, graph: TaskGraph, leaf: TaskNode) -> str | None:
        """Return the highest node at or above a leaf that is about to begin and whose condition is false."""
        chain = [leaf]
        while (parent := chain[-1].parent) is not None:
            chain.append(graph.node(parent))
        for node in reversed(chain):
            if node.condition is None or node.status is not TaskStatus.PENDING:
                continue
            results = results_for(graph, node.condition)
            if not condition_holds(node.condition, results, self._world.facts()):
                return node.id
        return None

    def _body_in_use(self, wanted: SkillProfile, running: list[TaskNode]) -> bool:
        """Return whether a running skill uses the base or the arm in a way that excludes another one.

        The arm works from a base that stands still, so the two exclude each other as well.
        """
        if not (wanted.moves_base or wanted.uses_arm):
            return False
        profiles = [self._skills.profile(leaf.skill) for leaf in running if leaf.skill]
        return any(p is not None and (p.moves_base or p.uses_arm) for p in profiles)

    def execute(self, state: MissionState) -> Step:
        """Wait for whatever happens first: results, commands, a stop. The thread is suspended here."""
        graph = self.copy.at(state["events"])
        hold = state.get("hold", "")
        calls = [self._call(graph, leaf) for leaf in graph.leaves(status=(TaskStatus.IN_PROGRESS,))]
        phase = {"paused": Phase.PAUSED, "frozen": Phase.FROZEN}.get(hold, Phase.EXECUTING)
        self._phase(phase, "; ".join(str(call["title"]) for call in calls))
        inputs = interrupt({"kind": "execute", "calls": calls, "hold": hold})
        return Command(update={"inputs": dict(inputs)}, goto="evaluate")

    def _call(self, graph: TaskGraph, leaf: TaskNode) -> dict[str, Any]:
        return {
            "node_id": leaf.id,
            "title": leaf.title,
            "skill": leaf.skill,
            "arguments": resolve(leaf.arguments, results_for(graph, leaf.arguments)),
            "key": f"{self._thread_id}/{leaf.id}/{leaf.attempts}",
            "attempt": int(leaf.meta.get("tries", 1)),
        }

    # -- evaluate ----------------------------------------------------------------------------------------

    def evaluate(self, state: MissionState) -> Step:
        """Take in what the wait brought, and decide how to go on."""
        self._phase(Phase.EVALUATING)
        graph = self.copy.at(state["events"])
        inputs = state["inputs"]
        update: dict[str, Any] = {"inputs": {}}
        for node_id, plain in inputs.get("results", {}).items():
            if node_id in graph and graph.status(node_id) is TaskStatus.IN_PROGRESS:
                self._take_result(graph, graph.node(node_id), SkillResult.from_dict(plain), state, update)
        for command in inputs.get("commands", ()):
            self._take_command(graph, command, update)
        if "hold" in inputs:
            update["hold"] = inputs["hold"]
        verdict = inputs.get("verdict")
        if verdict and verdict["decision"] == "abort":
            message = say(state["language"], "aborted", why=verdict["reason"])
            return self._stop(state, graph, TaskCode.ABORTED_BY_SAFETY, message, update)
        stop = inputs.get("stop")
        if stop:
            return self._stop(state, graph, TaskCode(stop["code"]), stop["message"], update)
        if verdict and verdict["decision"] == "replan":
            update["replans"] = update.get("replans", state["replans"]) + 1
            self._recovery.start_over(graph, verdict["reason"])
            if verdict.get("words"):
                self._recovery.drop_open_work(graph, verdict["reason"])
        if verdict and verdict.get("words") and verdict["decision"] in ("replan", "merge"):
            update["request"] = {"kind": "instruction", "text": verdict["words"]}
            return self._go(state, graph, "understand", update)
        return self._go(state, graph, "dispatch", update)

    def _take_result(
        self,
        graph: TaskGraph,
        leaf: TaskNode,
        result: SkillResult,
        state: MissionState,
        update: dict[str, Any],
    ) -> None:
        if result.succeeded:
            brought = result.result
            if leaf.skill == "ask_person":
                brought = with_thing(brought, self._planner)
            graph.complete(leaf.id, dict(brought))
            return
        if result.code is SkillCode.CANCELED:
            # Nobody wanted the task to end: the skill was taken from it (a pause, a restart), so it runs anew.
            self._recovery.try_again(graph, leaf, result.message or "broken off", counted=False)
            return
        if result.code is SkillCode.OUTCOME_UNKNOWN:
            profile = self._skills.profile(leaf.skill or "")
            if profile is not None and not profile.has_side_effects:
                self._recovery.try_again(graph, leaf, result.message, counted=False)
                return
            graph.update(leaf.id, meta={**leaf.meta, "unknown_end": True})
            graph.block(leaf.id, result.message)
            return
        replans = update.get("replans", state["replans"])
        if result.code is not SkillCode.UNKNOWN_SKILL and self._recovery.recover(
            graph, leaf, result, replans, state.get("context")
        ):
            update["replans"] = replans + self._recovery.last_cost
            return
        graph.block(leaf.id, result.message, permanent=True)
        if state.get("failure") is None and update.get("failure") is None:
            update["failure"] = failure_of(leaf, result, state["language"])

    def _take_command(self, graph: TaskGraph, command: Mapping[str, Any], update: dict[str, Any]) -> None:
        try:
            hold = apply_command(graph, command)
        except CommandError as error:
            logger.warning("Command %s was refused: %s", command.get("command"), error)
            return
        if hold is not None:
            update["hold"] = hold

    def _stop(
        self, state: MissionState, graph: TaskGraph, code: TaskCode, message: str, update: dict[str, Any]
    ) -> Step:
        for leaf in graph.leaves(status=(TaskStatus.IN_PROGRESS,)):
            graph.block(leaf.id, message)
        return self._end(state, graph, code, message, update)

    # -- conclude ----------------------------------------------------------------------------------------

    def conclude(self, state: MissionState) -> Step:
        """Nothing runs and nothing may start: say how it ended, from the graph alone."""
        graph = self.copy.at(state["events"])
        language = state["language"]
        if state.get("outcome"):
            return self._close(state, graph)
        failure = state.get("failure")
        open_leaves = [
            n for n in graph.leaves(ROOT) if n.status not in (TaskStatus.COMPLETED, TaskStatus.SKIPPED)
        ]
        if failure is None and not open_leaves:
            return self._end(state, graph, TaskCode.SUCCEEDED, "")
        if failure is None:
            node = open_leaves[0]
            failure = {
                "code": int(TaskCode.SKILL_FAILED),
                "message": say(language, "failed", step=node.title, why=node.reason or node.status.value),
            }
        return self._end(state, graph, TaskCode(failure["code"]), failure["message"])

    def _close(self, state: MissionState, graph: TaskGraph) -> Step:
        self._phase(Phase.CONCLUDING)
        return self._go(state, graph, "__end__", {})

    def _end(
        self,
        state: MissionState,
        graph: TaskGraph,
        code: TaskCode,
        message: str,
        update: dict[str, Any] | None = None,
    ) -> Step:
        update = dict(update or {})
        language = update.get("language") or state.get("language", "en")
        outcome = {"code": int(code), "message": message, "summary": summary(graph, language)}
        return self._go(state, graph, "conclude", {**update, "outcome": outcome})

    # -- plumbing ----------------------------------------------------------------------------------------

    def _go(self, state: MissionState, graph: TaskGraph, goto: str, update: Mapping[str, Any]) -> Step:
        """Return the next node with the update and the task graph's new events."""
        new = graph.events_since(len(state.get("events", [])))
        full = dict(update)
        if new:
            full["events"] = [event.to_dict() for event in new]
            self._tell(Update(int(Phase.EVALUATING), self._thread_id, graph=graph))
        return Command(update=full, goto=goto)

    def _phase(self, phase: Phase, message: str = "") -> None:
        self._tell(Update(int(phase), self._thread_id, message))


def failure_of(leaf: TaskNode, result: SkillResult, language: str) -> dict[str, Any]:
    """Return what a leaf's failure for good means for the task."""
    code = TASK_CODE_OF_SKILL.get(result.code, TaskCode.SKILL_FAILED)
    if result.code is SkillCode.UNKNOWN_SKILL:
        message = say(language, "missing", skill=leaf.skill, step=leaf.title)
    elif result.result.get("denied"):
        code, message = TaskCode.APPROVAL_DENIED, say(language, "denied", step=leaf.title)
    else:
        why = result.message or result.code.name.lower()
        message = say(language, "failed", step=leaf.title, why=why)
    return {"code": int(code), "message": message, "node_id": leaf.id, "skill_code": int(result.code)}
