"""The task graph: a tree of tasks with dependencies across it, whose every change is an event."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Any

from zulong.tasks import events as ev
from zulong.tasks.dead_ends import chain, dead_end, leaf_records, to_skip, to_wake
from zulong.tasks.errors import (
    DuplicateTaskError,
    InvalidTransitionError,
    NotExecutableError,
    RollbackError,
    SerializationError,
)
from zulong.tasks.events import TaskEvent
from zulong.tasks.journal import Journal, Listener, MirrorListener
from zulong.tasks.plan import PlanStep, add_steps
from zulong.tasks.record import WORK_FIELDS, Record, TaskNode
from zulong.tasks.status import (
    BLOCKED,
    COMPLETED,
    IN_PROGRESS,
    NEEDS_ADJUST,
    PENDING,
    SKIPPED,
    TRANSITIONS,
    WAITING_INPUT,
    TaskStatus,
)
from zulong.tasks.tiers import execution_tiers

FORMAT = "zulong.taskgraph"
FORMAT_VERSION = 1

Compensate = Callable[[TaskNode], None]


class TaskGraph:
    """Flat nodes, a hierarchy tree and a dependency DAG over it.

    The state is the fold of :attr:`events`; undo, history, saving and the mirror all come from there. A call
    that raises has changed nothing. The graph belongs to one thread at a time.

    Args:
        clock: seconds for the stamps of events.
    """

    def __init__(self, *, clock: Callable[[], float] = time.time) -> None:
        self._journal = Journal(clock)
        self._fold = self._journal.fold
        self._finished = 0
        self._names: dict[str, int] = {}

    # -- reading -----------------------------------------------------------------------------------------

    @property
    def version(self) -> int:
        """The number of the last event; grows with every change."""
        return len(self._journal.events)

    @property
    def events(self) -> tuple[TaskEvent, ...]:
        """The whole history, oldest first."""
        return tuple(self._journal.events)

    def events_since(self, version: int) -> list[TaskEvent]:
        """Return the events after a version; costs what is returned."""
        return self._journal.events[version:]

    @property
    def archived(self) -> Mapping[str, Any] | None:
        """What was recorded when the graph was archived, None while it lives."""
        return self._fold.archived

    @property
    def roots(self) -> tuple[str, ...]:
        """Ids of the nodes without a parent."""
        return tuple(self._fold.roots)

    def __len__(self) -> int:
        return len(self._fold.records)

    def __contains__(self, node_id: object) -> bool:
        return node_id in self._fold.records

    def __iter__(self) -> Iterator[str]:
        return iter(self._fold.records)

    def node(self, node_id: str) -> TaskNode:
        """Return a node as it stands. Raises :class:`UnknownTaskError`."""
        return self._fold.record(node_id).view()

    def nodes(self) -> Iterator[TaskNode]:
        """Yield every node in the order they were added."""
        return (record.view() for record in self._fold.records.values())

    def status(self, node_id: str) -> TaskStatus:
        """Return a node's status. Raises :class:`UnknownTaskError`."""
        return self._fold.record(node_id).status

    def dependents(self, node_id: str) -> tuple[str, ...]:
        """Return the ids of the nodes that depend on this one directly."""
        return tuple(self._fold.record(node_id).dependents)

    def leaves(self, node_id: str | None = None) -> Iterator[TaskNode]:
        """Yield the leaves of the graph, or those at and below a node, in the order of the tree."""
        starts = [self._fold.record(node_id)] if node_id is not None else list(self._fold.roots.values())
        return (record.view() for start in starts for record in leaf_records(start))

    def next_executable(self, limit: int | None = None) -> tuple[TaskNode, ...]:
        """Return pending leaves whose dependencies, and their ancestors', are finished; earliest first.

        ``limit=1`` costs the depth of the tree; more costs what is returned and the ready siblings passed.
        """
        if limit == 1:
            queue = self._fold.ready
            while (record := queue.first()) is not None:
                if not record.children or record.ready is None:
                    return (record.view(),)
                queue = record.ready
            return ()
        found: list[TaskNode] = []
        stack = self._fold.ready.in_order()[::-1]
        while stack and (limit is None or len(found) < limit):
            record = stack.pop()
            if record.children and record.ready is not None:
                stack.extend(record.ready.in_order()[::-1])
            else:
                found.append(record.view())
        return tuple(found)

    def tiers(self, *, open_only: bool = False) -> list[list[str]]:
        """Return Kahn's tiers: lists of leaves where each tier depends on earlier ones only.

        The leaves of one tier are a parallel group. With ``open_only`` what is completed or skipped is left
        out and holds nothing up.
        """
        return execution_tiers(self._fold.records.values(), open_only=open_only)

    def parallel_groups(self) -> list[list[str]]:
        """Return the tiers of what is still open."""
        return self.tiers(open_only=True)

    # -- structure ---------------------------------------------------------------------------------------

    def add_node(
        self,
        title: str,
        *,
        parent: str | None = None,
        id: str | None = None,
        skill: str | None = None,
        arguments: Mapping[str, Any] | None = None,
        depends_on: Sequence[str] = (),
        condition: Mapping[str, Any] | None = None,
        compensation: Mapping[str, Any] | None = None,
        alternatives: Sequence[Any] = (),
        meta: Mapping[str, Any] | None = None,
    ) -> str:
        """Add a node and return its id: the one given, else ``<parent>_<n>`` (roots: ``task_<n>``).

        A pending leaf that gets a child becomes a parent; to break down a leaf that was started, use
        :meth:`convert_leaf_to_parent`.

        Raises:
            UnknownTaskError, DuplicateTaskError, CycleError: see there.
            InvalidTransitionError: the parent is a leaf that is not pending.
        """
        if parent is not None:
            record = self._fold.record(parent)
            if not record.children and record.status is not PENDING:
                raise InvalidTransitionError(
                    f"{parent!r} is a leaf and {record.status}; break it down with convert_leaf_to_parent."
                )
        return self._add_node(
            {"id": id if id is not None else self._new_id(parent), "parent": parent, "title": title}
            | ({"skill": skill} if skill is not None else {})
            | ({"arguments": dict(arguments)} if arguments else {})
            | ({"condition": dict(condition)} if condition is not None else {})
            | ({"compensation": dict(compensation)} if compensation is not None else {})
            | ({"alternatives": list(alternatives)} if alternatives else {})
            | ({"meta": dict(meta)} if meta else {}),
            depends_on,
        )

    def convert_leaf_to_parent(
        self, node_id: str, children: Sequence[str | Mapping[str, Any]]
    ) -> tuple[str, ...]:
        """Break a leaf down into children ``<id>_1``, ``<id>_2``, ... and return their ids.

        From then on the node's status follows from the children; its own attempts and reason stay recorded.

        Args:
            node_id: a leaf that is neither completed nor skipped.
            children: a title each, or the keyword arguments of :meth:`add_node`.

        Raises:
            InvalidTransitionError: the node is no such leaf, or no children are given.
        """
        record = self._fold.record(node_id)
        if record.children or record.status in (COMPLETED, SKIPPED) or not children:
            state = "already a parent" if record.children else str(record.status)
            raise InvalidTransitionError(
                f"{node_id!r} cannot be broken down ({state}, {len(children)} children given); "
                f"it must be an unfinished leaf and get at least one child."
            )
        with self.command():
            ids = []
            for child in children:
                data: dict[str, Any] = {"title": child} if isinstance(child, str) else dict(child)
                node = {
                    "id": data.pop("id", None) or self._new_id(node_id),
                    "parent": node_id,
                    "title": data.pop("title"),
                }
                depends_on = data.pop("depends_on", ())
                unknown = set(data) - set(WORK_FIELDS)
                if unknown:
                    raise TypeError(
                        f"A child of {node_id!r} has unknown fields: {', '.join(sorted(unknown))}."
                    )
                ids.append(self._add_node({**node, **data}, depends_on))
        return tuple(ids)

    def add_plan(self, parent_id: str | None, steps: Sequence[PlanStep]) -> dict[str, str]:
        """Add a tree of steps below a node (None: as roots) and return the node id of each step id.

        All of it is added, or nothing. A step id that is taken here gets the suffix ``_2``, ``_3``, ...

        Raises:
            UnknownTaskError, CycleError, InvalidTransitionError: as for :meth:`add_node`.
        """
        with self.command():
            return add_steps(self, parent_id, steps)

    def add_dependency(self, node_id: str, depends_on: str) -> None:
        """Let a node (or all below it) wait for another one; adding it twice changes nothing.

        Raises:
            CycleError: it would close a cycle, through the tree as well; the cycle is spelled out.
            UnknownTaskError: no such node.
        """
        record = self._fold.record(node_id)
        dependency = self._fold.record(depends_on)
        if depends_on in record.dependencies:
            return
        with self.command():
            self._journal.emit(ev.DEPENDENCY_ADDED, {"id": node_id, "on": depends_on})
            if dependency.dead:
                for leaf in to_skip(dependency):
                    self._skip_with(leaf, dependency)

    def remove_dependency(self, node_id: str, depends_on: str) -> None:
        """Take a dependency away. Raises :class:`UnknownTaskError` when there is none."""
        with self.command():
            self._journal.emit(ev.DEPENDENCY_REMOVED, {"id": node_id, "on": depends_on})

    def update(self, node_id: str, **fields: Any) -> None:
        """Change what a node says about its work: title, skill, arguments, condition, compensation, ...

        Raises:
            TypeError: a field that a node does not have.
        """
        unknown = set(fields) - set(WORK_FIELDS)
        if unknown:
            raise TypeError(
                f"A task has no field {', '.join(sorted(unknown))}; it has {', '.join(WORK_FIELDS)}."
            )
        record = self._fold.record(node_id)
        old = {name: getattr(record, name) for name in fields}
        with self.command():
            self._journal.emit(ev.NODE_UPDATED, {"id": node_id, "new": dict(fields), "old": old})

    # -- status ------------------------------------------------------------------------------------------

    def start(self, node_id: str) -> None:
        """pending, blocked or needs_adjust -> in_progress; counts an attempt.

        Raises:
            NotExecutableError: a dependency of it or of an ancestor is not finished; they are named.
            InvalidTransitionError: the status does not allow it, or the node is a parent.
        """
        record = self._leaf(node_id)
        gates = record.open_gates() if record.own_status is not WAITING_INPUT else []
        if gates:
            raise NotExecutableError(f"{node_id!r} cannot start: it waits for {', '.join(map(repr, gates))}.")
        new: dict[str, Any] = {"permanent": False, "reason": ""}
        if record.own_status is not WAITING_INPUT:
            new |= {"attempts": record.attempts + 1, "started_at": self._journal.clock()}
        self._transition(record, IN_PROGRESS, new)

    def complete(self, node_id: str, result: Any = None, *, reason: str = "") -> None:
        """in_progress -> completed, with what the work gave."""
        self._finish(node_id, COMPLETED, {"result": result, "reason": reason})

    def block(self, node_id: str, reason: str, *, permanent: bool = False) -> None:
        """pending or in_progress -> blocked.

        With ``permanent`` it is blocked for good and everything that depends on it is skipped; when it leaves
        the status again those skips are taken back. A blocked node may be made permanent later.
        """
        record = self._leaf(node_id)
        new = {"reason": reason, "permanent": permanent}
        if record.own_status is BLOCKED and permanent and not record.permanent:
            with self.command():
                self._emit_status(record, new)
            return
        self._transition(record, BLOCKED, new)

    def skip(self, node_id: str, reason: str = "", *, cause: str = "requested") -> None:
        """pending or blocked -> skipped; what depends on it may start. On a parent: all such leaves below."""
        for record in self._leaves_in(node_id, (PENDING, BLOCKED), "skip"):
            self._finish(record.id, SKIPPED, {"reason": reason, "cause": cause, "permanent": False})

    def wait_for_input(self, node_id: str, question: str) -> None:
        """in_progress -> waiting_input; :meth:`start` continues it without counting an attempt."""
        self._transition(self._leaf(node_id), WAITING_INPUT, {"reason": question})

    def needs_adjust(self, node_id: str, reason: str) -> None:
        """in_progress or completed -> needs_adjust. On a parent: all such leaves below it."""
        with self.command():
            for record in self._leaves_in(node_id, (IN_PROGRESS, COMPLETED), "adjust"):
                self._transition(record, NEEDS_ADJUST, {"reason": reason, "finished_at": None})

    def reopen(self, node_id: str, reason: str = "") -> None:
        """blocked or needs_adjust -> pending, to be tried again."""
        self._transition(self._leaf(node_id), PENDING, {"reason": reason, "permanent": False})

    def rollback_order(self, node_id: str) -> tuple[TaskNode, ...]:
        """Return what :meth:`rollback` takes back, in its order: the last one finished comes first.

        That is every started leaf at or below the node, and every started leaf that depends on one of those.
        """
        seen: dict[str, Record] = {}
        stack = list(leaf_records(self._fold.record(node_id)))
        while stack:
            record = stack.pop()
            if record.id in seen:
                continue
            seen[record.id] = record
            above: Record | None = record
            while above is not None:
                for dependent in above.dependents.values():
                    stack.extend(leaf_records(dependent))
                above = above.parent
        touched = [record for record in seen.values() if record.own_status is not PENDING]
        # Unfinished ones are the most recent work, so they are taken back before anything that was finished.
        touched.sort(key=lambda r: (r.finish_order or self._finished + r.position, r.position), reverse=True)
        return tuple(record.view() for record in touched)

    def rollback(self, node_id: str, compensate: Compensate | None = None) -> tuple[str, ...]:
        """Return a node or subtree, and what was built on it, to pending; compensations run in reverse order.

        Args:
            node_id: a leaf or a parent.
            compensate: called with each started node that has a compensation, before it becomes pending.

        Returns:
            The ids that became pending, in that order.

        Raises:
            RollbackError: a compensation raised; see there for what has happened then.
        """
        done: list[str] = []
        with self.command():
            for node in self.rollback_order(node_id):
                record = self._fold.record(node.id)
                try:
                    if compensate is not None and node.compensation is not None and node.attempts:
                        compensate(node)
                except Exception as error:
                    self._emit_status(record, {"status": NEEDS_ADJUST.value, "reason": f"rollback: {error}"})
                    failure = RollbackError(node.id, done, str(error) or type(error).__name__)
                    failure.__cause__ = error
                    break
                self.mark_rolled_back(node.id)
                done.append(node.id)
            else:
                return tuple(done)
        raise failure

    def mark_rolled_back(self, node_id: str) -> None:
        """Return one leaf to pending from any status, its effect undone by whoever calls this."""
        record = self._leaf(node_id)
        self._emit_status(
            record,
            {
                "status": PENDING.value,
                "permanent": False,
                "cause": "",
                "reason": "rolled back",
                "result": None,
                "started_at": None,
                "finished_at": None,
                "finish_order": 0,
            },
        )

    # -- history -----------------------------------------------------------------------------------------

    def undo(self) -> tuple[TaskEvent, ...]:
        """Take back the last command that still stands, and return the events that do so.

        The history only grows: undoing appends the inverse events. An undone command stays undone.

        Raises:
            NothingToUndoError: nothing is left.
        """
        return self._journal.undo()

    def at(self, version: int) -> TaskGraph:
        """Return the graph as it was at a version, as a graph of its own."""
        if not 0 <= version <= self.version:
            raise ValueError(f"Version {version} is outside 0..{self.version}.")
        return TaskGraph.from_events(self._journal.events[:version], clock=self._journal.clock)

    def archive(self, outcome: str = "", summary: str = "") -> None:
        """Close the graph: it takes no more changes (undo opens it again)."""
        with self.command():
            self._journal.emit(ev.ARCHIVED, {"outcome": outcome, "summary": summary})

    def subscribe(self, listener: Listener | MirrorListener) -> Callable[[], None]:
        """Call a listener with every change from now on; the returned function ends it.

        A listener that raises is logged and does not disturb the graph.
        """
        return self._journal.subscribe(listener)

    def command(self) -> AbstractContextManager[None]:
        """Make the changes of a ``with`` block one command: all or nothing, undone and told together."""
        return self._journal.command()

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
        if plain.get("format") != FORMAT:
            raise SerializationError(f"This is no saved task graph: its format is {plain.get('format')!r}.")
        version = plain.get("format_version")
        if version != FORMAT_VERSION:
            raise SerializationError(
                f"The saved task graph has format version {version!r}; this program reads {FORMAT_VERSION}. "
                f"Open it with the version that wrote it."
            )
        events = [TaskEvent.from_dict(event) for event in plain.get("events", ())]
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

    def extend(self, events: Sequence[TaskEvent]) -> None:
        """Append events that another copy of this graph recorded after its present version.

        Raises:
            SerializationError: they do not follow; the graph must then be built anew.
        """
        self._journal.extend(events)
        for event in events:
            if event.kind == ev.STATUS_CHANGED:
                self._finished = max(self._finished, event.data["new"].get("finish_order", 0))

    # -- recording ---------------------------------------------------------------------------------------

    def _add_node(self, data: dict[str, Any], depends_on: Sequence[str]) -> str:
        node_id: str = data["id"]
        if node_id in self._fold.records:
            raise DuplicateTaskError(f"The task id {node_id!r} is taken; choose another one or leave it out.")
        for dependency in depends_on:
            self._fold.record(dependency)
        with self.command():
            self._journal.emit(ev.NODE_ADDED, data)
            for dependency in depends_on:
                self.add_dependency(node_id, dependency)
            self._skip_at_dead_end(self._fold.record(node_id))
        return node_id

    def _new_id(self, parent: str | None) -> str:
        stem = parent if parent is not None else "task"
        number = self._names.get(stem, 0) + 1
        while f"{stem}_{number}" in self._fold.records:
            number += 1
        self._names[stem] = number
        return f"{stem}_{number}"

    def _leaf(self, node_id: str) -> Record:
        record = self._fold.record(node_id)
        if record.children:
            raise InvalidTransitionError(
                f"The status of {node_id!r} follows from its children; change theirs: "
                f"{', '.join(record.children)}."
            )
        return record

    def _leaves_in(self, node_id: str, statuses: tuple[TaskStatus, ...], verb: str) -> list[Record]:
        found = [r for r in leaf_records(self._fold.record(node_id)) if r.own_status in statuses]
        if not found:
            raise InvalidTransitionError(
                f"Nothing to {verb} at {node_id!r} ({self.status(node_id)}): that takes a leaf which is "
                f"{' or '.join(statuses)}."
            )
        return found

    def _finish(self, node_id: str, status: TaskStatus, new: dict[str, Any]) -> None:
        self._transition(
            self._leaf(node_id),
            status,
            {**new, "finished_at": self._journal.clock(), "finish_order": self._finished + 1},
        )
        self._finished += 1

    def _transition(self, record: Record, status: TaskStatus, new: dict[str, Any]) -> None:
        if status not in TRANSITIONS[record.own_status]:
            allowed = ", ".join(sorted(TRANSITIONS[record.own_status])) or "none; roll it back"
            raise InvalidTransitionError(
                f"{record.id!r} is {record.own_status} and cannot become {status}; allowed: {allowed}."
            )
        self._emit_status(record, {"status": status.value, **new})

    def _emit_status(self, record: Record, new: dict[str, Any]) -> None:
        """Record a leaf's new own state, with the skips of dependents that follow from it or end with it."""
        with self.command():
            old: dict[str, Any] = {
                name: record.own_status.value if name == "status" else getattr(record, name) for name in new
            }
            path = chain(record)
            was_dead = [node.dead for node in path]
            self._journal.emit(ev.STATUS_CHANGED, {"id": record.id, "new": new, "old": old})
            died = [n for n, before in zip(path, was_dead, strict=True) if n.dead and not before]
            revived = [n for n, before in zip(path, was_dead, strict=True) if before and not n.dead]
            if record.own_status in (PENDING, BLOCKED) and not record.dead:
                self._skip_at_dead_end(record)
            for node in died:
                for leaf in to_skip(node):
                    self._skip_with(leaf, node)
            for node in revived:
                for leaf in to_wake(node):
                    self.mark_rolled_back(leaf.id)

    def _skip_at_dead_end(self, leaf: Record) -> None:
        dead = dead_end(leaf)
        if dead is not None:
            self._skip_with(leaf, dead)

    def _skip_with(self, leaf: Record, dead: Record) -> None:
        self._finished += 1
        self._emit_status(
            leaf,
            {
                "status": SKIPPED.value,
                "cause": "dependency",
                "reason": f"{dead.id} is blocked for good",
                "permanent": False,
                "finished_at": self._journal.clock(),
                "finish_order": self._finished,
            },
        )
