"""What a request offers the model: the tools it may call now, and what it is told for this turn."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from zulong.agent.budget import Budget
from zulong.agent.loop.findings import Action
from zulong.agent.loop.plan_tools import PLAN_TOOLS
from zulong.agent.tools.tool import ToolRegistry

_PLAN_DEFINITIONS = {name: tool.definition() for name, tool in PLAN_TOOLS.items()}


def offered_tools(
    tools: ToolRegistry,
    chosen: Sequence[str] | None,
    breaker: Mapping[str, Any],
    budget: Budget,
    own: Collection[str],
) -> list[dict[str, Any]]:
    """Return the tools of the next request: none at the budget's end or when an end is forced.

    Args:
        tools: the registry.
        chosen: names of those chosen for the task, None for all.
        breaker: the breaker's part of the state.
        budget: what is left.
        own: names of the loop's own tools that are offered.
    """
    if budget.exhausted or breaker["forced"] is not None:
        return []
    names = chosen or list(tools.names)
    return tools.definitions([name for name in names if name not in breaker["removed"]]) + [
        definition
        for name, definition in _PLAN_DEFINITIONS.items()
        if name in own and name not in breaker["removed"]
    ]


def hints(breaker: Mapping[str, Any], budget: Budget) -> list[str]:
    """Return what the model is told in the next request only."""
    out = []
    if budget.exhausted:
        if budget.limit:
            out.append(
                f"The limit of {budget.limit} tool calls is reached. Conclude from what you have, and say "
                f"plainly what is not done."
            )
        else:
            out.append("The user wants no tools to be used. Answer from what you know.")
    if breaker["forced"] is not None:
        out.append(f"{breaker['forced']} Conclude now: say what was done and what was not.")
    for finding in breaker.get("findings", ()):
        if finding["action"] == Action.CONVERGE.value:
            out.append(f"{finding['reason']} Bring the task to an end with as few further calls as possible.")
        elif finding["action"] == Action.REMOVE_TOOL.value:
            out.append(f"{finding['reason']} It is not offered for now: go another way.")
        elif finding["action"] == Action.TRUNCATE.value:
            out.append(f"{finding['reason']} Answer in a few sentences.")
    return out
