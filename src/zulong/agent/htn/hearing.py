"""What hearing an instruction takes in one language, before and after the grammar reads it.

The planner asks the same things of every language, in the same order; a language answers what it has an answer for.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Protocol

from zulong.agent.htn.step import PlanResult
from zulong.agent.language.awaited import Awaited
from zulong.agent.language.lexicon import Language
from zulong.agent.language.meaning import Clause


class Hearing(Protocol):
    """One language's part in understanding an instruction."""

    language: Language
    asks_which_furniture: bool
    """Whether the question which piece of furniture is meant ends the hearing."""

    def finished(self, text: str, context: Mapping[str, Any]) -> str | None:
        """Return the instruction in whole words, None when it breaks off and must be said anew."""

    def smoothed(self, text: str, context: Mapping[str, Any]) -> str:
        """Return the instruction without the slips of the tongue that say nothing."""

    def in_plain_words(self, text: str, context: Mapping[str, Any]) -> str:
        """Return the instruction with what was taken back and mere talk put plainly."""

    def unknowable(self, text: str, spoken: str) -> str:
        """Return what the instruction asks that no robot of this kind can know, "" when it asks no such thing.

        Args:
            text: the instruction in plain words.
            spoken: as it was said.
        """

    def put_right(self, spoken: str) -> Iterator[str]:
        """Yield other readings of the whole instruction, to be heard first, the likeliest before the others."""

    def awaited(self, text: str, spoken: str) -> Awaited | None:
        """Return the question to somebody and the orders that hang on the answer, None when none do.

        Args:
            text: the instruction in plain words.
            spoken: as it was said.
        """

    def quotes(self, text: str) -> bool:
        """Tell words of somebody's that must not be heard again in other words."""

    def stages(self, text: str) -> Sequence[str]:
        """Return the orders of an instruction in the order in which they are done, none when they are heard together."""

    def unsaid(self, text: str) -> Sequence[str]:
        """Return the words for things and places of the lexicon that are not here: no wording may leave them out."""

    def in_pieces(self, text: str) -> bool:
        """Tell whether the instruction may be deliveries in pieces."""

    def doubts(self, text: str, clauses: Sequence[Clause]) -> list[str]:
        """Return the words that speak against the clauses, none when they stand."""

    def honest(self, text: str, result: PlanResult, context: Mapping[str, Any]) -> PlanResult:
        """Return the result, or the question or refusal that says better what is missing."""
