"""Stretches of a sentence, and what can be told of them; the common part of English and Chinese."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from zulong.agent.language.lexicon import Sense

NAMES = frozenset(("object", "category", "placement", "room", "person"))
"""Senses of words that name something, and say nothing else."""


@dataclass(slots=True, frozen=True)
class Stretch:
    """What stands between two marks or joining words.

    Attributes:
        text: the words, without the mark.
        mark: what separates it from the next one, blanks included.
        looked_up: the text is a plain form from the phrasebook.
    """

    text: str
    mark: str = ""
    looked_up: bool = False


@dataclass(slots=True, frozen=True)
class Mention:
    """A name of the map or the lexicon in a stretch.

    Attributes:
        kind: ``thing``, ``person`` or ``place``.
        text: the words as they are in the lexicon.
        before: the word before it (English) or what stands before it in the stretch (Chinese).
    """

    kind: str
    text: str
    before: str = ""


class Background(Protocol):
    """Knows, for one language, what only tells and what orders."""

    def split(self, text: str) -> list[Stretch]:
        """Return the stretches of a sentence."""

    def joined(self, stretches: Sequence[Stretch]) -> str:
        """Return the sentence that the stretches make."""

    def without_courtesies(self, text: str) -> str:
        """Return the stretch without the courtesies at its ends."""

    def tells(self, stretch: Stretch) -> bool:
        """Return whether the stretch only tells something: it orders, wants, forbids and presupposes nothing."""

    def with_whole_names(self, text: str) -> tuple[str, dict[str, str]]:
        """Return the text with one letter for each name that a slot could cut, and the names of the letters."""

    def names(self, text: str) -> bool:
        """Return whether the text is the name of one thing, kind, person or place, and says nothing else."""

    def retold(self, stretches: Sequence[Stretch], told: Sequence[int]) -> Iterator[str]:
        """Yield sentences in which what was told stands in for pronouns, is said plainly, or is left out."""


def kind_of(sense: Sense) -> str:
    """Return the kind of mention that a sense makes, "" for none; a place off the map is none."""
    if sense.kind == "object":
        return "thing"
    if sense.kind in ("placement", "room"):
        return "place" if sense.known else ""
    return "person" if sense.kind == "person" else ""


def different(mentions: Sequence[Mention], kind: str) -> list[Mention]:
    """Return the first mention of each name of a kind."""
    by_text: dict[str, Mention] = {}
    for mention in mentions:
        if mention.kind == kind:
            by_text.setdefault(mention.text, mention)
    return list(by_text.values())


def named_first(stretches: Sequence[Stretch], pronoun: re.Pattern[str], name: str) -> list[Stretch] | None:
    """Return the stretches with the name for the first pronoun, None when there is no pronoun."""
    for number, stretch in enumerate(stretches):
        if pronoun.search(stretch.text):
            text = pronoun.sub(name, stretch.text, count=1)
            return [*stretches[:number], replace(stretch, text=text), *stretches[number + 1 :]]
    return None


def ended(stretches: Sequence[Stretch], mark: str) -> list[Stretch]:
    """Return the stretches with this mark after the last."""
    return [*stretches[:-1], replace(stretches[-1], mark=mark)] if stretches else []
