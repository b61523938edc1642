"""The simplest agent: a model, its tools, and a loop between them."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from typing import Any

from zulong.stategraph._keys import END, START
from zulong.stategraph.graph.message import MessagesState
from zulong.stategraph.graph.state import CompiledStateGraph, StateGraph
from zulong.stategraph.prebuilt.tool_node import ToolNode, calls_of

__all__ = ("create_react_agent",)


def create_react_agent(
    model: Any,
    tools: Sequence[Any] | ToolNode,
    *,
    prompt: Any = None,
    state_schema: Any = None,
    context_schema: Any = None,
    checkpointer: Any = None,
    store: Any = None,
    interrupt_before: Any = None,
    interrupt_after: Any = None,
    debug: bool = False,
    name: str | None = None,
) -> CompiledStateGraph[Any, Any, Any, Any]:
    """A graph that calls the model, runs the tools it asks for, and goes on until it asks for none.

    Args:
        model: a function of the messages (and, if it takes `tools`, of their schemas) that returns a message,
            or an object with `invoke` (and, if it has it, `bind_tools`).
        tools: functions or tool objects, or a `ToolNode`.
        prompt: text or a message put before the conversation, or a function from the state to messages.
    """
    node = tools if isinstance(tools, ToolNode) else ToolNode(tools)
    call = _caller(model, node)
    messages_of = _prompter(prompt)

    def model_node(state: Any) -> Any:
        return {"messages": [call(messages_of(state))]}

    async def amodel_node(state: Any) -> Any:
        result = call(messages_of(state), use_async=True)
        return {"messages": [await result if inspect.isawaitable(result) else result]}

    def next_node(state: Any) -> str:
        last = state["messages"][-1] if isinstance(state, dict) else state.messages[-1]
        return "tools" if calls_of(last) else END

    graph: StateGraph[Any, Any, Any, Any] = StateGraph(state_schema or MessagesState, context_schema)
    is_async = inspect.iscoroutinefunction(model) and not hasattr(model, "invoke")
    graph.add_node("agent", amodel_node if is_async else model_node)
    graph.add_node("tools", node)
    graph.add_edge(START, "agent")
    graph.add_conditional_edges("agent", next_node, ["tools", END])
    graph.add_edge("tools", "agent")
    return graph.compile(
        checkpointer=checkpointer,
        store=store,
        interrupt_before=interrupt_before,
        interrupt_after=interrupt_after,
        debug=debug,
        name=name,
    )


def _caller(model: Any, node: ToolNode) -> Callable[..., Any]:
    if hasattr(model, "invoke"):
        targets = [t.target for t in node.tools_by_name.values()]
        bound = model.bind_tools(targets) if targets and hasattr(model, "bind_tools") else model
        return lambda messages, use_async=False: (bound.ainvoke if use_async else bound.invoke)(messages)
    schemas = [t.schema() for t in node.tools_by_name.values()]
    if "tools" in inspect.signature(model).parameters:
        return lambda messages, use_async=False: model(messages, tools=schemas)
    return lambda messages, use_async=False: model(messages)


def _prompter(prompt: Any) -> Callable[[Any], list[Any]]:
    def messages_in(state: Any) -> list[Any]:
        return list(state["messages"] if isinstance(state, dict) else state.messages)

    if prompt is None:
        return messages_in
    if callable(prompt):
        return lambda state: list(prompt(state))
    first = {"role": "system", "content": prompt} if isinstance(prompt, str) else prompt
    return lambda state: [first, *messages_in(state)]
