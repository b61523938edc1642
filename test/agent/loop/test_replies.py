"""Replies that end a task unless a net catches them: words instead of deeds and looks, and honest ones."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from zulong.agent.config import load_agent_config
from zulong.agent.loop.findings import Verdict
from zulong.agent.loop.nets import make_nets
from zulong.agent.loop.nets.view import ReplyView
from zulong.agent.loop.turns import CallFact, Turn

REPLIES = yaml.safe_load(Path(__file__).with_name("replies.yaml").read_text(encoding="utf-8"))
CALLS = {
    "look": CallFact("1", "look_for", "d", {"what": "cup"}),
    "move": CallFact("1", "move", "d", {"what": "cup", "to": "desk"}, effect=True),
}
NETS = make_nets(load_agent_config()["nets"])


def catches(case: dict, caught: int = 0) -> list[Verdict]:
    made = [Turn(1, 0, (CALLS[case["calls"]],), True)] if "calls" in case else []
    view = ReplyView(
        instruction=case["asked"],
        reply=case["reply"],
        turns=[*made, Turn(len(made) + 1, len(case["reply"]))],
        tools=["look_for", "battery", "move", "open_door"],
        effects=["move", "open_door"],
        sources=[case["asked"], *(["cup is on the desk"] if made else [])],
        caught={net.name: caught for net in NETS},
    )
    return [catch.verdict for net in NETS if (catch := net.look(view)) is not None]


@pytest.mark.feature("FC-02")
@pytest.mark.parametrize("case", REPLIES["caught"], ids=lambda c: f"{c['asked']} {c['reply']}"[:60])
def test_words_instead_of_deeds_are_sent_back_and_not_for_ever(case) -> None:
    assert Verdict.CONTINUE in catches(case)
    assert Verdict.CONTINUE not in catches(case, caught=9)


@pytest.mark.feature("FC-02")
@pytest.mark.parametrize("case", REPLIES["let_through"], ids=lambda c: f"{c['asked']} {c['reply']}"[:60])
def test_honest_replies_and_small_talk_are_let_through(case) -> None:
    assert catches(case) == []
