"""A swarm: whoever speaks may hand the conversation to another agent, who keeps it until handing it on."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from zulong.agent.patterns.speaking import Agent, Conversation, PatternError, Said, by_name, message_of
from zulong.agent.tools.tool import Tool, tool_from_function
from zulong.stategraph.constants import END, START
from zulong.stategraph.graph.state import StateGraph
from zulong.stategraph.types import Command


def hand_off(
    agents: Sequence[Agent], *, first: str = "", max_rounds: int = 12, checkpointer: Any = None
) -> Any:
    """Return the compiled graph of a swarm.

    An agent hands over by returning :class:`Said` with ``hand_to``. With a checkpointer the next message of the
    user goes to whoever had the conversation last.

    Args:
        agents: who takes part.
        first: who has the conversation at first; by default the first agent.
        max_rounds: most turns in one run, so that two agents cannot hand it to and fro for ever.
        checkpointer: where threads live.

    Raises:
        PatternError: no agents, or two of one name, or ``first`` is none of them; when running: an agent hands
            over to nobody.
    """
    named = by_name(agents)
    first = first or agents[0].name
    if first not in named:
        raise PatternError(f"The first agent {first!r} is none of {', '.join(named)}.")

    def enter(state: Conversation) -> Command[str]:
        return Command(goto=state.get("active") or first, update={"rounds": 0})

    builder: Any = StateGraph(Conversation)
    builder.add_node("enter", enter, destinations=tuple(named))
    for agent in agents:
        builder.add_node(agent.name, _turn(agent, named, max_rounds), destinations=(*named, END))
    builder.add_edge(START, "enter")
    return builder.compile(checkpointer=checkpointer)


def _turn(agent: Agent, named: dict[str, Agent], max_rounds: int) -> Callable[[Conversation], Command[str]]:
    def turn(state: Conversation) -> Command[str]:
        said = agent.answer(state["messages"])
        rounds = state.get("rounds", 0) + 1
        if said.hand_to and said.hand_to not in named:
            raise PatternError(f"{agent.name} hands over to {said.hand_to!r}; there are {', '.join(named)}.")
        goto = said.hand_to if said.hand_to and rounds < max_rounds else END
        update: dict[str, Any] = {"rounds": rounds, "active": said.hand_to or agent.name}
        if said.text:
            update["messages"] = [message_of(agent, said)]
        return Command(goto=goto, update=update)

    return turn


def transfer_tool(to: Agent) -> Tool:
    """Return the tool whose call means "hand over to this agent": its result is :class:`Said`."""

    def transfer(note: str = "") -> Said:
        return Said(note, hand_to=to.name)

    return tool_from_function(
        transfer, name=f"transfer_to_{to.name}", description=f"Hand the conversation over. {to.purpose}"
    )
