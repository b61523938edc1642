"""The very same call once more, with nothing changed in between: it is not made."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from zulong.agent.loop.findings import Action, Finding, Level
from zulong.agent.loop.turns import CallFact, Turn


@dataclass(slots=True, frozen=True)
class DuplicateTool:
    """Fires on a call that would be the ``limit``-th same one since the world was last changed.

    Looking again after something was moved is no repetition, so a successful call with an effect starts the
    count anew, for every call but itself. A call that was not made (denied, put off) does not count.
    """

    name: ClassVar[str] = "duplicate_tool"
    limit: int = 3

    def look(self, turns: Sequence[Turn], pending: Sequence[CallFact]) -> Finding | None:
        """See :class:`zulong.agent.loop.signals.Signal`."""
        repeated = [call for call in pending if self._times(turns, call) >= self.limit - 1]
        if not repeated:
            return None
        names = sorted({call.name for call in repeated})
        return Finding(
            self.name,
            Level.YELLOW,
            Action.SKIP_CALL,
            f"The same call of {', '.join(names)} was made {self.limit - 1} times already.",
            tuple(call.id for call in repeated),
            {"limit": self.limit, "calls": names},
        )

    @staticmethod
    def _times(turns: Sequence[Turn], wanted: CallFact) -> int:
        times = 0
        for turn in reversed(turns):
            for call in reversed(turn.calls):
                if call.skipped:
                    continue
                if call.digest == wanted.digest and call.name == wanted.name:
                    times += 1
                elif call.effect:
                    return times
        return times
