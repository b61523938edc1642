"""Task graphs: mirrored node by node while they run, kept whole when they end, found again when a task is like one."""

from __future__ import annotations

import logging
from collections.abc import Iterable
from typing import Any

from zulong.memory.adapters.access import PATIENCE_S, AdapterError, nodes_of, put
from zulong.memory.graph import MemoryGraph
from zulong.memory.model import Draft, EdgeType, Importance, Link, Node, NodeType
from zulong.tasks import Change, PastTask, SimilarTask, TaskGraph, TaskNode

_LOG = logging.getLogger(__name__)
_PARENT_WEIGHT, _DEPENDS_WEIGHT = 0.9, 0.8
_PAST_TAG = "past_task"


class TaskGraphAdapter:
    """Mirrors one task graph as TASK nodes with HIERARCHY and DEPENDENCY edges.

    Subscribe it with ``task_graph.subscribe(adapter)``. It is a
    :class:`~zulong.tasks.journal.MirrorListener`; a change that cannot be stored is logged and stored with the
    next :meth:`sync`, since a full disk must not stop the task itself.

    Args:
        task_id: the thread of the task; node ids are ``task:TASK_ID:NODE_ID``.
    """

    def __init__(self, graph: MemoryGraph, tasks: TaskGraph, task_id: str, *, robot: str = "") -> None:
        self._graph = graph
        self._tasks = tasks
        self._task_id = task_id
        self._robot = robot

    def on_change(self, change: Change) -> None:
        """Take one change: the nodes that it touched are brought up to date, with the activation of their status."""
        try:
            touched = {effect.node_id for effect in change.effects}
            touched |= {str(change.event.data[key]) for key in ("id", "node_id") if key in change.event.data}
            self._put(node_id for node_id in touched if node_id in self._tasks)
            for effect in change.effects:
                if effect.activation is not None and effect.node_id in self._tasks:
                    self._graph.update(self._id(effect.node_id), activation=effect.activation)
            gone = [self._id(effect.node_id) for effect in change.effects if effect.after is None]
            if gone:
                self._graph.forget(ids=gone, reason="removed from its task graph")
        except Exception:  # the mirror must never stop the task; sync() repairs it
            _LOG.exception("A change of task %s was not mirrored.", self._task_id)

    __call__ = on_change

    def sync(self) -> int:
        """Bring every node up to date, parents first; returns how many nodes there are."""
        self._put(node.id for node in self._tasks.nodes())
        return len(self._tasks)

    def load(self) -> list[dict[str, Any]]:
        """Return the mirrored nodes as plain data, in the order they were added to their graph."""
        nodes = nodes_of(self._graph, [NodeType.TASK], session=self._task_id)
        mirrored = [
            node for node in nodes if node.meta.get("task_id") == self._task_id and "node" in node.meta
        ]
        order = {node.id: position for position, node in enumerate(self._tasks.nodes())}
        mirrored.sort(key=lambda node: (order.get(str(node.meta["node"]), len(order)), node.uid))
        return [{**node.meta["record"], "id": str(node.meta["node"])} for node in mirrored]

    def _put(self, node_ids: Iterable[str]) -> None:
        wanted = [self._tasks.node(node_id) for node_id in node_ids]
        # A parent and a dependency must be there before an edge can lead to them.
        for node in sorted(wanted, key=lambda node: node.depth):
            put(self._graph, self._draft(node))
        for node in wanted:
            for other in node.depends_on:
                if self._graph.get(self._id(other)) is None:
                    put(self._graph, self._draft(self._tasks.node(other)))
                self._graph.link(self._id(node.id), self._id(other), EdgeType.DEPENDENCY, _DEPENDS_WEIGHT)

    def _draft(self, node: TaskNode) -> Draft:
        links: tuple[Link, ...] = ()
        if node.parent is not None:
            if self._graph.get(self._id(node.parent)) is None:
                put(self._graph, self._draft(self._tasks.node(node.parent)))
            links = (Link(self._id(node.parent), EdgeType.HIERARCHY, _PARENT_WEIGHT, incoming=True),)
        record = {
            "title": node.title,
            "parent": node.parent,
            "type": node.type,
            "status": str(node.status),
            "depends_on": list(node.depends_on),
            "skill": node.skill,
            "arguments": dict(node.arguments),
            "reason": node.reason,
            "attempts": node.attempts,
        }
        return Draft(
            node.title,
            NodeType.TASK,
            id=self._id(node.id),
            robot=self._robot,
            session=self._task_id,
            meta={"task_id": self._task_id, "node": node.id, "record": record},
            links=links,
        )

    def _id(self, node_id: str) -> str:
        return f"task:{self._task_id}:{node_id}"


class PastTasks:
    """Finished tasks in the memory graph; a :class:`~zulong.tasks.similar.PastTaskSearch`."""

    def __init__(self, graph: MemoryGraph, *, robot: str = "") -> None:
        self._graph = graph
        self._robot = robot

    def keep(self, task: PastTask) -> None:
        """Keep a finished task; one with the same id is replaced.

        Raises:
            AdapterError: its graph holds something that cannot be stored.
        """
        meta = {
            "past_task": task.id,
            "outcome": task.outcome,
            "summary": task.summary,
            "graph": dict(task.graph),
        }
        draft = Draft(
            task.text,
            NodeType.TASK,
            id=f"past_task:{task.id}",
            importance=Importance.IMPORTANT,
            tags=(_PAST_TAG,),
            meta=meta,
            robot=self._robot,
            session=task.id,
        )
        try:
            put(self._graph, draft)
        except (TypeError, ValueError) as error:
            raise AdapterError(f"Task {task.id!r} cannot be kept: {error}") from error

    def get(self, task_id: str) -> PastTask | None:
        """Return a kept task, or None."""
        node = self._graph.get(f"past_task:{task_id}")
        return None if node is None else _past(node)

    def similar(self, text: str, limit: int = 3) -> list[SimilarTask]:
        """Return the most alike past tasks, best first; scores lie between 0 and 1."""
        result = self._graph.recall(
            text, k=10 * limit, types=[NodeType.TASK], hot_deadline_s=PATIENCE_S, cold_deadline_s=PATIENCE_S
        )
        hits = [hit for hit in result.hits if _PAST_TAG in hit.node.tags]
        return [SimilarTask(min(hit.score, 1.0), _past(hit.node)) for hit in hits[:limit]]


def _past(node: Node) -> PastTask:
    meta = node.meta
    return PastTask(
        str(meta["past_task"]), node.text, str(meta["outcome"]), str(meta["summary"]), meta["graph"]
    )
