"""What a compiled graph consists of: nodes, channels, and what can be told without running it."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from typing import Any

from zulong.stategraph._keys import CACHE_NS_WRITES, CONFIG_KEY_CHECKPOINTER, NS_SEP, TASKS
from zulong.stategraph.channels.base import BaseChannel
from zulong.stategraph.channels.topic import Topic
from zulong.stategraph.pregel._action import identity_of
from zulong.stategraph.pregel._layout import Layout
from zulong.stategraph.pregel._node import NodeBuilder, PregelNode
from zulong.stategraph.pregel._options import merge_configs
from zulong.stategraph.types import (
    All,
    CachePolicy,
    Checkpointer,
    RetryPolicy,
    RunnableConfig,
    Send,
    StreamMode,
    ensure_valid_checkpointer,
)


class GraphParts:
    """See the module. `Pregel` adds running to it, `ThreadAccess` what was saved."""

    _is_compiled_graph = True

    def __init__(
        self,
        *,
        nodes: Mapping[str, PregelNode | NodeBuilder],
        channels: Mapping[str, Any] | None,
        auto_validate: bool = True,
        stream_mode: StreamMode = "values",
        stream_eager: bool = False,
        output_channels: str | Sequence[str],
        stream_channels: str | Sequence[str] | None = None,
        interrupt_after_nodes: All | Sequence[str] = (),
        interrupt_before_nodes: All | Sequence[str] = (),
        input_channels: str | Sequence[str],
        step_timeout: float | None = None,
        debug: bool | None = None,
        checkpointer: Checkpointer = None,
        store: Any = None,
        cache: Any = None,
        retry_policy: RetryPolicy | Sequence[RetryPolicy] = (),
        cache_policy: CachePolicy[Any] | None = None,
        context_schema: Any = None,
        config: RunnableConfig | None = None,
        name: str = "LangGraph",
        allowed_types: Sequence[type[Any]] = (),
        **deprecated: Any,
    ) -> None:
        if deprecated:
            from zulong.stategraph.pregel._deprecated import take_config_type

            context_schema = take_config_type(deprecated, context_schema)
        self.nodes: dict[str, PregelNode] = {
            k: v.build() if isinstance(v, NodeBuilder) else v for k, v in nodes.items()
        }
        self.channels: dict[str, Any] = dict(channels or {})
        if TASKS in self.channels and not isinstance(self.channels[TASKS], Topic):
            raise ValueError(f"Channel '{TASKS}' is reserved and cannot be used in the graph.")
        self.channels[TASKS] = Topic(Send, accumulate=False)
        self.stream_mode = stream_mode
        self.stream_eager = stream_eager
        self.output_channels = output_channels
        self.stream_channels = stream_channels
        self.interrupt_after_nodes = interrupt_after_nodes
        self.interrupt_before_nodes = interrupt_before_nodes
        self.input_channels = input_channels
        self.step_timeout = step_timeout
        self.debug = bool(debug)
        self.checkpointer = ensure_valid_checkpointer(checkpointer)
        self.store = store
        self.cache = cache
        self.retry_policy: Sequence[RetryPolicy] = (
            (retry_policy,) if isinstance(retry_policy, RetryPolicy) else tuple(retry_policy)
        )
        self.cache_policy = cache_policy
        self.context_schema = context_schema
        self.config = config
        self.name = name
        self.allowed_types = tuple(allowed_types)
        self._output_mapper: Any = None
        self._state_mapper: Any = None
        self._savers: list[tuple[Any, Any]] = []
        self._layout: Layout | None = None
        if auto_validate:
            self.validate()

    # -- structure --------------------------------------------------------------------------------

    @property
    def layout(self) -> Layout:
        """The index that runs work from."""
        if self._layout is None:
            self._layout = Layout(self.nodes, self.channels)
        return self._layout

    @property
    def volatile_channels(self) -> frozenset[str]:
        """Channels that lose their value when a step does not write to them."""
        return self.layout.cleared

    @property
    def trigger_to_nodes(self) -> Mapping[str, Sequence[str]]:
        """Channel -> nodes that its change wakes."""
        return self.layout.listeners

    @property
    def stream_channels_asis(self) -> str | Sequence[str]:
        """The channels that streams show."""
        return self.stream_channels or [k for k, c in self.channels.items() if isinstance(c, BaseChannel)]

    @property
    def stream_channels_list(self) -> Sequence[str]:
        """The same, always as a list."""
        keys = self.stream_channels_asis
        return [keys] if isinstance(keys, str) else keys

    def get_name(self, suffix: str | None = None, *, name: str | None = None) -> str:
        """The graph's name, with a suffix if given."""
        return f"{name or self.name}{suffix or ''}"

    def validate(self) -> Any:
        """Check that nodes and channels fit together; returns the graph.

        Raises:
            ValueError: a name is reserved, unknown, or subscribed to by nobody; or a node that is not async has
                a time-out that does not say what to do about that.
        """
        from zulong.stategraph.pregel._validate import validate_graph

        validate_graph(self)
        self._layout = None
        return self

    def check_keys(self, keys: str | Sequence[str]) -> None:
        """Raise `ValueError` unless all `keys` are channels."""
        for key in [keys] if isinstance(keys, str) else keys:
            if key not in self.channels:
                raise ValueError(f"Key {key} not in channels")

    def copy(self, update: Mapping[str, Any] | None = None) -> Any:
        """A graph with the same parts, some replaced."""
        new = self.__class__.__new__(self.__class__)
        vars(new).update(vars(self))
        vars(new).update(update or {})
        new._savers = []
        new._layout = None
        return new

    def with_config(self, config: RunnableConfig | None = None, **kwargs: Any) -> Any:
        """The graph with `config` laid over its own."""
        return self.copy({"config": merge_configs(self.config, config, kwargs)})

    def merged(self, config: Mapping[str, Any]) -> RunnableConfig:
        """`config` laid over the graph's own."""
        return merge_configs(self.config, config) if self.config else dict(config)

    def get_subgraphs(
        self, *, namespace: str | None = None, recurse: bool = False
    ) -> Iterator[tuple[str, Any]]:
        """Subgraphs by the path of node names: all, or those that lead to `namespace`."""
        for name, node in self.nodes.items():
            if namespace is not None and namespace != name and not namespace.startswith(name + NS_SEP):
                continue
            for graph in node.subgraphs[:1]:
                if namespace is None or namespace == name:
                    yield name, graph
                    if namespace is not None:
                        return
                if recurse and isinstance(graph, GraphParts):
                    rest = None if namespace is None else namespace[len(name) + 1 :]
                    for inner, found in graph.get_subgraphs(namespace=rest, recurse=True):
                        yield f"{name}{NS_SEP}{inner}", found

    async def aget_subgraphs(
        self, *, namespace: str | None = None, recurse: bool = False
    ) -> AsyncIterator[tuple[str, Any]]:
        """Asynchronous twin of `get_subgraphs`."""
        for item in self.get_subgraphs(namespace=namespace, recurse=recurse):
            yield item

    def resolve_saver(self, conf: Mapping[str, Any]) -> Any:
        """The checkpointer for a run: the outer run's, the graph's own, or None.

        Raises:
            RuntimeError: `checkpointer=True`, which only a subgraph can have.
        """
        if self.checkpointer is False:
            return None
        if CONFIG_KEY_CHECKPOINTER in conf:
            saver = conf[CONFIG_KEY_CHECKPOINTER]
        elif self.checkpointer is True:
            raise RuntimeError("checkpointer=True cannot be used for root graphs.")
        else:
            saver = self.checkpointer
        return saver if saver is None else self._allowing(saver)

    def _allowing(self, saver: Any) -> Any:
        """The saver as one that may also save the types of this graph's schemas."""
        if not self.allowed_types or not hasattr(saver, "with_allowlist"):
            return saver
        for known, view in self._savers:
            if known is saver:
                return view
        view = saver.with_allowlist(self.allowed_types)
        if len(self._savers) > 8:
            del self._savers[0]
        self._savers.append((saver, view))
        return view

    def _migrate_checkpoint(self, checkpoint: Any) -> None:
        """Bring a checkpoint of an older layout up to date, in place."""
        if checkpoint["v"] < 4 and checkpoint.get("pending_sends"):
            checkpoint["channel_values"][TASKS] = checkpoint.pop("pending_sends")
            checkpoint["channel_versions"][TASKS] = max(checkpoint["channel_versions"].values())

    def _cache_names(self, nodes: Sequence[str] | None) -> list[tuple[str, ...]]:
        if not self.cache:
            raise ValueError("No cache is set for this graph. Cannot clear cache.")
        return [
            (CACHE_NS_WRITES, identity_of(self.nodes[n].bound), n)
            for n in (nodes or self.nodes)
            if n in self.nodes
        ]

    def clear_cache(self, nodes: Sequence[str] | None = None) -> None:
        """Forget the cached writes of `nodes`, default all."""
        self.cache.clear(self._cache_names(nodes)) if self.cache else self._cache_names(nodes)

    async def aclear_cache(self, nodes: Sequence[str] | None = None) -> None:
        """Asynchronous twin of `clear_cache`."""
        names = self._cache_names(nodes)
        await self.cache.aclear(names)

    # -- pictures and schemas ---------------------------------------------------------------------

    def get_graph(self, config: RunnableConfig | None = None, *, xray: int | bool = False) -> Any:
        """The graph as nodes and edges, to draw; `xray` opens subgraphs (to that depth)."""
        from zulong.stategraph.pregel._draw import draw_graph

        return draw_graph(self, xray=xray)

    async def aget_graph(self, config: RunnableConfig | None = None, *, xray: int | bool = False) -> Any:
        """Asynchronous twin of `get_graph`."""
        return self.get_graph(config, xray=xray)

    def get_input_schema(self, config: RunnableConfig | None = None) -> Any:
        """A Pydantic model of the input."""
        from zulong.stategraph.pregel._schema import channels_model

        return channels_model(self, self.input_channels, "Input", update=True)

    def get_output_schema(self, config: RunnableConfig | None = None) -> Any:
        """A Pydantic model of the output."""
        from zulong.stategraph.pregel._schema import channels_model

        return channels_model(self, self.output_channels, "Output", update=False)

    @property
    def input_schema(self) -> Any:
        """The same as `get_input_schema()`."""
        return self.get_input_schema()

    @property
    def output_schema(self) -> Any:
        """The same as `get_output_schema()`."""
        return self.get_output_schema()

    def get_input_jsonschema(self, config: RunnableConfig | None = None) -> dict[str, Any]:
        """JSON schema of the input."""
        from zulong.stategraph.pregel._schema import channels_jsonschema

        return channels_jsonschema(self, self.input_channels, "Input", update=True)

    def get_output_jsonschema(self, config: RunnableConfig | None = None) -> dict[str, Any]:
        """JSON schema of the output."""
        from zulong.stategraph.pregel._schema import channels_jsonschema

        return channels_jsonschema(self, self.output_channels, "Output", update=False)

    def get_context_jsonschema(self) -> dict[str, Any] | None:
        """JSON schema of the context, None without one."""
        from zulong.stategraph.pregel._schema import context_jsonschema

        return context_jsonschema(self.context_schema)

    def config_schema(self, *, include: Sequence[str] | None = None) -> Any:
        """Deprecated: a Pydantic model of the config. Use `get_context_jsonschema`."""
        from zulong.stategraph.pregel._deprecated import config_schema

        return config_schema(self, include)

    def get_config_jsonschema(self, *, include: Sequence[str] | None = None) -> dict[str, Any]:
        """Deprecated: JSON schema of the config. Use `get_context_jsonschema`."""
        from zulong.stategraph.pregel._deprecated import config_jsonschema

        return config_jsonschema(self, include)
