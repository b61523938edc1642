"""Task graphs: mirrored node by node while they run, kept whole when they end, found again when a task is like one."""

from __future__ import annotations

import logging
import threading
from collections.abc import Iterable
from concurrent.futures import Future
from functools import partial
from typing import Any

from zulong.memory.adapters.access import PATIENCE_S, AdapterError, nodes_of, put
from zulong.memory.adapters.task_mirror import MirrorNode, TaskMirror
from zulong.memory.engine import WRITE_TIMEOUT_S
from zulong.memory.errors import WriteTimeoutError
from zulong.memory.graph import MemoryGraph
from zulong.memory.model import Draft, Importance, Node, NodeType
from zulong.tasks import Change, PastTask, SimilarTask, TaskGraph, TaskNode, likeness_to
from zulong.tasks.events import NODE_MOVED
from zulong.tasks.status import ACTIVATION

_LOG = logging.getLogger(__name__)
_PAST_TAG = "past_task"
_MOST_CANDIDATES = 200
_Batch = dict[str, MirrorNode | None]


class TaskGraphAdapter:
    """Mirrors one task graph as TASK nodes with HIERARCHY and DEPENDENCY edges.

    Subscribe it with ``task_graph.subscribe(adapter)``. It is a
    :class:`~zulong.tasks.journal.MirrorListener`. All changes of one command are one durable transaction; a
    change that cannot be stored is logged and goes along with the next one, since a full disk must not stop the
    task itself. What the mirror shows follows from the graph alone: an undone change leaves no trace in it.

    Args:
        task_id: the thread of the task; node ids are ``task:TASK_ID:NODE_ID``.
        wait: whether a change is durable when the call that made it returns. Otherwise the memory's own thread
            stores it and nobody waits; changes that come meanwhile are stored together, and :meth:`flush` waits.
    """

    def __init__(
        self, graph: MemoryGraph, tasks: TaskGraph, task_id: str, *, robot: str = "", wait: bool = True
    ) -> None:
        self._graph = graph
        self._tasks = tasks
        self._task_id = task_id
        self._wait = wait
        self._mirror = TaskMirror(graph, task_id, robot=robot)
        self._idle = threading.Condition()
        self._batch: _Batch = {}
        self._complete = True
        self._sending = False
        self._whole = False
        self._fault: BaseException | None = None

    def on_change(self, change: Change) -> None:
        """Take one change: the nodes that it touched are brought up to date, with the activation of their status."""
        try:
            touched = {effect.node_id for effect in change.effects}
            touched |= {str(change.event.data[key]) for key in ("id", "node_id") if key in change.event.data}
            if change.event.kind == NODE_MOVED and change.event.data["id"] in self._tasks:
                # The type of everything below follows from the depth.
                touched |= set(self._below(str(change.event.data["id"])))
            # The events of one command are told one by one when it is over; the last one sends them all.
            self._take(self._snapshots(touched), complete=change.event.seq >= self._tasks.version)
            if self._complete and self._wait:
                self.flush()
        except Exception:  # the mirror must never stop the task; the next change or sync() repairs it
            _LOG.exception("A change of task %s was not mirrored.", self._task_id)

    __call__ = on_change

    def sync(self) -> int:
        """Bring every node up to date, remove what is no longer in the graph; returns how many nodes there are.

        Raises:
            MemoryGraphError: it could not be stored.
        """
        self._take(self._everything(), complete=True)
        self.flush()
        return len(self._tasks)

    def flush(self, timeout_s: float = WRITE_TIMEOUT_S) -> None:
        """Wait until every change so far is durable.

        Raises:
            MemoryGraphError: it could not be stored.
        """
        with self._idle:
            if not self._sending and self._batch and self._complete:
                self._fault = None  # of the attempt before; what counts is how this one ends
                self._send()
            done = self._idle.wait_for(lambda: not self._sending, timeout_s)
            fault, self._fault = self._fault, None
        if fault is not None:
            raise fault
        if not done:
            raise WriteTimeoutError(f"Task {self._task_id!r} was not mirrored within {timeout_s:.0f} s.")

    def load(self) -> list[dict[str, Any]]:
        """Return the mirrored nodes as plain data, in the order they were added to their graph."""
        nodes = nodes_of(self._graph, [NodeType.TASK], session=self._task_id)
        mirrored = [
            node for node in nodes if node.meta.get("task_id") == self._task_id and "node" in node.meta
        ]
        order = {node.id: position for position, node in enumerate(self._tasks.nodes())}
        mirrored.sort(key=lambda node: (order.get(str(node.meta["node"]), len(order)), node.uid))
        return [{**node.meta["record"], "id": str(node.meta["node"])} for node in mirrored]

    # -- what is to be stored ------------------------------------------------------------------------------

    def _below(self, node_id: str) -> Iterable[str]:
        todo = [node_id]
        while todo:
            current = todo.pop()
            yield current
            todo.extend(self._tasks.node(current).children)

    def _snapshots(self, node_ids: Iterable[str]) -> _Batch:
        return {
            node_id: mirror_node(self._tasks.node(node_id)) if node_id in self._tasks else None
            for node_id in node_ids
        }

    def _everything(self) -> _Batch:
        whole: _Batch = dict.fromkeys(self._mirror.mirrored())
        whole.update((node.id, mirror_node(node)) for node in self._tasks.nodes())
        self._whole = True
        return whole

    # -- storing -------------------------------------------------------------------------------------------

    def _take(self, nodes: _Batch, *, complete: bool) -> None:
        if complete and not self._whole:  # what was there before the first change was never told
            nodes = {**nodes, **self._everything()}
        with self._idle:
            self._batch.update(nodes)
            self._complete = complete
            if complete and not self._sending:
                self._send()

    def _send(self) -> None:
        """Give the batch to the memory's writer; called with the lock, when nothing is on its way."""
        batch, self._batch = self._batch, {}
        if not batch:
            return
        self._sending = True
        nodes = [node for node in batch.values() if node is not None]
        gone = [node_id for node_id, node in batch.items() if node is None]
        try:
            future = self._mirror.put(nodes, gone)
        except BaseException:
            self._sending, self._batch = False, batch
            raise
        future.add_done_callback(partial(self._sent, batch))

    def _sent(self, batch: _Batch, future: Future[Any]) -> None:
        error = future.exception()
        with self._idle:
            self._sending = False
            if error is not None:
                self._batch = {**batch, **self._batch}
                self._fault = error
                _LOG.error("Changes of task %s are not mirrored yet: %s", self._task_id, error)
            elif self._complete and self._batch:
                try:
                    self._send()
                except Exception as again:  # the memory was closed meanwhile
                    self._fault = again
            self._idle.notify_all()


def mirror_node(node: TaskNode) -> MirrorNode:
    """Return what the memory shows of a node of a task graph."""
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
    return MirrorNode(
        node.id, node.title, node.parent, node.depends_on, ACTIVATION.get(node.status, 0.0), record
    )


class PastTasks:
    """Finished tasks in the memory graph; a :class:`~zulong.tasks.similar.PastTaskSearch`."""

    def __init__(self, graph: MemoryGraph, *, robot: str = "") -> None:
        self._graph = graph
        self._robot = robot

    @staticmethod
    def id(task_id: str) -> str:
        """Return the id of the memory that keeps a task."""
        return f"past_task:{task_id}"

    def keep(self, task: PastTask) -> None:
        """Keep a finished task; one with the same id is replaced.

        Raises:
            AdapterError: its graph holds something that cannot be stored.
        """
        meta = {
            "past_task": task.id,
            "instruction": task.instruction,
            "outcome": task.outcome,
            "summary": task.summary,
            "graph": dict(task.graph),
        }
        draft = Draft(
            task.text,
            NodeType.TASK,
            id=self.id(task.id),
            importance=Importance.IMPORTANT,
            tags=(_PAST_TAG, *((task.outcome.lower(),) if task.outcome else ())),
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
        node = self._graph.get(self.id(task_id))
        return None if node is None or not _is_whole(node) else _past(node)

    def similar(self, text: str, limit: int = 3) -> list[SimilarTask]:
        """Return the most alike past tasks, best first; scores as :func:`~zulong.tasks.similar.likeness_to` gives."""
        result = self._graph.recall(
            text,
            k=min(_MOST_CANDIDATES, 20 + 20 * limit),
            types=[NodeType.TASK],
            hot_deadline_s=PATIENCE_S,
            cold_deadline_s=PATIENCE_S,
        )
        tasks = [_past(hit.node) for hit in result.hits if _is_whole(hit.node)]
        scored = [SimilarTask(likeness_to(text, task), task) for task in tasks]
        return sorted((one for one in scored if one.score > 0), key=lambda one: -one.score)[:limit]


def _is_whole(node: Node) -> bool:
    return _PAST_TAG in node.tags and not node.stub and "graph" in node.meta


def _past(node: Node) -> PastTask:
    meta = node.meta
    return PastTask(
        str(meta["past_task"]),
        node.text,
        str(meta["outcome"]),
        str(meta["summary"]),
        meta["graph"],
        str(meta.get("instruction", "")),
    )
