"""Writing to a thread from outside, as a node would have: update, clear, copy, fork."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from zulong.stategraph._clock import now_text
from zulong.stategraph._keys import (
    CONF,
    CONFIG_KEY_CHECKPOINT_ID,
    CONFIG_KEY_CHECKPOINT_NS,
    COPY,
    END,
    INPUT,
    INTERRUPT,
    NULL_TASK_ID,
)
from zulong.stategraph.errors import InvalidUpdateError
from zulong.stategraph.pregel import _stream as stream
from zulong.stategraph.pregel._effects import Act, Load, Save
from zulong.stategraph.pregel._history import addressed_graph, own_config, state_saver, still_run
from zulong.stategraph.pregel._input import input_writes
from zulong.stategraph.pregel._plan import plan
from zulong.stategraph.pregel._run import Run
from zulong.stategraph.pregel._state import Writer
from zulong.stategraph.pregel._task import Task, path_text
from zulong.stategraph.types import RunnableConfig, StateUpdate

if TYPE_CHECKING:
    from zulong.stategraph.pregel._parts import GraphParts
    from zulong.stategraph.pregel._run import Effects


def bulk_update(
    graph: GraphParts, config: Mapping[str, Any], supersteps: Sequence[Sequence[StateUpdate]]
) -> Effects:
    """See `Pregel.bulk_update_state`."""
    saver = state_saver(graph, config)
    if not supersteps:
        raise ValueError("No supersteps provided")
    if not all(supersteps):
        raise ValueError("No updates provided")
    inner = addressed_graph(graph, config, saver, for_update=True)
    if inner is not None:
        return (yield from bulk_update(inner[0], inner[1], supersteps))
    current = {**config, CONF: {**config[CONF], "thread_id": str(config[CONF]["thread_id"])}}
    for updates in supersteps:
        current = yield from _superstep(graph, current, saver, [StateUpdate(*u) for u in updates])
    return current


def _superstep(
    graph: GraphParts, config: RunnableConfig, saver: Any, updates: Sequence[StateUpdate]
) -> Effects:
    full = own_config(graph, graph.merged(config))
    saved = yield Load("get_tuple", full)
    run = still_run(graph, full, saver, saved)
    first = updates[0]
    if first.values is None and first.as_node == END:
        _single(updates, "Cannot apply multiple updates when clearing state")
        return (yield from _clear(run, saved))
    if first.as_node == INPUT:
        _single(updates, "Cannot apply multiple updates when updating as input")
        return (yield from _as_input(run, saved, first.values))
    if first.as_node == COPY:
        _single(updates, "Cannot copy checkpoint with multiple updates")
        return (yield from _copy(graph, run, saver, saved, first.values))
    return (yield from _as_nodes(graph, run, saved, updates))


def _single(updates: Sequence[StateUpdate], message: str) -> None:
    if len(updates) > 1:
        raise InvalidUpdateError(message)


def _save(
    run: Run,
    saved: Any,
    *,
    source: str,
    step: int,
    parent: RunnableConfig | None,
    writes: Sequence[tuple[str, str, Sequence[tuple[str, Any]]]] = (),
    new_values: bool = True,
) -> Effects:
    """Put the run's state as a new checkpoint under `parent`; returns its config."""
    from zulong.stategraph.checkpoint.base.id import create_checkpoint_id

    state = run.state
    values = state.saved_values() if new_values else dict(state.values)
    changed = state.changed if new_values else set()
    after = saved.checkpoint["id"] if saved is not None else None
    checkpoint = {
        "v": 4,
        "id": create_checkpoint_id(step, after=after),
        "ts": now_text(),
        "channel_values": values,
        "channel_versions": dict(state.versions),
        "versions_seen": {node: dict(seen) for node, seen in state.seen.items()},
        "updated_channels": None,
    }
    metadata = {
        "source": source,
        "step": step,
        "parents": (saved.metadata or {}).get("parents", {}) if saved else {},
    }
    config = parent if parent is not None else run.config_for(after)
    new_versions = {c: state.versions[c] for c in changed if c in state.versions}
    if writes and saved is not None:
        calls = [("put_writes", (run.config_for(after), w, tid, path)) for tid, path, w in writes]
        yield Save(calls)
    yield Save([("put", (config, checkpoint, metadata, new_versions))], ends_step=True)
    conf = config[CONF]
    result = {
        CONF: {
            "thread_id": conf["thread_id"],
            CONFIG_KEY_CHECKPOINT_NS: conf.get(CONFIG_KEY_CHECKPOINT_NS, ""),
            CONFIG_KEY_CHECKPOINT_ID: checkpoint["id"],
        }
    }
    return stream.with_checkpoint_map(result, saved.metadata if saved is not None else None)


def _clear(run: Run, saved: Any) -> Effects:
    """Drop what the thread would run next, keeping what finished tasks wrote."""
    if saved is not None:
        tasks = plan(run, None)
        null_writes = run.pending.get(NULL_TASK_ID)
        if null_writes:
            run.state.apply([Writer(INPUT, null_writes)])
        for task in tasks:
            task.writes = stream.finished_output(run.pending.get(task.id, ()))
        run.state.apply(tasks)
    step = run.step if saved is not None else 0
    return (yield from _save(run, saved, source="update", step=step, parent=None))


def _as_input(run: Run, saved: Any, values: Any) -> Effects:
    writes = input_writes(run.graph.input_channels, values)
    if not writes:
        raise InvalidUpdateError(f"Received no input writes for {run.graph.input_channels}")
    run.state.apply([Writer(INPUT, writes)])
    step = run.step if saved is not None else -1
    return (yield from _save(run, saved, source="input", step=step, parent=None))


def _copy(graph: GraphParts, run: Run, saver: Any, saved: Any, values: Any) -> Effects:
    """A sibling of the checkpoint, with what it still has to run; then updates to it, if given."""
    if saved is None:
        raise InvalidUpdateError("Cannot copy a non-existent checkpoint")
    parent = saved.parent_config or {
        **saved.config,
        CONF: {k: v for k, v in saved.config[CONF].items() if k != CONFIG_KEY_CHECKPOINT_ID},
    }
    next_config = yield from _save(run, saved, source="fork", step=run.step, parent=parent, new_values=False)
    if not (isinstance(values, list) and values):
        return next_config
    copied = yield Load("get_tuple", next_config)
    fork = still_run(graph, next_config, saver, copied)
    waiting: dict[str, deque[str]] = defaultdict(deque)
    for task in plan(fork, None):
        waiting[task.name].append(task.id)
    updates = []
    for item in values:
        if not isinstance(item, Sequence) or isinstance(item, str) or len(item) < 2:
            raise InvalidUpdateError(f"Invalid update item: {item} when copying checkpoint")
        ids = waiting[item[1]]
        updates.append(StateUpdate(item[0], item[1], ids.popleft() if ids else None))
    updates.sort(key=lambda u: [x[1] for x in values].index(u.as_node))
    return (yield from _superstep(graph, next_config, saver, updates))


def infer_node(graph: GraphParts, run: Run) -> str | None:
    """The node that ran last, if that is certain."""
    if len(graph.nodes) == 1:
        return next(iter(graph.nodes))
    seen = {n: vs for n, vs in run.state.seen.items() if n in graph.nodes}
    if not any(vs.values() for vs in run.state.seen.values() if vs):
        channel = graph.input_channels
        return channel if isinstance(channel, str) and channel in graph.nodes else None
    last = sorted((version, name) for name, vs in seen.items() for version in vs.values())
    if last and (len(last) == 1 or last[-1][0] != last[-2][0]):
        return last[-1][1]
    return None


def _as_nodes(graph: GraphParts, run: Run, saved: Any, updates: Sequence[StateUpdate]) -> Effects:
    """Write as nodes would, each update through the writers of its node."""
    waiting: dict[str, deque[str]] = defaultdict(deque)
    if saved is not None:
        for planned in plan(run, None):
            waiting[planned.name].append(planned.id)
    tasks: list[Task] = []
    step_writes: list[tuple[str, str, Sequence[tuple[str, Any]]]] = []
    for index, (values, as_node, given_id) in enumerate(updates):
        name = as_node
        if name is None:
            if len(updates) > 1:
                raise InvalidUpdateError("as_node is required when applying multiple updates")
            name = infer_node(graph, run)
        if name is None:
            raise InvalidUpdateError("Ambiguous update, specify as_node")
        if name not in graph.nodes:
            raise InvalidUpdateError(f"Node {name} does not exist")
        node = graph.nodes[name]
        if not node.writers:
            raise InvalidUpdateError(f"Node {name} has no writers")
        task = Task(run, node, name, None, (INTERRUPT, index), (INTERRUPT,), (INTERRUPT, str(index)))
        ids = waiting[name]
        task._id = given_id or (ids.popleft() if ids else task.id)
        body = node.write_result(task, values)
        try:
            action, argument = next(body)
            while True:
                action, argument = body.send((yield Act(action, argument, task)))
        except StopIteration:
            pass
        tasks.append(task)
        step_writes.append((task.id, path_text(task.path), list(task.writes)))
    run.state.apply(tasks)
    step = run.step if saved is not None else 0
    return (yield from _save(run, saved, source="update", step=step, parent=None, writes=step_writes))
