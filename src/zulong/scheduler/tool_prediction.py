"""A cheap guess, made before any model is asked, at which tools an instruction will need."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

_LATIN = re.compile(r"[a-z]+|\d+")
_CJK = re.compile(r"[\u4e00-\u9fff]+")


@dataclass(slots=True, frozen=True)
class ToolSummary:
    """A tool as it advertises itself: name, description, and words that people use for it."""

    name: str
    description: str
    keywords: tuple[str, ...] = ()


class ToolPredictor:
    """Ranks tools by inverse-frequency word overlap with the instruction, and by what followed what before.

    Args:
        tools: every tool that is advertised.
        habit_weight: how much a learned pair (this word, that tool) counts against the description.
    """

    def __init__(self, tools: Iterable[ToolSummary] = (), habit_weight: float = 0.5) -> None:
        self._habit_weight = habit_weight
        self._habits: dict[str, Counter[str]] = {}
        self._terms: dict[str, frozenset[str]] = {}
        self._idf: dict[str, float] = {}
        self.set_tools(tools)

    def set_tools(self, tools: Iterable[ToolSummary]) -> None:
        """Replace the advertised tools."""
        self._terms = {
            tool.name: frozenset(
                terms(" ".join((tool.name.replace("_", " "), tool.description, *tool.keywords)))
            )
            for tool in tools
        }
        spread = Counter(term for found in self._terms.values() for term in found)
        total = max(1, len(self._terms))
        self._idf = {term: math.log(1.0 + total / count) for term, count in spread.items()}

    def learn(self, instruction: str, used: Iterable[str]) -> None:
        """Remember which tools an instruction needed in the end."""
        names = [name for name in used if name in self._terms]
        for term in set(terms(instruction)):
            self._habits.setdefault(term, Counter()).update(names)

    def predict(self, instruction: str, limit: int = 8) -> list[tuple[str, float]]:
        """Return at most ``limit`` tools with a score in (0, 1], best first; none when nothing fits."""
        asked = set(terms(instruction))
        scores: dict[str, float] = {}
        for name, known in self._terms.items():
            overlap = sum(self._idf[term] for term in asked & known)
            habit = sum(
                self._habits[term][name] / self._habits[term].total()
                for term in asked
                if self._habits.get(term)
            )
            score = overlap + self._habit_weight * habit
            if score > 0.0:
                scores[name] = score
        best = max(scores.values(), default=1.0)
        ranked = sorted(scores.items(), key=lambda item: (-item[1], item[0]))
        return [(name, score / best) for name, score in ranked[:limit]]


def terms(text: str) -> list[str]:
    """Split into lower-case words without plural s, and for Chinese into characters and pairs: verbs are often one."""
    folded = text.casefold()
    words = [word[:-1] if len(word) > 3 and word.endswith("s") else word for word in _LATIN.findall(folded)]
    for run in _CJK.findall(folded):
        words.extend(run)
        words.extend(run[i : i + 2] for i in range(len(run) - 1))
    return words
