"""The reading side of a task graph: where each part stands, and what may be done next."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from typing import Any

from zulong.tasks.dead_ends import leaf_records
from zulong.tasks.events import TaskEvent
from zulong.tasks.journal import Journal
from zulong.tasks.record import TaskNode
from zulong.tasks.status import TaskStatus
from zulong.tasks.tiers import execution_tiers
from zulong.tasks.turns import in_turn


class TaskReading:
    """What can be asked of a :class:`~zulong.tasks.graph.TaskGraph`; what is returned never changes later."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._journal = Journal(clock)
        self._fold = self._journal.fold

    @property
    def version(self) -> int:
        """The number of the last event; grows with every change."""
        return len(self._journal.events)

    @property
    def events(self) -> tuple[TaskEvent, ...]:
        """The whole history, oldest first."""
        with self._journal.lock:
            return tuple(self._journal.events)

    @in_turn
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
        with self._journal.lock:
            return tuple(self._fold.roots)

    def __len__(self) -> int:
        return len(self._fold.records)

    def __contains__(self, node_id: object) -> bool:
        return node_id in self._fold.records

    @in_turn
    def __iter__(self) -> Iterator[str]:
        return iter(tuple(self._fold.records))

    @in_turn
    def node(self, node_id: str) -> TaskNode:
        """Return a node as it stands. Raises :class:`UnknownTaskError`."""
        return self._fold.record(node_id).view()

    @in_turn
    def nodes(self) -> Iterator[TaskNode]:
        """Yield every node in the order they were added."""
        return iter([record.view() for record in self._fold.records.values()])

    @in_turn
    def status(self, node_id: str) -> TaskStatus:
        """Return a node's status. Raises :class:`UnknownTaskError`."""
        return self._fold.record(node_id).status

    @in_turn
    def dependents(self, node_id: str) -> tuple[str, ...]:
        """Return the ids of the nodes that depend on this one directly."""
        return tuple(self._fold.record(node_id).dependents)

    @in_turn
    def leaves(
        self, node_id: str | None = None, *, status: Collection[TaskStatus] = tuple(TaskStatus)
    ) -> Iterator[TaskNode]:
        """Yield the leaves of the graph, or those at and below a node, in the order of the tree.

        Args:
            node_id: where to look, None for everywhere.
            status: only leaves that have one of these; cheaper than to look at all.
        """
        starts = [self._fold.record(node_id)] if node_id is not None else list(self._fold.roots.values())
        found = [r for start in starts for r in leaf_records(start) if r.status in status]
        return iter([record.view() for record in found])

    @in_turn
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

    @in_turn
    def tiers(self, *, open_only: bool = False) -> list[list[str]]:
        """Return Kahn's tiers: lists of leaves where each tier depends on earlier ones only.

        The leaves of one tier are a parallel group. With ``open_only`` what is completed or skipped is left
        out and holds nothing up.
        """
        return execution_tiers(self._fold.records.values(), open_only=open_only)

    def parallel_groups(self) -> list[list[str]]:
        """Return the tiers of what is still open."""
        return self.tiers(open_only=True)
