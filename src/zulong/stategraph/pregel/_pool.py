"""Threads of one run: started when there is work for them, closed with the run."""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextvars import copy_context
from queue import SimpleQueue
from typing import Any

DEFAULT_LIMIT = 32
#: How long closing waits for a thread whose job is over; only fenced jobs may take longer, and are left behind.
JOIN_S = 5.0


class Pool:
    """Runs jobs in at most `limit` threads. Jobs must not raise.

    Threads are daemons: one that is stuck in a fenced node can neither delay the caller nor the interpreter.
    """

    __slots__ = ("_closed", "_limit", "_lock", "_name", "_open_jobs", "_queue", "_threads")

    def __init__(self, limit: int, name: str) -> None:
        self._limit = limit
        self._name = name
        self._queue: SimpleQueue[Any] = SimpleQueue()
        self._threads: list[threading.Thread] = []
        self._open_jobs = 0
        self._lock = threading.Lock()
        self._closed = False

    def submit(self, job: Callable[..., None], *args: Any) -> None:
        """Run `job(*args)` in a thread, in a copy of the caller's context variables."""
        with self._lock:
            if self._closed:
                raise RuntimeError("The run is over; it takes no more work.")
            self._open_jobs += 1
            start = self._open_jobs > len(self._threads) and len(self._threads) < self._limit
            if start:
                thread = threading.Thread(target=self._work, name=self._name, daemon=True)
                self._threads.append(thread)
        self._queue.put((copy_context(), job, args))
        if start:
            thread.start()

    def widen(self) -> None:
        """Allow one more thread, because a fenced job keeps one."""
        with self._lock:
            self._limit += 1

    def _work(self) -> None:
        while True:
            item = self._queue.get()
            if item is None:
                return
            context, job, args = item
            context.run(job, *args)
            del context, job, args, item
            with self._lock:
                self._open_jobs -= 1

    def close(self, *, wait: bool) -> None:
        """Take no more jobs and end the threads; with `wait` be sure that they ended."""
        with self._lock:
            if self._closed:
                return
            self._closed = True
            threads = list(self._threads)
        for _ in threads:
            self._queue.put(None)
        if wait:
            for thread in threads:
                if thread is not threading.current_thread():
                    thread.join(JOIN_S)
