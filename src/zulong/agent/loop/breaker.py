"""The circuit breaker: the six signals together, and what stays in force after one has fired."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from zulong.agent.loop.findings import Action, Finding, Level
from zulong.agent.loop.signals import Signal
from zulong.agent.loop.signals.duplicate_tool import DuplicateTool
from zulong.agent.loop.turns import CallFact, Turn

# A tool that was taken away comes back after so many turns.
_REMOVED_FOR_TURNS = 3


class Breaker:
    """Looks at the turns with all signals."""

    def __init__(self, signals: Sequence[Signal]) -> None:
        self._signals = signals
        self._ahead = [signal for signal in signals if isinstance(signal, DuplicateTool)]

    def look(self, turns: Sequence[Turn], memory: dict[str, Any]) -> list[Finding]:
        """Return what fires, and note in ``memory`` (the breaker's part of the state) what stays in force."""
        findings = [f for signal in self._signals if (f := signal.look(turns, ())) is not None]
        number = turns[-1].number if turns else 0
        removed = {tool: until for tool, until in memory.get("removed", {}).items() if until > number}
        for finding in findings:
            if finding.action is Action.REMOVE_TOOL:
                for tool in finding.targets:
                    removed.setdefault(tool, number + _REMOVED_FOR_TURNS)
        memory["removed"] = removed
        memory["truncate"] = any(f.action is Action.TRUNCATE for f in findings)
        return findings

    def repeated(self, turns: Sequence[Turn], pending: Sequence[CallFact]) -> Finding | None:
        """Return the finding about calls that must not be made again, None when there are none."""
        findings = (signal.look(turns, pending) for signal in self._ahead)
        return next((finding for finding in findings if finding is not None), None)

    @staticmethod
    def forced(reason: str) -> Finding:
        """Return the finding that stands for an end that was forced in an earlier turn."""
        return Finding("forced", Level.RED, Action.FORCE, reason)

    @staticmethod
    def level(findings: Sequence[Finding]) -> Level:
        """Return the highest level of what fired."""
        return max((f.level for f in findings), default=Level.GREEN)
