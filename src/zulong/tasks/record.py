"""What the graph keeps for one node (mutable, private to the package) and what it shows of it (immutable)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from zulong.tasks.order import Slot
from zulong.tasks.ready import ReadyQueue
from zulong.tasks.status import (
    COMPLETED,
    PENDING,
    SKIPPED,
    TaskStatus,
    aggregate_counts,
    depth_to_type,
)
from zulong.tasks.values import copied, plain

# The parts of a node that a status change may set; see TaskNode for their meaning.
OWN_FIELDS = (
    "status",
    "permanent",
    "cause",
    "reason",
    "result",
    "attempts",
    "started_at",
    "finished_at",
    "finish_order",
    "has_effect",
)
# The parts that describe the work and that `update` may change.
WORK_FIELDS = ("title", "skill", "arguments", "condition", "compensation", "alternatives", "meta")


_KINDS: Mapping[str, tuple[type, ...]] = {
    "title": (str,),
    "skill": (str, type(None)),
    "arguments": (dict, Mapping),
    "condition": (dict, Mapping, type(None)),
    "compensation": (dict, Mapping, type(None)),
    "alternatives": (list, tuple),
    "meta": (dict, Mapping),
}


def work_fields(given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the parts that describe a node's work as plain values of their own.

    Raises:
        TypeError: there is no such part, or it cannot have this value.
        NotPlainError: a value could not be saved.
    """
    checked: dict[str, Any] = {}
    for name, value in given.items():
        kinds = _KINDS.get(name)
        if kinds is None:
            raise TypeError(f"A task has no field {name!r}; it has {', '.join(WORK_FIELDS)}.")
        if not isinstance(value, kinds):
            words = " or ".join(kind.__name__ for kind in kinds)
            raise TypeError(f"{name} of a task must be {words}, got {repr(value)[:80]}.")
        checked[name] = value if type(value) is str else plain(value, name)
    return checked


@dataclass(slots=True, frozen=True)
class TaskNode:
    """A node as it stood when it was asked for.

    Attributes:
        id: unique in the graph.
        title: what is to be done, for people.
        parent: the parent's id, None for a root.
        children: ids of the children in order; a leaf has none.
        depth: levels below the root (0).
        type: the name of that depth, see :func:`~zulong.tasks.status.depth_to_type`.
        status: of a leaf, as set; of a parent, aggregated from its children.
        depends_on: ids of the nodes that must be finished before this one (or anything in it) starts.
        skill: name of the skill that does a leaf, None when a person or a model does it.
        arguments: the skill's arguments, plain values.
        condition: None, or what must hold when its turn comes.
        compensation: None, or ``{"skill", "arguments"}`` that undoes it on rollback.
        alternatives: other ways to reach the same, best first, as plain step trees.
        meta: anything else that belongs to the node, plain values.
        permanent: blocked for good, so that what depends on it is skipped.
        cause: why a leaf is skipped: ``requested``, ``condition``, ``replanned`` or ``dependency``.
        reason: a sentence about the last change.
        result: what the work gave, plain values.
        attempts: how often it was started.
        started_at, finished_at: seconds on the graph's clock, None before.
        has_effect: it was completed and not rolled back since, so what it did still stands, also while it waits
            to be done again.
    """

    id: str
    title: str
    parent: str | None
    children: tuple[str, ...]
    depth: int
    type: str
    status: TaskStatus
    depends_on: tuple[str, ...]
    skill: str | None
    arguments: Mapping[str, Any]
    condition: Mapping[str, Any] | None
    compensation: Mapping[str, Any] | None
    alternatives: Sequence[Any]
    meta: Mapping[str, Any]
    permanent: bool
    cause: str
    reason: str
    result: Any
    attempts: int
    started_at: float | None
    finished_at: float | None
    has_effect: bool = False

    @property
    def is_leaf(self) -> bool:
        """True when the node has no children."""
        return not self.children


class Start:
    """The moment a node begins: after its parent's begin and its dependencies' ends."""

    __slots__ = ("record", "slot")

    def __init__(self, record: Record, slot: Slot) -> None:
        self.record = record
        self.slot = slot

    def outward(self) -> Iterable[Start | End]:
        """See :class:`zulong.tasks.order.Vertex`."""
        children = self.record.children
        return (child.start for child in children.values()) if children else (self.record.end,)

    def inward(self) -> Iterable[Start | End]:
        """See :class:`zulong.tasks.order.Vertex`."""
        before: list[Start | End] = [needed.end for needed in self.record.dependencies.values()]
        if self.record.parent is not None:
            before.append(self.record.parent.start)
        return before


class End:
    """The moment a node is finished: after its children's ends, before its dependents begin."""

    __slots__ = ("record", "slot")

    def __init__(self, record: Record, slot: Slot) -> None:
        self.record = record
        self.slot = slot

    def outward(self) -> Iterable[Start | End]:
        """See :class:`zulong.tasks.order.Vertex`."""
        after: list[Start | End] = [dependent.start for dependent in self.record.dependents.values()]
        if self.record.parent is not None:
            after.append(self.record.parent.end)
        return after

    def inward(self) -> Iterable[Start | End]:
        """See :class:`zulong.tasks.order.Vertex`."""
        children = self.record.children
        return (child.end for child in children.values()) if children else (self.record.start,)


# Stands for "none" in every record until there is one; a dictionary of its own is made then.
_NONE: dict[str, Record] = {}
_NOTHING: Mapping[str, Any] = {}


class Record:
    """One node with everything that is derived from the events, kept up to date."""

    __slots__ = (
        "alternatives",
        "arguments",
        "attempts",
        "cause",
        "children",
        "compensation",
        "condition",
        "counts",
        "dead",
        "dead_children",
        "dependencies",
        "dependents",
        "depth",
        "end",
        "finish_order",
        "finished_at",
        "has_effect",
        "id",
        "is_ready",
        "meta",
        "open_dependencies",
        "own_status",
        "parent",
        "permanent",
        "position",
        "ready",
        "reason",
        "result",
        "serial",
        "skill",
        "start",
        "started_at",
        "status",
        "title",
    )

    def __init__(self, node_id: str, parent: Record | None, position: int, start: Slot, end: Slot) -> None:
        self.id = node_id
        self.parent = parent
        # `position` orders siblings, `serial` all nodes; they part when a node is moved.
        self.position = position
        self.serial = position
        self.depth: int = parent.depth + 1 if parent else 0
        self.start = Start(self, start)
        self.end = End(self, end)
        self.children = _NONE
        self.counts: dict[TaskStatus, int] | None = None
        self.dead_children = 0
        self.dependencies = _NONE
        self.dependents = _NONE
        self.open_dependencies = 0
        self.ready: ReadyQueue | None = None
        self.is_ready = False
        # `status` and `dead` are derived; while there are children the own status waits behind theirs.
        self.status = PENDING
        self.dead = False
        self.own_status = PENDING
        self.permanent = False
        self.cause = ""
        self.reason = ""
        self.result: Any = None
        self.attempts = 0
        self.started_at: float | None = None
        self.finished_at: float | None = None
        self.finish_order = 0
        self.has_effect = False
        self.title = ""
        self.skill: str | None = None
        self.arguments = _NOTHING
        self.condition: Mapping[str, Any] | None = None
        self.compensation: Mapping[str, Any] | None = None
        self.alternatives: Sequence[Any] = ()
        self.meta = _NOTHING

    def need(self, dependency: Record, at: int | None = None) -> None:
        """Depend on another node, named last among the dependencies or at a place among them."""
        if self.dependencies is _NONE:
            self.dependencies = {}
        if dependency.dependents is _NONE:
            dependency.dependents = {}
        if at is not None and at < len(self.dependencies):
            named = list(self.dependencies.items())
            named.insert(at, (dependency.id, dependency))
            self.dependencies = dict(named)
        else:
            self.dependencies[dependency.id] = dependency
        dependency.dependents[self.id] = self

    @property
    def satisfied(self) -> bool:
        """True when what depends on this node may start."""
        return not self.dead and (self.status is COMPLETED or self.status is SKIPPED)

    def derived(self) -> tuple[TaskStatus, bool]:
        """Return the status and whether the node is dead: it will never be finished as things stand."""
        if self.counts is not None and self.children:
            return aggregate_counts(len(self.children), self.counts), self.dead_children > 0
        return self.own_status, self.permanent or self.cause == "dependency"

    def may_start(self) -> bool:
        """Return whether the node, looked at without its ancestors, may start or holds a leaf that may."""
        if self.open_dependencies:
            return False
        return bool(self.ready) if self.children else self.status is PENDING

    def open_gates(self) -> list[str]:
        """Return the ids of unfinished dependencies, its own and those of its ancestors."""
        found: list[str] = []
        node: Record | None = self
        while node is not None:
            if node.open_dependencies:
                found.extend(d.id for d in node.dependencies.values() if not d.satisfied)
            node = node.parent
        return found

    def view(self) -> TaskNode:
        """Return what is shown of the node."""
        return TaskNode(
            id=self.id,
            title=self.title,
            parent=self.parent.id if self.parent else None,
            children=tuple(self.children),
            depth=self.depth,
            type=depth_to_type(self.depth),
            status=self.status,
            depends_on=tuple(self.dependencies),
            skill=self.skill,
            arguments=copied(self.arguments) if self.arguments else {},
            condition=None if self.condition is None else copied(self.condition),
            compensation=None if self.compensation is None else copied(self.compensation),
            alternatives=copied(self.alternatives) if self.alternatives else (),
            meta=copied(self.meta) if self.meta else {},
            permanent=self.permanent,
            cause=self.cause,
            reason=self.reason,
            result=None if self.result is None else copied(self.result),
            attempts=self.attempts,
            started_at=self.started_at,
            finished_at=self.finished_at,
            has_effect=self.has_effect or self.status is COMPLETED,
        )
