"""A group chat: everybody hears everything, and a rule says who speaks next and when it is over."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from zulong.agent.patterns.speaking import (
    Agent,
    Conversation,
    Message,
    PatternError,
    Retry,
    by_name,
    go_on_unless_canceled,
    heard,
    message_of,
)
from zulong.stategraph.constants import END, START
from zulong.stategraph.graph.state import StateGraph
from zulong.stategraph.types import Command

# Given the conversation and who spoke last ("" at the begin): the next speaker, None to end.
SpeakerRule = Callable[[Sequence[Message], str], "str | None"]


def round_robin(agents: Sequence[Agent]) -> SpeakerRule:
    """Return the rule by which everybody speaks in turn."""
    names = [agent.name for agent in agents]

    def rule(messages: Sequence[Message], last: str) -> str | None:
        return names[(names.index(last) + 1) % len(names)] if last in names else names[0]

    return rule


def until_said(rule: SpeakerRule, word: str) -> SpeakerRule:
    """Return a rule that ends the chat once somebody has said a word (such as ``APPROVED``)."""

    def ended(messages: Sequence[Message], last: str) -> str | None:
        if last and word in str(messages[-1]["content"]):
            return None
        return rule(messages, last)

    return ended


def group_chat(
    agents: Sequence[Agent],
    rule: SpeakerRule | None = None,
    *,
    max_rounds: int = 12,
    checkpointer: Any = None,
    retry: Retry = None,
) -> Any:
    """Return the compiled graph of a group chat.

    Args:
        agents: who takes part.
        rule: who speaks next; by default everybody in turn.
        max_rounds: most turns in one run.
        checkpointer: where threads live.
        retry: how often an agent that raises is asked again.

    Raises:
        PatternError: no agents, or two of one name; when running: the rule names nobody, or there is no message.
    """
    named = by_name(agents)
    rule = rule if rule is not None else round_robin(agents)

    def moderate(state: Conversation) -> Command[str]:
        messages = heard(state)
        go_on_unless_canceled()
        rounds = state.get("rounds", 0)
        last = state.get("active", "") if rounds else ""
        name = rule(messages, last) if rounds < max_rounds else None
        if name is None:
            ended = "done" if rounds < max_rounds else "max_rounds"
            return Command(goto=END, update={"rounds": 0, "ended": ended})
        if name not in named:
            raise PatternError(f"The speaker rule named {name!r}; there are {', '.join(named)}.")
        return Command(goto="speak", update={"active": name})

    def speak(state: Conversation) -> dict[str, Any]:
        agent = named[state["active"]]
        said = agent.answer(heard(state))
        return {"messages": [message_of(agent, said)], "rounds": state.get("rounds", 0) + 1}

    builder: Any = StateGraph(Conversation)
    builder.add_node("moderate", moderate, destinations=("speak", END))
    builder.add_node("speak", speak, retry_policy=retry)
    builder.add_edge(START, "moderate")
    builder.add_edge("speak", "moderate")
    return builder.compile(checkpointer=checkpointer)
