"""Daemon threads that are used again: starting one for every call would cost more than most tools do."""

from __future__ import annotations

import logging
import queue
import threading
from collections.abc import Callable

logger = logging.getLogger(__name__)

_MOST_IDLE = 8


class Workers:
    """Runs each job in a thread that nothing else runs in; a job that never returns costs its thread only.

    Unlike a pool it has no size: a job never waits for another one, and the end of the process waits for none.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._idle: list[queue.SimpleQueue[Callable[[], None]]] = []

    def run(self, job: Callable[[], None]) -> None:
        """Begin a job at once, in a thread that has become free or in a new one."""
        with self._lock:
            inbox = self._idle.pop() if self._idle else None
        if inbox is None:
            inbox = queue.SimpleQueue()
            threading.Thread(target=self._work, args=(inbox,), name="tool", daemon=True).start()
        inbox.put(job)

    def _work(self, inbox: queue.SimpleQueue[Callable[[], None]]) -> None:
        while True:
            job = inbox.get()
            try:
                job()
            except Exception:
                logger.exception("A tool's thread met an error outside of the tool.")
            del job
            with self._lock:
                if len(self._idle) >= _MOST_IDLE:
                    return
                self._idle.append(inbox)


workers = Workers()
