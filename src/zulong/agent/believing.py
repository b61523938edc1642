"""The offline planner with the robot's beliefs of the moment, in the form that missions ask for."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from zulong.agent.codes import SkillCode
from zulong.agent.htn import MapWorld, OfflinePlanner, Plan, Step
from zulong.agent.htn.step import Language, PlanResult
from zulong.agent.mission.state import Failure
from zulong.tasks import TaskGraph, TaskNode, TaskStatus

_FINISHED = (TaskStatus.COMPLETED, TaskStatus.SKIPPED)


class BelievingPlanner:
    """Plans and replans with what is believed when it is asked. Thread-safe as far as ``believe`` is.

    Args:
        planner: knows the language, the skills and the map.
        believe: returns the world as it is believed now.
    """

    def __init__(self, planner: OfflinePlanner, believe: Callable[[], MapWorld]) -> None:
        self._planner = planner
        self._believe = believe

    def plan(self, text: str, context: Mapping[str, Any] | None = None) -> PlanResult:
        """Return a plan, a question or a refusal for an instruction."""
        return self._planner.plan(text, context, self._believe())

    def thing_in_answer(self, answer: str) -> str:
        """Return the name of the one thing that somebody's answer names, "" when it names none or several."""
        return self._planner.thing_in_answer(answer)

    def replan(self, failure: Failure, context: Mapping[str, Any] | None = None) -> PlanResult | None:
        """Return another way for the errand that the failed leaf belongs to, None when there is none.

        Only the top-level step that failed is planned anew: what follows it waits for it in the graph.
        """
        graph, leaf = failure.graph, failure.node
        top = leaf
        while top.parent is not None and graph.node(top.parent).parent is not None:
            top = graph.node(top.parent)
        language: Language = "zh" if (context or {}).get("language") == "zh" else "en"
        plan = Plan((_step(graph, top),), language, top.title, dict(context or {}))
        done = [node.id for node in graph.leaves(top.id) if node.status in _FINISHED]
        error = SkillCode(failure.code).name
        return self._planner.replan(plan, leaf.id, error, self._believe(), done=done, message=failure.message)


def _step(graph: TaskGraph, node: TaskNode) -> Step:
    return Step(
        id=node.id,
        title=node.title,
        skill=node.skill,
        arguments=node.arguments,
        depends_on=node.depends_on,
        children=tuple(_step(graph, graph.node(child)) for child in node.children),
        condition=node.condition,
        compensation=node.compensation,
        alternatives=tuple(tuple(Step.from_dict(step) for step in way) for way in node.alternatives),
    )
