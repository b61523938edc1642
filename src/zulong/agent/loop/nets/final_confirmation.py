"""After a task with many deeds the model checks once more before it reports."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from zulong.agent.loop.findings import Catch, Verdict
from zulong.agent.loop.nets.view import ReplyView


@dataclass(slots=True, frozen=True)
class FinalConfirmation:
    """Asks once whether everything is done, if at least ``min_effects`` calls changed the world."""

    name: ClassVar[str] = "final_confirmation"
    min_effects: int = 3

    def look(self, view: ReplyView) -> Catch | None:
        """See :class:`zulong.agent.loop.nets.Net`."""
        effects = [call.name for call in view.calls if call.effect]
        if (
            len(effects) < self.min_effects
            or not view.tools
            or view.caught.get(self.name, 0)
            or view.asks_the_user
        ):
            return None
        return Catch(
            self.name,
            Verdict.CONTINUE,
            f"{len(effects)} calls changed the world; the result is checked once.",
            f"Before you report: compare what was done with what was asked ({view.instruction}). If something is "
            f"missing, do it now; if not, give the final report.",
            {"effects": effects},
        )
