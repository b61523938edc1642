"""A model that has fallen silent: the loop stops."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from zulong.agent.loop.findings import Action, Finding, Level
from zulong.agent.loop.turns import CallFact, Turn


@dataclass(slots=True, frozen=True)
class EmptyResponse:
    """Fires when the last ``limit`` replies were empty."""

    name: ClassVar[str] = "empty_response"
    limit: int = 2

    def look(self, turns: Sequence[Turn], pending: Sequence[CallFact]) -> Finding | None:
        """See :class:`zulong.agent.loop.signals.Signal`."""
        last = turns[-self.limit :]
        if len(last) < self.limit or not all(turn.empty for turn in last):
            return None
        return Finding(
            self.name,
            Level.RED,
            Action.STOP,
            f"The model was silent {self.limit} times in a row.",
            evidence={"turns": [turn.number for turn in last]},
        )
