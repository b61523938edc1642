"""The front door: a sentence and a vocabulary in, a meaning out."""

from __future__ import annotations

from zulong.agent.language.chinese import ChineseReader
from zulong.agent.language.english import EnglishReader
from zulong.agent.language.lexicon import Vocabulary
from zulong.agent.language.meaning import Meaning
from zulong.agent.language.tokens import language_of

_LONGEST = 1000


def read(text: str, vocabulary: Vocabulary) -> Meaning:
    """Read an instruction in Chinese or English.

    Never raises for any text: what cannot be understood is in ``leftover``. Texts beyond 1000 characters are
    cut there; nobody says that much to a robot in one breath.
    """
    text = text[:_LONGEST]
    if language_of(text) == "zh":
        return ChineseReader(text, vocabulary).read()
    return EnglishReader(text, vocabulary).read()
