"""A compiled graph: what applications call."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from typing import Any

from zulong.stategraph import tracing
from zulong.stategraph._keys import CONF, CONFIG_KEY_TASK, INTERRUPT
from zulong.stategraph.errors import ErrorCode, GraphDrained, GraphRecursionError, create_error_message
from zulong.stategraph.pregel import _stream as stream
from zulong.stategraph.pregel._options import make_options
from zulong.stategraph.pregel._threads import ThreadAccess
from zulong.stategraph.types import All, Durability, GraphOutput, RunnableConfig, StreamMode

_EAGER = frozenset({"messages", "custom"})


class Pregel(ThreadAccess):
    """Nodes that communicate through channels, run in supersteps.

    Usually made by `StateGraph.compile()` or `@entrypoint`; the arguments are those of LangGraph's `Pregel`.
    """

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
