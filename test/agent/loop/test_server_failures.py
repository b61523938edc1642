"""The server fails: the loop ends within its limits with the right code, and the thread goes on later."""

from __future__ import annotations

import time

import pytest
import scripted_server as act

from zulong.agent.codes import TaskCode
from zulong.experts.dual_brain import DualBrain


@pytest.mark.feature("FC-09")
@pytest.mark.parametrize("where", ["first", "after a call"])
@pytest.mark.parametrize(
    ("failure", "words"),
    [
        (act.status(500, "the fan broke"), "the fan broke"),
        (act.status(429, "slow down", retry_after="0.01"), "slow down"),
        (act.status(404, "no such model"), "Check the model's name"),
        (act.stall(60), "said nothing"),
        (act.stall(60, "well "), "fell silent"),
        (act.drip(0.02), "did not finish"),
        (act.cut_after("half a "), "broke off"),
        (act.cut_in_a_call("look_for"), "broke off"),
    ],
)
def test_a_failing_server_ends_the_task_with_a_code_and_the_thread_goes_on_later(
    server, make_model, make_loop, tools, where, failure, words
) -> None:
    # The limits lie well apart: on a busy machine the one that is meant must still be met first.
    model = make_model(first_s=0.3, idle_s=0.3, total_s=1.5, retries=1)
    loop = make_loop(model, settings={"cut_retries": 1})
    begin = [act.call(("look_for", {"what": "cup"}))] if where == "after a call" else []
    server.play(*begin, failure)
    start = time.monotonic()
    outcome = loop.run("where is the cup?")
    assert outcome.code == TaskCode.MODEL_UNAVAILABLE and words in outcome.message
    assert time.monotonic() - start < 10
    server.play(act.say("It is on the desk."))
    again = loop.resume(outcome.thread_id)
    assert again.code == TaskCode.SUCCEEDED and again.summary == "It is on the desk."
    assert len(tools.calls) == len(begin)


@pytest.mark.feature("FC-09")
def test_a_reply_cut_in_the_middle_is_continued_and_no_word_said_twice(server, make_loop) -> None:
    server.play(act.cut_after("The cup is ", "on the "), act.say("is on the ", "desk."))
    events = []
    outcome = make_loop().run("where is the cup?", tell=events.append)
    assert outcome.summary == "The cup is on the desk."
    assert "".join(e["text"] for e in events if e["event"] == "token") == outcome.summary


@pytest.mark.feature("FC-09")
def test_a_call_cut_in_the_middle_is_made_once_by_the_next_attempt(server, make_loop, tools) -> None:
    server.play(
        act.cut_in_a_call("look_for", "Let me see."),
        act.call(("look_for", {"what": "cup"})),
        act.say("Desk."),
    )
    assert make_loop().run("where is the cup?").code == TaskCode.SUCCEEDED
    assert tools.calls == [("look_for", "cup", "everywhere")]


@pytest.mark.feature("FC-09")
def test_a_call_that_the_servers_own_limit_cut_is_not_made(server, make_loop, tools) -> None:
    def cut(reply) -> None:
        function = {"name": "move", "arguments": '{"what": "cup", "to": "des'}
        reply.event({"tool_calls": [{"index": 0, "id": "a", "type": "function", "function": function}]})
        reply.event({}, "length")
        reply.done()

    server.play(cut, act.call(("move", {"what": "cup", "to": "desk"})), act.say("The cup is on the desk."))
    assert make_loop().run("move the cup").code == TaskCode.SUCCEEDED
    assert tools.calls == [("move", "cup", "desk")]


@pytest.mark.feature("FC-09")
def test_what_the_servers_filter_holds_back_is_a_refusal(server, make_loop) -> None:
    server.play(act.say("Well", finish="content_filter"))
    outcome = make_loop().run("do harm")
    assert outcome.code == TaskCode.REFUSED and "content filter" in outcome.message


@pytest.mark.feature("FC-09", "RB-12")
def test_a_second_model_goes_on_where_the_first_broke_off(server, make_loop, make_model) -> None:
    brain = DualBrain([make_model(model="near", retries=0), make_model(model="far", retries=0)])
    events = []
    server.play(act.cut_after("The cup is ", "on the "), act.say("on the ", "desk."))
    outcome = make_loop(brain).run("say where it is", tell=events.append)
    assert outcome.summary == "The cup is on the desk."
    assert "".join(e["text"] for e in events if e["event"] == "token") == outcome.summary
    assert [request["model"] for request in server.requests] == ["near", "far"]


def test_an_error_of_the_loop_itself_is_an_outcome_and_the_thread_goes_on_later(server, make_loop) -> None:
    broken = [True]

    def predict(text):
        if broken:
            raise RuntimeError("no scheduler")

    loop = make_loop(predict=predict)
    server.play(act.say("Hello."))
    outcome = loop.run("hello", thread_id="t")
    assert outcome.code == TaskCode.INTERNAL and "no scheduler" in outcome.message
    broken.clear()
    assert loop.resume("t").code == TaskCode.SUCCEEDED


@pytest.mark.feature("FC-09")
def test_what_the_model_has_retried_is_not_retried_again_by_the_loop(server, make_loop, make_model) -> None:
    server.play(act.status(429, "slow down", retry_after="0.01"))
    outcome = make_loop(make_model(retries=1), settings={"cut_retries": 3}).run("hello")
    assert outcome.code == TaskCode.MODEL_UNAVAILABLE and len(server.requests) == 2


@pytest.mark.feature("FC-09", "RB-12")
def test_a_model_that_is_not_served_is_stood_in_for_by_the_other(server, make_loop, make_model) -> None:
    brain = DualBrain([make_model(model="near"), make_model(model="far")])
    server.play(act.status(404, "no such model"), act.say("Hello."))
    assert make_loop(brain).run("say hello").summary == "Hello."
    assert [request["model"] for request in server.requests] == ["near", "far"]
