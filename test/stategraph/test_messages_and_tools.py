"""Conversations on plain dictionaries and on objects; tools; agents made of them."""

from __future__ import annotations

import sys
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal, TypedDict

import pytest

from zulong.stategraph import END, START, Command, MessagesState, Runtime, Send, StateGraph, add_messages
from zulong.stategraph.graph.message import REMOVE_ALL_MESSAGES, set_message_converter
from zulong.stategraph.prebuilt import ToolNode, create_react_agent, tools_condition


@dataclass
class Note:
    """A message class of an application."""

    content: str
    id: str | None = None
    type: str = "human"
    tool_calls: list[Any] = field(default_factory=list)


@pytest.mark.feature("SG-03")
def test_messages_get_ids_are_replaced_by_id_and_removed() -> None:
    have = add_messages([], ["hello", ("assistant", "hi"), {"role": "user", "content": "x", "id": "u"}])
    assert [m["role"] for m in have] == ["user", "assistant", "user"]
    assert len({m["id"] for m in have}) == 3
    changed = add_messages(have, {"role": "user", "content": "y", "id": "u"})
    assert changed[2]["content"] == "y"
    assert have[2]["content"] == "x", "the old list is as it was"
    assert len(add_messages(changed, [{"role": "remove", "id": "u"}])) == 2
    cleared = add_messages(changed, [{"role": "remove", "id": REMOVE_ALL_MESSAGES}, "new"])
    assert [m["content"] for m in cleared] == ["new"]
    with pytest.raises(ValueError, match="doesn't exist"):
        add_messages(have, [{"role": "remove", "id": "nobody"}])
    with pytest.raises(ValueError, match="Unexpected message"):
        add_messages(have, [{"text": "no role"}])


@pytest.mark.feature("SG-03")
def test_branches_of_one_conversation_do_not_see_each_other() -> None:
    base = add_messages([], [Note("a", "1")])
    left = add_messages(base, [Note("l", "x")])
    right = add_messages(base, [Note("r1", "y"), Note("r2", "x")])
    assert [m.id for m in left] == ["1", "x"]
    assert [m.id for m in right] == ["1", "y", "x"]
    assert [m.content for m in add_messages(left, [Note("new", "x")])] == ["a", "new"]
    assert [m.content for m in add_messages(right, [Note("new", "x")])] == ["a", "r1", "new"]


@pytest.mark.feature("SG-03")
def test_an_application_can_keep_its_own_message_objects() -> None:
    def convert(messages: list[Any]) -> list[Any]:
        return [
            m if isinstance(m, Note) else Note(m if isinstance(m, str) else m["content"]) for m in messages
        ]

    set_message_converter(convert)
    try:
        assert [type(m) for m in add_messages([], ["a", {"role": "user", "content": "b"}])] == [Note, Note]
    finally:
        set_message_converter(None)


def call(name: str, **args: Any) -> dict[str, Any]:
    return {
        "role": "assistant",
        "content": "",
        "tool_calls": [{"id": f"call-{name}", "name": name, "args": args}],
    }


@pytest.mark.feature("SG-03", "SG-25")
def test_tools_run_side_by_side_on_plain_dictionaries_and_errors_go_to_the_model() -> None:
    def add(a: int, b: int) -> int:
        """Add."""
        return a + b

    def fail() -> None:
        raise RuntimeError("no luck")

    message = call("add", a=2, b=3)
    message["tool_calls"] += [
        {"id": "2", "name": "fail", "args": {}},
        {"id": "3", "name": "unknown", "args": {}},
        {"id": "4", "type": "function", "function": {"name": "add", "arguments": '{"a": 1}'}},
    ]
    node = ToolNode([add, fail])
    results = node.invoke({"messages": [message]})["messages"]
    assert [r["tool_call_id"] for r in results] == ["call-add", "2", "3", "4"]
    assert results[0]["content"] == "5"
    assert "no luck" in results[1]["content"]
    assert results[1]["status"] == "error"
    assert "not a valid tool, try one of [add, fail]" in results[2]["content"]
    assert "do not fit" in results[3]["content"]
    with pytest.raises(RuntimeError, match="no luck"):
        ToolNode([fail], handle_tool_errors=False).invoke({"messages": [call("fail")]})


@pytest.mark.feature("SG-25")
def test_a_tool_gets_state_and_runtime_injected_and_may_command_the_graph() -> None:
    def book(day: str, state: Any, runtime: Runtime[Any], tool_call_id: str) -> Command[Any]:
        assert state["messages"]
        assert runtime.context == {"who": "An"}
        return Command(
            update={"messages": [{"role": "tool", "tool_call_id": tool_call_id, "content": f"booked {day}"}]}
        )

    node = ToolNode([book])
    assert "state" not in node.tools_by_name["book"].schema()["function"]["parameters"]["properties"]
    graph = StateGraph(MessagesState, dict).add_node("tools", node).add_edge(START, "tools").compile()
    out = graph.invoke({"messages": [call("book", day="Monday")]}, context={"who": "An"})
    assert out["messages"][-1]["content"] == "booked Monday"


@pytest.mark.feature("SG-25")
def test_the_tool_loop_ends_when_the_model_asks_for_no_tool() -> None:
    def add(a: int, b: int) -> int:
        """Add two numbers."""
        return a + b

    def model(messages: list[Any], tools: list[Any]) -> dict[str, Any]:
        assert tools[0]["function"]["parameters"]["required"] == ["a", "b"]
        last = messages[-1]
        if last["role"] == "tool":
            return {"role": "assistant", "content": f"It is {last['content']}."}
        return call("add", a=20, b=22)

    agent = create_react_agent(model, [add], prompt="Be brief.")
    assert agent.invoke({"messages": ["20 + 22?"]})["messages"][-1]["content"] == "It is 42."
    assert tools_condition({"messages": [call("add")]}) == "tools"
    assert tools_condition({"messages": [{"role": "assistant", "content": "x"}]}) == END


@pytest.mark.feature("SG-25")
def test_a_supervisor_hands_work_out_and_takes_it_back() -> None:
    def supervisor(s: Any) -> Command[Literal["writer", "critic", "__end__"]]:
        done = [m["name"] for m in s["messages"] if m.get("name")]
        return Command(goto="writer" if "writer" not in done else "critic" if "critic" not in done else END)

    graph = StateGraph(MessagesState).add_node(supervisor)
    for name in ("writer", "critic"):
        graph.add_node(
            name, lambda s, name=name: {"messages": [{"role": "assistant", "name": name, "content": name}]}
        )
        graph.add_edge(name, "supervisor")
    out = graph.add_edge(START, "supervisor").compile().invoke({"messages": ["write"]})
    assert [m["content"] for m in out["messages"]] == ["write", "writer", "critic"]


@pytest.mark.feature("SG-25")
def test_a_swarm_hands_off_to_the_agent_that_a_function_returns() -> None:
    def transfer_to_sales() -> str:
        return "sales"

    def triage(s: Any) -> Command[Literal["sales"]]:
        return Command(goto=transfer_to_sales(), update={"active": "sales"})

    graph = StateGraph(Swarm).add_node(triage)
    graph.add_node("sales", lambda s: {"messages": [{"role": "assistant", "content": "sold"}]})
    graph.add_conditional_edges(START, lambda s: s.get("active", "triage"), ["triage", "sales"])
    out = graph.compile().invoke({"messages": ["buy"]})
    assert out["active"] == "sales"
    assert out["messages"][-1]["content"] == "sold"


def longer(left: list[str], right: list[str]) -> list[str]:
    return left + right


class Swarm(MessagesState):
    active: str


class Crew(TypedDict, total=False):
    goal: str
    steps: list[str]
    results: Annotated[list[str], longer]
    report: str


@pytest.mark.feature("SG-25")
def test_plan_and_execute_with_a_crew_of_roles_and_map_reduce() -> None:
    def plan(s: Crew) -> Crew:
        return {"steps": [f"{s['goal']} {i}" for i in range(3)]}

    graph = StateGraph(Crew).add_node(plan)
    graph.add_node("worker", lambda step: {"results": [f"did {step}"]})
    graph.add_node("chief", lambda s: {"report": "; ".join(s["results"])})
    graph.add_edge(START, "plan").add_edge("worker", "chief")
    graph.add_conditional_edges("plan", lambda s: [Send("worker", step) for step in s["steps"]], ["worker"])
    assert graph.compile().invoke({"goal": "tidy"})["report"] == "did tidy 0; did tidy 1; did tidy 2"


@pytest.mark.feature("SG-25")
def test_a_group_chat_goes_round_until_someone_says_stop() -> None:
    speakers = ["ann", "bob", "eve"]

    def speak(name: str) -> Any:
        def node(s: Any) -> Any:
            text = "stop" if len(s["messages"]) > 5 else f"{name} speaks"
            return {"messages": [{"role": "assistant", "name": name, "content": text}]}

        return node

    def next_speaker(s: Any) -> str:
        last = s["messages"][-1]
        if last["content"] == "stop":
            return END
        at = speakers.index(last["name"]) + 1 if last.get("name") else 0
        return speakers[at % 3]

    graph = StateGraph(MessagesState)
    for name in speakers:
        graph.add_node(name, speak(name)).add_conditional_edges(name, next_speaker, [*speakers, END])
    graph.add_conditional_edges(START, next_speaker, speakers)
    out = graph.compile().invoke({"messages": ["begin"]})
    assert [m.get("name") for m in out["messages"][1:]] == ["ann", "bob", "eve", "ann", "bob", "eve"]


@pytest.mark.feature("SG-03")
def test_conversations_need_no_message_library() -> None:
    assert "langchain_core" not in sys.modules or add_messages([], ["x"])[0]["role"] == "user"
