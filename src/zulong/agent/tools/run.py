"""Running internal tools: each in a thread of its own, with a time limit that holds whatever the tool does."""

from __future__ import annotations

import contextvars
import json
import logging
import queue
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from zulong.agent.latch import CancelLatch
from zulong.agent.tools.tool import Tool
from zulong.agent.tools.workers import workers

logger = logging.getLogger(__name__)


@dataclass(slots=True, frozen=True)
class ToolOutcome:
    """How a call ended: its result as text for the model, and whether it succeeded."""

    ok: bool
    text: str


class RunningTool:
    """An internal tool under way; :meth:`wait` bounds the time, not the thread.

    Python cannot end a thread: a function that ignores its latch runs on as a daemon, and its result is lost.

    Args:
        tool: what runs.
        arguments: repaired.
        cancel: ends it.
        withdrawals: called when it has ended, to take back what keeps ``cancel`` informed.
    """

    def __init__(
        self,
        tool: Tool,
        arguments: Mapping[str, Any],
        cancel: CancelLatch,
        withdrawals: Sequence[Callable[[], None]] = (),
    ) -> None:
        self._tool = tool
        self._arguments = dict(arguments)
        self._task_cancel = cancel
        self._own_cancel = CancelLatch()
        self._outcome: queue.SimpleQueue[ToolOutcome | None] = queue.SimpleQueue()
        self._withdrawals = [cancel.on_set(self._cancel), *withdrawals]
        self._deadline = time.monotonic() + tool.time_limit_s
        context = contextvars.copy_context()
        workers.run(lambda: context.run(self._run))

    def wait(self) -> ToolOutcome:
        """Return the outcome at the latest at the tool's time limit, or at once on a cancel."""
        try:
            outcome = self._outcome.get(timeout=max(0.0, self._deadline - time.monotonic()))
        except queue.Empty:
            outcome = None
        for withdraw in self._withdrawals:
            withdraw()
        if outcome is not None:
            return outcome
        self._own_cancel.set("time limit")
        if self._task_cancel.is_set:
            why = f" because {self._task_cancel.reason}" if self._task_cancel.reason else ""
            return ToolOutcome(False, f"{self._tool.name} was canceled{why}.")
        return ToolOutcome(False, f"{self._tool.name} did not end within {self._tool.time_limit_s:g} s.")

    def _cancel(self) -> None:
        self._own_cancel.set(self._task_cancel.reason)
        self._outcome.put(None)

    def _run(self) -> None:
        function = self._tool.function
        assert function is not None  # noqa: S101 - only internal tools come here
        try:
            arguments = self._arguments
            if self._tool.validate is not None:
                arguments = self._tool.validate(arguments)
            if self._tool.latch_parameter is not None:
                arguments[self._tool.latch_parameter] = self._own_cancel
            outcome = ToolOutcome(True, as_text(function(**arguments)))
        except Exception as error:
            logger.info("Tool %s failed.", self._tool.name, exc_info=True)
            outcome = ToolOutcome(False, f"{self._tool.name} failed: {type(error).__name__}: {error}")
        self._outcome.put(outcome)


def as_text(value: Any) -> str:
    """Return a tool's result as text for the model: words as they are, everything else as JSON."""
    if isinstance(value, str):
        return value
    if value is None:
        return "done"
    if hasattr(value, "model_dump"):
        value = value.model_dump()
    return json.dumps(value, ensure_ascii=False, default=str)
