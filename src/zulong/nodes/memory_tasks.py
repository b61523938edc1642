"""Task graphs in the memory: mirrored while they run, one past task each when they end, the trees of the newest kept.

The executor only hands a message over. A thread of its own writes: of each task what came newest, only the nodes that
differ from what is stored, in one transaction; a task that changes faster than the disk is mirrored less often. So the
number of writes waiting is that of the tasks, and recall and the other writes go on beside them.

What the memory holds stays bounded. A task that ends becomes one memory, the past task, which recall finds; its tree
stays for looking at, as stubs in no search index, until ``trees`` newer tasks have come.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from zulong.memory import MemoryGraph
from zulong.memory.adapters.access import AdapterError
from zulong.memory.adapters.task_mirror import MirrorNode, TaskMirror, trees
from zulong.memory.adapters.tasks import PastTasks
from zulong.memory.engine import WRITE_TIMEOUT_S, wait_for
from zulong.memory.errors import MemoryGraphError
from zulong.msg import TaskGraph as TaskGraphMsg
from zulong.msg import TaskNode as TaskNodeMsg
from zulong.nodes.json_fields import object_or_empty
from zulong.nodes.sentences import brief
from zulong.nodes.workers import WorkerClosedError, WorkerFullError
from zulong.tasks import PastTask
from zulong.tasks.status import ACTIVATION, TaskStatus

_MOST_WAITING = 64
_MOST_NODES = 1000
_MOST_OUTLINED = 100
_LONGEST_TEXT = 10_000
_STATUS = {getattr(TaskNodeMsg, f"STATUS_{status.name}"): status for status in TaskStatus}
UNFINISHED = "UNFINISHED"
"""Outcome of a task that was never heard to end before newer ones took its place."""


@dataclass(slots=True)
class _Tree:
    """What is stored of one task: its nodes (None: only known to be there), and how it ended, if it has."""

    nodes: dict[str, MirrorNode | None] = field(default_factory=dict)
    ending: tuple[str, str] | None = None
    instruction: str = ""


class TaskTrees:
    """Keeps the task graphs that the planner publishes in the memory.

    Args:
        node: gives the worker; its ``note_fault`` hears of what should not happen.
        memory: where they are kept.
        robot: whose tasks these are.
        most: trees kept at once.
    """

    def __init__(self, node: Any, memory: MemoryGraph, robot: str, most: int) -> None:
        self._node = node
        self._memory = memory
        self._robot = robot
        self._most = most
        self._past = PastTasks(memory, robot=robot)
        self._worker = node.worker("tasks", depth=4)
        self._lock = threading.Lock()
        self._waiting: OrderedDict[str, TaskGraphMsg] = OrderedDict()
        self._working = False
        self._trees: OrderedDict[str, _Tree] | None = None
        self.trouble = ""

    def take(self, message: TaskGraphMsg) -> None:
        """Take the newest state of a task graph; returns at once."""
        with self._lock:
            self._waiting.pop(message.thread_id, None)
            self._waiting[message.thread_id] = message
            while len(self._waiting) > _MOST_WAITING:
                self._waiting.popitem(last=False)
            if self._working:
                return
            self._working = True
        try:
            self._worker.submit(self._work)
        except (WorkerFullError, WorkerClosedError):
            with self._lock:
                self._working = False

    def close(self, timeout_s: float) -> None:
        """Let the write that runs end; what waits is dropped, and comes again with the next start of the planner."""
        with self._lock:
            self._waiting.clear()
        self._worker.close(timeout_s)

    # -- on the worker's thread ---------------------------------------------------------------------------

    def _work(self) -> None:
        while True:
            with self._lock:
                if not self._waiting:
                    self._working = False
                    return
                _, message = self._waiting.popitem(last=False)
            try:
                self._mirror(message)
                self.trouble = ""
            except MemoryGraphError as error:
                self.trouble = f"A task could not be kept: {error}"
                self._forget_what_is_stored(message.thread_id)
            except Exception as error:  # one odd graph must not end the thread for all that follow
                self._node.note_fault("tasks", error)
                self._forget_what_is_stored(message.thread_id)

    def _forget_what_is_stored(self, thread_id: str) -> None:
        """After a failed write it is not known what is there; the next message writes everything again."""
        tree = self._trees.get(thread_id) if self._trees is not None else None
        if tree is not None:
            tree.nodes = dict.fromkeys(tree.nodes)
            tree.ending = None

    def _mirror(self, message: TaskGraphMsg) -> None:
        if not message.nodes or not message.thread_id:
            return
        kept = self._known()
        tree = kept.setdefault(message.thread_id, _Tree())
        kept.move_to_end(message.thread_id)
        # Parents come before their children, so what is cut off leaves a tree.
        nodes = {node.id: to_mirror(node) for node in message.nodes[:_MOST_NODES]}
        ending = ending_of(message)
        tree.instruction = message.instruction or tree.instruction or message.nodes[0].title
        if ending is not None and ending != tree.ending:
            self._keep(past_task_of(message.thread_id, tree.instruction, ending, message.nodes))
        gone = [node_id for node_id in tree.nodes if node_id not in nodes]
        rewrite = (ending is None) != (tree.ending is None)
        changed = [node for node_id, node in nodes.items() if rewrite or tree.nodes.get(node_id) != node]
        if changed or gone:
            into = PastTasks.id(message.thread_id) if ending is not None else None
            self._write(message.thread_id, changed, gone, into)
        tree.nodes, tree.ending = dict(nodes), ending
        while len(kept) > self._most:
            self._fold(*next(iter(kept.items())))

    def _known(self) -> OrderedDict[str, _Tree]:
        """Return the trees; those of an earlier run are read from the memory once."""
        if self._trees is None:
            found = trees(self._memory)
            self._trees = OrderedDict((task, _Tree(dict.fromkeys(nodes))) for task, nodes in found.items())
            while len(self._trees) > self._most:
                self._fold(*next(iter(self._trees.items())))
        return self._trees

    def _fold(self, thread_id: str, tree: _Tree) -> None:
        """Take a tree out; the past task stays of it."""
        if tree.ending is None and self._memory.get(PastTasks.id(thread_id)) is None and tree.instruction:
            self._keep(past_task_of(thread_id, tree.instruction, (UNFINISHED, ""), ()))
        self._write(thread_id, (), tree.nodes, None)
        if self._trees is not None:
            del self._trees[thread_id]

    def _keep(self, task: PastTask) -> None:
        try:
            self._past.keep(task)
        except (
            AdapterError
        ) as error:  # words that the memory's door takes for noise; the tree is kept all the same
            self._node.get_logger().info(brief(str(error)))

    def _write(
        self, thread_id: str, nodes: Iterable[MirrorNode], gone: Iterable[str], into: str | None
    ) -> None:
        mirror = TaskMirror(self._memory, thread_id, robot=self._robot)
        wait_for(mirror.put(list(nodes), list(gone), into=into), WRITE_TIMEOUT_S)


def ending_of(message: TaskGraphMsg) -> tuple[str, str] | None:
    """Return (outcome, summary) of a task that has ended for good, None while it may go on."""
    root = next((node for node in message.nodes if node.id == message.root_id), None)
    result = object_or_empty(root.result_json) if root is not None and root.result_json else {}
    outcome, summary = result.get("outcome"), result.get("summary")
    return (outcome, summary) if isinstance(outcome, str) and isinstance(summary, str) and outcome else None


def past_task_of(
    thread_id: str, instruction: str, ending: tuple[str, str], nodes: Iterable[TaskNodeMsg]
) -> PastTask:
    """Return what stays of a task: what was asked for, how it ended, and the outline of its steps."""
    outcome, summary = ending
    outline = [
        {
            "id": node.id,
            "parent": node.parent_id,
            "title": node.title,
            "skill": node.skill,
            "arguments": object_or_empty(node.arguments_json),
            "status": str(_status(node)),
            "depends_on": list(node.depends_on),
        }
        for node in list(nodes)[:_MOST_OUTLINED]
    ]
    text = f"{instruction} — {summary or outcome.lower()}"[:_LONGEST_TEXT]
    return PastTask(thread_id, text, outcome, summary, {"outline": outline}, instruction[:_LONGEST_TEXT])


def to_mirror(node: TaskNodeMsg) -> MirrorNode:
    """Return what the memory shows of a node."""
    status = _status(node)
    record = {
        "title": node.title,
        "parent": node.parent_id or None,
        "type": node.type,
        "status": str(status),
        "depends_on": list(node.depends_on),
        "skill": node.skill or None,
        "arguments": object_or_empty(node.arguments_json),
        "reason": node.error_msg,
        "attempts": node.attempts,
    }
    return MirrorNode(
        node.id,
        node.title,
        node.parent_id or None,
        tuple(node.depends_on),
        ACTIVATION.get(status, 0.0),
        record,
    )


def _status(node: TaskNodeMsg) -> TaskStatus:
    return _STATUS.get(node.status, TaskStatus.PENDING)
