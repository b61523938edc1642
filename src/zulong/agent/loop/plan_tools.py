"""The tools by which a model keeps its own plan as a task graph: plan_steps and mark_step."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from zulong.agent.tools.tool import Tool
from zulong.tasks import TaskGraph, TaskGraphError, TaskStatus

ROOT = "goal"

PLAN_STEPS = Tool(
    name="plan_steps",
    description="Write down the steps of the task, or add further ones, before doing them.",
    parameters={
        "type": "object",
        "properties": {
            "steps": {
                "type": "array",
                "minItems": 1,
                "maxItems": 50,
                "items": {
                    "type": "object",
                    "properties": {
                        "title": {"type": "string", "description": "what is done, in a few words"},
                        "tool": {"type": "string", "description": "the tool that does it, if one does"},
                        "arguments": {"type": "object", "description": "its arguments"},
                        "after": {
                            "type": "array",
                            "items": {"type": "string"},
                            "description": "ids or titles of steps that must be done before",
                        },
                    },
                    "required": ["title"],
                },
            }
        },
        "required": ["steps"],
    },
)
MARK_STEP = Tool(
    name="mark_step",
    description="Say how a step of the plan stands: in_progress, completed, blocked or skipped, and how you know.",
    parameters={
        "type": "object",
        "properties": {
            "step": {"type": "string", "description": "id of the step"},
            "status": {"type": "string", "enum": ["in_progress", "completed", "blocked", "skipped"]},
            "how": {"type": "string", "description": "the result, or why not"},
        },
        "required": ["step", "status", "how"],
    },
    aliases={"id": "step", "step_id": "step", "reason": "how", "result": "how"},
)
PLAN_TOOLS: Mapping[str, Tool] = {tool.name: tool for tool in (PLAN_STEPS, MARK_STEP)}


def run_plan_tool(
    graph: TaskGraph, name: str, arguments: Mapping[str, Any], instruction: str
) -> tuple[bool, str]:
    """Change the plan as a call says; return whether it worked, and words for the model."""
    try:
        with graph.command():
            if name == "plan_steps":
                return True, _plan(graph, arguments["steps"], instruction)
            return True, _mark(graph, arguments["step"], arguments["status"], arguments["how"])
    except TaskGraphError as error:
        return False, f"error: {error}"


def _plan(graph: TaskGraph, steps: Sequence[Mapping[str, Any]], instruction: str) -> str:
    if ROOT not in graph:
        graph.add_node(instruction or "task", id=ROOT)
    by_title = {node.title: node.id for node in graph.nodes()}
    lines = []
    for step in steps:
        needed = [by_title.get(str(name), str(name)) for name in step.get("after") or ()]
        node_id = graph.add_node(
            step["title"],
            parent=ROOT,
            skill=step.get("tool"),
            arguments=step.get("arguments") or {},
            depends_on=needed,
        )
        by_title[step["title"]] = node_id
        lines.append(f"{node_id}: {step['title']}")
    return "Planned:\n" + "\n".join(lines)


def _mark(graph: TaskGraph, step: str, status: str, how: str) -> str:
    if step not in graph:
        step = next((node.id for node in graph.nodes() if node.title == step), step)
    now = graph.status(step)
    if status == "completed":
        complete_node(graph, step, how)
    elif status == "blocked":
        graph.block(step, how)
    elif status == "skipped":
        if now is TaskStatus.IN_PROGRESS:
            graph.block(step, how)
        graph.skip(step, how)
    else:
        graph.start(step)
    left = [
        leaf.id for leaf in graph.leaves() if leaf.status not in (TaskStatus.COMPLETED, TaskStatus.SKIPPED)
    ]
    return f"{step} is {graph.status(step)}. " + (f"Open: {', '.join(left)}." if left else "Nothing is open.")


def complete_node(graph: TaskGraph, node_id: str, how: str) -> None:
    """Bring an open leaf to completed, through in_progress where it was not begun."""
    if graph.status(node_id) is not TaskStatus.IN_PROGRESS:
        graph.start(node_id)
    graph.complete(node_id, {"how": how})
