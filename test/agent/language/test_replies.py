"""Turns that answer, correct or add: what they rule out is never taken, and what they add is never lost."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest

Outcome = Callable[[str | Sequence[str]], str]
FETCH = "pick; go operator; give operator"


@pytest.mark.feature("FC-10")
@pytest.mark.parametrize(
    "turns",
    [
        ["Bring me a cup", "not the red one"],
        ["Bring me a cup", "any but the blue one"],
        ["Bring me the apple", "not to me"],
        ["Go to the kitchen", "not the kitchen"],
        ["Guide Jane", "not to the office"],
        ["Put the milk on the table", "not the desk"],
        ["Give the plum to him", "not Robin"],
        ["Count the people", "not in the kitchen"],
        ["Bring me some plums", "less than three"],
        ["Bring me the cup", "the red one, if it is on the desk"],
        ["Take Jane along", "to the kitchen, but not now"],
        ["把红色的杯子拿来", "不是红的"],
        ["我渴了", "不要可乐"],
        ["把牛奶放桌上", "不是书桌"],
        ["带简走", "不去厨房"],
    ],
)
def test_what_is_ruled_out_is_asked_about_and_not_taken(turns: list[str], outcome: Outcome) -> None:
    assert outcome(turns).startswith("?")


@pytest.mark.feature("FC-10")
@pytest.mark.parametrize(
    "turns",
    [
        ["Bring me the cup", "red or blue"],
        ["Carry the milk", "to Jane or Adel"],
        ["Go", "to the kitchen or the bedroom"],
        ["把杯子拿来", "红的或者蓝的"],
        ["Find Jane and Adel", "tell them that dinner is ready"],
        ["给简和罗宾拿可乐", "告诉他们开饭了"],
        ["Follow Jane", "for two minutes"],
        ["Bring me the apple", "in ten minutes"],
        ["跟着简", "五分钟"],
        ["Find the apple", "to Jane"],
        ["Bring me the juice", "the orange juice, and I will take the milk to Jane"],
    ],
)
def test_what_is_left_open_is_asked_about(turns: list[str], outcome: Outcome) -> None:
    assert outcome(turns).startswith("?")


@pytest.mark.feature("FC-10")
@pytest.mark.parametrize(
    ("turns", "expected"),
    [
        (["Bring me the cup", "not the red one, the blue one"], f"look blue_cup@kitchen_table; {FETCH}"),
        (["Bring me the cup", "the second one"], f"look blue_cup@kitchen_table; {FETCH}"),
        (["Bring me the juice", "orange"], f"look orange_juice@cabinet; {FETCH}"),
        (["把杯子给我", "第二个"], f"look blue_cup@kitchen_table; {FETCH}"),
        (["Bring me a clean cup", "ok"], f"look cup@kitchen_table; {FETCH}"),
        (
            ["Bring me a clean cup", "yes, and go to the kitchen"],
            f"look cup@kitchen_table; {FETCH}; go kitchen",
        ),
        (
            ["Bring me the juice", "the orange juice, and a cup"],
            f"look orange_juice@cabinet; {FETCH}; look cup@kitchen_table; {FETCH}",
        ),
        (["Wait in the kitchen", "five minutes, then come back"], "go kitchen; wait 300; go operator"),
        (
            ["Guide Jane", "the kitchen and then the office"],
            "look jane@living_room; guide kitchen; guide office",
        ),
        (["Guide Jane", "to me"], "look jane@living_room; guide operator"),
        (["Follow Jane", "to the kitchen"], "look jane@living_room; follow kitchen"),
        (["Bring me the red cup from the desk", "no, from the bed"], f"look red_cup@bed; {FETCH}"),
        (["How many fruits are on the desk?", "bring me the biggest"], f"look biggest fruit@desk; {FETCH}"),
        (["书桌上最大的是什么", "拿来"], f"look biggest@desk; {FETCH}"),
        (["bring me a plum", "two, please"], f"look plum@desk; {FETCH}; look plum@desk; {FETCH}"),
        (
            ["bring the milk to Jane", "Robin wants one too"],
            "look milk@cabinet; pick; look robin@living_room; give them",
        ),
        (["把苹果拿给简", "再拿一个给罗宾"], "look apple@desk; pick; look robin@living_room; give them"),
        (["给我一罐可乐", "简也要"], "look cola@cabinet; pick; look jane@living_room; give them"),
        (["去厨房", "不，去卧室"], "go bedroom"),
        (["把苹果拿给简", "拿错了，是梨"], "look pear@desk; pick; look jane@living_room; give them"),
        (
            ["Find Jane and Adel", "tell him that dinner is ready", "Jane"],
            "look jane@living_room; say ~dinner is ready",
        ),
    ],
)
def test_the_answer_and_what_follows_it_are_both_done(
    turns: list[str], expected: str, outcome: Outcome
) -> None:
    assert outcome(turns) == expected
