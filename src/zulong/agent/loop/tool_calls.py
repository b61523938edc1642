"""Making the calls of a reply: repaired, in order, within the budget, each effect once."""

from __future__ import annotations

import difflib
import logging
import re
from collections.abc import Callable, Collection, Mapping, Sequence, Set
from dataclasses import dataclass, field
from typing import Any

from zulong.agent.approval import approval_needed
from zulong.agent.budget import Budget, SharedBudget
from zulong.agent.chat.characters import well_formed
from zulong.agent.chat.tokens import chars_within
from zulong.agent.codes import SkillCode
from zulong.agent.latch import current_latch
from zulong.agent.ledger import EffectLedger
from zulong.agent.loop.conversation import valid_arguments
from zulong.agent.loop.hold import Hold, latch_of_task_and_hold
from zulong.agent.loop.plan_tools import PLAN_TOOLS, run_plan_tool
from zulong.agent.loop.settings import LoopSettings
from zulong.agent.loop.turns import CallFact, digest
from zulong.agent.skills import SkillResult
from zulong.agent.tools.keep import LoopMemory, cut_result
from zulong.agent.tools.repair import ArgumentsError, repair_arguments
from zulong.agent.tools.results import as_text
from zulong.agent.tools.run import RunningTool, ToolOutcome
from zulong.agent.tools.tool import Tool, ToolRegistry
from zulong.tasks import TaskGraph

logger = logging.getLogger(__name__)

_NO_NAME = re.compile(r"[^a-zA-Z0-9_-]")
# Names as some models write them: functions.look_for:0, default_api.look_for, look_for().
_AROUND_A_NAME = re.compile(r"^(?:\w+(?:[./]|::))*(?P<name>[\w-]+)(?::\d+|\(\))?$")
_SHORTEST_RESULT = 200


@dataclass(slots=True)
class Batch:
    """What came of the internal calls of a reply.

    Attributes:
        messages: the results, for the conversation.
        facts: the same for breaker and nets.
        remote: the remote calls, to be waited for.
        spent: calls that count.
        left: calls that a freeze kept back, remote ones before it as well.
    """

    messages: list[dict[str, Any]] = field(default_factory=list)
    facts: list[CallFact] = field(default_factory=list)
    remote: list[dict[str, Any]] = field(default_factory=list)
    spent: int = 0
    left: list[dict[str, Any]] = field(default_factory=list)


class ToolCalls:
    """Makes calls for one thread.

    Args:
        tools: the registry.
        memory: keeps what is cut from long results.
        settings: limits.
        thread_id: part of the keys under which effects are recorded.
        ledger: records effects of internal tools, so that none happens twice; None for none.
        window: the model's context window in tokens; the results of one reply take half of it at most.
    """

    def __init__(
        self,
        tools: ToolRegistry,
        memory: LoopMemory,
        settings: LoopSettings,
        thread_id: str,
        ledger: EffectLedger | None = None,
        window: int = 1_000_000,
    ) -> None:
        self._tools = tools
        self._memory = memory
        self._settings = settings
        self._thread_id = thread_id
        self._ledger = ledger
        self._window = window
        self._together = 1

    def prepared(
        self, call_id: str, name: str, written: str | Mapping[str, Any], removed: Collection[str] = ()
    ) -> dict[str, Any]:
        """Return a call as plain data: repaired arguments, or the error that the model is told.

        Args:
            call_id: id of the call in the conversation.
            name: of the tool, as the model wrote it.
            written: the arguments, as the model wrote them.
            removed: tools that the breaker has taken away for now; not every server keeps a model from them.
        """
        raw = well_formed(written) if isinstance(written, str) else as_text(dict(written))
        call: dict[str, Any] = {"id": call_id, "arguments": {}, "error": "", "approve": False}
        tool = self._find(name)
        call["name"] = tool.name if tool is not None else _NO_NAME.sub("_", name)[:64] or "unknown"
        if tool is None:
            call["error"] = self._unknown(well_formed(name)[:100])
        elif tool.name in removed:
            call["error"] = f"error: {tool.name} is taken away for now; go another way."
        else:
            try:
                call["arguments"] = repair_arguments(tool, raw).arguments
            except ArgumentsError as error:
                call["error"] = f"error: {error}"
            else:
                call["approve"] = approval_needed(self._settings.approval, tool.profile())
        call["digest"] = digest(raw if call["error"] else call["arguments"])
        call["written"] = valid_arguments(raw)
        return call

    def to_be_asked(
        self,
        calls: Sequence[Mapping[str, Any]],
        budget: Budget,
        repeated: Set[str],
        denied: Collection[str],
    ) -> list[dict[str, Any]]:
        """Return the calls of a reply that a person is asked for: those that would be made on a yes.

        Args:
            calls: as :meth:`prepared` made them.
            budget: what is left.
            repeated: ids of calls that must not be made.
            denied: the calls (see :func:`same_call`) that the user has said no to; they are not asked for again.
        """
        asked: list[dict[str, Any]] = []
        counted = 0
        for position, call in enumerate(calls):
            costs = call["name"] not in self._settings.uncounted_tools
            if (
                position >= self._settings.max_calls_per_reply
                or (costs and budget.spend(counted).exhausted)
                or call["error"]
                or call["id"] in repeated
                or same_call(call) in denied
            ):
                continue
            counted += costs
            if call.get("approve") and same_call(call) not in {same_call(other) for other in asked}:
                asked.append(dict(call))
        return asked

    def make(
        self,
        calls: Sequence[Mapping[str, Any]],
        graph: TaskGraph,
        *,
        instruction: str,
        budget: Budget,
        denied: Set[str],
        repeated: Set[str],
        unasked: Set[str] = frozenset(),
        hold: Hold | None = None,
        made: int = 0,
        shared: SharedBudget | None = None,
    ) -> Batch:
        """Make the calls of one reply.

        Calls without side effects run beside each other; those with side effects run one after the other in
        the order of the reply, whichever thread or machine does them: once a remote one is waited for, the
        later ones with side effects are not made in this turn. From a freeze on nothing is begun.

        Args:
            calls: as :meth:`prepared` made them.
            graph: the plan, changed by the plan's own tools.
            instruction: the task's words.
            budget: what is left.
            denied, repeated: ids of calls that must not be made.
            unasked: ids of calls that need a yes and were not asked for yet.
            hold: tells of freezes.
            made: how many calls of the same reply were answered before a freeze.
            shared: a budget that other runs draw on as well.
        """
        batch = Batch()
        self._together = made + len(calls)
        running: list[tuple[Mapping[str, Any], Tool, RunningTool]] = []
        for position, call in enumerate(calls):
            if hold is not None and hold.on:
                waiting = {remote["id"] for remote in batch.remote}
                batch.left = [dict(c) for i, c in enumerate(calls) if i >= position or c["id"] in waiting]
                put_off = sum(r["name"] not in self._settings.uncounted_tools for r in batch.remote)
                batch.spent -= put_off
                if shared is not None:
                    shared.give_back(put_off)
                batch.remote = []
                break
            refusal = self._refusal(call, made + position, denied, repeated, unasked, budget, batch)
            if refusal:
                self._answer(batch, call, ToolOutcome(False, refusal), skipped=not call["error"])
                continue
            tool = self._find(call["name"])
            assert tool is not None  # noqa: S101 - a call of an unknown tool carries an error
            if tool.name not in self._settings.uncounted_tools:
                if shared is not None and not shared.take():
                    self._answer(batch, call, ToolOutcome(False, _spent(budget)), skipped=True)
                    continue
                batch.spent += 1
            if tool.name in PLAN_TOOLS:
                ok, text = run_plan_tool(graph, tool.name, call["arguments"], instruction)
                self._answer(batch, call, ToolOutcome(ok, text))
            elif tool.remote:
                batch.remote.append(self._remote(call, tool))
            elif tool.has_side_effects:
                self._answer(batch, call, self._once(call, tool, hold), effect=True)
            else:
                running.append((call, tool, self._begin(call, tool, hold)))
        for call, _, run in running:
            self._answer(batch, call, run.wait())
        return batch

    def put_off(
        self, calls: Sequence[Mapping[str, Any]], reason: str
    ) -> tuple[list[dict[str, Any]], list[CallFact]]:
        """Return messages and facts for calls that were not made because things have changed meanwhile."""
        batch = Batch()
        words = f"error: not made: {reason} Make it again if it is still right."
        for call in calls:
            self._answer(batch, call, ToolOutcome(False, words), skipped=True)
        return batch.messages, batch.facts

    def anew(self, call: Mapping[str, Any]) -> dict[str, Any]:
        """Return a remote call as it is made once more: under a key of its own, because the first was used."""
        attempt = int(call.get("attempt_key", 1)) + 1
        return {**call, "attempt_key": attempt, "key": f"{self._thread_id}/{call['id']}/{attempt}"}

    def _begin(self, call: Mapping[str, Any], tool: Tool, hold: Hold | None) -> RunningTool:
        cancel, withdrawals = current_latch(), list[Callable[[], None]]()
        if hold is not None and tool.when_frozen == "cancel":
            cancel, withdrawals = latch_of_task_and_hold(cancel, hold)
        rest_s = self._settings.cancel_time_limit_s
        return RunningTool(tool, call["arguments"], cancel, withdrawals, rest_s)

    def take_remote(
        self, calls: Sequence[Mapping[str, Any]], results: Mapping[str, Mapping[str, Any]]
    ) -> tuple[list[dict[str, Any]], list[CallFact]]:
        """Return messages and facts for remote calls with their results (``SkillResult`` as plain data)."""
        batch = Batch()
        for call in calls:
            plain = results.get(call["id"])
            if plain is None:
                outcome = ToolOutcome(False, "error: not done, the task was stopped before.")
            else:
                result = SkillResult.from_dict(plain)
                outcome = _outcome_of(result)
            self._answer(batch, call, outcome, effect=bool(call.get("effect")))
        return batch.messages, batch.facts

    def _find(self, name: str) -> Tool | None:
        tool = self._tools.get(name) or PLAN_TOOLS.get(name)
        if tool is not None:
            return tool
        inner = _AROUND_A_NAME.match(name.strip())
        plain = (inner["name"] if inner is not None else name).lower().replace("-", "_")
        known = {n.lower().replace("-", "_"): n for n in (*self._tools.names, *PLAN_TOOLS)}
        found = known.get(plain)
        return None if found is None else self._tools.get(found) or PLAN_TOOLS.get(found)

    def _unknown(self, name: str) -> str:
        names = [*self._tools.names, *PLAN_TOOLS]
        near = difflib.get_close_matches(name, names, n=3, cutoff=0.5)
        return f"error: there is no tool {name!r}; there are {', '.join(near or names[:20])}."

    def _refusal(
        self,
        call: Mapping[str, Any],
        position: int,
        denied: Set[str],
        repeated: Set[str],
        unasked: Set[str],
        budget: Budget,
        batch: Batch,
    ) -> str:
        """Return why a call is not made, "" when it is."""
        if current_latch().is_set:
            return "error: not made: the task was stopped before."
        if call["error"]:
            return str(call["error"])
        if call["id"] in repeated:
            return "error: this very call was made before and nothing has changed since; use its result or go another way."
        if call["id"] in denied:
            return "error: the user did not allow this call; do not make it again, go another way or say so."
        if position >= self._settings.max_calls_per_reply:
            return f"error: only {self._settings.max_calls_per_reply} calls are made in one turn; make it again later."
        if call["name"] not in self._settings.uncounted_tools and budget.spend(batch.spent).exhausted:
            return _spent(budget)
        if call["id"] in unasked:
            return "error: not made yet: the user was asked for other calls first; make it again if it is still right."
        tool = self._find(call["name"])
        if tool is not None and tool.has_side_effects and any(r["effect"] for r in batch.remote):
            return "error: not made yet: an earlier call of this turn has to end first; make it again if it is still right."
        return ""

    def _remote(self, call: Mapping[str, Any], tool: Tool) -> dict[str, Any]:
        return {
            "id": call["id"],
            "node_id": call["id"],
            "name": tool.name,
            "skill": tool.name,
            "title": tool.name,
            "arguments": call["arguments"],
            "digest": call["digest"],
            "effect": tool.has_side_effects,
            "when_frozen": tool.when_frozen,
            "key": f"{self._thread_id}/{call['id']}",
        }

    def _once(self, call: Mapping[str, Any], tool: Tool, hold: Hold | None) -> ToolOutcome:
        """Run a tool with a side effect, unless the ledger knows that it ran or was begun."""
        key = f"{self._thread_id}/{call['id']}"
        if self._ledger is not None:
            entry = self._ledger.begin(key, tool.name)
            if entry is not None and entry.result is not None:
                return _outcome_of(entry.result)
            if entry is not None:
                return ToolOutcome(
                    False,
                    f"error: {tool.name} was begun before a restart and nobody knows whether it was done; "
                    f"look before you repeat it.",
                )
        outcome = self._begin(call, tool, hold).wait()
        if self._ledger is not None:
            code = SkillCode.SUCCEEDED if outcome.ok else SkillCode.INTERNAL
            self._ledger.finish(
                key, SkillResult(code, "" if outcome.ok else outcome.text, {"text": outcome.text})
            )
        return outcome

    def _answer(
        self,
        batch: Batch,
        call: Mapping[str, Any],
        outcome: ToolOutcome,
        *,
        effect: bool = False,
        skipped: bool = False,
    ) -> None:
        text = well_formed(outcome.text)
        if not outcome.ok and not text.startswith("error"):
            text = f"error: {text}"
        limit = self._settings.result_chars
        if len(text) > min(_SHORTEST_RESULT, limit):
            share = self._window // 2 // max(1, self._together)
            limit = min(limit, max(_SHORTEST_RESULT, chars_within(text, share)))
            text = cut_result(text, limit, self._memory, call["name"], call["id"])
        batch.messages.append(
            {"role": "tool", "tool_call_id": call["id"], "name": call["name"], "content": text}
        )
        batch.facts.append(
            CallFact(
                id=call["id"],
                name=call["name"],
                digest=call["digest"],
                arguments=call["arguments"],
                ok=outcome.ok,
                result=digest(outcome.text),
                effect=effect and outcome.ok,
                skipped=skipped,
            )
        )


def same_call(call: Mapping[str, Any]) -> str:
    """Return what is the same for every call of one tool with the same arguments."""
    return f"{call['name']}/{call['digest']}"


def _spent(budget: Budget) -> str:
    return f"error: the limit of {budget.limit} tool calls is reached; conclude without tools."


def _outcome_of(result: SkillResult) -> ToolOutcome:
    if result.succeeded:
        plain = dict(result.result)
        return ToolOutcome(True, as_text(plain["text"] if set(plain) == {"text"} else plain))
    return ToolOutcome(False, f"error: {result.code.name}: {result.message}")
