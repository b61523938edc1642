"""Whether a plan can be followed at all, found out before anything is done."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from zulong.agent.htn.step import CONDITION_OPERATORS, Plan, Step
from zulong.agent.mission.state import ROOT
from zulong.tasks import TaskGraph, TaskGraphError

# Deeper trees are no plans for a robot, and the plain form of a plan is read and written by recursion.
_DEEPEST = 100


class PlanError(ValueError):
    """The plan cannot be followed; the message says which step and why."""


def check_plan(plan: Plan) -> None:
    """Look a plan over: its steps, how they depend on each other, their conditions and compensations.

    Raises:
        PlanError: it cannot be followed.
    """
    if not plan.steps:
        raise PlanError("The plan has no steps; give at least one.")
    add_checked(TaskGraph(), plan.steps)


def add_checked(graph: TaskGraph, steps: Sequence[Step]) -> None:
    """Add a plan's steps below the goal, which is made when it is not there.

    Raises:
        PlanError: they do not fit each other; nothing was added.
    """
    for step in _steps(steps):
        _check_condition(step)
        _check_compensation(step)
        _check_alternatives(step)
    try:
        with graph.command():
            if ROOT not in graph:
                graph.add_node("plan", id=ROOT)
            graph.add_plan(ROOT, steps)
    except (TaskGraphError, TypeError, AttributeError) as error:
        raise PlanError(f"The plan cannot be followed: {error}") from error


def _steps(steps: Sequence[Step]) -> Iterator[Step]:
    stack = [(step, 1) for step in reversed(steps)]
    while stack:
        step, depth = stack.pop()
        if depth > _DEEPEST:
            raise PlanError(f"The plan is nested more than {_DEEPEST} levels deep at step {step.id!r}.")
        yield step
        stack.extend((child, depth + 1) for child in reversed(step.children))


def _check_condition(step: Step) -> None:
    condition: Any = step.condition
    if condition is None:
        return
    whole = isinstance(condition, Mapping) and condition.keys() >= {"left", "op", "right"}
    if not whole or condition["op"] not in CONDITION_OPERATORS:
        raise PlanError(
            f"The condition of step {step.id!r} must be left, op and right with op one of "
            f"{' '.join(CONDITION_OPERATORS)}, got {repr(condition)[:120]}."
        )


def _check_compensation(step: Step) -> None:
    compensation: Any = step.compensation
    if compensation is None:
        return
    arguments = compensation.get("arguments") or {} if isinstance(compensation, Mapping) else None
    if not isinstance(arguments, Mapping) or not isinstance(compensation.get("skill"), str):
        raise PlanError(
            f"The compensation of step {step.id!r} must name a skill and its arguments, "
            f"got {repr(compensation)[:120]}."
        )


def _check_alternatives(step: Step) -> None:
    for way in step.alternatives:
        steps: Any = way if isinstance(way, (list, tuple)) else [way]
        if not all(isinstance(part, (Step, Mapping)) for part in steps):
            raise PlanError(f"An alternative of step {step.id!r} is no steps: {repr(way)[:120]}.")
