"""How one run is to go: the caller's config and arguments, those of the graph, and what an outer run passes on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from zulong.stategraph._context import CURRENT_TASK
from zulong.stategraph._keys import (
    CHECKPOINT_COORDINATES,
    CONF,
    CONFIG_KEY_CACHE,
    CONFIG_KEY_CHECKPOINT_ID,
    CONFIG_KEY_CHECKPOINT_NS,
    CONFIG_KEY_CHECKPOINTER,
    CONFIG_KEY_DURABILITY,
    CONFIG_KEY_NODE_FINISHED,
    CONFIG_KEY_RUNTIME,
    CONFIG_KEY_STREAM,
    CONFIG_KEY_TASK,
    NS_END,
    NS_SEP,
)
from zulong.stategraph.pregel._messages import MessageStream
from zulong.stategraph.pregel._stream import Sink, Tee
from zulong.stategraph.runtime import RunControl, Runtime, ServerInfo
from zulong.stategraph.types import RunnableConfig

if TYPE_CHECKING:
    from zulong.stategraph.pregel._parts import GraphParts
    from zulong.stategraph.pregel._task import Task

DEFAULT_RECURSION_LIMIT = 10007

_CONFIG_KEYS = frozenset(
    {"tags", "metadata", "callbacks", "run_name", "max_concurrency", "recursion_limit", CONF, "run_id"}
)
_TO_METADATA = (
    "thread_id",
    "checkpoint_id",
    "checkpoint_ns",
    "task_id",
    "run_id",
    "assistant_id",
    "graph_id",
)


def _given(value: Any) -> bool:
    return len(value) > 0 if isinstance(value, (list, tuple, dict)) else value is not None


def merge_configs(*configs: Mapping[str, Any] | None) -> RunnableConfig:
    """Configs laid over each other: dictionaries merge, tags add up, later values win."""
    merged: RunnableConfig = {}
    for config in configs:
        for key, value in (config or {}).items():
            if not _given(value):
                continue
            if key in (CONF, "metadata"):
                merged[key] = {**merged.get(key, {}), **value}
            elif key == "tags":
                merged[key] = [*merged.get(key, ()), *(t for t in value if t not in merged.get(key, ()))]
            elif key == "callbacks" and isinstance(value, list) and isinstance(merged.get(key), list):
                merged[key] = [*merged[key], *(c for c in value if c not in merged[key])]
            elif key in _CONFIG_KEYS:
                merged[key] = value
            else:  # unknown keys are taken for configurable ones
                merged[CONF] = {**merged.get(CONF, {}), key: value}
    return merged


def ensure_config(*configs: Mapping[str, Any] | None) -> RunnableConfig:
    """A complete config; inside a node what it says is added to the node's own.

    A caller that names a thread or checkpoint of its own leaves the node's run: only tags and metadata stay.
    """
    task: Task | None = CURRENT_TASK.get()
    outer: RunnableConfig | None = None
    if task is not None:
        outer = task.config
        for config in configs:
            conf = (config or {}).get(CONF) or {}
            if CONFIG_KEY_TASK not in conf and any(_given(conf.get(k)) for k in CHECKPOINT_COORDINATES):
                outer = {k: v for k, v in outer.items() if k != CONF}
                break
    merged = merge_configs(outer, *configs)
    merged.setdefault("recursion_limit", DEFAULT_RECURSION_LIMIT)
    conf = merged.setdefault(CONF, {})
    metadata = merged.setdefault("metadata", {})
    for key in _TO_METADATA:
        if conf.get(key) and key not in metadata:
            metadata[key] = conf[key]
    return merged


def coerce_context(schema: Any, context: Any) -> Any:
    """The context in its schema, where the caller gave a dictionary."""
    made = hasattr(schema, "model_validate") or hasattr(schema, "__dataclass_fields__")
    if made and isinstance(context, dict) and isinstance(schema, type):
        return schema(**context)
    return context


def _server_info(conf: Mapping[str, Any]) -> ServerInfo | None:
    user = conf.get("langgraph_auth_user")
    if user is not None and not hasattr(user, "identity"):
        user = None
    assistant, graph = conf.get("assistant_id"), conf.get("graph_id")
    if assistant is None and graph is None and user is None:
        return None
    return ServerInfo(str(assistant) if assistant else "", str(graph) if graph else "", user)


class Options:
    """See the module.

    Attributes:
        step_writer: whether the saver takes a step's writes and checkpoint in one call.
        takes_path: whether its `put_writes` takes a task's path.
        cancellable: whether a cancellation from outside must end even a single task at once.
        own_sink: what this run's own caller streams; `sink` also feeds the graph around it.
        volatile_output: whether the output may vanish when a step does not write it.
    """

    __slots__ = (
        "cache",
        "cancellable",
        "config",
        "custom_sink",
        "durability",
        "interrupt_after",
        "interrupt_before",
        "messages",
        "node_finished",
        "output_keys",
        "own_sink",
        "runtime",
        "saver",
        "sink",
        "step_writer",
        "store",
        "stream_keys",
        "takes_path",
        "volatile_output",
    )

    cache: Any
    cancellable: bool
    config: RunnableConfig
    custom_sink: Any
    durability: str
    interrupt_after: Any
    interrupt_before: Any
    messages: MessageStream | None
    node_finished: Any
    output_keys: str | Sequence[str]
    own_sink: Sink | None
    runtime: Runtime[Any]
    saver: Any
    sink: Any
    step_writer: bool
    store: Any
    stream_keys: str | Sequence[str]
    takes_path: bool
    volatile_output: bool


def can_put_step(saver: Any, prefix: str = "") -> bool:
    """Whether the saver's `put_step` still speaks for it: a subclass that overrides `put` or `put_writes` below
    it must see those called. `prefix` "a" asks for the asynchronous twins."""
    order = type(saver).__mro__

    def depth(name: str) -> int:
        return next((i for i, cls in enumerate(order) if prefix + name in cls.__dict__), len(order))

    step = depth("put_step")
    return step < len(order) and step <= min(depth("put"), depth("put_writes"))


_TAKES_PATH: dict[type[Any], bool] = {}


def takes_task_path(saver_type: type[Any]) -> bool:
    """Whether the saver's `put_writes` knows the argument `task_path`, which older savers do not."""
    known = _TAKES_PATH.get(saver_type)
    if known is None:
        from inspect import signature

        try:
            methods = (saver_type.put_writes, saver_type.aput_writes)
            known = all("task_path" in signature(method).parameters for method in methods)
        except (AttributeError, TypeError, ValueError):
            known = True
        _TAKES_PATH[saver_type] = known
    return known


def make_options(
    graph: GraphParts,
    config: Mapping[str, Any] | None,
    *,
    context: Any = None,
    modes: Sequence[str] = (),
    output_keys: str | Sequence[str] | None = None,
    interrupt_before: Any = None,
    interrupt_after: Any = None,
    durability: Any = None,
    control: RunControl | None = None,
    subgraphs: bool = False,
) -> tuple[Options, Task | None]:
    """Options for a run of `graph`, and the task it is nested in, if any.

    Raises:
        ValueError: the recursion limit is below 1, a key is unknown, or a checkpointer has no thread to save to.
    """
    options = Options()
    options.config = full = ensure_config(graph.config, config)
    if full["recursion_limit"] < 1:
        raise ValueError("recursion_limit must be at least 1")
    conf: dict[str, Any] = full[CONF]
    parent: Task | None = conf.get(CONFIG_KEY_TASK)
    options.saver = graph.resolve_saver(conf)
    _place(graph, conf, parent)
    if options.saver is not None and conf.get("thread_id") is None:
        raise ValueError(
            "Checkpointer requires one or more of the following 'configurable' keys: thread_id, checkpoint_ns, "
            "checkpoint_id. Pass config={'configurable': {'thread_id': ...}}."
        )
    if output_keys is None:
        options.output_keys = graph.output_channels
    else:
        graph.check_keys(output_keys)
        options.output_keys = output_keys
    options.stream_keys = graph.stream_channels_asis
    options.interrupt_before = interrupt_before or graph.interrupt_before_nodes
    options.interrupt_after = interrupt_after or graph.interrupt_after_nodes
    if durability is not None:
        conf[CONFIG_KEY_DURABILITY] = durability
    options.durability = conf.get(CONFIG_KEY_DURABILITY) or "async"
    if options.durability not in ("sync", "async", "exit"):
        raise ValueError(f"durability must be 'sync', 'async' or 'exit', got {options.durability!r}")
    saver = options.saver
    options.takes_path = saver is None or takes_task_path(type(saver))
    both = saver is not None and can_put_step(saver) and can_put_step(saver, "a")
    options.step_writer = both and options.takes_path
    # Only a control that the caller holds can cancel; then even a single task runs beside the caller.
    options.cancellable = control is not None
    options.node_finished = conf.get(CONFIG_KEY_NODE_FINISHED)
    options.cache = conf[CONFIG_KEY_CACHE] if conf.get(CONFIG_KEY_CACHE) is not None else graph.cache
    if options.cache is not None:
        conf[CONFIG_KEY_CACHE] = options.cache
    keys = options.output_keys
    volatile = graph.volatile_channels
    options.volatile_output = keys in volatile if isinstance(keys, str) else not volatile.isdisjoint(keys)
    _set_runtime(options, graph, conf, context, control)
    _set_sinks(options, conf, modes, subgraphs)
    return options, parent


def _place(graph: GraphParts, conf: dict[str, Any], parent: Task | None) -> None:
    """Find the run's checkpoint namespace."""
    if parent is None:
        if conf.get(CONFIG_KEY_CHECKPOINT_NS):  # an outermost graph has none
            conf[CONFIG_KEY_CHECKPOINT_NS] = ""
            conf[CONFIG_KEY_CHECKPOINT_ID] = None
        return
    ns = conf.get(CONFIG_KEY_CHECKPOINT_NS) or ""
    if graph.checkpointer is True:
        # Its own lasting state: the namespace must not depend on the task.
        ns = NS_SEP.join(part.split(NS_END)[0] for part in ns.split(NS_SEP))
    nth = parent.next_subgraph()
    conf[CONFIG_KEY_CHECKPOINT_NS] = f"{ns}{NS_SEP}{nth}" if nth else ns


def _set_runtime(
    options: Options, graph: GraphParts, conf: dict[str, Any], context: Any, control: RunControl | None
) -> None:
    given = conf.get(CONFIG_KEY_RUNTIME)
    if isinstance(given, Runtime):
        outer, store = given, given.store
    else:
        outer = Runtime(context=getattr(given, "context", None))
        store = getattr(given, "store", None) or graph.store
    options.store = store
    context = coerce_context(graph.context_schema, context)
    options.runtime = Runtime(
        context=context or outer.context,
        store=store,
        stream_writer=outer.stream_writer,
        heartbeat=outer.heartbeat,
        previous=outer.previous,
        server_info=_server_info(conf) or outer.server_info,
        control=control or outer.control or RunControl(),
    )
    conf[CONFIG_KEY_RUNTIME] = options.runtime


def _set_sinks(options: Options, conf: dict[str, Any], modes: Sequence[str], subgraphs: bool) -> None:
    outer = conf.get(CONFIG_KEY_STREAM)
    own = Sink(modes) if modes else None
    options.own_sink = own
    options.sink = own if outer is None else outer if own is None else Tee(own, outer)
    if subgraphs:
        conf[CONFIG_KEY_STREAM] = options.sink
    options.custom_sink = own if own is not None and "custom" in own.modes else None
    inherited = conf.get("__pregel_messages")
    if own is not None and "messages" in own.modes:
        ns = conf.get(CONFIG_KEY_CHECKPOINT_NS) or ""
        options.messages = MessageStream(own, subgraphs, tuple(ns.split(NS_SEP)) if ns else ())
        conf["__pregel_messages"] = options.messages
    else:
        options.messages = inherited


__all__ = ("CONFIG_KEY_CHECKPOINTER", "Options", "ensure_config", "make_options", "merge_configs")
