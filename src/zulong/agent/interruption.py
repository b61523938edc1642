"""Looking around after an interruption: what the rules of :mod:`zulong.agent.surroundings` are asked."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from zulong.agent.surroundings import Interruption, InterruptionLimits, Surroundings, Verdict, decide
from zulong.tasks import TaskGraph, TaskStatus

_CLOSED = (TaskStatus.COMPLETED, TaskStatus.SKIPPED)


def look_around(
    graph: TaskGraph,
    before: Surroundings,
    after: Surroundings,
    *,
    words: str = "",
    calls: Iterable[Mapping[str, Any]] = (),
    limits: InterruptionLimits | None = None,
) -> Verdict:
    """Return what becomes of an interrupted task.

    Args:
        graph: the task's plan; what its open leaves name is what matters.
        before, after: the surroundings then and now.
        words: what the user said meanwhile.
        calls: arguments of calls under way, which matter as well.
        limits: what counts as moved, long, and a low battery.
    """
    done, open_arguments = 0, [dict(arguments) for arguments in calls]
    for leaf in graph.leaves():
        if leaf.status in _CLOSED:
            done += 1
        else:
            open_arguments.append(dict(leaf.arguments))
    return decide(
        Interruption(
            before=before,
            after=after,
            concerns=frozenset(str(v) for arguments in open_arguments for v in arguments.values()),
            progress=done / max(1, done + len(open_arguments)),
            words=words,
            limits=limits if limits is not None else InterruptionLimits(),
        )
    )
