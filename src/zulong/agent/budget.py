"""How many tool calls a task may make: from the user's words, from a field, and what is left."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from zulong.agent.numerals import NUMBER, number

_N = f"(?P<n>{NUMBER})"

# -- Chinese -------------------------------------------------------------------------------------------------
_ZH_THING = r"(?:工具|函数|技能)"
_ZH_CALLS = (
    rf"(?:次{_ZH_THING}?(?:的)?(?:调用|調用|使用)?|个(?:{_ZH_THING}|调用)|回(?:{_ZH_THING}|调用)"
    rf"|种{_ZH_THING}|次{_ZH_THING})"
)
# What must not follow the count: then it counts something else ("最多三次握手").
_ZH_END = r"(?=$|[\s，。,.;；!！?？、)）]|就|来|吧|内|以内|之内|完成|解决|搞定|找|把|去|查|回答)"
_ZH_USE = rf"(?:只|仅)?(?:能|可以|许|准|得)?(?:调用|調用|使用|用|尝试|试)?{_ZH_THING}?\s*"
_ZH_NO = r"(?:不要|别|不准|不许|不能|不得|禁止|禁|无需|不需要|不必|请勿|勿)"

# -- English -------------------------------------------------------------------------------------------------
_EN_KIND = r"(?:tool|function|skill)"
_EN_CALLS = (
    rf"(?:{_EN_KIND}[ -]?(?:calls?|uses?|invocations?)|(?:different |separate )?tools?|calls?)\b"
    r"(?!\s+(?:to|from|with))"
)
_EN_SAID = rf"(?:{_EN_KIND}[ -]?(?:calls?|uses?|invocations?))\b"
_EN_TOOL = r"(?:tools?|tool[ -]?(?:calls?|use)|function calls?)\b"
# A tool box is a thing; "no tools are left" is a report.
_EN_THING = r"(?!\s*(?:box|bar|shed|from|on|in|is|are|was|were|will|can|left)\b)"
_EN_NOT = r"(?:do not|don'?t|never|must not|mustn'?t|should not|shouldn'?t|cannot|can'?t|avoid)"
_EN_MOST = r"(?:at most|no more than|not more than|up to|only|a maximum of|maximum|max\.?|just)"
_EN_AFTER = r"(?:max(?:imum)?|at (?:the )?most|or (?:less|fewer)|only|tops)\b"

_NONE = [
    rf"{_ZH_NO}(?:再)?(?:去)?(?:使用|调用|調用|用)?(?:任何|一切|什么)?(?:的)?工具",
    rf"{_ZH_NO}(?:再)?(?:去)?(?:使用|调用|調用|用)(?:任何|一切)?(?:的)?(?:函数|技能)",
    r"(?:不用|不使用|不调用)(?:任何|一切)?(?:的)?工具",
    rf"(?:一次|一个|任何)?工具(?:一次)?(?:都|也){_ZH_NO}(?:使用|调用|用)",
    r"(?:零|0)\s*次(?:工具)?调用",
    rf"\b{_EN_NOT}\s+(?:us|call|invok|mak)(?:e|ing)?\s+"
    rf"(?:a\s+|any\s+|the\s+|your\s+)?(?:tools?|functions?|{_EN_SAID})(?:\s+calls?)?\b{_EN_THING}",
    rf"\b(?:without|with no)\s+(?:using\s+|calling\s+|making\s+)?(?:any\s+)?{_EN_TOOL}{_EN_THING}",
    rf"(?:^|(?<=[\s,.;(]))(?:no|zero)\s+(?:more\s+)?{_EN_TOOL}{_EN_THING}",
    rf"\b{_EN_TOOL}\s+(?:are|is)\s+(?:not\s+allowed|forbidden|off[ -]limits|prohibited)\b",
]
_AT_MOST = [
    rf"(?P<bare>)(?:最多|至多|顶多){_ZH_USE}{_N}\s*{_ZH_CALLS}{_ZH_END}",
    rf"(?P<bare>)(?:不(?:要|能|可|得|许|准)?|别|勿)(?:超过|多于|大于){_ZH_USE}{_N}\s*{_ZH_CALLS}{_ZH_END}",
    rf"(?:上限|限制|限定|控制|限)(?:是|为|在|于|到)?\s*{_N}\s*次{_ZH_THING}?(?:的)?(?:调用|使用)",
    rf"(?:调用|调用次数|{_ZH_THING}调用|使用次数)[^，。,.;；]{{0,4}}(?:上限|限制|限定|控制)(?:是|为|在|于|到)?\s*{_N}(?:\s*次)?",
    rf"(?:只|仅)(?:能|可以|许|准|得)?(?:调用|使用|用)(?:工具)?\s*{_N}\s*{_ZH_CALLS}{_ZH_END}",
    rf"(?P<bare>){_N}\s*次(?:工具)?(?:调用)?(?:以内|之内)",
    rf"\b{_EN_MOST}\s+{_N}\s+{_EN_CALLS}",
    rf"\b(?:us|call|invok)(?:e|ing)?\s+(?:the\s+|your\s+|any\s+)?(?:tools?\s+|functions?\s+|skills?\s+)?"
    rf"{_EN_MOST}\s+{_N}(?:\s+times?)?(?=$|[\s,.;!?])(?!\s+\w)",
    rf"\b{_N}\s+{_EN_CALLS},?\s+{_EN_AFTER}",
    rf"\b(?:limit|restrict)(?:ed)?\s+(?:yourself\s+|the task\s+|it\s+)?to\s+{_N}\s+{_EN_CALLS}",
    rf"\b(?:within|budget of|quota of|limit of)\s+{_N}\s+{_EN_CALLS}",
    rf"\b{_EN_NOT}\s+(?:\w+\s+){{0,2}}?(?:more than|exceed|over)\s+{_N}\s+{_EN_CALLS}",
    rf"\bexceed(?:ing)?\s+{_N}\s+{_EN_CALLS}",
    rf"\b(?:us(?:e|ing)|mak(?:e|ing)|with|have|may use|may make)\s+(?:exactly\s+)?{_N}\s+{_EN_SAID}",
    rf"\b(?:max(?:imum)?\s+(?:tool\s+)?calls?|(?:tool|call)s?\s+(?:budget|limit))\s*[:=]?\s*(?:of\s+|is\s+)?{_N}",
]
_LESS_THAN = [
    rf"(?:少于|不到|低于){_ZH_USE}{_N}\s*{_ZH_CALLS}{_ZH_END}",
    rf"\b(?:fewer than|less than|under|below)\s+{_N}\s+{_EN_CALLS}",
]
_NONE_RE = [re.compile(p, re.IGNORECASE) for p in _NONE]
_AT_MOST_RE = [re.compile(p, re.IGNORECASE) for p in _AT_MOST]
_LESS_THAN_RE = [re.compile(p, re.IGNORECASE) for p in _LESS_THAN]

# A bare count ("最多三次") belongs to what the same clause does several times, if it says so.
_ZH_REPEATED = re.compile(r"[打敲说等喊叫按转跳响喝吃问拍摸洗]|电话|门铃")
_ZH_SAYS_CALL = re.compile(rf"{_ZH_THING}|调用|調用")
# "give him no tools" is about things.
_EN_HANDED = re.compile(
    r"\b(?:give|gives|gave|bring|brought|has|have|had|there|are|is|him|her|them|me|us|need|needs|see|find|found)\s*$",
    re.IGNORECASE,
)


def budget_from_words(text: str) -> int | None:
    """Return how many tool calls the words allow, None when they do not speak of it; the tightest wins.

    "别用工具" and "no tools" give 0, "最多三次", "不超过 5 次调用" and "at most two calls" their number. Counts of
    anything else ("at most two cups", "最多等三分钟") are no budget.
    """
    limits = [
        0
        for pattern in _NONE_RE
        for match in pattern.finditer(text)
        if not (
            match[0].lower().startswith(("no", "zero"))
            and _EN_HANDED.search(text[max(0, match.start() - 20) : match.start()])
        )
    ]
    for patterns, less in ((_AT_MOST_RE, 0), (_LESS_THAN_RE, 1)):
        for pattern in patterns:
            for match in pattern.finditer(text):
                value = number(match["n"])
                if value is not None and not _counts_something_else(text, match):
                    limits.append(max(0, value - less))
    return min(limits, default=None)


def _counts_something_else(text: str, match: re.Match[str]) -> bool:
    if "bare" not in match.re.groupindex or _ZH_SAYS_CALL.search(match[0]):
        return False
    clause = re.split(r"[，。,.;；!！?？\s]", text[max(0, match.start() - 30) : match.start()])[-1]
    return _ZH_REPEATED.search(clause) is not None


@dataclass(slots=True, frozen=True)
class Budget:
    """A limit of tool calls and how many are used; kept in the checkpoint, so resumes share it.

    Attributes:
        limit: most calls, None without a limit.
        used: calls made.
    """

    limit: int | None = None
    used: int = 0

    @classmethod
    def of(cls, text: str, field: int | None = None) -> Budget:
        """Return the budget of an instruction: the tighter of its words and of the field (None: no limit)."""
        limits = [limit for limit in (budget_from_words(text), field) if limit is not None]
        return cls(min(limits, default=None))

    @property
    def left(self) -> int | None:
        """Calls left, None without a limit."""
        return None if self.limit is None else max(0, self.limit - self.used)

    @property
    def exhausted(self) -> bool:
        """True when no call is left."""
        return self.left == 0

    def spend(self, calls: int = 1) -> Budget:
        """Return the budget after some calls."""
        return Budget(self.limit, self.used + calls)

    def to_dict(self) -> dict[str, Any]:
        """Return plain data; :meth:`from_dict` reads it back."""
        return {"limit": self.limit, "used": self.used}

    @classmethod
    def from_dict(cls, plain: Mapping[str, Any]) -> Budget:
        """Read what :meth:`to_dict` wrote."""
        return cls(plain.get("limit"), int(plain.get("used", 0)))
