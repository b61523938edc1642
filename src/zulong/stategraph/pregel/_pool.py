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
#: How long jobs may wait in the queue of a pool that grows by need before it gets more threads.
GROW_AFTER_S = 0.0005
#: Threads that such a pool starts at once: a few parallel nodes begin together, a fan-out of quick ones stays cheap.
EAGER_THREADS = 4


class Pool:
    """Runs jobs in at most `limit` threads. Jobs must not raise.

    Threads are daemons: one that is stuck in a fenced node can neither delay the caller nor the interpreter.

    Args:
        limit: most threads.
        name: name of the threads.
        eager: threads started as soon as there are jobs for them; beyond that the owner calls :meth:`grow`
            while :meth:`backlog` is true. None: as many as there are jobs.
    """

    __slots__ = ("_closed", "_eager", "_limit", "_lock", "_name", "_open_jobs", "_queue", "_threads")

    def __init__(self, limit: int, name: str, eager: int | None = None) -> None:
        self._limit = limit
        self._eager = limit if eager is None else eager
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
            few = len(self._threads) < min(self._limit, self._eager)
            started = self._new_threads(1) if few and self._open_jobs > len(self._threads) else []
        self._queue.put((copy_context(), job, args))
        for thread in started:
            thread.start()

    def backlog(self) -> bool:
        """Tell whether jobs wait although more threads are allowed."""
        return len(self._threads) < self._limit and not self._queue.empty()

    def grow(self) -> None:
        """Double the threads, as far as jobs wait for them and the limit allows."""
        with self._lock:
            if self._closed:
                return
            wanted = min(len(self._threads), self._limit - len(self._threads), self._queue.qsize())
            started = self._new_threads(max(0, wanted))
        for thread in started:
            thread.start()

    def _new_threads(self, count: int) -> list[threading.Thread]:
        made = [threading.Thread(target=self._work, name=self._name, daemon=True) for _ in range(count)]
        self._threads.extend(made)
        return made

    def widen(self) -> None:
        """Allow one more thread, because a fenced job keeps one."""
        with self._lock:
            self._limit += 1
            self._eager += 1

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
