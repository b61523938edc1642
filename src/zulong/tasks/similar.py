"""Finding a past task that was like the present one."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from math import sqrt
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from zulong.tasks.graph import TaskGraph

_WORDS = re.compile(r"[\u3400-\u9fff]+|[^\W_\u3400-\u9fff]+")


@dataclass(slots=True, frozen=True)
class PastTask:
    """What stays of a finished task graph.

    Attributes:
        id: of the task (its thread).
        text: what was asked for, and the titles of the steps, one a line.
        outcome: how it ended.
        summary: one sentence.
        graph: the saved graph, see ``TaskGraph.to_dict``.
    """

    id: str
    text: str
    outcome: str
    summary: str
    graph: Mapping[str, Any]


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


class WordOverlapSearch:
    """Past tasks in memory of the process, compared by words (Latin) and character pairs (CJK), by cosine.

    Words that every sentence has count for nothing, and a plural is its singular, so that tasks are alike by what
    they are about.
    """

    def __init__(self) -> None:
        self._tasks: dict[str, tuple[PastTask, Counter[str]]] = {}

    def keep(self, task: PastTask) -> None:
        """Keep a task; one with the same id is replaced."""
        self._tasks[task.id] = (task, _terms(task.text))

    def similar(self, text: str, limit: int = 3) -> list[SimilarTask]:
        """Return the most alike tasks that share a term with ``text``, best first."""
        wanted = _terms(text)
        scored = [SimilarTask(_cosine(wanted, terms), task) for task, terms in self._tasks.values()]
        return sorted((s for s in scored if s.score > 0), key=lambda s: -s.score)[:limit]


_COMMON_WORDS = """
a an and are as at be but by can could do does for from go has have he her him his i if in into is it its let like me
my not of off on or our out please she so some that the their them then there they this to up us want was we what
where which who will with would you your
"""
_COMMON = frozenset(_COMMON_WORDS.split())
_COMMON_CHINESE = re.compile("[的了吗呢吧啊请把被给和与在是我你他她它们这那一个]")


def _terms(text: str) -> Counter[str]:
    terms: Counter[str] = Counter()
    for run in _WORDS.findall(text.lower()):
        if run[0] <= "\u2fff":
            if run not in _COMMON:
                terms[_singular(run)] += 1
            continue
        for part in _COMMON_CHINESE.split(run):
            terms.update(part[i : i + 2] for i in range(len(part) - 1)) if len(part) > 1 else terms.update(
                part
            )
    return terms


def _singular(word: str) -> str:
    if len(word) > 4 and word.endswith("ies"):
        return word[:-3] + "y"
    return word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith("ss") else word


def _cosine(a: Counter[str], b: Counter[str]) -> float:
    dot = sum(count * b[term] for term, count in a.items())
    if not dot:
        return 0.0
    return dot / sqrt(sum(c * c for c in a.values()) * sum(c * c for c in b.values()))
