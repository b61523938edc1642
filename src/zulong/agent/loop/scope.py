"""What belongs to one run of the loop; the compiled graph itself is shared by all runs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any

from zulong.agent.budget import Budget, SharedBudget
from zulong.agent.loop.conversation import AnsweredMessages, TokenCount
from zulong.agent.loop.hold import Hold
from zulong.agent.loop.tool_calls import ToolCalls
from zulong.agent.loop.turns import KEPT, Turn
from zulong.agent.plan_copy import GraphCopy
from zulong.agent.surroundings import Surroundings

Tell = Callable[[Mapping[str, Any]], None]


@dataclass(slots=True)
class RunScope:
    """One run.

    Attributes:
        calls: makes the calls of this thread.
        tell: takes events.
        surroundings: returns how things look now.
        hold: freezes and thaws.
        copy: the plan, folded from the state's events.
        tokens: counts the conversation.
        answered: the conversation as it is sent.
        turns: how many turns the state holds, and the last of this run, read.
        shared: a budget that other runs draw on as well, None for none.
    """

    calls: ToolCalls
    tell: Tell
    surroundings: Callable[[], Surroundings] = Surroundings
    hold: Hold = field(default_factory=Hold)
    copy: GraphCopy = field(default_factory=GraphCopy)
    tokens: TokenCount = field(default_factory=TokenCount)
    answered: AnsweredMessages = field(default_factory=AnsweredMessages)
    turns: tuple[int, list[Turn]] = (-1, [])
    shared: SharedBudget | None = None

    def budget(self, plain: Mapping[str, Any]) -> Budget:
        """Return the budget of the run as it stands now, no more left than others have left over."""
        own = Budget.from_dict(plain)
        return own if self.shared is None else self.shared.tightened(own)

    def recent(self, plain: Sequence[Mapping[str, Any]], since: int) -> list[Turn]:
        """Return the last turns from ``since`` on; those made in this process are not read again."""
        total = len(plain)
        if self.turns[0] != total:
            first = max(since, total - KEPT)
            self.turns = (total, [Turn.from_dict(turn) for turn in plain[first:]] if first < total else [])
        return self.turns[1]

    def took(self, turn: Turn, before: int) -> list[Turn]:
        """Return the last turns with one more, which the state will hold after ``before`` others."""
        self.turns = (before + 1, [*self.turns[1][-KEPT + 1 :], turn])
        return self.turns[1]


_current: ContextVar[RunScope] = ContextVar("zulong_loop_run")


def current_run() -> RunScope:
    """Return the run that the calling node belongs to."""
    return _current.get()


@contextmanager
def run_in_context(scope: RunScope) -> Iterator[None]:
    """Make a run the current one for what is called inside."""
    token = _current.set(scope)
    try:
        yield
    finally:
        _current.reset(token)
