"""How a run of the loop ends: the outcome as the state holds it."""

from __future__ import annotations

from typing import Any

from zulong.agent.codes import TaskCode
from zulong.agent.latch import current_latch
from zulong.agent.loop.scope import current_run
from zulong.tasks import TaskGraph, TaskStatus

TIME_LIMIT = "the time limit ended"


def end(code: TaskCode, message: str, text: str = "") -> dict[str, Any]:
    """Return the update that ends the run."""
    return {"outcome": {"code": int(code), "message": message, "text": text}}


def stopped(before: dict[str, Any] | None = None) -> dict[str, Any]:
    """Return the end by a stop from outside, with how things look now for whoever goes on later.

    Args:
        before: how things looked at an interruption that is not settled yet; that counts, not now.
    """
    reason = current_latch().reason
    code = TaskCode.TIME_LIMIT if reason == TIME_LIMIT else TaskCode.CANCELED
    surroundings = before if before is not None else current_run().surroundings().to_dict()
    return {
        **end(code, f"The task was stopped: {reason or 'canceled'}."),
        "surroundings": surroundings,
    }


def open_titles(graph: TaskGraph) -> list[str]:
    """Return the titles of the plan's leaves that are neither completed nor skipped."""
    closed = (TaskStatus.COMPLETED, TaskStatus.SKIPPED)
    return [leaf.title for leaf in graph.leaves() if leaf.status not in closed]


def with_events(state: Any, graph: TaskGraph, update: dict[str, Any]) -> dict[str, Any]:
    """Return an update with the plan's new events, and tell of the plan when there are any."""
    new = graph.events_since(len(state.get("events", [])))
    if new:
        update["events"] = [event.to_dict() for event in new]
        current_run().tell({"event": "plan", "graph": graph})
    return update
