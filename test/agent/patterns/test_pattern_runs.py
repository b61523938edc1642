"""Patterns under way: failures, kills, cancels, budgets, streams, one run after another, patterns in patterns."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest
import scripted_server as act

from zulong.agent.budget import SharedBudget
from zulong.agent.chat import ChatCanceledError
from zulong.agent.latch import CancelLatch, latch_in_context
from zulong.agent.loop import LoopSettings, ToolLoop
from zulong.agent.patterns import (
    Agent,
    CrewTask,
    PatternError,
    Said,
    chat_agent,
    crew,
    group_chat,
    hand_off,
    loop_agent,
    map_reduce,
    pattern_agent,
    plan_and_execute,
    supervisor,
    transfer_tool,
)
from zulong.agent.tools import Tool, ToolRegistry, tool_from_function
from zulong.stategraph.checkpoint.memory import InMemorySaver
from zulong.stategraph.types import Command, RetryPolicy, interrupt

pytestmark = pytest.mark.feature("SG-25")
THREAD = {"configurable": {"thread_id": "1"}}


def asked(text: str = "go") -> dict:
    return {"messages": [{"role": "user", "content": text}]}


def says(name: str, text: str = "yes") -> Agent:
    return Agent(name, lambda messages: text)


# -- one run after another -----------------------------------------------------------------------------------


def test_a_thread_takes_one_job_after_another() -> None:
    squares = map_reduce(range, lambda n: n * n, list, checkpointer=InMemorySaver())
    assert [squares.invoke({"job": n}, THREAD)["result"] for n in (3, 2, 0)] == [[0, 1, 4], [0, 1], []]
    task = plan_and_execute(
        lambda goal: [goal + "1", goal + "2"],
        lambda step, done: step.upper(),
        lambda goal, done: ",".join(result for _, result in done),
        max_steps=3,
        checkpointer=InMemorySaver(),
    )
    assert [task.invoke({"goal": g}, THREAD)["answer"] for g in "ab"] == ["A1,A2", "B1,B2"]
    chat = group_chat([says("a")], max_rounds=2, checkpointer=InMemorySaver())
    assert [len(chat.invoke(asked(), THREAD)["messages"]) for _ in range(3)] == [3, 6, 9]


def test_a_run_tells_whether_it_ended_by_itself_or_at_its_limit() -> None:
    agents = [says("a")]
    assert supervisor(agents, lambda m: "a", max_rounds=2).invoke(asked())["ended"] == "max_rounds"
    assert supervisor(agents, lambda m: None).invoke(asked())["ended"] == "done"
    assert group_chat(agents, max_rounds=2).invoke(asked())["ended"] == "max_rounds"
    ping, pong = Agent("ping", lambda m: pong), Agent("pong", lambda m: Said("over", hand_to="ping"))
    assert hand_off([ping, pong], max_rounds=3).invoke(asked())["ended"] == "max_rounds"
    assert hand_off(agents).invoke(asked())["ended"] == "done"
    plan = plan_and_execute(lambda g: [g] * 5, lambda s, d: s, lambda g, d: g, max_steps=2)
    assert plan.invoke({"goal": "x"})["ended"] == "max_steps"


# -- failures and kills --------------------------------------------------------------------------------------


def test_a_member_that_fails_ends_the_run_and_only_what_is_missing_is_made_again() -> None:
    made: list[str] = []
    broken = [True]

    def work(messages) -> str:
        task = messages[-1]["content"]
        made.append(task)
        if task == "b" and broken[0]:
            raise OSError("the camera is gone")
        return task

    tasks = [CrewTask("a", "a", "r"), CrewTask("b", "b", "r"), CrewTask("c", "c", "r", after=("a", "b"))]
    graph = crew([Agent("r", work)], tasks, checkpointer=InMemorySaver())
    with pytest.raises(OSError, match="the camera is gone"):
        graph.invoke({"goal": "x"}, THREAD)
    broken[0] = False
    assert graph.invoke(None, THREAD)["results"] == {"a": "a", "b": "b", "c": "c"}
    assert sorted(made) == ["a", "b", "b", "c"]


def test_a_member_may_be_asked_again_by_a_policy() -> None:
    tries: list[int] = []

    def flaky(part: int) -> int:
        tries.append(part)
        if len(tries) == 1:
            raise ConnectionError("not now")
        return part

    again = RetryPolicy(max_attempts=3, initial_interval=0.01)
    assert map_reduce(range, flaky, sum, retry=again).invoke({"job": 1})["result"] == 0
    assert tries == [0, 0]


def test_after_a_kill_a_pattern_goes_on_inside_the_pattern_that_it_is_in(tmp_path: Path) -> None:
    program = [sys.executable, str(Path(__file__).with_name("killed_in_a_turn.py")), str(tmp_path)]
    sources = str(Path(__file__).parents[3] / "src")
    lives = [
        subprocess.run(program, env=os.environ | {"PYTHONPATH": sources}, capture_output=True, timeout=120)
        for _ in range(2)
    ]
    assert [life.returncode for life in lives] == [-signal.SIGKILL, 0], lives[-1].stderr[-2000:]
    assert (tmp_path / "turns").read_text().split() == ["first", "second", "second"]
    assert lives[1].stdout.split() == [b"second", b"done"]


# -- cancel, stream, people ----------------------------------------------------------------------------------


def test_once_canceled_no_further_turn_begins_and_the_thread_can_go_on() -> None:
    latch = CancelLatch()
    turns: list[int] = []

    def speak(messages) -> str:
        turns.append(len(messages))
        latch.set("that is enough")
        return "said"

    graph = group_chat([Agent("a", speak)], max_rounds=5, checkpointer=InMemorySaver())
    with latch_in_context(latch), pytest.raises(ChatCanceledError, match="that is enough"):
        graph.invoke(asked(), THREAD)
    assert turns == [1]
    assert len(graph.invoke(None, THREAD)["messages"]) == 6


def test_a_cancel_ends_a_models_reply_in_its_middle(server, make_model) -> None:
    server.play(act.drip(0.02))
    latch = CancelLatch()
    graph = group_chat([chat_agent("slow", make_model(idle_s=5.0), "Talk.")])
    heard: list[str] = []

    def listen() -> None:
        for event in graph.stream(asked(), stream_mode="custom"):
            heard.append(event["text"])
            latch.set("enough")

    with latch_in_context(latch), pytest.raises(ChatCanceledError):
        listen()
    assert 1 <= len(heard) < 100


def test_turns_and_words_are_streamed_with_their_speakers(server, make_model) -> None:
    model = make_model()
    agents = [chat_agent("cook", model, "You cook."), chat_agent("waiter", model, "You serve.")]
    server.play(act.say("Soup ", "is ready."), act.say("Served."))
    graph = group_chat(agents, max_rounds=2)
    words, turns = [], []
    for mode, event in graph.stream(asked("dinner"), stream_mode=["custom", "updates"]):
        words.append((event["agent"], event["text"])) if mode == "custom" else turns.append(event)
    assert words == [("cook", "Soup "), ("cook", "is ready."), ("waiter", "Served.")]
    assert [list(turn) for turn in turns] == [["moderate"], ["speak"], ["moderate"], ["speak"], ["moderate"]]


def test_a_person_takes_part_in_a_pattern_inside_a_pattern() -> None:
    anna = Agent("anna", lambda messages: interrupt("Anna?"))
    bot = Agent("bot", lambda messages: f"noted {messages[-1]['content']}")
    talk = pattern_agent("talk", group_chat([anna, bot], max_rounds=2))
    graph = supervisor([talk], lambda m: "talk" if len(m) == 1 else None, checkpointer=InMemorySaver())
    assert graph.invoke(asked(), THREAD)["__interrupt__"][0].value == "Anna?"
    assert graph.invoke(Command(resume="too hot"), THREAD)["messages"][-1]["content"] == "noted too hot"


# -- tools and budgets ---------------------------------------------------------------------------------------


def test_a_model_hands_over_by_a_tool_call_over_real_http(server, make_model) -> None:
    model = make_model()
    repair = chat_agent("repair", model, "You repair.", "Repairs things.")

    def next_agent(why: str) -> Agent:
        """Choose who goes on."""
        return repair

    for tool, call in (
        (transfer_tool(repair), ("transfer_to_repair", {"note": "Over to repair."})),
        (tool_from_function(next_agent), ("next_agent", {"why": "broken"})),
    ):
        server.play(act.call(call, text="Just a moment."), act.say("What is broken?"))
        desk = chat_agent("desk", model, "You welcome.", tools=[tool])
        state = hand_off([desk, repair]).invoke(asked("help"))
        assert [m.get("name") for m in state["messages"]] == [None, "desk", "repair"]
        assert state["messages"][1]["content"].startswith("Just a moment.")


def test_a_chat_agent_uses_its_tools_within_its_turn_and_mends_its_calls(server, make_model) -> None:
    def count(room: str) -> int:
        """Count the cups in a room."""
        return {"kitchen": 3}[room]

    server.play(
        act.call(("cuont", {"room": "kitchen"})),
        act.call(("count", {"place": 1})),
        act.call(("count", {"room": "attic"})),
        act.call(("count", {"room": "kitchen"})),
        act.say("There are 3 cups."),
    )
    agent = chat_agent("counter", make_model(), "You count.", tools=[tool_from_function(count)])
    state = group_chat([agent], max_rounds=1).invoke(asked("how many cups?"))
    assert state["messages"][-1]["content"] == "There are 3 cups."
    results = [m["content"] for m in server.requests[-1]["messages"] if m["role"] == "tool"]
    assert ["error" in result for result in results] == [True, True, True, False] and results[-1] == "3"
    with pytest.raises(PatternError, match="loop_agent"):
        chat_agent("x", make_model(), "x", tools=[Tool("far", "Done elsewhere.", {"type": "object"})])


def test_agents_in_parallel_branches_share_one_budget(server, make_model) -> None:
    calls: list[int] = []
    lock = threading.Lock()

    def look(n: int) -> str:
        """Look once more."""
        with lock:
            calls.append(n)
        return "nothing"

    def play(reply) -> None:
        offered = bool(reply.request.get("tools"))
        (act.call(("look", {"n": 1})) if offered else act.say("I give up."))(reply)

    server.play(*[play] * 40)
    budget = SharedBudget(5)
    model, tool = make_model(), tool_from_function(look)
    agents = [chat_agent(n, model, "Look.", tools=[tool], max_calls=99, budget=budget) for n in "abc"]
    tasks = [CrewTask(f"t{n}", "look around", n) for n in "abc"]
    results = crew(agents, tasks).invoke({"goal": "x"})["results"]
    assert len(calls) == 5 and budget.left == 0
    assert set(results.values()) == {"I give up."}


def test_the_loop_stands_behind_an_agent_with_its_budget_and_thread(server, make_model) -> None:
    registry = ToolRegistry()
    calls: list[int] = []

    @registry.function()
    def look(n: int) -> str:
        """Look."""
        calls.append(n)
        return f"cup {n}"

    def play(reply) -> None:
        made = sum(1 for message in reply.request["messages"] if message["role"] == "tool")
        more = reply.request.get("tools") and made < 5
        (act.call(("look", {"n": made})) if more else act.say("That is what I saw."))(reply)

    server.play(*[play] * 40)
    generous = LoopSettings(nets={"final_confirmation": {"min_effects": 99}})
    loop = ToolLoop(make_model(), registry, InMemorySaver(), settings=generous)
    budget = SharedBudget(3)
    graph = crew(
        [loop_agent("looker", loop, budget=budget)],
        [CrewTask("a", "look at {goal}", "looker"), CrewTask("b", "look at {goal}", "looker")],
        checkpointer=InMemorySaver(),
    )
    results = graph.invoke({"goal": "the desk"}, THREAD)["results"]
    assert len(calls) == 3 and set(results) == {"a", "b"}
