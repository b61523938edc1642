"""What is tried when a leaf has failed: again, another way of the plan, another plan."""

from __future__ import annotations

import logging
import re
from collections.abc import Mapping, Sequence
from typing import Any

from zulong.agent.chat.errors import ChatError
from zulong.agent.codes import SkillCode
from zulong.agent.htn.step import Plan, Step, rename_references
from zulong.agent.mission.state import Failure, MissionConfig, Planner
from zulong.agent.skills import SkillResult
from zulong.tasks import TaskGraph, TaskGraphError, TaskNode, TaskStatus

logger = logging.getLogger(__name__)

# What a way that is no plan, or does not fit into this one, fails with; the graph is then as it was.
_UNUSABLE = (TaskGraphError, AttributeError, KeyError, TypeError)


class Recovery:
    """Repairs the task graph after failures, within the limits of the configuration."""

    def __init__(self, planner: Planner, config: MissionConfig) -> None:
        self._planner = planner
        self._config = config
        self._transient = {SkillCode[name] for name in config.transient}
        self.last_cost = 0

    def try_again(self, graph: TaskGraph, leaf: TaskNode, reason: str, *, counted: bool) -> None:
        """Put a leaf that was in progress back to pending."""
        tries = int(leaf.meta.get("tries", 1)) + counted
        graph.update(leaf.id, meta={**leaf.meta, "tries": tries})
        graph.block(leaf.id, reason)
        graph.reopen(leaf.id, reason)

    def recover(
        self,
        graph: TaskGraph,
        leaf: TaskNode,
        result: SkillResult,
        replans: int,
        context: Mapping[str, Any] | None,
    ) -> bool:
        """Repair the graph after a failure of ``leaf`` (in progress); False when no way is left.

        ``last_cost`` then says how many replans it took (0 for a plain retry).
        """
        self.last_cost = 0
        if result.code in self._transient and int(leaf.meta.get("tries", 1)) <= self._config.retries:
            self.try_again(graph, leaf, result.message, counted=True)
            return True
        if replans >= self._config.max_replans or result.result.get("denied"):
            return False
        self.last_cost = 1
        return self._next_alternative(graph, leaf, result) or self._another_plan(graph, leaf, result, context)

    def drop_open_work(self, graph: TaskGraph, reason: str) -> None:
        """Skip everything that is not done, because the user wants something else."""
        self._skip_open(graph, list(graph.leaves()), reason)

    def start_over(self, graph: TaskGraph, reason: str) -> None:
        """Let everything that is in progress be done anew, because the surroundings changed."""
        for leaf in list(graph.leaves()):
            if leaf.status is TaskStatus.IN_PROGRESS:
                self.try_again(graph, leaf, reason, counted=False)

    def _next_alternative(self, graph: TaskGraph, leaf: TaskNode, result: SkillResult) -> bool:
        """Replace the nearest node at or above the leaf that knows another way."""
        node = leaf
        while not node.alternatives:
            if node.parent is None:
                return False
            node = graph.node(node.parent)
        for n, way in enumerate(node.alternatives, start=1):
            graph.update(node.id, alternatives=node.alternatives[n:])
            try:
                with graph.command():
                    self._replace(graph, node, leaf, _steps(way), result.message)
            except _UNUSABLE as error:
                logger.warning("A way to %r is passed over, it cannot be followed: %s", node.title, error)
                continue
            return True
        return False

    def _another_plan(
        self, graph: TaskGraph, leaf: TaskNode, result: SkillResult, context: Mapping[str, Any] | None
    ) -> bool:
        replan = getattr(self._planner, "replan", None)
        if replan is None:
            return False
        try:
            found = replan(Failure(leaf, int(result.code), result.message, graph), context)
        except ChatError as error:
            logger.warning("No other way to %r was found: %s", leaf.title, error)
            return False
        if not isinstance(found, Plan) or not found.steps:
            return False
        node = leaf
        while node.parent is not None and graph.node(node.parent).parent is not None:
            node = graph.node(node.parent)
        try:
            with graph.command():
                self._replace(graph, node, leaf, found.steps, result.message)
        except _UNUSABLE as error:
            logger.warning("The other plan for %r cannot be followed: %s", leaf.title, error)
            return False
        return True

    def _replace(
        self, graph: TaskGraph, node: TaskNode, leaf: TaskNode, steps: Sequence[Step], reason: str
    ) -> None:
        """Put new steps under a node; what is left of its old way is skipped, what is done stays done."""
        graph.block(leaf.id, reason)
        if node.id == leaf.id:
            graph.convert_leaf_to_parent(leaf.id, [{"title": leaf.title, "meta": {"failed": True}}])
            failed = graph.node(leaf.id).children[0]
            graph.skip(failed, reason, cause="replanned")
        else:
            self._skip_open(graph, list(graph.leaves(node.id)), reason)
        waiting = _outside_dependents(graph, node)
        old_steps = [_step_id(graph.node(member)) for member in _members(graph, node.id)]
        fresh = _fresh(graph, steps)
        names = graph.add_plan(node.id, fresh)
        _redirect_references(graph, old_steps, [step.id for top in fresh for step in top.walk()])
        tops = [name for name in names.values() if graph.node(name).parent == node.id]
        # What waited for a part of the old way would now find it skipped and start too early.
        for dependent in waiting:
            for top in tops:
                graph.add_dependency(dependent, top)

    def _skip_open(self, graph: TaskGraph, leaves: Sequence[TaskNode], reason: str) -> None:
        for old in leaves:
            status = graph.status(old.id)
            if status is TaskStatus.WAITING_INPUT:
                graph.start(old.id)
            if status in (TaskStatus.IN_PROGRESS, TaskStatus.WAITING_INPUT):
                graph.block(old.id, reason)
            if status is TaskStatus.NEEDS_ADJUST:
                graph.reopen(old.id, reason)
            if graph.status(old.id) in (TaskStatus.PENDING, TaskStatus.BLOCKED):
                graph.skip(old.id, reason, cause="replanned")


_SUFFIX = re.compile(r"(?:_try\d+|_v\d+)+$")


def _step_id(node: TaskNode) -> str:
    return str(node.meta.get("step", node.id))


def _members(graph: TaskGraph, node_id: str) -> list[str]:
    """Return the ids of everything below a node."""
    found: list[str] = []
    stack = list(graph.node(node_id).children)
    while stack:
        current = stack.pop()
        found.append(current)
        stack.extend(graph.node(current).children)
    return found


def _role(step_id: str) -> str:
    """Return what a step is for within its way: planners name the steps of ways ``<way>_<role>``."""
    return _SUFFIX.sub("", step_id).partition("_")[2]


def _redirect_references(graph: TaskGraph, old: Sequence[str], new: Sequence[str]) -> None:
    """Let what is still to be done use the results of the new way's steps in place of the old way's."""
    by_role = {_role(step_id): step_id for step_id in new if _role(step_id)}
    pairs = {step_id: by_role[_role(step_id)] for step_id in old if _role(step_id) in by_role}
    added = set(new)
    for node in list(graph.nodes()):
        if node.status is not TaskStatus.PENDING or _step_id(node) in added:
            continue
        fields = {
            name: (value, rename_references(value, pairs))
            for name in ("arguments", "condition", "compensation")
            if (value := getattr(node, name)) is not None
        }
        changed = {name: after for name, (before, after) in fields.items() if after != before}
        if changed:
            graph.update(node.id, **changed)


def _outside_dependents(graph: TaskGraph, node: TaskNode) -> list[str]:
    """Return the unfinished nodes outside a subtree that depend on a part of it (not on its top)."""
    inside: list[str] = []
    stack = [node.id]
    while stack:
        current = stack.pop()
        inside.append(current)
        stack.extend(graph.node(current).children)
    members = set(inside)
    found = {d for part in inside if part != node.id for d in graph.dependents(part)} - members
    return sorted(d for d in found if graph.status(d) is TaskStatus.PENDING)


def _steps(way: Any) -> tuple[Step, ...]:
    plain = way if isinstance(way, (list, tuple)) else [way]
    return tuple(step if isinstance(step, Step) else Step.from_dict(step) for step in plain)


def _fresh(graph: TaskGraph, steps: Sequence[Step]) -> tuple[Step, ...]:
    """Rename steps whose ids are taken, and the references among them, so that results are not mixed up."""
    taken = {str(node.meta.get("step", node.id)) for node in graph.nodes()} | set(graph)
    names: dict[str, str] = {}
    for step in (inner for top in steps for inner in top.walk()):
        name, number = step.id, 1
        while name in taken or name in names.values():
            number += 1
            name = f"{step.id}_v{number}"
        names[step.id] = name
    return tuple(_renamed(step, names) for step in steps)


def _renamed(step: Step, names: Mapping[str, str]) -> Step:
    plain = step.to_dict()
    return Step(
        id=names[step.id],
        title=step.title,
        skill=step.skill,
        arguments=rename_references(plain["arguments"], names),
        depends_on=tuple(names.get(needed, needed) for needed in step.depends_on),
        children=tuple(_renamed(child, names) for child in step.children),
        condition=rename_references(plain["condition"], names),
        compensation=rename_references(plain["compensation"], names),
        alternatives=step.alternatives,
    )
