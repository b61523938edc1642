"""What the patterns are made of: agents that answer a conversation, and the state they share."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, TypedDict

from zulong.agent.chat.model import ChatModel, ChatRequest, complete
from zulong.agent.latch import current_latch
from zulong.stategraph.channels import AppendLog

Message = Mapping[str, Any]


class PatternError(ValueError):
    """A pattern is put together wrongly, or one of its parts names an agent that is not there."""


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

    ``speak`` gets the conversation (messages with ``role``, ``name``, ``content``) and returns words or
    :class:`Said`; anything may stand behind it: a model, a tool loop, a function, a person.
    """

    name: str
    speak: Callable[[Sequence[Message]], str | Said]
    purpose: str = ""

    def answer(self, messages: Sequence[Message]) -> Said:
        """Return what the agent says to a conversation."""
        said = self.speak(messages)
        return said if isinstance(said, Said) else Said(said)


class Conversation(TypedDict, total=False):
    """The state of the talking patterns.

    Attributes:
        messages: what was said, with the speaker's name; only grows.
        active: who speaks, or spoke last.
        rounds: how many agents have spoken in this run.
    """

    messages: Annotated[list[dict[str, Any]], AppendLog]
    active: str
    rounds: int


def message_of(agent: Agent, said: Said) -> dict[str, Any]:
    """Return what an agent said as a message of the conversation."""
    return {"role": "assistant", "name": agent.name, "content": said.text}


def by_name(agents: Sequence[Agent]) -> dict[str, Agent]:
    """Return agents by name.

    Raises:
        PatternError: there is none, or two share a name.
    """
    named = {agent.name: agent for agent in agents}
    if not agents or len(named) != len(agents):
        raise PatternError("A pattern needs at least one agent, and each a name of its own.")
    return named


def chat_agent(name: str, model: ChatModel, system: str, purpose: str = "") -> Agent:
    """Return an agent that is a chat model with a system prompt; it sees who said what."""

    def speak(messages: Sequence[Message]) -> str:
        told = [{"role": "system", "content": system}]
        for message in messages:
            speaker = message.get("name")
            if speaker == name:
                told.append({"role": "assistant", "content": str(message["content"])})
            else:
                prefix = f"{speaker}: " if speaker else ""
                told.append({"role": "user", "content": f"{prefix}{message['content']}"})
        return complete(model, ChatRequest(told), current_latch()).text

    return Agent(name, speak, purpose or system)
