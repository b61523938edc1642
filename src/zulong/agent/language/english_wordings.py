"""English wordings put the plain way before a sentence is split into words: questions, and errands with people.

The wordings are data, ``config/wordings_en.yaml``. One is rewritten only where the whole of it is known; names of
things, people and places stay as they were said. What somebody is to be told or asked is put in quotation marks.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from zulong.agent.language.lexicon import LexiconError
from zulong.resources import config_path, read_yaml

_SECTIONS = ("people", "robot", "counting", "seeing", "superlatives", "where")
_PART = re.compile(r"<([A-Z_]+)>")
_SECOND = {"is": "are", "has": "have", "does": "do", "was": "were"}
_AFTER_HER = frozenset(
    ("to", "in", "on", "at", "for", "and", "or", "with", "that", "if", "today", "now", "there", "here", "tomorrow")
)  # fmt: skip
"""Words before which "her" is she and not what is hers."""


@dataclass(slots=True, frozen=True)
class Wordings:
    """The compiled wordings of a file.

    Attributes:
        spoken: what is to be said word for word.
        plain: all others, in the order they apply.
        asked: who is asked what; its groups are ``who`` and ``said``.
        known: questions that the grammar knows.
        weightless: words that a question's answer does not depend on.
    """

    spoken: tuple[tuple[re.Pattern[str], str], ...]
    plain: tuple[tuple[re.Pattern[str], str], ...]
    asked: re.Pattern[str]
    known: re.Pattern[str]
    weightless: frozenset[str]

    @classmethod
    def load(cls, path: Path | None = None) -> Wordings:
        """Read a file, by default ``config/wordings_en.yaml``.

        Raises:
            LexiconError: a section is missing, an entry is no pair, or a pattern is none; the message names it.
        """
        data = read_yaml(path or config_path("wordings_en.yaml"))
        try:
            parts, asking = data["parts"], data["asking"]
            spoken = _compiled(data["spoken"], parts)
            plain = tuple(pair for section in _SECTIONS for pair in _compiled(data[section], parts))
            asked, known = (_pattern(asking[name], parts) for name in ("asked", "known"))
            words = frozenset(str(data["weightless"]).split())
        except (KeyError, TypeError) as error:
            raise LexiconError(f"Wordings need the section or part {error}; see wordings_en.yaml.") from error
        return cls(spoken, plain, asked, known, words)


def _pattern(text: str, parts: Mapping[str, str]) -> re.Pattern[str]:
    opened = text
    while _PART.search(opened):
        opened = _PART.sub(lambda part: parts[part[1]], opened)
    try:
        return re.compile(opened)
    except re.error as error:
        raise LexiconError(f"Wording {text!r} is no regular expression: {error}.") from error


def _compiled(pairs: Any, parts: Mapping[str, str]) -> tuple[tuple[re.Pattern[str], str], ...]:
    return tuple((_pattern(wording, parts), str(plain)) for wording, plain in pairs)


@functools.cache
def _wordings() -> Wordings:
    return Wordings.load()


def weightless() -> frozenset[str]:
    """Return the words that the answer to a question does not depend on."""
    return _wordings().weightless


def put_plainly(text: str) -> str:
    """Return the sentence with the wordings that are known put the plain way."""
    for pattern, plain in _wordings().plain:
        text = pattern.sub(plain, text)
    return text


def quoted(text: str) -> str:
    """Return the sentence with what is to be said or asked word for word in quotation marks."""
    if '"' in text:
        return text
    wordings = _wordings()
    text = wordings.asked.sub(_as_asked, text)
    for pattern, plain in wordings.spoken:
        if '"' in text:
            break
        text = pattern.sub(plain, text)
    return text


def _as_asked(match: re.Match[str]) -> str:
    said = match.group("said")
    if _wordings().known.search(said):
        return match.group(0)
    told = "can you tell me " if said.startswith("about ") else ""
    return f'ask {match.group("who")} "{told}{to_the_person(said.split())}?"'


def to_the_person(words: list[str]) -> str:
    """Turn "if she wants tea" into "you want tea", as it is said to her."""
    said: list[str] = []
    spoken = words[1:] if words[:1] in (["if"], ["whether"]) else words
    for number, word in enumerate(spoken):
        after = spoken[number + 1] if number + 1 < len(spoken) else ""
        if said[-1:] == ["you"] and word in _SECOND:
            word = _SECOND[word]
        elif said[-1:] == ["you"] and word.endswith("s") and not word.endswith("ss") and len(word) > 3:
            word = word[:-1]
        if word in ("his", "their", "its") or (word == "her" and after and after not in _AFTER_HER):
            word = "your"
        said.append("you" if word in ("she", "he", "they", "her", "him", "them") else word)
    if said[:2] == ["you", "are"]:
        said[:2] = ["are", "you"]
    return " ".join(said)
