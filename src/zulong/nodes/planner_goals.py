"""What a goal for the planner must be before anybody thinks about it."""

from __future__ import annotations

from graphlib import CycleError, TopologicalSorter

from zulong.action import ExecuteTask
from zulong.nodes.sentences import brief
from zulong.nodes.stamps import from_duration

LONGEST_INSTRUCTION = 4000
LONGEST_NAME = 256
MOST_STEPS = 500
MOST_LEVELS = 32


def goal_problem(request: ExecuteTask.Goal) -> str:
    """Return the sentence that says what is wrong with a goal, empty when nothing is."""
    if not (request.instruction.strip() or request.thread_id or request.plan.nodes):
        return (
            "The goal has neither words, nor a plan, nor a thread; give one of instruction, plan, thread_id."
        )
    for field, text in (("instruction", request.instruction), ("plan.instruction", request.plan.instruction)):
        if len(text) > LONGEST_INSTRUCTION:
            return f"{field} has {len(text)} characters; at most {LONGEST_INSTRUCTION} are read."
    for field in ("thread_id", "session", "person"):
        text = getattr(request, field)
        if len(text) > LONGEST_NAME:
            return f"{field} has {len(text)} characters; at most {LONGEST_NAME} are allowed."
    if from_duration(request.time_limit) < 0.0:
        return "time_limit is negative; zero stands for the planner's own limit."
    if request.tool_budget < -1:
        return f"tool_budget {request.tool_budget} is below -1, which stands for no limit."
    return _plan_problem(request)


def _plan_problem(request: ExecuteTask.Goal) -> str:
    nodes = request.plan.nodes
    if len(nodes) > MOST_STEPS:
        return f"plan has {len(nodes)} nodes; at most {MOST_STEPS} are carried out."
    levels: dict[str, int] = {}
    for node in nodes:
        levels[node.id] = levels.get(node.parent_id, 0) + 1
        if levels[node.id] > MOST_LEVELS:
            return f"plan: node {brief(node.id, 60)!r} lies deeper than {MOST_LEVELS} levels."
    waits: dict[str, set[str]] = {node.id: set(node.depends_on) for node in nodes}
    for node in nodes:
        if node.parent_id in waits:
            waits[node.parent_id].add(node.id)  # a parent ends when its children have
    try:
        TopologicalSorter(waits).prepare()
    except CycleError as error:
        circle = brief(" -> ".join(error.args[1]), 200)
        return f"plan: {circle} wait for each other in a circle; remove one of these dependencies."
    return ""
