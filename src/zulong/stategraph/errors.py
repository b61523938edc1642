"""Every error that the engine raises on purpose, with the code that names its cure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from zulong.stategraph.types import Command, Interrupt

__all__ = (
    "EmptyChannelError",
    "EmptyInputError",
    "ErrorCode",
    "GraphBubbleUp",
    "GraphDrained",
    "GraphInterrupt",
    "GraphRecursionError",
    "InvalidUpdateError",
    "NodeCancelledError",
    "NodeError",
    "NodeInterrupt",
    "NodeTimeoutError",
    "ParentCommand",
    "RunCancelledError",
    "TaskNotFound",
    "UnknownInterruptError",
    "is_invalid_resume",
)


class ErrorCode(Enum):
    """Stable names for the mistakes that people make most."""

    GRAPH_RECURSION_LIMIT = "GRAPH_RECURSION_LIMIT"
    INVALID_CONCURRENT_GRAPH_UPDATE = "INVALID_CONCURRENT_GRAPH_UPDATE"
    INVALID_GRAPH_NODE_RETURN_VALUE = "INVALID_GRAPH_NODE_RETURN_VALUE"
    MULTIPLE_SUBGRAPHS = "MULTIPLE_SUBGRAPHS"
    INVALID_CHAT_HISTORY = "INVALID_CHAT_HISTORY"


def create_error_message(*, message: str, error_code: ErrorCode) -> str:
    """The sentence with its code in brackets, so that both people and programs can tell the case."""
    return f"{message} [{error_code.value}]"


class EmptyChannelError(Exception):
    """A channel was read before anything was written to it."""


class InvalidUpdateError(Exception):
    """A channel cannot take the updates of this step, or a node returned what is not an update.

    Codes: INVALID_CONCURRENT_GRAPH_UPDATE, INVALID_GRAPH_NODE_RETURN_VALUE. Nothing of the step was applied.
    """


class EmptyInputError(Exception):
    """A run was started with neither input nor anything to resume."""


class TaskNotFound(Exception):
    """A task id names no task of the current step."""


class GraphRecursionError(RecursionError):
    """The run took `recursion_limit` steps without reaching its end. The thread can be resumed.

    Code: GRAPH_RECURSION_LIMIT.
    """


class GraphBubbleUp(Exception):
    """Control flow that passes through nodes on its way up; never an error of the node."""


class GraphDrained(GraphBubbleUp):
    """The run stopped at the end of a step because `RunControl.request_drain` asked for it."""

    def __init__(self, reason: str = "shutdown") -> None:
        self.reason = reason
        super().__init__(f"Graph drained: {reason}")


class RunCancelledError(GraphBubbleUp):
    """The run was ended by `RunControl.cancel`. What had finished is saved; the thread can be resumed."""

    def __init__(self, reason: str = "cancelled") -> None:
        self.reason = reason
        super().__init__(f"Run cancelled: {reason}")


class GraphInterrupt(GraphBubbleUp):
    """A node waits for an answer. Suppressed by the outermost graph, never shown to its caller."""

    def __init__(self, interrupts: Sequence[Interrupt[Any]] = ()) -> None:
        super().__init__(interrupts)


class NodeInterrupt(GraphInterrupt):
    """Deprecated: call `interrupt()` instead."""

    def __init__(self, value: Any, id: str | None = None) -> None:
        import warnings

        from zulong.stategraph.types import Interrupt
        from zulong.stategraph.warnings import LangGraphDeprecatedSinceV10

        warnings.warn(
            "NodeInterrupt is deprecated. Please use `langgraph.types.interrupt` instead.",
            LangGraphDeprecatedSinceV10,
            stacklevel=2,
        )
        super().__init__([Interrupt(value=value) if id is None else Interrupt(value=value, id=id)])


class ParentCommand(GraphBubbleUp):
    """Carries a `Command(graph=Command.PARENT)` from a subgraph to the graph around it."""

    args: tuple[Command[Any]]

    def __init__(self, command: Command[Any]) -> None:
        super().__init__(command)


class UnknownInterruptError(Exception):
    """In strict resume mode: the answer fits no pending interrupt. Nothing was written.

    Attributes:
        reason: "not_pending" (ids in `interrupt_ids` wait for nothing), "empty_map" (the map is empty) or
            "ambiguous" (one value, several pending interrupts).
        pending_ids: the interrupts that still wait for an answer.
    """

    reason: Literal["not_pending", "empty_map", "ambiguous"]
    interrupt_ids: tuple[str, ...]
    pending_ids: tuple[str, ...]

    def __init__(
        self,
        message: str,
        *,
        reason: Literal["not_pending", "empty_map", "ambiguous"],
        interrupt_ids: Sequence[str] = (),
        pending_ids: Sequence[str] = (),
    ) -> None:
        super().__init__(message)
        self.reason = reason
        self.interrupt_ids = tuple(interrupt_ids)
        self.pending_ids = tuple(pending_ids)


@dataclass(frozen=True, slots=True)
class NodeError:
    """What an error handler learns: the node that failed and its exception.

    A handler gets it by a parameter `error: NodeError`.
    """

    node: str
    error: BaseException


class NodeCancelledError(Exception):
    """A node raised `asyncio.CancelledError` by itself, which is a failure of the node, not a cancellation."""

    node: str

    def __init__(self, node: str, message: str | None = None) -> None:
        super().__init__(message or f"Node {node!r} raised asyncio.CancelledError")
        self.node = node


class NodeTimeoutError(Exception):
    """A node's attempt took longer than its policy allows.

    Not a `TimeoutError` (an `OSError`), so that the default `RetryPolicy` retries it.

    Attributes:
        node: name of the node.
        kind: "run" (the whole attempt) or "idle" (no progress for that long).
        timeout: the limit that was exceeded, in seconds.
        run_timeout, idle_timeout: the policy's limits in seconds, None where it has none.
        elapsed: how long the attempt had taken, in seconds.
    """

    node: str
    timeout: float
    run_timeout: float | None
    idle_timeout: float | None
    elapsed: float
    kind: Literal["idle", "run"]

    def __init__(
        self,
        node: str,
        elapsed: float,
        *,
        kind: Literal["idle", "run"],
        idle_timeout: float | None = None,
        run_timeout: float | None = None,
    ) -> None:
        limits = {"idle": idle_timeout, "run": run_timeout}
        if kind not in limits:
            raise ValueError(f"kind must be 'idle' or 'run', got {kind!r}.")
        limit = limits[kind]
        if limit is None:
            raise ValueError(f"{kind}_timeout is required when kind={kind!r}.")
        what = " without making progress" if kind == "idle" else ""
        super().__init__(
            f"Node '{node}' exceeded its {kind} timeout of {limit:.3f}s{what} (elapsed: {elapsed:.3f}s)."
        )
        self.node = node
        self.elapsed = elapsed
        self.kind = kind
        self.timeout = limit
        self.idle_timeout = idle_timeout
        self.run_timeout = run_timeout


_INVALID_RESUME = "_zulong_invalid_resume"


def mark_invalid_resume(error: BaseException) -> None:
    """Remember on `error` that it came from an answer that does not fit the interrupt's schema."""
    setattr(error, _INVALID_RESUME, True)


def is_invalid_resume(error: BaseException) -> bool:
    """Whether `error` says that the answer to an interrupt does not fit its `response_schema`."""
    return getattr(error, _INVALID_RESUME, False) is True
