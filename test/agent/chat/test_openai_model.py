"""The OpenAI-compatible client against a real server that behaves and misbehaves."""

from __future__ import annotations

import json
import threading
import time
from email.utils import formatdate

import pytest
import scripted_server as act

from zulong.agent.chat import (
    ChatCanceledError,
    ChatRequest,
    ModelRejectedError,
    ModelTimeoutError,
    ModelUnavailableError,
    OpenAIModel,
    OpenAISettings,
    StreamCutError,
    complete,
)
from zulong.agent.latch import CancelLatch

HELLO = ChatRequest([{"role": "user", "content": "hello"}])
pytestmark = pytest.mark.feature("FC-09")


def test_words_come_as_they_are_spoken_and_the_whole_is_returned(server, make_model) -> None:
    server.play(act.say("你", "好", " there"))
    heard: list[str] = []
    reply = complete(make_model(), HELLO, CancelLatch(), on_text=heard.append)
    assert heard == ["你", "好", " there"] and reply.text == "你好 there" and reply.finish == "stop"
    assert server.requests[0]["stream"] is True and server.requests[0]["model"] == "scripted"


def test_parallel_calls_are_put_together_from_their_pieces(server, make_model) -> None:
    server.play(act.call(("go_to", {"place": "厨房"}), ("say", {"text": "hi"}), text="On my way."))
    reply = complete(make_model(), HELLO, CancelLatch())
    assert [(c.name, c.arguments) for c in reply.calls] == [
        ("go_to", '{"place": "厨房"}'),
        ("say", '{"text": "hi"}'),
    ]
    assert len({c.id for c in reply.calls}) == 2 and reply.text == "On my way."


def test_a_refusal_is_told_apart_from_words(server, make_model) -> None:
    server.play(act.refuse("I will not."))
    reply = complete(make_model(), HELLO, CancelLatch())
    assert reply.refusal == "I will not." and not reply.text and not reply.empty


@pytest.mark.parametrize("status", [429, 500, 502, 503, 408])
def test_overload_and_failures_of_the_server_are_retried(server, make_model, status) -> None:
    server.play(act.status(status), act.status(status), act.say("at last"))
    assert complete(make_model(), HELLO, CancelLatch()).text == "at last"
    assert len(server.requests) == 3


def test_retry_after_is_honoured_in_seconds_and_as_a_date(server, make_model) -> None:
    server.play(act.status(429, retry_after="0.3"), act.say("ok"))
    start = time.monotonic()
    complete(make_model(longest_pause_s=5.0), HELLO, CancelLatch())
    assert time.monotonic() - start >= 0.3
    server.play(act.status(503, retry_after=formatdate(time.time() + 3600)), act.say("ok"))
    start = time.monotonic()
    complete(make_model(longest_pause_s=0.2), HELLO, CancelLatch())
    assert 0.2 <= time.monotonic() - start < 5


def test_retries_end(server, make_model) -> None:
    server.play(act.status(500, "the fan is broken"))
    with pytest.raises(ModelUnavailableError, match="the fan is broken"):
        complete(make_model(retries=2), HELLO, CancelLatch())
    assert len(server.requests) == 3


@pytest.mark.parametrize(
    ("status", "hint"), [(404, "Check the model's name"), (401, "Set the key"), (400, "no such field")]
)
def test_a_rejected_request_is_not_repeated_and_says_what_to_do(server, make_model, status, hint) -> None:
    server.play(act.status(status, "no such field"))
    with pytest.raises(ModelRejectedError, match=hint):
        complete(make_model(), HELLO, CancelLatch())
    assert len(server.requests) == 1


def test_nobody_at_the_address_is_said_so() -> None:
    model = OpenAIModel(OpenAISettings("m", "http://127.0.0.1:9/v1", retries=1, pause_s=0.01))
    with pytest.raises(ModelUnavailableError, match="cannot be reached"):
        complete(model, HELLO, CancelLatch())


@pytest.mark.parametrize(
    ("script", "limits", "words"),
    [
        (act.stall(60), {"first_s": 0.3}, "said nothing for 0.3 s"),
        (act.stall(60, "well "), {"idle_s": 0.3}, "fell silent for 0.3 s"),
        (act.drip(0.05), {"total_s": 0.5}, "did not finish within 0.5 s"),
    ],
)
def test_silence_a_stall_and_a_drip_end_at_their_limits(server, make_model, script, limits, words) -> None:
    server.play(script)
    start = time.monotonic()
    with pytest.raises((ModelTimeoutError, StreamCutError), match=words):
        complete(make_model(**limits), HELLO, CancelLatch())
    assert time.monotonic() - start < 4


@pytest.mark.parametrize("script", [act.cut_after("one ", "two "), act.cut_in_a_call("go_to", "one two")])
def test_a_stream_cut_in_the_middle_is_not_repeated_behind_the_callers_back(
    server, make_model, script
) -> None:
    server.play(script)
    heard: list[str] = []
    with pytest.raises(StreamCutError):
        complete(make_model(), HELLO, CancelLatch(), on_text=heard.append)
    assert "".join(heard) == "one two " and len(server.requests) == 1


def test_a_cancel_in_the_middle_of_a_stream_ends_it_at_once(server, make_model) -> None:
    server.play(act.stall(60, "well "))
    latch = CancelLatch()
    threading.Timer(0.2, latch.set, ("enough",)).start()
    start = time.monotonic()
    with pytest.raises((ChatCanceledError, StreamCutError), match="enough"):
        complete(make_model(idle_s=30.0, first_s=30.0, total_s=60.0), HELLO, latch)
    assert time.monotonic() - start < 3


def test_a_cancel_during_the_pause_before_a_retry_ends_it_at_once(server, make_model) -> None:
    server.play(act.status(429, retry_after="30"))
    latch = CancelLatch()
    threading.Timer(0.2, latch.set, ("enough",)).start()
    start = time.monotonic()
    with pytest.raises(ChatCanceledError):
        complete(make_model(longest_pause_s=60.0), HELLO, latch)
    assert time.monotonic() - start < 3


def test_endless_text_is_cut_where_the_caller_says(server, make_model) -> None:
    server.play(act.endless())
    reply = complete(make_model(total_s=20.0), HELLO, CancelLatch(), max_chars=5000)
    assert reply.finish == "cut" and 5000 < len(reply.text) < 5100


def test_a_server_that_does_not_stream_is_understood(server, make_model) -> None:
    message = {"role": "assistant", "content": "on the desk"}
    whole = json.dumps({"choices": [{"index": 0, "message": message, "finish_reason": "stop"}]})
    server.play(act.body(whole), act.body(whole, "text/plain"))
    for _ in range(2):
        assert complete(make_model(), HELLO, CancelLatch()).text == "on the desk"


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (act.body('{"error": {"message": "out of memory"}}'), "out of memory"),
        (act.body('{"error": "out of memory"}'), "out of memory"),
        (act.body('data: {"error": {"message": "out of memory"}}\n\n', "text/event-stream"), "out of memory"),
        (act.body("<html>sign in</html>", "text/html"), "no chat completion but text/html"),
        (act.body(""), "ended its stream before its reply"),
        (act.body("data: {oops\n\n", "text/event-stream"), "broke off"),
    ],
)
def test_an_answer_that_is_no_reply_says_what_came(server, make_model, answer, words) -> None:
    server.play(answer)
    with pytest.raises(ModelUnavailableError, match=words):
        complete(make_model(retries=1), HELLO, CancelLatch())
    assert len(server.requests) == 2


@pytest.mark.parametrize(
    "last", ["data: [DONE]\n\n", 'data: {"choices":[{"delta":{},"finish_reason":"stop"}]}']
)
def test_either_the_reason_or_the_end_mark_tells_a_whole_reply_from_a_cut_one(
    server, make_model, last
) -> None:
    spoken = ': wait\n\nevent: ping\ndata:\n\ndata: {"choices": [{"delta": {"content": "on the desk"}}]}\n\n'
    server.play(act.body(spoken + last, "text/event-stream"), act.body(spoken, "text/event-stream"))
    assert complete(make_model(), HELLO, CancelLatch()).text == "on the desk"
    with pytest.raises(StreamCutError):
        complete(make_model(), HELLO, CancelLatch())


@pytest.mark.parametrize("asked", ["Fri, 31 Dec 9999 23:59:59 GMT", "1e99", "-5", "nan", "soon", "9" * 400])
def test_no_wish_for_patience_makes_it_wait_longer_than_it_may(server, make_model, asked) -> None:
    server.play(act.status(429, retry_after=asked), act.say("ok"))
    assert complete(make_model(longest_pause_s=0.05), HELLO, CancelLatch()).text == "ok"


def test_the_key_is_in_no_message_and_no_log(server, make_model, monkeypatch, caplog) -> None:
    key = "key-of-ours-0123456789"
    monkeypatch.setenv("A_KEY", key)
    caplog.set_level("DEBUG")
    model = make_model(key_variable="A_KEY", retries=1)
    server.play(act.status(401, f"wrong key {key}, like sk-abcdefghijkl"))
    with pytest.raises(
        ModelRejectedError, match=r"wrong key \*\*\*, like \*\*\*.*Set the key in A_KEY"
    ) as error:
        complete(model, HELLO, CancelLatch())
    server.play(act.body(json.dumps({"error": {"message": f"no {key}"}})))
    with pytest.raises(ModelUnavailableError) as reported:
        complete(model, HELLO, CancelLatch())
    said = f"{error.value} {reported.value} {caplog.text} {model.name}"
    assert key not in said
    with pytest.raises(ValueError, match="secrets come from the environment"):
        make_model(base_url="http://us:secret@127.0.0.1/v1")


@pytest.mark.parametrize(
    "address", ["", "localhost:8080", "ftp://x/v1", "http://", "http://[::1/v1", "http://x:y/"]
)
def test_an_address_that_is_none_is_refused_at_once(address) -> None:
    with pytest.raises(ValueError, match="base_url is an address"):
        OpenAISettings("m", address)
