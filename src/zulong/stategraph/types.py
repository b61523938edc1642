"""The vocabulary of graphs: what nodes return, what callers pass, what comes back."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Literal, NamedTuple, TypedDict, TypeVar, Union

from zulong.stategraph._keys import INTERRUPT, NS_SEP, ROOT

if TYPE_CHECKING:
    from datetime import timedelta

    from zulong.stategraph.checkpoint.base import BaseCheckpointSaver

__all__ = (
    "All",
    "CacheKey",
    "CachePolicy",
    "CheckpointPayload",
    "CheckpointTask",
    "Checkpointer",
    "Command",
    "Durability",
    "GraphOutput",
    "Interrupt",
    "Overwrite",
    "PregelExecutableTask",
    "PregelTask",
    "RetryPolicy",
    "RunnableConfig",
    "Send",
    "StateSnapshot",
    "StateUpdate",
    "StreamMode",
    "StreamWriter",
    "TaskPayload",
    "TaskResultPayload",
    "TimeoutPolicy",
    "TracePolicy",
    "ensure_valid_checkpointer",
    "interrupt",
    "omit_payload",
)

Durability = Literal["sync", "async", "exit"]
"""When a step is safe on disk: before the next step starts, at most one step later, or when the run ends."""

All = Literal["*"]

Checkpointer = Union[None, bool, "BaseCheckpointSaver[Any]"]
"""A subgraph's checkpointer: None inherits, True keeps its own state across calls, False has none."""

StreamMode = Literal["values", "updates", "checkpoints", "tasks", "debug", "messages", "custom"]

StreamWriter = Callable[[Any], None]

RunnableConfig = dict[str, Any]
"""Plain dictionary: `configurable` (thread_id, checkpoint_id, ...), `recursion_limit`, `max_concurrency`,
`tags`, `metadata`, `run_id`, `run_name`."""

N = TypeVar("N", bound=Hashable)
OutputT = TypeVar("OutputT")
ResponseT = TypeVar("ResponseT")
KeyFuncT = TypeVar("KeyFuncT", bound=Callable[..., Any])


class TaskPayload(TypedDict, total=False):
    """A task starts (stream mode "tasks")."""

    id: str
    name: str
    input: Any
    triggers: Sequence[str]
    metadata: dict[str, Any]


class TaskResultPayload(TypedDict):
    """A task ended (stream mode "tasks")."""

    id: str
    name: str
    error: Any
    interrupts: list[dict[str, Any]]
    result: dict[str, Any]


class CheckpointTask(TypedDict, total=False):
    """One task inside a `CheckpointPayload`."""

    id: str
    name: str
    error: Any
    result: Any
    interrupts: Sequence[dict[str, Any]]
    state: Any


class CheckpointPayload(TypedDict):
    """A checkpoint was made (stream mode "checkpoints")."""

    config: RunnableConfig | None
    metadata: Any
    values: Any
    next: list[str]
    parent_config: RunnableConfig | None
    tasks: list[CheckpointTask]


def ensure_valid_checkpointer(checkpointer: Any) -> Any:
    """Return `checkpointer` if it can be one.

    Raises:
        TypeError: it is neither None, a bool nor a saver.
    """
    if checkpointer is None or checkpointer is True or checkpointer is False:
        return checkpointer
    # Duck typing lets savers written for LangGraph in, without importing it.
    if not (hasattr(checkpointer, "get_tuple") and hasattr(checkpointer, "put")) or isinstance(
        checkpointer, type
    ):
        raise TypeError(
            "Invalid checkpointer provided. Expected an instance of `BaseCheckpointSaver`, `True`, `False`, "
            f"or `None`. Received {type(checkpointer).__name__}. Pass a proper saver (e.g., InMemorySaver)."
        )
    return checkpointer


@dataclass(frozen=True)
class GraphOutput(Generic[OutputT]):
    """What `invoke(..., version="v2")` returns.

    Attributes:
        value: the output of the graph, in its output schema.
        interrupts: what now waits for an answer; empty when the run reached its end.
    """

    value: OutputT
    interrupts: tuple[Interrupt[Any], ...] = ()

    def __getitem__(self, key: str) -> Any:
        _warn_item_access("result[key]")
        if key == INTERRUPT:
            return self.interrupts
        if isinstance(self.value, dict):
            return self.value[key]
        try:
            return getattr(self.value, key)
        except AttributeError:
            raise KeyError(key) from None

    def __contains__(self, key: object) -> bool:
        _warn_item_access("key in result")
        if key == INTERRUPT:
            return bool(self.interrupts)
        if isinstance(self.value, dict):
            return key in self.value
        return isinstance(key, str) and hasattr(self.value, key)


def _warn_item_access(how: str) -> None:
    import warnings

    from zulong.stategraph.warnings import LangGraphDeprecatedSinceV11

    warnings.warn(
        f"Accessing GraphOutput via `{how}` is deprecated. Use `result.value` to access the output value "
        "directly, or `result.interrupts` for interrupts.",
        LangGraphDeprecatedSinceV11,
        stacklevel=3,
    )


def default_retry_on(exc: Exception) -> bool:
    """Retry what may pass by itself (connections, servers' 5xx), never a programmer's mistake."""
    if isinstance(exc, ConnectionError):
        return True
    if isinstance(
        exc,
        (
            ValueError,
            TypeError,
            ArithmeticError,
            ImportError,
            LookupError,
            NameError,
            SyntaxError,
            RuntimeError,
            ReferenceError,
            StopIteration,
            StopAsyncIteration,
            OSError,
        ),
    ):
        return False
    # HTTP clients (httpx, requests, aiohttp) are recognised by shape, so that none of them is imported.
    response = getattr(exc, "response", None)
    status = getattr(response, "status_code", None)
    if isinstance(status, int):
        return 500 <= status < 600
    return type(exc).__name__ != "HTTPStatusError"


class RetryPolicy(NamedTuple):
    """How often and how patiently a failing node is tried again. Intervals in seconds."""

    initial_interval: float = 0.5
    backoff_factor: float = 2.0
    max_interval: float = 128.0
    max_attempts: int = 3
    jitter: bool = True
    retry_on: type[Exception] | Sequence[type[Exception]] | Callable[[Exception], bool] = default_retry_on


def _seconds(value: float | timedelta | None, field: str) -> float | None:
    if value is None:
        return None
    seconds = float(value) if isinstance(value, (int, float)) else value.total_seconds()
    if seconds <= 0:
        raise ValueError(f"{field} must be greater than 0")
    return seconds


@dataclass(kw_only=True, slots=True, frozen=True)
class TimeoutPolicy:
    """Limits in seconds (or timedelta) for one attempt of a node.

    Attributes:
        run_timeout: for the whole attempt, whatever it does.
        idle_timeout: for the time without progress (writes, stream chunks, subtasks, heartbeats).
        refresh_on: what counts as progress: "auto" all of these, "heartbeat" only `runtime.heartbeat()`.
        sync: what to do with a node that is not async. Python cannot end a thread, so "refuse" (the default)
            rejects such a node when the graph is compiled. "fence" runs it in a thread of its own: at the limit
            the caller gets `NodeTimeoutError` at once, `runtime.cancelled` turns true for the node, and nothing
            it does afterwards reaches the graph.
    """

    run_timeout: float | timedelta | None = None
    idle_timeout: float | timedelta | None = None
    refresh_on: Literal["auto", "heartbeat"] = "auto"
    sync: Literal["refuse", "fence"] = "refuse"

    @classmethod
    def coerce(cls, value: float | timedelta | TimeoutPolicy | None) -> TimeoutPolicy | None:
        """The policy with both limits in seconds, or None where there is no limit.

        Raises:
            ValueError: a limit is not positive, or an option is unknown.
        """
        if value is None:
            return None
        policy = value if isinstance(value, TimeoutPolicy) else cls(run_timeout=value)
        if policy.refresh_on not in ("auto", "heartbeat"):
            raise ValueError("refresh_on must be 'auto' or 'heartbeat'")
        if policy.sync not in ("refuse", "fence"):
            raise ValueError("sync must be 'refuse' or 'fence'")
        run = _seconds(policy.run_timeout, "run_timeout")
        idle = _seconds(policy.idle_timeout, "idle_timeout")
        if run is None and idle is None:
            return None
        return cls(run_timeout=run, idle_timeout=idle, refresh_on=policy.refresh_on, sync=policy.sync)


def default_cache_key(*args: Any, **kwargs: Any) -> bytes:
    """A digest of a node's input: equal for equal plain values, whatever the order of keys.

    Raises:
        TypeError: the input holds an object with no plain form; give `CachePolicy(key_func=...)`.
    """
    from zulong.stategraph._digest import stable_digest

    return stable_digest((args, kwargs))


@dataclass(kw_only=True, slots=True, frozen=True)
class CachePolicy(Generic[KeyFuncT]):
    """Reuse a node's writes for an equal input.

    Attributes:
        key_func: makes the key from the input.
        ttl: seconds until an entry is forgotten; None keeps it.
    """

    key_func: KeyFuncT = default_cache_key  # type: ignore[assignment]
    ttl: int | None = None


@dataclass(kw_only=True, slots=True, frozen=True)
class TracePolicy:
    """What a node's trace span records of its input and output."""

    process_inputs: Callable[[Any], Any] | None = None
    process_outputs: Callable[[Any], Any] | None = None


def omit_payload(_value: Any) -> dict[str, Any]:
    """For a `TracePolicy`: record nothing of the value."""
    return {}


def interrupt_id(ns: str, answered: int) -> str:
    """Identity of an interrupt: its task (by namespace) and how many answers that task already has."""
    from hashlib import blake2b

    text = f"{ns}{NS_SEP}{answered}" if answered else ns
    return blake2b(text.encode(), digest_size=16).hexdigest()


def is_interrupt_id(text: object) -> bool:
    """Whether `text` has the form of an interrupt's id: 32 hexadecimal digits."""
    return isinstance(text, str) and len(text) == 32 and all(c in "0123456789abcdef" for c in text)


_PLACEHOLDER_ID = "placeholder-id"


class Interrupt(Generic[ResponseT]):
    """A question that a node asked and that waits for an answer.

    Attributes:
        value: the question, any value that can be saved.
        id: names this call of `interrupt()` in this task; use it in `Command(resume={id: answer})`.
        response_schema: JSON schema of the answer, if the node gave one.
    """

    __slots__ = ("id", "response_schema", "value")

    def __init__(
        self,
        value: Any,
        id: str = _PLACEHOLDER_ID,
        *,
        response_schema: Any = None,
        ns: Sequence[str] | None = None,
        **_old: Any,
    ) -> None:
        self.value = value
        self.response_schema = response_schema
        if ns is not None and id == _PLACEHOLDER_ID and isinstance(ns, (list, tuple)):
            id = interrupt_id(NS_SEP.join(ns), 0)
        self.id = id

    @classmethod
    def from_ns(cls, value: Any, ns: str, *, response_schema: Any = None) -> Interrupt[Any]:
        """The first interrupt of the task whose checkpoint namespace is `ns`."""
        return cls(value=value, id=interrupt_id(ns, 0), response_schema=response_schema)

    @property
    def interrupt_id(self) -> str:
        """Deprecated name of `id`."""
        import warnings

        from zulong.stategraph.warnings import LangGraphDeprecatedSinceV10

        warnings.warn(
            "`interrupt_id` is deprecated. Use `id` instead.", LangGraphDeprecatedSinceV10, stacklevel=2
        )
        return self.id

    def as_dict(self) -> dict[str, Any]:
        """The interrupt as a plain dictionary."""
        return {"value": self.value, "id": self.id, "response_schema": self.response_schema}

    def __eq__(self, other: object) -> bool:
        if other.__class__ is not self.__class__:
            return NotImplemented
        return (
            self.value == other.value
            and self.id == other.id
            and self.response_schema == other.response_schema
        )

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"Interrupt(value={self.value!r}, id={self.id!r}, response_schema={self.response_schema!r})"


class StateUpdate(NamedTuple):
    """One update of `bulk_update_state`."""

    values: dict[str, Any] | None
    as_node: str | None = None
    task_id: str | None = None


class PregelTask(NamedTuple):
    """A task of a step as `StateSnapshot.tasks` shows it."""

    id: str
    name: str
    path: tuple[Any, ...]
    error: Any = None
    interrupts: tuple[Interrupt[Any], ...] = ()
    state: Any = None
    result: Any | None = None


class CacheKey(NamedTuple):
    """Where a task's writes are cached: namespace, key and seconds to live."""

    ns: tuple[str, ...]
    key: str
    ttl: int | None


@dataclass(frozen=True)
class PregelExecutableTask:
    """A task as LangGraph's runner sees it. The engine uses its own, lighter task; kept for its name."""

    name: str
    input: Any
    proc: Any
    writes: Any
    config: RunnableConfig
    triggers: Sequence[str]
    retry_policy: Sequence[RetryPolicy]
    cache_key: CacheKey | None
    id: str
    path: tuple[Any, ...]
    writers: Sequence[Any] = ()
    subgraphs: Sequence[Any] = ()
    timeout: TimeoutPolicy | None = None


class StateSnapshot(NamedTuple):
    """The state of a thread at a checkpoint.

    Attributes:
        values: the state.
        next: names of the tasks that are still to run, all that are pending.
        config: addresses this checkpoint.
        metadata, created_at, parent_config: of this checkpoint.
        tasks: the tasks of the next step, with errors, results and interrupts so far.
        interrupts: what waits for an answer (of an addressed checkpoint: what was asked in that step).
    """

    values: Any
    next: tuple[str, ...]
    config: RunnableConfig
    metadata: Any
    created_at: str | None
    parent_config: RunnableConfig | None
    tasks: tuple[PregelTask, ...]
    interrupts: tuple[Interrupt[Any], ...]


class Send:
    """Run `node` in the next step with `arg` as its input, whatever the state is.

    Args:
        node: name of the node.
        arg: its input.
        timeout: limits for this task alone; default the node's.
    """

    __slots__ = ("arg", "node", "timeout")

    def __init__(
        self, /, node: str, arg: Any, *, timeout: float | timedelta | TimeoutPolicy | None = None
    ) -> None:
        self.node = node
        self.arg = arg
        self.timeout = TimeoutPolicy.coerce(timeout) if timeout is not None else None

    def __hash__(self) -> int:
        return hash((self.node, self.arg, self.timeout))

    def __repr__(self) -> str:
        if self.timeout is None:
            return f"Send(node={self.node!r}, arg={self.arg!r})"
        return f"Send(node={self.node!r}, arg={self.arg!r}, timeout={self.timeout!r})"

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Send)
            and self.node == other.node
            and self.arg == other.arg
            and self.timeout == other.timeout
        )


@dataclass(kw_only=True, slots=True, frozen=True)
class Command(Generic[N]):
    """Update the state and choose what runs next, in one value.

    Args:
        graph: None for this graph, `Command.PARENT` for the one around it.
        update: the update, as a node would return it.
        resume: the answer to the pending interrupt, or a map of interrupt ids to answers.
        goto: a node's name, a `Send`, or a list of them.
    """

    graph: str | None = None
    update: Any | None = None
    resume: Any | None = None
    goto: Any = ()

    PARENT: ClassVar[Literal["__parent__"]] = "__parent__"

    def __repr__(self) -> str:
        shown = ", ".join(f"{f.name}={v!r}" for f in fields(self) if (v := getattr(self, f.name)))
        return f"Command({shown})"

    def _update_as_tuples(self) -> Sequence[tuple[str, Any]]:
        return update_as_tuples(self.update)


def update_as_tuples(update: Any) -> Sequence[tuple[str, Any]]:
    """An update as (key, value) pairs; a value that has no keys is written to the root."""
    if update is None:
        return []
    if isinstance(update, dict):
        return list(update.items())
    if isinstance(update, (list, tuple)) and all(
        isinstance(t, tuple) and len(t) == 2 and isinstance(t[0], str) for t in update
    ):
        return update
    from zulong.stategraph._fields import annotated_keys, object_update

    keys = annotated_keys(type(update))
    return object_update(update, keys) if keys else [(ROOT, update)]


def interrupt(value: Any, *, response_schema: Any = None) -> Any:
    """Ask `value` of whoever runs the graph and return the answer.

    The first time the node stops here and the run ends with the interrupt; `Command(resume=answer)` runs the
    node again from its top, and this call returns the answer. Several calls in one node are matched to their
    answers by order. Needs a checkpointer.

    Args:
        value: the question; it must be a value that can be saved.
        response_schema: a JSON schema (only shown to the caller), or a Pydantic model, TypedDict or dataclass,
            by which the answer is also validated.

    Raises:
        GraphInterrupt: there is no answer yet.
        pydantic.ValidationError: the answer does not fit; nothing is saved, so it can be answered again.
    """
    from zulong.stategraph.pregel._interrupt import ask

    return ask(value, response_schema)


@dataclass(slots=True)
class Overwrite:
    """Write `value` itself to a channel that has a reducer. At most one a channel and step."""

    value: Any
    type: Literal["__overwrite__"] = "__overwrite__"


StreamPart = Mapping[str, Any]
ValuesStreamPart = UpdatesStreamPart = MessagesStreamPart = CustomStreamPart = StreamPart
CheckpointStreamPart = TasksStreamPart = DebugStreamPart = DebugPayload = StreamPart
