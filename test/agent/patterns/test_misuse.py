"""Patterns put together or called wrongly are refused where that happens, with what to do."""

from __future__ import annotations

import pytest

from zulong.agent.patterns import (
    Agent,
    CrewTask,
    PatternError,
    Said,
    crew,
    group_chat,
    hand_off,
    map_reduce,
    plan_and_execute,
    supervisor,
    trio,
)

pytestmark = pytest.mark.feature("SG-25")


def asked(text: str = "go") -> dict:
    return {"messages": [{"role": "user", "content": text}]}


def says(name: str, text: str = "yes") -> Agent:
    return Agent(name, lambda messages: text)


@pytest.mark.parametrize("name", ["", " ", "a|b", "a:b", "__end__", "__start__", "supervisor", 7])
def test_a_name_that_a_graph_cannot_have_is_refused_where_it_is_given(name) -> None:
    with pytest.raises(PatternError, match="name"):
        supervisor([says(name)], lambda messages: None)
    if name != "supervisor":
        with pytest.raises(PatternError, match="name"):
            crew([says("r")], [CrewTask(name, "x", "r")])


def test_a_pattern_called_without_its_input_says_what_to_give() -> None:
    agents = [says("a")]
    for graph in (supervisor(agents, lambda m: "a"), hand_off(agents), group_chat(agents)):
        for given in ({}, {"messages": []}, {"messages": ["hello"]}):
            with pytest.raises(PatternError, match='"role": "user"'):
                graph.invoke(given)
    for graph, name in (
        (crew(agents, [CrewTask("t", "x", "a")]), "goal"),
        (map_reduce(list, str, list), "job"),
        (plan_and_execute(lambda g: [], lambda s, d: "", lambda g, d: ""), "goal"),
        (trio(lambda t: [], lambda q, v: [], lambda s, v, d: "", lambda q, d: ""), "question"),
    ):
        with pytest.raises(PatternError, match=name):
            graph.invoke({})
    with pytest.raises(PatternError, match="at least one task"):
        crew(agents, [])


async def _coroutine(messages) -> str:
    return "later"


@pytest.mark.parametrize("speak", [lambda m: None, lambda m: 5, _coroutine, lambda m: Said(None)])
def test_an_agent_that_does_not_answer_with_words_is_named(speak) -> None:
    with pytest.raises(PatternError, match="Agent 'odd' answered with a"):
        group_chat([Agent("odd", speak)], max_rounds=1).invoke(asked())


@pytest.mark.parametrize("steps", ["one, two", None, 5])
def test_a_plan_that_is_no_list_is_refused(steps) -> None:
    graph = plan_and_execute(lambda goal: steps, lambda s, d: "", lambda g, d: "")
    with pytest.raises(PatternError, match="plan must return a list of steps"):
        graph.invoke({"goal": "x"})


@pytest.mark.parametrize("triple", [("a", "b"), ("a", "", "c"), "abc", ("a", "b", 3)])
def test_what_is_no_triple_is_refused(triple) -> None:
    graph = trio(lambda text: [triple], lambda q, v: [], lambda s, v, d: "", lambda q, d: "")
    with pytest.raises(PatternError, match="subject, relation, object"):
        graph.invoke({"texts": ["t"], "question": "q"})


def test_an_agent_cannot_change_what_was_said_before() -> None:
    def meddler(messages) -> str:
        messages[0]["content"] = "something else"
        return "done"

    state = group_chat([Agent("meddler", meddler)], max_rounds=1).invoke(asked("as it was"))
    assert state["messages"][0]["content"] == "as it was"
