"""State as the fold of events: applying one event costs the node's neighbourhood, never the whole graph.

Order constraints are kept between the start and the end of nodes, because a parent starts before its children
and ends after them: ``start(parent) < start(child)``, ``end(child) < end(parent)``, and for "a depends on b"
``end(b) < start(a)``. A cycle in these is a plan that could never finish, through the tree as well.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from zulong.tasks import events as ev
from zulong.tasks.check import check_event
from zulong.tasks.errors import CycleError, SerializationError, UnknownTaskError
from zulong.tasks.events import Change, Effect, TaskEvent
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
        numbers: the highest number given to a child (by the parent's id; roots: "task"), of removed ones too.
        finishes: how often a leaf was completed or skipped, which numbers these ends.
        dead_edges: how many dependencies lead to a node that will never be finished as things stand.
    """

    __slots__ = (
        "_order",
        "_position",
        "archived",
        "dead_edges",
        "finishes",
        "numbers",
        "ready",
        "records",
        "roots",
    )

    def __init__(self) -> None:
        self.reset()

    def reset(self) -> None:
        """Begin anew, without any event."""
        self.records: dict[str, Record] = {}
        self.roots: dict[str, Record] = {}
        self.ready = ReadyQueue()
        self.archived: dict[str, Any] | None = None
        self.numbers: dict[str, int] = {}
        self.dead_edges = 0
        self.finishes = 0
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
            self._add_dependency(self.record(data["id"]), self.record(data["on"]), data.get("at"))
        elif kind == ev.DEPENDENCY_REMOVED:
            self._remove_dependency(self.record(data["id"]), self.record(data["on"]))
        elif kind == ev.NODE_UPDATED:
            record = self.record(data["id"])
            for name, value in data["new"].items():
                setattr(record, name, value)
            effects.append(Effect(record.id, record.status, record.status))
        elif kind == ev.NODE_REMOVED:
            self._remove_node(self.record(data["id"]), effects)
        elif kind == ev.NODE_MOVED:
            self._move_node(self.record(data["id"]), data, effects)
        elif kind == ev.ARCHIVED:
            self.archived = dict(data)
        elif kind == ev.UNARCHIVED:
            self.archived = None
        return tuple(effects)

    def replay(self, events: list[TaskEvent]) -> list[Change]:
        """Apply saved events in order, each looked at first, and return what they did.

        Raises:
            SerializationError: they do not fit each other.
        """
        changes: list[Change] = []
        for event in events:
            try:
                check_event(self, event)
                changes.append(Change(event, self.apply(event.kind, dict(event.data))))
            except SerializationError:
                raise
            except (KeyError, TypeError, ValueError, RuntimeError) as error:
                raise SerializationError(
                    f"Saved task event {event.seq} ({event.kind}) does not fit what came before it: {error}"
                ) from error
        return changes

    # -- structure ---------------------------------------------------------------------------------------

    def _add_node(self, data: dict[str, Any], effects: list[Effect]) -> None:
        parent = self.record(data["parent"]) if data["parent"] is not None else None
        node_id = data["id"]
        before = parent.end if parent else None
        start = self._order.new_slot(before)
        end = self._order.new_slot(before)
        position = data.get("position", self.next_position)
        record = Record(node_id, parent, position, start, end)
        record.serial = data.get("serial", position)
        for name in WORK_FIELDS:
            if name in data:
                setattr(record, name, data[name])
        if "number" in data:
            stem = parent.id if parent else "task"
            self.numbers[stem] = max(self.numbers.get(stem, 0), data["number"])
        last = next(reversed(self.records.values()), None)
        self.records[node_id] = record
        if last is not None and last.serial > record.serial:  # it comes back after its removal
            self.records = dict(sorted(self.records.items(), key=lambda item: item[1].serial))
        effects.append(Effect(node_id, None, record.status))
        self._attach(record, parent)
        self._settle(parent, effects)

    def _remove_node(self, record: Record, effects: list[Effect]) -> None:
        """Take out a leaf that has no dependencies any more (the inverse of adding it)."""
        parent = record.parent
        del self.records[record.id]
        self._detach(record)
        self._order.remove(record.start)
        self._order.remove(record.end)
        effects.append(Effect(record.id, record.status, None))
        self._settle(parent, effects)

    def _move_node(self, record: Record, data: dict[str, Any], effects: list[Effect]) -> None:
        old = record.parent
        new = self.record(data["parent"]) if data["parent"] is not None else None
        if new is not None:
            above = [new]
            while above[-1] is not record and (parent := above[-1].parent) is not None:
                above.append(parent)
            if above[-1] is record:
                names = [node.id for node in reversed(above)]
                raise CycleError(record.id, new.id, [*names, record.id], "move below")
        self._detach(record)
        record.parent = None
        if new is not None:
            path = self._order.admit(new.start, record.start)
            first = record
            if path is None:
                path, first = self._order.admit(record.end, new.end), new
            if path is not None:
                self._attach(record, old)
                raise CycleError(record.id, new.id, _named_cycle(first, path), "move below")
        record.position = data["position"]
        self._attach(record, new)
        effects.append(Effect(record.id, record.status, record.status))
        self._settle(old, effects)
        self._settle(new, effects)

    @property
    def next_position(self) -> int:
        """The position of what is put last now."""
        return self._position + 1

    def _attach(self, record: Record, parent: Record | None) -> None:
        """Put a node among the children of a parent, by its position; the parent is settled after."""
        record.parent = parent
        _set_depths(record)
        record.is_ready = False
        self._position = max(self._position, record.position)
        if parent is None:
            self.roots = _with(self.roots, record)
        else:
            if parent.counts is None:
                parent.counts = dict.fromkeys(TaskStatus, 0)
                parent.ready = ReadyQueue()
                parent.children = {}
            parent.children = _with(parent.children, record)
            parent.counts[record.status] += 1
            parent.dead_children += record.dead
        self._refresh_ready(record)

    def _detach(self, record: Record) -> None:
        """Take a node from its place in the tree; the parent is settled after."""
        parent = record.parent
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

    def _add_dependency(self, record: Record, dependency: Record, at: int | None = None) -> None:
        path = self._order.admit(dependency.end, record.start)
        if path is not None:
            raise CycleError(record.id, dependency.id, _named_cycle(record, path))
        record.need(dependency, at)
        self.dead_edges += dependency.dead
        if not dependency.satisfied:
            record.open_dependencies += 1
            self._refresh_ready(record)

    def _remove_dependency(self, record: Record, dependency: Record) -> None:
        if dependency.id not in record.dependencies:
            raise UnknownTaskError(dependency.id)
        del record.dependencies[dependency.id]
        del dependency.dependents[record.id]
        self.dead_edges -= dependency.dead
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
        self.finishes = max(self.finishes, record.finish_order)
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
            if dead != was_dead:
                self.dead_edges += len(record.dependents) * (dead - was_dead)
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


def _with(siblings: dict[str, Record], record: Record) -> dict[str, Record]:
    """Return the siblings with one more, in the order of their positions; usually it is the last one."""
    last = next(reversed(siblings.values()), None)
    siblings[record.id] = record
    if last is None or last.position < record.position:
        return siblings
    return dict(sorted(siblings.items(), key=lambda item: item[1].position))


def _set_depths(top: Record) -> None:
    depth = top.parent.depth + 1 if top.parent is not None else 0
    if depth == top.depth:
        return
    top.depth = depth
    stack = [top]
    while stack:
        node = stack.pop()
        for child in node.children.values():
            child.depth = node.depth + 1
            stack.append(child)


def _named_cycle(record: Record, path: Sequence[Vertex]) -> list[str]:
    """Turn a path of starts and ends into node ids, each once, from the node back to itself.

    The path runs forward in time, from where the new edge leads to where it comes from; "waits for" runs
    against it.
    """
    names = {record.id: None}  # a dictionary keeps their order and finds one at once, however long the cycle
    for vertex in reversed(path):
        owner = cast("Start | End", vertex).record.id
        if owner == record.id and len(names) > 1:
            break
        if owner in names:  # through the inside of a node and out again: the node alone says as much
            while next(reversed(names)) != owner:
                names.popitem()
        else:
            names[owner] = None
    return [*names, record.id]
