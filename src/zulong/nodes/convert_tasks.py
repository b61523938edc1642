"""Task graphs between the engine and their messages."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from zulong.msg import TaskGraph as TaskGraphMsg
from zulong.msg import TaskNode as TaskNodeMsg
from zulong.nodes.json_fields import json_object
from zulong.nodes.stamps import to_time
from zulong.tasks import TaskGraph, TaskNode
from zulong.tasks.status import ACTIVATION, TaskStatus

_STATUS = {status: getattr(TaskNodeMsg, f"STATUS_{status.name}") for status in TaskStatus}
_DONE = (TaskStatus.COMPLETED, TaskStatus.SKIPPED)


def to_task_graph(
    graph: TaskGraph, *, thread_id: str, instruction: str, language: str, now_s: float
) -> TaskGraphMsg:
    """Return the message of a graph, parents before their children.

    The root of an archived graph has ``outcome`` and ``summary`` of the whole task in its ``result_json``.
    """
    message = TaskGraphMsg(
        stamp=to_time(now_s),
        thread_id=thread_id,
        instruction=instruction,
        language=language,
        version=graph.version,
        root_id=graph.roots[0] if graph.roots else "",
    )
    order = _parents_first(graph)
    shares = _progress([node for node, _ in order])
    message.nodes = [_to_node(node, position, shares[node.id]) for node, position in order]
    if graph.archived is not None and message.nodes:
        message.nodes[0].result_json = _ended(graph.node(message.root_id).result, graph.archived)
    return message


def from_steps(message: TaskGraphMsg) -> list[dict[str, Any]]:
    """Read a ready plan as plain step trees (see :class:`zulong.agent.htn.step.Step`), the root left out.

    Raises:
        ValueError: a parent is unknown or comes after its child, an id repeats, or JSON is broken
            (then it is an InvalidFieldError).
    """
    steps: dict[str, dict[str, Any]] = {}
    roots: list[dict[str, Any]] = []
    for node in message.nodes:
        if not node.id or node.id in steps:
            raise ValueError(f"plan: node id {node.id!r} is empty or stands twice.")
        step = {
            "id": node.id,
            "title": node.title or node.skill or node.id,
            "skill": node.skill or None,
            "arguments": _object(node, "arguments_json") or {},
            "depends_on": list(node.depends_on),
            "children": [],
            "condition": _object(node, "condition_json"),
            "compensation": _object(node, "compensation_json"),
            "alternatives": [],
        }
        steps[node.id] = step
        if not node.parent_id:
            roots.append(step)
        elif node.parent_id in steps:
            steps[node.parent_id]["children"].append(step)
        else:
            raise ValueError(
                f"plan: node {node.id!r} stands before its parent {node.parent_id!r}, or that is missing."
            )
    unknown = {d for s in steps.values() for d in s["depends_on"]} - set(steps)
    if unknown:
        raise ValueError(f"plan: depends_on names unknown nodes: {', '.join(sorted(unknown))}.")
    only_root = len(roots) == 1 and roots[0]["skill"] is None and roots[0]["children"]
    return roots[0]["children"] if only_root else roots


def _parents_first(graph: TaskGraph) -> list[tuple[TaskNode, int]]:
    """Return every node with its place among its siblings, in the order of the tree."""
    order: list[tuple[TaskNode, int]] = []
    todo = [(root, 0) for root in reversed(graph.roots)]
    while todo:
        node_id, position = todo.pop()
        node = graph.node(node_id)
        order.append((node, position))
        todo.extend((child, place) for place, child in reversed(list(enumerate(node.children))))
    return order


def _progress(parents_first: Sequence[TaskNode]) -> dict[str, float]:
    """Return the share of finished leaves at or below each node; a leaf is finished or not."""
    done: dict[str, int] = {}
    leaves: dict[str, int] = {}
    for node in reversed(parents_first):
        if node.is_leaf:
            done[node.id], leaves[node.id] = int(node.status in _DONE), 1
        else:
            done[node.id] = sum(done[child] for child in node.children)
            leaves[node.id] = sum(leaves[child] for child in node.children)
    return {node_id: done[node_id] / count for node_id, count in leaves.items()}


def _ended(result: Any, archived: Mapping[str, Any]) -> str:
    own = result if isinstance(result, Mapping) else {}
    how = {"outcome": archived.get("outcome", ""), "summary": archived.get("summary", "")}
    return json.dumps({**own, **how}, ensure_ascii=False, default=str)


def _to_node(node: TaskNode, position: int, progress: float) -> TaskNodeMsg:
    return TaskNodeMsg(
        id=node.id,
        parent_id=node.parent or "",
        title=node.title,
        type=node.type,
        depth=node.depth,
        position=position,
        status=_STATUS[node.status],
        depends_on=list(node.depends_on),
        skill=node.skill or "",
        arguments_json=_dump(node.arguments),
        condition_json=_dump(node.condition),
        compensation_json=_dump(node.compensation),
        progress=progress,
        activation=ACTIVATION.get(node.status, 0.0),
        attempts=min(node.attempts, 2**16 - 1),
        error_code=int(node.meta.get("error_code", 0)),
        error_msg=node.reason if node.status is TaskStatus.BLOCKED else "",
        result_json=json.dumps(node.result, ensure_ascii=False, default=str) if node.result else "",
        started=to_time(node.started_at),
        finished=to_time(node.finished_at),
    )


def _dump(value: Mapping[str, Any] | None) -> str:
    return json.dumps(dict(value), ensure_ascii=False, default=str) if value else ""


def _object(node: TaskNodeMsg, field: str) -> dict[str, Any] | None:
    text: str = getattr(node, field)
    return json_object(text, f"plan: {field} of node {node.id!r}") if text else None
