"""Running internal tools: each in a thread of its own, with a time limit that holds whatever the tool does."""

from __future__ import annotations

import asyncio
import contextvars
import inspect
import logging
import queue
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from zulong.agent.latch import CancelLatch
from zulong.agent.tools.results import as_text, error_text
from zulong.agent.tools.tool import Tool
from zulong.agent.tools.workers import workers

logger = logging.getLogger(__name__)


@dataclass(slots=True, frozen=True)
class ToolOutcome:
    """How a call ended: its result as text for the model, and whether it succeeded."""

    ok: bool
    text: str


class NotBegunError(RuntimeError):
    """The tool was canceled before it began; nothing was done."""


class RunningTool:
    """An internal tool under way; :meth:`wait` bounds the time, not the thread.

    Python cannot end a thread: a function that ignores its latch runs on as a daemon, and its result is lost. What
    keeps the interpreter to itself (one long call into C, such as a hopeless regular expression) bounds nothing
    while it lasts; such work belongs behind MCP or a skill, in a process of its own.

    Args:
        tool: what runs.
        arguments: repaired.
        cancel: ends it; set already, nothing is begun.
        withdrawals: called when it has ended, to take back what keeps ``cancel`` informed.
        rest_s: after a cancel a tool with side effects is given so long to come to rest, so that what it did is
            known.
    """

    def __init__(
        self,
        tool: Tool,
        arguments: Mapping[str, Any],
        cancel: CancelLatch,
        withdrawals: Sequence[Callable[[], None]] = (),
        rest_s: float = 0.0,
    ) -> None:
        self._tool = tool
        self._arguments = dict(arguments)
        self._task_cancel = cancel
        self._own_cancel = CancelLatch()
        self._rest_s = rest_s if tool.has_side_effects else 0.0
        self._outcome: queue.SimpleQueue[ToolOutcome | None] = queue.SimpleQueue()
        self._withdrawals = [cancel.on_set(self._cancel), *withdrawals]
        self._deadline = time.monotonic() + tool.time_limit_s
        context = contextvars.copy_context()
        workers.run(lambda: context.run(self._run))

    def wait(self) -> ToolOutcome:
        """Return the outcome at the latest at the tool's time limit, or on a cancel (at rest, see ``rest_s``)."""
        outcome = self._next(self._deadline - time.monotonic())
        if outcome is None:
            self._own_cancel.set("time limit")
            outcome = self._next(self._rest_s) if self._rest_s else None
        for withdraw in self._withdrawals:
            withdraw()
        return outcome if outcome is not None else ToolOutcome(False, self._why_not())

    def _next(self, limit_s: float) -> ToolOutcome | None:
        try:
            return self._outcome.get(timeout=max(0.0, limit_s))
        except queue.Empty:
            return None

    def _why_not(self) -> str:
        if self._task_cancel.is_set:
            why = f" because {self._task_cancel.reason}" if self._task_cancel.reason else ""
            words = f"{self._tool.name} was canceled{why}."
        else:
            words = f"{self._tool.name} did not end within {self._tool.time_limit_s:g} s."
        return (
            f"{words} Nobody knows how far it came: look before you repeat it."
            if self._tool.has_side_effects
            else words
        )

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
            if self._own_cancel.is_set:
                raise NotBegunError(f"the task was stopped before ({self._own_cancel.reason})")
            if self._tool.latch_parameter is not None:
                arguments[self._tool.latch_parameter] = self._own_cancel
            value = function(**arguments)
            if inspect.isawaitable(value) or inspect.isasyncgen(value):
                value = run_async(value, self._own_cancel)
            outcome = ToolOutcome(True, as_text(value))
        except BaseException as error:  # sys.exit() in a tool ends the tool and nothing else
            logger.info("Tool %s failed: %s", self._tool.name, error_text(error))
            outcome = ToolOutcome(False, f"{self._tool.name} failed: {error_text(error)}")
        self._outcome.put(outcome)


def run_async(value: Any, cancel: CancelLatch) -> Any:
    """Wait for what an async function returns (or yields, as a list) on an event loop of its own.

    Raises:
        asyncio.CancelledError: the latch was set.
    """

    async def whole() -> Any:
        if inspect.isasyncgen(value):
            return [item async for item in value]
        return await value

    async def watched() -> Any:
        loop, task = asyncio.get_running_loop(), asyncio.ensure_future(whole())
        withdraw = cancel.on_set(lambda: _later(loop, task.cancel))
        try:
            return await task
        finally:
            withdraw()

    return asyncio.run(watched())


def _later(loop: asyncio.AbstractEventLoop, call: Callable[[], object]) -> None:
    try:
        loop.call_soon_threadsafe(call)
    except RuntimeError:
        pass  # the loop has ended in this very moment
