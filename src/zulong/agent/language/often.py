"""How often something is to be done: a number of times that no clause has a part for is not passed by."""

from __future__ import annotations

import re
from collections.abc import Sequence

from zulong.agent.language.meaning import Clause

_TIMES = re.compile(
    r"\b(?:twice|thrice|(?:two|three|four|five|six|seven|eight|nine|ten|several|many|a few|a couple of|\d+) (?:more )?times|"
    r"over and over|again and again|repeatedly)\b|"
    r"[两三四五六七八九十几\d]+(?:个)?(?:次|遍|趟|回)(?!来|去|到|家|头)|反复|来回",
    re.IGNORECASE,
)
_QUOTES = re.compile(r"[“\"「『‘][^”\"」』’]*[”\"」』’]")
# "no more than three times" is a budget, "the last two times" tells of the past.
_NO_REPETITION = re.compile(
    r"(?:at most|no more than|up to|maximum|only|last|past|already|told you|asked you|said)\b[^,.;]*$|"
    r"(?:最多|不超过|至多|上|前|已经|说了|问了|来了|去了|过)[^，。]{0,6}$",
    re.IGNORECASE,
)


def unrepeated(text: str, done: Sequence[Clause]) -> list[str]:
    """Return the words that say how often, when nothing of what is done is repeated.

    A clause counts as repeated when it says so, when it is one of several alike, or when the words are its message.
    """
    spoken = " ".join(clause.text for clause in done)
    alike = len({(c.action, c.theme, c.goal, c.recipient) for c in done}) < len(done)
    if alike or any(clause.repeat > 1 or clause.seconds for clause in done):
        return []
    plain = _QUOTES.sub(" ", text)
    return [
        match.group()
        for match in _TIMES.finditer(plain)
        if match.group() not in spoken and not _NO_REPETITION.search(plain[: match.start()])
    ]
