"""What the patterns are made of: agents that answer a conversation, and the state they share."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, TypedDict

from zulong.agent.chat.errors import ChatCanceledError
from zulong.agent.latch import current_latch
from zulong.stategraph.channels import AppendLog
from zulong.stategraph.constants import END, START
from zulong.stategraph.types import RetryPolicy

Message = Mapping[str, Any]
# How often an agent that raises is asked again; one policy or several, the first that fits counts.
Retry = RetryPolicy | Sequence[RetryPolicy] | None


class PatternError(ValueError):
    """A pattern is put together or called wrongly, or one of its parts answers what it cannot go on with."""


@dataclass(slots=True, frozen=True)
class Said:
    """What an agent answers.

    Attributes:
        text: its words.
        hand_to: name of the agent that goes on, "" to leave that to the pattern.
    """

    text: str
    hand_to: str = ""


@dataclass(slots=True, frozen=True)
class Agent:
    """Somebody who takes part: a name, what it is for, and how it answers.

    ``speak`` gets the conversation (messages with ``role``, ``name``, ``content``) and returns words,
    :class:`Said`, or the agent that goes on; anything may stand behind it: a model, a tool loop, another
    pattern, a function, a person (``interrupt``). What it raises ends the run; with a checkpointer the thread
    stands before that turn and ``invoke(None, config)`` makes it again.
    """

    name: str
    speak: Callable[[Sequence[Message]], str | Said | Agent]
    purpose: str = ""

    def answer(self, messages: Sequence[Message]) -> Said:
        """Return what the agent says to a conversation, which it gets as a copy.

        Raises:
            ChatCanceledError: the latch of this context is set, so that nobody's turn begins any more.
            PatternError: ``speak`` returned something else than words.
        """
        go_on_unless_canceled()
        said = self.speak([dict(message) for message in messages])
        if isinstance(said, Agent):
            return Said("", hand_to=said.name)
        if isinstance(said, Said) and isinstance(said.text, str):
            return said
        if isinstance(said, str):
            return Said(said)
        if inspect.iscoroutine(said):
            said.close()
        raise PatternError(
            f"Agent {self.name!r} answered with a {type(said).__name__}; its function must return a text, Said, "
            f"or the agent that goes on."
        )


class Conversation(TypedDict, total=False):
    """The state of the talking patterns.

    Attributes:
        messages: what was said, with the speaker's name; only grows.
        active: who speaks, or spoke last.
        rounds: how many agents have spoken in this run.
        ended: why the last run ended: ``done``, or ``max_rounds``.
    """

    messages: Annotated[list[dict[str, Any]], AppendLog]
    active: str
    rounds: int
    ended: str


def go_on_unless_canceled() -> None:
    """Raise :class:`ChatCanceledError` when the latch of this context is set."""
    latch = current_latch()
    if latch.is_set:
        raise ChatCanceledError(latch.reason or "The run was canceled.")


def heard(state: Conversation) -> Sequence[Message]:
    """Return the conversation so far.

    Raises:
        PatternError: there is none yet, or it holds something that is no message.
    """
    messages: Sequence[Message] = state.get("messages") or []
    if not messages or not all(isinstance(m, Mapping) and "content" in m for m in messages):
        raise PatternError(
            'A conversation begins with a message: invoke({"messages": [{"role": "user", "content": "..."}]}).'
        )
    return messages


def message_of(agent: Agent, said: Said) -> dict[str, Any]:
    """Return what an agent said as a message of the conversation."""
    return {"role": "assistant", "name": agent.name, "content": said.text}


def by_name(agents: Sequence[Agent], *taken: str) -> dict[str, Agent]:
    """Return agents by name.

    Args:
        agents: who takes part.
        taken: names that the pattern needs for itself.

    Raises:
        PatternError: there is none, two share a name, or a name cannot be one.
    """
    named = {agent.name: agent for agent in agents}
    if not agents or len(named) != len(agents):
        raise PatternError("A pattern needs at least one agent, and each a name of its own.")
    for name in named:
        check_name(name, *taken)
    return named


def check_name(name: Any, *taken: str) -> None:
    """Raise :class:`PatternError` when something cannot be called so in a pattern."""
    if not isinstance(name, str) or not name.strip() or any(mark in name for mark in "|:"):
        raise PatternError(f"{name!r} cannot be a name here; use words without '|' and ':'.")
    if name in (START, END, *taken):
        raise PatternError(f"The name {name!r} is the pattern's own; choose another one.")
