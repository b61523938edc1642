"""Callbacks when a graph stops for an answer and when it goes on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal
from uuid import UUID

from zulong.stategraph.types import Interrupt

__all__ = (
    "GraphCallbackHandler",
    "GraphInterruptEvent",
    "GraphLifecycleEvent",
    "GraphLifecycleStatus",
    "GraphResumeEvent",
    "get_async_graph_callback_manager_for_config",
    "get_sync_graph_callback_manager_for_config",
)

GraphLifecycleStatus = Literal[
    "input", "pending", "done", "interrupt_before", "interrupt_after", "out_of_steps"
]


@dataclass(frozen=True)
class GraphInterruptEvent:
    """A run stopped for an answer, or at a breakpoint (then without interrupts)."""

    run_id: UUID | None
    status: GraphLifecycleStatus
    checkpoint_id: str
    checkpoint_ns: tuple[str, ...]
    interrupts: tuple[Interrupt[Any], ...]


@dataclass(frozen=True)
class GraphResumeEvent:
    """A run goes on from a checkpoint."""

    run_id: UUID | None
    status: GraphLifecycleStatus
    checkpoint_id: str
    checkpoint_ns: tuple[str, ...]


GraphLifecycleEvent = GraphInterruptEvent | GraphResumeEvent


class GraphCallbackHandler:
    """Override what you want to hear of, and pass instances as `config["callbacks"]`. Methods may be async."""

    raise_error = False
    run_inline = True

    def on_interrupt(self, event: GraphInterruptEvent) -> Any:
        """The run stopped."""

    def on_resume(self, event: GraphResumeEvent) -> Any:
        """The run goes on."""


class _GraphCallbackManager:
    """Tells handlers of graph events; other callback handlers are left alone."""

    def __init__(
        self,
        handlers: Sequence[Any] | None = None,
        inheritable_handlers: Sequence[Any] | None = None,
        parent_run_id: UUID | None = None,
        *,
        run_id: UUID | None = None,
        **_: Any,
    ) -> None:
        self.handlers = list(handlers or ())
        self.inheritable_handlers = list(inheritable_handlers or ())
        self.parent_run_id = parent_run_id
        self.run_id = run_id

    @classmethod
    def configure(cls, callbacks: Any = None, *, run_id: UUID | None = None) -> Any:
        """A manager for what a config holds: a handler, a list of them, or a manager with `handlers`.

        Raises:
            TypeError: it is none of these.
        """
        return cls(graph_handlers(callbacks), run_id=run_id)

    def copy(self, *, run_id: Any = ...) -> Any:
        """A copy, with another run id if given."""
        return type(self)(
            self.handlers, self.inheritable_handlers, run_id=self.run_id if run_id is ... else run_id
        )

    def on_interrupt(self, event: GraphInterruptEvent) -> None:
        """Tell all handlers."""
        for handler in self.handlers:
            _tell(handler, handler.on_interrupt, event)

    def on_resume(self, event: GraphResumeEvent) -> None:
        """Tell all handlers."""
        for handler in self.handlers:
            _tell(handler, handler.on_resume, event)


class _AsyncGraphCallbackManager(_GraphCallbackManager):
    """The same for handlers whose methods may be coroutines."""

    async def aon(self, method: str, event: GraphLifecycleEvent) -> None:
        """Tell all handlers, and wait for those that are async."""
        import inspect

        for handler in self.handlers:
            told = _tell(handler, getattr(handler, method), event)
            if inspect.isawaitable(told):
                try:
                    await told
                except Exception as exc:
                    _failed(handler, exc)


def _tell(handler: Any, method: Any, event: GraphLifecycleEvent) -> Any:
    try:
        return method(event)
    except Exception as exc:
        return _failed(handler, exc)


def _failed(handler: Any, exc: Exception) -> None:
    if getattr(handler, "raise_error", False):
        raise exc
    import logging

    logging.getLogger(__name__).warning("A graph callback failed.", exc_info=exc)


def graph_handlers(callbacks: Any) -> list[Any]:
    """The handlers in `callbacks` that listen to graph events.

    Raises:
        TypeError: `callbacks` is neither a handler, a sequence nor a manager.
    """
    if callbacks is None:
        return []
    if (
        hasattr(callbacks, "on_interrupt")
        and hasattr(callbacks, "on_resume")
        and not hasattr(callbacks, "handlers")
    ):
        return [callbacks]
    found = getattr(callbacks, "handlers", callbacks)
    if isinstance(found, (str, bytes)) or not isinstance(found, Sequence):
        raise TypeError("callbacks must be a handler, sequence, or manager")
    inherited = getattr(callbacks, "inheritable_handlers", ())
    handlers: list[Any] = []
    for handler in (*found, *inherited):
        if hasattr(handler, "on_interrupt") and handler not in handlers:
            handlers.append(handler)
    return handlers


def _events(run: Any, sent: int) -> list[tuple[str, GraphLifecycleEvent]]:
    rid = run.config.get("run_id")
    events: list[tuple[str, GraphLifecycleEvent]] = []
    for kind, status, checkpoint_id, questions in run.events[sent:]:
        where = (rid, status, checkpoint_id, run.ns_parts)
        if kind == "resume":
            events.append(("on_resume", GraphResumeEvent(*where)))
        else:
            events.append(("on_interrupt", GraphInterruptEvent(*where, questions)))
    return events


def listeners(config: Mapping[str, Any]) -> Any:
    """Something to `send` a run to whenever it may have news; None if nobody listens."""
    handlers = graph_handlers(config.get("callbacks"))
    return _Listeners(handlers) if handlers else None


class _Listeners:
    """Passes on the events of one run, each once."""

    def __init__(self, handlers: list[Any]) -> None:
        self._manager = _AsyncGraphCallbackManager(handlers)
        self._sent = 0

    def send(self, run: Any) -> None:
        """Tell the handlers what is new."""
        for method, event in self._new(run):
            getattr(self._manager, method)(event)

    async def asend(self, run: Any) -> None:
        """Asynchronous twin of `send`."""
        for method, event in self._new(run):
            await self._manager.aon(method, event)

    def _new(self, run: Any) -> list[tuple[str, GraphLifecycleEvent]]:
        events = _events(run, self._sent)
        self._sent += len(events)
        return events


def get_sync_graph_callback_manager_for_config(
    config: Mapping[str, Any], *, run_id: UUID | None = None
) -> _GraphCallbackManager:
    """The manager for a config's callbacks."""
    return _GraphCallbackManager.configure(config.get("callbacks"), run_id=run_id)  # type: ignore[no-any-return]


def get_async_graph_callback_manager_for_config(
    config: Mapping[str, Any], *, run_id: UUID | None = None
) -> _AsyncGraphCallbackManager:
    """The manager for a config's callbacks, for handlers that may be async."""
    return _AsyncGraphCallbackManager.configure(config.get("callbacks"), run_id=run_id)  # type: ignore[no-any-return]
