"""An MCP server in a process of its own: a few tools, the loop, and a graph; run by test_mcp_tools.py."""

from __future__ import annotations

import sys
import time
from typing import TypedDict

from mcp.server.mcpserver.exceptions import ToolError
from mcp.types import ToolAnnotations

from zulong.agent.chat.model import ChatChunk
from zulong.agent.loop import ToolLoop
from zulong.agent.mcp_tools import add_graph, add_loop, mcp_server
from zulong.agent.tools import ToolRegistry
from zulong.stategraph import END, START, StateGraph

server = mcp_server("offered")


@server.tool(annotations=ToolAnnotations(read_only_hint=True))
def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


@server.tool()
def paint(colour: str) -> str:
    """Paint the wall."""
    if colour == "plaid":
        raise ToolError("no such paint")
    return f"the wall is {colour}"


@server.tool(annotations=ToolAnnotations(read_only_hint=True))
def sleep(seconds: float) -> str:
    """Sleep."""
    time.sleep(seconds)
    return "awake"


class Parrot:
    name = "parrot"
    context_window = 10_000

    def stream(self, request, cancel):
        yield ChatChunk(text=f"You said: {request.messages[-1]['content']}")
        yield ChatChunk(finish="stop")


class Sum(TypedDict):
    left: int
    right: int
    total: int


class SumInput(TypedDict):
    left: int
    right: int


def total(state: Sum) -> dict:
    return {"total": state["left"] + state["right"]}


builder = StateGraph(Sum, input_schema=SumInput)
builder.add_node("total", total)
builder.add_edge(START, "total")
builder.add_edge("total", END)

add_loop(server, ToolLoop(Parrot(), ToolRegistry()))
add_graph(server, builder.compile(), name="sum_graph", description="Add by graph.", input_schema=SumInput)

if __name__ == "__main__":
    if sys.argv[1] == "stdio":
        server.run("stdio")
    else:
        server.run("streamable-http", host="127.0.0.1", port=int(sys.argv[2]))
