"""The breaker wants an end: the reply is taken as it is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from zulong.agent.loop.findings import Action, Catch, Verdict
from zulong.agent.loop.nets.view import ReplyView


@dataclass(slots=True, frozen=True)
class BreakerConvergence:
    """Ends the loop when the breaker forces it, or when it asked for convergence and words came."""

    name: ClassVar[str] = "breaker_convergence"

    def look(self, view: ReplyView) -> Catch | None:
        """See :class:`zulong.agent.loop.nets.Net`."""
        forced = view.forced
        if forced is not None:
            return Catch(self.name, Verdict.FORCE, forced.reason, evidence=forced.to_dict())
        asked = next((f for f in view.findings if f.action is Action.CONVERGE), None)
        if asked is not None and view.reply.strip():
            return Catch(self.name, Verdict.FORCE, asked.reason, evidence=asked.to_dict())
        return None
