"""English as it is spoken and typed, put into written English word by word: dialect, chat, marks that were dictated.

"Gie us the wee cup, will ye", "lmk how many ppl r in the kitchen" and "go to the office comma then wait" say what plain
words say. The words are data, ``config/registers_en.yaml``; what stands in quotation marks stays as it is.
"""

from __future__ import annotations

import functools
import re
from dataclasses import dataclass

from zulong.resources import config_path, read_yaml

_WORD = re.compile(r"(?<![\w'])'?[A-Za-z0-9]+(?:'[A-Za-z]+)?")
_AT_THE_END = "lol|lmao|ffs|tbh|bro|bruh|dude|innit|haha|hehe|rofl|omg|smh|ngl"


@dataclass(slots=True, frozen=True)
class _Registers:
    words: dict[str, str]
    chatter: re.Pattern[str]
    phrases: tuple[tuple[re.Pattern[str], str], ...]


@functools.cache
def _registers() -> _Registers:
    data = read_yaml(config_path("registers_en.yaml"))
    said = "|".join(re.escape(word.strip()) for word in str(data["chatter"]).split("|"))
    # At an end of a sentence or between marks; "take it to my mate" names somebody.
    chatter = re.compile(
        rf"(?:^(?:{said})\b[\s,.!]+(?=\w))|(?:[,.!]\s*(?:{said})\b(?=\s*[,.!?]|\s*$))|(?<=\w) (?:{_AT_THE_END})\s*$",
        re.IGNORECASE,
    )
    phrases = tuple(
        (re.compile(pattern.replace("[A-Z][a-z]+", data["somebody"]), re.IGNORECASE), plain)
        for pattern, plain in data["phrases"]
    )
    return _Registers({str(word): str(plain) for word, plain in data["words"].items()}, chatter, phrases)


def in_written_english(text: str) -> str:
    """Return the sentence in written English.

    Args:
        text: the sentence as it was said or typed.
    """
    parts = text.replace("\u2019", "'").split('"')
    if len(parts) % 2 == 0:
        return text
    return '"'.join(part if number % 2 else _written(part) for number, part in enumerate(parts))


def _written(text: str) -> str:
    registers = _registers()
    plain = text
    for pattern, written in registers.phrases:
        plain = pattern.sub(written, plain)
    plain = _WORD.sub(_plain_word, plain)
    while (shorter := registers.chatter.sub("", plain)) != plain:
        plain = shorter
    return plain


def _plain_word(match: re.Match[str]) -> str:
    word = match[0]
    plain = _registers().words.get(word.lower())
    if plain is None:
        return word
    return plain[:1].upper() + plain[1:] if word[:1].isupper() and not word.isupper() else plain
