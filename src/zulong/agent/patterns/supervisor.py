"""A supervisor hands the work to one agent after another, until it finds that all is done."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from zulong.agent.chat.model import ChatModel, ChatRequest, complete
from zulong.agent.latch import current_latch
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

Choose = Callable[[Sequence[Message]], "str | None"]


def supervisor(
    agents: Sequence[Agent],
    choose: Choose,
    *,
    max_rounds: int = 12,
    checkpointer: Any = None,
    retry: Retry = None,
) -> Any:
    """Return the compiled graph of a supervisor over agents; see :class:`Conversation` for its state.

    Args:
        agents: who works; each answers to the supervisor.
        choose: returns the name of the next agent for a conversation, None when it is done.
        max_rounds: most turns of agents in one run.
        checkpointer: where threads live.
        retry: how often an agent that raises is asked again.

    Raises:
        PatternError: no agents, or two of one name; when running: ``choose`` names nobody, or there is no
            message.
    """
    named = by_name(agents, "supervisor")

    def supervise(state: Conversation) -> Command[str]:
        messages = heard(state)
        go_on_unless_canceled()
        rounds = state.get("rounds", 0)
        name = choose(messages) if rounds < max_rounds else None
        if name is None:
            ended = "done" if rounds < max_rounds else "max_rounds"
            return Command(goto=END, update={"rounds": 0, "ended": ended})
        if name not in named:
            raise PatternError(f"The supervisor chose {name!r}; there are {', '.join(named)}.")
        return Command(goto=name, update={"active": name})

    builder: Any = StateGraph(Conversation)
    builder.add_node("supervisor", supervise, destinations=(*named, END))
    for agent in agents:
        builder.add_node(agent.name, _worker(agent), destinations=("supervisor",), retry_policy=retry)
    builder.add_edge(START, "supervisor")
    return builder.compile(checkpointer=checkpointer)


def _worker(agent: Agent) -> Callable[[Conversation], Command[str]]:
    def work(state: Conversation) -> Command[str]:
        said = agent.answer(heard(state))
        update = {"messages": [message_of(agent, said)], "rounds": state.get("rounds", 0) + 1}
        return Command(goto="supervisor", update=update)

    return work


def model_chooses(model: ChatModel, agents: Sequence[Agent]) -> Choose:
    """Return a supervisor's choice made by a chat model; a name it does not know counts as done."""
    roster = "\n".join(f"- {agent.name}: {agent.purpose}" for agent in agents)
    names = {agent.name for agent in agents}

    def choose(messages: Sequence[Message]) -> str | None:
        talk = "\n".join(f"{m.get('name') or m.get('role')}: {m['content']}" for m in messages)
        prompt = f"Agents:\n{roster}\n\nConversation:\n{talk}\n\nWho goes on? Answer with one name, or DONE."
        reply = complete(model, ChatRequest([{"role": "user", "content": prompt}]), current_latch())
        name = reply.text.strip().strip(".`'\"")
        return name if name in names else None

    return choose
