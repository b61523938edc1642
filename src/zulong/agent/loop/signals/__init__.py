"""The six signals of the circuit breaker, each a class with one method over the turns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from zulong.agent.loop.findings import Finding
from zulong.agent.loop.signals.duplicate_tool import DuplicateTool
from zulong.agent.loop.signals.empty_response import EmptyResponse
from zulong.agent.loop.signals.loop_count import LoopCount
from zulong.agent.loop.signals.no_progress import NoProgress
from zulong.agent.loop.signals.response_length import ResponseLength
from zulong.agent.loop.signals.tool_streak import ToolStreak
from zulong.agent.loop.turns import CallFact, Turn


class Signal(Protocol):
    """Looks at the turns so far, and at the calls the model wants to make next."""

    name: str

    def look(self, turns: Sequence[Turn], pending: Sequence[CallFact]) -> Finding | None:
        """Return what is wrong, None when nothing is."""


KINDS: Mapping[str, Any] = {
    kind.name: kind
    for kind in (ToolStreak, LoopCount, ResponseLength, NoProgress, EmptyResponse, DuplicateTool)
}


def make_signals(thresholds: Mapping[str, Mapping[str, Any]]) -> tuple[Signal, ...]:
    """Return all six with their thresholds from configuration (``breaker`` in ``config/agent.yaml``).

    Raises:
        ValueError: a name or threshold that no signal has.
    """
    unknown = set(thresholds) - set(KINDS)
    if unknown:
        raise ValueError(
            f"breaker: no signal is called {', '.join(sorted(unknown))}; there are {', '.join(KINDS)}."
        )
    signals = []
    for name, kind in KINDS.items():
        try:
            signals.append(kind(**thresholds.get(name, {})))
        except TypeError as error:
            raise ValueError(f"breaker.{name}: {error}") from error
    return tuple(signals)
