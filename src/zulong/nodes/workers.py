"""A thread for work that must not hold up the executor: bounded queue, owned, closed with a limit."""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any


class WorkerClosedError(RuntimeError):
    """The worker takes no more work."""


class WorkerFullError(RuntimeError):
    """The worker's queue is full; the caller must decide what to drop."""


class Worker:
    """One daemon thread that runs what is submitted, in order.

    Args:
        name: name of the thread.
        depth: most calls that may wait.
        newest_only: a full queue drops its oldest call (its future is cancelled) instead of refusing the new one.
    """

    def __init__(self, name: str, *, depth: int = 64, newest_only: bool = False) -> None:
        self._queue: queue.Queue[tuple[Future[Any], Callable[[], Any]] | None] = queue.Queue(maxsize=depth)
        self._newest_only = newest_only
        self._closed = threading.Event()
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)
        self._thread.start()

    def submit(self, call: Callable[..., Any], *args: Any) -> Future[Any]:
        """Queue ``call(*args)`` and return its future.

        Raises:
            WorkerClosedError: ``close`` was called.
            WorkerFullError: the queue is full and the worker does not keep only the newest.
        """
        if self._closed.is_set():
            raise WorkerClosedError(f"Worker {self._thread.name} is closed.")
        future: Future[Any] = Future()
        item = (future, lambda: call(*args))
        while True:
            try:
                self._queue.put_nowait(item)
                return future
            except queue.Full:
                if not self._newest_only:
                    raise WorkerFullError(
                        f"Worker {self._thread.name} has {self._queue.maxsize} calls waiting; drop or retry later."
                    ) from None
                self._drop_oldest()

    def _drop_oldest(self) -> None:
        try:
            oldest = self._queue.get_nowait()
        except queue.Empty:
            return
        if oldest is not None:
            oldest[0].cancel()

    @property
    def waiting(self) -> int:
        """How many calls wait."""
        return self._queue.qsize()

    def close(self, timeout_s: float = 1.0) -> bool:
        """Cancel what waits, let the running call end; return whether the thread ended within ``timeout_s``."""
        self._closed.set()
        deadline = time.monotonic() + timeout_s
        while not self._queue.empty():
            self._drop_oldest()
        try:
            self._queue.put_nowait(None)
        except queue.Full:  # a submit slipped in; the thread looks at the flag after each call as well
            pass
        self._thread.join(max(0.0, deadline - time.monotonic()))
        return not self._thread.is_alive()

    def _run(self) -> None:
        while True:
            item = self._queue.get()
            if item is None:
                return
            future, call = item
            if future.set_running_or_notify_cancel():
                try:
                    future.set_result(call())
                except BaseException as error:  # the caller gets it from the future, whatever it is
                    future.set_exception(error)
            if self._closed.is_set() and self._queue.empty():
                return
