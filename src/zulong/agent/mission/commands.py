"""What a person may do to a running task: pause, resume, roll back, skip, adjust (the service ControlTask)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from zulong.agent.mission.state import ROOT
from zulong.tasks import TaskGraph, TaskGraphError, TaskNode, TaskStatus


class CommandError(ValueError):
    """The command does not fit the task as it stands; the message says why."""


def apply_command(graph: TaskGraph, command: Mapping[str, Any]) -> str | None:
    """Change the graph as a command says, and return the new hold ("" or "paused"), None to leave it.

    Raises:
        CommandError: it names no such node, or the node's status does not allow it; nothing has changed.
    """
    name, node_id = command["command"], command.get("node_id") or ROOT
    if name == "pause":
        return "paused"
    if name == "resume":
        return ""
    try:
        with graph.command():
            if name == "skip":
                _skip(graph, node_id)
            elif name == "adjust":
                _adjust(graph, node_id, command.get("title"), command.get("arguments"))
            elif name == "rollback":
                _roll_back(graph, node_id)
            else:
                raise CommandError(
                    f"There is no command {name!r}; use pause, resume, skip, adjust or rollback."
                )
    except TaskGraphError as error:
        raise CommandError(str(error)) from error
    return None


def _skip(graph: TaskGraph, node_id: str) -> None:
    for leaf in list(graph.leaves(node_id)):
        if leaf.status in (TaskStatus.IN_PROGRESS, TaskStatus.WAITING_INPUT):
            if leaf.status is TaskStatus.WAITING_INPUT:
                graph.start(leaf.id)
            graph.block(leaf.id, "skipped by the user")
        elif leaf.status is TaskStatus.NEEDS_ADJUST:
            graph.reopen(leaf.id)
    graph.skip(node_id, "skipped by the user")


def _adjust(graph: TaskGraph, node_id: str, title: str | None, arguments: Mapping[str, Any] | None) -> None:
    fields: dict[str, Any] = {}
    if title:
        fields["title"] = title
    if arguments is not None:
        fields["arguments"] = dict(arguments)
    if fields:
        graph.update(node_id, **fields)
    # Work that was done or begun with the old words is done again with the new ones.
    for leaf in list(graph.leaves(node_id)):
        if leaf.status in (TaskStatus.IN_PROGRESS, TaskStatus.COMPLETED):
            graph.needs_adjust(leaf.id, "adjusted by the user")
        if graph.status(leaf.id) in (TaskStatus.NEEDS_ADJUST, TaskStatus.BLOCKED):
            graph.reopen(leaf.id, "adjusted by the user")


def _roll_back(graph: TaskGraph, node_id: str) -> None:
    """Add the compensations as work to be done first, last done first undone, and let the rest wait for them."""
    undone = graph.rollback_order(node_id)
    compensated: list[TaskNode] = []
    for node in undone:
        if node.compensation is not None and node.has_effect:
            compensated.append(node)
        graph.mark_rolled_back(node.id)
    if not compensated:
        return
    group = graph.add_node(f"undo {graph.node(node_id).title}", parent=ROOT, meta={"undoes": node_id})
    previous: str | None = None
    for node in compensated:
        compensation = node.compensation or {}
        previous = graph.add_node(
            f"undo {node.title}",
            parent=group,
            skill=str(compensation.get("skill")),
            arguments=dict(compensation.get("arguments") or {}),
            depends_on=[previous] if previous else [],
            meta={"undoes": node.id},
        )
    for node in undone:
        graph.add_dependency(node.id, group)
