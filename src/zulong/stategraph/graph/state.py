"""StateGraph: nodes that read and write one shared state."""

from __future__ import annotations

import logging
import typing
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Any, Generic

from zulong.stategraph._keys import BRANCH_PREFIX, END, NS_END, NS_SEP, ROOT, START, TAG_HIDDEN
from zulong.stategraph.channels.base import BaseChannel
from zulong.stategraph.channels.ephemeral_value import EphemeralValue
from zulong.stategraph.channels.last_value import LastValue, LastValueAfterFinish
from zulong.stategraph.channels.named_barrier_value import NamedBarrierValue, NamedBarrierValueAfterFinish
from zulong.stategraph.graph._compile import BranchSpec, destinations_of, edge_write, result_write
from zulong.stategraph.graph._schema import (
    channels_of,
    field_channel,
    first_parameter_schema,
    mapper_of,
)
from zulong.stategraph.pregel._action import Action, callable_name
from zulong.stategraph.pregel._graph import Pregel
from zulong.stategraph.pregel._node import PregelNode
from zulong.stategraph.types import (
    All,
    CachePolicy,
    Checkpointer,
    RetryPolicy,
    TimeoutPolicy,
    TracePolicy,
    ensure_valid_checkpointer,
)
from zulong.stategraph.typing import ContextT, InputT, OutputT, StateT

__all__ = ("CompiledStateGraph", "StateGraph")

logger = logging.getLogger(__name__)

DEFAULT_ERROR_HANDLER = "__default_error_handler__"


@dataclass(slots=True)
class StateNodeSpec:
    """A node as it was added."""

    action: Action
    input_schema: Any
    metadata: dict[str, Any] | None = None
    retry_policy: RetryPolicy | Sequence[RetryPolicy] | None = None
    cache_policy: CachePolicy[Any] | None = None
    is_error_handler: bool = False
    error_handler_node: str | None = None
    ends: Any = ()
    defer: bool = False
    timeout: TimeoutPolicy | None = None
    trace_policy: TracePolicy | None = None

    @property
    def runnable(self) -> Any:
        """What was added, as the engine calls it: `func` or `afunc`."""
        return self.action


@dataclass(slots=True)
class _Defaults:
    retry_policy: RetryPolicy | Sequence[RetryPolicy] | None = None
    cache_policy: CachePolicy[Any] | None = None
    error_handler: Any = None
    timeout: TimeoutPolicy | None = None


class StateGraph(Generic[StateT, ContextT, InputT, OutputT]):
    """Builds a graph whose nodes take the state and return updates of it.

    Args:
        state_schema: TypedDict, dataclass or Pydantic model; a key's `Annotated[T, reducer]` says how updates
            are folded in, a plain key takes one write a step.
        context_schema: type of what callers pass as `context`.
        input_schema, output_schema: the parts of the state that go in and come out; default all.
    """

    def __init__(
        self,
        state_schema: type[StateT],
        context_schema: type[ContextT] | None = None,
        *,
        input_schema: type[InputT] | None = None,
        output_schema: type[OutputT] | None = None,
        **deprecated: Any,
    ) -> None:
        if deprecated:
            from zulong.stategraph.pregel._deprecated import (
                LangGraphDeprecatedSinceV05,
                refuse_unknown,
                renamed,
            )

            context_schema = renamed(
                deprecated, "config_schema", "context_schema", context_schema, stacklevel=3
            )
            old = LangGraphDeprecatedSinceV05
            input_schema = renamed(
                deprecated, "input", "input_schema", input_schema, category=old, stacklevel=3
            )
            output_schema = renamed(
                deprecated, "output", "output_schema", output_schema, category=old, stacklevel=3
            )
            refuse_unknown(deprecated, "StateGraph()")
        self.nodes: dict[str, StateNodeSpec] = {}
        self.edges: set[tuple[str, str]] = set()
        self.branches: dict[str, dict[str, BranchSpec]] = {}
        self.channels: dict[str, BaseChannel[Any, Any, Any]] = {}
        self.managed: dict[str, Any] = {}
        self.schemas: dict[Any, dict[str, Any]] = {}
        self.waiting_edges: set[tuple[tuple[str, ...], str]] = set()
        self.compiled = False
        self.state_schema = state_schema
        self.input_schema: Any = input_schema or state_schema
        self.output_schema: Any = output_schema or state_schema
        self.context_schema = context_schema
        self._defaults = _Defaults()
        self._add_schema(state_schema)
        self._add_schema(self.input_schema, allow_managed=False)
        self._add_schema(self.output_schema, allow_managed=False)

    if not TYPE_CHECKING:

        def __class_getitem__(cls, params: Any) -> Any:
            """`StateGraph[State]`: what is left out is as in `__init__`."""
            given = params if isinstance(params, tuple) else (params,)
            state = given[0]
            return super().__class_getitem__((*given, *(state, None, state, state)[len(given) :]))

    def _add_schema(self, schema: Any, *, allow_managed: bool = True) -> None:
        if schema in self.schemas:
            return
        _warn_invalid_state_schema(schema)
        channels, managed = channels_of(schema)
        if managed and not allow_managed:
            raise ValueError(
                f"Invalid managed channels detected in {getattr(schema, '__name__', '')}: {', '.join(managed)}. "
                "Managed channels are not permitted in Input/Output schema."
            )
        self.schemas[schema] = {**channels, **managed}
        for key, channel in channels.items():
            known = self.channels.get(key)
            if known is None:
                self.channels[key] = channel
            elif known != channel and not isinstance(channel, LastValue):
                raise ValueError(f"Channel '{key}' already exists with a different type")
        for key, value in managed.items():
            if self.managed.setdefault(key, value) != value:
                raise ValueError(f"Managed value '{key}' already exists with a different type")

    def _warn_compiled(self, what: str) -> None:
        if self.compiled:
            logger.warning(
                "Adding %s to a graph that has already been compiled. This will not be reflected in the compiled graph.",
                what,
            )

    def set_node_defaults(
        self,
        *,
        retry_policy: RetryPolicy | Sequence[RetryPolicy] | None = None,
        cache_policy: CachePolicy[Any] | None = None,
        error_handler: Any = None,
        timeout: float | timedelta | TimeoutPolicy | None = None,
    ) -> StateGraph[StateT, ContextT, InputT, OutputT]:
        """Policies for every node that has none of its own."""
        defaults = self._defaults
        defaults.retry_policy = defaults.retry_policy if retry_policy is None else retry_policy
        defaults.cache_policy = defaults.cache_policy if cache_policy is None else cache_policy
        defaults.error_handler = defaults.error_handler if error_handler is None else error_handler
        defaults.timeout = defaults.timeout if timeout is None else TimeoutPolicy.coerce(timeout)
        return self

    def add_node(
        self,
        node: Any,
        action: Any = None,
        *,
        defer: bool = False,
        metadata: dict[str, Any] | None = None,
        input_schema: Any = None,
        retry_policy: RetryPolicy | Sequence[RetryPolicy] | None = None,
        cache_policy: CachePolicy[Any] | None = None,
        error_handler: Any = None,
        destinations: dict[str, str] | tuple[str, ...] | None = None,
        timeout: float | timedelta | TimeoutPolicy | None = None,
        trace_policy: TracePolicy | None = None,
        **deprecated: Any,
    ) -> StateGraph[StateT, ContextT, InputT, OutputT]:
        """Add a node: a function, a coroutine function, a compiled graph, or an object with `invoke`.

        Args:
            node: its name, or the function itself, whose name it then gets.
            defer: run it only once nothing else is left to run.
            metadata: shown in streams.
            input_schema: the part of the state it reads; default by the annotation of its first parameter.
            retry_policy, cache_policy, timeout: see their types.
            error_handler: runs instead of failing, once retries are used up; takes the state and an
                `error: NodeError`, returns an update or a `Command`.
            destinations: nodes that its commands may lead to, for pictures.
            trace_policy: what traces record.

        Raises:
            ValueError: the name is taken, reserved, or holds a reserved character.
        """
        if deprecated:
            from zulong.stategraph.pregel._deprecated import (
                LangGraphDeprecatedSinceV05,
                refuse_unknown,
                renamed,
            )

            old = LangGraphDeprecatedSinceV05
            retry_policy = renamed(
                deprecated, "retry", "retry_policy", retry_policy, category=old, stacklevel=3
            )
            input_schema = renamed(
                deprecated, "input", "input_schema", input_schema, category=old, stacklevel=3
            )
            refuse_unknown(deprecated, "add_node()")
        policy = TimeoutPolicy.coerce(timeout)
        if not isinstance(node, str):
            action, node = node, callable_name(node)
            if node is None:
                raise ValueError("Node name must be provided if action is not a function")
        if action is None:
            raise RuntimeError(f"Node `{node}` has no action: pass what it is to run.")
        self._warn_compiled("a node")
        self._check_name(node)
        inferred = None
        ends: Any = ()
        if not getattr(type(action), "_is_compiled_graph", False):
            inferred = first_parameter_schema(action) if input_schema is None else None
            ends = destinations_of(action)
        schema = input_schema or inferred or self.state_schema
        handler = None
        if error_handler is not None:
            handler = f"__error_handler__{node}"
            if handler in self.nodes:
                raise ValueError(f"Auto-generated error handler node `{handler}` already exists.")
            self.nodes[handler] = StateNodeSpec(Action(error_handler, handler), schema, is_error_handler=True)
        self.nodes[node] = StateNodeSpec(
            Action(action, node),
            schema,
            metadata,
            retry_policy,
            cache_policy,
            error_handler_node=handler,
            ends=ends if destinations is None else destinations,
            defer=defer,
            timeout=policy,
            trace_policy=trace_policy,
        )
        if schema is not self.state_schema:
            self._add_schema(schema)
        return self

    def _check_name(self, node: str) -> None:
        if node in self.nodes:
            raise ValueError(f"Node `{node}` already present.")
        if node in (END, START):
            raise ValueError(f"Node `{node}` is reserved.")
        for character in (NS_SEP, NS_END):
            if character in node:
                raise ValueError(
                    f"'{character}' is a reserved character and is not allowed in the node names."
                )

    def add_edge(
        self, start_key: str | list[str], end_key: str
    ) -> StateGraph[StateT, ContextT, InputT, OutputT]:
        """Run `end_key` after `start_key`; after all of them if `start_key` is a list.

        Raises:
            ValueError: the edge starts at END, ends at START, or joins nodes that are not there yet.
        """
        self._warn_compiled("an edge")
        if end_key == START:
            raise ValueError("START cannot be an end node")
        if isinstance(start_key, str):
            if start_key == END:
                raise ValueError("END cannot be a start node")
            self.edges.add((start_key, end_key))
            return self
        for start in start_key:
            if start == END:
                raise ValueError("END cannot be a start node")
            if start not in self.nodes:
                raise ValueError(f"Need to add_node `{start}` first")
        if end_key != END and end_key not in self.nodes:
            raise ValueError(f"Need to add_node `{end_key}` first")
        self.waiting_edges.add((tuple(start_key), end_key))
        return self

    def add_conditional_edges(
        self,
        source: str,
        path: Callable[..., Any] | Any,
        path_map: dict[Hashable, str] | list[str] | None = None,
    ) -> StateGraph[StateT, ContextT, InputT, OutputT]:
        """After `source` run what `path(state)` chooses: a node's name, a `Send`, or a list of them.

        Args:
            path_map: what `path` returns -> node; a list where it returns names.
        """
        self._warn_compiled("an edge")
        action = Action(path)
        name = action.name or "condition"
        branches = self.branches.setdefault(source, {})
        if name in branches:
            raise ValueError(f"Branch with name `{name}` already exists for node `{source}`")
        branches[name] = BranchSpec.from_path(action, path_map)
        if branches[name].input_schema is not None:
            self._add_schema(branches[name].input_schema)
        return self

    def add_sequence(self, nodes: Sequence[Any]) -> StateGraph[StateT, ContextT, InputT, OutputT]:
        """Add nodes, or (name, node) pairs, one after the other."""
        if len(nodes) < 1:
            raise ValueError("Sequence requires at least one node.")
        previous: str | None = None
        for item in nodes:
            name, node = item if isinstance(item, tuple) and len(item) == 2 else (_get_node_name(item), item)
            if name in self.nodes:
                raise ValueError(
                    f"Node names must be unique: node with the name '{name}' already exists. If you need to use two "
                    "different runnables/callables with the same name (for example, using `lambda`), please provide "
                    "them as tuples (name, runnable/callable)."
                )
            self.add_node(name, node)
            if previous is not None:
                self.add_edge(previous, name)
            previous = name
        return self

    def set_entry_point(self, key: str) -> StateGraph[StateT, ContextT, InputT, OutputT]:
        """The same as `add_edge(START, key)`."""
        return self.add_edge(START, key)

    def set_conditional_entry_point(
        self, path: Any, path_map: dict[Hashable, str] | list[str] | None = None
    ) -> StateGraph[StateT, ContextT, InputT, OutputT]:
        """The same as `add_conditional_edges(START, path, path_map)`."""
        return self.add_conditional_edges(START, path, path_map)

    def set_finish_point(self, key: str) -> StateGraph[StateT, ContextT, InputT, OutputT]:
        """The same as `add_edge(key, END)`."""
        return self.add_edge(key, END)

    def validate(
        self, interrupt: Sequence[str] | None = None
    ) -> StateGraph[StateT, ContextT, InputT, OutputT]:
        """Check that every edge starts and ends at a node that exists.

        Raises:
            ValueError: naming the node that does not.
        """
        joins = {(start, end) for starts, end in self.waiting_edges for start in starts}
        edges = self.edges | joins
        sources = (
            {start for start, _ in edges} | set(self.branches) | {n for n, s in self.nodes.items() if s.ends}
        )
        for source in sorted(sources):
            if source not in self.nodes and source != START:
                raise ValueError(f"Found edge starting at unknown node '{source}'")
        if START not in sources:
            raise ValueError(
                "Graph must have an entrypoint: add at least one edge from START to another node"
            )
        targets = {end for _, end in edges}
        for start, branches in self.branches.items():
            for name, branch in branches.items():
                for end in (branch.ends or {}).values():
                    if end not in self.nodes and end != END:
                        raise ValueError(f"At '{start}' node, '{name}' branch found unknown target '{end}'")
        for spec in self.nodes.values():
            targets.update(spec.ends or ())
        for target in sorted(targets):
            if target not in self.nodes and target != END:
                raise ValueError(f"Found edge ending at unknown node `{target}`")
        for name in interrupt or ():
            if name not in self.nodes:
                raise ValueError(f"Interrupt node `{name}` not found")
        self.compiled = True
        return self

    def compile(
        self,
        checkpointer: Checkpointer = None,
        *,
        cache: Any = None,
        store: Any = None,
        interrupt_before: All | list[str] | None = None,
        interrupt_after: All | list[str] | None = None,
        debug: bool = False,
        name: str | None = None,
        **deprecated: Any,
    ) -> CompiledStateGraph[StateT, ContextT, InputT, OutputT]:
        """The graph, ready to run.

        Args:
            checkpointer: keeps threads between runs; for a subgraph also True (its own lasting state) or False.
            cache, store: for cache policies, and for `runtime.store`.
            interrupt_before, interrupt_after: nodes to stop at, or "*".
            debug: print what happens.
            name: shown in traces and pictures.
        """
        if deprecated:
            deprecated.pop("transformers", None)
            from zulong.stategraph.pregel._deprecated import refuse_unknown

            refuse_unknown(deprecated, "compile()")
        checkpointer = ensure_valid_checkpointer(checkpointer)
        before, after = interrupt_before or [], interrupt_after or []
        self.validate([n for stops in (before, after) if stops != "*" for n in stops])
        specs = self._with_defaults()
        nodes, channels = _Compiler(self, specs).build()
        output_keys = [k for k, c in self.schemas[self.output_schema].items() if isinstance(c, BaseChannel)]
        output: Any = ROOT if output_keys == [ROOT] else output_keys
        shown: Any = ROOT if list(self.channels) == [ROOT] else list(self.channels)
        compiled: CompiledStateGraph[StateT, ContextT, InputT, OutputT] = CompiledStateGraph(
            builder=self,
            nodes=nodes,
            channels=channels,
            input_channels=START,
            stream_mode="updates",
            output_channels=output,
            stream_channels=shown,
            checkpointer=checkpointer,
            interrupt_before_nodes=before,
            interrupt_after_nodes=after,
            auto_validate=False,
            debug=debug,
            store=store,
            cache=cache,
            context_schema=self.context_schema,
            name=name or "LangGraph",
            allowed_types=tuple(self.schemas),
        )
        compiled._output_mapper = mapper_of(output, self.output_schema)
        compiled._state_mapper = mapper_of(shown, self.state_schema)
        compiled.validate()
        return compiled

    def _with_defaults(self) -> dict[str, StateNodeSpec]:
        """The nodes' specs with the graph's defaults where they have none of their own."""
        from dataclasses import replace

        defaults = self._defaults
        specs = dict(self.nodes)
        handler = None
        if defaults.error_handler is not None:
            handler = DEFAULT_ERROR_HANDLER
            if handler in specs:
                raise ValueError(f"Auto-generated default error handler node `{handler}` already exists.")
            specs[handler] = StateNodeSpec(
                Action(defaults.error_handler, handler), self.state_schema, is_error_handler=True
            )
        for name, spec in specs.items():
            own = not spec.is_error_handler
            specs[name] = replace(
                spec,
                retry_policy=spec.retry_policy if spec.retry_policy is not None else defaults.retry_policy,
                cache_policy=spec.cache_policy or (defaults.cache_policy if own else None),
                error_handler_node=spec.error_handler_node or (handler if own else None),
                timeout=spec.timeout or defaults.timeout,
            )
        return specs


class _Compiler:
    """Turns a builder's specs into nodes and channels of the engine."""

    def __init__(self, builder: StateGraph[Any, Any, Any, Any], specs: Mapping[str, StateNodeSpec]) -> None:
        self.builder = builder
        self.specs = specs
        self.nodes: dict[str, PregelNode] = {}
        self.channels: dict[str, Any] = {
            **builder.channels,
            **builder.managed,
            START: EphemeralValue(builder.input_schema),
        }
        self.writable = [*builder.channels, *builder.managed]

    def build(self) -> tuple[dict[str, PregelNode], dict[str, Any]]:
        """Nodes and channels."""
        builder = self.builder
        input_keys = [
            k for k, c in builder.schemas[builder.input_schema].items() if isinstance(c, BaseChannel)
        ]
        self.nodes[START] = PregelNode(
            tags=[TAG_HIDDEN], triggers=[START], channels=START, writers=[result_write(input_keys)]
        )
        for name, spec in self.specs.items():
            self._node(name, spec)
        for start, end in sorted(builder.edges):
            if end != END:
                self.nodes[start].writers.append(edge_write(f"{BRANCH_PREFIX}{end}", None, end))
            else:
                self.nodes[start].writers.append(_to_end())
        for starts, end in sorted(builder.waiting_edges):
            self._join(starts, end)
        for start, branches in builder.branches.items():
            for name, branch in branches.items():
                self._branch(start, name, branch)
        return self.nodes, self.channels

    def _node(self, name: str, spec: StateNodeSpec) -> None:
        keys = list(self.builder.schemas[spec.input_schema])
        wake = f"{BRANCH_PREFIX}{name}"
        self.channels[wake] = LastValueAfterFinish(Any) if spec.defer else EphemeralValue(Any, guard=False)
        self.nodes[name] = PregelNode(
            triggers=[wake],
            channels=ROOT if keys == [ROOT] else keys,
            mapper=mapper_of(keys, spec.input_schema),
            writers=[result_write(self.writable, spec.ends)],
            metadata=spec.metadata,
            retry_policy=spec.retry_policy,
            cache_policy=spec.cache_policy,
            is_error_handler=spec.is_error_handler,
            error_handler_node=spec.error_handler_node,
            bound=spec.action,
            timeout=spec.timeout,
            trace_policy=spec.trace_policy,
        )

    def _join(self, starts: Sequence[str], end: str) -> None:
        if end == END:
            for start in starts:
                self.nodes[start].writers.append(_to_end())
            return
        channel = f"join:{'+'.join(starts)}:{end}"
        kind = NamedBarrierValueAfterFinish if self.specs[end].defer else NamedBarrierValue
        self.channels[channel] = kind(str, set(starts))
        self.nodes[end].triggers.append(channel)
        for start in starts:
            self.nodes[start].writers.append(edge_write(channel, start, end))

    def _branch(self, start: str, name: str, branch: BranchSpec) -> None:
        builder = self.builder
        schema = branch.input_schema
        if schema is None:
            schema = self.specs[start].input_schema if start in self.specs else builder.state_schema
        keys = list(builder.schemas[schema])
        mapper = mapper_of(keys, schema)
        select: Any = ROOT if keys == [ROOT] else keys
        merge = branch.input_schema is None

        def read(task: Any, result: Any) -> Any:
            values = task.read(select, True)
            if mapper is not None:
                return mapper(values)
            if merge and isinstance(values, dict) and isinstance(result, dict):
                return {**result, **values}
            return values

        self.nodes[start].writers.append(branch.node_branch(name, read))


def _to_end() -> Any:
    from zulong.stategraph.pregel._node import Write

    return Write(lambda _: (), ((END, None),))


class CompiledStateGraph(Pregel, Generic[StateT, ContextT, InputT, OutputT]):
    """A compiled `StateGraph`; `builder` is what it was made of."""

    def __init__(self, *, builder: StateGraph[StateT, ContextT, InputT, OutputT], **kwargs: Any) -> None:
        self.builder = builder
        super().__init__(**kwargs)

    def get_input_jsonschema(self, config: Any = None) -> dict[str, Any]:
        """JSON schema of the input."""
        from zulong.stategraph.pregel._schema import state_jsonschema

        return state_jsonschema(self, self.builder.input_schema, "Input")

    def get_output_jsonschema(self, config: Any = None) -> dict[str, Any]:
        """JSON schema of the output."""
        from zulong.stategraph.pregel._schema import state_jsonschema

        return state_jsonschema(self, self.builder.output_schema, "Output")

    def _migrate_checkpoint(self, checkpoint: Any) -> None:
        super()._migrate_checkpoint(checkpoint)
        if checkpoint["v"] < 3 and checkpoint["channel_versions"]:
            from zulong.stategraph.graph._migrate import migrate_edges

            migrate_edges(self, checkpoint)


def _warn_invalid_state_schema(schema: Any) -> None:
    if isinstance(schema, type) or typing.get_args(schema):
        return
    import warnings

    warnings.warn(
        f"Invalid state_schema: {schema}. Expected a type or Annotated[type, reducer]. Please provide a valid "
        "schema to ensure correct updates.",
        stacklevel=2,
    )


def _get_node_name(node: Any) -> str:
    name = getattr(node, "__name__", None) or callable_name(node)
    if name is None:
        raise TypeError(f"Unsupported node type: {type(node)}")
    return name


_is_field_channel = field_channel
