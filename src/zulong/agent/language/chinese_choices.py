"""A kind, and behind it which of the kind: 「来个水果，桃就挺好」, 「拿瓶喝的，冰茶吧」.

Who names a kind first and then one of it wants that one; it is put where the kind stood. Where several are named, the
sentence stays as it is, for which of them it is to be is not said.
"""

from __future__ import annotations

import functools
import re

from zulong.agent.language.chinese_wordings import name_patterns
from zulong.agent.language.chinese_words import plain
from zulong.agent.language.lexicon import Vocabulary

_LONGEST = 120
_ELSE = re.compile(r"[？?“”\"「」：:]|如果|要是|假如|的话|不要|别|除了|或者|还是|不对|错了|数|几")
_GOOD = (
    r"(?:就|也|都|倒|要是|最|的话|，|还|挺|蛮|很)*"
    r"(?:挺好|最好|很好|蛮好|就好|行|好|可以|成|不错|合适|吧|好了|得了|够了|完事|最合适|正好|刚好)(?:了|的|啦|吧|啊)*"
)
_HOW = r"(?:[^，。把给拿来个瓶点些杯罐盒样种份]{1,8}?(?:点儿?|一点儿?)?的)?"


def which_of_a_kind(text: str, vocabulary: Vocabulary) -> str | None:
    """Return the order for the one that is named behind its kind, None where it is anything else.

    Args:
        text: the sentence as it was said.
        vocabulary: knows the names of kinds and of things.
    """
    said = plain(text).strip("。！!")
    if len(said) > _LONGEST or _ELSE.search(said):
        return None
    kind, which = _patterns(vocabulary)
    named = which.search(said)
    if named is None:
        return None
    order = said[: named.start()]
    kinds = [*kind.finditer(order)]
    if len(kinds) != 1 or re.search(name_patterns(vocabulary)["thing"], kind.sub("", order)):
        return None
    return f"{order[: kinds[0].start()]}{named['thing']}{order[kinds[0].end() :]}"


@functools.lru_cache(maxsize=4)
def _patterns(vocabulary: Vocabulary) -> tuple[re.Pattern[str], re.Pattern[str]]:
    kinds = {p for p, senses in vocabulary.chinese.items() if any(s.kind == "category" for s in senses)}
    longest_first = sorted((re.escape(p) for p in kinds if not p.isascii()), key=len, reverse=True)
    thing = name_patterns(vocabulary)["thing"]
    return (
        re.compile(rf"{_HOW}(?:{'|'.join(longest_first)})"),
        re.compile(rf"(?:吧|呗|啊)?[，,。](?:就|要|来个|我看|我觉得|比如)?(?P<thing>{thing}){_GOOD}$"),
    )
