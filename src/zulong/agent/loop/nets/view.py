"""What the nets look at."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from zulong.agent.loop.findings import Action, Finding
from zulong.agent.loop.turns import CallFact, Turn
from zulong.tasks import TaskGraph


@dataclass(slots=True, frozen=True)
class ReplyView:
    """A reply without tool calls, and what led to it.

    Attributes:
        instruction: what the user wants.
        reply: the model's words.
        turns: of this run.
        tools: names of the tools the model was offered for this reply.
        effects: names of those that change the world.
        sources: texts the reply may draw on: results of tools, titles of the plan.
        plan: the plan, None when the model has made none.
        findings: of the breaker for this turn.
        caught: how often each net has sent the model back already.
        earlier_effects: an earlier task of this thread has changed the world.
    """

    instruction: str
    reply: str
    turns: Sequence[Turn] = ()
    tools: Sequence[str] = ()
    effects: Sequence[str] = ()
    sources: Sequence[str] = ()
    plan: TaskGraph | None = None
    findings: Sequence[Finding] = ()
    caught: Mapping[str, int] = field(default_factory=dict)
    earlier_effects: bool = False

    @property
    def calls(self) -> list[CallFact]:
        """Every call of this run that was made."""
        return [call for turn in self.turns for call in turn.calls if not call.skipped]

    @property
    def forced(self) -> Finding | None:
        """The finding that brings the loop to an end, None when there is none."""
        return next((f for f in self.findings if f.action in (Action.FORCE, Action.STOP)), None)

    @property
    def asks_the_user(self) -> bool:
        """True when the reply is a question to the user."""
        return self.reply.rstrip(" \n\"'”’)）*").endswith(("?", "？"))
