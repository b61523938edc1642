"""State as the fold of events: applying one event costs the node's neighbourhood, never the whole graph.

Order constraints are kept between the start and the end of nodes, because a parent starts before its children
and ends after them: ``start(parent) < start(child)``, ``end(child) < end(parent)``, and for "a depends on b"
``end(b) < start(a)``. A cycle in these is a plan that could never finish, through the tree as well.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from zulong.tasks import events as ev
from zulong.tasks.errors import CycleError, SerializationError, UnknownTaskError
from zulong.tasks.events import Effect, TaskEvent
from zulong.tasks.order import TopologicalOrder, Vertex
from zulong.tasks.ready import ReadyQueue
from zulong.tasks.record import WORK_FIELDS, End, Record, Start
from zulong.tasks.status import TaskStatus


class Fold:
    """The state that a sequence of events makes.

    Attributes:
        records: every node by id, in the order they were added.
        roots: those without a parent.
        ready: roots that may start or hold a leaf that may.
        archived: the graph takes no more changes.
    """

    __slots__ = ("_order", "_position", "archived", "ready", "records", "roots")

    def __init__(self) -> None:
        self.records: dict[str, Record] = {}
        self.roots: dict[str, Record] = {}
        self.ready = ReadyQueue()
        self.archived: dict[str, Any] | None = None
        self._order = TopologicalOrder()
        self._position = 0

    def record(self, node_id: str) -> Record:
        """Return a node's record.

        Raises:
            UnknownTaskError: no such node.
        """
        try:
            return self.records[node_id]
        except KeyError:
            raise UnknownTaskError(node_id) from None

    def apply(self, kind: str, data: dict[str, Any]) -> tuple[Effect, ...]:
        """Apply one event and return what it did to nodes.

        Raises:
            CycleError, UnknownTaskError: the event does not fit the state; nothing has changed.
        """
        effects: list[Effect] = []
        if kind == ev.STATUS_CHANGED:
            self._set_status(self.record(data["id"]), data["new"], effects)
        elif kind == ev.NODE_ADDED:
            self._add_node(data, effects)
        elif kind == ev.DEPENDENCY_ADDED:
            self._add_dependency(self.record(data["id"]), self.record(data["on"]))
        elif kind == ev.DEPENDENCY_REMOVED:
            self._remove_dependency(self.record(data["id"]), self.record(data["on"]))
        elif kind == ev.NODE_UPDATED:
            record = self.record(data["id"])
            for name, value in data["new"].items():
                setattr(record, name, value)
            effects.append(Effect(record.id, record.status, record.status))
        elif kind == ev.NODE_REMOVED:
            self._remove_node(self.record(data["id"]), effects)
        elif kind == ev.ARCHIVED:
            self.archived = dict(data)
        elif kind == ev.UNARCHIVED:
            self.archived = None
        return tuple(effects)

    def replay(self, events: list[TaskEvent]) -> None:
        """Apply saved events in order.

        Raises:
            SerializationError: they do not fit each other.
        """
        for event in events:
            try:
                self.apply(event.kind, dict(event.data))
            except (KeyError, TypeError, ValueError) as error:
                raise SerializationError(
                    f"Saved task event {event.seq} ({event.kind}) does not fit what came before it: {error}"
                ) from error

    # -- structure ---------------------------------------------------------------------------------------

    def _add_node(self, data: dict[str, Any], effects: list[Effect]) -> None:
        parent = self.record(data["parent"]) if data["parent"] is not None else None
        node_id = data["id"]
        before = parent.end if parent else None
        start = self._order.new_slot(before)
        end = self._order.new_slot(before)
        self._position += 1
        record = Record(node_id, parent, self._position, start, end)
        for name in WORK_FIELDS:
            if name in data:
                setattr(record, name, data[name])
        self.records[node_id] = record
        effects.append(Effect(node_id, None, record.status))
        if parent is None:
            self.roots[node_id] = record
            self._refresh_ready(record)
            return
        if parent.counts is None:
            parent.counts = dict.fromkeys(TaskStatus, 0)
            parent.ready = ReadyQueue()
        parent.adopt(record)
        parent.counts[record.status] += 1
        self._refresh_ready(record)
        self._settle(parent, effects)

    def _remove_node(self, record: Record, effects: list[Effect]) -> None:
        """Take out a leaf that nothing depends on any more (the inverse of adding it)."""
        parent = record.parent
        del self.records[record.id]
        self._order.remove(record.start)
        self._order.remove(record.end)
        effects.append(Effect(record.id, record.status, None))
        if parent is None:
            del self.roots[record.id]
            self.ready.discard(record)
            return
        del parent.children[record.id]
        if parent.counts is not None:
            parent.counts[record.status] -= 1
        parent.dead_children -= record.dead
        if parent.ready is not None:
            parent.ready.discard(record)
        if not parent.children:
            parent.counts = None
            parent.ready = None
        self._settle(parent, effects)

    def _add_dependency(self, record: Record, dependency: Record) -> None:
        path = self._order.admit(dependency.end, record.start)
        if path is not None:
            raise CycleError(record.id, dependency.id, _named_cycle(record, dependency, path))
        record.need(dependency)
        if not dependency.satisfied:
            record.open_dependencies += 1
            self._refresh_ready(record)

    def _remove_dependency(self, record: Record, dependency: Record) -> None:
        if dependency.id not in record.dependencies:
            raise UnknownTaskError(dependency.id)
        del record.dependencies[dependency.id]
        del dependency.dependents[record.id]
        if not dependency.satisfied:
            record.open_dependencies -= 1
            self._refresh_ready(record)

    # -- status ------------------------------------------------------------------------------------------

    def _set_status(self, record: Record, new: dict[str, Any], effects: list[Effect]) -> None:
        for name, value in new.items():
            if name == "status":
                record.own_status = TaskStatus(value)
            else:
                setattr(record, name, value)
        self._settle(record, effects)

    def _settle(self, record: Record | None, effects: list[Effect]) -> None:
        """Derive a node's status again, then its parent's, as far up as something changes."""
        while record is not None:
            status, dead = record.derived()
            before, was_dead, was_satisfied = record.status, record.dead, record.satisfied
            if status is before and dead == was_dead:
                self._refresh_ready(record)
                return
            record.status, record.dead = status, dead
            effects.append(Effect(record.id, before, status))
            if record.satisfied != was_satisfied:
                step = -1 if record.satisfied else 1
                for dependent in record.dependents.values():
                    dependent.open_dependencies += step
                    self._refresh_ready(dependent)
            parent = record.parent
            if parent is not None and parent.counts is not None:
                parent.counts[before] -= 1
                parent.counts[status] += 1
                parent.dead_children += dead - was_dead
            self._refresh_ready(record)
            record = parent

    def _refresh_ready(self, record: Record) -> None:
        """Keep the ready queues right from a node upwards, as far as something changes."""
        node: Record | None = record
        while node is not None:
            ready = node.may_start()
            if ready == node.is_ready:
                return
            node.is_ready = ready
            parent = node.parent
            queue = parent.ready if parent is not None else self.ready
            if queue is not None:
                if ready:
                    queue.add(node)
                else:
                    queue.discard(node)
            node = parent


def _named_cycle(record: Record, dependency: Record, path: Sequence[Vertex]) -> list[str]:
    """Turn the path of starts and ends into node ids, each once, from the node back to itself.

    The path runs forward in time from the node's start to the dependency's end; "waits for" runs against it.
    """
    names = [record.id]
    for vertex in reversed(path):
        owner = cast("Start | End", vertex).record.id
        if owner != names[-1]:
            names.append(owner)
    if names[-1] != record.id:
        names.append(record.id)
    return names if len(names) > 1 else [record.id, dependency.id]
