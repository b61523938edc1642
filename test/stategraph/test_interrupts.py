"""Questions that stop a run, and the answers that let it go on."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import BaseModel, ValidationError

from zulong.stategraph import START, Command, StateGraph, interrupt
from zulong.stategraph.errors import UnknownInterruptError, is_invalid_resume
from zulong.stategraph.types import Send


def asking(state: Any, names: str, runs: list[str]) -> StateGraph[Any, Any, Any, Any]:
    graph = StateGraph(state)
    for name in names:

        def ask(s: Any, name: str = name) -> Any:
            runs.append(name)
            return {"log": [name + interrupt(f"{name}?")]}

        graph.add_node(name, ask).add_edge(START, name)
    return graph


@pytest.mark.feature("SG-13")
def test_an_answer_runs_the_node_again_from_its_top(
    state: Any, saver: Any, thread: Any, durability: str
) -> None:
    runs: list[str] = []
    graph = asking(state, "a", runs).compile(checkpointer=saver)
    out = graph.invoke({"log": []}, thread, durability=durability)
    assert [i.value for i in out["__interrupt__"]] == ["a?"]
    assert graph.get_state(thread).interrupts[0].value == "a?"
    assert graph.invoke(Command(resume="!"), thread, durability=durability) == {"log": ["a!"]}
    assert runs == ["a", "a"]
    assert graph.get_state(thread).next == ()


@pytest.mark.feature("SG-13")
def test_several_questions_in_one_node_are_answered_in_order(state: Any, saver: Any, thread: Any) -> None:
    def ask(s: Any) -> Any:
        return {"log": [interrupt("first"), interrupt("second"), interrupt("third")]}

    graph = StateGraph(state).add_node(ask).add_edge(START, "ask").compile(checkpointer=saver)
    ids = []
    out = graph.invoke({"log": []}, thread)
    for answer in (1, 2, 3):
        ids.append(out["__interrupt__"][0].id)
        out = graph.invoke(Command(resume=answer), thread)
    assert out["log"] == [1, 2, 3]
    assert len(set(ids)) == 3, "identity is task plus call index, so no two questions share an id"


@pytest.mark.feature("SG-13")
def test_answering_one_of_several_leaves_the_others_waiting_without_running_again(
    state: Any, saver: Any, thread: Any, durability: str
) -> None:
    runs: list[str] = []
    graph = asking(state, "abc", runs).compile(checkpointer=saver)
    out = graph.invoke({"log": []}, thread, durability=durability)
    by_question = {i.value: i.id for i in out["__interrupt__"]}
    assert len(set(by_question.values())) == 3
    runs.clear()
    out = graph.invoke(Command(resume={by_question["b?"]: "2"}), thread, durability=durability)
    assert runs == ["b"]
    assert {i.value for i in out["__interrupt__"]} == {"a?", "c?"}
    waiting = graph.get_state(thread)
    assert sorted(waiting.next) == ["a", "c"], "next lists everything that is pending"
    assert {i.value for i in waiting.interrupts} == {"a?", "c?"}
    runs.clear()
    answers = {by_question["a?"]: "1", by_question["c?"]: "3"}
    assert graph.invoke(Command(resume=answers), thread, durability=durability)["log"] == ["a1", "b2", "c3"]
    assert sorted(runs) == ["a", "c"]


@pytest.mark.feature("SG-13")
def test_one_value_for_several_questions_is_refused_and_changes_nothing(
    state: Any, saver: Any, thread: Any
) -> None:
    graph = asking(state, "ab", []).compile(checkpointer=saver)
    graph.invoke({"log": []}, thread)
    with pytest.raises(RuntimeError, match="specify the interrupt id"):
        graph.invoke(Command(resume="which?"), thread)
    strict = {"configurable": {**thread["configurable"], "__pregel_strict_resume": True}}
    with pytest.raises(UnknownInterruptError) as caught:
        graph.invoke(Command(resume={"0" * 32: "x"}), strict)
    assert caught.value.reason == "not_pending"
    assert len(caught.value.pending_ids) == 2
    assert len(graph.get_state(thread).interrupts) == 2


@pytest.mark.feature("SG-13")
def test_questions_of_parallel_sends_are_told_apart(state: Any, saver: Any, thread: Any) -> None:
    graph = StateGraph(state).add_node("work", lambda i: {"log": [(i, interrupt(i))]})
    graph.add_conditional_edges(START, lambda s: [Send("work", i) for i in range(4)], ["work"])
    compiled = graph.compile(checkpointer=saver)
    out = compiled.invoke({"log": []}, thread)
    answers = {i.id: i.value * 10 for i in out["__interrupt__"]}
    assert compiled.invoke(Command(resume=answers), thread)["log"] == [(i, i * 10) for i in range(4)]


@pytest.mark.feature("SG-13", "SG-17")
def test_a_question_in_a_subgraph_of_a_subgraph_runs_finished_nodes_only_once(
    state: Any, saver: Any, thread: Any, durability: str
) -> None:
    runs: list[str] = []

    def note(name: str) -> Any:
        def node(s: Any) -> Any:
            runs.append(name)
            return {"log": [name]}

        return node

    inner = (
        StateGraph(state)
        .add_node("before", note("inner before"))
        .add_node("ask", lambda s: {"log": [interrupt("?")]})
    )
    inner.add_edge(START, "before").add_edge("before", "ask")
    middle = StateGraph(state).add_node("first", note("middle first")).add_node("inner", inner.compile())
    middle.add_edge(START, "first").add_edge("first", "inner")
    outer = StateGraph(state).add_node("start", note("outer start")).add_node("middle", middle.compile())
    outer.add_edge(START, "start").add_edge("start", "middle")
    graph = outer.compile(checkpointer=saver)
    graph.invoke({"log": []}, thread, durability=durability)
    deep = graph.get_state(thread, subgraphs=True).tasks[0].state.tasks[0].state
    assert deep.next == ("ask",)
    graph.invoke(Command(resume="!"), thread, durability=durability)
    assert runs == ["outer start", "middle first", "inner before"]


@pytest.mark.feature("SG-13")
def test_the_result_object_has_value_and_interrupts(state: Any, saver: Any, thread: Any) -> None:
    graph = asking(state, "a", []).compile(checkpointer=saver)
    stopped = graph.invoke({"log": []}, thread, version="v2")
    assert [i.value for i in stopped.interrupts] == ["a?"]
    done = graph.invoke(Command(resume="!"), thread, version="v2")
    assert done.value == {"log": ["a!"]}
    assert done.interrupts == ()


@pytest.mark.feature("SG-13")
def test_an_answer_that_does_not_fit_its_schema_can_be_given_again(
    state: Any, saver: Any, thread: Any
) -> None:
    class Decision(BaseModel):
        approve: bool

    def ask(s: Any) -> Any:
        return {"log": [interrupt("?", response_schema=Decision).approve]}

    graph = StateGraph(state).add_node(ask).add_edge(START, "ask").compile(checkpointer=saver)
    out = graph.invoke({"log": []}, thread)
    assert out["__interrupt__"][0].response_schema["properties"]["approve"]["type"] == "boolean"
    with pytest.raises(ValidationError) as caught:
        graph.invoke(Command(resume={"approve": "perhaps"}), thread)
    assert is_invalid_resume(caught.value)
    assert graph.invoke(Command(resume={"approve": True}), thread)["log"] == [True]


@pytest.mark.feature("SG-13")
def test_interrupt_without_a_checkpointer_says_what_is_missing(state: Any) -> None:
    graph = asking(state, "a", []).compile()
    with pytest.raises(RuntimeError, match="without checkpointer"):
        graph.invoke(Command(resume="x"))
    with pytest.raises(RuntimeError, match="outside of a runnable context"):
        interrupt("nobody runs")


@pytest.mark.feature("SG-14")
def test_breakpoints_stop_before_and_after_nodes_and_a_plain_invoke_goes_on(
    state: Any, saver: Any, thread: Any
) -> None:
    graph = StateGraph(state)
    for name in "abc":
        graph.add_node(name, lambda s, name=name: {"log": [name]})
    graph.add_edge(START, "a").add_edge("a", "b").add_edge("b", "c")
    compiled = graph.compile(checkpointer=saver, interrupt_before=["b"], interrupt_after=["b"])
    assert compiled.invoke({"log": []}, thread)["log"] == ["a"]
    assert compiled.get_state(thread).next == ("b",)
    assert compiled.invoke(None, thread)["log"] == ["a", "b"]
    assert compiled.get_state(thread).next == ("c",)
    assert compiled.invoke(None, thread)["log"] == ["a", "b", "c"]
