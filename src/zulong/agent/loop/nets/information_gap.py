"""The model says that it does not know, and has not looked."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from zulong.agent.loop.findings import Catch, Verdict
from zulong.agent.loop.nets.view import ReplyView

_GAP = re.compile(
    r"\b(?:i (?:do not|don'?t|cannot|can'?t) (?:know|have (?:any |enough |the )?information|tell|determine|find out)"
    r"|i(?: a|')m not sure|unable to (?:determine|find|tell)|no information (?:about|on)|i (?:do not|don'?t) have access)"
    r"|不知道|不清楚|不确定|无法(?:确定|得知|判断)|没有(?:足够的?|相关的?)?信息|信息不足|需要更多信息",
    re.IGNORECASE,
)


@dataclass(slots=True, frozen=True)
class InformationGap:
    """Sends the model to its tools when it pleads ignorance without having made a single call that succeeded.

    A question to the user is an honest way to close a gap, and so is a gap that is left after looking.
    """

    name: ClassVar[str] = "information_gap"
    times: int = 1
    ignored_tools: Sequence[str] = ("plan_steps", "mark_step", "read_memory")

    def look(self, view: ReplyView) -> Catch | None:
        """See :class:`zulong.agent.loop.nets.Net`."""
        gap = _GAP.search(view.reply)
        if gap is None or view.asks_the_user or view.caught.get(self.name, 0) >= self.times:
            return None
        looked = [call for call in view.calls if call.name not in self.ignored_tools]
        untried = [name for name in view.tools if name not in self.ignored_tools]
        if looked or not untried:
            return None
        return Catch(
            self.name,
            Verdict.CONTINUE,
            f"The reply says “{gap[0]}”, and no tool was asked.",
            f"You say “{gap[0]}” but have not looked. Use your tools ({', '.join(untried[:8])}), or ask the user "
            f"one clear question.",
            {"words": gap[0], "untried": untried[:8]},
        )
