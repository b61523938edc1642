"""There is one body: goals that need it take turns, the more urgent first."""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import count
from typing import Any


@dataclass(slots=True, order=True)
class _Ticket:
    rank: int
    number: int
    holder: str = field(compare=False)


class BodyQueue:
    """Hands the body to one holder at a time: by priority, first come first served within one. Thread-safe."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._waiting: list[_Ticket] = []
        self._holder: str | None = None
        self._numbers = count()

    @property
    def holder(self) -> str | None:
        """Who has the body now."""
        return self._holder

    def position(self, holder: str) -> int:
        """Return how many are served before ``holder`` (0: next or holding)."""
        with self._changed:
            for index, ticket in enumerate(sorted(self._waiting)):
                if ticket.holder == holder:
                    return index
            return 0

    @contextmanager
    def turn(self, holder: str, priority: int, canceled: Callable[[], bool]) -> Any:
        """Wait for the body and hold it inside the block; yields False when ``canceled()`` became true instead.

        Whoever cancels calls :meth:`wake`, so that the wait ends at once.
        """
        ticket = _Ticket(-priority, next(self._numbers), holder)
        with self._changed:
            self._waiting.append(ticket)
            while not canceled() and not (self._holder is None and min(self._waiting) is ticket):
                self._changed.wait(0.5)
            self._waiting.remove(ticket)
            taken = not canceled()
            if taken:
                self._holder = holder
            self._changed.notify_all()
        try:
            yield taken
        finally:
            if taken:
                with self._changed:
                    self._holder = None
                    self._changed.notify_all()

    def wake(self) -> None:
        """Let every waiter look again whether it was canceled."""
        with self._changed:
            self._changed.notify_all()
