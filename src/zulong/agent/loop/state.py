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


Update = dict[str, Any]
"""What a node gives back: keys of :class:`LoopState` and their new values."""


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
        breaker: where this run's turns begin, how often each net caught, tools taken away, which calls the
            user has denied, after which turn the user has spoken last, whether an end is forced.
        turns: what came of each turn, see :class:`zulong.agent.loop.turns.Turn`; only grows.
        surroundings: how things looked when the task was interrupted.
        turn: of the present turn: its calls (repaired), the reply when it calls nothing, which calls are
            denied and which were not asked for, what came of them, the remote ones that are waited for, words for
            the end of the turn, and what was said of a reply that a freeze broke off.
        hold: while a reflex holds the task: ``frozen``, why, how things looked before, and to which node the run
            goes ``back``.
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
    turns: Annotated[list[dict[str, Any]], AppendLog]
    surroundings: dict[str, Any]
    turn: dict[str, Any]
    hold: dict[str, Any]
    outcome: dict[str, Any] | None


def fresh_breaker(since: int) -> dict[str, Any]:
    """Return the breaker's part of the state at the begin of a run; ``since`` turns were before it."""
    return {
        "since": since,
        "caught": {},
        "removed": {},
        "forced": None,
        "truncate": False,
        "denied": [],
        "spoken": 0,
        "findings": [],
        "plan_closed": -1,
    }
