"""The same tool again and again, whatever its arguments: it is taken away for a while."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from zulong.agent.loop.findings import Action, Finding, Level
from zulong.agent.loop.turns import CallFact, Turn


@dataclass(slots=True, frozen=True)
class ToolStreak:
    """Fires when the last ``limit`` calls, over at least two turns, all went to one tool.

    Several calls in one reply are a plan, not a circle; so a streak within a single turn does not count, nor do
    calls that were not made (put off until an earlier one ended, and then made again).
    """

    name: ClassVar[str] = "tool_streak"
    limit: int = 5

    def look(self, turns: Sequence[Turn], pending: Sequence[CallFact]) -> Finding | None:
        """See :class:`zulong.agent.loop.signals.Signal`."""
        streak, involved, tool = 0, 0, ""
        for turn in reversed(turns):
            run, other = 0, not turn.calls
            for call in reversed(turn.calls):
                if call.skipped:
                    continue
                tool = tool or call.name
                other = call.name != tool
                if other:
                    break
                run += 1
            streak += run
            involved += run > 0
            if other:
                break
        if streak < self.limit or involved < 2:
            return None
        return Finding(
            self.name,
            Level.YELLOW,
            Action.REMOVE_TOOL,
            f"{tool} was called {streak} times in a row.",
            (tool,),
            {"streak": streak, "limit": self.limit},
        )
