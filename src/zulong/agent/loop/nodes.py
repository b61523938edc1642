"""The nodes of the loop: accept -> check -> call_model -> approve -> exec_tools -> await_remote -> evaluate.

Routing is a pure function of the state (:mod:`zulong.agent.loop.routes`). A model is called in ``call_model``
only; the outside world answers through the interrupts of ``approve`` and ``await_remote``.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from typing import Any

from zulong.agent.budget import Budget
from zulong.agent.chat.continuing import stream_through
from zulong.agent.chat.errors import ChatCanceledError, ChatError
from zulong.agent.chat.json_repair import calls_in_text
from zulong.agent.chat.model import Assembly, ChatModel, ChatRequest, Reply
from zulong.agent.codes import TaskCode
from zulong.agent.latch import current_latch
from zulong.agent.loop.breaker import Breaker
from zulong.agent.loop.conversation import compacted, request_messages
from zulong.agent.loop.findings import Action, Catch, Finding, Verdict
from zulong.agent.loop.nets.view import ReplyView
from zulong.agent.loop.plan_tools import PLAN_TOOLS, complete_node
from zulong.agent.loop.scope import current_run
from zulong.agent.loop.settings import LoopSettings
from zulong.agent.loop.state import LoopState, fresh_breaker
from zulong.agent.loop.turns import CallFact, Turn, makes_progress
from zulong.agent.surroundings import Decision, Interruption, Surroundings, decide
from zulong.agent.tools.keep import LoopMemory
from zulong.agent.tools.tool import ToolRegistry
from zulong.stategraph.types import interrupt
from zulong.tasks import TaskGraph

logger = logging.getLogger(__name__)

Update = dict[str, Any]


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
        self._predict = predict
        self._breaker = Breaker(settings.signals())
        self._nets = settings.safety_nets()

    # -- accept and check ----------------------------------------------------------------------------------

    def accept(self, state: LoopState) -> Update:
        """Take in what this run was asked: a task, an answer, or to go on."""
        request = state["request"]
        text = request.get("text", "")
        update: Update = {"outcome": None, "turn": {}}
        if request["kind"] == "resume":
            update["breaker"] = fresh_breaker(len(state.get("turns", ())))
        if request["kind"] == "instruction":
            update |= {
                "instruction": text,
                "budget": Budget.of(text, request.get("budget")).to_dict(),
                "breaker": fresh_breaker(len(state.get("turns", ()))),
                "offered": self._predicted(text),
            }
        if text:
            update["messages"] = [{"role": "user", "content": text}]
        if state.get("surroundings"):
            update["surroundings"] = {}
            if request["kind"] != "instruction":
                self._look_around(state, text, update)
        return update

    def _look_around(self, state: LoopState, words: str, update: Update) -> None:
        """Compare how things look with how they looked when the task was interrupted, and act on it."""
        graph = current_run().copy.at(state.get("events", []))
        leaves = list(graph.leaves())
        closed = [leaf for leaf in leaves if leaf.status.value in ("completed", "skipped")]
        verdict = decide(
            Interruption(
                before=Surroundings.from_dict(state["surroundings"]),
                after=current_run().surroundings(),
                concerns=frozenset(str(v) for leaf in leaves for v in leaf.arguments.values()),
                progress=len(closed) / max(1, len(leaves)),
                words=words,
            )
        )
        told = {"decision": verdict.decision.value, "rule": verdict.rule, "reason": verdict.reason}
        current_run().tell({"event": "surroundings", **told})
        if verdict.decision is Decision.ABORT:
            message = f"The task was not taken up again. {verdict.reason}"
            update.update(self._end(TaskCode.ABORTED_BY_SAFETY, message))
        elif verdict.decision is Decision.REPLAN:
            note = {
                "role": "user",
                "content": f"[surroundings] {verdict.reason} Look again before you go on.",
            }
            update["messages"] = [note, *update.get("messages", [])]

    def _predicted(self, text: str) -> list[str] | None:
        if self._predict is None:
            return None
        names = self._predict(text)
        return None if names is None else [name for name in names if self._tools.get(name)]

    def check(self, state: LoopState) -> Update:
        """Look at limits and signals before the model speaks for the first time; later evaluate does so."""
        breaker = dict(state["breaker"])
        findings = self._breaker.look(self._turns(state), breaker)
        return self._checked(state, breaker, findings)

    def _checked(self, state: LoopState, breaker: dict[str, Any], findings: Sequence[Finding]) -> Update:
        """Return what the findings and the latch mean for the next turn."""
        if current_latch().is_set:
            return self._stopped()
        for finding in findings:
            current_run().tell({"event": "breaker", **finding.to_dict()})
        stop = next((f for f in findings if f.action is Action.STOP), None)
        if stop is not None and breaker["forced"] is not None:
            return self._end(TaskCode.SKILL_FAILED, f"The loop was brought to an end. {breaker['forced']}")
        if stop is not None:
            return self._end(TaskCode.MODEL_UNAVAILABLE, f"The loop was stopped. {stop.reason}")
        forced = next((f for f in findings if f.action is Action.FORCE), None)
        if forced is not None and breaker["forced"] is None:
            breaker["forced"] = forced.reason
        breaker["findings"] = [f.to_dict() for f in findings]
        return {} if breaker == state["breaker"] else {"breaker": breaker}

    # -- call_model ----------------------------------------------------------------------------------------

    def call_model(self, state: LoopState) -> Update:
        """Have the model reply; the only place where a model is called."""
        breaker, budget = dict(state["breaker"]), Budget.from_dict(state["budget"])
        definitions = self._definitions(state, breaker, budget)
        update: Update = {}
        compaction = state.get("compaction") or {}
        compact = compacted(
            state["messages"],
            compaction,
            self._memory,
            window=self._model.context_window,
            compact_at=self._settings.compact_at,
            compact_to=self._settings.compact_to,
            used=current_run().tokens.of(state["messages"], compaction, definitions),
        )
        if compact is not None:
            compaction = update["compaction"] = compact
            current_run().tell({"event": "compacted", "upto": compact["upto"]})
        request = ChatRequest(
            request_messages(
                self._settings.system_prompt, state["messages"], compaction, self._hints(breaker, budget)
            ),
            tools=definitions,
            max_tokens=self._settings.truncated_tokens if breaker.get("truncate") else None,
        )
        try:
            reply = self._speak(request)
        except ChatCanceledError:
            return {**update, **self._stopped()}
        except ChatError as error:
            return {**update, **self._end(TaskCode.MODEL_UNAVAILABLE, str(error))}
        return {**update, **self._taken(state, reply, bool(definitions))}

    def _speak(self, request: ChatRequest) -> Reply:
        attempts = [self._model] * (1 + self._settings.cut_retries)
        assembly = Assembly(lambda text: current_run().tell({"event": "token", "text": text}))
        # Only a stream that broke off is continued; the model itself has retried everything else.
        stream = stream_through(attempts, request, current_latch())
        return assembly.take(stream, self._settings.max_reply_chars)

    def _definitions(
        self, state: LoopState, breaker: Mapping[str, Any], budget: Budget
    ) -> list[dict[str, Any]]:
        """Return the tools of the next request: none at the budget's end or when an end is forced."""
        if budget.exhausted or breaker["forced"] is not None:
            return []
        names = state.get("offered") or list(self._tools.names)
        offered = [name for name in names if name not in breaker["removed"]]
        return self._tools.definitions(offered) + [
            tool.definition() for name, tool in PLAN_TOOLS.items() if name not in breaker["removed"]
        ]

    def _hints(self, breaker: Mapping[str, Any], budget: Budget) -> list[str]:
        hints = []
        if budget.exhausted:
            if budget.limit:
                hints.append(
                    f"The limit of {budget.limit} tool calls is reached. Conclude from what you have, and say "
                    f"plainly what is not done."
                )
            else:
                hints.append("The user wants no tools to be used. Answer from what you know.")
        if breaker["forced"] is not None:
            hints.append(f"{breaker['forced']} Conclude now: say what was done and what was not.")
        for finding in breaker.get("findings", ()):
            if finding["action"] == Action.CONVERGE.value:
                hints.append(
                    f"{finding['reason']} Bring the task to an end with as few further calls as possible."
                )
            elif finding["action"] == Action.REMOVE_TOOL.value:
                hints.append(f"{finding['reason']} It is not offered for now: go another way.")
            elif finding["action"] == Action.TRUNCATE.value:
                hints.append(f"{finding['reason']} Answer in a few sentences.")
        return hints

    def _taken(self, state: LoopState, reply: Reply, tools_offered: bool) -> Update:
        if reply.refusal:
            return {"messages": [reply.to_message()], **self._end(TaskCode.REFUSED, reply.refusal)}
        written: list[tuple[str, Any]] = [(call.name, call.arguments) for call in reply.calls]
        if not written and tools_offered:
            names = (*self._tools.names, *PLAN_TOOLS)
            written = list(calls_in_text(reply.text, names))
        if not tools_offered:
            written = []
        total = len(state["messages"])
        calls = [
            current_run().calls.prepared(f"call_{total}_{index}", name, arguments)
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
        turn = state["turn"]
        asked = [call for call in turn["calls"] if call.get("approve")]
        answers = interrupt({"kind": "approval", "calls": asked})
        return {"turn": {**turn, "denied": [call["id"] for call in asked if not answers.get(call["id"])]}}

    def exec_tools(self, state: LoopState) -> Update:
        """Make the internal calls; remote ones are listed for await_remote."""
        graph = current_run().copy.at(state.get("events", []))
        turn = state["turn"]
        skip = self._breaker.repeated(self._turns(state), [_planned(call) for call in turn["calls"]])
        if skip is not None:
            current_run().tell({"event": "breaker", **skip.to_dict()})
        batch = current_run().calls.make(
            turn["calls"],
            graph,
            instruction=state.get("instruction", ""),
            budget=Budget.from_dict(state["budget"]),
            denied=set(turn.get("denied") or ()),
            repeated=set(skip.targets) if skip else set(),
        )
        update: Update = {
            "messages": batch.messages,
            "turn": {"facts": [fact.to_dict() for fact in batch.facts], "remote": batch.remote},
        }
        if batch.spent:
            update["budget"] = {"spend": batch.spent}
        return self._with_events(state, graph, update)

    def await_remote(self, state: LoopState) -> Update:
        """Wait for the remote calls; suspended here, also over a restart, until every result has come."""
        turn = state["turn"]
        answer = interrupt({"kind": "tools", "calls": turn["remote"]})
        messages, facts = current_run().calls.take_remote(turn["remote"], answer.get("results", {}))
        note = answer.get("note")
        if note:
            messages.append({"role": "user", "content": f"[surroundings] {note}"})
        update: Update = {
            "messages": messages,
            "turn": {"facts": [*turn["facts"], *(f.to_dict() for f in facts)], "remote": []},
        }
        stop = answer.get("stop")
        if stop:
            update |= self._end(TaskCode(stop["code"]), stop["message"])
        return update

    # -- evaluate ------------------------------------------------------------------------------------------

    def evaluate(self, state: LoopState) -> Update:
        """Record the turn; if the model called nothing, let its reply fall through the nets."""
        if state.get("outcome"):
            return {}
        graph = current_run().copy.at(state.get("events", []))
        breaker = dict(state["breaker"])
        reply = state["turn"].get("reply")
        facts = tuple(CallFact(**fact) for fact in state["turn"].get("facts", ()))
        earlier = self._turns(state)
        progress = makes_progress(facts, earlier) or graph.version > int(breaker["plan_version"])
        chars = len(reply["text"].strip()) if reply else 1
        turn = Turn(len(state.get("turns", ())) - int(breaker["since"]) + 1, chars, facts, progress)
        turns = current_run().took(turn, len(state.get("turns", ())))
        breaker["plan_version"] = graph.version
        findings = self._breaker.look(turns, breaker)
        update: Update = {"turns": [turn.to_dict()]}
        if reply is None or turn.empty:
            return update | self._checked(state, breaker, findings)
        if reply["finish"] == "cut":
            return update | self._after_cut(state, breaker)
        return update | self._through_nets(state, graph, breaker, turns, findings, reply["text"])

    def _after_cut(self, state: LoopState, breaker: dict[str, Any]) -> Update:
        """Ask once for a shorter reply, then give up."""
        if breaker["caught"].get("cut"):
            return self._end(TaskCode.MODEL_UNAVAILABLE, "The model does not come to an end.")
        breaker["caught"] = {**breaker["caught"], "cut": 1}
        limit = self._settings.max_reply_chars
        hint = f"[loop] Your reply was cut after {limit} characters. Say it in a few sentences."
        return {"breaker": breaker, "messages": [{"role": "user", "content": hint}]}

    def _through_nets(
        self,
        state: LoopState,
        graph: TaskGraph,
        breaker: dict[str, Any],
        turns: Sequence[Turn],
        findings: Sequence[Finding],
        text: str,
    ) -> Update:
        for net in self._nets:
            view = self._view(state, graph, breaker, turns, findings, text)
            catch = net.look(view)
            if catch is None:
                continue
            current_run().tell({"event": "net", **catch.to_dict()})
            for node_id, call_id in catch.completes:
                complete_node(graph, node_id, f"shown by {call_id}")
            if catch.verdict is Verdict.DONE:
                continue
            breaker["caught"] = {**breaker["caught"], net.name: breaker["caught"].get(net.name, 0) + 1}
            if catch.verdict is Verdict.CONTINUE and breaker["forced"] is None:
                hint = {"role": "user", "content": f"[loop] {catch.message}"}
                return self._with_events(state, graph, {"breaker": breaker, "messages": [hint]})
            return self._with_events(
                state, graph, {"breaker": breaker, **self._forced(state, graph, catch, text)}
            )
        return self._with_events(state, graph, {"breaker": breaker, **self._final(state, graph, view, text)})

    def _view(
        self,
        state: LoopState,
        graph: TaskGraph,
        breaker: Mapping[str, Any],
        turns: Sequence[Turn],
        findings: Sequence[Finding],
        text: str,
    ) -> ReplyView:
        budget = Budget.from_dict(state["budget"])
        offered = [d["function"]["name"] for d in self._definitions(state, breaker, budget)]
        if breaker["forced"] is not None:
            findings = [*findings, self._breaker.forced(breaker["forced"])]
        recent = state["messages"][-12:]
        return ReplyView(
            instruction=state.get("instruction", ""),
            reply=text,
            turns=turns,
            tools=offered,
            effects=[
                n for n in offered if (tool := self._tools.get(n)) is not None and tool.has_side_effects
            ],
            sources=[
                *(str(m.get("content") or "") for m in recent if m.get("role") in ("tool", "user")),
                *(node.title for node in graph.nodes()),
            ],
            plan=graph if len(graph) else None,
            findings=findings,
            caught=breaker["caught"],
        )

    def _forced(self, state: LoopState, graph: TaskGraph, catch: Catch, text: str) -> Update:
        """Return the outcome of an end that was not the model's own choice."""
        if catch.evidence.get("withhold"):
            return self._end(
                TaskCode.REFUSED, "The reply was withheld: it holds words that must not be said."
            )
        if catch.evidence.get("action") == Action.CONVERGE.value and not _open(graph):
            return self._end(TaskCode.SUCCEEDED, "", text)
        return self._end(TaskCode.SKILL_FAILED, f"The loop was brought to an end. {catch.reason}", text)

    def _final(self, state: LoopState, graph: TaskGraph, view: ReplyView, text: str) -> Update:
        """Return the outcome of a reply that fell through all nets."""
        if _open(graph) and Budget.from_dict(state["budget"]).exhausted:
            limit = state["budget"]["limit"]
            return self._end(
                TaskCode.BUDGET_EXHAUSTED,
                f"The limit of {limit} tool calls was reached before the task was done.",
                text,
            )
        if view.asks_the_user and (_open(graph) or not any(call.ok for call in view.calls)):
            return self._end(TaskCode.NEEDS_INPUT, text, text)
        if _open(graph):
            left = "; ".join(_open(graph)[:5])
            return self._end(TaskCode.SKILL_FAILED, f"These steps are not done: {left}.", text)
        return self._end(TaskCode.SUCCEEDED, "", text)

    def _turns(self, state: LoopState) -> list[Turn]:
        """Return the last turns of this run."""
        return current_run().recent(state.get("turns", ()), int(state["breaker"]["since"]))

    # -- plumbing ------------------------------------------------------------------------------------------

    def _stopped(self) -> Update:
        """Return the outcome of a stop from outside, with how things look now for whoever goes on later."""
        reason = current_latch().reason
        end = self._end(_stop_code(reason), f"The task was stopped: {reason or 'canceled'}.")
        return end | {"surroundings": current_run().surroundings().to_dict()}

    def _end(self, code: TaskCode, message: str, text: str = "") -> Update:
        return {"outcome": {"code": int(code), "message": message, "text": text}}

    def _with_events(self, state: LoopState, graph: TaskGraph, update: Update) -> Update:
        new = graph.events_since(len(state.get("events", [])))
        if new:
            update["events"] = [event.to_dict() for event in new]
            current_run().tell({"event": "plan", "graph": graph})
        return update


def _planned(call: Mapping[str, Any]) -> CallFact:
    return CallFact(call["id"], call["name"], call["digest"], call.get("arguments") or {})


def _open(graph: TaskGraph) -> list[str]:
    return [leaf.title for leaf in graph.leaves() if leaf.status.value not in ("completed", "skipped")]


def _stop_code(reason: str) -> TaskCode:
    return TaskCode.TIME_LIMIT if reason == TIME_LIMIT else TaskCode.CANCELED


TIME_LIMIT = "the time limit ended"
