"""A watchdog on the steady clock.

DDS reports no missed deadline before the first sample, and a timer on the node clock stops with simulated
time. Whatever must notice silence therefore asks a Watchdog, which knows only time.monotonic.
"""

from __future__ import annotations

import time
from collections.abc import Callable


class Watchdog:
    """Tells whether something was silent for longer than ``timeout_s``.

    It counts from its making (or from the newest ``arm``), so what never started is noticed too.
    Not locked: a feed is a single assignment, safe from any thread.
    """

    __slots__ = ("_clock", "_fed", "_started", "timeout_s")

    def __init__(self, timeout_s: float, clock: Callable[[], float] = time.monotonic) -> None:
        if not timeout_s > 0.0:
            raise ValueError(f"A watchdog needs a timeout above 0 s, not {timeout_s!r}.")
        self.timeout_s = timeout_s
        self._clock = clock
        self._started = clock()
        self._fed: float | None = None

    def arm(self) -> None:
        """Start counting anew, as if nothing had ever come."""
        self._fed = None
        self._started = self._clock()

    def feed(self) -> None:
        """Note a sign of life."""
        self._fed = self._clock()

    @property
    def ever_fed(self) -> bool:
        """Whether a sign of life came since the watchdog was armed."""
        return self._fed is not None

    def silence_s(self) -> float:
        """Return the seconds since the newest sign of life, or since arming if there was none."""
        return self._clock() - (self._started if self._fed is None else self._fed)

    def expired(self) -> bool:
        """Whether the silence lasts longer than ``timeout_s``."""
        return self.silence_s() > self.timeout_s
