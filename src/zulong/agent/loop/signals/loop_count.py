"""Many turns: first the model is told to converge, later it is made to."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from zulong.agent.loop.findings import Action, Finding, Level
from zulong.agent.loop.turns import CallFact, Turn


@dataclass(slots=True, frozen=True)
class LoopCount:
    """Fires from ``soft_limit`` turns on, and forces an end at ``hard_limit``."""

    name: ClassVar[str] = "loop_count"
    soft_limit: int = 20
    hard_limit: int = 40

    def look(self, turns: Sequence[Turn], pending: Sequence[CallFact]) -> Finding | None:
        """See :class:`zulong.agent.loop.signals.Signal`."""
        count = turns[-1].number if turns else 0
        if count < self.soft_limit:
            return None
        forced = count >= self.hard_limit
        return Finding(
            self.name,
            Level.RED if forced else Level.YELLOW,
            Action.FORCE if forced else Action.CONVERGE,
            f"{count} turns were taken.",
            evidence={"turns": count, "soft_limit": self.soft_limit, "hard_limit": self.hard_limit},
        )
