"""The nodes of the loop; :mod:`zulong.agent.loop.routes` says in which order.

Routing is a pure function of the state. A model is called in ``call_model`` only; the outside world answers
through the interrupts of ``approve``, ``await_remote`` and ``hold``.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from typing import Any

from zulong.agent.chat.continuing import stream_through
from zulong.agent.chat.errors import ChatCanceledError, ChatError, ContextTooLongError
from zulong.agent.chat.model import Assembly, ChatModel, ChatRequest, Reply
from zulong.agent.chat.written_calls import calls_in_text
from zulong.agent.codes import TaskCode
from zulong.agent.latch import current_latch
from zulong.agent.loop.acceptance import Acceptance, look_again
from zulong.agent.loop.breaker import Breaker
from zulong.agent.loop.conversation import compacted, request_messages
from zulong.agent.loop.ending import end, stopped, with_events
from zulong.agent.loop.evaluation import Evaluation
from zulong.agent.loop.findings import Action
from zulong.agent.loop.hold import latch_of_task_and_hold
from zulong.agent.loop.offers import hints, offered_tools
from zulong.agent.loop.plan_tools import PLAN_STEPS, PLAN_TOOLS
from zulong.agent.loop.scope import current_run
from zulong.agent.loop.settings import LoopSettings
from zulong.agent.loop.state import LoopState, Update
from zulong.agent.loop.tool_calls import same_call
from zulong.agent.loop.turns import CallFact, Turn
from zulong.agent.surroundings import Decision
from zulong.agent.tools.keep import LoopMemory
from zulong.agent.tools.tool import ToolRegistry
from zulong.stategraph.types import interrupt

logger = logging.getLogger(__name__)


class LoopNodes:
    """The functions of the graph, over the model, the tools, the memory and the limits.

    Args:
        model: speaks and calls.
        tools: the registry.
        memory: keeps what does not fit.
        settings: limits.
        predict: names the tools an instruction will need, None to offer all.
    """

    def __init__(
        self,
        model: ChatModel,
        tools: ToolRegistry,
        memory: LoopMemory,
        settings: LoopSettings,
        predict: Any = None,
    ) -> None:
        self._model = model
        self._tools = tools
        self._memory = memory
        self._settings = settings
        self._breaker = Breaker(settings.signals())
        self.accept = Acceptance(model, tools, memory, settings, predict).accept
        self.evaluate = Evaluation(tools, settings).evaluate

    # -- check ---------------------------------------------------------------------------------------------

    def check(self, state: LoopState) -> Update:
        """Look at limits and signals before the model speaks."""
        if current_latch().is_set:
            return stopped()
        breaker = dict(state["breaker"])
        findings = self._breaker.look(self._turns(state), breaker)
        for finding in findings:
            current_run().tell({"event": "breaker", **finding.to_dict()})
        stop = next((f for f in findings if f.action is Action.STOP), None)
        if stop is not None and breaker["forced"] is not None:
            return end(TaskCode.SKILL_FAILED, f"The loop was brought to an end. {breaker['forced']}")
        if stop is not None:
            return end(TaskCode.MODEL_UNAVAILABLE, f"The loop was stopped. {stop.reason}")
        forced = next((f for f in findings if f.action is Action.FORCE), None)
        if forced is not None and breaker["forced"] is None:
            breaker["forced"] = forced.reason
        breaker["findings"] = [f.to_dict() for f in findings]
        update: Update = {} if breaker == state["breaker"] else {"breaker": breaker}
        return update | held_at("check")

    # -- call_model ----------------------------------------------------------------------------------------

    def call_model(self, state: LoopState) -> Update:
        """Have the model reply; the only place where a model is called."""
        breaker, budget = dict(state["breaker"]), current_run().budget(state["budget"])
        definitions = offered_tools(
            self._tools, state.get("offered"), breaker, budget, self._settings.own_tools
        )
        compaction = state.get("compaction") or {}
        used = current_run().tokens.of(state["messages"], compaction, definitions)
        update = self._compact(state, compaction, used, self._settings.compact_at)
        assembly = Assembly(
            lambda text: current_run().tell({"event": "token", "text": text}),
            said=str(state["turn"].get("said", "")),
        )

        def speak() -> Reply:
            now = update.get("compaction", compaction)
            request = ChatRequest(
                request_messages(
                    self._prompt(definitions),
                    current_run().answered.of(state["messages"], int(now.get("upto", 0))),
                    now.get("digest", ""),
                    hints(breaker, budget),
                ),
                tools=definitions,
                max_tokens=self._settings.truncated_tokens if breaker.get("truncate") else None,
            )
            return self._speak(request, assembly)

        try:
            try:
                reply = speak()
            except ContextTooLongError:
                # The server counts otherwise than we do: what is over goes into memory, and once more.
                update |= self._compact(state, update.get("compaction", compaction), used, 0.0)
                reply = speak()
        except ChatCanceledError:
            if current_latch().is_set or not current_run().hold.on:
                return {**update, **stopped()}
            return {**update, **held_at("call_model"), "turn": {"said": assembly.text}}
        except ChatError as error:
            return {**update, **end(TaskCode.MODEL_UNAVAILABLE, str(error))}
        return {**update, **self._taken(state, reply, bool(definitions))}

    def _prompt(self, definitions: Sequence[Mapping[str, Any]]) -> str:
        plans = any(d["function"]["name"] == PLAN_STEPS.name for d in definitions)
        return (
            f"{self._settings.system_prompt} {self._settings.plan_prompt}"
            if plans
            else self._settings.system_prompt
        )

    def _compact(
        self, state: LoopState, compaction: Mapping[str, Any], used: int, compact_at: float
    ) -> Update:
        """Return the update by which the conversation fits again, an empty one when it does or cannot."""
        try:
            compact = compacted(
                state["messages"],
                compaction,
                self._memory,
                window=min(self._model.context_window, used)
                if compact_at == 0
                else self._model.context_window,
                compact_at=compact_at,
                compact_to=self._settings.compact_to,
                used=used,
                instruction=str(state.get("instruction", "")),
            )
        except Exception as error:
            # Nothing is left out that is not kept: rather a request that is too long.
            logger.exception("The conversation could not be kept in memory.")
            current_run().tell({"event": "compaction_failed", "reason": str(error)})
            return {}
        if compact is None:
            return {}
        current_run().tell({"event": "compacted", "upto": compact["upto"], "kept": compact["kept"]})
        return {"compaction": compact}

    def _speak(self, request: ChatRequest, assembly: Assembly) -> Reply:
        attempts = [self._model] * (1 + self._settings.cut_retries)
        leave, withdrawals = latch_of_task_and_hold(current_latch(), current_run().hold)
        try:
            longest = self._settings.max_reply_chars
            stream = stream_through(attempts, request, leave, said=assembly.text, max_chars=longest)
            return assembly.take(stream, longest)
        finally:
            for withdraw in withdrawals:
                withdraw()

    def _taken(self, state: LoopState, reply: Reply, tools_offered: bool) -> Update:
        if reply.refusal:
            return {"messages": [reply.to_message()], **end(TaskCode.REFUSED, reply.refusal)}
        if reply.finish == "content_filter":
            return end(TaskCode.REFUSED, "The model's server held the reply back by its content filter.")
        written: list[tuple[str, Any]] = [(call.name, call.arguments) for call in reply.calls]
        if not written and tools_offered:
            names = (*self._tools.names, *PLAN_TOOLS)
            written = list(calls_in_text(reply.text, names))
        if not tools_offered:
            written = []
        total = len(state["messages"])
        calls = [
            current_run().calls.prepared(
                f"call_{total}_{index}", name, arguments, removed=state["breaker"]["removed"]
            )
            for index, (name, arguments) in enumerate(written)
        ]
        said = None if calls else {"text": reply.text, "finish": reply.finish}
        update: Update = {"turn": {"calls": calls, "reply": said}}
        if calls or reply.text.strip():
            message: dict[str, Any] = {"role": "assistant", "content": reply.text}
            if calls:
                message["tool_calls"] = [
                    {
                        "id": call["id"],
                        "type": "function",
                        "function": {"name": call["name"], "arguments": call["written"]},
                    }
                    for call in calls
                ]
            update["messages"] = [message]
        return update

    # -- tools ---------------------------------------------------------------------------------------------

    def approve(self, state: LoopState) -> Update:
        """Ask for the calls that need a yes; suspended here until every answer or its time limit has come."""
        turn, breaker = state["turn"], state["breaker"]
        asked = current_run().calls.to_be_asked(
            turn["calls"],
            current_run().budget(state["budget"]),
            self._repeated(state),
            breaker.get("denied", ()),
        )
        answers = interrupt({"kind": "approval", "calls": asked}) if asked else {}
        # A stop is no answer of the user's.
        halted = current_latch().is_set
        refused = [call for call in asked if not answers.get(call["id"]) and not halted]
        said_no = [*breaker.get("denied", ()), *map(same_call, refused)]
        unasked = {call["id"] for call in turn["calls"] if call.get("approve")} - {
            c["id"] for c in asked if answers.get(c["id"]) or not halted
        }
        denied = [call["id"] for call in turn["calls"] if call.get("approve") and same_call(call) in said_no]
        return {
            "turn": {**turn, "denied": denied, "unasked": sorted(unasked - set(denied))},
            "breaker": {**breaker, "denied": said_no},
        }

    def exec_tools(self, state: LoopState) -> Update:
        """Make the internal calls; remote ones are listed for await_remote. What a freeze keeps back is left."""
        graph = current_run().copy.at(state.get("events", []))
        turn = state["turn"]
        skip = self._breaker.repeated(self._turns(state), [_planned(call) for call in turn["calls"]])
        if skip is not None:
            current_run().tell({"event": "breaker", **skip.to_dict()})
        hold = current_run().hold
        batch = current_run().calls.make(
            turn["calls"],
            graph,
            instruction=state.get("instruction", ""),
            budget=current_run().budget(state["budget"]),
            shared=current_run().shared,
            denied=set(turn.get("denied") or ()),
            unasked=set(turn.get("unasked") or ()),
            repeated=set(skip.targets) if skip else set(),
            hold=hold,
            made=len(turn.get("facts") or ()),
        )
        update: Update = {
            "messages": batch.messages,
            "turn": {
                **turn,
                "calls": batch.left,
                "facts": [*(turn.get("facts") or ()), *(fact.to_dict() for fact in batch.facts)],
                "remote": batch.remote,
            },
        }
        if batch.spent:
            update["budget"] = {"spend": batch.spent}
        if batch.left:
            update |= held_at("exec_tools")
        return with_events(state, graph, update)

    def await_remote(self, state: LoopState) -> Update:
        """Wait for the remote calls; suspended here, also over a restart, until every result has come.

        A call that was canceled by a freeze comes back here under a new key, which is in the checkpoint before
        the call is made anew.
        """
        turn = state["turn"]
        answer = interrupt({"kind": "tools", "calls": turn["remote"]})
        again = set(answer.get("again", ()))
        left = [
            call for call in turn["remote"] if call["id"] in again or call["id"] in answer.get("left", ())
        ]
        ended = [call for call in turn["remote"] if call not in left]
        messages, facts = current_run().calls.take_remote(ended, answer.get("results", {}))
        update: Update = {
            "messages": messages,
            "turn": {
                **turn,
                "facts": [*(turn.get("facts") or ()), *(f.to_dict() for f in facts)],
                "remote": [current_run().calls.anew(call) if call["id"] in again else call for call in left],
                "words": [*(turn.get("words") or ()), *answer.get("words", ())],
            },
        }
        stop = answer.get("stop")
        if stop:
            update |= end(TaskCode(stop["code"]), stop["message"])
        return update

    # -- hold ----------------------------------------------------------------------------------------------

    def hold(self, state: LoopState) -> Update:
        """Wait until the task is thawed, and do what the comparison of the surroundings says; suspended here."""
        held, turn = state["hold"], state["turn"]
        back, unmade = held["back"], list(turn.get("calls") or ()) if held["back"] == "exec_tools" else []
        answer = interrupt({"kind": "frozen", "calls": unmade, **held})
        decision = answer.get("decision")
        if decision is None:
            return {**stopped(held["before"]), "hold": {}}
        if decision == Decision.ABORT.value:
            message = f"The task was broken off. {answer['reason']}"
            return {**end(TaskCode.ABORTED_BY_SAFETY, message), "hold": {}}
        if decision == Decision.RESUME.value:
            return {"hold": {"frozen": False, "back": back}}
        words = _told(answer)
        if unmade:
            # What was called for may be wrong now: the model decides again.
            messages, facts = current_run().calls.put_off(unmade, answer["reason"])
            turn = {
                **turn,
                "calls": [],
                "facts": [*(turn.get("facts") or ()), *(fact.to_dict() for fact in facts)],
                "words": [*(turn.get("words") or ()), *words],
            }
            return {"messages": messages, "turn": turn, "hold": {"frozen": False, "back": "evaluate"}}
        said = str(turn.get("said", ""))
        spoken = [{"role": "assistant", "content": said}] if said.strip() else []
        return {
            "messages": [*spoken, *words],
            "turn": {},
            "hold": {"frozen": False, "back": "check"},
        }

    def _repeated(self, state: LoopState) -> set[str]:
        """Return the ids of the calls that were made too often already."""
        skip = self._breaker.repeated(self._turns(state), [_planned(c) for c in state["turn"]["calls"]])
        return set(skip.targets) if skip is not None else set()

    def _turns(self, state: LoopState) -> list[Turn]:
        """Return the last turns of this run since the user has spoken."""
        turns = current_run().recent(state.get("turns", ()), int(state["breaker"]["since"]))
        spoken = int(state["breaker"].get("spoken", 0))
        return [turn for turn in turns if turn.number > spoken] if spoken else turns


def held_at(back: str) -> Update:
    """Return the update that leads to hold while the run is frozen, an empty one when it is not."""
    hold = current_run().hold
    if not hold.on:
        return {}
    plain = {"frozen": True, "reason": hold.reason, "before": hold.before.to_dict(), "back": back}
    return {"hold": plain}


def _told(answer: Mapping[str, Any]) -> Sequence[dict[str, Any]]:
    """Return what the model is told by a verdict: why to look again, and the user's words."""
    told = [look_again(answer["reason"])] if answer["decision"] == Decision.REPLAN.value else []
    if answer.get("words"):
        told.append({"role": "user", "content": answer["words"]})
    return told


def _planned(call: Mapping[str, Any]) -> CallFact:
    return CallFact(call["id"], call["name"], call["digest"], call.get("arguments") or {})
