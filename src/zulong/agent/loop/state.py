"""What a loop's thread keeps in its checkpoint, part by part."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, TypedDict

from zulong.stategraph.channels import AppendLog


def spend(left: Mapping[str, Any] | None, right: Mapping[str, Any]) -> dict[str, Any]:
    """Reduce the budget: ``{"spend": n}`` adds to what is used, from any number of branches; else it is set."""
    if "spend" in right and left is not None:
        return {**left, "used": int(left.get("used", 0)) + int(right["spend"])}
    return {"limit": right.get("limit"), "used": int(right.get("used", 0))}


class LoopState(TypedDict, total=False):
    """The channels of the loop; plain values only.

    Attributes:
        request: what this run was asked: kind (instruction, answer, resume) and text.
        instruction: the task's words.
        messages: the conversation in OpenAI's form; only grows.
        compaction: ``upto`` (messages before it are in memory) and ``digest`` (what stands for them).
        events: of the plan's task graph, appended.
        budget: limit and use of tool calls.
        offered: names of the tools chosen for this task, None for all.
        breaker: turns, how often each net caught, tools taken away, whether an end is forced.
        surroundings: how things looked when the task was interrupted.
        reply: the last reply that called nothing: text, refusal, finish.
        calls: calls of the last reply that are still to be made, repaired.
        denied: ids of calls that nobody allowed.
        remote: calls whose results are waited for.
        facts: what came of the calls of this turn.
        outcome: how the run ended, None while it runs.
    """

    request: dict[str, Any]
    instruction: str
    messages: Annotated[list[dict[str, Any]], AppendLog]
    compaction: dict[str, Any]
    events: Annotated[list[dict[str, Any]], AppendLog]
    budget: Annotated[dict[str, Any], spend]
    offered: list[str] | None
    breaker: dict[str, Any]
    surroundings: dict[str, Any]
    reply: dict[str, Any] | None
    calls: list[dict[str, Any]]
    denied: list[str]
    remote: list[dict[str, Any]]
    facts: list[dict[str, Any]]
    outcome: dict[str, Any] | None


def fresh_breaker() -> dict[str, Any]:
    """Return the breaker's part of the state at the begin of a task."""
    return {
        "turns": [],
        "number": 0,
        "caught": {},
        "removed": {},
        "forced": None,
        "truncate": False,
        "findings": [],
    }
