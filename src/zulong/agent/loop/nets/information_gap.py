"""The model has not looked: it says that it does not know, or states a figure out of nowhere."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from zulong.agent.loop.findings import Catch, Verdict
from zulong.agent.loop.nets.deeds import asks_for_words
from zulong.agent.loop.nets.view import ReplyView
from zulong.agent.loop.terms import terms_of

_SENSE_EN = (
    r"know|tell|say|determine|find|see|locate|look|check|access|perceive|observe|detect|verify|confirm"
)
_GAP = re.compile(
    rf"\b(?:i|we)\b[^.!?]{{0,12}}?(?:\bnot|cannot|n[’']t)\b[^.!?]{{0,25}}?\b(?:{_SENSE_EN}|have)\b"
    rf"|\b(?:not able|unable) to (?:\w+ )?(?:{_SENSE_EN})\b|\bi(?: a|[’'])m not (?:\w+ )?(?:sure|certain|aware)"
    r"|\bno (?:information (?:about|on)|idea|way (?:to|of) know)|\bas an? (?:ai|language model|assistant|robot)\b"
    r"|不(?:太|大|是很|很)?(?:知道|清楚|确定|了解)|(?:无法|没法|没有办法|没办法|不能)[^，。]{0,4}?(?:确定|得知|判断|看|找|获|知|查|访问)"
    r"|(?:看|查|找)不(?:到|见|着)|没有(?:足够的?|相关的?)?信息|信息不足|需要更多信息|作为[^，。]{0,6}(?:AI|人工智能|语言模型|助手)",
    re.IGNORECASE,
)

# A figure of the here and now is seen or measured, never known.
_HOW_MUCH_HERE = re.compile(
    r"\bhow (?:full|much|many|far|high|warm|cold|hot)\b.*\b(?:your|left|there|here|now|on the|in the|remaining)\b"
    r"|(?:还有|还剩|剩下|现在)[^，。]{0,6}(?:多少|几)|(?:你的|屋里|房间里|桌上|这里|厨房里)[^，。]{0,8}(?:多少|几)",
    re.IGNORECASE,
)
_FIGURE = re.compile(r"\d+(?:[.,]\d+)*")


@dataclass(slots=True, frozen=True)
class InformationGap:
    """Sends the model to its tools when it pleads ignorance, or makes a figure up, without having made a call.

    A question to the user is an honest way to close a gap, and so is a gap that is left after looking. A figure
    is made up when neither the user nor a result has named it, and a tool that is called after what the user asks
    for was not used ("How full is your battery?" and a tool ``battery``), or what is asked for is a figure of the here
    and now.

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
        gap = None if asks_for_words(view.instruction) else _GAP.search(view.reply)
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
        if not telling and _HOW_MUCH_HERE.search(view.instruction):
            telling = [name for name in untried if name not in view.effects]
        if not figures or not telling:
            return None
        return Catch(
            self.name,
            Verdict.CONTINUE,
            f"The reply says “{figures[0]}”, which nothing has shown, and {telling[0]} was not asked.",
            f"You say “{figures[0]}”, and nothing has shown it. Call {telling[0]} and answer by its result.",
            {"figures": figures[:8], "untried": telling},
        )
