"""The model stops while much of its plan is open, or announces work and does none."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from zulong.agent.loop.findings import Catch, Verdict
from zulong.agent.loop.nets.deeds import asks_for_deed, asks_for_look, asks_for_words, owns_up
from zulong.agent.loop.nets.view import ReplyView
from zulong.agent.loop.terms import terms_of
from zulong.tasks import TaskStatus

_CLOSED = (TaskStatus.COMPLETED, TaskStatus.SKIPPED)

_WORK_EN = r"use|call|look|check|search|find|move|bring|take|pick|go|fetch|put|get|open|close|start|drive|place|plan|run"
_ANNOUNCED = re.compile(
    rf"\b(?:i(?:'ll| will| am going to|'m going to| need to| have to| would)|let me)"
    rf"(?: now| first| then| just| need to| have to)* (?:{_WORK_EN}|perform|follow|have a look|take a look|try to)\b"
    r"|\b(?:give me|just) a (?:second|moment|minute)\b|\bone (?:second|moment)\b|\bplease wait\b|\bhold on\b"
    rf"|\b(?:first|then|next),? i (?:{_WORK_EN})\b"
    r"|(?:^|[，。！\s])(?:马上|这就|现在就|立刻)(?:就)?(?:去|来)?(?:帮你|帮您)?(?:使用|调用|用|查|找|看|检查|搜|移|拿|取|放|送|去|打开|关|做|办)"
    r"|(?:我(?:将|会|来|去|马上|现在就|这就|先|需要|可以)|让我|我们(?:可以|需要|先))(?:先|再|马上)?(?:去|来)?(?:帮你|帮您|为您|给你)?"
    r"(?:使用|调用|用|查|找|看|检查|搜索|寻找|移动|拿|取|放|送|去|打开|关|开始|执行)",
    re.IGNORECASE | re.MULTILINE,
)
_LISTED = re.compile(
    rf"^\W*(?:mark )?step \d+\s*[:.：]|^\W*第[一二三四五六七八九\d]+步|^\s*\d+[.)、]\s*(?:{_WORK_EN})\b",
    re.IGNORECASE | re.MULTILINE,
)
_HOW = re.compile(
    r"\bhow (?:do|can|to|should|would|does)\b|\b(?:steps|recipe|plan)\b|怎么|怎样|如何|步骤|计划", re.I
)
_ABOUT_TOOLS = re.compile(
    r"\btools?\b|\bfunctions?\b|\b(?:what|which) can you\b|\byour (?:skills|abilities)\b"
    r"|工具|函数|功能|你(?:会|能)(?:做|干)?什么",
    re.IGNORECASE,
)

_YES = terms_of(
    "sure okay ok yes alright right certainly course gladly on it doing now moment please wait 好的 没问题 收到"
)
_DO_IT = (
    "You only speak of it (“{words}”): nothing has been done. Call the tool itself now, as a tool call and not as "
    "text; or say plainly that you will not do it, and why."
)


@dataclass(slots=True, frozen=True)
class UnfinishedWork:
    """Sends the model back while more than ``open_share`` of the plan's leaves are open, or work is only announced.

    Announced is what the reply says the model will do, steps that it lists where nobody asked how, or a tool that
    it names (small models write calls as prose), while not one call was made for the task; so is any reply to an
    order that does not own up. Who does so again and again is brought to an end.

    A question to the user is let through: the work waits for the answer. So is everything when no tool is left
    (the budget is spent): more turns would change nothing.

    Attributes:
        times: how often the model is sent back.
        open_share: share of open leaves that is let through.
        ignored_tools: tools whose calls are no work.
    """

    name: ClassVar[str] = "unfinished_work"
    times: int = 2
    open_share: float = 0.3
    ignored_tools: Sequence[str] = ("plan_steps", "mark_step", "read_memory")

    def look(self, view: ReplyView) -> Catch | None:
        """See :class:`zulong.agent.loop.nets.Net`."""
        if not view.tools or view.asks_the_user:
            return None
        spent = view.caught.get(self.name, 0) >= self.times
        return (None if spent else self._open(view)) or self._announced(view, spent)

    def _open(self, view: ReplyView) -> Catch | None:
        leaves = list(view.plan.leaves()) if view.plan is not None else []
        left = [leaf for leaf in leaves if leaf.status not in _CLOSED]
        if not leaves or len(left) / len(leaves) <= self.open_share:
            return None
        titles = "; ".join(f"{leaf.id}: {leaf.title} ({leaf.status})" for leaf in left[:10])
        return Catch(
            self.name,
            Verdict.CONTINUE,
            f"{len(left)} of {len(leaves)} steps are open.",
            f"These steps of your plan are open: {titles}. Go on with them, or mark them skipped and say why.",
            {"open": len(left), "of": len(leaves), "limit": self.open_share},
        )

    def _announced(self, view: ReplyView, spent: bool) -> Catch | None:
        if any(call.name not in self.ignored_tools for call in view.calls):
            return None
        if asks_for_words(view.instruction):
            return None
        promise = _ANNOUNCED.search(view.reply)
        if promise is None and not _HOW.search(view.instruction):
            promise = _LISTED.search(view.reply)
        named = [name for name in view.tools if _names(view.reply, name)]
        if promise is None and (not named or _ABOUT_TOOLS.search(view.instruction)):
            return self._agreed(view, spent)
        words = promise[0].strip() if promise is not None else ", ".join(named)
        return Catch(
            self.name,
            Verdict.FORCE if spent else Verdict.CONTINUE,
            f"The reply only speaks of doing it (“{words}”), and no tool was called.",
            "" if spent else _DO_IT.format(words=words),
            {"words": words, "tools": named},
        )

    def _agreed(self, view: ReplyView, spent: bool) -> Catch | None:
        """Catch whatever else is said instead of a deed that was asked for, unless it says that it is not done.

        In the end only a mere yes is not let through: other words may be a good answer to what looked like an order.
        """
        tried = any(turn.calls for turn in view.turns)  # a call that the user did not allow is no promise
        if tried or owns_up(view.reply):
            return None
        mere = len(terms_of(view.reply) - _YES) <= 4
        deed = view.effects and asks_for_deed(view.instruction, view.effects)
        if not deed and not (mere and asks_for_look(view.instruction)):
            return None
        if spent and not mere:
            return None
        words = view.reply.strip()[:80]
        return Catch(
            self.name,
            Verdict.FORCE if spent else Verdict.CONTINUE,
            f"A deed is asked for, the reply is “{words}”, and no tool was called.",
            "" if spent else _DO_IT.format(words=words),
            {"words": words, "tools": []},
        )


def _names(reply: str, tool: str) -> bool:
    """Return whether a reply names a tool as one: its identifier, or a plain word marked as a call."""
    name = re.escape(tool)
    if "_" in tool:
        spaced = name.replace("_", "[ _]")
        return (
            re.search(rf"(?<!\w){name}(?!\w)|^\W*{spaced}\b", reply, re.IGNORECASE | re.MULTILINE) is not None
        )
    marked = rf"[`\"“‘<>]{name}[`\"”’<>(]|(?<!\w){name}\s*\(|(?<!\w){name} (?:tool|function)\b"
    return re.search(marked, reply, re.IGNORECASE) is not None
