"""Steps of the plan that were done without being marked: found by what tools did, never by words alone."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import ClassVar

from zulong.agent.loop.findings import Catch, Verdict
from zulong.agent.loop.nets.view import ReplyView
from zulong.agent.loop.terms import terms_of
from zulong.agent.loop.turns import CallFact
from zulong.tasks import TaskNode, TaskStatus

_DONE = re.compile(r"\b(?:done|finished|completed?)\b|完成|做完|搞定", re.IGNORECASE)
_OPEN = (TaskStatus.PENDING, TaskStatus.IN_PROGRESS)


@dataclass(slots=True, frozen=True)
class Backfill:
    """Marks open steps whose very call succeeded; asks for evidence where only words say that a step is done.

    Attributes:
        times: how often the model is asked for evidence.
        overlap: share of a step's terms that the reply must hold before its words are taken to be about it.
    """

    name: ClassVar[str] = "backfill"
    times: int = 1
    overlap: float = 0.6

    def look(self, view: ReplyView) -> Catch | None:
        """See :class:`zulong.agent.loop.nets.Net`."""
        if view.plan is None:
            return None
        open_steps = [leaf for leaf in view.plan.leaves() if leaf.status in _OPEN]
        proofs = [(step.id, call.id) for step in open_steps if (call := _proof(step, view.calls)) is not None]
        if proofs:
            return Catch(
                self.name,
                Verdict.DONE,
                f"{len(proofs)} open steps were done by successful calls.",
                evidence={"proofs": [list(pair) for pair in proofs]},
                completes=tuple(proofs),
            )
        if not view.tools or view.caught.get(self.name, 0) >= self.times or not _DONE.search(view.reply):
            return None
        reply = terms_of(view.reply)
        claimed = [step for step in open_steps if _about(step, reply, self.overlap)]
        if not claimed:
            return None
        titles = "; ".join(step.title for step in claimed)
        return Catch(
            self.name,
            Verdict.CONTINUE,
            f"The reply says that these are done, and no call shows it: {titles}.",
            f"You say that this is done, and no call shows it: {titles}. Do it, or call mark_step for each with how "
            f"you know.",
            {"steps": [step.id for step in claimed]},
        )


def _proof(step: TaskNode, calls: list[CallFact]) -> CallFact | None:
    if step.skill is None:
        return None
    for call in calls:
        fits = all(call.arguments.get(name) == value for name, value in step.arguments.items())
        if call.name == step.skill and call.ok and fits:
            return call
    return None


def _about(step: TaskNode, reply: set[str], overlap: float) -> bool:
    terms = terms_of(step.title)
    return bool(terms) and len(terms & reply) / len(terms) >= overlap
