"""What a node is given besides its state: context, store, stream writer, and who it is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Generic, cast

from zulong.stategraph.types import StreamWriter
from zulong.stategraph.typing import ContextT

if TYPE_CHECKING:
    from zulong.stategraph.store.base import BaseStore

__all__ = (
    "DEFAULT_RUNTIME",
    "BaseUser",
    "ExecutionInfo",
    "RunControl",
    "Runtime",
    "ServerInfo",
    "get_runtime",
)

BaseUser = Any
"""The authenticated user: any object with an `identity`."""


@dataclass(frozen=True, slots=True)
class ExecutionInfo:
    """Who is running. `(thread_id, task_id)` makes an idempotency key: it is the same for every attempt and
    every resume of one task, and of no other task.

    Attributes:
        checkpoint_id: the checkpoint that the step started from.
        checkpoint_ns: namespace of the task's subgraphs.
        task_id: the task.
        thread_id: the thread, None without a checkpointer.
        run_id: from the config's `run_id`.
        node_attempt: 1 for the first attempt.
        node_first_attempt_time: when that started, in seconds since 1970 (wall clock).
    """

    checkpoint_id: str
    checkpoint_ns: str
    task_id: str
    thread_id: str | None = None
    run_id: str | None = None
    node_attempt: int = 1
    node_first_attempt_time: float | None = None

    def patch(self, **overrides: Any) -> ExecutionInfo:
        """A copy with some fields replaced."""
        return replace(self, **overrides)


@dataclass(frozen=True, slots=True)
class ServerInfo:
    """Which assistant and user a server runs the graph for; None outside a server."""

    assistant_id: str
    graph_id: str
    user: Any = None


class RunControl:
    """Stops one run from outside; safe to use from any thread. Both requests are latches: use a new one per run.

    `request_drain` lets the step that runs end, then stops. `cancel` answers the caller at once: nodes that
    still run are fenced, so that nothing they do afterwards reaches the graph. Both leave a thread that can
    be resumed.
    """

    __slots__ = ("_cancel_reason", "_drain_reason", "_listeners")

    def __init__(self) -> None:
        self._drain_reason: str | None = None
        self._cancel_reason: str | None = None
        self._listeners: list[Callable[[], None]] = []

    def request_drain(self, reason: str = "shutdown") -> None:
        """Stop at the end of the current step; the run raises `GraphDrained`."""
        self._drain_reason = reason

    def cancel(self, reason: str = "cancelled") -> None:
        """Stop now; the run raises `RunCancelledError`. Calling it again changes nothing."""
        if self._cancel_reason is None:
            self._cancel_reason = reason
        for wake in tuple(self._listeners):
            wake()

    def subscribe(self, wake: Callable[[], None]) -> Callable[[], None]:
        """Call `wake` when the run is cancelled (from the cancelling thread); returns how to unsubscribe."""
        self._listeners.append(wake)
        if self._cancel_reason is not None:
            wake()

        def unsubscribe() -> None:
            if wake in self._listeners:
                self._listeners.remove(wake)

        return unsubscribe

    @property
    def drain_requested(self) -> bool:
        """Whether `request_drain` was called."""
        return self._drain_reason is not None

    @property
    def drain_reason(self) -> str | None:
        """The reason given to `request_drain`."""
        return self._drain_reason

    @property
    def cancel_requested(self) -> bool:
        """Whether `cancel` was called."""
        return self._cancel_reason is not None

    @property
    def cancel_reason(self) -> str | None:
        """The reason given to `cancel`."""
        return self._cancel_reason


def _no_op_stream_writer(_: Any) -> None: ...


def _no_op_heartbeat() -> None: ...


def _never() -> bool:
    return False


@dataclass(kw_only=True, slots=True, frozen=True)
class Runtime(Generic[ContextT]):
    """Injected into a node that has a parameter named `runtime`.

    Attributes:
        context: what the caller passed as `context`: user id, connections, ...
        store: the long-term store, if the graph has one.
        stream_writer: sends a value to the stream mode "custom".
        heartbeat: tells an idle time-out that the node makes progress.
        previous: what the thread's last run returned (functional API).
        execution_info: who is running.
        server_info: on a server, for whom.
        control: stops the run.
        is_cancelled: says whether this attempt was fenced; long sync nodes should ask it (`cancelled`).
    """

    context: ContextT = field(default=None)  # type: ignore[assignment]
    store: BaseStore | None = field(default=None)
    stream_writer: StreamWriter = field(default=_no_op_stream_writer)
    heartbeat: Callable[[], None] = field(default=_no_op_heartbeat)
    previous: Any = field(default=None)
    execution_info: ExecutionInfo | None = field(default=None)
    server_info: ServerInfo | None = field(default=None)
    control: RunControl | None = field(default=None)
    is_cancelled: Callable[[], bool] = field(default=_never, compare=False, repr=False)

    def merge(self, other: Runtime[ContextT]) -> Runtime[ContextT]:
        """This runtime with whatever `other` has set."""
        return Runtime(
            context=other.context or self.context,
            store=other.store or self.store,
            stream_writer=self.stream_writer
            if other.stream_writer is _no_op_stream_writer
            else other.stream_writer,
            heartbeat=self.heartbeat if other.heartbeat is _no_op_heartbeat else other.heartbeat,
            previous=self.previous if other.previous is None else other.previous,
            execution_info=other.execution_info or self.execution_info,
            server_info=other.server_info or self.server_info,
            control=other.control or self.control,
            is_cancelled=self.is_cancelled if other.is_cancelled is _never else other.is_cancelled,
        )

    def override(self, **overrides: Any) -> Runtime[ContextT]:
        """A copy with some fields replaced."""
        return replace(self, **overrides)

    def patch_execution_info(self, **overrides: Any) -> Runtime[ContextT]:
        """A copy with some fields of `execution_info` replaced.

        Raises:
            RuntimeError: there is no execution info, because no node is running.
        """
        if self.execution_info is None:
            raise RuntimeError("Cannot patch execution_info before it has been set")
        return replace(self, execution_info=self.execution_info.patch(**overrides))

    @property
    def cancelled(self) -> bool:
        """Whether this attempt no longer counts: it timed out, or its run was cancelled."""
        return self.is_cancelled()

    @property
    def drain_requested(self) -> bool:
        """Whether the run was asked to stop at the end of the step."""
        return self.control is not None and self.control.drain_requested

    @property
    def drain_reason(self) -> str | None:
        """Why it was asked to stop."""
        return self.control.drain_reason if self.control is not None else None


DEFAULT_RUNTIME: Runtime[Any] = Runtime()


def get_runtime(context_schema: type[ContextT] | None = None) -> Runtime[ContextT]:
    """The runtime of the node that is running.

    Raises:
        RuntimeError: no node is running in this context.
    """
    from zulong.stategraph._context import CURRENT_TASK

    task = CURRENT_TASK.get()
    if task is None:
        raise RuntimeError("Called get_runtime outside of a runnable context: no node is running here.")
    return cast("Runtime[ContextT]", task.runtime)
