"""The node evaluate: a turn is recorded, and a reply that calls nothing falls through the nets."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from typing import Any

from zulong.agent.codes import TaskCode
from zulong.agent.loop.breaker import Breaker
from zulong.agent.loop.ending import end, open_titles, with_events
from zulong.agent.loop.findings import Action, Catch, Finding, Verdict
from zulong.agent.loop.nets.deeds import declines
from zulong.agent.loop.nets.view import ReplyView
from zulong.agent.loop.offers import offered_tools
from zulong.agent.loop.plan_tools import complete_node
from zulong.agent.loop.scope import current_run
from zulong.agent.loop.settings import LoopSettings
from zulong.agent.loop.state import LoopState, Update
from zulong.agent.loop.turns import CallFact, Turn, makes_progress
from zulong.agent.tools.tool import ToolRegistry
from zulong.tasks import TaskGraph


class Evaluation:
    """Evaluates turns, over the tools and the limits.

    Args:
        tools: the registry.
        settings: limits and thresholds.
    """

    def __init__(self, tools: ToolRegistry, settings: LoopSettings) -> None:
        self._tools = tools
        self._settings = settings
        self._nets = settings.safety_nets()

    def evaluate(self, state: LoopState) -> Update:
        """Record the turn; if the model called nothing, let its reply fall through the nets."""
        graph = current_run().copy.at(state.get("events", []))
        reply = state["turn"].get("reply")
        facts = tuple(CallFact(**fact) for fact in state["turn"].get("facts", ()))
        breaker = dict(state["breaker"])
        # A step that is closed, and the first plan; whoever goes on planning without doing anything stands still.
        closed = len(graph) - len(open_titles(graph)) if len(graph) else -1
        forward = closed > int(breaker.get("plan_closed", -1))
        progress = makes_progress(facts, _turns(state)) or forward
        chars = len(reply["text"].strip()) if reply else 1
        turn = Turn(len(state.get("turns", ())) - int(breaker["since"]) + 1, chars, facts, progress)
        turns = current_run().took(turn, len(state.get("turns", ())))
        breaker["plan_closed"] = max(closed, int(breaker.get("plan_closed", -1)))
        update: Update = {"turns": [turn.to_dict()]}
        words = state["turn"].get("words")
        if words:
            update["messages"] = [dict(message) for message in words]
        if reply is not None and _broken_off(reply, breaker):
            return update | self._after_cut(breaker, len(reply["text"]))
        if reply is None or turn.empty:
            return update if breaker == state["breaker"] else update | {"breaker": breaker}
        return update | self._through_nets(state, graph, breaker, turns, reply["text"])

    def _after_cut(self, breaker: dict[str, Any], chars: int) -> Update:
        """Ask once for a shorter reply, then give up."""
        if breaker["caught"].get("cut"):
            return end(TaskCode.MODEL_UNAVAILABLE, "The model does not come to an end.")
        breaker["caught"] = {**breaker["caught"], "cut": 1}
        hint = f"[loop] Your reply was cut after {chars} characters. Say it in a few sentences."
        return {"breaker": breaker, "messages": [{"role": "user", "content": hint}]}

    def _through_nets(
        self,
        state: LoopState,
        graph: TaskGraph,
        breaker: dict[str, Any],
        turns: Sequence[Turn],
        text: str,
    ) -> Update:
        for net in self._nets:
            view = self._view(state, graph, breaker, turns, text)
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
                return with_events(state, graph, {"breaker": breaker, "messages": [hint]})
            return with_events(state, graph, {"breaker": breaker, **self._forced(graph, catch, text)})
        return with_events(state, graph, {"breaker": breaker, **self._final(state, graph, view, text)})

    def _view(
        self,
        state: LoopState,
        graph: TaskGraph,
        breaker: Mapping[str, Any],
        turns: Sequence[Turn],
        text: str,
    ) -> ReplyView:
        budget = current_run().budget(state["budget"])
        definitions = offered_tools(
            self._tools, state.get("offered"), breaker, budget, self._settings.own_tools
        )
        offered = [definition["function"]["name"] for definition in definitions]
        findings = [Finding.from_dict(plain) for plain in breaker.get("findings", ())]
        if breaker["forced"] is not None:
            findings.append(Breaker.forced(breaker["forced"]))
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
            earlier_effects=any(
                call["effect"]
                for turn in itertools.islice(state.get("turns", ()), int(breaker["since"]))
                for call in turn["calls"]
            ),
        )

    def _forced(self, graph: TaskGraph, catch: Catch, text: str) -> Update:
        """Return the outcome of an end that was not the model's own choice."""
        if catch.evidence.get("withhold"):
            return end(TaskCode.REFUSED, "The reply was withheld: it holds words that must not be said.")
        if catch.evidence.get("action") == Action.CONVERGE.value and not open_titles(graph):
            return end(TaskCode.SUCCEEDED, "", text)
        return end(TaskCode.SKILL_FAILED, f"The loop was brought to an end. {catch.reason}", text)

    def _final(self, state: LoopState, graph: TaskGraph, view: ReplyView, text: str) -> Update:
        """Return the outcome of a reply that fell through all nets."""
        left = open_titles(graph)
        budget = current_run().budget(state["budget"])
        if left and budget.exhausted:
            return end(
                TaskCode.BUDGET_EXHAUSTED,
                f"The limit of {budget.limit} tool calls was reached before the task was done.",
                text,
            )
        if view.asks_the_user and (left or not any(call.ok for call in view.calls)):
            return end(TaskCode.NEEDS_INPUT, text, text)
        denied = sorted({name.partition("/")[0] for name in state["breaker"].get("denied", ())})
        if denied and not any(call.effect for call in view.calls):
            return end(
                TaskCode.APPROVAL_DENIED,
                f"Not done, because nobody said yes to it: {', '.join(denied)}.",
                text,
            )
        if not any(call.ok for call in view.calls) and declines(text, view.instruction):
            return end(TaskCode.REFUSED, text, text)
        if left:
            return end(TaskCode.SKILL_FAILED, f"These steps are not done: {'; '.join(left[:5])}.", text)
        return end(TaskCode.SUCCEEDED, "", text)


def _broken_off(reply: Mapping[str, Any], breaker: Mapping[str, Any]) -> bool:
    """Return whether a reply did not come to its own end; a reply that was asked to be short may end so."""
    return reply["finish"] == "cut" or (reply["finish"] == "length" and not breaker.get("truncate"))


def _turns(state: LoopState) -> list[Turn]:
    return current_run().recent(state.get("turns", ()), int(state["breaker"]["since"]))
