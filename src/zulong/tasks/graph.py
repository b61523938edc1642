"""The task graph: a tree of tasks with dependencies across it, whose every change is an event."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from zulong.tasks import events as ev
from zulong.tasks.building import TaskBuilding
from zulong.tasks.errors import RollbackError, SerializationError
from zulong.tasks.events import TaskEvent
from zulong.tasks.journal import Listener, MirrorListener
from zulong.tasks.record import TaskNode
from zulong.tasks.rollback import rollback_records, was_begun
from zulong.tasks.status import NEEDS_ADJUST
from zulong.tasks.turns import in_turn

FORMAT = "zulong.taskgraph"
FORMAT_VERSION = 1

Compensate = Callable[[TaskNode], None]


class TaskGraph(TaskBuilding):
    """Flat nodes, a hierarchy tree and a dependency DAG over it.

    The state is the fold of :attr:`events`; undo, history, saving and the mirror all come from there. A call
    that raises has changed nothing. Thread-safe: each call, and each ``with graph.command()`` block, has the
    graph to itself; listeners are called within it.

    Args:
        clock: seconds for the stamps of events.
    """

    def __init__(self, *, clock: Callable[[], float] = time.time) -> None:
        super().__init__(clock)

    # -- rollback ----------------------------------------------------------------------------------------

    @in_turn
    def rollback_order(self, node_id: str) -> tuple[TaskNode, ...]:
        """Return what :meth:`rollback` takes back, in its order: the last one finished comes first.

        That is every leaf at or below the node that was begun, and every such leaf that depends on one of those.
        """
        records = rollback_records(self._fold.record(node_id), self._fold.finishes)
        return tuple(record.view() for record in records)

    @in_turn
    def rollback(self, node_id: str, compensate: Compensate | None = None) -> tuple[str, ...]:
        """Return a node or subtree, and what was built on it, to pending; compensations run in reverse order.

        The graph is held meanwhile, and told of at the end. Where a compensation takes long, or may be cut off
        by a restart, go through :meth:`rollback_order` with :meth:`mark_rolled_back` after each, as missions do.

        Args:
            node_id: a leaf or a parent.
            compensate: called with each begun node that has a compensation, before it becomes pending.

        Returns:
            The ids that became pending, in that order.

        Raises:
            RollbackError: a compensation raised; see there for what has happened then.
        """
        done: list[str] = []
        failed: BaseException | None = None
        with self.command():
            for record in rollback_records(self._fold.record(node_id), self._fold.finishes):
                try:
                    if compensate is not None and record.compensation is not None and was_begun(record):
                        compensate(record.view())
                except BaseException as error:  # what was compensated stays so, whatever ends this
                    failed, at = error, record.id
                    fault = f"rollback: {error}"
                    self._emit_status(record, {"status": NEEDS_ADJUST.value, "reason": fault})
                    break
                self.mark_rolled_back(record.id)
                done.append(record.id)
        if failed is None:
            return tuple(done)
        if not isinstance(failed, Exception):
            raise failed
        raise RollbackError(at, done, str(failed) or type(failed).__name__) from failed

    # -- history -----------------------------------------------------------------------------------------

    @in_turn
    def undo(self) -> tuple[TaskEvent, ...]:
        """Take back the last command that still stands, and return the events that do so.

        The history only grows: undoing appends the inverse events; :meth:`redo` takes the undo back.

        Raises:
            NothingToUndoError: nothing is left.
        """
        return self._journal.undo()

    @in_turn
    def redo(self) -> tuple[TaskEvent, ...]:
        """Make the last undone command again, and return the events that do so.

        Raises:
            NothingToRedoError: nothing was undone, or the graph was changed since.
        """
        return self._journal.redo()

    @in_turn
    def at(self, version: int) -> TaskGraph:
        """Return the graph as it was at a version, as a graph of its own."""
        if not isinstance(version, int) or not 0 <= version <= self.version:
            raise ValueError(f"Version {version!r} is outside 0..{self.version}.")
        return TaskGraph.from_events(self._journal.events[:version], clock=self._journal.clock)

    @in_turn
    def archive(self, outcome: str = "", summary: str = "") -> None:
        """Close the graph: it takes no more changes (undo opens it again)."""
        with self.command():
            self._journal.emit(ev.ARCHIVED, {"outcome": str(outcome), "summary": str(summary)})

    @in_turn
    def subscribe(self, listener: Listener | MirrorListener) -> Callable[[], None]:
        """Call a listener with every change from now on; the returned function ends it.

        A listener that raises is logged and does not disturb the graph. What it changes itself is told after.
        """
        return self._journal.subscribe(listener)

    @in_turn
    def to_dict(self) -> dict[str, Any]:
        """Return the graph with its history as plain data; :meth:`from_dict` reads it back."""
        return {
            "format": FORMAT,
            "format_version": FORMAT_VERSION,
            "events": [event.to_dict() for event in self._journal.events],
        }

    @classmethod
    def from_dict(cls, plain: Mapping[str, Any], *, clock: Callable[[], float] = time.time) -> TaskGraph:
        """Read what :meth:`to_dict` wrote.

        Raises:
            SerializationError: it is damaged or from a newer version.
        """
        if not isinstance(plain, Mapping) or plain.get("format") != FORMAT:
            what = repr(plain.get("format")) if isinstance(plain, Mapping) else type(plain).__name__
            raise SerializationError(f"This is no saved task graph: its format is {what[:80]}.")
        version = plain.get("format_version")
        if version != FORMAT_VERSION:
            raise SerializationError(
                f"The saved task graph has format version {version!r}; this program reads {FORMAT_VERSION}. "
                f"Open it with the version that wrote it."
            )
        saved = plain.get("events")
        if not isinstance(saved, (list, tuple)):
            raise SerializationError("The saved task graph has no list of events.")
        events = [TaskEvent.from_dict(event) for event in saved]
        return cls.from_events(events, clock=clock)

    @classmethod
    def from_events(cls, events: Sequence[TaskEvent], *, clock: Callable[[], float] = time.time) -> TaskGraph:
        """Build the graph that these events make.

        Raises:
            SerializationError: they are not a history from the start, or do not fit each other.
        """
        graph = cls(clock=clock)
        graph.extend(events)
        return graph

    @in_turn
    def extend(self, events: Sequence[TaskEvent]) -> None:
        """Append events that another copy of this graph recorded after its present version.

        Raises:
            SerializationError: they do not follow; nothing has changed.
        """
        self._journal.extend(events)
