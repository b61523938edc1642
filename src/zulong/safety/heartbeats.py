"""Which nodes are alive, judged with play so that one late beat takes nothing down."""

from __future__ import annotations

import math
from dataclasses import dataclass


@dataclass(slots=True)
class _Pulse:
    last_s: float
    lost: bool = False
    good_since_s: float = math.nan


class Heartbeats:
    """Watches the beats of named nodes on the steady clock.

    A node is lost after ``timeout_s`` without a beat, and back only after ``recovery_s`` of unbroken beats:
    a node that flaps stays lost instead of switching the robot on and off.

    Args:
        watched: the nodes that must beat. One that has never beaten is lost ``grace_s`` after ``start_s``.
    """

    def __init__(
        self,
        watched: tuple[str, ...],
        start_s: float,
        timeout_s: float = 2.0,
        recovery_s: float = 1.0,
        grace_s: float = 20.0,
    ) -> None:
        self.watched = watched
        self._timeout_s = timeout_s
        self._recovery_s = recovery_s
        self._pulses = {name: _Pulse(start_s + grace_s - timeout_s) for name in watched}

    def beat(self, name: str, now_s: float) -> None:
        """Take one beat; beats of nodes that are not watched are ignored."""
        pulse = self._pulses.get(name)
        if pulse is None:
            return
        if pulse.lost:
            if math.isnan(pulse.good_since_s) or now_s - pulse.last_s > self._timeout_s:
                pulse.good_since_s = now_s
            elif now_s - pulse.good_since_s >= self._recovery_s:
                pulse.lost, pulse.good_since_s = False, math.nan
        # A beat within the grace time ends the grace: from now on the timeout counts.
        pulse.last_s = now_s

    def lost(self, now_s: float) -> tuple[str, ...]:
        """Return the names of the nodes that are silent, in the order in which they are watched."""
        silent = []
        for name, pulse in self._pulses.items():
            if now_s - pulse.last_s > self._timeout_s:
                pulse.lost, pulse.good_since_s = True, math.nan
            if pulse.lost:
                silent.append(name)
        return tuple(silent)
