"""Agents working together: each pattern does its work, ends, and says what is put together wrongly."""

from __future__ import annotations

import re
import threading

import pytest
import scripted_server as act

from zulong.agent.patterns import (
    Agent,
    CrewTask,
    KnowledgeView,
    PatternError,
    Said,
    chat_agent,
    crew,
    group_chat,
    hand_off,
    map_reduce,
    model_chooses,
    plan_and_execute,
    round_robin,
    supervisor,
    transfer_tool,
    trio,
    until_said,
)
from zulong.stategraph.checkpoint.memory import InMemorySaver

pytestmark = pytest.mark.feature("SG-25")


def says(name: str, *lines: str | Said) -> Agent:
    script = list(lines)
    return Agent(name, lambda messages: script.pop(0) if len(script) > 1 else script[0])


def asked(text: str) -> dict:
    return {"messages": [{"role": "user", "content": text}]}


def talk(result: dict) -> list[tuple[str, str]]:
    return [(m.get("name", "user"), m["content"]) for m in result["messages"]]


def test_a_supervisor_hands_out_work_until_it_is_done() -> None:
    def choose(messages):
        spoken = [m.get("name") for m in messages]
        return "cook" if "cook" not in spoken else "waiter" if "waiter" not in spoken else None

    graph = supervisor([says("cook", "soup"), says("waiter", "served")], choose)
    assert talk(graph.invoke(asked("dinner"))) == [("user", "dinner"), ("cook", "soup"), ("waiter", "served")]


def test_a_supervisor_that_never_ends_is_ended_and_one_that_names_nobody_is_an_error() -> None:
    busy = supervisor([says("cook", "soup")], lambda messages: "cook", max_rounds=3)
    assert len(busy.invoke(asked("dinner"))["messages"]) == 4
    with pytest.raises(PatternError, match="'butler'; there are cook"):
        supervisor([says("cook", "soup")], lambda messages: "butler").invoke(asked("dinner"))


def test_a_model_supervises_models_over_real_http(server, make_model) -> None:
    model = make_model()
    agents = [chat_agent("cook", model, "You cook."), chat_agent("waiter", model, "You serve.")]
    server.play(
        act.say("cook"), act.say("Soup is ready."), act.say("waiter."), act.say("Served."), act.say("DONE")
    )
    result = supervisor(agents, model_chooses(model, agents)).invoke(asked("dinner"))
    assert talk(result)[1:] == [("cook", "Soup is ready."), ("waiter", "Served.")]
    assert server.requests[3]["messages"][-1]["content"] == "cook: Soup is ready."


def test_whoever_was_handed_the_conversation_keeps_it_for_the_next_message() -> None:
    desk = says("desk", Said("One moment.", hand_to="repair"))
    repair = says("repair", "What is broken?", "I will fix it.")
    graph = hand_off([desk, repair], checkpointer=InMemorySaver())
    config = {"configurable": {"thread_id": "1"}}
    first = graph.invoke(asked("help"), config)
    assert talk(first)[1:] == [("desk", "One moment."), ("repair", "What is broken?")]
    second = graph.invoke(asked("the arm"), config)
    assert talk(second)[3:] == [("user", "the arm"), ("repair", "I will fix it.")]


def test_a_tool_that_returns_the_next_agent_hands_over() -> None:
    repair = Agent("repair", lambda m: "fixed", purpose="Repairs things.")
    transfer = transfer_tool(repair)
    assert transfer.name == "transfer_to_repair" and "Repairs things." in transfer.description
    desk = Agent("desk", lambda m: transfer.function(note="Over to repair."))
    assert talk(hand_off([desk, repair]).invoke(asked("help")))[1:] == [
        ("desk", "Over to repair."),
        ("repair", "fixed"),
    ]


def test_a_conversation_handed_to_and_fro_ends_and_one_handed_to_nobody_is_an_error() -> None:
    ping, pong = says("ping", Said("", hand_to="pong")), says("pong", Said("", hand_to="ping"))
    assert hand_off([ping, pong], max_rounds=6).invoke(asked("go"))["rounds"] == 6
    with pytest.raises(PatternError, match="hands over to 'ghost'"):
        hand_off([says("a", Said("", hand_to="ghost"))]).invoke(asked("go"))
    with pytest.raises(PatternError, match="none of a"):
        hand_off([says("a", "x")], first="b")


def test_a_crew_does_its_tasks_in_parallel_where_it_can_and_passes_results_on() -> None:
    meeting = threading.Barrier(2, timeout=10)

    def research(messages):
        meeting.wait()
        return f"facts about {messages[-1]['content']}"

    writer = Agent("writer", lambda messages: " + ".join(m["content"] for m in messages))
    graph = crew(
        [Agent("researcher", research), writer],
        [
            CrewTask("cups", "{goal}: cups", "researcher"),
            CrewTask("plates", "{goal}: plates", "researcher"),
            CrewTask("report", "write", "writer", after=("cups", "plates")),
        ],
    )
    results = graph.invoke({"goal": "kitchen"})["results"]
    assert results["report"] == (
        "Result of cups: facts about kitchen: cups + Result of plates: facts about kitchen: plates + write"
    )


@pytest.mark.parametrize(
    ("tasks", "words"),
    [
        ([CrewTask("a", "x", "nobody")], "'nobody'"),
        ([CrewTask("a", "x", "r"), CrewTask("a", "y", "r")], "Two tasks"),
        ([CrewTask("a", "x", "r", after=("b",))], "no task of this crew"),
        ([CrewTask("a", "x", "r", after=("b",)), CrewTask("b", "x", "r", after=("a",))], "b -> a -> b"),
    ],
)
def test_a_crew_that_cannot_work_is_refused_with_the_reason(tasks, words) -> None:
    with pytest.raises(PatternError, match=words):
        crew([says("r", "x")], tasks)


def test_a_group_chat_follows_its_rule_and_stops_at_the_word() -> None:
    agents = [says("writer", "draft 1", "draft 2"), says("critic", "shorter", "APPROVED")]
    graph = group_chat(agents, until_said(round_robin(agents), "APPROVED"))
    said = [content for _, content in talk(graph.invoke(asked("write")))]
    assert said == ["write", "draft 1", "shorter", "draft 2", "APPROVED"]
    assert len(group_chat([says("a", "x")], max_rounds=4).invoke(asked("go"))["messages"]) == 5
    with pytest.raises(PatternError, match="named 'nobody'"):
        group_chat(agents, lambda messages, last: "nobody").invoke(asked("go"))


def test_map_reduce_over_a_number_of_parts_known_only_then() -> None:
    graph = map_reduce(lambda job: range(job), lambda n: n * n, list)
    assert graph.invoke({"job": 7})["result"] == [0, 1, 4, 9, 16, 25, 36]
    assert graph.invoke({"job": 0})["result"] == []


def test_plan_and_execute_looks_at_its_plan_after_each_step() -> None:
    def replan(goal, done, left):
        return ["knock", *left] if done[-1][1] == "locked" else left

    results = {"open door": "locked", "knock": "opened", "enter": "inside"}
    graph = plan_and_execute(
        lambda goal: ["open door", "enter"],
        lambda step, done: results[step],
        lambda goal, done: f"{goal}: " + ", ".join(result for _, result in done),
        replan,
    )
    assert graph.invoke({"goal": "get in"})["answer"] == "get in: locked, opened, inside"
    endless = plan_and_execute(
        lambda g: ["again"],
        lambda s, d: "no",
        lambda g, d: str(len(d)),
        lambda g, d, left: ["again"],
        max_steps=5,
    )
    assert endless.invoke({"goal": "never"})["answer"] == "5"


@pytest.mark.feature("MG-19")
def test_the_trio_answers_over_what_it_has_distilled_step_by_step() -> None:
    def generate(text):
        yield from re.findall(r"(\w+) (owns|is in|is on) the (\w+)", text)

    def plan(question, graph):
        thing = re.search(r"(\w+)\?$", question)[1]
        return [f"owner of {thing}", "room of owner"]

    def execute(step, graph, results):
        if step.startswith("owner"):
            return graph.subjects("owns", step.split()[-1])[0]
        return graph.objects(results[-1][1], "is in")[0]

    graph = trio(
        generate, plan, execute, lambda question, results: results[-1][1], checkpointer=InMemorySaver()
    )
    config = {"configurable": {"thread_id": "1"}}
    texts = ["anna owns the cup", "bob owns the hat and anna is in the kitchen", "bob is in the hall"]
    assert (
        graph.invoke({"texts": texts, "question": "where is the owner of the cup?"}, config)["answer"]
        == "kitchen"
    )
    assert graph.invoke({"question": "where is the owner of the hat?"}, config)["answer"] == "hall"


def test_a_knowledge_view_finds_the_chain_between_two_things() -> None:
    view = KnowledgeView(
        [("anna", "owns", "cup"), ("anna", "is in", "kitchen"), ("stove", "is in", "kitchen")]
    )
    assert view.path("cup", "stove") == [
        ("anna", "owns", "cup"),
        ("anna", "is in", "kitchen"),
        ("stove", "is in", "kitchen"),
    ]
    assert view.path("cup", "moon") == [] and view.path("cup", "cup") == []


def test_agents_without_names_of_their_own_are_refused() -> None:
    for agents in ([], [says("a", "x"), says("a", "y")]):
        with pytest.raises(PatternError):
            group_chat(agents)
