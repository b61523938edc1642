"""What a person may do to a running task: pause, resume, roll back, skip, adjust (the service ControlTask)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from zulong.agent.htn.step import UnresolvedReferenceError, resolve
from zulong.agent.mission.results import results_of
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
        if leaf.meta.get("unknown_end"):
            graph.update(leaf.id, meta={k: v for k, v in leaf.meta.items() if k != "unknown_end"})
        if leaf.status in (TaskStatus.IN_PROGRESS, TaskStatus.COMPLETED):
            graph.needs_adjust(leaf.id, "adjusted by the user")
        if graph.status(leaf.id) in (TaskStatus.NEEDS_ADJUST, TaskStatus.BLOCKED):
            graph.reopen(leaf.id, "adjusted by the user")


def _roll_back(graph: TaskGraph, node_id: str) -> None:
    """Add the compensations as work to be done first, last done first undone, and let the rest wait for them."""
    undone = _rolled_back_by(graph, node_id)
    unknown = [node.title for node in undone if node.meta.get("unknown_end")]
    if unknown:
        raise CommandError(
            f"Nobody knows whether this was done, so it cannot be undone: {', '.join(unknown)}."
        )
    results = results_of(graph)
    group = ""
    previous: str | None = None
    for node in undone:
        if node.compensation is not None and node.has_effect:
            group = group or graph.add_node(
                f"undo {graph.node(node_id).title}", parent=ROOT, meta={"undoes": node_id}
            )
            previous = graph.add_node(
                f"undo {node.title}",
                parent=group,
                skill=str(node.compensation.get("skill")),
                arguments=_settled(node.compensation.get("arguments") or {}, results),
                depends_on=[previous] if previous else [],
                meta={"undoes": node.id},
            )
        graph.mark_rolled_back(node.id)
    for node in undone if group else ():
        graph.add_dependency(node.id, group)


def _rolled_back_by(graph: TaskGraph, node_id: str) -> list[TaskNode]:
    """Return the leaves that a rollback takes back, last done first.

    What undoes other work is not undone, and what another way took the place of does not come back beside it.
    """
    taken = graph.rollback_order(node_id)
    return [node for node in taken if "undoes" not in node.meta and node.cause != "replanned"]


def _settled(arguments: Mapping[str, Any], results: Mapping[str, Any]) -> dict[str, Any]:
    """Return arguments with the results put in that they refer to, which the rollback takes away."""
    try:
        return resolve(arguments, results)
    except UnresolvedReferenceError:
        return dict(arguments)  # it fails with its reason when its turn comes


def withdrawn_by(inputs: Mapping[str, Any], graph: TaskGraph) -> set[str]:
    """Return the nodes whose calls, if under way, are taken away by what the user or a verdict wants.

    Such a call must have ended before, or nobody would know what became of it.
    """
    verdict = inputs.get("verdict") or {}
    if verdict.get("decision") in ("abort", "replan"):
        return {leaf.id for leaf in graph.leaves()}
    found: set[str] = set()
    for command in inputs.get("commands", ()):
        node_id = command.get("node_id") or ROOT
        if node_id not in graph:
            continue
        if command["command"] == "rollback":
            found |= {node.id for node in _rolled_back_by(graph, node_id)}
        elif command["command"] in ("skip", "adjust"):
            found |= {leaf.id for leaf in graph.leaves(node_id)}
    return found
