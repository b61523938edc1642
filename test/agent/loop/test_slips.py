"""Slips of the model: bad arguments, unknown tools, circles, silence, floods, and words instead of deeds."""

from __future__ import annotations

import json
import re

import pytest
import scripted_server as act
from scripted_parts import offered, tool_messages

from zulong.agent.codes import TaskCode


@pytest.mark.feature("FC-07", "FC-09")
@pytest.mark.parametrize(
    "written",
    [
        "{'what': 'cup'}",
        '{"What": "cup",}',
        '```json\n{"what": "cup"}\n```',
        '{"what": "cup"',
        '{"waht": "cup"}',
    ],
)
def test_badly_written_arguments_are_repaired(server, make_loop, tools, written) -> None:
    server.play(act.call(("look_for", written)), act.say("On the desk."))
    assert make_loop().run("where is the cup?").code == TaskCode.SUCCEEDED
    assert tools.calls == [("look_for", "cup", "everywhere")]


@pytest.mark.feature("FC-07", "FC-09")
@pytest.mark.parametrize(
    ("written", "words"),
    [
        ("cup please", "not a JSON object"),
        ('{"where": "desk"}', "what: Field required"),
        ('{"what": "cup", "x": 1}', "x: Extra inputs"),
    ],
)
def test_arguments_beyond_repair_are_asked_for_again(server, make_loop, tools, written, words) -> None:
    server.play(
        act.call(("look_for", written)), act.call(("look_for", {"what": "cup"})), act.say("On the desk.")
    )
    assert make_loop().run("where is the cup?").code == TaskCode.SUCCEEDED
    first = server.requests[1]["messages"][-1]["content"]
    assert words in first and "again" in first and len(tools.calls) == 1


def test_an_unknown_tool_is_answered_with_those_there_are(server, make_loop, tools) -> None:
    server.play(
        act.call(("lookfor_thing", {"what": "cup"})),
        act.call(("look-for", {"what": "cup"})),
        act.say("ok, desk"),
    )
    assert make_loop().run("where is the cup?").code == TaskCode.SUCCEEDED
    assert (
        "there is no tool 'lookfor_thing'; there are look_for"
        in server.requests[1]["messages"][-1]["content"]
    )
    assert len(tools.calls) == 1


@pytest.mark.feature("FC-03")
def test_the_same_call_for_ever_is_skipped_then_the_loop_is_made_to_end(server, make_loop, tools) -> None:
    server.play(act.call(("look_for", {"what": "cup"})))
    outcome = make_loop().run("find the cup")
    assert outcome.code == TaskCode.SKILL_FAILED and "brought nothing new" in outcome.message
    assert len(tools.calls) == 2 and len(server.requests) < 8
    assert offered(server.requests[-1]) == set()


@pytest.mark.feature("FC-03")
def test_a_tool_called_too_often_is_taken_away_for_a_while(server, make_loop, tools) -> None:
    server.play(
        *(act.call(("look_for", {"what": str(n)})) for n in range(5)), act.say("There is nothing else.")
    )
    events = []
    outcome = make_loop().run("find things", tell=events.append)
    assert outcome.code == TaskCode.SUCCEEDED and len(tools.calls) == 5
    assert "look_for" in offered(server.requests[4]) and "look_for" not in offered(server.requests[5])
    assert any(e.get("signal") == "tool_streak" for e in events)


@pytest.mark.feature("FC-03")
def test_a_tool_that_was_taken_away_is_not_called_whatever_the_model_writes(server, make_loop, tools) -> None:
    server.play(
        *(act.call(("look_for", {"what": str(n)})) for n in range(6)), act.say("There is nothing else.")
    )
    assert make_loop().run("find things").code == TaskCode.SUCCEEDED
    assert len(tools.calls) == 5
    assert "taken away for now" in tool_messages(server)[-1]["content"]


@pytest.mark.feature("FC-03", "FC-09")
def test_empty_replies_stop_the_loop(server, make_loop) -> None:
    server.play(act.say(""))
    outcome = make_loop().run("hello")
    assert outcome.code == TaskCode.MODEL_UNAVAILABLE and "silent 2 times" in outcome.message
    assert len(server.requests) == 2


@pytest.mark.feature("FC-09")
def test_endless_text_is_cut_and_asked_to_be_short(server, make_loop) -> None:
    server.play(act.endless(), act.say("In short: yes."))
    outcome = make_loop(settings={"max_reply_chars": 3000}).run("is it so?")
    assert outcome.code == TaskCode.SUCCEEDED and outcome.summary == "In short: yes."
    server.play(act.endless())
    outcome = make_loop(settings={"max_reply_chars": 3000}).run("is it so?")
    assert outcome.code == TaskCode.MODEL_UNAVAILABLE and "does not come to an end" in outcome.message


@pytest.mark.feature("FC-03")
def test_planning_without_end_is_brought_to_an_end(server, make_loop) -> None:
    def plan(n: int):
        return act.call(("plan_steps", {"steps": [{"title": f"step {n}"}]}))

    server.play(*(plan(n) for n in range(20)))
    outcome = make_loop().run("tidy up")
    assert outcome.code == TaskCode.SKILL_FAILED and "brought nothing new" in outcome.message
    assert len(server.requests) < 8


@pytest.mark.feature("FC-09")
def test_a_refusal_ends_the_task_as_refused(server, make_loop) -> None:
    server.play(act.refuse("I must not do that."))
    outcome = make_loop().run("do harm")
    assert outcome.code == TaskCode.REFUSED and outcome.message == "I must not do that."


@pytest.mark.feature("FC-09")
@pytest.mark.parametrize(
    "words",
    [
        "I'm sorry, but I can't assist with that.",
        "I will not do it.",
        "I must decline.",
        "抱歉，我不能帮你做这件事。",
        "我拒绝。",
    ],
)
def test_a_refusal_in_prose_is_one_as_well(server, make_loop, words) -> None:
    server.play(act.say(words))
    assert make_loop().run("throw the cup out of the window").code == TaskCode.REFUSED


@pytest.mark.parametrize(
    ("asked", "reply"),
    [
        ("don't open the door", "All right, I won't do that."),
        ("别开门", "好的，我不会做的。"),
        ("who can help me lift it?", "Anna can help you."),
    ],
)
def test_who_does_as_told_or_only_speaks_of_helping_refuses_nothing(server, make_loop, asked, reply) -> None:
    server.play(act.say(reply))
    assert make_loop().run(asked).code == TaskCode.SUCCEEDED


@pytest.mark.feature("FC-02")
def test_a_claimed_deed_is_sent_back_until_it_is_done(server, make_loop, tools) -> None:
    server.play(
        act.say("I have moved the cup."),
        act.call(("move", {"what": "cup", "to": "desk"})),
        act.say("I have moved the cup to the desk."),
    )
    assert make_loop().run("move the cup to the desk").code == TaskCode.SUCCEEDED
    assert tools.calls == [("move", "cup", "desk")]


@pytest.mark.feature("FC-02")
@pytest.mark.parametrize(
    "prose",
    [
        "To find the cup, I'll use the look_for function.",
        "我马上去找杯子。",
        'You could say look_for(what="cup") for that.',
    ],
)
def test_who_only_speaks_of_calls_does_not_succeed(server, make_loop, tools, prose) -> None:
    server.play(act.say(prose), act.call(("look_for", {"what": "cup"})), act.say("It is on the desk."))
    assert make_loop().run("where is the cup?").code == TaskCode.SUCCEEDED and len(tools.calls) == 1
    server.play(act.say(prose))
    outcome = make_loop().run("where is the cup?")
    assert outcome.code == TaskCode.SKILL_FAILED and "only speaks of doing it" in outcome.message


STREAM = "text/event-stream"


@pytest.mark.feature("FC-09")
def test_what_goes_back_to_the_server_is_always_a_valid_conversation(server, make_loop, tools) -> None:
    """Servers that parse arguments, names or text refuse a broken one for ever, and the thread with it."""
    server.play(
        act.call(
            ("look_for", '{"what": "a'),
            ("find the thing!", {}),
            ("look_for", '{"what": "\\ud83d"}'),
            ("functions.look_for:1", "{'what': 'cup'}"),
        ),
        act.body(
            r'data: {"choices": [{"delta": {"content": "On the \ud83d desk."}, "finish_reason": "stop"}]}',
            STREAM,
        ),
    )
    loop = make_loop()
    outcome = loop.run("where is the \udc00 cup?")
    assert outcome.code == TaskCode.SUCCEEDED and outcome.summary == "On the \ufffd desk."
    assert {call[1] for call in tools.calls} == {"\ufffd", "cup"}
    server.play(act.say("You are welcome."))
    assert loop.run("thanks", thread_id=outcome.thread_id).code == TaskCode.SUCCEEDED
    calls = [c["function"] for m in server.requests[-1]["messages"] for c in m.get("tool_calls", [])]
    assert all(re.fullmatch(r"[\w-]{1,64}", call["name"]) for call in calls)
    assert all(isinstance(json.loads(call["arguments"]), dict) for call in calls)


@pytest.mark.feature("FC-09")
@pytest.mark.parametrize("kind", ["arguments", "calls", "refusal"])
def test_whatever_never_ends_is_cut(server, make_loop, tools, kind) -> None:
    def endless(reply) -> None:
        for n in range(1_000_000):
            if kind == "refusal":
                reply.event({"refusal": "no, and no, and no again "})
                continue
            piece = {
                "arguments": '{"what": "' if n == 0 else "and so on ",
                "name": "look_for" if n == 0 else "",
            }
            if kind == "calls":
                piece = {"arguments": '{"what": "cup"}', "name": "look_for"}
            reply.event({"tool_calls": [{"index": n if kind == "calls" else 0, "function": piece}]})

    server.play(endless)
    outcome = make_loop(settings={"max_reply_chars": 3000}).run("where is the cup?")
    assert outcome.code == TaskCode.MODEL_UNAVAILABLE and "does not come to an end" in outcome.message
    assert tools.calls == [] and len(server.requests) == 2
