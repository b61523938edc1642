"""What is ruled out of a kind: "a drink, anything but milk", 「拿瓶喝的，别拿牛奶」.

The words that rule something out are taken off the sentence, so that the rest is heard as an instruction of its own.
They are taken off only where they name things of the map and nothing else.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from zulong.agent.language.meaning import Meaning
from zulong.agent.language.tokens import language_of

_LONGEST = 300
_ART = r"(?:the |an? |any |some |my |more )?"
_NP = r"(?P<out>[a-z]+(?: [a-z]+){0,5}?)"
_ENDS = r"(?=\s*(?:[,.;!?]|$|\bplease\b|\bthanks\b))"
_ENGLISH = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"[,;.]? *\b(?:anything|whatever(?: you like)?|any(?: of them| one)?|it can be anything|everything is fine) "
        rf"(?:but|except(?: for)?|other than|apart from|besides) {_ART}{_NP}{_ENDS}",
        rf"[,;.]? *\b(?:but |just |only |so long as it is |as long as it is |as long as it's |preferably )*"
        rf"(?:but not|not|no|except(?: for)?|other than|apart from|aside from|excluding|but|without|nothing like) "
        rf"{_ART}{_NP}{_ENDS}",
        rf",? *\b(?:but not|except(?: for)?|other than|apart from|aside from|excluding|besides) {_ART}{_NP},?"
        rf"(?= (?:to|into|onto|in|on|from|for|over)\b)",
        rf"[,;.]? *\b(?:that|which)(?:'s| is|(?= isn))(?:n't| not) {_ART}{_NP}{_ENDS}",
        rf"[,;.]? *\b(?:(?:as|so) long as|just make sure|only make sure|make sure) it(?:'s| is)(?:n't| not)? (?:not )?"
        rf"{_ART}{_NP}{_ENDS}",
        rf"[,;.] *(?:but )?(?:please )?(?:do not|don't|never) (?:bring|get|take|give|fetch|pick|choose|grab)(?: me| us)? "
        rf"{_ART}{_NP}{_ENDS}",
        rf"[,;.] *(?:but |because |since |as )*(?:i|he|she|they|[a-z]+) "
        rf"(?:do not|does not|don't|doesn't|can't|cannot|really don't) (?:like|want|drink|eat|fancy|"
        rf"need|feel like|have) {_ART}{_NP}{_ENDS}",
        rf"[,;.] *(?:but |because |since |as )*(?:i|he|she|they|[a-z]+)"
        rf"(?:'m|'s| am| is| are) (?:allergic to|sick of|tired of|fed up with|off) {_ART}{_NP}{_ENDS}",
        rf"[,;.] *(?:but )?{_ART}(?P<out>[a-z]+(?: [a-z]+)?) (?:is|are) (?:out|not an option|off limits|not ok(?:ay)?|"
        rf"not for me){_ENDS}",
    )
)
_CHINESE = tuple(
    re.compile(pattern)
    for pattern in (
        r"(?:除了|除开|除)(?P<out>[^，。！？,]{1,8}?)(?:以外|之外|外)?[，,]?(?=都行|都可以|什么都|啥都|别的|其他|随便|哪)",
        r"(?:除了|除开|除)(?P<out>[^，。！？,]{1,8}?)(?:以外|之外|外)?[，,]?(?=你?(?:把|给我)?[^，。]{0,8}?"
        r"(?:所有|全部|别的|其他|其它|其余|剩下|都|全))",
        r"除了?(?P<out>[^，。！？,]{1,8}?)(?:以外|之外)的(?=[^，。]{1,12}都)",
        r"[，,](?:除了|除开)(?P<out>[^，。！？,]{1,8}?)(?:以外|之外|外)?(?=[。！]|$)",
        r"[，,。；;](?:但|不过|可|就|只|切记|千万|记得|记住|一定|绝对|注意|只要)*(?:是)?(?:别|不要|不能要|不能是|不是|甭|不用)(?:给我|给|是|"
        r"拿|要)?(?P<out>[^，。！？,的]{1,6}?)(?:就行|就成|就好|就可以)?(?:了|啊|哦|哈|的)?(?=[，。！,!]|$)",
        r"[，,。；;](?:但|不过|可|就|只)*(?:是)?(?P<out>[^，。！？,]{1,6}?)(?:就|可)?(?:别(?:拿|要|给)?|不要|不行|不算|免了|算了|除外|不可以|"
        r"不喝|不吃)(?:了|啊|哦|哈)?(?=[，。！,!]|$)",
        r"[，,。；;](?:但|不过|可|因为|但是|不过)*(?:我|他|她|[^，。！？,]{1,3}?)?(?:不能|不爱|不想|不喜欢|不)(?:吃|喝|要|碰)(?P<out>[^，。！？,的]{1,6}?)(?:了|啊|哦|的)?(?=[，"
        r"。！,!]|$)",
        r"[，,。；;](?:但|不过|可|因为)*(?:我|他|她|[^，。！？,]{1,3}?)?对(?P<out>[^，。！？,的]{1,6}?)过敏(?=[，。！,!]|$)",
        r"(?P<out>[^，。！？,拿给要来取把个瓶样种]{1,6}?)(?:除外|以外的|之外的)(?=[，。！,!]|$|[饮水零玩喝吃东])",
    )
)
_REST = re.compile(r"^[\s,.;，。；]+|[\s,;，；]+$")


@dataclass(slots=True, frozen=True)
class RuledOut:
    """An order, and what must not be taken for it.

    Attributes:
        order: the sentence without the words that rule something out.
        things: ids of the things, or of their category, that are ruled out.
        colours: colours that are ruled out: "all the cups except the red one".
        words: what was said to rule them out.
    """

    order: str
    things: tuple[str, ...]
    colours: tuple[str, ...]
    words: str


def ruled_out(text: str, read: Callable[[str], Meaning]) -> RuledOut | None:
    """Return the order and what is ruled out of it, None where nothing is.

    Args:
        text: the sentence as it was said.
        read: reads words that may be less than an instruction.
    """
    if len(text) > _LONGEST or '"' in text:
        return None
    patterns = _ENGLISH if language_of(text) == "en" else _CHINESE
    for pattern in patterns:
        for match in pattern.finditer(text):
            things, colours = _named(match["out"], read)
            order = _REST.sub("", text[: match.start()] + text[match.end() :])
            if (things or colours) and order:
                return RuledOut(order, things, colours, match[0].strip(" ,.;，。；"))
    return None


def _named(words: str, read: Callable[[str], Meaning]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the ids and the colours that the words name, none when they say anything else."""
    meaning = read(words)
    if meaning.clauses or meaning.leftover or any(r.kind != "object" for r in meaning.fragment):
        return (), ()
    if not all(r.ids or (r.colour and not r.unknown) for r in meaning.fragment):
        return (), ()
    things = tuple(thing for referent in meaning.fragment for thing in referent.ids)
    return things, tuple(r.colour for r in meaning.fragment if not r.ids)
