"""Nodes, edges, schemas, branches, sends: what a graph is made of."""

from __future__ import annotations

import operator
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal, TypedDict

import pytest
from pydantic import BaseModel, ValidationError

from zulong.stategraph import END, START, Command, Send, StateGraph
from zulong.stategraph.errors import InvalidUpdateError
from zulong.stategraph.graph.state import CompiledStateGraph
from zulong.stategraph.types import Overwrite


def chain(schema: Any, *nodes: Any, **compile_args: Any) -> CompiledStateGraph[Any, Any, Any, Any]:
    return StateGraph(schema).add_sequence(nodes).add_edge(START, nodes[0].__name__).compile(**compile_args)


@pytest.mark.feature("SG-01")
def test_a_node_is_named_after_its_function(state: Any) -> None:
    def count(s: Any) -> Any:
        return {"x": s["x"] + 1}

    graph = StateGraph(state).add_node(count).add_edge(START, "count").add_edge("count", END).compile()
    assert graph.invoke({"x": 1}) == {"x": 2, "log": []}


@pytest.mark.feature("SG-01")
@pytest.mark.parametrize(
    ("build", "words"),
    [
        (lambda g: g.compile(), "entrypoint"),
        (lambda g: g.add_edge(START, "a").compile(), "unknown node `a`"),
        (lambda g: g.add_node("a", print).add_node("a", print), "already present"),
        (lambda g: g.add_node("a|b", print), "reserved character"),
        (lambda g: g.add_edge(END, "a"), "END cannot be a start node"),
        (
            lambda g: g.add_node("a", print).add_edge(START, "a").compile(interrupt_before=["b"]),
            "`b` not found",
        ),
    ],
)
def test_a_graph_that_cannot_run_is_refused_with_the_name_of_what_is_wrong(
    state: Any, build: Any, words: str
) -> None:
    with pytest.raises(ValueError, match=words):
        build(StateGraph(state))


class Plain(TypedDict):
    name: str
    seen: Annotated[list[str], operator.add]


@dataclass
class Data:
    name: str
    seen: Annotated[list[str], operator.add] = field(default_factory=list)


class Model(BaseModel):
    name: str
    seen: Annotated[list[str], operator.add] = []


@pytest.mark.feature("SG-02")
@pytest.mark.parametrize("schema", [Plain, Data, Model])
def test_a_node_gets_its_schema_and_unnamed_keys_stay(schema: Any) -> None:
    def greet(s: Any) -> Any:
        name = s["name"] if isinstance(s, dict) else s.name
        assert isinstance(s, dict if schema is Plain else schema)
        return {"seen": [name]}

    assert chain(schema, greet).invoke({"name": "a", "seen": ["0"]}) == {"name": "a", "seen": ["0", "a"]}


@pytest.mark.feature("SG-02")
def test_a_pydantic_state_validates_the_input() -> None:
    def node(s: Model) -> Any:
        return {}

    with pytest.raises(ValidationError):
        chain(Model, node).invoke({"name": ["no text"]})


class In(TypedDict):
    question: str


class Out(TypedDict):
    answer: str


class Private(TypedDict):
    draft: str


class All(In, Out):
    pass


@pytest.mark.feature("SG-02")
def test_input_output_and_private_schemas_show_only_their_keys() -> None:
    def think(s: In) -> Any:
        assert s == {"question": "q"}
        return {"draft": "d"}

    def speak(s: Private) -> Any:
        assert s == {"draft": "d"}
        return {"answer": s["draft"] + "!"}

    graph = (
        StateGraph(All, input_schema=In, output_schema=Out)
        .add_sequence([think, speak])
        .add_edge(START, "think")
    )
    assert graph.compile().invoke({"question": "q", "answer": "ignored"}) == {"answer": "d!"}


@pytest.mark.feature("SG-03")
def test_reducers_fold_and_overwrite_replaces(state: Any) -> None:
    def add(s: Any) -> Any:
        return {"log": ["a"]}

    def replace(s: Any) -> Any:
        return {"log": Overwrite(["only"])}

    assert chain(state, add, replace).invoke({"log": ["0"]})["log"] == ["only"]


@pytest.mark.feature("SG-03")
def test_two_overwrites_in_one_step_are_refused(state: Any) -> None:
    graph = StateGraph(state)
    for name in "ab":
        graph.add_node(name, lambda s: {"log": Overwrite([1])}).add_edge(START, name)
    with pytest.raises(InvalidUpdateError, match="only one Overwrite"):
        graph.compile().invoke({"x": 1})


@pytest.mark.feature("SG-04")
def test_conditional_edges_loop_and_may_choose_several(state: Any) -> None:
    def choose(s: Any) -> Any:
        return ["a", "b"] if len(s["log"]) < 4 else END

    graph = StateGraph(state).add_node("a", lambda s: {"log": ["a"]}).add_node("b", lambda s: {"log": ["b"]})
    graph.add_node("again", lambda s: {})
    graph.add_edge(["a", "b"], "again").add_conditional_edges(START, choose).add_conditional_edges(
        "again", choose
    )
    assert graph.compile().invoke({"log": []})["log"] == ["a", "b", "a", "b"]


@pytest.mark.feature("SG-04")
def test_a_path_map_translates_and_a_literal_return_names_the_ends(state: Any) -> None:
    def size(s: Any) -> Literal["small", "big"]:
        return "big" if s["x"] > 5 else "small"

    graph = (
        StateGraph(state)
        .add_node("small", lambda s: {"log": ["small"]})
        .add_node("big", lambda s: {"log": ["big"]})
    )
    graph.add_conditional_edges(START, size)
    assert graph.compile().invoke({"x": 9})["log"] == ["big"]
    mapped = StateGraph(state).add_node("yes", lambda s: {"log": ["yes"]})
    mapped.add_conditional_edges(START, lambda s: s["x"] > 5, {True: "yes", False: END})
    assert mapped.compile().invoke({"x": 9})["log"] == ["yes"]
    with pytest.raises(ValueError, match="unknown target 'no'"):
        StateGraph(state).add_node("yes", print).add_conditional_edges(START, bool, {True: "no"}).compile()


@pytest.mark.feature("SG-05")
def test_a_join_waits_for_all_and_a_deferred_node_for_everything(state: Any) -> None:
    graph = StateGraph(state)
    for name in ("a", "b", "b2", "c"):
        graph.add_node(name, lambda s, name=name: {"log": [name]})
    graph.add_node("join", lambda s: {"log": ["join"]})
    graph.add_node("last", lambda s: {"log": ["last"]}, defer=True)
    for name in ("a", "b", "c"):
        graph.add_edge(START, name)
    graph.add_edge("b", "b2").add_edge(["a", "b2"], "join").add_edge("c", "last").add_edge("join", "last")
    assert graph.compile().invoke({"log": []})["log"] == ["a", "b", "c", "b2", "join", "last"]


@pytest.mark.feature("SG-07")
def test_a_command_updates_and_goes_where_it_says(state: Any) -> None:
    def first(s: Any) -> Command[Any]:
        return Command(update={"log": ["first"]}, goto=["a", Send("b", {"item": 7})])

    graph = StateGraph(state).add_node(first).add_node("a", lambda s: {"log": ["a"]})
    graph.add_node("b", lambda item: {"log": [item["item"]]}).add_edge(START, "first")
    assert graph.compile().invoke({"log": []})["log"] == ["first", "a", 7]


@pytest.mark.feature("SG-07")
def test_a_command_can_leave_a_subgraph_for_its_parent(state: Any) -> None:
    inner = StateGraph(state).add_node(
        "leave", lambda s: Command(graph=Command.PARENT, goto="b", update={"log": ["in"]})
    )
    inner.add_edge(START, "leave")
    outer = StateGraph(state).add_node("inner", inner.compile()).add_node("b", lambda s: {"log": ["b"]})
    outer.add_edge(START, "inner")
    assert outer.compile().invoke({"log": []})["log"] == ["in", "b"]


@pytest.mark.feature("SG-08")
def test_sends_fan_out_over_a_number_known_at_run_time(state: Any) -> None:
    graph = StateGraph(state).add_node("work", lambda item: {"log": [item["i"] ** 2]})
    graph.add_conditional_edges(START, lambda s: [Send("work", {"i": i}) for i in range(s["x"])], ["work"])
    compiled = graph.compile()
    assert compiled.invoke({"x": 40})["log"] == [i * i for i in range(40)]
    assert compiled.invoke({"x": 0})["log"] == []


@pytest.mark.feature("SG-07")
def test_a_result_that_is_no_update_is_refused_by_name_and_code(state: Any) -> None:
    def wrong(s: Any) -> Any:
        return 5

    with pytest.raises(InvalidUpdateError, match=r"Expected dict, got 5.*INVALID_GRAPH_NODE_RETURN_VALUE"):
        chain(state, wrong).invoke({"x": 1})
