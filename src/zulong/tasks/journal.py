"""The history of a task graph: commands recorded as events, all or nothing, told to listeners, taken back."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Protocol

from zulong.tasks import events as ev
from zulong.tasks.errors import ArchivedError, NothingToUndoError, SerializationError
from zulong.tasks.events import Change, TaskEvent
from zulong.tasks.fold import Fold

logger = logging.getLogger(__name__)

Listener = Callable[[Change], None]


class MirrorListener(Protocol):
    """Whoever keeps a copy of the graph elsewhere (the memory adapter, a view)."""

    def on_change(self, change: Change) -> None:
        """Take one change; called in order, after the command that made it has been accepted."""


class Journal:
    """Applies events to a fold and keeps them; the only place where the state of a graph changes.

    Attributes:
        fold: the state that the events have made.
        events: the history, oldest first; it only grows.
    """

    def __init__(self, clock: Callable[[], float]) -> None:
        self.fold = Fold()
        self.events: list[TaskEvent] = []
        self.clock = clock
        self._listeners: list[Listener] = []
        self._fresh: list[Change] = []
        self._undoable: list[int] = []
        self._command = 0
        self._nesting = 0

    @contextmanager
    def command(self, *, undoes: int = 0) -> Iterator[None]:
        """Make several changes one command: all or nothing, undone together, told to listeners at its end.

        Raises:
            ArchivedError: the graph takes no more changes.
        """
        start, fresh = len(self.events), len(self._fresh)
        outermost = self._nesting == 0
        if outermost:
            if self.fold.archived is not None and not undoes:
                raise ArchivedError("This task graph is archived; undo the archiving or start a new graph.")
            self._command += 1
        self._nesting += 1
        try:
            yield
        except BaseException:
            self._revert(start, fresh)
            raise
        finally:
            self._nesting -= 1
        if outermost:
            if len(self.events) > start and not undoes:
                self._undoable.append(self._command)
            self._publish()

    def emit(self, kind: str, data: dict[str, Any], *, undoes: int = 0) -> None:
        """Apply and record one event; inside :meth:`command`. Raises what :meth:`Fold.apply` raises."""
        effects = self.fold.apply(kind, data)
        event = TaskEvent(len(self.events) + 1, self._command, kind, self.clock(), data, undoes)
        self.events.append(event)
        self._fresh.append(Change(event, effects))

    def undo(self) -> tuple[TaskEvent, ...]:
        """Append the inverse of the last command that still stands, and return those events.

        Raises:
            NothingToUndoError: nothing is left.
        """
        if not self._undoable:
            raise NothingToUndoError("No change is left to undo in this task graph.")
        target = self._undoable[-1]
        end = len(self.events)
        first = end
        while first and self.events[first - 1].command >= target:
            first -= 1
        events = [event for event in self.events[first:] if event.command == target]
        with self.command(undoes=target):
            for event in reversed(events):
                kind, data = ev.inverse(event)
                self.emit(kind, data, undoes=target)
        self._undoable.pop()
        return tuple(self.events[end:])

    def extend(self, events: Sequence[TaskEvent]) -> None:
        """Append events that were recorded elsewhere after the present version.

        Raises:
            SerializationError: they do not follow; the graph must then be built anew.
        """
        for offset, event in enumerate(events, start=len(self.events) + 1):
            if event.seq != offset:
                raise SerializationError(f"Task event {event.seq} stands where {offset} is expected.")
        self.fold.replay(list(events))
        for event in events:
            self.events.append(event)
            self._command = max(self._command, event.command)
            if event.undoes:
                if self._undoable and self._undoable[-1] == event.undoes:
                    self._undoable.pop()
            elif not self._undoable or self._undoable[-1] != event.command:
                self._undoable.append(event.command)

    def subscribe(self, listener: Listener | MirrorListener) -> Callable[[], None]:
        """Call a listener with every change from now on; the returned function ends it."""
        callback = listener if callable(listener) else listener.on_change
        self._listeners.append(callback)

        def unsubscribe() -> None:
            if callback in self._listeners:
                self._listeners.remove(callback)

        return unsubscribe

    def _publish(self) -> None:
        changes, self._fresh = self._fresh, []
        for change in changes:
            for listener in tuple(self._listeners):
                try:
                    listener(change)
                except Exception:
                    logger.exception("A listener of the task graph failed on %s.", change.event.kind)

    def _revert(self, start: int, fresh: int) -> None:
        for event in reversed(self.events[start:]):
            kind, data = ev.inverse(event)
            self.fold.apply(kind, data)
        del self.events[start:]
        del self._fresh[fresh:]
