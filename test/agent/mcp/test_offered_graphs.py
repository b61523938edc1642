"""Compiled graphs offered to an MCP client: what it may leave out, what it is asked and told, and giving up."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Annotated, Any, TypedDict

import pytest

pytest.importorskip("mcp")

from mcp import Client
from pydantic import BaseModel, Field
from typing_extensions import NotRequired

from zulong.agent.latch import current_latch
from zulong.agent.mcp_tools import McpServerSettings, add_graph, mcp_server
from zulong.stategraph import END, START, StateGraph
from zulong.stategraph.checkpoint.memory import InMemorySaver
from zulong.stategraph.types import interrupt

pytestmark = pytest.mark.feature("SG-26")


class Typed(TypedDict):
    count: Annotated[int, Field(description="how many", ge=0)]
    name: NotRequired[str]


@dataclass
class Data:
    count: int
    name: str = "cup"
    tags: list[str] = field(default_factory=lambda: ["new"])


class Model(BaseModel):
    count: int = Field(ge=0, description="how many")
    name: str = "cup"


def one_node(schema: type, node: Callable[[Any], Any], *, keeps: bool = False) -> Any:
    builder = StateGraph(schema)
    builder.add_node("work", node)
    builder.add_edge(START, "work")
    builder.add_edge("work", END)
    return builder.compile(checkpointer=InMemorySaver() if keeps else None)


def plus_one(state: Any) -> dict[str, int]:
    return {"count": (state["count"] if isinstance(state, dict) else state.count) + 1}


def with_client(graph: Any, schema: type, do: Callable[[Client], Awaitable[Any]]) -> Any:
    """Offer a graph as the tool ``work`` and talk to it as a client would."""
    server = mcp_server("lab")
    add_graph(server, graph, name="work", description="Work.", input_schema=schema)

    async def talk() -> Any:
        async with Client(server) as client:
            return await asyncio.wait_for(do(client), 30)

    return asyncio.run(talk())


@pytest.mark.parametrize(
    ("schema", "defaults"), [(Typed, {}), (Data, {"name": "cup", "tags": ["new"]}), (Model, {"name": "cup"})]
)
def test_what_a_schema_lets_one_leave_out_may_be_left_out(schema, defaults) -> None:
    async def do(client: Client) -> tuple[Any, Any, Any]:
        (tool,) = (await client.list_tools()).tools
        short = await client.call_tool("work", {"count": 1})
        return tool.input_schema, short, await client.call_tool("work", {"count": 1, "name": "fork"})

    parameters, short, full = with_client(one_node(schema, plus_one), schema, do)
    assert parameters["required"] == ["count"]
    if schema is not Data:
        assert parameters["properties"]["count"]["description"] == "how many"
        assert parameters["properties"]["count"]["minimum"] == 0
    assert short.structured_content == {"count": 2, **defaults}
    assert full.structured_content == {"count": 2, **defaults, "name": "fork"}


def test_a_graph_that_keeps_threads_asks_the_client_and_goes_on_with_its_answer() -> None:
    graph = one_node(Typed, lambda state: {"name": interrupt("Which one?")}, keeps=True)

    async def do(client: Client) -> tuple[Any, Any, Any]:
        asked = (await client.call_tool("work", {"count": 1})).structured_content
        thread = {"thread_id": asked["thread_id"], "answer": "the red one"}
        ended = (await client.call_tool("work_answer", thread)).structured_content
        return asked["question"], ended, await client.call_tool("work_answer", thread)

    question, ended, again = with_client(graph, Typed, do)
    assert question == "Which one?" and ended == {"count": 1, "name": "the red one"}
    assert again.is_error and "No question is open" in again.content[0].text


def test_what_goes_wrong_in_a_graph_is_told_to_the_client_in_words() -> None:
    graph = one_node(Typed, lambda state: 1 / 0)
    result = with_client(graph, Typed, lambda client: client.call_tool("work", {"count": 1}))
    assert result.is_error and "ZeroDivisionError: division by zero" in result.content[0].text


def test_what_json_cannot_say_is_put_into_words() -> None:
    class Loose(TypedDict):
        count: int
        found: NotRequired[Any]

    graph = one_node(Loose, lambda state: {"found": {"where": {1}, "what": object}})
    result = with_client(graph, Loose, lambda client: client.call_tool("work", {"count": 1}))
    assert not result.is_error and result.structured_content["found"]["where"] == [1]


def test_a_client_that_gives_its_call_up_ends_the_run() -> None:
    begun, let_go = threading.Event(), threading.Event()

    def wait(state: Any) -> dict[str, int]:
        begun.set()
        if current_latch().wait(20):
            let_go.set()
        return {"count": 0}

    async def do(client: Client) -> None:
        call = asyncio.create_task(client.call_tool("work", {"count": 1}))
        await asyncio.to_thread(begun.wait, 20)
        call.cancel()
        await asyncio.gather(call, return_exceptions=True)
        await asyncio.to_thread(let_go.wait, 20)

    with_client(one_node(Typed, wait), Typed, do)
    assert let_go.is_set()


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"name": ""}, "needs a name"),
        ({"command": "python server.py"}, r"a list .* \['python', 'server.py'\]"),
        ({"approval": "maybe"}, "one of never, risky, always"),
        ({"time_limit_s": 0}, "must be positive"),
        ({"command": (), "url": "ftp://lab"}, "http"),
    ],
)
def test_settings_that_cannot_work_are_refused_when_they_are_made(options, words) -> None:
    with pytest.raises(ValueError, match=words):
        McpServerSettings(**{"name": "lab", "command": ["x"], **options})
