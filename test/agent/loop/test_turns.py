"""Well-behaved models: calls, their results, plans and questions."""

from __future__ import annotations

import threading

import pytest
import scripted_server as act
from scripted_parts import offered, tool_messages

from zulong.agent.codes import TaskCode
from zulong.agent.tools import ToolRegistry
from zulong.tasks import TaskStatus


@pytest.mark.feature("FC-01", "FC-06")
def test_a_call_is_made_and_its_result_goes_back_to_the_model(server, make_loop, tools) -> None:
    server.play(act.call(("look_for", {"what": "cup"})), act.say("It is on the desk."))
    outcome = make_loop().run("where is the cup?")
    assert (
        outcome.code == TaskCode.SUCCEEDED
        and outcome.summary == "It is on the desk."
        and outcome.skill_calls == 1
    )
    assert [m["content"] for m in tool_messages(server)] == ["cup: on the desk"]
    assert "look_for" in offered(server.requests[0])
    schema = next(t for t in server.requests[0]["tools"] if t["function"]["name"] == "look_for")["function"]
    assert schema["description"] == "Look for something." and schema["parameters"]["required"] == ["what"]
    assert schema["parameters"]["properties"]["where"]["description"] == "the place."


def test_parallel_calls_that_only_look_run_beside_each_other(server, make_loop) -> None:
    meeting = threading.Barrier(2, timeout=5)
    registry = ToolRegistry()

    @registry.function()
    def look(n: int) -> int:
        """Look."""
        meeting.wait()
        return n

    server.play(act.call(("look", {"n": 1}), ("look", {"n": 2})), act.say("seen"))
    assert make_loop(tools=registry).run("look twice").code == TaskCode.SUCCEEDED
    assert [m["content"] for m in tool_messages(server)] == ["1", "2"]


def test_calls_that_change_the_world_run_in_their_order_and_not_a_dozen_at_once(
    server, make_loop, tools
) -> None:
    moves = [("move", {"what": "cup", "to": str(n)}) for n in range(12)]
    server.play(act.call(*moves), act.say("done"), act.say("done"))
    make_loop(settings={"max_calls_per_reply": 5}).run("move the cup about")
    assert tools.calls == [("move", "cup", str(n)) for n in range(5)]
    assert sum("only 5 calls" in m["content"] for m in tool_messages(server)) == 7


def test_a_model_without_native_calls_may_write_them_as_json(server, make_loop, tools) -> None:
    server.play(act.say('{"name": "look_for", "arguments": {"what": "cup"}}'), act.say("On the desk."))
    assert make_loop().run("where is the cup?").code == TaskCode.SUCCEEDED
    assert tools.calls == [("look_for", "cup", "everywhere")]


def test_events_tell_words_as_they_are_spoken_and_the_decisions_with_evidence(server, make_loop) -> None:
    server.play(
        act.say("I don't know ", "where it is."),
        act.call(("look_for", {"what": "cup"})),
        act.say("On the desk."),
    )
    events = []
    make_loop().run("where is the cup?", tell=events.append)
    assert [e["text"] for e in events if e["event"] == "token"] == [
        "I don't know ",
        "where it is.",
        "On the desk.",
    ]
    caught = next(e for e in events if e["event"] == "net")
    assert caught["net"] == "information_gap" and caught["evidence"]["untried"]


@pytest.mark.feature("FC-05")
def test_only_the_predicted_tools_are_offered(server, make_loop) -> None:
    server.play(act.say("hello"))
    make_loop(predict=lambda text: ["move", "nonsense"]).run("move it")
    assert "move" in offered(server.requests[0]) and "look_for" not in offered(server.requests[0])


@pytest.mark.feature("FC-02", "TG-03")
def test_a_plan_is_kept_as_a_task_graph_and_open_steps_are_not_forgotten(server, make_loop, tools) -> None:
    steps = [
        {"title": "find the cup", "tool": "look_for", "arguments": {"what": "cup"}},
        {"title": "move the cup", "tool": "move", "after": ["find the cup"]},
    ]
    server.play(
        act.call(("plan_steps", {"steps": steps})),
        act.call(("look_for", {"what": "cup"})),
        act.say("All is well."),
        act.call(
            ("move", {"what": "cup", "to": "sink"}),
            ("mark_step", {"id": "goal_2", "status": "completed", "how": "moved"}),
        ),
        act.say("The cup is at the sink."),
    )
    events = []
    loop = make_loop()
    outcome = loop.run("bring the cup to the sink", tell=events.append)
    assert outcome.code == TaskCode.SUCCEEDED and outcome.summary == "The cup is at the sink."
    nets = [(e["net"], e["verdict"]) for e in events if e["event"] == "net"]
    assert nets == [("backfill", "done"), ("unfinished_work", "continue")]
    graph = loop.task_graph(outcome.thread_id)
    assert {n.id: n.status for n in graph.leaves()} == {
        "goal_1": TaskStatus.COMPLETED,
        "goal_2": TaskStatus.COMPLETED,
    }


def test_a_question_with_open_work_waits_for_the_answer(server, make_loop) -> None:
    server.play(act.say("Which cup do you mean?"))
    loop = make_loop()
    asked = loop.run("bring the cup")
    assert asked.code == TaskCode.NEEDS_INPUT and asked.question["text"] == "Which cup do you mean?"
    server.play(act.call(("move", {"what": "red cup", "to": "you"})), act.say("Here it is."))
    assert loop.resume(asked.thread_id, "the red one").code == TaskCode.SUCCEEDED
    assert server.requests[-1]["messages"][3]["content"] == "the red one"
