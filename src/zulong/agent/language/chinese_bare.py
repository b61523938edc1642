"""Chinese wishes without a verb: 「牛奶，谢谢」, 「咖啡，马上」, 「勺子，餐桌，快」, 「薯片跟可乐我全都要」.

A thing and a courtesy, or how soon, is wanted by the one who speaks; a thing and somebody is for that person; a thing
and a piece of furniture side by side is to be put there, for nobody who wants a thing says of it only where it is not.
"""

from __future__ import annotations

import functools
import re

from zulong.agent.language.chinese_wordings import name_patterns
from zulong.agent.language.lexicon import Vocabulary

_LONGEST = 40
_SOON = (
    r"(?:[，,、\s]*(?:谢谢(?:你|您|啦|了)?|多谢|谢啦|麻烦(?:你|您)?(?:了|啦)?|拜托(?:了|啦)?|劳驾|马上|立刻|立即|"
    r"快(?:点儿?|一点)?|赶紧(?:的)?|"
    r"速度|现在(?:就要)?|急|急用|急急急|越快越好|辛苦(?:了|啦)?|有劳(?:了)?)[，,。！!\s]*)+"
)
_MARK = r"[，,、。；;\s]+"


def said_bare(text: str, vocabulary: Vocabulary) -> str:
    """Return a wish without a verb as an order, any other sentence as it is.

    Args:
        text: the sentence as it was said, with nothing said before it that it could belong to.
        vocabulary: knows the names.
    """
    if len(text) > _LONGEST:
        return text
    for pattern, order in _forms(vocabulary):
        found = pattern.fullmatch(text.strip())
        if found is not None:
            return found.expand(order)
    return text


@functools.lru_cache(maxsize=4)
def _forms(vocabulary: Vocabulary) -> tuple[tuple[re.Pattern[str], str], ...]:
    names = name_patterns(vocabulary)
    measure = r"[个杯瓶罐听盒包根只块把份碗颗张]"
    shade = r"(?:[红蓝绿黄黑白橙灰棕紫粉](?:色)?的?)?"
    one = rf"(?:[一两三四五]?{measure})?{shade}{names['thing']}"
    what = rf"(?P<what>{one}(?:[一两三四五]{measure})?)"
    known = [
        phrase
        for phrase, senses in vocabulary.chinese.items()
        if not phrase.isascii() and any(sense.kind == "person" and sense.ids for sense in senses)
    ]
    furniture = [
        phrase
        for phrase, senses in vocabulary.chinese.items()
        if not phrase.isascii() and any(sense.kind == "placement" and sense.ids for sense in senses)
    ]
    who = "|".join(map(re.escape, sorted(known, key=len, reverse=True)))
    where = "|".join(map(re.escape, sorted(furniture, key=len, reverse=True)))
    side = r"(?:里面?|上面?|那儿|那边)?"
    forms = (
        (rf"{what}{_SOON}", r"给我拿\g<what>"),
        (rf"{what}{_MARK}(?:给)?我{_SOON}", r"给我拿\g<what>"),
        (rf"{what}{_MARK}(?P<who>{who})(?:{_SOON})?", r"把\g<what>拿给\g<who>"),
        (rf"{what}{_MARK}(?P<where>(?:{where}){side})(?:{_SOON})?", r"把\g<what>放到\g<where>"),
        (
            rf"(?P<what>{one})(?:跟|和|与|、|还有)(?P<other>{one})[，,]?(?:我|俺)(?:全都|全部都|全|都|两个都|两样都)"
            rf"(?:想)?要(?:[了啦吧]|{_SOON})*[。！!]*",
            r"给我拿\g<what>和\g<other>",
        ),
    )
    return tuple((re.compile(pattern), order) for pattern, order in forms)
