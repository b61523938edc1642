"""SIGINT, SIGTERM and SIGHUP as one latch, for the supervisor and for waiting commands."""

from __future__ import annotations

import signal
import threading


class StopLatch:
    """Set by the first signal; never forgets it. Make it in the main thread."""

    def __init__(self) -> None:
        self._event = threading.Event()
        self.count = 0
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, self._receive)

    def _receive(self, _number: int, _frame: object) -> None:
        self.count += 1
        self._event.set()

    def is_set(self) -> bool:
        """Whether a signal came."""
        return self._event.is_set()
