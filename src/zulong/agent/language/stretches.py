"""Stretches of a sentence, and what can be told of them; the common part of English and Chinese."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol


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
