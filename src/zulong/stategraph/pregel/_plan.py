"""Which tasks the next step has: one for each `Send`, one for each node that a change wakes."""

from __future__ import annotations

import logging
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from zulong.stategraph._keys import CACHE_NS_WRITES, MISSING, PULL, PUSH, TASKS
from zulong.stategraph.pregel._action import identity_of
from zulong.stategraph.pregel._task import PUSH_TRIGGER, Task, path_text
from zulong.stategraph.types import CacheKey, CachePolicy, Send

if TYPE_CHECKING:
    from zulong.stategraph.pregel._node import PregelNode
    from zulong.stategraph.pregel._run import Run
    from zulong.stategraph.pregel._run_state import RunState

logger = logging.getLogger(__name__)


def plan(run: Run, updated: set[str] | None) -> list[Task]:
    """The tasks of the step that `run` is at.

    Args:
        updated: the channels with news; None where that is not known (a checkpoint of another engine, or one
            that `update_state` made), then every node is asked once.
    """
    state, layout = run.state, run.layout
    tasks: list[Task] = []
    if TASKS in state.channels or TASKS in state.values:
        sends = state.value(TASKS)
        if sends is not MISSING:
            for index, send in enumerate(sends):
                task = _send_task(run, index, send)
                if task is not None:
                    tasks.append(task)
    names: Iterable[str]
    if updated is None:
        names = layout.nodes if state.versions else ()
    else:
        woken: set[str] = set()
        for channel in updated.intersection(layout.listeners):
            woken.update(layout.listeners[channel])
        names = sorted(woken) if len(woken) > 1 else woken
    for name in names:
        if state.wakes(name):
            node = layout.nodes[name]
            value = node_input(run, node, name)
            if value is not MISSING:
                triggers = layout.triggers[name]
                task = Task(run, node, name, value, (PULL, name), triggers, (PULL, *triggers), node.timeout)
                _set_cache_key(run, task, node.cache_policy, value)
                tasks.append(task)
    return tasks


def _send_task(run: Run, index: int, send: Any) -> Task | None:
    if not isinstance(send, Send):
        logger.warning("Ignoring a pending send that is a %s, not a Send.", type(send).__name__)
        return None
    node = run.layout.nodes.get(send.node)
    if node is None:
        logger.warning("Ignoring a pending Send to the unknown node %r.", send.node)
        return None
    timeout = send.timeout if send.timeout is not None else node.timeout
    path = (PUSH, index, False)
    task = Task(run, node, send.node, send.arg, path, PUSH_TRIGGER, (PUSH, str(index)), timeout)
    _set_cache_key(run, task, node.cache_policy, send.arg)
    return task


def node_input(run: RunState, node: PregelNode, name: str) -> Any:
    """What the node reads now, `MISSING` if its single channel is empty."""
    state = run.state
    try:
        if isinstance(node.channels, str):
            value = state.value(node.channels) if node.channels in run.layout.specs else MISSING
            if value is MISSING:
                return MISSING
        else:
            value = run.read_keys(node.channels)
        return value if node.mapper is None else node.mapper(value)
    except Exception as exc:
        add_note(exc, f"Before task with name '{name}' and path '{(PULL, name)}'")
        raise


def call_task(run: Run, parent: Task, call: Any) -> Task:
    """The task for a call of a `@task` function from within `parent`."""
    index = parent.next_call()
    path = (PUSH, parent.path, index, True)
    parts = (PUSH, path_text(parent.path), parent.id, str(index))
    task = Task(run, call.node, call.name, call.input, path, PUSH_TRIGGER, parts, call.node.timeout)
    task.parent = parent
    task.call = call
    task.resuming = parent.resuming
    policy = call.node.cache_policy or run.graph.cache_policy
    if policy is not None and run.cache is not None:
        args, kwargs = call.input
        task.cache_key = _cache_key(policy, (CACHE_NS_WRITES, identity_of(call.func)), *args, **kwargs)
    return task


def handler_task(run: Run, failed: Task, node_error: Any) -> Task | None:
    """The task that handles the failure of `failed`, None if its node has no handler."""
    name = failed.node.error_handler_node
    node = run.layout.nodes.get(name) if name else None
    if name is None or node is None:
        return None
    path = (*failed.path[:3], "node_error_handler", False)
    task = Task(run, node, name, failed.input, path, PUSH_TRIGGER, (PUSH, "node_error_handler", failed.id))
    task.node_error = node_error
    return task


def _set_cache_key(run: Run, task: Task, own: CachePolicy[Any] | None, value: Any) -> None:
    if run.cache is None:
        return
    policy = own or run.graph.cache_policy
    if policy is not None and task.node.bound is not None:
        task.cache_key = _cache_key(policy, (CACHE_NS_WRITES, identity_of(task.node.bound), task.name), value)


def _cache_key(policy: CachePolicy[Any], ns: tuple[str, ...], *args: Any, **kwargs: Any) -> CacheKey:
    from hashlib import blake2b

    key = policy.key_func(*args, **kwargs)
    digest = blake2b(key.encode() if isinstance(key, str) else key, digest_size=16).hexdigest()
    return CacheKey(ns, digest, policy.ttl)


def add_note(exc: BaseException, note: str) -> None:
    """Attach a note to an exception (Python 3.11 and later; 3.10 does without)."""
    add = getattr(exc, "add_note", None)
    if add is not None and note not in getattr(exc, "__notes__", ()):
        add(note)
