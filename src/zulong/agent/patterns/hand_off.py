"""A swarm: whoever speaks may hand the conversation to another agent, who keeps it until handing it on."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from zulong.agent.patterns.speaking import (
    Agent,
    Conversation,
    PatternError,
    Retry,
    by_name,
    heard,
    message_of,
)
from zulong.stategraph.constants import END, START
from zulong.stategraph.graph.state import StateGraph
from zulong.stategraph.types import Command


def hand_off(
    agents: Sequence[Agent],
    *,
    first: str = "",
    max_rounds: int = 12,
    checkpointer: Any = None,
    retry: Retry = None,
) -> Any:
    """Return the compiled graph of a swarm.

    An agent hands over by returning :class:`Said` with ``hand_to``, or the agent that goes on; one with a model
    behind it by calling a :func:`~zulong.agent.patterns.agents.transfer_tool`. With a checkpointer the next message of the
    user goes to whoever had the conversation last.

    Args:
        agents: who takes part.
        first: who has the conversation at first; by default the first agent.
        max_rounds: most turns in one run, so that two agents cannot hand it to and fro for ever.
        checkpointer: where threads live.
        retry: how often an agent that raises is asked again.

    Raises:
        PatternError: no agents, or two of one name, or ``first`` is none of them; when running: an agent hands
            over to nobody, or there is no message.
    """
    named = by_name(agents, "enter")
    first = first or agents[0].name
    if first not in named:
        raise PatternError(f"The first agent {first!r} is none of {', '.join(named)}.")

    def enter(state: Conversation) -> Command[str]:
        heard(state)
        active = state.get("active", "")
        return Command(goto=active if active in named else first, update={"rounds": 0, "ended": ""})

    builder: Any = StateGraph(Conversation)
    builder.add_node("enter", enter, destinations=tuple(named))
    for agent in agents:
        builder.add_node(
            agent.name, _turn(agent, named, max_rounds), destinations=(*named, END), retry_policy=retry
        )
    builder.add_edge(START, "enter")
    return builder.compile(checkpointer=checkpointer)


def _turn(agent: Agent, named: dict[str, Agent], max_rounds: int) -> Callable[[Conversation], Command[str]]:
    def turn(state: Conversation) -> Command[str]:
        said = agent.answer(heard(state))
        rounds = state.get("rounds", 0) + 1
        if said.hand_to and said.hand_to not in named:
            raise PatternError(f"{agent.name} hands over to {said.hand_to!r}; there are {', '.join(named)}.")
        update: dict[str, Any] = {"rounds": rounds, "active": said.hand_to or agent.name}
        goto = said.hand_to if said.hand_to and rounds < max_rounds else END
        if goto == END:
            update["ended"] = "max_rounds" if said.hand_to else "done"
        if said.text:
            update["messages"] = [message_of(agent, said)]
        return Command(goto=goto, update=update)

    return turn
