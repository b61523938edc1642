"""Where a thing or a person is, told in a stretch of its own: 「拿盒果汁来，储物架上有」, 「给简送杯咖啡，人在厨房」.

The place is put to the one thing, or the one person, that the rest of the sentence names; where several are named, or
the place was said with it already, the sentence stays as it is.
"""

from __future__ import annotations

import re

from zulong.agent.language.chinese_nouns import ChineseNounReader
from zulong.agent.language.chinese_pieces import pieces
from zulong.agent.language.chinese_words import plain
from zulong.agent.language.lexicon import Vocabulary

_MARKS = re.compile(r"([，。！；,.!;]+)")
_PERHAPS = (
    r"八成儿?|多半儿?|十有八九|没准儿?|说不定|我猜|我记得|记得|肯定|估摸着?|怕是|大约|好象|兴许|也许|一准儿?|"
    r"铁定|大半|保不齐|我估计|我想|"
    r"准是?|大概率"
)
_WHO = re.compile(
    rf"^(?:{_PERHAPS})*(?:他|她|人|人家|他人|她人)(?:人)?(?:现在|这会儿|正|应该|好像|可能|就|还|"
    rf"{_PERHAPS})*(?:坐|站|躺|待|呆)?在"
)
_THING_AT = re.compile(
    rf"^(?:{_PERHAPS})*(?:它|东西)?(?:就|都|还|正|应该|好像|可能|估计|大概|一般|{_PERHAPS})*(?:放|搁|摆|存|落|忘|收)?在"
)
_MAYBE = re.compile(rf"^(?:应该|好像|可能|估计|大概|就|{_PERHAPS})*")
_LYING_THERE = re.compile(
    r"^(?:里面|里头|里边|上面|上头|那儿|那边|里|上)?(?:就|应该|好像|可能|还|正|都)*"
    r"(?:有|有的是|放着|搁着|摆着|躺着|存着|收着|冰着|镇着|多的是|有一[个瓶盒罐只]|有几[个瓶盒罐]|"
    r"有现成的)(?:呢|吧|的|啊|来着|哦)*$"
)
_THERE = re.compile(
    r"^(?:里面|里头|里边|上面|上头|那儿|那边|里|上|中)?(?:坐着|站着|躺着|待着|放着|搁着|摆着)?(?:呢|吧|的|啊|来着|哦)*$"
)
_NEVER = re.compile(r"[？?“”\"「」：:]|如果|要是|假如|的话|不在|没在|别|不要|除了|吗|[有没]就")
_OF_EITHER = re.compile(r"^(?!它|东西)[^放搁摆存落忘收]*在")
_LEAST = 2


def with_places(text: str, vocabulary: Vocabulary) -> str | None:
    """Return the sentence with the told place put to what is there, None where nothing is told so.

    Args:
        text: the sentence as it was said.
        vocabulary: knows the names.
    """
    said = plain(text)
    if _NEVER.search(said) or len(said) > _LONGEST:
        return None
    parts = _MARKS.split(said)
    if len(parts) < _LEAST + 1:
        return None
    for number in range(0, len(parts), 2):
        told = told_place(parts[number], vocabulary)
        if told is None:
            continue
        place, kind = told
        kinds = (kind, "person") if kind == "object" and _OF_EITHER.search(parts[number]) else (kind,)
        rest = [*parts[:number], *parts[number + 2 :]] if number + 2 < len(parts) else parts[: number - 1]
        fitting = [p for k in kinds if (p := _placed(rest, place, k, vocabulary)) is not None]
        in_room = any(token.has("room") for token in pieces(place, vocabulary))
        if len(fitting) == 1 or (fitting and not in_room):
            # Of a thing and somebody, neither of whom is told to be where, only the thing is on furniture.
            return fitting[0]
    return None


_LONGEST = 120


def told_place(stretch: str, vocabulary: Vocabulary) -> tuple[str, str] | None:
    """Return the place that a stretch tells, and whether of a person or of an object."""
    for opening, kind, ending in (
        (_WHO, "person", _THERE),
        (_THING_AT, "object", _THERE),
        (_MAYBE, "object", _LYING_THERE),
    ):
        found = opening.match(stretch)
        if found is None:
            continue
        rest = stretch[found.end() :]
        words = pieces(rest, vocabulary)
        read = ChineseNounReader(words).place(0) if words else None
        if read is None or read[0].pronoun or read[0].relation:
            continue
        length = sum(len(word.text) for word in words[: read[1]])
        bare = re.sub(r"(?:里面|里头|里边|上面|上头|那儿|那边|里|上|中)$", "", rest[:length])
        if ending.match(rest[len(bare) :]):
            side = re.match(r"里|上", rest[len(bare) :])
            return bare + (side.group() if side else ""), kind
    return None


def _placed(parts: list[str], place: str, kind: str, vocabulary: Vocabulary) -> str | None:
    named: list[tuple[int, int]] = []
    names: set[str] = set()
    for number in range(0, len(parts), 2):
        words = pieces(parts[number], vocabulary)
        nouns, index, at = ChineseNounReader(words), 0, 0
        while index < len(words):
            read = None if words[index].plays("punct") else nouns.read(index)
            if read is None or read[1] == index:
                at += len(words[index].text)
                index += 1
                continue
            referent, end = read
            if referent.kind == kind and not (referent.pronoun or referent.unknown):
                if referent.at is not None or not (
                    referent.name or referent.category or referent.garment_colour
                ):
                    return None
                named.append((number, at))
                names.add(referent.name or referent.category or referent.text)
            at += sum(len(word.text) for word in words[index:end])
            index = end
    if len(names) != 1:
        return None
    number, at = named[0]
    part = parts[number]
    return "".join([*parts[:number], part[:at] + place + "的" + part[at:], *parts[number + 1 :]]).strip(
        "，,；;"
    )
