"""Asking somebody what they want and fetching that: the answer names the thing when it comes."""

from __future__ import annotations

import pytest

from zulong.agent.htn import OfflinePlanner, Plan, UnresolvedReferenceError, resolve
from zulong.agent.htn.answered import with_thing


@pytest.mark.parametrize(
    ("answer", "thing"),
    [
        ("I would like a cola.", "cola"),
        ("an apple, please", "apple"),
        ("Oh, maybe some orange juice", "orange juice"),
        ("the red cup", "red cup"),
        ("a fruit", "fruit"),
        ("我想喝可乐", "cola"),
        ("给我来个苹果", "apple"),
        ("可乐吧", "cola"),
    ],
)
def test_an_answer_names_one_thing(planner: OfflinePlanner, answer: str, thing: str) -> None:
    assert planner.thing_in_answer(answer) == thing


@pytest.mark.parametrize(
    "answer",
    ["", "Yes, please.", "No, thank you.", "I do not know.", "a cola and a plum", "not a cola, an apple",
     "a beer", "surprise me", "the biggest fruit", "Jane", "随便", "不要可乐", "可乐还是苹果"],
)  # fmt: skip
def test_an_answer_that_names_none_or_several_is_not_guessed_at(planner: OfflinePlanner, answer: str) -> None:
    assert planner.thing_in_answer(answer) == ""


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("Ask Robin what he wants to drink and bring it to him", "I would like a cola."),
        ("Find out what Robin would like and fetch it", "a cola"),
        ("先问罗宾喝什么，然后给他拿来", "可乐吧"),
    ],
)
def test_what_is_fetched_is_what_the_answer_names(planner: OfflinePlanner, text: str, answer: str) -> None:
    plan = planner.plan(text)
    assert isinstance(plan, Plan)
    leaves = list(plan.leaves())
    asks = next(leaf for leaf in leaves if leaf.skill == "ask_person")
    looks = next(leaf for leaf in leaves if leaf.skill == "look_for" and ".thing}" in str(leaf.arguments))
    assert leaves.index(asks) < leaves.index(looks)
    assert leaves[-1].skill == "hand_over"
    wanted = resolve(looks.arguments, {asks.id: with_thing({"answer": answer}, planner)})["what"]
    assert wanted == {"kind": "object", "name": "cola"}


def test_an_answer_without_a_thing_leaves_nothing_to_fetch_and_says_so(planner: OfflinePlanner) -> None:
    plan = planner.plan("Ask Robin what he wants and bring it to him")
    assert isinstance(plan, Plan)
    asks = next(leaf for leaf in plan.leaves() if leaf.skill == "ask_person")
    looks = next(leaf for leaf in plan.leaves() if ".thing}" in str(leaf.arguments))
    results = {asks.id: with_thing({"answer": "surprise me"}, planner)}
    with pytest.raises(UnresolvedReferenceError, match=r"surprise me.*names no one thing"):
        resolve(looks.arguments, results)


def test_the_answer_is_no_thing_of_the_next_instruction(planner: OfflinePlanner) -> None:
    asked = planner.plan("Ask Robin what he wants and bring it to him")
    later = planner.plan("put it on the desk", asked.context)
    assert "${" not in str(later.context.get("discourse"))
    assert not isinstance(later, Plan)
