"""A pair of models: health, fail-over in the middle of a reply, no word twice."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zulong.agent.chat import (
    ChatCanceledError,
    ChatChunk,
    ChatRequest,
    ContextTooLongError,
    ModelRejectedError,
    ModelTimeoutError,
    ModelUnavailableError,
    complete,
)
from zulong.agent.config import SettingsError
from zulong.agent.latch import CancelLatch
from zulong.experts.dual_brain import DualBrain, Health, open_dual_brain

pytestmark = pytest.mark.feature("RB-12")
HELLO = ChatRequest([{"role": "user", "content": "tell me"}])
FINISH = ChatChunk(finish="stop")


class Scripted:
    """A model that plays one script a call; an exception in a script is raised there."""

    context_window = 1000

    def __init__(self, name: str, *scripts: list[Any]) -> None:
        self.name = name
        self.scripts = list(scripts)
        self.requests: list[ChatRequest] = []

    def stream(self, request: ChatRequest, cancel: CancelLatch) -> Iterator[ChatChunk]:
        self.requests.append(request)
        script = self.scripts.pop(0) if len(self.scripts) > 1 else self.scripts[0]
        for piece in script:
            if isinstance(piece, Exception):
                raise piece
            yield ChatChunk(text=piece) if isinstance(piece, str) else piece


def answer(brain: DualBrain) -> str:
    heard: list[str] = []
    reply = complete(brain, HELLO, CancelLatch(), on_text=heard.append)
    assert "".join(heard) == reply.text
    return reply.text


def test_the_second_goes_on_in_the_middle_of_a_reply_with_all_that_was_said() -> None:
    first = Scripted("one", ["The cup ", "is on ", ModelTimeoutError("stalled")])
    second = Scripted("two", ["the ", "desk.", FINISH])
    assert answer(DualBrain([first, second])) == "The cup is on the desk."
    handed = second.requests[0].messages
    assert handed[0] == HELLO.messages[0] and handed[1] == {"role": "assistant", "content": "The cup is on "}


@pytest.mark.parametrize(
    "second",
    [
        ["The cup is on ", "the desk."],
        ["The cup is ", "on the desk."],
        ["is on the desk."],
        ["is on ", "the desk."],
        ["the desk."],
        ["T", "h", "e", " cup is on the", " desk."],
    ],
)
def test_what_was_said_is_not_said_again_however_the_second_begins(second: list[str]) -> None:
    brain = DualBrain(
        [
            Scripted("one", ["The cup is on ", ModelTimeoutError("stalled")]),
            Scripted("two", [*second, FINISH]),
        ]
    )
    assert answer(brain) == "The cup is on the desk."


def test_a_call_that_broke_off_is_made_once_and_whole() -> None:
    half = ChatChunk(call_index=0, call_id="a", call_name="go_to", call_arguments='{"pl')
    whole = ChatChunk(call_index=0, call_id="b", call_name="go_to", call_arguments='{"place": "x"}')
    first = Scripted("one", ["Going.", half, ModelTimeoutError("stalled")])
    second = Scripted("two", [whole, ChatChunk(finish="tool_calls")])
    reply = complete(DualBrain([first, second]), HELLO, CancelLatch())
    assert reply.text == "Going." and [c.arguments for c in reply.calls] == ['{"place": "x"}']


def test_health_falls_with_failures_in_a_row_and_comes_back_with_a_success() -> None:
    now = [0.0]
    first = Scripted("one", [ModelTimeoutError("stalled")])
    second = Scripted("two", ["ok", FINISH])
    brain = DualBrain([first, second], clock=lambda: now[0])
    for _ in range(2):
        assert answer(brain) == "ok"
    assert brain.health["one"] is Health.HEALTHY and brain.active == "one"
    answer(brain)
    assert brain.health["one"] is Health.DEGRADED and brain.active == "two"
    second.scripts = [[ModelTimeoutError("stalled")]]
    for _ in range(2):
        with pytest.raises(ModelUnavailableError):
            answer(brain)
    assert brain.health["one"] is Health.UNAVAILABLE
    asked = len(first.requests)
    second.scripts = [["ok", FINISH]]
    answer(brain)
    now[0] = 299.0
    answer(brain)
    assert len(first.requests) == asked
    now[0] = 301.0
    first.scripts = [["back", FINISH]]
    second.scripts = [[ModelTimeoutError("stalled")]]
    assert answer(brain) == "back"
    assert brain.health == {"one": Health.HEALTHY, "two": Health.HEALTHY} and brain.active == "one"


def test_when_both_are_away_it_says_so_at_once_and_asks_neither() -> None:
    models = [Scripted(n, [ModelTimeoutError("stalled")]) for n in ("one", "two")]
    brain = DualBrain(models, clock=lambda: 0.0)
    for _ in range(5):
        with pytest.raises(ModelUnavailableError, match="stalled"):
            answer(brain)
    with pytest.raises(ModelUnavailableError, match="None of one / two is available"):
        answer(brain)
    assert len(models[0].requests) == 5


def test_a_cancel_is_raised_at_once() -> None:
    second = Scripted("two", ["yes", FINISH])
    brain = DualBrain([Scripted("one", [ChatCanceledError("enough")]), second])
    with pytest.raises(ChatCanceledError):
        answer(brain)
    assert second.requests == [] and brain.health["one"] is Health.HEALTHY


@pytest.mark.parametrize("error", [ModelRejectedError("knows no tools"), ContextTooLongError("too long")])
def test_what_one_server_refuses_the_other_may_take_and_nobodys_health_suffers(error: Exception) -> None:
    first, second = Scripted("one", [error]), Scripted("two", ["yes", FINISH])
    brain = DualBrain([first, second])
    for _ in range(6):
        assert answer(brain) == "yes"
    assert brain.health == {"one": Health.HEALTHY, "two": Health.HEALTHY} and len(first.requests) == 6


@pytest.mark.parametrize("other", [ModelUnavailableError("gone"), ModelRejectedError("no such field either")])
def test_where_the_other_does_not_help_the_refusal_says_what_to_change(other: Exception) -> None:
    brain = DualBrain([Scripted("one", [ContextTooLongError("at most 8 tokens")]), Scripted("two", [other])])
    with pytest.raises(ContextTooLongError, match="at most 8 tokens"):
        answer(brain)


@given(
    words=st.lists(
        st.sampled_from(["red ", "blue ", "cup", " is", "把", "杯子", "放好", "。", "a", " "]), min_size=1
    ),
    cut=st.integers(0, 20),
    again=st.integers(0, 20),
)
def test_a_continuation_that_begins_anew_or_goes_on_gives_the_reply_once(words, cut, again) -> None:
    cut = min(cut, len(words))
    text, said = "".join(words), "".join(words[:cut])
    whole = DualBrain(
        [Scripted("one", [*words[:cut], ModelTimeoutError("x")]), Scripted("two", [*words, FINISH])]
    )
    assert answer(whole) == text or not said
    start = cut - min(again, cut)
    overlap = "".join(words[start:cut])
    if len(overlap) >= 4 or not overlap:
        rest = DualBrain(
            [
                Scripted("one", [*words[:cut], ModelTimeoutError("x")]),
                Scripted("two", [*words[start:], FINISH]),
            ]
        )
        assert len(answer(rest)) <= len(text)
        assert answer_again(words, cut, start).startswith(said)


def answer_again(words: list[str], cut: int, start: int) -> str:
    return answer(
        DualBrain(
            [
                Scripted("one", [*words[:cut], ModelTimeoutError("x")]),
                Scripted("two", [*words[start:], FINISH]),
            ]
        )
    )


def test_the_pair_and_its_limits_come_from_the_configuration(tmp_path) -> None:
    file = tmp_path / "agent.yaml"
    file.write_text(
        "models:\n"
        "  near: {model: small, base_url: 'http://127.0.0.1:9/v1', calls: json, retries: 0}\n"
        "  far: {model: large, base_url: 'http://127.0.0.1:9/v2', retries: 0}\n"
        "dual_brain: {degraded_after: 1, unavailable_after: 2}\n"
    )
    brain = open_dual_brain(["near", "far"], file)
    assert [name.split()[0] for name in brain.health] == ["small", "large"]
    for expected in (Health.DEGRADED, Health.UNAVAILABLE):
        with pytest.raises(ModelUnavailableError):
            list(brain.stream(ChatRequest([{"role": "user", "content": "hello"}]), CancelLatch()))
        assert set(brain.health.values()) == {expected}
    file.write_text("models: {near: {model: m, base_url: 'http://x', calls: magic}}")
    with pytest.raises(SettingsError, match=r"models.near: calls is native or json"):
        open_dual_brain(["near"], file)
    with pytest.raises(SettingsError, match="no model 'far'"):
        open_dual_brain(["far"], file)
