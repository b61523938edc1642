"""Turning a tree of plan steps into nodes; any object with the fields of :class:`PlanStep` will do."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol

from zulong.tasks.errors import DuplicateTaskError, UnknownTaskError

if TYPE_CHECKING:
    from zulong.tasks.building import TaskBuilding


class PlanStep(Protocol):
    """What a planner's step must offer."""

    @property
    def id(self) -> str: ...
    @property
    def title(self) -> str: ...
    @property
    def skill(self) -> str | None: ...
    @property
    def arguments(self) -> Mapping[str, Any]: ...
    @property
    def depends_on(self) -> Sequence[str]: ...
    @property
    def children(self) -> Sequence[PlanStep]: ...
    @property
    def condition(self) -> Mapping[str, Any] | None: ...
    @property
    def compensation(self) -> Mapping[str, Any] | None: ...
    @property
    def alternatives(self) -> Sequence[Any]: ...


def add_steps(graph: TaskBuilding, parent_id: str | None, steps: Sequence[PlanStep]) -> dict[str, str]:
    """Add the steps below ``parent_id``; see ``TaskGraph.add_plan``."""
    pairs: list[tuple[PlanStep, PlanStep | None]] = []
    names: dict[str, str] = {}
    taken: set[str] = set()
    for step, parent in _walk(steps):
        if step.id in names:
            raise DuplicateTaskError(
                f"Two steps of the plan have the id {step.id!r}, or a step lies below itself; give each its own."
            )
        names[step.id] = _free_name(graph, step.id, taken)
        taken.add(names[step.id])
        pairs.append((step, parent))
    for step, parent_step in pairs:
        graph.add_node(
            step.title,
            parent=parent_id if parent_step is None else names[parent_step.id],
            id=names[step.id],
            skill=step.skill,
            arguments=step.arguments,
            condition=step.condition,
            compensation=step.compensation,
            alternatives=[_plain(way) for way in step.alternatives],
            meta={"step": step.id},
        )
    for step, _ in pairs:
        for needed in step.depends_on:
            target = names.get(needed, needed)
            if target not in graph:
                raise UnknownTaskError(needed)
            graph.add_dependency(names[step.id], target)
    return names


def _walk(steps: Sequence[PlanStep]) -> Iterator[tuple[PlanStep, PlanStep | None]]:
    stack: list[tuple[PlanStep, PlanStep | None]] = [(step, None) for step in reversed(steps)]
    while stack:
        step, parent = stack.pop()
        yield step, parent
        stack.extend((child, step) for child in reversed(step.children))


def _free_name(graph: TaskBuilding, wanted: str, taken: set[str]) -> str:
    name, number = wanted, 1
    while name in graph or name in taken:
        number += 1
        name = f"{wanted}_{number}"
    return name


def _plain(value: Any) -> Any:
    """Return an alternative (a step or a sequence of steps) as plain data."""
    if hasattr(value, "to_dict"):
        return value.to_dict()
    if isinstance(value, (list, tuple)):
        return [_plain(item) for item in value]
    return value
