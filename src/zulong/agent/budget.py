"""How many tool calls a task may make: from the user's words, from a field, and what is left."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from zulong.agent.numerals import NUMBER, number

_N = f"(?P<n>{NUMBER})"
_EN_CALLS = (
    r"(?:(?:tool|function|skill)[ -]?(?:calls?|uses?|invocations?)|(?:different |separate )?tools?|calls?)\b"
)
_ZH_CALLS = r"(?:次(?:工具|函数|技能)?(?:的)?(?:调用|使用)?|个(?:工具|调用)|回(?:工具|调用)|种工具)"
# What must not follow the count: then it counts something else ("最多三次握手", "at most two calls to my mother").
_ZH_END = r"(?=$|[\s，。,.;；!！?？、)）]|就|来|吧|内|以内|完成|解决)"
_ZH_USE = r"(?:只|仅)?(?:能|可以|许|准|得)?(?:调用|使用|用|尝试|试)?(?:工具|函数)?\s*"

_ZH_NO = r"(?:不要|别|不准|不许|不能|不得|禁止|无需|不需要|不必|请勿|勿)"
_EN_TOOL = r"(?:tools?|tool[ -]?(?:calls?|use)|function calls?)\b"
# A tool box is a thing; "no tools are left" is a report.
_EN_THING = r"(?!\s*(?:box|bar|shed|from|on|in|is|are|was|were|will|can|left)\b)"
_EN_OTHER_CALL = r"(?!\s+(?:to|from|with))"
_EN_MOST = r"(?:at most|no more than|not more than|up to|only)"

_NONE = [
    rf"{_ZH_NO}(?:再)?(?:去)?(?:使用|调用|用)?(?:任何|一切|什么)?(?:的)?工具",
    r"(?:不用|不使用|不调用)(?:任何|一切)?(?:的)?工具",
    r"(?:零|0)\s*次(?:工具)?调用",
    r"\b(?:do not|don'?t|never|must not|mustn'?t|avoid)\s+(?:us|call|invok)(?:e|ing)?\s+"
    rf"(?:any\s+|the\s+|your\s+)?(?:tools?|functions?)\b{_EN_THING}",
    rf"\b(?:without|with no)\s+(?:using\s+|calling\s+)?(?:any\s+)?{_EN_TOOL}{_EN_THING}",
    rf"(?:^|[\s,.;(])(?:no|zero)\s+(?:more\s+)?{_EN_TOOL}{_EN_THING}",
]
_AT_MOST = [
    rf"(?:最多|至多|顶多|上限(?:是|为)?){_ZH_USE}{_N}\s*{_ZH_CALLS}{_ZH_END}",
    rf"(?:不(?:要|能|可|得|许|准)?|别|勿)(?:超过|多于|大于){_ZH_USE}{_N}\s*{_ZH_CALLS}{_ZH_END}",
    rf"(?:只|仅)(?:能|可以|许|准|得)?(?:调用|使用|用)(?:工具)?\s*{_N}\s*{_ZH_CALLS}{_ZH_END}",
    rf"{_N}\s*次(?:工具)?(?:调用)?(?:以内|之内)",
    rf"\b(?:{_EN_MOST}|a maximum of|maximum|max\.?|just)\s+{_N}\s+{_EN_CALLS}{_EN_OTHER_CALL}",
    rf"\b(?:us|call|invok)(?:e|ing)?\s+(?:the\s+|your\s+|any\s+)?(?:tools?\s+|functions?\s+|skills?\s+)?"
    rf"{_EN_MOST}\s+{_N}(?:\s+times?)?(?=$|[\s,.;!?])(?!\s+\w)",
    rf"\bmax(?:imum)?\s+(?:tool\s+)?calls?\s*[:=]?\s*{_N}",
]
_LESS_THAN = [
    rf"(?:少于|不到|低于){_ZH_USE}{_N}\s*{_ZH_CALLS}{_ZH_END}",
    rf"\b(?:fewer|less) than\s+{_N}\s+{_EN_CALLS}{_EN_OTHER_CALL}",
]
_NONE_RE = [re.compile(p, re.IGNORECASE) for p in _NONE]
_AT_MOST_RE = [re.compile(p, re.IGNORECASE) for p in _AT_MOST]
_LESS_THAN_RE = [re.compile(p, re.IGNORECASE) for p in _LESS_THAN]


def budget_from_words(text: str) -> int | None:
    """Return how many tool calls the words allow, None when they do not speak of it; the tightest wins.

    "别用工具" and "no tools" give 0, "最多三次", "不超过 5 次调用" and "at most two calls" their number. Counts of
    anything else ("at most two cups", "最多等三分钟") are no budget.
    """
    limits = [0 for pattern in _NONE_RE if pattern.search(text)]
    for patterns, less in ((_AT_MOST_RE, 0), (_LESS_THAN_RE, 1)):
        for pattern in patterns:
            for match in pattern.finditer(text):
                value = number(match["n"])
                if value is not None:
                    limits.append(max(0, value - less))
    return min(limits, default=None)


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
