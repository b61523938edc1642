"""Durability "async": saves in a thread of the run, in order, never more than one step behind."""

from __future__ import annotations

import threading
from queue import SimpleQueue
from typing import Any

from zulong.stategraph.pregel._effects import Save

#: A saver that does not answer for this long is reported instead of waited for.
SAVE_LIMIT_S = 300.0


class BackgroundWriter:
    """One thread that calls a saver. `submit` waits until the step before the last one is saved."""

    __slots__ = ("_error", "_queue", "_step_saved", "_thread")

    def __init__(self) -> None:
        self._queue: SimpleQueue[Any] = SimpleQueue()
        self._error: BaseException | None = None
        self._step_saved = threading.Event()
        self._step_saved.set()
        self._thread = threading.Thread(target=self._work, name="zulong-saver", daemon=True)
        self._thread.start()

    def submit(self, saver: Any, save: Save) -> None:
        """Save after everything that was submitted before.

        Raises:
            Exception: whatever an earlier save raised.
            TimeoutError: the saver does not answer.
        """
        if save.ends_step:
            self._wait(self._step_saved)
            self._step_saved.clear()
        self._raise()
        self._queue.put((saver, save, None))

    def flush(self) -> None:
        """Wait until everything submitted is saved; raises what saving raised."""
        done = threading.Event()
        self._queue.put((None, None, done))
        self._wait(done)
        self._raise()

    def close(self) -> None:
        """Save the rest and end the thread; raises what saving raised."""
        self._queue.put(None)
        self._thread.join(SAVE_LIMIT_S)
        if self._thread.is_alive():
            raise TimeoutError(f"The checkpointer did not answer for {SAVE_LIMIT_S:.0f} s.")
        self._raise()

    def _wait(self, event: threading.Event) -> None:
        if not event.wait(SAVE_LIMIT_S):
            raise TimeoutError(f"The checkpointer did not answer for {SAVE_LIMIT_S:.0f} s.")

    def _raise(self) -> None:
        if self._error is not None:
            error, self._error = self._error, None
            raise error

    def _work(self) -> None:
        failed = False
        while True:
            item = self._queue.get()
            if item is None:
                return
            saver, save, done = item
            if save is not None:
                try:
                    if not failed:  # a later step must not be saved after one that was not
                        for method, args in save.calls:
                            getattr(saver, method)(*args)
                except BaseException as exc:
                    failed = True
                    self._error = exc
                finally:
                    if save.ends_step:
                        self._step_saved.set()
            if done is not None:
                done.set()
