"""The building side of a task graph: nodes and dependencies come, go and change their places."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from zulong.tasks import events as ev
from zulong.tasks.dead_ends import leaf_records, to_skip
from zulong.tasks.errors import DuplicateTaskError, InvalidTransitionError, UnknownTaskError
from zulong.tasks.plan import PlanStep, add_steps
from zulong.tasks.record import OWN_FIELDS, WORK_FIELDS, Record, work_fields
from zulong.tasks.status import COMPLETED, IN_PROGRESS, PENDING, SKIPPED, WAITING_INPUT
from zulong.tasks.turns import in_turn
from zulong.tasks.values import copied
from zulong.tasks.working import TaskWorking


class TaskBuilding(TaskWorking):
    """The structure of a :class:`~zulong.tasks.graph.TaskGraph`."""

    @in_turn
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
        self._parent(parent)
        fields: dict[str, Any] = {"title": title}
        if skill is not None:
            fields["skill"] = skill
        if arguments:
            fields["arguments"] = arguments
        if condition is not None:
            fields["condition"] = condition
        if compensation is not None:
            fields["compensation"] = compensation
        if alternatives:
            fields["alternatives"] = alternatives
        if meta:
            fields["meta"] = meta
        return self._add_node(parent, id, fields, depends_on)

    @in_turn
    def convert_leaf_to_parent(
        self, node_id: str, children: Sequence[str | Mapping[str, Any]]
    ) -> tuple[str, ...]:
        """Break a leaf down into children ``<id>_1``, ``<id>_2``, ... and return their ids.

        From then on the node's status follows from the children; its own attempts and reason stay recorded.

        Args:
            node_id: a leaf that is neither completed nor skipped.
            children: a title each, or the arguments of :meth:`add_node` by name.

        Raises:
            InvalidTransitionError: the node is no such leaf, or no children are given.
            TypeError: a child has a field that no task has.
        """
        if isinstance(children, str):
            raise TypeError(f"children of {node_id!r} must be a list, not the one text {children!r}.")
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
                child_id, depends_on = data.pop("id", None), data.pop("depends_on", ())
                ids.append(self._add_node(node_id, child_id, {"title": ""} | data, depends_on))
        return tuple(ids)

    @in_turn
    def add_plan(self, parent_id: str | None, steps: Sequence[PlanStep]) -> dict[str, str]:
        """Add a tree of steps below a node (None: as roots) and return the node id of each step id.

        All of it is added, or nothing. A step id that is taken here gets the suffix ``_2``, ``_3``, ...

        Raises:
            UnknownTaskError, CycleError, InvalidTransitionError: as for :meth:`add_node`.
            DuplicateTaskError: two of the steps have the same id.
        """
        with self.command():
            return add_steps(self, parent_id, steps)

    @in_turn
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
            self._depend(node_id, dependency)

    @in_turn
    def remove_dependency(self, node_id: str, depends_on: str) -> None:
        """Take a dependency away. Raises :class:`UnknownTaskError` when there is none."""
        record = self._fold.record(node_id)
        with self.command():
            self._drop_dependency(record, depends_on)
            self._follow_gates(record)

    @in_turn
    def update(self, /, node_id: str, **fields: Any) -> None:
        """Change what a node says about its work: title, skill, arguments, condition, compensation, ...

        Raises:
            TypeError: a field that a node does not have, or a value that it cannot have.
        """
        new = work_fields(fields)
        record = self._fold.record(node_id)
        old = {name: copied(getattr(record, name)) for name in fields}
        with self.command():
            self._journal.emit(ev.NODE_UPDATED, {"id": node_id, "new": new, "old": old})

    @in_turn
    def move(self, node_id: str, parent: str | None) -> None:
        """Put a node, with all below it, under another parent (None: make it a root), as the last child there.

        Raises:
            CycleError: the parent lies below the node, or one of them would have to wait for the other.
            InvalidTransitionError: the parent is a leaf that is not pending.
        """
        record = self._fold.record(node_id)
        old, new = record.parent, self._parent(parent)
        data = {
            "id": node_id,
            "parent": parent,
            "position": self._fold.next_position,
            "old_parent": old.id if old else None,
            "old_position": record.position,
        }
        with self.command():
            with self._dead_ends_followed(old, new):
                self._journal.emit(ev.NODE_MOVED, data)
            self._follow_gates(record)
            self._refresh_childless(old)

    @in_turn
    def remove(self, node_id: str) -> tuple[str, ...]:
        """Take a node out, with all below it, and return the ids; what depended on them waits for them no more.

        Raises:
            InvalidTransitionError: a leaf of it is in progress or waits for input.
        """
        top = self._fold.record(node_id)
        busy = [r.id for r in leaf_records(top) if r.own_status in (IN_PROGRESS, WAITING_INPUT)]
        if busy:
            raise InvalidTransitionError(
                f"{node_id!r} cannot be removed while {', '.join(map(repr, busy))} is under way; "
                f"complete or block that first."
            )
        members = [top]
        for record in members:
            members.extend(record.children.values())
        parent = top.parent
        with self.command():
            outside = [d for r in members for d in r.dependents.values()]
            for record in members:
                for dependency in reversed(tuple(record.dependencies)):
                    self._drop_dependency(record, dependency)
                for dependent in tuple(record.dependents.values()):
                    self._drop_dependency(dependent, record.id)
            with self._dead_ends_followed(parent):
                for record in reversed(members):
                    self._take_out(record)
            for record in outside:
                if record.id in self._fold.records:
                    self._follow_gates(record)
            self._refresh_childless(parent)
        return tuple(record.id for record in members)

    # -- how ---------------------------------------------------------------------------------------------

    def _parent(self, node_id: str | None) -> Record | None:
        """Return the record of a node that may get a child."""
        if node_id is None:
            return None
        record = self._fold.record(node_id)
        if not record.children and record.status is not PENDING:
            raise InvalidTransitionError(
                f"{node_id!r} is a leaf and {record.status}; break it down with convert_leaf_to_parent."
            )
        return record

    def _add_node(
        self,
        parent_id: str | None,
        given_id: str | None,
        fields: Mapping[str, Any],
        depends_on: Sequence[str],
    ) -> str:
        parent = self._fold.record(parent_id) if parent_id is not None else None
        data: dict[str, Any] = {"id": given_id, "parent": parent_id, **work_fields(fields)}
        data["position"] = self._fold.next_position
        if given_id is None:
            data["id"], data["number"] = self._new_id(parent_id)
        node_id = data["id"]
        if not isinstance(node_id, str) or not node_id:
            raise TypeError(f"A task's id must be a text that is not empty, got {node_id!r}.")
        if node_id in self._fold.records:
            raise DuplicateTaskError(f"The task id {node_id!r} is taken; choose another one or leave it out.")
        if isinstance(depends_on, str):
            raise TypeError(
                f"depends_on of {node_id!r} must be a list of ids, not the one text {depends_on!r}."
            )
        for dependency in depends_on:
            self._fold.record(dependency)
        with self.command():
            # A leaf that was blocked for good is a dead end no more once it is broken down.
            if parent is not None and parent.dead and not parent.children:
                with self._dead_ends_followed(parent):
                    self._journal.emit(ev.NODE_ADDED, data)
            else:
                self._journal.emit(ev.NODE_ADDED, data)
            for dependency in dict.fromkeys(depends_on):
                self._depend(node_id, self._fold.record(dependency))
            self._skip_at_dead_end(self._fold.record(node_id))
        return str(node_id)

    def _new_id(self, parent: str | None) -> tuple[str, int]:
        stem = parent if parent is not None else "task"
        number = self._fold.numbers.get(stem, 0) + 1
        while f"{stem}_{number}" in self._fold.records:
            number += 1
        return f"{stem}_{number}", number

    def _depend(self, node_id: str, dependency: Record) -> None:
        self._journal.emit(ev.DEPENDENCY_ADDED, {"id": node_id, "on": dependency.id})
        if dependency.dead:
            for leaf in to_skip(dependency):
                self._skip_with(leaf, dependency)

    def _drop_dependency(self, record: Record, depends_on: str) -> None:
        if depends_on not in record.dependencies:
            raise UnknownTaskError(depends_on)
        at = tuple(record.dependencies).index(depends_on)
        self._journal.emit(ev.DEPENDENCY_REMOVED, {"id": record.id, "on": depends_on, "at": at})

    def _take_out(self, record: Record) -> None:
        """Remove a leaf without dependencies, its status first, so that an undo brings both back."""
        untouched = Record(record.id, None, 0, record.start.slot, record.end.slot)
        old = {n: getattr(record, n) for n in OWN_FIELDS if n != "status"} | {
            "status": record.own_status.value
        }
        new = {n: getattr(untouched, n) for n in OWN_FIELDS if n != "status"} | {"status": PENDING.value}
        if old != new:
            self._journal.emit(ev.STATUS_CHANGED, {"id": record.id, "new": new, "old": old})
        work = {n: getattr(record, n) for n in WORK_FIELDS if getattr(record, n) != getattr(untouched, n)}
        parent = record.parent.id if record.parent else None
        data = {"id": record.id, "parent": parent, "title": record.title, **work}
        data |= {"position": record.position, "serial": record.serial}
        self._journal.emit(ev.NODE_REMOVED, data)

    def _refresh_childless(self, parent: Record | None) -> None:
        """Let a parent that has lost its last child be a leaf that is still to be done."""
        if parent is None or parent.children:
            return
        if parent.own_status is not PENDING:
            gone = {"status": PENDING.value, "permanent": False, "cause": "", "reason": "its parts are gone"}
            self._emit_status(parent, gone)
        else:
            self._skip_at_dead_end(parent)
