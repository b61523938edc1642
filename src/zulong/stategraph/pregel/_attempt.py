"""Running a node once, in a thread or in the event loop, and deciding what its failure means."""

from __future__ import annotations

import asyncio
import logging
import random
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from zulong.stategraph._context import CURRENT_TASK
from zulong.stategraph._keys import NS_END, NS_SEP
from zulong.stategraph.errors import GraphBubbleUp, ParentCommand
from zulong.stategraph.pregel._plan import add_note
from zulong.stategraph.types import Command, RetryPolicy

if TYPE_CHECKING:
    from zulong.stategraph.pregel._node import Body
    from zulong.stategraph.pregel._task import Task

logger = logging.getLogger(__name__)


def run_node(task: Task) -> Any:
    """Run the task's node in this thread; its writes are in the task afterwards."""
    token = CURRENT_TASK.set(task)
    try:
        return _steps(task, task.node.body(task))
    except ParentCommand as exc:
        command = own_command(task, exc)
        task.writes = []
        return _steps(task, task.node.write_result(task, command))
    finally:
        CURRENT_TASK.reset(token)


def _steps(task: Task, body: Body) -> Any:
    try:
        action, argument = next(body)
        while True:
            try:
                result = action.call(argument, task)
            except StopIteration as exc:  # would otherwise look like the end of `body`
                raise RuntimeError(f"Node '{task.name}' raised StopIteration.") from exc
            action, argument = body.send(result)
    except StopIteration as end:
        return end.value


async def arun_node(task: Task) -> Any:
    """Run the task's node in the event loop; its writes are in the task afterwards."""
    token = CURRENT_TASK.set(task)
    try:
        return await _asteps(task, task.node.body(task))
    except ParentCommand as exc:
        command = own_command(task, exc)
        task.writes = []
        return await _asteps(task, task.node.write_result(task, command))
    finally:
        CURRENT_TASK.reset(token)


async def _asteps(task: Task, body: Body) -> Any:
    try:
        action, argument = next(body)
    except StopIteration as end:
        return end.value
    while True:
        result = await action.acall(argument, task)
        try:
            action, argument = body.send(result)
        except StopIteration as end:
            return end.value


def without_ids(ns: str) -> str:
    """A namespace without task ids and counters: the path of node names."""
    return NS_SEP.join(part.split(NS_END)[0] for part in ns.split(NS_SEP) if not part.isdigit())


def _outer_namespace(ns: str) -> str:
    parts = ns.split(NS_SEP)
    while parts and parts[-1].isdigit():
        parts.pop()
    if parts:
        parts.pop()
    while parts and parts[-1].isdigit():
        parts.pop()
    return NS_SEP.join(parts)


def own_command(task: Task, exc: ParentCommand) -> Command[Any]:
    """The command, if it is addressed to the graph of `task`.

    Raises:
        ParentCommand: it has to go further out.
    """
    command = exc.args[0]
    ns = task.checkpoint_ns
    if command.graph in (ns, without_ids(ns), task.name):
        return command
    if command.graph == Command.PARENT:
        exc.args = (replace(command, graph=_outer_namespace(ns)),)
    raise exc


def retry_matches(policy: RetryPolicy, exc: BaseException) -> bool:
    """Whether the policy retries this error.

    Raises:
        TypeError: its `retry_on` is neither classes nor a function.
    """
    on = policy.retry_on
    if isinstance(on, type):
        return isinstance(exc, on)
    if isinstance(on, Sequence):
        return isinstance(exc, tuple(on))
    if callable(on):
        return bool(on(exc))  # type: ignore[arg-type]
    raise TypeError(
        "retry_on must be an Exception class, a list or tuple of Exception classes, or a callable, "
        f"got {type(on).__name__}."
    )


def retry_delay(task: Task, exc: BaseException) -> float | None:
    """Seconds to wait before the next attempt, None if there is none."""
    if not isinstance(exc, Exception) or isinstance(exc, GraphBubbleUp):
        return None
    add_note(exc, f"During task with name '{task.name}' and id '{task.id}'")
    for policy in task.retry_policy:
        if retry_matches(policy, exc):
            if task.attempt >= policy.max_attempts:
                return None
            pause = min(
                policy.max_interval, policy.initial_interval * policy.backoff_factor ** (task.attempt - 1)
            )
            if policy.jitter:
                pause += random.uniform(0, 1)
            logger.info(
                "Retrying task %s after %.2f seconds (attempt %d) after %s: %s",
                task.name,
                pause,
                task.attempt,
                type(exc).__name__,
                exc,
            )
            return pause
    return None


def is_user_cancel() -> bool:
    """Whether a `CancelledError` caught here was raised by the node itself, not by cancelling its coroutine."""
    current = asyncio.current_task()
    cancelling = getattr(current, "cancelling", None)  # Python 3.11
    return cancelling is not None and cancelling() == 0
