"""The history of a task graph: commands recorded as events, all or nothing, told to listeners, taken back."""

from __future__ import annotations

import logging
import threading
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from typing import Any, Protocol

from zulong.tasks import events as ev
from zulong.tasks.errors import (
    ArchivedError,
    NothingToRedoError,
    NothingToUndoError,
    SerializationError,
)
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
        lock: held while the graph is read or changed, so that threads take turns.
    """

    def __init__(self, clock: Callable[[], float]) -> None:
        self.fold = Fold()
        self.events: list[TaskEvent] = []
        self.clock = clock
        self.lock = threading.RLock()
        self._listeners: list[Listener] = []
        self._fresh: list[Change] = []
        self._outbox: deque[Change] = deque()
        self._telling = False
        self._command = 0
        self._nesting = 0
        self._trail = Trail()

    def command(self, *, undoes: int = 0) -> AbstractContextManager[None]:
        """Make several changes one command: all or nothing, undone together, told to listeners at its end.

        Raises:
            ArchivedError: the graph takes no more changes.
        """
        return _Command(self, undoes)

    def _begin(self, undoes: int) -> tuple[int, int]:
        if self._nesting == 0:
            if self.fold.archived is not None and not undoes:
                raise ArchivedError("This task graph is archived; undo the archiving or start a new graph.")
            self._command += 1
        self._nesting += 1
        return len(self.events), len(self._fresh)

    def _end(self, start: int, fresh: int, undoes: int, failed: bool) -> None:
        self._nesting -= 1
        if failed:
            self._revert(start, fresh)
        elif self._nesting == 0:
            if len(self.events) > start:
                self._trail.follow(self._command, undoes)
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
        if not self._trail.standing:
            raise NothingToUndoError("No change is left to undo in this task graph.")
        return self._take_back(self._trail.standing[-1])

    def redo(self) -> tuple[TaskEvent, ...]:
        """Append the inverse of the last undo, and return those events.

        Raises:
            NothingToRedoError: nothing was undone, or something else was done since.
        """
        if not self._trail.undone:
            raise NothingToRedoError(
                "No undone change is left to make again; a new change ends what could be redone."
            )
        return self._take_back(self._trail.undone[-1])

    def _take_back(self, target: int) -> tuple[TaskEvent, ...]:
        end = len(self.events)
        first = end
        while first and self.events[first - 1].command >= target:
            first -= 1
        events = [event for event in self.events[first:] if event.command == target]
        with self.command(undoes=target):
            for event in reversed(events):
                kind, data = ev.inverse(event)
                self.emit(kind, data, undoes=target)
        return tuple(self.events[end:])

    def extend(self, events: Sequence[TaskEvent]) -> None:
        """Append events that were recorded elsewhere after the present version, and tell the listeners.

        Raises:
            SerializationError: they do not follow; nothing has changed.
        """
        events = list(events)
        for event in events:
            if not isinstance(event, TaskEvent):
                raise SerializationError(f"Only task events follow each other here, not {repr(event)[:80]}.")
        with self.lock:
            trail, command = self._trail.copy(), self._command
            for offset, event in enumerate(events, start=len(self.events) + 1):
                if event.seq != offset:
                    raise SerializationError(f"Task event {event.seq} stands where {offset} is expected.")
                if event.command < max(command, 1):
                    raise SerializationError(
                        f"Task event {event.seq} belongs to command {event.command}, after command {command}."
                    )
                command = event.command
                trail.follow(command, event.undoes)
            try:
                changes = self.fold.replay(events)
            except SerializationError:
                self.fold.reset()
                for event in self.events:
                    self.fold.apply(event.kind, dict(event.data))
                raise
            self.events.extend(events)
            self._trail, self._command = trail, command
            self._fresh.extend(changes)
            self._publish()

    def subscribe(self, listener: Listener | MirrorListener) -> Callable[[], None]:
        """Call a listener with every change from now on; the returned function ends it."""
        callback = listener if callable(listener) else getattr(listener, "on_change", None)
        if callback is None:
            raise TypeError(f"A listener is a function, or has on_change; got {repr(listener)[:80]}.")
        self._listeners.append(callback)

        def unsubscribe() -> None:
            if callback in self._listeners:
                self._listeners.remove(callback)

        return unsubscribe

    def _publish(self) -> None:
        """Tell the listeners; what a listener changes in turn is told to all after what it heard of."""
        self._outbox.extend(self._fresh)
        self._fresh = []
        if self._telling:
            return
        self._telling = True
        try:
            while self._outbox:
                change = self._outbox.popleft()
                for listener in tuple(self._listeners):
                    try:
                        listener(change)
                    except Exception:
                        logger.exception("A listener of the task graph failed on %s.", change.event.kind)
        finally:
            self._telling = False

    def _revert(self, start: int, fresh: int) -> None:
        for event in reversed(self.events[start:]):
            kind, data = ev.inverse(event)
            self.fold.apply(kind, data)
        del self.events[start:]
        del self._fresh[fresh:]


class _Command:
    """The changes of one ``with`` block; see :meth:`Journal.command`."""

    __slots__ = ("_fresh", "_journal", "_start", "_undoes")

    def __init__(self, journal: Journal, undoes: int) -> None:
        self._journal = journal
        self._undoes = undoes
        self._start = self._fresh = 0

    def __enter__(self) -> None:
        self._journal.lock.acquire()
        try:
            self._start, self._fresh = self._journal._begin(self._undoes)
        except BaseException:
            self._journal.lock.release()
            raise

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        try:
            self._journal._end(self._start, self._fresh, self._undoes, kind is not None)
        finally:
            self._journal.lock.release()


class Trail:
    """Which commands stand and which undos may be taken back, as it follows from the history alone.

    Attributes:
        standing: commands that undo takes back, the last one first.
        undone: undos that redo takes back, the last one first; a new command empties it.
    """

    def __init__(self, standing: Sequence[int] = (), undone: Sequence[int] = ()) -> None:
        self.standing = list(standing)
        self.undone = list(undone)

    def copy(self) -> Trail:
        """Return a trail of its own that is at the same point."""
        return Trail(self.standing, self.undone)

    def follow(self, command: int, undoes: int) -> None:
        """Take in an event, or a whole command, that was recorded.

        Raises:
            SerializationError: it takes back what does not stand.
        """
        if self.standing[-1:] == [command] or self.undone[-1:] == [command]:
            return
        if not undoes:
            self.standing.append(command)
            self.undone.clear()
        elif self.standing[-1:] == [undoes]:
            self.undone.append(command)
            self.standing.pop()
        elif self.undone[-1:] == [undoes]:
            self.standing.append(command)
            self.undone.pop()
        else:
            raise SerializationError(f"Command {command} takes back command {undoes}, which does not stand.")
