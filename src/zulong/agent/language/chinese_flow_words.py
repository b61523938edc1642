"""The words of the course of a Chinese sentence: places, durations, times, and what may stand around them.

The words are data: the section ``flow`` of ``config/wordings_zh.yaml``, and the places of the vocabulary.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable

from zulong.agent.language.chinese_wordings import read_wordings
from zulong.agent.language.lexicon import Vocabulary
from zulong.agent.language.tokens import chinese_number

_NUMBER = r"(?:\d+(?:\.\d+)?|[零一二两三四五六七八九十百俩]+)"
DURATION = (
    rf"(?:{_NUMBER}个?半?(?:小时|钟头)(?:零?{_NUMBER}分钟?|半)?|半个?(?:小时|钟头|钟(?!头))|{_NUMBER}刻钟|半刻钟|"
    rf"{_NUMBER}分(?:钟)?(?:零?{_NUMBER}秒钟?|半钟?|零?{_NUMBER}(?!个|瓶))?|{_NUMBER}个?半分钟|半分钟|{_NUMBER}秒钟?)"
)
_PARTS = re.compile(
    rf"(?P<hours>{_NUMBER})个?(?P<half_hour>半)?(?:小时|钟头)(?:零?(?P<more>{_NUMBER})分钟?|(?P<and_half>半))?|"
    rf"(?P<half>半)个?(?:小时|钟头|钟)|(?P<quarters>{_NUMBER})刻钟|"
    rf"(?P<minutes>{_NUMBER})个?(?P<half_minute>半)?分(?:钟)?(?:零?(?P<seconds>{_NUMBER})(?:秒钟?)?|(?P<half_more>半)钟?)?|"
    rf"(?P<half_a_minute>半)分钟|(?P<only>{_NUMBER})秒钟?"
)


@functools.lru_cache(maxsize=1)
def flow_words() -> dict[str, tuple[str, ...]]:
    """Return the lists of words by their names, the longest words first."""
    sections = read_wordings().get("flow") or {}
    return {
        str(name): tuple(sorted(set(str(words).split()), key=lambda word: (-len(word), word)))
        for name, words in sections.items()
    }


def any_of(*names: str) -> str:
    """Return a pattern for any word of these lists."""
    return _any(word for name in names for word in flow_words()[name])


def _any(words: Iterable[str]) -> str:
    longest_first = sorted(set(words), key=lambda word: (-len(word), word))
    return "(?:" + "|".join(map(re.escape, longest_first)) + ")"


@functools.lru_cache(maxsize=8)
def places(vocabulary: Vocabulary) -> str:
    """Return a pattern for any name of a room or a piece of furniture, also of one that this home has not."""
    names = [
        phrase
        for phrase, senses in vocabulary.chinese.items()
        if not phrase.isascii() and any(sense.kind in ("room", "placement") for sense in senses)
    ]
    return _any(names) if names else r"(?!)"


_SEATS = "沙发 长沙发 大沙发 椅子 餐椅 扶手椅 单人沙发 床 大床 床铺 门口 大门口 入口 出口 玄关".split()  # noqa: SIM905 - shorter than quoted words


@functools.lru_cache(maxsize=8)
def rooms_and_seats(vocabulary: Vocabulary) -> str:
    """Return a pattern for the places that are free when nobody is there: rooms, and what one sits or lies on."""
    names = [
        phrase
        for phrase, senses in vocabulary.chinese.items()
        if not phrase.isascii() and any(sense.kind == "room" for sense in senses)
    ]
    return _any([*names, *_SEATS])


def rooms(vocabulary: Vocabulary) -> list[str]:
    """Return the names of the rooms of this home."""
    ids = dict.fromkeys(
        sense.ids[0]
        for senses in vocabulary.chinese.values()
        for sense in senses
        if sense.kind == "room" and sense.ids
    )
    return [vocabulary.name(room, "zh") for room in ids]


def seconds(text: str) -> float | None:
    """Return how long a duration is, in seconds; None when it is none that is clear."""
    found = _PARTS.fullmatch(text)
    if found is None:
        return 480.0 if text == "半刻钟" else None
    said = {name: _value(number) for name, number in found.groupdict().items() if number}
    if any(value is None for value in said.values()):
        return None
    value = {name: number or 0.0 for name, number in said.items()}
    hours = value.get("hours", 0.0) + 0.5 * sum(name in value for name in ("half_hour", "and_half", "half"))
    minutes = value.get("more", 0.0) + value.get("minutes", 0.0) + 15 * value.get("quarters", 0.0)
    minutes += 0.5 * sum(name in value for name in ("half_minute", "half_more", "half_a_minute"))
    return 3600 * hours + 60 * minutes + value.get("seconds", 0.0) + value.get("only", 0.0)


def times(text: str) -> int | None:
    """Return how often a number in words is; None when it is none."""
    return chinese_number(text.replace("俩", "两"))


def _value(text: str) -> float | None:
    if text == "半":
        return 0.5
    if re.fullmatch(r"\d+\.\d+", text):
        return float(text)
    number = chinese_number(text)
    return None if number is None else float(number)
