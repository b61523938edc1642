"""Replies that grow and grow: the next one is cut short."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import ClassVar

from zulong.agent.loop.findings import Action, Finding, Level
from zulong.agent.loop.turns import CallFact, Turn


@dataclass(slots=True, frozen=True)
class ResponseLength:
    """Fires when each of the last ``turns`` replies was ``growth`` times the one before and the last is long."""

    name: ClassVar[str] = "response_length"
    turns: int = 3
    growth: float = 1.3
    min_chars: int = 2000

    def look(self, turns: Sequence[Turn], pending: Sequence[CallFact]) -> Finding | None:
        """See :class:`zulong.agent.loop.signals.Signal`."""
        lengths = [turn.chars for turn in turns[-self.turns :]]
        if len(lengths) < self.turns or lengths[-1] < self.min_chars or lengths[0] == 0:
            return None
        if any(b < a * self.growth for a, b in pairwise(lengths)):
            return None
        return Finding(
            self.name,
            Level.YELLOW,
            Action.TRUNCATE,
            f"The replies grow: {', '.join(map(str, lengths))} characters.",
            evidence={"lengths": lengths, "growth": self.growth},
        )
