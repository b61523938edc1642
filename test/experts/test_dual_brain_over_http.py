"""The pair of models over real HTTP: stalls, cuts, refusals, cancels, concurrent calls, the way back."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from zulong.agent.chat import (
    ChatCanceledError,
    ChatRequest,
    ModelUnavailableError,
    OpenAIModel,
    OpenAISettings,
    complete,
)
from zulong.agent.latch import CancelLatch
from zulong.experts.dual_brain import DualBrain, Health

sys.path.insert(0, str(Path(__file__).parents[1] / "agent"))

import scripted_server as act

pytestmark = pytest.mark.feature("RB-12")
QUESTION = [{"role": "user", "content": "Where is the cup?"}]


class Pair:
    """Two servers, a model at each, and a clock that only the test moves.

    Args:
        patience_s: how long the first model may be silent.
    """

    def __init__(self, patience_s: float) -> None:
        self.now = 0.0
        self.servers = (act.ScriptedServer(), act.ScriptedServer())
        models = [
            OpenAIModel(
                OpenAISettings(model=name, base_url=server.url, first_s=limit, idle_s=limit, retries=0)
            )
            for name, server, limit in zip(("near", "far"), self.servers, (patience_s, 20.0), strict=True)
        ]
        self.brain = DualBrain(models, clock=lambda: self.now)

    def play(self, near: act.Act | None = None, far: act.Act | None = None) -> None:
        for server, what in zip(self.servers, (near, far), strict=True):
            if what is not None:
                server.play(what)

    @property
    def asked(self) -> tuple[int, int]:
        return len(self.servers[0].requests), len(self.servers[1].requests)

    @property
    def health(self) -> list[Health]:
        return list(self.brain.health.values())

    def ask(self, messages=QUESTION, cancel: CancelLatch | None = None, heard: list[str] | None = None):
        tell = heard.append if heard is not None else None
        return complete(self.brain, ChatRequest(messages), cancel or CancelLatch(), on_text=tell)


def running(patience_s: float) -> Iterator[Pair]:
    made = Pair(patience_s)
    yield made
    for server in made.servers:
        server.close()


@pytest.fixture
def pair() -> Iterator[Pair]:
    yield from running(20.0)


@pytest.fixture
def impatient() -> Iterator[Pair]:
    """A pair for whose first model silence is played."""
    yield from running(1.0)


def test_three_time_outs_put_it_second_and_the_pause_puts_it_first_again(impatient) -> None:
    pair = impatient
    for _ in range(3):
        pair.play(act.stall(), act.say("far"))
        assert pair.ask().text == "far"
    assert pair.health == [Health.DEGRADED, Health.HEALTHY] and pair.brain.active.startswith("far")
    pair.now = 299.0
    pair.play(far=act.say("far"))
    assert pair.ask().text == "far" and pair.asked == (3, 4)
    pair.now = 301.0
    pair.play(near=act.say("near again"))
    assert pair.ask().text == "near again"
    assert pair.health == [Health.HEALTHY, Health.HEALTHY] and pair.brain.active.startswith("near")


def test_a_model_that_is_still_away_after_the_pause_costs_one_try_and_waits_again(pair) -> None:
    for _ in range(3):
        pair.play(act.status(500), act.say("far"))
        pair.ask()
    pair.now = 301.0
    pair.play(act.status(500), act.say("far"))
    assert pair.ask().text == "far" and pair.asked == (4, 4)
    pair.now = 600.0
    pair.play(far=act.say("far"))
    assert pair.ask().text == "far" and pair.asked == (4, 5)


def test_of_many_calls_after_the_pause_one_tries_and_the_others_go_on(pair) -> None:
    for _ in range(5):
        pair.brain._brains[0][1].failed()
    assert pair.health[0] is Health.UNAVAILABLE
    pair.now = 301.0
    pair.play(near=act.status(500))
    pair.servers[1].play(*[act.say("far")] * 8)
    answers: list[str] = []
    threads = [threading.Thread(target=lambda: answers.append(pair.ask().text)) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(20)
    assert answers == ["far"] * 8 and pair.asked == (1, 8)


def test_a_try_is_not_used_up_by_calls_that_needed_none(pair) -> None:
    for _ in range(5):
        pair.brain._brains[1][1].failed()
    pair.now = 301.0
    pair.servers[0].play(*[act.say("near")] * 3, act.status(500))
    for _ in range(3):
        assert pair.ask().text == "near"
    pair.play(far=act.say("far"))
    assert pair.ask().text == "far" and pair.asked == (4, 1)


@pytest.mark.parametrize(
    ("end", "rest"),
    [
        (act.stall(60.0, "The cup ", "is on "), "is on the desk."),
        (act.cut_after("The cup ", "is on "), "the desk."),
        (act.cut_after("The cup ", "is on "), "is on the desk."),
        (act.cut_after("The cup ", "is on "), " The cup is on the desk."),
    ],
)
def test_the_other_goes_on_in_the_middle_no_word_twice_and_none_lost(impatient, end, rest) -> None:
    pair = impatient
    pair.play(end, act.say(*rest))
    heard: list[str] = []
    assert pair.ask(heard=heard).text == "".join(heard) == "The cup is on the desk."
    told = pair.servers[1].requests[0]["messages"]
    assert told[0] == QUESTION[0] and told[1]["content"] == "The cup is on "


def test_both_may_break_off_and_the_words_so_far_are_those_that_were_heard(pair) -> None:
    pair.play(act.cut_after("The cup ", "is on "), act.cut_after("is on ", "the "))
    heard: list[str] = []
    with pytest.raises(ModelUnavailableError):
        pair.ask(heard=heard)
    assert "".join(heard) == "The cup is on the "


def test_a_tool_call_cut_in_its_middle_is_made_once_by_the_other(pair) -> None:
    pair.play(
        act.cut_in_a_call("go_to", text="I am going."),
        act.call(("go_to", {"place": "hall"}), text="I am going. "),
    )
    reply = pair.ask()
    assert [(c.name, c.arguments) for c in reply.calls] == [("go_to", '{"place": "hall"}')]
    assert reply.text.strip() == "I am going."


def test_both_away_ends_at_once_once_both_are_known_to_be(pair) -> None:
    for n in range(1, 6):
        pair.play(act.status(500), act.status(500))
        with pytest.raises(ModelUnavailableError):
            pair.ask()
        assert pair.asked == (n, n)
    with pytest.raises(ModelUnavailableError, match="None of near"):
        pair.ask()
    assert pair.asked == (5, 5) and pair.health == [Health.UNAVAILABLE] * 2
    pair.now = 301.0
    pair.play(near=act.say("back"))
    assert pair.ask().text == "back"


def test_after_the_way_back_the_first_knows_what_the_second_said(pair) -> None:
    talk = list(QUESTION)
    pair.play(act.status(500), act.say("On the desk."))
    talk += [
        {"role": "assistant", "content": pair.ask(talk).text},
        {"role": "user", "content": "Which desk?"},
    ]
    pair.play(near=act.say("The white one."))
    assert pair.ask(talk).text == "The white one."
    assert pair.servers[0].requests[-1]["messages"] == talk


def test_a_cancel_in_the_middle_asks_nobody_else_and_counts_against_nobody(pair) -> None:
    pair.play(act.drip(0.02), act.say("never"))
    latch, heard = CancelLatch(), []

    def listen(text: str) -> None:
        heard.append(text)
        latch.set("enough")

    with pytest.raises(ChatCanceledError):
        complete(pair.brain, ChatRequest(QUESTION), latch, on_text=listen)
    assert pair.asked == (1, 0) and pair.brain._brains[0][1].failures == 0 and len(heard) < 50


def test_concurrent_calls_keep_their_replies_apart(pair) -> None:
    def first_half(reply) -> None:
        topic = reply.request["messages"][0]["content"]
        reply.event({"content": f"{topic} is "})
        reply.break_off()

    def second_half(reply) -> None:
        topic = reply.request["messages"][0]["content"]
        for piece in (f"{topic} ", "is ", f"here, {topic}."):
            reply.event({"content": piece})
        reply.event({}, "stop")
        reply.done()

    pair.servers[0].play(*[first_half] * 12)
    pair.servers[1].play(*[second_half] * 12)
    answers: dict[str, str] = {}

    def ask(topic: str) -> None:
        answers[topic] = pair.ask([{"role": "user", "content": topic}]).text

    threads = [threading.Thread(target=ask, args=(f"topic{n}",)) for n in range(12)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(20)
    assert answers == {f"topic{n}": f"topic{n} is here, topic{n}." for n in range(12)}
