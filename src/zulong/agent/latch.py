"""A cancellation that cannot be lost: once set it stays set, whoever looks and whenever."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

logger = logging.getLogger(__name__)


_current: ContextVar[CancelLatch | None] = ContextVar("zulong_cancel_latch", default=None)


def current_latch() -> CancelLatch:
    """Return the latch of the task that runs in this context; one that nobody sets when there is none."""
    return _current.get() or CancelLatch()


@contextmanager
def latch_in_context(latch: CancelLatch) -> Iterator[None]:
    """Make a latch the current one for what runs inside, in other threads too if the context is carried."""
    token = _current.set(latch)
    try:
        yield
    finally:
        _current.reset(token)


class CancelLatch:
    """Set at most once, by any thread; callbacks registered before or after it are called exactly once."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._set = False
        self._event: threading.Event | None = None  # made by the first who waits; most latches see none
        self._reason = ""
        self._callbacks: list[Callable[[], None]] = []

    @property
    def is_set(self) -> bool:
        """True from the first :meth:`set` on."""
        return self._set

    @property
    def reason(self) -> str:
        """The reason given by the first :meth:`set`."""
        return self._reason

    def set(self, reason: str = "") -> bool:
        """Set the latch; returns False when it was set already (the first reason stays)."""
        with self._lock:
            if self._set:
                return False
            self._reason = reason
            self._set = True
            if self._event is not None:
                self._event.set()
            callbacks, self._callbacks = self._callbacks, []
        for callback in callbacks:
            _call(callback)
        return True

    def wait(self, timeout_s: float) -> bool:
        """Wait for the latch, at most ``timeout_s`` on the steady clock; return whether it is set."""
        with self._lock:
            if self._set:
                return True
            if self._event is None:
                self._event = threading.Event()
            event = self._event
        return event.wait(timeout_s)

    def on_set(self, callback: Callable[[], None]) -> Callable[[], None]:
        """Call back when the latch is set, at once if it is; the returned function withdraws the callback."""
        with self._lock:
            if not self._set:
                self._callbacks.append(callback)
                return lambda: self._withdraw(callback)
        _call(callback)
        return lambda: None

    def _withdraw(self, callback: Callable[[], None]) -> None:
        with self._lock:
            if callback in self._callbacks:
                self._callbacks.remove(callback)


def _call(callback: Callable[[], None]) -> None:
    try:
        callback()
    except Exception:
        logger.exception("A cancel callback failed.")
