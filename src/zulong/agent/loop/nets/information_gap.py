"""The model has not looked: it says that it does not know, or states a figure out of nowhere."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from zulong.agent.loop.findings import Catch, Verdict
from zulong.agent.loop.nets.view import ReplyView
from zulong.agent.loop.terms import terms_of

_GAP = re.compile(
    r"\b(?:i (?:do not|don'?t|cannot|can'?t) (?:know|have (?:any |enough |the )?information|tell|determine|find out)"
    r"|i(?: a|')m not sure|unable to (?:determine|find|tell)|no information (?:about|on)|i (?:do not|don'?t) have access)"
    r"|不知道|不清楚|不确定|无法(?:确定|得知|判断)|没有(?:足够的?|相关的?)?信息|信息不足|需要更多信息",
    re.IGNORECASE,
)

_FIGURE = re.compile(r"\d+(?:[.,]\d+)*")


@dataclass(slots=True, frozen=True)
class InformationGap:
    """Sends the model to its tools when it pleads ignorance, or makes a figure up, without having made a call.

    A question to the user is an honest way to close a gap, and so is a gap that is left after looking. A figure
    is made up when neither the user nor a result has named it, and a tool that is called after what the user asks
    for was not used ("How full is your battery?" and a tool ``battery``).

    Attributes:
        times: how often the model is sent back.
        ignored_tools: tools that tell nothing about the world.
    """

    name: ClassVar[str] = "information_gap"
    times: int = 1
    ignored_tools: Sequence[str] = ("plan_steps", "mark_step", "read_memory")

    def look(self, view: ReplyView) -> Catch | None:
        """See :class:`zulong.agent.loop.nets.Net`."""
        if view.asks_the_user or view.caught.get(self.name, 0) >= self.times:
            return None
        looked = [call for call in view.calls if call.name not in self.ignored_tools]
        untried = [name for name in view.tools if name not in self.ignored_tools]
        if looked or not untried:
            return None
        gap = _GAP.search(view.reply)
        if gap is None:
            return self._made_up(view, untried)
        return Catch(
            self.name,
            Verdict.CONTINUE,
            f"The reply says “{gap[0]}”, and no tool was asked.",
            f"You say “{gap[0]}” but have not looked. Use your tools ({', '.join(untried[:8])}), or ask the user "
            f"one clear question.",
            {"words": gap[0], "untried": untried[:8]},
        )

    def _made_up(self, view: ReplyView, untried: Sequence[str]) -> Catch | None:
        known = " ".join([view.instruction, *view.sources])
        figures = [figure for figure in _FIGURE.findall(view.reply) if figure not in known]
        asked = terms_of(view.instruction)
        telling = [
            name
            for name in untried
            if name not in view.effects and (terms := terms_of(name.replace("_", " "))) and terms <= asked
        ]
        if not figures or not telling:
            return None
        return Catch(
            self.name,
            Verdict.CONTINUE,
            f"The reply says “{figures[0]}”, which nothing has shown, and {telling[0]} was not asked.",
            f"You say “{figures[0]}”, and nothing has shown it. Call {telling[0]} and answer by its result.",
            {"figures": figures[:8], "untried": telling},
        )
