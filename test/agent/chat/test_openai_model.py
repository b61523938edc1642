"""The OpenAI-compatible client against a real server that behaves and misbehaves."""

from __future__ import annotations

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
