"""Looking back, going back, forking: the old branch stays."""

from __future__ import annotations

from typing import Any

import pytest

from zulong.stategraph import END, START, Command, StateGraph, interrupt
from zulong.stategraph.errors import InvalidUpdateError
from zulong.stategraph.types import StateUpdate


def three_steps(state: Any, saver: Any, runs: list[str]) -> Any:
    graph = StateGraph(state)
    for name in "abc":

        def node(s: Any, name: str = name) -> Any:
            runs.append(name)
            return {"x": s.get("x", 0) + 1, "log": [name]}

        graph.add_node(name, node)
    graph.add_edge(START, "a").add_edge("a", "b").add_edge("b", "c")
    return graph.compile(checkpointer=saver)


@pytest.mark.feature("SG-12")
def test_history_lists_every_step_and_replay_runs_only_what_follows(
    state: Any, saver: Any, thread: Any
) -> None:
    runs: list[str] = []
    graph = three_steps(state, saver, runs)
    graph.invoke({"x": 0, "log": []}, thread)
    history = list(graph.get_state_history(thread))
    assert [h.next for h in history] == [(), ("c",), ("b",), ("a",), ("__start__",)]
    assert [h.metadata["step"] for h in history] == [3, 2, 1, 0, -1]
    runs.clear()
    again = graph.invoke(None, history[2].config)
    assert again["log"] == ["a", "b", "c"]
    assert runs == ["b", "c"]
    ids = [h.config["configurable"]["checkpoint_id"] for h in graph.get_state_history(thread)]
    assert {h.config["configurable"]["checkpoint_id"] for h in history} < set(ids)


@pytest.mark.feature("SG-12")
@pytest.mark.parametrize("use_async", [False, True])
async def test_a_fork_goes_its_own_way_and_sync_and_async_updates_agree(
    state: Any, saver: Any, thread: Any, use_async: bool
) -> None:
    graph = three_steps(state, saver, [])
    graph.invoke({"x": 0, "log": []}, thread)
    old = list(graph.get_state_history(thread))
    at_b = next(h for h in old if h.next == ("b",))
    values = {"x": 100, "log": ["forked"]}
    if use_async:
        fork = await graph.aupdate_state(at_b.config, values)
        out = await graph.ainvoke(None, fork)
    else:
        fork = graph.update_state(at_b.config, values)
        out = graph.invoke(None, fork)
    assert out == {"x": 102, "log": ["a", "forked", "b", "c"]}
    forked = graph.get_state(fork)
    assert forked.metadata["source"] == "update"
    assert forked.next == ("b",)
    assert graph.get_state(old[0].config).values == {"x": 3, "log": ["a", "b", "c"]}


@pytest.mark.feature("SG-12")
def test_updates_in_bulk_as_input_as_copy_and_to_clear(state: Any, saver: Any, thread: Any) -> None:
    graph = three_steps(state, saver, [])
    config = graph.bulk_update_state(
        thread,
        [
            [StateUpdate({"x": 5, "log": ["in"]}, "__input__")],
            [StateUpdate({"x": 6, "log": ["as a"]}, "a")],
        ],
    )
    assert graph.get_state(config).next == ("b",)
    assert graph.get_state(config).values == {"x": 6, "log": ["as a"]}
    copy = graph.update_state(config, None, "__copy__")
    assert graph.get_state(copy).next == ("b",)
    assert graph.get_state(copy).metadata["source"] == "fork"
    cleared = graph.update_state(copy, None, END)
    assert graph.get_state(cleared).next == ()


@pytest.mark.feature("SG-12")
@pytest.mark.parametrize(
    ("updates", "words"),
    [
        ([[StateUpdate({"x": 1}, "nobody")]], "nobody does not exist"),
        ([[StateUpdate({"x": 1}, None), StateUpdate({"x": 2}, "a")]], "as_node is required"),
        ([[StateUpdate(None, "__copy__"), StateUpdate(None, "__copy__")]], "Cannot copy"),
    ],
)
def test_an_update_that_cannot_be_is_refused(
    state: Any, saver: Any, thread: Any, updates: Any, words: str
) -> None:
    graph = three_steps(state, saver, [])
    graph.invoke({"x": 0}, thread)
    with pytest.raises(InvalidUpdateError, match=words):
        graph.bulk_update_state(thread, updates)
    with pytest.raises(ValueError, match="No"):
        graph.bulk_update_state(thread, [])


@pytest.mark.feature("SG-17", "SG-12")
def test_time_travel_into_a_subgraph_starts_at_the_chosen_node(state: Any, saver: Any, thread: Any) -> None:
    runs: list[str] = []

    def node(name: str) -> Any:
        def run(s: Any) -> Any:
            runs.append(name)
            return {"log": [name]}

        return run

    inner = (
        StateGraph(state).add_node("one", node("one")).add_node("ask", lambda s: {"log": [interrupt("?")]})
    )
    inner.add_node("two", node("two")).add_edge(START, "one").add_edge("one", "ask").add_edge("ask", "two")
    outer = StateGraph(state).add_node("inner", inner.compile(checkpointer=True)).add_edge(START, "inner")
    graph = outer.compile(checkpointer=saver)
    graph.invoke({"log": []}, thread)
    inside = graph.get_state(thread, subgraphs=True).tasks[0].state
    graph.invoke(Command(resume="first"), thread)
    assert runs == ["one", "two"]
    runs.clear()
    out = graph.invoke(None, inside.config)
    assert runs == [], "what ran before the chosen place does not run again"
    assert [i.value for i in out["__interrupt__"]] == ["?"]
    graph.invoke(Command(resume="second"), thread)
    assert runs == ["two"]


@pytest.mark.feature("SG-17")
def test_subgraphs_keep_no_state_their_own_state_or_the_runs(state: Any, saver: Any, thread: Any) -> None:
    def counting(kind: Any) -> Any:
        inner = StateGraph(state).add_node("n", lambda s: {"log": ["n"]}).add_edge(START, "n")
        sub = inner.compile(checkpointer=kind)
        return StateGraph(state).add_node("call", lambda s: {"x": len(sub.invoke({"log": []})["log"])})

    for kind, lengths in ((None, [1, 1, 1]), (True, [1, 2, 3]), (False, [1, 1, 1])):
        graph = counting(kind).add_edge(START, "call").compile(checkpointer=saver)
        config = {"configurable": {"thread_id": f"kind {kind}"}}
        assert [graph.invoke({"log": []}, config)["x"] for _ in range(3)] == lengths


@pytest.mark.feature("SG-12")
def test_a_graph_without_checkpointer_says_so(state: Any, thread: Any, saver: Any) -> None:
    graph = three_steps(state, None, [])
    with pytest.raises(ValueError, match="No checkpointer set"):
        graph.get_state(thread)
    with pytest.raises(ValueError, match="thread_id"):
        three_steps(state, saver, []).invoke({"x": 0})
    with pytest.raises(TypeError, match="Invalid checkpointer"):
        three_steps(state, "sqlite://", [])
