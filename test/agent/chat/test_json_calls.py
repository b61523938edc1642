"""Calls for models that know none: a schema binds the reply, words come as they are spoken, calls arrive whole."""

from __future__ import annotations

import json
from typing import Annotated

import jsonschema
import pytest
import scripted_server as act
from pydantic import BaseModel, Field

from zulong.agent.chat import ChatRequest, JsonCalls, complete
from zulong.agent.chat.json_calls import reply_schema
from zulong.agent.codes import TaskCode
from zulong.agent.latch import CancelLatch
from zulong.agent.loop import LoopSettings, ToolLoop
from zulong.agent.tools import ToolRegistry

pytestmark = pytest.mark.feature("FC-09")


class Place(BaseModel):
    """A place, perhaps inside another one."""

    name: str
    within: Place | None = None


@pytest.fixture
def tools() -> ToolRegistry:
    registry = ToolRegistry()
    registry.calls = []

    @registry.function()
    def look_for(what: str, times: Annotated[int, Field(ge=1)] = 1) -> str:
        """Look for something."""
        registry.calls.append((what, times))
        return "on the desk"

    @registry.function()
    def where_is(place: Place) -> str:
        """Say where a place is."""
        return place.name

    return registry


def pieces(text: str, size: int = 3) -> list[str]:
    return [text[i : i + size] for i in range(0, len(text), size)]


def test_words_come_as_they_are_spoken_without_their_json(server, make_model, tools) -> None:
    words = 'He said "no" — 不要。\n\U0001f916 ok \\ end'
    server.play(act.say(*pieces(json.dumps({"say": words}))))
    heard: list[str] = []
    request = ChatRequest([{"role": "user", "content": "hello"}], tools=tools.definitions())
    reply = complete(JsonCalls(make_model()), request, CancelLatch(), on_text=heard.append)
    assert reply.text == words == "".join(heard) and len(heard) > 3 and reply.calls == ()


def test_a_call_arrives_whole_and_its_result_goes_back_in_the_same_form(server, make_model, tools) -> None:
    server.play(
        act.say(*pieces('{"tool": "look_for", "arguments": {"what": "cup"}}')), act.say('{"say": "Desk."}')
    )
    settings = LoopSettings(own_tools=())
    outcome = ToolLoop(JsonCalls(make_model()), tools, settings=settings).run("where is the cup?")
    assert outcome.code == TaskCode.SUCCEEDED and outcome.summary == "Desk." and tools.calls == [("cup", 1)]
    first, second = server.requests
    assert "tools" not in first and first["response_format"]["type"] == "json_schema"
    assert "look_for: Look for something." in first["messages"][0]["content"]
    assert second["messages"][-2] == {
        "role": "assistant",
        "content": '{"tool": "look_for", "arguments": {"what": "cup"}}',
    }
    assert second["messages"][-1]["content"] == "[result of look_for] on the desk"


@pytest.mark.parametrize(
    ("reply", "fits"),
    [
        ({"say": "hello"}, True),
        ({"tool": "look_for", "arguments": {"what": "cup", "times": 2}}, True),
        ({"tool": "where_is", "arguments": {"place": {"name": "desk", "within": None}}}, True),
        ({"tool": "look_for", "arguments": {"times": 2}}, False),
        ({"tool": "look_for", "arguments": {"what": "cup", "colour": "red"}}, False),
        ({"tool": "fly", "arguments": {}}, False),
        ({"say": "hello", "tool": "look_for", "arguments": {"what": "cup"}}, False),
    ],
)
def test_the_schema_lets_only_words_or_a_fitting_call_through(tools, reply, fits) -> None:
    schema = reply_schema(tools.definitions())
    assert "$ref" not in json.dumps(schema)
    assert jsonschema.Draft202012Validator(schema).is_valid(reply) == fits


def test_without_tools_only_words_are_asked_for(server, make_model) -> None:
    talk = [
        {"role": "user", "content": "find it"},
        {
            "role": "assistant",
            "content": "",
            "tool_calls": [{"id": "1", "type": "function", "function": {"name": "f", "arguments": "{}"}}],
        },
        {"role": "tool", "tool_call_id": "1", "name": "f", "content": "found"},
    ]
    server.play(act.say('{"say": "Found."}'))
    assert complete(JsonCalls(make_model()), ChatRequest(talk), CancelLatch()).text == "Found."
    assert server.requests[0]["response_format"]["json_schema"]["schema"]["required"] == ["say"]
    server.play(act.say("Plain."))
    plain = ChatRequest([{"role": "user", "content": "hello"}])
    assert complete(JsonCalls(make_model()), plain, CancelLatch()).text == "Plain."
    assert "response_format" not in server.requests[1]


@pytest.mark.parametrize(
    ("written", "text"),
    [("I do as I like.", "I do as I like."), ('{"answer": 5}', '{"answer": 5}'), ('{"say": 5}', "5")],
)
def test_a_server_that_ignores_the_schema_is_still_understood(
    server, make_model, tools, written, text
) -> None:
    server.play(act.say(written))
    request = ChatRequest([{"role": "user", "content": "hello"}], tools=tools.definitions())
    assert complete(JsonCalls(make_model()), request, CancelLatch()).text == text


def test_a_call_that_the_servers_limit_cut_is_not_made(server, make_model, tools) -> None:
    server.play(
        act.say('{"tool": "look_for", "arguments": {"what": "cu', finish="length"),
        act.say('{"tool": "look_for", "arguments": {"what": "cup"}}'),
        act.say('{"say": "On the desk."}'),
    )
    outcome = ToolLoop(JsonCalls(make_model()), tools).run("where is the cup?")
    assert outcome.code == TaskCode.SUCCEEDED and tools.calls == [("cup", 1)]


def test_words_that_broke_off_are_gone_on_with(server, make_model, tools) -> None:
    server.play(act.cut_after('{"say": "The cup is '), act.say('{"say": "on the desk."}'))
    outcome = ToolLoop(JsonCalls(make_model(retries=0)), tools, settings=LoopSettings(nets={})).run("hello")
    assert outcome.summary == "The cup is on the desk."
    assert server.requests[1]["messages"][-2]["content"] == '{"say": "The cup is "}'


def test_a_server_that_knows_no_schemas_is_asked_by_the_prompt_alone(server, make_model, tools) -> None:
    server.play(
        act.status(400, "response_format json_schema is not supported"),
        act.say('{"tool": "look_for", "arguments": {"what": "cup"}}'),
        act.say('{"say": "On the desk."}'),
    )
    outcome = ToolLoop(JsonCalls(make_model()), tools).run("where is the cup?")
    assert outcome.code == TaskCode.SUCCEEDED and outcome.summary == "On the desk." and len(tools.calls) == 1
    assert ["response_format" in request for request in server.requests] == [True, False, False]


def test_a_reply_without_end_that_nobody_sees_is_cut(server, make_model, tools) -> None:
    def endless(reply) -> None:
        reply.event({"content": '{"tool": "look_for", "arguments": {"what": "'})
        for _ in range(1_000_000):
            reply.event({"content": "and so on and on "})

    server.play(endless)
    outcome = ToolLoop(JsonCalls(make_model()), tools).run("where is the cup?")
    assert outcome.code == TaskCode.MODEL_UNAVAILABLE and "does not come to an end" in outcome.message


def test_a_server_whose_model_knows_no_tools_says_what_to_set(server, make_model, tools) -> None:
    server.play(act.status(400, "this model does not support tools"))
    outcome = ToolLoop(make_model(), tools).run("where is the cup?")
    assert outcome.code == TaskCode.MODEL_UNAVAILABLE and "set calls: json" in outcome.message
