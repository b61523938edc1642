"""A compiled graph: what applications call."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from typing import Any

from zulong.stategraph import tracing
from zulong.stategraph._keys import (
    CACHE_NS_WRITES,
    CONF,
    CONFIG_KEY_CHECKPOINTER,
    CONFIG_KEY_TASK,
    INTERRUPT,
    NS_SEP,
    TASKS,
)
from zulong.stategraph.channels.base import BaseChannel
from zulong.stategraph.channels.topic import Topic
from zulong.stategraph.errors import ErrorCode, GraphDrained, GraphRecursionError, create_error_message
from zulong.stategraph.pregel import _stream as stream
from zulong.stategraph.pregel._action import identity_of
from zulong.stategraph.pregel._layout import Layout
from zulong.stategraph.pregel._node import NodeBuilder, PregelNode
from zulong.stategraph.pregel._options import make_options, merge_configs
from zulong.stategraph.types import (
    All,
    CachePolicy,
    Checkpointer,
    Durability,
    GraphOutput,
    RetryPolicy,
    RunnableConfig,
    Send,
    StateSnapshot,
    StateUpdate,
    StreamMode,
    ensure_valid_checkpointer,
)

_EAGER = frozenset({"messages", "custom"})


class Pregel:
    """Nodes that communicate through channels, run in supersteps.

    Usually made by `StateGraph.compile()` or `@entrypoint`; the arguments are those of LangGraph's `Pregel`.
    """

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
        self._volatile: frozenset[str] | None = None
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
        if self._volatile is None:
            specs = self.layout.specs
            self._volatile = frozenset(n for n, c in specs.items() if c.cleared_each_step)
        return self._volatile

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

    def validate(self) -> Pregel:
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
                if recurse and isinstance(graph, Pregel):
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

    # -- running ----------------------------------------------------------------------------------

    def _modes(
        self, stream_mode: Any, print_mode: Any, config: Mapping[str, Any] | None, debug: bool | None
    ) -> tuple[Any, Sequence[str], set[str]]:
        if stream_mode is None:
            nested = CONFIG_KEY_TASK in ((config or {}).get(CONF) or {})
            stream_mode = "values" if nested else self.stream_mode
        if debug or self.debug:
            print_mode = ["updates", "values"]
        printed = [print_mode] if isinstance(print_mode, str) else list(print_mode)
        wanted = {stream_mode} if isinstance(stream_mode, str) else set(stream_mode)
        return stream_mode, printed, wanted | set(printed)

    def stream(
        self,
        input: Any,
        config: RunnableConfig | None = None,
        *,
        context: Any = None,
        stream_mode: StreamMode | Sequence[StreamMode] | None = None,
        print_mode: StreamMode | Sequence[StreamMode] = (),
        output_keys: str | Sequence[str] | None = None,
        interrupt_before: All | Sequence[str] | None = None,
        interrupt_after: All | Sequence[str] | None = None,
        durability: Durability | None = None,
        control: Any = None,
        subgraphs: bool = False,
        debug: bool | None = None,
        version: str = "v1",
        **deprecated: Any,
    ) -> Iterator[Any]:
        """Run the graph and yield what the stream modes show, as it happens.

        Args:
            input: the input, a `Command`, or None to go on.
            config: thread, limits and so on, see `RunnableConfig`.
            context: for nodes, as `runtime.context`.
            stream_mode: what to yield; a list yields (mode, chunk) pairs.
            print_mode: modes to print instead.
            output_keys: channels to show; default all of the state.
            interrupt_before, interrupt_after: nodes to stop at.
            durability: when steps are saved: "sync", "async" (default) or "exit".
            control: a `RunControl`, to drain or cancel the run from outside.
            subgraphs: also what subgraphs show; chunks then come with their namespace.
            version: "v2" yields dictionaries `{"type", "ns", "data"}`.

        Raises:
            GraphRecursionError: no end within `recursion_limit` steps; the thread can be resumed.
            GraphDrained, RunCancelledError: `control` asked for it; the thread can be resumed.
            InvalidUpdateError: two nodes wrote one plain key in a step, or a node returned no update.
            Exception: whatever a node raised.
        """
        from zulong.stategraph.pregel._run import Run
        from zulong.stategraph.pregel._sync import SyncDriver

        durability = self._durability(durability, deprecated)
        modes, printed, wanted = self._modes(stream_mode, print_mode, config, debug)
        options, parent = make_options(
            self,
            config,
            context=context,
            modes=tuple(wanted),
            output_keys=self.stream_channels_asis if output_keys is None else output_keys,
            interrupt_before=interrupt_before,
            interrupt_after=interrupt_after,
            durability=durability,
            control=control,
            subgraphs=subgraphs,
        )
        run = Run(self, input, options, parent)
        eager = self.stream_eager or subgraphs or not wanted.isdisjoint(_EAGER)
        driver = SyncDriver(run, eager=eager, step_timeout=self.step_timeout)
        shape = self._shaper(modes, printed, subgraphs, version)
        sink = options.own_sink
        chunks = sink.chunks if sink is not None else ()
        lifecycle = self._lifecycle(options.config)
        for _ in self._traced(run, driver.drive()):
            if lifecycle is not None:
                lifecycle.send(run)
            while chunks:
                yield from shape(chunks.popleft())
        if lifecycle is not None:
            lifecycle.send(run)
        while chunks:
            yield from shape(chunks.popleft())
        self._check_end(run)

    async def astream(
        self,
        input: Any,
        config: RunnableConfig | None = None,
        *,
        context: Any = None,
        stream_mode: StreamMode | Sequence[StreamMode] | None = None,
        print_mode: StreamMode | Sequence[StreamMode] = (),
        output_keys: str | Sequence[str] | None = None,
        interrupt_before: All | Sequence[str] | None = None,
        interrupt_after: All | Sequence[str] | None = None,
        durability: Durability | None = None,
        control: Any = None,
        subgraphs: bool = False,
        debug: bool | None = None,
        version: str = "v1",
        **deprecated: Any,
    ) -> AsyncIterator[Any]:
        """Asynchronous twin of `stream`."""
        from zulong.stategraph.pregel._async import AsyncDriver
        from zulong.stategraph.pregel._run import Run

        durability = self._durability(durability, deprecated)
        modes, printed, wanted = self._modes(stream_mode, print_mode, config, debug)
        options, parent = make_options(
            self,
            config,
            context=context,
            modes=tuple(wanted),
            output_keys=self.stream_channels_asis if output_keys is None else output_keys,
            interrupt_before=interrupt_before,
            interrupt_after=interrupt_after,
            durability=durability,
            control=control,
            subgraphs=subgraphs,
        )
        run = Run(self, input, options, parent)
        eager = self.stream_eager or subgraphs or not wanted.isdisjoint(_EAGER)
        driver = AsyncDriver(run, eager=eager, step_timeout=self.step_timeout)
        shape = self._shaper(modes, printed, subgraphs, version)
        chunks = options.own_sink.chunks if options.own_sink is not None else ()
        lifecycle = self._lifecycle(options.config)
        steps = self._atraced(run, driver.drive())
        try:
            async for _ in steps:
                if lifecycle is not None:
                    await lifecycle.asend(run)
                while chunks:
                    for part in shape(chunks.popleft()):
                        yield part
        finally:
            await steps.aclose()
        if lifecycle is not None:
            await lifecycle.asend(run)
        while chunks:
            for part in shape(chunks.popleft()):
                yield part
        self._check_end(run)

    def invoke(
        self,
        input: Any,
        config: RunnableConfig | None = None,
        *,
        context: Any = None,
        stream_mode: Any = "values",
        print_mode: Any = (),
        output_keys: str | Sequence[str] | None = None,
        interrupt_before: All | Sequence[str] | None = None,
        interrupt_after: All | Sequence[str] | None = None,
        durability: Durability | None = None,
        control: Any = None,
        version: str = "v1",
        **kwargs: Any,
    ) -> Any:
        """Run the graph and return its output; arguments and errors as for `stream`.

        The output holds `"__interrupt__"` where the run stopped for an answer. With `version="v2"` it is a
        `GraphOutput` with `.value` and `.interrupts`; with another stream mode than "values", a list of chunks.
        """
        if stream_mode == "values":
            kwargs.pop("subgraphs", None)  # the output is that of this graph
        if stream_mode != "values" or print_mode or self.debug or kwargs.get("debug"):
            return self._collect(
                list(
                    self.stream(
                        input,
                        config,
                        context=context,
                        stream_mode=stream_mode,
                        print_mode=print_mode,
                        output_keys=self.output_channels if output_keys is None else output_keys,
                        interrupt_before=interrupt_before,
                        interrupt_after=interrupt_after,
                        durability=durability,
                        control=control,
                        version=version,
                        **kwargs,
                    )
                ),
                stream_mode,
                version,
            )
        from zulong.stategraph.pregel._run import Run
        from zulong.stategraph.pregel._sync import SyncDriver

        durability = self._durability(durability, kwargs)
        options, parent = make_options(
            self,
            config,
            context=context,
            output_keys=output_keys,
            interrupt_before=interrupt_before,
            interrupt_after=interrupt_after,
            durability=durability,
            control=control,
        )
        run = Run(self, input, options, parent)
        lifecycle = self._lifecycle(options.config)
        for _ in self._traced(run, SyncDriver(run, step_timeout=self.step_timeout).drive()):
            pass
        if lifecycle is not None:
            lifecycle.send(run)
        self._check_end(run)
        return self._result(run, version)

    async def ainvoke(
        self,
        input: Any,
        config: RunnableConfig | None = None,
        *,
        context: Any = None,
        stream_mode: Any = "values",
        print_mode: Any = (),
        output_keys: str | Sequence[str] | None = None,
        interrupt_before: All | Sequence[str] | None = None,
        interrupt_after: All | Sequence[str] | None = None,
        durability: Durability | None = None,
        control: Any = None,
        version: str = "v1",
        **kwargs: Any,
    ) -> Any:
        """Asynchronous twin of `invoke`."""
        if stream_mode == "values":
            kwargs.pop("subgraphs", None)
        if stream_mode != "values" or print_mode or self.debug or kwargs.get("debug"):
            chunks = [
                chunk
                async for chunk in self.astream(
                    input,
                    config,
                    context=context,
                    stream_mode=stream_mode,
                    print_mode=print_mode,
                    output_keys=self.output_channels if output_keys is None else output_keys,
                    interrupt_before=interrupt_before,
                    interrupt_after=interrupt_after,
                    durability=durability,
                    control=control,
                    version=version,
                    **kwargs,
                )
            ]
            return self._collect(chunks, stream_mode, version)
        from zulong.stategraph.pregel._async import AsyncDriver
        from zulong.stategraph.pregel._run import Run

        durability = self._durability(durability, kwargs)
        options, parent = make_options(
            self,
            config,
            context=context,
            output_keys=output_keys,
            interrupt_before=interrupt_before,
            interrupt_after=interrupt_after,
            durability=durability,
            control=control,
        )
        run = Run(self, input, options, parent)
        lifecycle = self._lifecycle(options.config)
        async for _ in self._atraced(run, AsyncDriver(run, step_timeout=self.step_timeout).drive()):
            pass
        if lifecycle is not None:
            await lifecycle.asend(run)
        self._check_end(run)
        return self._result(run, version)

    def _traced(self, run: Any, steps: Iterator[None]) -> Iterator[None]:
        return traced(run, steps) if tracing.active() else steps

    def _atraced(self, run: Any, steps: Any) -> Any:
        return atraced(run, steps) if tracing.active() else steps

    def stream_events(
        self, input: Any, config: RunnableConfig | None = None, *, version: str = "v2", **kwargs: Any
    ) -> Iterator[dict[str, Any]]:
        """Run the graph and yield everything that happens as one stream of events; see `EventMaker`."""
        from zulong.stategraph.pregel._events import MODES, EventMaker

        for fixed in ("stream_mode", "subgraphs"):
            kwargs.pop(fixed, None)  # events are made of all of them
        maker = EventMaker(self, input, config)
        yield maker.start()
        for chunk in self.stream(input, config, stream_mode=list(MODES), subgraphs=True, **kwargs):  # type: ignore[arg-type]
            event = maker.event(chunk)
            if event is not None:
                yield event
        yield maker.end()

    async def astream_events(
        self, input: Any, config: RunnableConfig | None = None, *, version: str = "v2", **kwargs: Any
    ) -> AsyncIterator[dict[str, Any]]:
        """Asynchronous twin of `stream_events`."""
        from zulong.stategraph.pregel._events import MODES, EventMaker

        for fixed in ("stream_mode", "subgraphs"):
            kwargs.pop(fixed, None)  # events are made of all of them
        maker = EventMaker(self, input, config)
        yield maker.start()
        chunks = self.astream(input, config, stream_mode=list(MODES), subgraphs=True, **kwargs)  # type: ignore[arg-type]
        try:
            async for chunk in chunks:
                event = maker.event(chunk)
                if event is not None:
                    yield event
        finally:
            await chunks.aclose()  # type: ignore[attr-defined]
        yield maker.end()

    def batch(self, inputs: Sequence[Any], config: Any = None, **kwargs: Any) -> list[Any]:
        """Run the graph on each input, side by side; outputs in the order of the inputs."""
        from concurrent.futures import ThreadPoolExecutor

        configs = config if isinstance(config, list) else [config] * len(inputs)
        limit = next((c["max_concurrency"] for c in configs if c and c.get("max_concurrency")), None)
        with ThreadPoolExecutor(max_workers=limit or min(32, len(inputs) or 1)) as pool:
            return list(
                pool.map(
                    lambda pair: self.invoke(pair[0], pair[1], **kwargs), zip(inputs, configs, strict=True)
                )
            )

    async def abatch(self, inputs: Sequence[Any], config: Any = None, **kwargs: Any) -> list[Any]:
        """Asynchronous twin of `batch`."""
        import asyncio

        configs = config if isinstance(config, list) else [config] * len(inputs)
        return list(
            await asyncio.gather(
                *(self.ainvoke(i, c, **kwargs) for i, c in zip(inputs, configs, strict=True))
            )
        )

    def _durability(self, durability: Durability | None, deprecated: dict[str, Any]) -> Any:
        if deprecated:
            from zulong.stategraph.pregel._deprecated import take_checkpoint_during

            return take_checkpoint_during(deprecated, durability)
        return durability

    def _lifecycle(self, config: Mapping[str, Any]) -> Any:
        if not config.get("callbacks"):
            return None
        from zulong.stategraph.callbacks import listeners

        return listeners(config)

    def _shaper(self, modes: Any, printed: Sequence[str], subgraphs: bool, version: str) -> Any:
        v2 = version == "v2"
        output_mapper = self._output_mapper if v2 else None
        state_mapper = self._state_mapper if v2 else None

        def shape(chunk: stream.Chunk) -> Iterator[Any]:
            if chunk[1] in printed:
                where = f" [graph={chunk[0]}]" if subgraphs and chunk[0] else ""
                print(f"[{chunk[1]}]{where} {chunk[2]!r}")
            yield from stream.shaped(
                chunk,
                modes=modes,
                subgraphs=subgraphs,
                version=version,
                output_mapper=output_mapper,
                state_mapper=state_mapper,
            )

        return shape

    def _check_end(self, run: Any) -> None:
        if run.status == "out_of_steps":
            raise GraphRecursionError(
                create_error_message(
                    message=f"Recursion limit of {run.config['recursion_limit']} reached without hitting a stop "
                    "condition. You can increase the limit by setting the `recursion_limit` config key.",
                    error_code=ErrorCode.GRAPH_RECURSION_LIMIT,
                )
            )
        if run.status == "draining":
            raise GraphDrained(run.control.drain_reason or "shutdown")

    def _result(self, run: Any, version: str) -> Any:
        output = run.output
        if version == "v2":
            if self._output_mapper is not None and isinstance(output, dict):
                output = self._output_mapper(output)
            return GraphOutput(value=output, interrupts=tuple(run.interrupts))
        if run.interrupts:
            return (
                {**output, INTERRUPT: run.interrupts}
                if isinstance(output, dict)
                else {INTERRUPT: run.interrupts}
            )
        return output

    def _collect(self, chunks: list[Any], stream_mode: Any, version: str) -> Any:
        if stream_mode != "values":
            return chunks
        interrupts: list[Any] = []
        latest: Any = None
        for chunk in chunks:
            if version == "v2":
                latest = chunk["data"]
                interrupts.extend(chunk.get("interrupts", ()))
            else:
                latest = chunk
                if isinstance(chunk, dict) and INTERRUPT in chunk:
                    interrupts.extend(chunk[INTERRUPT])
                    latest = {k: v for k, v in chunk.items() if k != INTERRUPT}
        if version == "v2":
            return GraphOutput(value=latest, interrupts=tuple(interrupts))
        if interrupts:
            return {**latest, INTERRUPT: interrupts} if isinstance(latest, dict) else {INTERRUPT: interrupts}
        return latest

    # -- state ------------------------------------------------------------------------------------

    def _do(self, work: Any, config: Mapping[str, Any]) -> Any:
        from zulong.stategraph.pregel._history import state_saver
        from zulong.stategraph.pregel._offline import perform

        return perform(work, state_saver(self, config))

    async def _ado(self, work: Any, config: Mapping[str, Any]) -> Any:
        from zulong.stategraph.pregel._history import state_saver
        from zulong.stategraph.pregel._offline import aperform

        return await aperform(work, state_saver(self, config))

    def get_state(self, config: RunnableConfig, *, subgraphs: bool = False) -> StateSnapshot:
        """The state of the thread (or of the checkpoint) that `config` addresses.

        Args:
            subgraphs: give the states of subgraphs in the tasks, instead of configs that address them.

        Raises:
            ValueError: the graph has no checkpointer.
        """
        from zulong.stategraph.pregel._history import get_state

        return self._do(get_state(self, config, subgraphs=subgraphs), config)  # type: ignore[no-any-return]

    async def aget_state(self, config: RunnableConfig, *, subgraphs: bool = False) -> StateSnapshot:
        """Asynchronous twin of `get_state`."""
        from zulong.stategraph.pregel._history import get_state

        return await self._ado(get_state(self, config, subgraphs=subgraphs), config)  # type: ignore[no-any-return]

    def get_state_history(
        self,
        config: RunnableConfig,
        *,
        filter: dict[str, Any] | None = None,
        before: RunnableConfig | None = None,
        limit: int | None = None,
    ) -> Iterator[StateSnapshot]:
        """The thread's checkpoints, newest first; `filter` by metadata, those `before` one, at most `limit`."""
        from zulong.stategraph.pregel._history import find_history

        yield from self._do(find_history(self, config, filter=filter, before=before, limit=limit), config)

    async def aget_state_history(
        self,
        config: RunnableConfig,
        *,
        filter: dict[str, Any] | None = None,
        before: RunnableConfig | None = None,
        limit: int | None = None,
    ) -> AsyncIterator[StateSnapshot]:
        """Asynchronous twin of `get_state_history`."""
        from zulong.stategraph.pregel._history import find_history

        work = find_history(self, config, filter=filter, before=before, limit=limit)
        for found in await self._ado(work, config):
            yield found

    def update_state(
        self, config: RunnableConfig, values: Any, as_node: str | None = None, task_id: str | None = None
    ) -> RunnableConfig:
        """Write to the thread as if node `as_node` had returned `values`; returns the new checkpoint's config.

        With a `checkpoint_id` in `config` this forks: the old branch stays. `as_node` may also be
        "__input__", "__copy__", or END with None to drop what was to run next.

        Raises:
            InvalidUpdateError: the node is unknown, or cannot be told because several ran last.
        """
        return self.bulk_update_state(config, [[StateUpdate(values, as_node, task_id)]])

    async def aupdate_state(
        self, config: RunnableConfig, values: Any, as_node: str | None = None, task_id: str | None = None
    ) -> RunnableConfig:
        """Asynchronous twin of `update_state`."""
        return await self.abulk_update_state(config, [[StateUpdate(values, as_node, task_id)]])

    def bulk_update_state(
        self, config: RunnableConfig, supersteps: Sequence[Sequence[StateUpdate]]
    ) -> RunnableConfig:
        """Several steps of updates, each step's updates applied together."""
        from zulong.stategraph.pregel._update import bulk_update

        return self._do(bulk_update(self, config, supersteps), config)  # type: ignore[no-any-return]

    async def abulk_update_state(
        self, config: RunnableConfig, supersteps: Sequence[Sequence[StateUpdate]]
    ) -> RunnableConfig:
        """Asynchronous twin of `bulk_update_state`."""
        from zulong.stategraph.pregel._update import bulk_update

        return await self._ado(bulk_update(self, config, supersteps), config)  # type: ignore[no-any-return]

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


def traced(run: Any, steps: Iterator[None]) -> Iterator[None]:
    """Drive a run inside a span."""
    with tracing.run_span(run):
        yield from steps


async def atraced(run: Any, steps: Any) -> AsyncIterator[None]:
    """Asynchronous twin of `traced`."""
    with tracing.run_span(run):
        try:
            async for step in steps:
                yield step
        finally:
            await steps.aclose()


__all__ = ("Pregel",)
