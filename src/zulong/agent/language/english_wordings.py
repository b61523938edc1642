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
            spoken = compiled(data["spoken"], parts)
            plain = tuple(pair for section in _SECTIONS for pair in compiled(data[section], parts))
            asked, known = (_pattern(asking[name], parts) for name in ("asked", "known"))
            words = frozenset(str(data["weightless"]).split())
        except (KeyError, TypeError) as error:
            raise LexiconError(f"Wordings need the section or part {error}; see wordings_en.yaml.") from error
        return cls(spoken, plain, asked, known, words)


def _pattern(text: str, parts: Mapping[str, str], flags: int = 0) -> re.Pattern[str]:
    opened = text
    while _PART.search(opened):
        opened = _PART.sub(lambda part: parts[part[1]], opened)
    try:
        return re.compile(opened, flags)
    except re.error as error:
        raise LexiconError(f"Wording {text!r} is no regular expression: {error}.") from error


def compiled(pairs: Any, parts: Mapping[str, str], flags: int = 0) -> tuple[tuple[re.Pattern[str], str], ...]:
    """Return the wordings of a section as patterns, each with its plain form.

    Args:
        pairs: a wording and its plain form each.
        parts: what ``<NAME>`` in a wording stands for.
        flags: those of the module ``re``.

    Raises:
        LexiconError: a wording is no regular expression.
    """
    return tuple((_pattern(wording, parts, flags), str(plain)) for wording, plain in pairs)


@functools.cache
def _wordings() -> Wordings:
    return Wordings.load()


def spoken_wordings() -> Wordings:
    """Return the wordings that open what somebody is to be told or asked."""
    return _wordings()


def weightless() -> frozenset[str]:
    """Return the words that the answer to a question does not depend on."""
    return _wordings().weightless


def put_plainly(text: str) -> str:
    """Return the sentence with the wordings that are known put the plain way."""
    for pattern, plain in _wordings().plain:
        text = pattern.sub(plain, text)
    return text
