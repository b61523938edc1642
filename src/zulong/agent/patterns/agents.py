"""Agents with something behind them: a chat model with tools, the tool loop, another pattern."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from zulong.agent.budget import SharedBudget
from zulong.agent.chat.model import ChatModel, ChatRequest, ToolCall, complete
from zulong.agent.codes import TaskCode
from zulong.agent.latch import current_latch
from zulong.agent.patterns.speaking import Agent, Message, PatternError, Said
from zulong.agent.tools.repair import ArgumentsError, repair_arguments
from zulong.agent.tools.run import RunningTool
from zulong.agent.tools.tool import Tool, tool_from_function

if TYPE_CHECKING:
    from zulong.agent.loop import ToolLoop

_NO_MORE = "No tool call is left; answer with what you know."


def chat_agent(
    name: str,
    model: ChatModel,
    system: str,
    purpose: str = "",
    *,
    tools: Sequence[Tool] = (),
    max_calls: int = 8,
    budget: SharedBudget | None = None,
) -> Agent:
    """Return an agent that is a chat model with a system prompt; it sees who said what.

    Its words are streamed as they come: ``stream_mode="custom"`` gets ``{"event": "token", "agent", "text"}``.

    Args:
        name: of the agent.
        model: speaks.
        system: who it is and what it should do.
        purpose: what others choose it for; by default the system prompt.
        tools: what it may call within its turn, internal tools only. One that returns :class:`Said` or an
            :class:`Agent` ends the turn and hands over, see :func:`transfer_tool`.
        max_calls: most tool calls in one turn.
        budget: shared with other agents, also with those that work at the same time.
    """
    by_tool_name = {tool.name: tool for tool in tools}
    remote = [tool.name for tool in tools if tool.remote]
    if remote:
        raise PatternError(
            f"{', '.join(remote)} of {name!r} is done elsewhere; use loop_agent for such tools."
        )

    def speak(messages: Sequence[Message]) -> Said:
        told = _as_heard_by(name, system, messages)
        words: list[str] = []
        calls_left = max_calls
        while True:
            offered = [t.definition() for t in tools] if calls_left > 0 and _some_left(budget) else []
            reply = complete(model, ChatRequest(told, tools=offered), current_latch(), on_text=_teller(name))
            if reply.text:
                words.append(reply.text)
            if not reply.calls or not offered:
                return Said("\n".join(words) or reply.refusal)
            told.append(reply.to_message())
            for call in reply.calls:
                calls_left -= 1
                if calls_left < 0 or (budget is not None and not budget.take()):
                    text, handed = _NO_MORE, None
                else:
                    text, handed = _made(by_tool_name, call)
                if handed is not None:
                    return Said("\n".join(part for part in (*words, handed.text) if part), handed.hand_to)
                told.append({"role": "tool", "tool_call_id": call.id, "content": text})

    return Agent(name, speak, purpose or system)


def loop_agent(name: str, loop: ToolLoop, purpose: str = "", *, budget: SharedBudget | None = None) -> Agent:
    """Return an agent that does what it is asked with the function-calling loop, and says how that ended.

    Its thread belongs to the turn: when the run was killed in it and goes on, the loop goes on where it was.

    Args:
        name: of the agent.
        loop: does the work; give it a checkpointer on disk when the pattern has one.
        purpose: what others choose it for.
        budget: tool calls of all agents that share it.
    """

    def speak(messages: Sequence[Message]) -> str:
        thread_id = f"{name}/{_turn() or uuid.uuid4().hex}"
        if loop.messages(thread_id):
            outcome = loop.resume(thread_id, budget=budget, cancel=current_latch())
        else:
            told = _as_heard_by(name, "", messages)
            words = "\n".join(str(message["content"]) for message in told)
            outcome = loop.run(words, thread_id=thread_id, budget=budget, cancel=current_latch())
        if outcome.code == TaskCode.SUCCEEDED:
            return outcome.summary
        return "\n".join(part for part in (outcome.summary, outcome.message) if part)

    return Agent(name, speak, purpose)


def pattern_agent(
    name: str,
    graph: Any,
    purpose: str = "",
    *,
    ask: Callable[[Sequence[Message]], Mapping[str, Any]] | None = None,
    answer: Callable[[Mapping[str, Any]], str] | None = None,
) -> Agent:
    """Return an agent behind which another pattern, or any graph, works.

    Args:
        name: of the agent.
        graph: compiled without a checkpointer: its steps are kept in the thread of the pattern around it.
        purpose: what others choose it for.
        ask: makes the graph's input of the conversation; by default the talking patterns' messages.
        answer: takes the words from the graph's last state; by default the last message's.
    """

    def speak(messages: Sequence[Message]) -> str:
        given = ask(messages) if ask is not None else {"messages": [dict(message) for message in messages]}
        state = graph.invoke(given)
        return answer(state) if answer is not None else str(state["messages"][-1]["content"])

    return Agent(name, speak, purpose)


def transfer_tool(to: Agent) -> Tool:
    """Return the tool whose call means "hand over to this agent": its result is :class:`Said`."""

    def transfer(note: str = "") -> Said:
        return Said(note, hand_to=to.name)

    return tool_from_function(
        transfer, name=f"transfer_to_{to.name}", description=f"Hand the conversation over. {to.purpose}"
    )


def _as_heard_by(name: str, system: str, messages: Sequence[Message]) -> list[dict[str, Any]]:
    told: list[dict[str, Any]] = [{"role": "system", "content": system}] if system else []
    for message in messages:
        speaker = message.get("name")
        if speaker == name:
            told.append({"role": "assistant", "content": str(message["content"])})
        else:
            prefix = f"{speaker}: " if speaker else ""
            told.append({"role": "user", "content": f"{prefix}{message['content']}"})
    return told


def _made(tools: Mapping[str, Tool], call: ToolCall) -> tuple[str, Said | None]:
    """Make a call; return its result for the model, and what it hands over with, if it does."""
    tool = tools.get(call.name)
    if tool is None or tool.function is None:
        return f"error: there is no tool {call.name!r}; there are {', '.join(tools)}.", None
    try:
        arguments = repair_arguments(tool, call.arguments).arguments
    except ArgumentsError as error:
        return f"error: {error}", None
    function, brought = tool.function, []

    def kept(**given: Any) -> Any:
        brought.append(function(**given))
        return "" if isinstance(brought[0], (Said, Agent)) else brought[0]

    outcome = RunningTool(replace(tool, function=kept), arguments, current_latch()).wait()
    handed = brought[0] if outcome.ok and brought else None
    if isinstance(handed, Agent):
        handed = Said("", hand_to=handed.name)
    return outcome.text if outcome.ok else f"error: {outcome.text}", handed if isinstance(
        handed, Said
    ) else None


def _some_left(budget: SharedBudget | None) -> bool:
    return budget is None or budget.left > 0


def _teller(name: str) -> Callable[[str], None] | None:
    """Return what streams an agent's words out of the graph that runs, None outside of one."""
    from zulong.stategraph.config import get_stream_writer

    try:
        write = get_stream_writer()
    except RuntimeError:
        return None
    return lambda text: write({"event": "token", "agent": name, "text": text})


def _turn() -> str:
    """Return what names this turn of the graph that runs, the same when it is made again after a kill."""
    from zulong.stategraph.config import get_config

    try:
        where = get_config()["configurable"]
    except RuntimeError:
        return ""
    return (
        f"{where.get('thread_id') or ''}/{where.get('checkpoint_ns') or ''}" if "thread_id" in where else ""
    )
