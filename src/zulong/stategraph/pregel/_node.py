"""Nodes as the engine sees them: what wakes them, what they read, what they run, where results go."""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping, Sequence
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from zulong.stategraph._keys import TASKS
from zulong.stategraph.errors import InvalidUpdateError
from zulong.stategraph.pregel._action import Action, graphs_in
from zulong.stategraph.types import CachePolicy, RetryPolicy, Send, TimeoutPolicy, TracePolicy

if TYPE_CHECKING:
    from zulong.stategraph.pregel._task import Task

Writes = Sequence[tuple[str, Any]]


class Write:
    """Turns a node's result into writes by a plain function."""

    __slots__ = ("ends", "to_writes")

    def __init__(
        self, to_writes: Callable[[Any], Writes], ends: Sequence[tuple[str, str | None]] = ()
    ) -> None:
        self.to_writes = to_writes
        self.ends = ends
        """Nodes that the writes may start, with labels; only for pictures."""


class Branch:
    """Chooses the next nodes by running a function of the node's new state.

    Args:
        path: the function.
        read: gives the state that the function sees, from the task and the node's result.
        to_writes: turns what the function returned into writes.
    """

    __slots__ = ("ends", "name", "path", "read", "to_writes")

    def __init__(
        self,
        path: Action,
        read: Callable[[Task, Any], Any],
        to_writes: Callable[[Any], Writes],
        *,
        name: str,
        ends: Sequence[tuple[str, str | None]] | None,
    ) -> None:
        self.path = path
        self.read = read
        self.to_writes = to_writes
        self.name = name
        self.ends = ends


Body = Generator[tuple[Action, Any], Any, Any]


class PregelNode:
    """One node of a compiled graph.

    Args:
        channels: the channel it reads (its input is that value) or a list of them (a dictionary).
        triggers: the channels whose change wakes it.
        mapper: makes its input from the values read.
        writers: what its result is written by, in order.
        bound: what it runs; None passes the input on.
    """

    def __init__(
        self,
        *,
        channels: str | list[str],
        triggers: Sequence[str],
        mapper: Callable[[Any], Any] | None = None,
        writers: list[Write | Branch] | None = None,
        tags: Sequence[str] | None = None,
        metadata: Mapping[str, Any] | None = None,
        trace_policy: TracePolicy | None = None,
        bound: Any = None,
        retry_policy: RetryPolicy | Sequence[RetryPolicy] | None = None,
        cache_policy: CachePolicy[Any] | None = None,
        is_error_handler: bool = False,
        error_handler_node: str | None = None,
        subgraphs: Sequence[Any] | None = None,
        timeout: float | timedelta | TimeoutPolicy | None = None,
    ) -> None:
        self.channels = channels
        self.triggers = list(triggers)
        self.mapper = mapper
        self.writers: list[Write | Branch] = writers if writers is not None else []
        self.tags = list(tags or ())
        self.metadata = dict(metadata or {})
        self.trace_policy = trace_policy
        self.bound: Action | None = bound if bound is None or isinstance(bound, Action) else Action(bound)
        self.retry_policy: Sequence[RetryPolicy] = (
            (retry_policy,) if isinstance(retry_policy, RetryPolicy) else tuple(retry_policy or ())
        )
        self.cache_policy = cache_policy
        self.is_error_handler = is_error_handler
        self.error_handler_node = error_handler_node
        self.timeout = TimeoutPolicy.coerce(timeout)
        self._subgraphs = None if subgraphs is None else list(subgraphs)

    def copy(self, update: Mapping[str, Any] | None = None) -> PregelNode:
        """A node with the same parts, some replaced."""
        own = {k: v for k, v in vars(self).items() if not k.startswith("_")}
        return PregelNode(**{**own, "subgraphs": self._subgraphs, **(update or {})})

    @property
    def subgraphs(self) -> list[Any]:
        """The graphs that the node runs: itself, or one that its function mentions."""
        if self._subgraphs is None:
            self._subgraphs = [] if self.bound is None else graphs_in(self.bound)
        return self._subgraphs

    @property
    def is_async(self) -> bool:
        """Whether all that it runs is async, so that its time-out can cancel it."""
        actions = [self.bound] if self.bound is not None else []
        return bool(actions) and all(a.afunc is not None and (a.func is None or a.graph) for a in actions)

    def body(self, task: Task) -> Body:
        """Run the node: a generator that hands out (action, argument) and takes the result."""
        value = task.input
        if self.bound is not None:
            value = yield self.bound, value
        yield from self.write_result(task, value)
        return value

    def write_result(self, task: Task, value: Any) -> Body:
        """Write a result (of the node, or given by `update_state`) as the node would have."""
        for writer in self.writers:
            if type(writer) is Write:
                task.write(writer.to_writes(value))
            else:
                chosen = yield writer.path, writer.read(task, value)  # type: ignore[union-attr]
                task.write(writer.to_writes(chosen))


def channel_write(
    channel: str, value: Any = None, *, mapper: Callable[[Any], Any] | None = None, fixed: bool
) -> Write:
    """Write the node's result (through `mapper`), or with `fixed` always `value`, to one channel."""
    if channel == TASKS:
        raise InvalidUpdateError("Cannot write to the reserved channel TASKS; return a Send instead.")
    if fixed:
        constant = ((channel, value),)
        return Write(lambda _: constant)
    if mapper is None:
        return Write(lambda result: ((channel, result),))
    return Write(lambda result: ((channel, mapper(result)),))


class ChannelWriteEntry:
    """One target of `NodeBuilder.write_to`: a channel and how its value is made."""

    __slots__ = ("channel", "fixed", "mapper", "skip_none", "value")

    def __init__(
        self,
        channel: str,
        value: Any = None,
        skip_none: bool = False,
        mapper: Callable[[Any], Any] | None = None,
        *,
        fixed: bool = False,
    ) -> None:
        if channel == TASKS:
            raise InvalidUpdateError("Cannot write to the reserved channel TASKS; return a Send instead.")
        self.channel = channel
        self.value = value
        self.skip_none = skip_none
        self.mapper = mapper
        self.fixed = fixed

    def writes(self, result: Any) -> Writes:
        """What to write for a node's result."""
        value = self.value if self.fixed else result
        if self.mapper is not None:
            value = self.mapper(value)
        if value is None and self.skip_none:
            return ()
        return ((self.channel, value),)


class NodeBuilder:
    """Builds a node of a `Pregel` graph by hand."""

    __slots__ = (
        "_actions",
        "_cache_policy",
        "_channels",
        "_metadata",
        "_retry_policy",
        "_tags",
        "_timeout",
        "_triggers",
        "_writes",
    )

    def __init__(self) -> None:
        self._channels: str | list[str] = []
        self._triggers: list[str] = []
        self._tags: list[str] = []
        self._metadata: dict[str, Any] = {}
        self._writes: list[ChannelWriteEntry | Send] = []
        self._actions: list[Action] = []
        self._retry_policy: list[RetryPolicy] = []
        self._cache_policy: CachePolicy[Any] | None = None
        self._timeout: TimeoutPolicy | None = None

    def subscribe_only(self, channel: str) -> NodeBuilder:
        """Wake on `channel` and take its value as the input."""
        if self._channels:
            raise ValueError(
                "Cannot subscribe to single channels when other channels are already subscribed to"
            )
        self._channels = channel
        self._triggers.append(channel)
        return self

    def subscribe_to(self, *channels: str, read: bool = True) -> NodeBuilder:
        """Wake on any of `channels`; with `read` their values are in the input dictionary."""
        if isinstance(self._channels, str):
            raise ValueError("Cannot subscribe to channels when subscribed to a single channel")
        if read:
            self._channels.extend(channels)
        self._triggers.extend(channels)
        return self

    def read_from(self, *channels: str) -> NodeBuilder:
        """Read `channels` as well, without waking on them."""
        if isinstance(self._channels, str):
            raise ValueError("Cannot read additional channels when subscribed to single channels")
        self._channels.extend(channels)
        return self

    def do(self, node: Any) -> NodeBuilder:
        """Run `node`; a second call runs it on the result of the first."""
        self._actions.append(Action(node))
        return self

    def write_to(self, *channels: str | ChannelWriteEntry, **kwargs: Any) -> NodeBuilder:
        """Write the result to `channels`, and to each keyword's channel its function of it, or its value."""
        self._writes.extend(ChannelWriteEntry(c) if isinstance(c, str) else c for c in channels)
        for name, value in kwargs.items():
            entry = (
                ChannelWriteEntry(name, mapper=value)
                if callable(value)
                else ChannelWriteEntry(name, value, fixed=True)
            )
            self._writes.append(entry)
        return self

    def meta(self, *tags: str, **metadata: Any) -> NodeBuilder:
        """Add tags and metadata."""
        self._tags.extend(tags)
        self._metadata.update(metadata)
        return self

    def add_retry_policies(self, *policies: RetryPolicy) -> NodeBuilder:
        """Add retry policies; the first that matches an error is used."""
        self._retry_policy.extend(policies)
        return self

    def add_cache_policy(self, policy: CachePolicy[Any]) -> NodeBuilder:
        """Set the cache policy."""
        self._cache_policy = policy
        return self

    def set_timeout(self, timeout: float | timedelta | TimeoutPolicy | None) -> NodeBuilder:
        """Set the time-out."""
        self._timeout = TimeoutPolicy.coerce(timeout)
        return self

    def build(self) -> PregelNode:
        """The node."""
        entries = tuple(self._writes)

        def to_writes(result: Any) -> Writes:
            out: list[tuple[str, Any]] = []
            for entry in entries:
                if isinstance(entry, Send):
                    out.append((TASKS, entry))
                else:
                    out.extend(entry.writes(result))
            return out

        writers: list[Write | Branch] = [Write(to_writes)]
        node = PregelNode(
            channels=self._channels,
            triggers=self._triggers,
            tags=self._tags,
            metadata=self._metadata,
            writers=writers,
            bound=self._actions[0] if self._actions else None,
            retry_policy=self._retry_policy,
            cache_policy=self._cache_policy,
            timeout=self._timeout,
        )
        return _Chained(node, self._actions[1:]) if len(self._actions) > 1 else node


class _Chained(PregelNode):
    """A node that runs several actions, each on the result of the one before."""

    def __init__(self, node: PregelNode, rest: Sequence[Action]) -> None:
        vars(self).update(vars(node))
        self.rest = tuple(rest)

    def body(self, task: Task) -> Body:
        value = task.input
        if self.bound is not None:
            value = yield self.bound, value
        for action in self.rest:
            value = yield action, value
        yield from self.write_result(task, value)
        return value
