"""Chinese verbs of carrying with their complements: 「拿过来」「送去」「摆回」「搬进」.

A verb of carrying and a complement make one word; what it asks for follows from the complement: towards the
speaker, away, into or onto a place that follows, to somebody that follows, or only into the hand.
"""

from __future__ import annotations

from zulong.agent.language.lexicon import Sense

_CARRYING = "拿 取 带 送 端 递 搬 运 捎 拎 提 抬 扛 抱 捡 挪 移 转移 传 叼 扔".split()  # noqa: SIM905 - shorter than quoted words
_PUTTING = "放 摆 搁 挪 移 转移 摆放 放置 搬 存 归 收".split()  # noqa: SIM905 - shorter than quoted words
_HITHER = "来 过来 回来 上来 下来 进来 来给".split()  # noqa: SIM905 - shorter than quoted words
_THITHER = "去 过去 上去 下去 进去 回去".split()  # noqa: SIM905 - shorter than quoted words
_INTO_HAND = "起来 起 出来 出 走 好 住 上 着".split()  # noqa: SIM905 - shorter than quoted words
_ONTO = "到 至 往 进 入 回 回到 上 在 去到 进到".split()  # noqa: SIM905 - shorter than quoted words

TOWARDS_ME: frozenset[str] = frozenset(
    verb + end for verb in _CARRYING for end in _HITHER if (verb, end) != ("捡", "来")
)
"""Carrying towards the one who speaks, when nobody else is named."""

AWAY: frozenset[str] = frozenset(verb + end for verb in _CARRYING for end in _THITHER)
"""Carrying away: to whom or where must be said."""


def _table() -> dict[str, str]:
    table: dict[str, str] = {}
    for verb in _CARRYING:
        if verb in ("扔", "抱"):
            continue
        for end in (*_ONTO, *_THITHER, *_HITHER, "给", "交给"):
            table[verb + end] = "bring"
        for end in _INTO_HAND:
            table.setdefault(verb + end, "take")
    for verb in _PUTTING:
        for end in (*_ONTO, "好"):
            table[verb + end] = "put"
    for verb in ("拿", "取", "捡", "拎", "提", "端", "抬"):
        for end in _INTO_HAND:
            table[verb + end] = "take"
    table["带上"] = table["带着"] = "take"
    for word in (
        "提起",
        "提好",
        "提出",
        "带好",
        "送好",
        "送走",
        "带走",
        "传着",
        "运着",
        "放走",
    ):
        table.pop(word, None)
    return table


_SENSES = {word: (Sense("verb", action),) for word, action in _table().items()}
LONGEST = max(map(len, _SENSES))


def compound(phrase: str) -> tuple[Sense, ...]:
    """Return the sense of a verb with its complement, () when it is not one."""
    return _SENSES.get(phrase, ())
