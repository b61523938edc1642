"""The front door of the loop: runs a task to its end, serving what the graph waits for."""

from __future__ import annotations

import logging
import threading
import uuid
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from zulong.agent.approval import ApprovalDesk
from zulong.agent.budget import SharedBudget
from zulong.agent.chat.model import ChatModel
from zulong.agent.codes import TaskCode
from zulong.agent.interruption import look_around
from zulong.agent.latch import CancelLatch, latch_in_context
from zulong.agent.ledger import EffectLedger
from zulong.agent.loop.build import build_loop_graph
from zulong.agent.loop.ending import TIME_LIMIT
from zulong.agent.loop.hold import Hold, Thaw
from zulong.agent.loop.nodes import LoopNodes
from zulong.agent.loop.scope import RunScope, Tell, run_in_context
from zulong.agent.loop.settings import LoopSettings
from zulong.agent.loop.tool_calls import ToolCalls
from zulong.agent.loop.waiting import Waiting
from zulong.agent.mission.state import BlankWorld, Outcome, World
from zulong.agent.skills import SkillExecutor
from zulong.agent.surroundings import Verdict
from zulong.agent.thread_hold import ThreadHolds
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
            if tool.name in self._settings.own_tools and self._tools.get(tool.name) is None:
                self._tools.add(tool)
        self._model = model
        self._skills = skills
        self._desk = desk
        self._ledger = ledger
        self._world: World = world if world is not None else BlankWorld()
        self._lock = threading.Lock()
        self._running: dict[str, _Running] = {}
        self._holds = ThreadHolds(self._checkpointer)
        nodes = LoopNodes(model, self._tools, self._memory, self._settings, predict)
        self._graph = build_loop_graph(nodes, self._checkpointer)

    def run(
        self,
        instruction: str,
        *,
        thread_id: str | None = None,
        budget: int | SharedBudget | None = None,
        time_limit_s: float | None = None,
        cancel: CancelLatch | None = None,
        tell: Tell | None = None,
    ) -> Outcome:
        """Do a task and return how it ended; blocks.

        Args:
            instruction: the user's words.
            thread_id: the thread; made up when None. A thread that has ended takes a further task.
            budget: most tool calls, of this run or of all that share it; the words may set a tighter limit.
            time_limit_s: longest run, on the steady clock.
            cancel: ends it, in the middle of a stream or a tool as well.
            tell: called with events as they happen: ``token`` (text), ``breaker``, ``net``, ``plan`` (graph),
                ``compacted``, ``compaction_failed``, ``frozen`` (reason), ``surroundings`` (decision, rule, reason).

        Returns:
            The outcome; THREAD_BUSY when another run has the thread, INVALID_GOAL when there are no words.
        """
        if not instruction.strip():
            return Outcome(
                int(TaskCode.INVALID_GOAL), "The instruction is empty; say what is to be done.", "", ""
            )
        shared = budget if isinstance(budget, SharedBudget) else None
        request = {"kind": "instruction", "text": instruction, "budget": None if shared else budget}
        return self._run(thread_id or uuid.uuid4().hex, request, time_limit_s, cancel, tell, shared)

    def resume(
        self,
        thread_id: str,
        answer: str = "",
        *,
        budget: SharedBudget | None = None,
        time_limit_s: float | None = None,
        cancel: CancelLatch | None = None,
        tell: Tell | None = None,
    ) -> Outcome:
        """Go on with a thread: with the user's answer, after a kill, a cancel or a failure of the model.

        The thread's own budget goes on with it; one that it shares with others is given again. A task that is
        done, or that waits for an answer and is given none, ends as it did before; nobody is asked anything.
        """
        kind = "answer" if answer else "resume"
        return self._run(thread_id, {"kind": kind, "text": answer}, time_limit_s, cancel, tell, budget)

    def freeze(self, thread_id: str, reason: str = "") -> bool:
        """A reflex holds the robot: the run of this thread starts nothing until :meth:`thaw`, from any thread.

        A reply under way is broken off and gone on with later, no word said twice. A call under way is left to
        the reflex or canceled, as its tool says (``when_frozen``); no effect happens twice. Freezing has no time
        limit of its own: the run's limit and its cancel hold.

        Returns:
            False when no run has the thread.
        """
        with self._lock:
            running = self._running.get(thread_id)
        if running is None:
            return False
        running.hold.freeze(reason, self._world.surroundings())
        running.tell({"event": "frozen", "reason": reason})
        return True

    def thaw(self, thread_id: str, words: str = "") -> bool:
        """The reflex let go: the surroundings are compared, and the task is broken off, gone on with or replanned.

        The decision and its reason come as the event ``surroundings``.

        Args:
            thread_id: the thread.
            words: what the user said meanwhile.

        Returns:
            False when the thread is not frozen.
        """
        with self._lock:
            running = self._running.get(thread_id)
        return running is not None and running.hold.thaw(words)

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
        shared: SharedBudget | None,
    ) -> Outcome:
        latch = CancelLatch()
        running = _Running(Hold(), _guarded(tell))
        with self._lock:
            if thread_id in self._running or not self._holds.take(thread_id):
                message = f"Another run has thread {thread_id!r}; cancel it or wait for its end."
                return Outcome(int(TaskCode.THREAD_BUSY), message, "", thread_id)
            self._running[thread_id] = running
        withdraw = _follow(cancel, latch) if cancel is not None else None
        limit = self._settings.time_limit_s if time_limit_s is None else time_limit_s
        timer = threading.Timer(min(limit, threading.TIMEOUT_MAX), latch.set, (TIME_LIMIT,))
        timer.daemon = True
        timer.start()
        try:
            return self._drive(thread_id, request, latch, running, shared)
        except Exception as error:
            logger.exception("The loop of thread %s failed.", thread_id)
            message = f"The loop failed: {error!r}; see its log. Resume the thread when it is mended."
            return Outcome(int(TaskCode.INTERNAL), message, "", thread_id)
        finally:
            with self._lock:
                del self._running[thread_id]
                self._holds.release(thread_id)
            timer.cancel()
            if withdraw is not None:
                withdraw()

    def _drive(
        self,
        thread_id: str,
        request: Mapping[str, Any],
        latch: CancelLatch,
        running: _Running,
        shared: SharedBudget | None,
    ) -> Outcome:
        graph, config = self._graph, _config(thread_id)
        window = self._model.context_window
        calls = ToolCalls(self._tools, self._memory, self._settings, thread_id, self._ledger, window)
        scope = RunScope(
            calls, _streamed(running.tell), self._world.surroundings, running.hold, shared=shared
        )

        def judge(thaw: Thaw, arguments: Sequence[Mapping[str, Any]]) -> Verdict:
            verdict = look_around(
                scope.copy.at(graph.get_state(config).values.get("events", [])),
                thaw.before,
                self._world.surroundings(),
                words=thaw.words,
                calls=arguments,
                limits=self._settings.surroundings,
            )
            running.tell({"event": "surroundings", **verdict.to_dict()})
            return verdict

        waiting = Waiting(self._skills, self._desk, self._settings, thread_id, latch, running.hold, judge)
        snapshot = graph.get_state(config)
        given: Any = {"request": dict(request)}
        if snapshot.next and request["kind"] == "resume":
            given = None
            if snapshot.interrupts:
                pending = snapshot.interrupts[0]
                given = Command(resume={pending.id: waiting.serve(pending.value)})
        elif not snapshot.values and request["kind"] != "instruction":
            return Outcome(int(TaskCode.UNKNOWN_THREAD), f"There is no thread {thread_id!r}.", "", thread_id)
        elif request["kind"] == "resume" and _is_settled(snapshot.values):
            return _outcome(snapshot.values, thread_id)
        while True:
            with latch_in_context(latch), run_in_context(scope):
                output = graph.invoke(given, config, durability="sync", version="v2")
            if not output.interrupts:
                return _outcome(output.value, thread_id)
            pending = output.interrupts[0]
            given = Command(resume={pending.id: waiting.serve(pending.value)})


@dataclass(slots=True, frozen=True)
class _Running:
    """What others may reach of a run: its hold, and its listener."""

    hold: Hold
    tell: Tell


def _follow(leader: CancelLatch, follower: CancelLatch) -> Callable[[], None]:
    """Set one latch when the other is set; the returned function ends it."""

    def follow() -> None:
        follower.set(leader.reason)

    return leader.on_set(follow)


def _config(thread_id: str) -> Any:
    return {"configurable": {"thread_id": thread_id}, "recursion_limit": 10_000}


def _is_settled(values: Mapping[str, Any]) -> bool:
    """Return whether a thread has nothing to go on with: its task is done, or waits for an answer."""
    outcome = values.get("outcome")
    return bool(outcome and outcome["code"] in (TaskCode.SUCCEEDED, TaskCode.NEEDS_INPUT))


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


def _guarded(tell: Tell | None) -> Tell:
    """Return a teller whose listener cannot harm the run."""

    def guarded(event: Mapping[str, Any]) -> None:
        if tell is not None:
            try:
                tell(event)
            except Exception:
                logger.exception("A listener of the loop failed.")

    return guarded


def _streamed(tell: Tell) -> Tell:
    """Return a teller that also writes to the graph's custom stream, where somebody listens to it."""

    def both(event: Mapping[str, Any]) -> None:
        from zulong.stategraph.config import get_stream_writer

        if event["event"] != "plan":
            get_stream_writer()(dict(event))
        tell(event)

    return both
