"""A run that a reflex holds: frozen by anybody at any moment, it starts nothing until it is thawed."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass

from zulong.agent.latch import CancelLatch
from zulong.agent.surroundings import Surroundings


@dataclass(slots=True, frozen=True)
class Thaw:
    """What is known when a held run is let go.

    Attributes:
        before: how things looked when it was frozen.
        reason: why it was frozen.
        words: what the user said meanwhile, "" when nothing.
    """

    before: Surroundings
    reason: str
    words: str


class Hold:
    """Freezes and thaws of one run. Thread-safe.

    A freeze is a latch: it stays in force until it is thawed *and* the loop has compared the surroundings, so a
    freeze that is thawed at once is compared as well. Of several freezes the first one's surroundings count.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._before: Surroundings | None = None
        self._reason = ""
        self._thawed = False
        self._words: list[str] = []
        self._listeners: list[Callable[[], None]] = []

    @property
    def on(self) -> bool:
        """True from a freeze until :meth:`settle`."""
        return self._before is not None

    @property
    def thawed(self) -> bool:
        """True when the run may be let go after a look around."""
        return self._thawed

    @property
    def reason(self) -> str:
        """Why it was frozen."""
        return self._reason

    @property
    def before(self) -> Surroundings:
        """How things looked when it was frozen."""
        return self._before if self._before is not None else Surroundings()

    def freeze(self, reason: str, before: Surroundings) -> None:
        """Hold the run; a second freeze takes back a thaw that was not acted upon yet."""
        with self._lock:
            if self._before is None:
                self._before, self._reason = before, reason
            self._thawed = False
            listeners = tuple(self._listeners)
        for listener in listeners:
            listener()

    def thaw(self, words: str = "") -> bool:
        """Let the run go; returns False when it is not frozen."""
        with self._lock:
            if self._before is None:
                return False
            self._thawed = True
            if words.strip():
                self._words.append(words.strip())
            listeners = tuple(self._listeners)
        for listener in listeners:
            listener()
        return True

    def settle(self) -> Thaw | None:
        """End the hold and return what is to be compared; None when it is not thawed (any more)."""
        with self._lock:
            if self._before is None or not self._thawed:
                return None
            thaw = Thaw(self._before, self._reason, " ".join(self._words))
            self._before, self._reason, self._thawed, self._words = None, "", False, []
            return thaw

    def on_change(self, listener: Callable[[], None]) -> Callable[[], None]:
        """Call back after every freeze and thaw, at once when frozen; the returned function ends that."""
        with self._lock:
            self._listeners.append(listener)
            frozen = self._before is not None
        if frozen:
            listener()
        return lambda: self._withdraw(listener)

    def _withdraw(self, listener: Callable[[], None]) -> None:
        with self._lock:
            if listener in self._listeners:
                self._listeners.remove(listener)


def latch_of_task_and_hold(task: CancelLatch, hold: Hold) -> tuple[CancelLatch, list[Callable[[], None]]]:
    """Return a latch that is set by the task's cancel and by a freeze, and what ends its following them."""
    latch = CancelLatch()

    def canceled() -> None:
        latch.set(task.reason)

    def frozen() -> None:
        if hold.on:
            latch.set(f"the task was frozen: {hold.reason}" if hold.reason else "the task was frozen")

    return latch, [task.on_set(canceled), hold.on_change(frozen)]
