"""Reading a thread: its state now, at a checkpoint, and all its checkpoints."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from zulong.stategraph._keys import (
    CONF,
    CONFIG_KEY_CHECKPOINT_ID,
    CONFIG_KEY_CHECKPOINT_NS,
    CONFIG_KEY_CHECKPOINTER,
    INPUT,
    NS_END,
    NS_SEP,
    NULL_TASK_ID,
)
from zulong.stategraph.errors import InvalidUpdateError
from zulong.stategraph.pregel import _stream as stream
from zulong.stategraph.pregel._attempt import without_ids
from zulong.stategraph.pregel._effects import Load
from zulong.stategraph.pregel._load import _saver_config, fill
from zulong.stategraph.pregel._options import Options, ensure_config
from zulong.stategraph.pregel._plan import plan
from zulong.stategraph.pregel._run import Run
from zulong.stategraph.pregel._state import Writer
from zulong.stategraph.runtime import Runtime
from zulong.stategraph.types import RunnableConfig, StateSnapshot

if TYPE_CHECKING:
    from zulong.stategraph.pregel._parts import GraphParts
    from zulong.stategraph.pregel._run import Effects


def state_saver(graph: GraphParts, config: Mapping[str, Any] | None) -> Any:
    """The saver that keeps the graph's threads.

    Raises:
        ValueError: the graph has none.
    """
    saver = graph.resolve_saver(ensure_config(config)[CONF])
    if saver is None:
        raise ValueError("No checkpointer set")
    return saver


def addressed_graph(
    graph: GraphParts, config: Mapping[str, Any], saver: Any, *, for_update: bool = False
) -> tuple[Any, RunnableConfig] | None:
    """The subgraph that a config's namespace addresses, None for the graph itself.

    Raises:
        ValueError: with `for_update`, when there is no such subgraph.
    """
    conf = config.get(CONF) or {}
    ns = conf.get(CONFIG_KEY_CHECKPOINT_NS) or ""
    if not ns or CONFIG_KEY_CHECKPOINTER in conf:
        return None
    path = without_ids(ns)
    for _, subgraph in graph.get_subgraphs(namespace=path, recurse=True):
        return subgraph, {**config, CONF: {**conf, CONFIG_KEY_CHECKPOINTER: saver}}
    if for_update:
        raise ValueError(f"Subgraph {path} not found")
    return None


def own_config(graph: GraphParts, config: Mapping[str, Any]) -> RunnableConfig:
    """The config with the namespace under which this graph saves, and the thread id as text."""
    conf = dict(config.get(CONF) or {})
    ns = conf.get(CONFIG_KEY_CHECKPOINT_NS) or ""
    if graph.checkpointer is True:
        ns = NS_SEP.join(part.split(NS_END)[0] for part in ns.split(NS_SEP))
    conf[CONFIG_KEY_CHECKPOINT_NS] = ns
    if "thread_id" in conf:
        conf["thread_id"] = str(conf["thread_id"])
    return {**config, CONF: conf}


def still_run(graph: GraphParts, config: Mapping[str, Any], saver: Any, saved: Any) -> Run:
    """A run that is only looked at: the saved state with its tasks planned, nothing started."""
    options = Options()
    options.config = {**config, "recursion_limit": 2, "metadata": dict(config.get("metadata") or {})}
    options.saver = saver
    options.store = graph.store
    options.cache = None
    options.durability = "sync"
    options.runtime = Runtime(store=graph.store)
    options.sink = options.own_sink = options.custom_sink = options.messages = None
    options.output_keys = graph.stream_channels_asis
    options.stream_keys = graph.stream_channels_asis
    options.interrupt_before = options.interrupt_after = ()
    options.node_finished = None
    options.step_writer = options.cancellable = False
    options.takes_path = True
    options.volatile_output = True
    run = Run(graph, None, options, None)
    run.base_config = _saver_config(run)
    fill(run, saved)
    run.updated = None
    return run


def apply_pending(run: Run, tasks: list[Any], *, live: bool) -> None:
    """Show in the state what is already certain: writes of commands, and with `live` of finished tasks."""
    null_writes = run.pending.get(NULL_TASK_ID)
    if null_writes:
        _apply_gently(run, [Writer(INPUT, null_writes)])
    if live:
        done = []
        for task in tasks:
            output = stream.finished_output(run.pending.get(task.id, ()))
            if output:
                task.writes = output
                done.append(task)
        if done:
            _apply_gently(run, done)


def _apply_gently(run: Run, tasks: list[Any]) -> None:
    try:
        run.state.apply(tasks)
    except InvalidUpdateError:
        pass  # the step was refused and will be again; the state before it stays readable


def snapshot(
    graph: GraphParts,
    config: RunnableConfig,
    saver: Any,
    saved: Any,
    *,
    recurse: bool = False,
    live: bool = False,
) -> Effects:
    """What a checkpoint holds, as a `StateSnapshot`."""
    if saved is None:
        return StateSnapshot({}, (), config, None, None, None, (), ())
    run = still_run(graph, saved.config, saver, saved)
    tasks = plan(run, None)
    subgraphs = dict(graph.get_subgraphs())
    states: dict[str, Any] = {}
    for task in tasks:
        if task.name in subgraphs:
            where = stream.subgraph_config(run, task)
            if recurse:
                where[CONF][CONFIG_KEY_CHECKPOINTER] = saver
                states[task.id] = yield from get_state(subgraphs[task.name], where, subgraphs=True)
            else:
                states[task.id] = where
    apply_pending(run, tasks, live=live)
    described = stream.describe_tasks(tasks, run.pending, states, graph.stream_channels_asis, live=live)
    return StateSnapshot(
        run.state.read(graph.stream_channels_asis),
        tuple(t.name for t in tasks if not t.writes),
        stream.with_checkpoint_map(saved.config, saved.metadata),
        saved.metadata,
        saved.checkpoint["ts"],
        stream.with_checkpoint_map(saved.parent_config, saved.metadata),
        described,
        tuple(i for task in described for i in task.interrupts),
    )


def get_state(graph: GraphParts, config: Mapping[str, Any], *, subgraphs: bool = False) -> Effects:
    """See `Pregel.get_state`."""
    saver = state_saver(graph, config)
    inner = addressed_graph(graph, config, saver)
    if inner is not None:
        return (yield from get_state(inner[0], inner[1], subgraphs=subgraphs))
    full = own_config(graph, graph.merged(config))
    saved = yield Load("get_tuple", full)
    live = not full[CONF].get(CONFIG_KEY_CHECKPOINT_ID)
    return (yield from snapshot(graph, full, saver, saved, recurse=subgraphs, live=live))


def find_history(
    graph: GraphParts,
    config: Mapping[str, Any],
    *,
    filter: dict[str, Any] | None,
    before: RunnableConfig | None,
    limit: int | None,
) -> Effects:
    """All checkpoints of a thread, newest first, as snapshots."""
    saver = state_saver(graph, config)
    inner = addressed_graph(graph, config, saver)
    if inner is not None:
        return (yield from find_history(inner[0], inner[1], filter=filter, before=before, limit=limit))
    full = own_config(graph, graph.merged(config))
    found = yield Load("list", full, filter=filter, before=before, limit=limit)
    snapshots = []
    for saved in found:
        snapshots.append((yield from snapshot(graph, saved.config, saver, saved)))
    return snapshots
