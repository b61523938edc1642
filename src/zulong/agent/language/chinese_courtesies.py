"""Chinese courtesies that look like conditions or doubts: 「要是能帮我拿杯牛奶就太好了」, 「不知道你能不能帮我拿下牛奶」.

What is asked in them is an order; what it is said to hang on is only politeness. They are put plainly before the sentence
is read, so that neither a condition nor a "not" is found in them.
"""

from __future__ import annotations

import re

_YOU = r"(?:你|您)"
_IF = r"(?:如果|要是|假如|若是|若|倘若|假使)"
_COURTEOUS: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(pattern), plain)
    for pattern, plain in (
        # "I do not know whether you could ..."
        (
            rf"(?:^|(?<=[，。！]))(?:我)?(?:想问一?下?|请问|想请问|就是想问问?)?(?:不知道?|不晓得|不知)(?:现在)?{_YOU}?"
            r"(?=(?:能不能|能否|可不可以|可否|是不是可以|是否可以|方不方便|有没有空|愿不愿意|愿意不愿意)(?!找|看见|看到))",
            "",
        ),
        (
            rf"(?:^|(?<=[，。！])){_YOU}?(?:方不方便|有没有空|愿不愿意|愿意不愿意|介不介意)(?:麻烦)?{_YOU}?"
            r"(?=[帮给替把去拿送取递端找告跟带陪到来放])",
            "",
        ),
        # "if you could ..., it would be great"
        (
            rf"(?:^|(?<=[，。！])){_IF}{_YOU}?(?:能够?|可以|肯|愿意)({_YOU}?[^，。！？]{{3,}}?)(?:的话)?[，,]?(?:那)?(?:我)?(?:就|会|将|可)?"
            r"(?:太好了?|太棒了?|好了|再好不过了?|最好(?:不过)?了?|感激不尽|谢谢你?了?|很感激你?|非常感激你?|十分感谢你?|万分感谢|"
            r"不胜感激|很感谢你?|非常感谢你?|真是太感谢了?|帮大忙了|帮了?我?大忙了?|谢天谢地|很高兴|很开心)(?:[啦呀啊了哦]|你|您)*"
            r"(?=$|[。！])",
            r"\1",
        ),
        # "..., if it is not too much trouble"
        (
            rf"[，,](?:{_IF})?{_YOU}?(?:不|没)(?:是)?(?:太|很|那么)?(?:麻烦|费事|费劲|打扰|介意|忙|嫌麻烦|嫌烦|赶时间)(?:{_YOU})?(?:的话)?"
            r"(?=$|[。！])",
            "",
        ),
        (
            rf"[，,]{_IF}{_YOU}?(?:现在)?(?:方便|可以|有空|有时间|愿意|乐意|顺手|顺路|能|行|得空)(?:的话)?(?=$|[。！])",
            "",
        ),
        # "if it is on your way, ..."
        (
            rf"(?:^|(?<=[，。！]))(?:{_YOU}?{_IF}|{_IF}{_YOU}?){_YOU}?(?:现在|正好|刚好)?(?:顺手|顺路|顺便|方便|有空|得空|不忙|没事|不介意|"
            r"不嫌麻烦|愿意|乐意|不麻烦|没别的事|闲着)(?:的话|了)?[，,]?(?=[^，。的]{3})",
            "",
        ),
        # "Sorry to trouble you", "you have a hard time of it"
        (rf"(?:^|(?<=[，。！])){_YOU}?(?:受累|受个累|辛苦一下|费心|费个心|行行好|帮帮忙|做做好事)[，,]", ""),
    )
)
_QUOTED = re.compile(r"[“\"「『‘]|告诉|转告|[跟对和][^，。]{1,6}说")


def without_courtesies(text: str) -> str:
    """Return the sentence without what is only polite in it; words that are to be passed on stay as they are.

    Args:
        text: the sentence.
    """
    if _QUOTED.search(text):
        return text
    plain = text
    for pattern, kept in _COURTEOUS:
        plain = pattern.sub(kept, plain)
    return plain if plain.strip("，。！？!? ") else text
