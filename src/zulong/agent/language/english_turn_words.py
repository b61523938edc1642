"""Words and lookups that the modules for second turns in English share: how such a turn opens and ends, what it names."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from zulong.agent.language.english_named import Named, named
from zulong.agent.language.lexicon import Vocabulary

Clauses = Sequence[Mapping[str, Any]]
"""The clauses of the order before, as plain data."""
OPENING = (
    r"(?:(?:oh|no|nope|nah|sorry|wait|hang on|hold on|hmm+|um+|uh|er+|actually|well|oops|whoops|hey|ah|ok|okay|"
    r"please|yes|"
    r"my mistake|my bad|on second thoughts?|thinking about it|stop)[\s,.;:!-]+)*"
)
"""How a turn opens that puts something right."""
ENDING = (
    r"(?:[\s,]+(?:please|thanks|thank you|sorry|instead|then|actually|i think|after all|maybe|i meant|i mean|"
    r"that is))*[\s.!?]*$"
)
"""How it ends."""


def theme_of(clauses: Clauses) -> Mapping[str, Any]:
    """Return what the last order is about."""
    return clauses[-1].get("theme") or {}


def known_as(words: str, kind: str, vocabulary: Vocabulary) -> Named | None:
    """Return what the words name when it is of this kind."""
    found = named(words, vocabulary)
    return found if found is not None and found.kind == kind else None


def is_spot(noun: str, vocabulary: Vocabulary) -> bool:
    """Tell whether the name is of a piece of furniture: things are put on it."""
    return any(sense.kind == "placement" for sense in vocabulary.english.get(tuple(noun.split()), ()))
