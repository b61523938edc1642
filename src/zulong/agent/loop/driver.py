"""The front door of the loop: runs a task to its end, serving what the graph waits for."""

from __future__ import annotations

import logging
import threading
import time
import uuid
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from zulong.agent.approval import ApprovalDesk
from zulong.agent.chat.model import ChatModel
from zulong.agent.codes import TaskCode
from zulong.agent.latch import CancelLatch, latch_in_context
from zulong.agent.ledger import EffectLedger
from zulong.agent.loop.build import build_loop_graph
from zulong.agent.loop.nodes import TIME_LIMIT, LoopNodes
from zulong.agent.loop.scope import RunScope, Tell, run_in_context
from zulong.agent.loop.settings import LoopSettings
from zulong.agent.loop.tool_calls import ToolCalls
from zulong.agent.mission.calls import Calls
from zulong.agent.mission.state import BlankWorld, MissionConfig, Outcome, World
from zulong.agent.skills import SkillExecutor
from zulong.agent.tools.keep import LoopMemory, ProcessMemory, memory_tools
from zulong.agent.tools.tool import ToolRegistry
from zulong.stategraph.checkpoint.base import BaseCheckpointSaver
from zulong.stategraph.types import Command
from zulong.tasks import TaskEvent, TaskGraph

logger = logging.getLogger(__name__)

Predict = Callable[[str], "Sequence[str] | None"]


class ToolLoop:
    """The function-calling loop over a chat model and tools.

    One object serves any number of threads, one run at a time each.

    Args:
        model: speaks and calls.
        tools: what it may call.
        checkpointer: where threads live; None: they end with the run.
        settings: limits and thresholds.
        memory: keeps what does not fit into the conversation.
        skills: carries out remote tools; None when there are none.
        desk: where approvals are asked for; None denies what needs one.
        ledger: records effects of internal tools; None for none.
        predict: names the tools an instruction will need (from the scheduler); None offers all.
        world: how things look, compared when an interrupted task is taken up again; None: nothing is known.
    """

    def __init__(
        self,
        model: ChatModel,
        tools: ToolRegistry,
        checkpointer: BaseCheckpointSaver[Any] | None = None,
        *,
        settings: LoopSettings | None = None,
        memory: LoopMemory | None = None,
        skills: SkillExecutor | None = None,
        desk: ApprovalDesk | None = None,
        ledger: EffectLedger | None = None,
        predict: Predict | None = None,
        world: World | None = None,
    ) -> None:
        from zulong.stategraph.checkpoint.memory import InMemorySaver

        self._checkpointer = checkpointer if checkpointer is not None else InMemorySaver()
        self._settings = settings if settings is not None else LoopSettings()
        self._memory = memory if memory is not None else ProcessMemory()
        self._tools = ToolRegistry([tool for name in tools.names if (tool := tools.get(name)) is not None])
        for tool in memory_tools(self._memory):
            if self._tools.get(tool.name) is None:
                self._tools.add(tool)
        self._skills = skills
        self._desk = desk
        self._ledger = ledger
        self._world: World = world if world is not None else BlankWorld()
        nodes = LoopNodes(model, self._tools, self._memory, self._settings, predict)
        self._graph = build_loop_graph(nodes, self._checkpointer)

    def run(
        self,
        instruction: str,
        *,
        thread_id: str | None = None,
        budget: int | None = None,
        time_limit_s: float | None = None,
        cancel: CancelLatch | None = None,
        tell: Tell | None = None,
    ) -> Outcome:
        """Do a task and return how it ended; blocks.

        Args:
            instruction: the user's words.
            thread_id: the thread; made up when None. A thread that has ended takes a further task.
            budget: most tool calls; the words may set a tighter limit.
            time_limit_s: longest run, on the steady clock.
            cancel: ends it, in the middle of a stream or a tool as well.
            tell: called with events as they happen: ``token`` (text), ``breaker``, ``net``, ``plan`` (graph),
                ``compacted``.
        """
        request = {"kind": "instruction", "text": instruction, "budget": budget}
        return self._run(thread_id or uuid.uuid4().hex, request, time_limit_s, cancel, tell)

    def resume(
        self,
        thread_id: str,
        answer: str = "",
        *,
        time_limit_s: float | None = None,
        cancel: CancelLatch | None = None,
        tell: Tell | None = None,
    ) -> Outcome:
        """Go on with a thread: with the user's answer, after a kill, a cancel or a failure of the model."""
        kind = "answer" if answer else "resume"
        return self._run(thread_id, {"kind": kind, "text": answer}, time_limit_s, cancel, tell)

    def messages(self, thread_id: str) -> list[Mapping[str, Any]]:
        """Return the conversation of a thread, oldest first."""
        return list(self._graph.get_state(_config(thread_id)).values.get("messages", []))

    def task_graph(self, thread_id: str) -> TaskGraph:
        """Return the plan that the model has made in a thread (empty when it made none)."""
        values = self._graph.get_state(_config(thread_id)).values
        return TaskGraph.from_events([TaskEvent.from_dict(event) for event in values.get("events", [])])

    def _run(
        self,
        thread_id: str,
        request: Mapping[str, Any],
        time_limit_s: float | None,
        cancel: CancelLatch | None,
        tell: Tell | None,
    ) -> Outcome:
        latch = CancelLatch()
        withdraw = _follow(cancel, latch) if cancel is not None else None
        limit = self._settings.time_limit_s if time_limit_s is None else time_limit_s
        timer = threading.Timer(limit, latch.set, (TIME_LIMIT,))
        timer.daemon = True
        timer.start()
        try:
            return self._drive(thread_id, request, latch, tell)
        finally:
            timer.cancel()
            if withdraw is not None:
                withdraw()

    def _drive(
        self, thread_id: str, request: Mapping[str, Any], latch: CancelLatch, tell: Tell | None
    ) -> Outcome:
        graph, config = self._graph, _config(thread_id)
        calls = ToolCalls(self._tools, self._memory, self._settings, thread_id, self._ledger)
        scope = RunScope(calls, _streamed(tell), self._world.surroundings)
        waiting = _Waiting(self._skills, self._desk, self._settings, thread_id, latch)
        snapshot = graph.get_state(config)
        given: Any = {"request": dict(request)}
        if snapshot.next and request["kind"] == "resume":
            given = None
            if snapshot.interrupts:
                pending = snapshot.interrupts[0]
                given = Command(resume={pending.id: waiting.serve(pending.value)})
        elif not snapshot.values and request["kind"] != "instruction":
            return Outcome(int(TaskCode.UNKNOWN_THREAD), f"There is no thread {thread_id!r}.", "", thread_id)
        while True:
            with latch_in_context(latch), run_in_context(scope):
                graph.invoke(given, config, durability="sync")
            snapshot = graph.get_state(config)
            if not snapshot.interrupts:
                return _outcome(snapshot.values, thread_id)
            pending = snapshot.interrupts[0]
            given = Command(resume={pending.id: waiting.serve(pending.value)})


class _Waiting:
    """Serves the loop's interrupts: approvals from the desk, remote tools from the executor."""

    def __init__(
        self,
        skills: SkillExecutor | None,
        desk: ApprovalDesk | None,
        settings: LoopSettings,
        thread_id: str,
        latch: CancelLatch,
    ) -> None:
        self._skills = skills
        self._desk = desk
        self._settings = settings
        self._thread_id = thread_id
        self._latch = latch

    def serve(self, request: Mapping[str, Any]) -> dict[str, Any]:
        if request["kind"] == "approval":
            return self._approvals(request["calls"])
        return self._results(request["calls"])

    def _approvals(self, calls: Sequence[Mapping[str, Any]]) -> dict[str, bool]:
        if self._desk is None:
            return {}
        answers: dict[str, bool] = {}
        changed = threading.Event()
        withdraw = self._latch.on_set(changed.set)
        open_requests = []
        for call in calls:

            def decide(granted: bool, _: str, call_id: str = str(call["id"])) -> None:
                answers[call_id] = granted
                changed.set()

            open_requests.append(
                self._desk.ask(
                    str(call["name"]),
                    call["arguments"],
                    decide=decide,
                    thread_id=self._thread_id,
                    task_node_id=str(call["id"]),
                    time_limit_s=self._settings.approval_time_limit_s,
                )
            )
        limit = time.monotonic() + self._settings.approval_time_limit_s + 1.0
        while len(answers) < len(calls) and not self._latch.is_set and time.monotonic() < limit:
            changed.wait(max(0.0, limit - time.monotonic()))
            changed.clear()
        withdraw()
        for request_id in open_requests:
            self._desk.withdraw(request_id)
        return dict(answers)

    def _results(self, calls: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
        if self._skills is None:
            return {"results": {}}
        news = threading.Event()
        config = MissionConfig(skill_time_limit_s=self._settings.remote_time_limit_s, approval="never")
        running = Calls(self._skills, config, None, news.set, lambda *_: None)
        withdraw = self._latch.on_set(news.set)
        results: dict[str, Any] = {}
        running.reconcile(calls, self._thread_id)
        stopped = False
        while len(results) < len(calls):
            if self._latch.is_set and not stopped:
                stopped = True
                running.cancel_all()
                running.drop_unstarted()
            running.advance(may_start=not stopped)
            results |= running.take_results()
            if stopped and running.idle:
                break
            if len(results) < len(calls):
                news.wait(min(1.0, max(0.0, running.next_deadline() - time.monotonic())))
                news.clear()
        withdraw()
        return {"results": results}


def _follow(leader: CancelLatch, follower: CancelLatch) -> Callable[[], None]:
    """Set one latch when the other is set; the returned function ends it."""

    def follow() -> None:
        follower.set(leader.reason)

    return leader.on_set(follow)


def _config(thread_id: str) -> Any:
    return {"configurable": {"thread_id": thread_id}, "recursion_limit": 10_000}


def _outcome(values: Mapping[str, Any], thread_id: str) -> Outcome:
    outcome = values["outcome"]
    code = TaskCode(outcome["code"])
    question = {"text": outcome["text"], "slot": "", "options": []} if code is TaskCode.NEEDS_INPUT else None
    return Outcome(
        code=int(code),
        message=outcome["message"],
        summary=outcome["text"],
        thread_id=thread_id,
        skill_calls=int(values["budget"]["used"]),
        question=question,
    )


def _streamed(tell: Tell | None) -> Tell:
    """Return a teller that also writes to the graph's custom stream, where somebody listens to it."""

    def both(event: Mapping[str, Any]) -> None:
        from zulong.stategraph.config import get_stream_writer

        if event["event"] != "plan":
            get_stream_writer()(dict(event))
        if tell is not None:
            try:
                tell(event)
            except Exception:
                logger.exception("A listener of the loop failed.")

    return both
