"""Finding a past task that was like the present one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from zulong.tasks.likeness import covered, likeness, terms

if TYPE_CHECKING:
    from zulong.tasks.graph import TaskGraph


@dataclass(slots=True, frozen=True)
class PastTask:
    """What stays of a finished task graph.

    Attributes:
        id: of the task (its thread).
        text: what was asked for, and the titles of the steps, one a line.
        outcome: how it ended.
        summary: one sentence.
        graph: the saved graph, see ``TaskGraph.to_dict``, or an outline of its nodes.
        instruction: what was asked for; empty: it is the first line of the text.
    """

    id: str
    text: str
    outcome: str
    summary: str
    graph: Mapping[str, Any]
    instruction: str = ""


@dataclass(slots=True, frozen=True)
class SimilarTask:
    """A past task and how alike it is, 0..1."""

    score: float
    task: PastTask


class PastTaskSearch(Protocol):
    """Where past tasks are kept and found; the memory graph's adapter is one."""

    def keep(self, task: PastTask) -> None:
        """Keep an archived task."""

    def similar(self, text: str, limit: int = 3) -> list[SimilarTask]:
        """Return the most alike past tasks, best first."""


def past_task(graph: TaskGraph, task_id: str, instruction: str) -> PastTask:
    """Return what stays of an archived graph.

    Raises:
        ValueError: the graph is not archived yet.
    """
    if graph.archived is None:
        raise ValueError(f"Task {task_id!r} is not archived; call archive() first.")
    titles = "\n".join(node.title for node in graph.nodes())
    return PastTask(
        id=task_id,
        text=f"{instruction}\n{titles}",
        outcome=str(graph.archived.get("outcome", "")),
        summary=str(graph.archived.get("summary", "")),
        graph=graph.to_dict(),
    )


_BY_STEPS = 0.6
"""What a request is worth that is like the steps of a past task but not like what was asked for."""


def likeness_to(text: str, task: PastTask) -> float:
    """Return how alike a request and a past task are, 0..1: by what was asked for then, or by its steps.

    Below 0.4 they have little to do with each other; from 0.6 on the task is one to look at.
    """
    instruction = task.instruction or task.text.partition("\n")[0]
    by_steps = covered(terms(text), terms(task.text))
    return max(likeness(text, instruction), _BY_STEPS * by_steps)


class WordOverlapSearch:
    """Past tasks in memory of the process, compared by :func:`likeness_to`."""

    def __init__(self) -> None:
        self._tasks: dict[str, PastTask] = {}

    def keep(self, task: PastTask) -> None:
        """Keep a task; one with the same id is replaced."""
        self._tasks[task.id] = task

    def similar(self, text: str, limit: int = 3) -> list[SimilarTask]:
        """Return the most alike tasks that share a term with ``text``, best first."""
        scored = [SimilarTask(likeness_to(text, task), task) for task in self._tasks.values()]
        return sorted((s for s in scored if s.score > 0), key=lambda s: -s.score)[:limit]
