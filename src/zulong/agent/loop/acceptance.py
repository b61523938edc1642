"""The node accept: what a run was asked is taken in, and the surroundings are looked at where it was interrupted."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from zulong.agent.budget import Budget
from zulong.agent.chat.characters import well_formed
from zulong.agent.chat.model import ChatModel
from zulong.agent.chat.tokens import chars_within
from zulong.agent.codes import TaskCode
from zulong.agent.interruption import look_around
from zulong.agent.loop.ending import end
from zulong.agent.loop.scope import current_run
from zulong.agent.loop.settings import LoopSettings
from zulong.agent.loop.state import LoopState, Update, fresh_breaker
from zulong.agent.surroundings import Decision, Surroundings
from zulong.agent.tools.keep import LoopMemory, cut_text
from zulong.agent.tools.tool import ToolRegistry


class Acceptance:
    """Accepts tasks, answers and resumes.

    Args:
        model: tells how much fits.
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

    def accept(self, state: LoopState) -> Update:
        """Take in what this run was asked: a task, an answer, or to go on."""
        request = state["request"]
        text = well_formed(str(request.get("text", "")))
        update: Update = {"outcome": None, "turn": {}}
        if request["kind"] == "resume":
            update["breaker"] = fresh_breaker(len(state.get("turns", ())))
        if request["kind"] == "answer":
            update["budget"] = Budget.from_dict(state["budget"]).tightened(text).to_dict()
            # The user's word is news: nobody goes in circles yet, and a no may be asked about once more.
            spoken = len(state.get("turns", ())) - int(state["breaker"]["since"])
            update["breaker"] = {**state["breaker"], "denied": [], "forced": None, "spoken": spoken}
        if request["kind"] == "instruction":
            update |= {
                "instruction": text,
                "budget": Budget.of(text, request.get("budget")).to_dict(),
                "breaker": fresh_breaker(len(state.get("turns", ()))),
                "offered": self._predicted(text),
            }
        if text:
            update["messages"] = [{"role": "user", "content": self._within_window(text)}]
        held = state.get("hold") or {}
        before = state.get("surroundings") or (held.get("before") if held.get("frozen") else None)
        if held:
            update["hold"] = {}
        if before:
            update["surroundings"] = {}
            if request["kind"] != "instruction":
                self._look_around(state, before, text, update)
        return update

    def _within_window(self, text: str) -> str:
        """Return the user's words, of a flood the part that leaves room for a conversation; memory keeps the whole."""
        limit = chars_within(text, self._model.context_window // 4)
        return cut_text(text, limit, self._memory, "DIALOGUE", {"role": "user"})

    def _look_around(self, state: LoopState, before: Mapping[str, Any], words: str, update: Update) -> None:
        """Compare how things look with how they looked when the task was interrupted, and act on it."""
        verdict = look_around(
            current_run().copy.at(state.get("events", [])),
            Surroundings.from_dict(before),
            current_run().surroundings(),
            words=words,
            limits=self._settings.surroundings,
        )
        current_run().tell({"event": "surroundings", **verdict.to_dict()})
        if verdict.decision is Decision.ABORT:
            message = f"The task was not taken up again. {verdict.reason}"
            update.update(end(TaskCode.ABORTED_BY_SAFETY, message))
        elif verdict.decision is Decision.REPLAN:
            update["messages"] = [look_again(verdict.reason), *update.get("messages", [])]

    def _predicted(self, text: str) -> list[str] | None:
        if self._predict is None:
            return None
        names = self._predict(text)
        return None if names is None else [name for name in names if self._tools.get(name)]


def look_again(reason: str) -> dict[str, Any]:
    """Return what the model is told when the surroundings have changed."""
    return {"role": "user", "content": f"[surroundings] {reason} Look again before you go on."}
