"""Turn after turn and nothing new: the loop is brought to an end."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from zulong.agent.loop.findings import Action, Finding, Level
from zulong.agent.loop.turns import CallFact, Turn


@dataclass(slots=True, frozen=True)
class NoProgress:
    """Fires when the last ``turns`` turns brought no new result and no change of the plan."""

    name: ClassVar[str] = "no_progress"
    turns: int = 3

    def look(self, turns: Sequence[Turn], pending: Sequence[CallFact]) -> Finding | None:
        """See :class:`zulong.agent.loop.signals.Signal`."""
        last = turns[-self.turns :]
        if len(last) < self.turns or any(turn.progress for turn in last):
            return None
        return Finding(
            self.name,
            Level.RED,
            Action.FORCE,
            f"The last {self.turns} turns brought nothing new.",
            evidence={"turns": [turn.number for turn in last]},
        )
