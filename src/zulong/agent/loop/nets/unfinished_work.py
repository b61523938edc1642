"""The model stops while much of its plan is open."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from zulong.agent.loop.findings import Catch, Verdict
from zulong.agent.loop.nets.view import ReplyView
from zulong.tasks import TaskStatus

_CLOSED = (TaskStatus.COMPLETED, TaskStatus.SKIPPED)


@dataclass(slots=True, frozen=True)
class UnfinishedWork:
    """Sends the model back while more than ``open_share`` of the plan's leaves are open.

    A question to the user is let through: the work waits for the answer. So is everything when no tool is left
    (the budget is spent): more turns would change nothing.
    """

    name: ClassVar[str] = "unfinished_work"
    times: int = 2
    open_share: float = 0.3

    def look(self, view: ReplyView) -> Catch | None:
        """See :class:`zulong.agent.loop.nets.Net`."""
        if (
            view.plan is None
            or not view.tools
            or view.asks_the_user
            or view.caught.get(self.name, 0) >= self.times
        ):
            return None
        leaves = list(view.plan.leaves())
        left = [leaf for leaf in leaves if leaf.status not in _CLOSED]
        if not leaves or len(left) / len(leaves) <= self.open_share:
            return None
        titles = "; ".join(f"{leaf.id}: {leaf.title} ({leaf.status})" for leaf in left[:10])
        return Catch(
            self.name,
            Verdict.CONTINUE,
            f"{len(left)} of {len(leaves)} steps are open.",
            f"These steps of your plan are open: {titles}. Go on with them, or mark them skipped and say why.",
            {"open": len(left), "of": len(leaves), "limit": self.open_share},
        )
