"""The gate around one attempt of a node that may be given up: once shut, nothing of it gets through."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from typing import Any

from zulong.stategraph.types import StreamWriter


class Attempt:
    """Lets writes and stream chunks of one attempt through until `shut`. Shutting is a latch.

    Attributes:
        open: whether the attempt still counts.
        last_progress: steady-clock time of the last sign of life, in seconds.
    """

    __slots__ = ("_lock", "_on_progress", "auto", "last_progress", "open", "started")

    def __init__(self, *, auto: bool = True, on_progress: Callable[[], None] | None = None) -> None:
        self.open = True
        self.started = self.last_progress = time.monotonic()
        self.auto = auto
        self._on_progress = on_progress
        self._lock = threading.Lock()

    def shut(self) -> bool:
        """Close the gate; returns whether this call did it. After it returns no write can land."""
        with self._lock:
            was_open, self.open = self.open, False
        return was_open

    def heartbeat(self) -> None:
        """A sign of life that counts under every policy."""
        if self.open:
            self.last_progress = time.monotonic()
            if self._on_progress is not None:
                self._on_progress()

    def progress(self) -> None:
        """A sign of life that counts unless only heartbeats do."""
        if self.auto and self.open:
            self.last_progress = time.monotonic()

    def write(self, task: Any, writes: Sequence[tuple[str, Any]]) -> None:
        """Add writes to the task if the gate is open and the task is in this attempt."""
        with self._lock:
            if self.open and task.fence is self:
                task.writes.extend(writes)
                if self.auto and writes:
                    self.last_progress = time.monotonic()

    def guard_writer(self, writer: StreamWriter) -> StreamWriter:
        """`writer`, silent once the gate is shut."""

        def guarded(chunk: Any) -> None:
            if self.open:
                self.progress()
                writer(chunk)

        return guarded
