"""Tells an observer when an attempt with a time-out starts, makes progress and ends."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timezone
from typing import Any, Literal, NamedTuple

from zulong.stategraph.types import TimeoutPolicy

logger = logging.getLogger(__name__)


class AttemptContext(NamedTuple):
    """Which attempt of which task; limits in seconds."""

    task_id: str
    task_name: str
    attempt: int
    run_id: str | None
    thread_id: str | None
    checkpoint_ns: str | None
    started_at: datetime
    run_timeout_secs: float | None
    idle_timeout_secs: float | None
    refresh_on: str | None


@dataclass(frozen=True, slots=True)
class AttemptEvent:
    """What happened to the attempt."""

    context: AttemptContext
    event: Literal["start", "progress", "finish"]
    progress_at: datetime | None = None
    finished_at: datetime | None = None
    status: Literal["success", "error"] | None = None
    error_type: str | None = None
    error_message: str | None = None


class Observer:
    """Sends events of one attempt to a callback, progress at most four times per idle limit."""

    __slots__ = ("_callback", "_context", "_last", "_pause")

    def __init__(self, callback: Callable[[AttemptEvent], None], context: AttemptContext) -> None:
        self._callback = callback
        self._context = context
        self._pause = (context.idle_timeout_secs or 0.0) / 4
        self._last = float("-inf")

    @classmethod
    def start(
        cls, callback: Callable[[AttemptEvent], None] | None, task: Any, policy: TimeoutPolicy
    ) -> Observer | None:
        """Announce the attempt; None if nobody listens."""
        if callback is None:
            return None
        info = task.runtime.execution_info
        idle: Any = policy.idle_timeout
        run: Any = policy.run_timeout
        context = AttemptContext(
            task.id,
            task.name,
            task.attempt,
            info.run_id,
            info.thread_id,
            info.checkpoint_ns,
            datetime.now(timezone.utc),
            run,
            idle,
            policy.refresh_on if idle is not None else None,
        )
        observer = cls(callback, context)
        observer._send(AttemptEvent(context, "start"))
        return observer

    def _send(self, event: AttemptEvent) -> None:
        try:
            self._callback(event)
        except Exception:
            logger.warning("The observer of timed attempts failed.", exc_info=True)

    def progress(self) -> None:
        """The attempt gave a sign of life."""
        if self._context.idle_timeout_secs is None:
            return
        now = time.monotonic()
        if now - self._last >= self._pause:
            self._last = now
            self._send(AttemptEvent(self._context, "progress", progress_at=datetime.now(timezone.utc)))

    def finish(self, error: BaseException | None) -> None:
        """The attempt ended."""
        event = AttemptEvent(
            self._context,
            "finish",
            finished_at=datetime.now(timezone.utc),
            status="success" if error is None else "error",
            error_type=None if error is None else type(error).__name__,
            error_message=None if error is None else str(error),
        )
        self._send(event)
