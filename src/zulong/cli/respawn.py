"""When a crashed node is started again, and when that is given up. Pure logic on the steady clock."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(slots=True, frozen=True)
class RespawnLimits:
    """The numbers of the policy, seconds on the steady clock.

    Attributes:
        first_delay_s: wait before the first restart; each further one doubles it.
        longest_delay_s: no wait is longer.
        tries: restarts without a stable time in between after which it is given up.
        stable_s: a node that was active this long counts as healthy again.
    """

    first_delay_s: float = 0.5
    longest_delay_s: float = 8.0
    tries: int = 5
    stable_s: float = 30.0


class Respawn:
    """The restart history of one node."""

    def __init__(
        self, limits: RespawnLimits = RespawnLimits(), clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._limits = limits
        self._clock = clock
        self._failures = 0
        self._active_since: float | None = None
        self.total = 0

    @property
    def failures(self) -> int:
        """Failures in a row without a stable time in between."""
        return self._failures

    def became_active(self) -> None:
        """Note that the node reached its active state."""
        self._active_since = self._clock()

    def failed(self) -> float | None:
        """Note a failure; return the seconds to wait before the next start, or None to give up."""
        if self._active_since is not None and self._clock() - self._active_since >= self._limits.stable_s:
            self._failures = 0
        self._active_since = None
        self._failures += 1
        if self._failures > self._limits.tries:
            return None
        self.total += 1
        delay = self._limits.first_delay_s * 2.0 ** (self._failures - 1)
        return min(delay, self._limits.longest_delay_s)

    def forget(self) -> None:
        """A person restarted the node: count anew."""
        self._failures = 0
        self._active_since = None
