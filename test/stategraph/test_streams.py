"""What a run shows while it runs."""

from __future__ import annotations

import threading
from typing import Any

import pytest

from zulong.stategraph import START, MessagesState, Runtime, StateGraph
from zulong.stategraph.config import get_config, get_stream_writer
from zulong.stategraph.graph.message import push_message
from zulong.stategraph.runtime import get_runtime
from zulong.stategraph.store.memory import InMemoryStore


def two_nodes(state: Any, **compile_args: Any) -> Any:
    graph = StateGraph(state).add_node("a", lambda s: {"log": ["a"]}).add_node("b", lambda s: {"x": 7})
    return graph.add_edge(START, "a").add_edge("a", "b").compile(**compile_args)


@pytest.mark.feature("SG-18")
def test_values_show_the_state_and_updates_what_each_node_returned(state: Any) -> None:
    graph = two_nodes(state)
    assert list(graph.stream({"x": 1}, stream_mode="values")) == [
        {"x": 1, "log": []},
        {"x": 1, "log": ["a"]},
        {"x": 7, "log": ["a"]},
    ]
    assert list(graph.stream({"x": 1})) == [{"a": {"log": ["a"]}}, {"b": {"x": 7}}]


@pytest.mark.feature("SG-18")
def test_several_modes_come_as_pairs_and_version_2_as_dictionaries(state: Any) -> None:
    graph = two_nodes(state)
    pairs = list(graph.stream({"x": 1}, stream_mode=["values", "updates"]))
    assert [mode for mode, _ in pairs] == ["values", "updates", "values", "updates", "values"]
    parts = list(graph.stream({"x": 1}, stream_mode=["updates"], version="v2"))
    assert parts[0] == {"type": "updates", "ns": (), "data": {"a": {"log": ["a"]}}}


@pytest.mark.feature("SG-18")
def test_tasks_checkpoints_and_debug_tell_the_whole_story(state: Any, saver: Any, thread: Any) -> None:
    graph = two_nodes(state, checkpointer=saver)
    tasks = list(graph.stream({"x": 1}, thread, stream_mode="tasks"))
    assert [(t["name"], "result" in t) for t in tasks] == [
        ("a", False),
        ("a", True),
        ("b", False),
        ("b", True),
    ]
    other = {"configurable": {"thread_id": "2"}}
    points = list(graph.stream({"x": 1}, other, stream_mode="checkpoints"))
    assert [p["next"] for p in points] == [["__start__"], ["a"], ["b"], []]
    saved = graph.get_state({"configurable": points[-1]["config"]["configurable"]})
    assert saved.values == points[-1]["values"]
    third = {"configurable": {"thread_id": "3"}}
    kinds = [d["type"] for d in graph.stream({"x": 1}, third, stream_mode="debug")]
    assert kinds.count("checkpoint") == 4
    assert kinds.count("task") == kinds.count("task_result") == 2


@pytest.mark.feature("SG-18", "SG-15")
def test_custom_values_arrive_while_the_node_still_runs(state: Any) -> None:
    arrived = threading.Event()
    live: list[bool] = []

    def slow(s: Any, runtime: Runtime[None]) -> Any:
        runtime.stream_writer("first")
        get_stream_writer()("second")
        live.append(arrived.wait(20))
        return {}

    graph = StateGraph(state).add_node(slow).add_edge(START, "slow").compile()
    chunks = []
    for chunk in graph.stream({"x": 1}, stream_mode="custom"):
        chunks.append(chunk)
        if len(chunks) == 2:
            arrived.set()
    assert chunks == ["first", "second"]
    assert live == [True]


@pytest.mark.feature("SG-18", "SG-17")
def test_subgraphs_show_with_their_namespace(state: Any) -> None:
    inner = two_nodes(state)
    graph = StateGraph(state).add_node("inner", inner).add_edge(START, "inner").compile()
    chunks = list(graph.stream({"x": 1}, subgraphs=True))
    assert [ns[0].split(":")[0] if ns else "" for ns, _ in chunks] == ["inner", "inner", ""]


@pytest.mark.feature("SG-18")
def test_messages_show_parts_as_they_come_and_each_message_once() -> None:
    def speak(s: Any) -> Any:
        for part in ("Hel", "lo"):
            push_message({"role": "assistant", "id": "m1", "content": part}, state_key=None)
        return {"messages": [{"role": "assistant", "id": "m1", "content": "Hello"}]}

    graph = StateGraph(MessagesState).add_node(speak).add_edge(START, "speak").compile()
    shown = list(graph.stream({"messages": ["hi"]}, stream_mode="messages"))
    assert [m["content"] for m, _ in shown] == ["Hel", "lo"]
    assert {meta["langgraph_node"] for _, meta in shown} == {"speak"}


@pytest.mark.feature("SG-18")
def test_one_event_stream_holds_starts_ends_values_and_questions(state: Any) -> None:
    def node(s: Any) -> Any:
        get_stream_writer()({"progress": 1})
        return {"x": 2}

    graph = StateGraph(state).add_node(node).add_edge(START, "node").compile()
    events = list(graph.stream_events({"x": 1}))
    assert [e["event"] for e in events] == [
        "on_chain_start",
        "on_chain_start",
        "on_custom_event",
        "on_chain_stream",
        "on_chain_end",
        "on_chain_end",
    ]
    assert events[-1]["data"]["output"]["x"] == 2


@pytest.mark.feature("SG-15")
def test_the_runtime_gives_context_store_and_identity(state: Any, saver: Any, thread: Any) -> None:
    seen: dict[str, Any] = {}

    def node(s: Any, runtime: Runtime[Any], config: dict[str, Any]) -> Any:
        seen.update(
            context=runtime.context,
            user=runtime.store.get(("users",), "u"),  # type: ignore[union-attr]
            info=runtime.execution_info,
            same=get_runtime() is runtime,
            thread=config["configurable"]["thread_id"],
            ns=get_config()["configurable"]["checkpoint_ns"],
        )
        return {}

    store = InMemoryStore()
    store.put(("users",), "u", {"name": "An"})
    graph = (
        StateGraph(state, dict)
        .add_node(node)
        .add_edge(START, "node")
        .compile(checkpointer=saver, store=store)
    )
    graph.invoke({"x": 1}, thread, context={"who": "u"})
    assert seen["context"] == {"who": "u"}
    assert seen["user"].value == {"name": "An"}
    assert seen["info"].thread_id == seen["thread"] == "1"
    assert seen["ns"] == f"node:{seen['info'].task_id}"
    assert seen["same"]


@pytest.mark.feature("SG-18")
def test_a_stream_that_is_left_early_ends_its_run_and_the_thread_goes_on(
    state: Any, saver: Any, thread: Any
) -> None:
    graph = two_nodes(state, checkpointer=saver)
    stream = graph.stream({"x": 1}, thread, durability="sync")
    assert next(stream) == {"a": {"log": ["a"]}}
    stream.close()
    assert graph.invoke(None, thread) == {"x": 7, "log": ["a"]}
