"""An order about every room is one order for each of them, in a tour."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest

Outcome = Callable[[str | Sequence[str]], str]
TOUR = "go living_room; go kitchen; go bedroom; go bathroom; go office"


@pytest.mark.feature("FC-10")
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("go to every room", TOUR),
        ("Visit each room in turn and then come back here", f"{TOUR}; go operator"),
        ("每个房间都去一遍", TOUR),
        ("go to every room except the kitchen", TOUR.replace("go kitchen; ", "")),
        ("去除了厨房以外的每个房间", TOUR.replace("go kitchen; ", "")),
        ("look for the cola in every room", "look cola@cabinet; say ~I found the cola: ${s1a_found.at}."),
        ("挨个房间找一下可乐", "look cola@cabinet; say ~我找到了可乐：${s1a_found.at}。"),
    ],
)
def test_each_room_is_visited_and_a_search_goes_through_all_anyway(
    text: str, expected: str, outcome: Outcome
) -> None:
    assert outcome(text) == expected


@pytest.mark.parametrize("text", ["数一下每个房间有几个人", "count the people in each room"])
def test_what_is_counted_in_each_room_is_counted_in_each(text: str, outcome: Outcome) -> None:
    assert [leaf for leaf in outcome(text).split("; ") if leaf.startswith("count")] == [
        f"count person@{room}" for room in ("living_room", "kitchen", "bedroom", "bathroom", "office")
    ]


@pytest.mark.parametrize(
    "text", ["do not go to every room", "go to every room except the garage", "别每个房间都去"]
)
def test_an_exception_that_is_no_room_and_a_denial_are_never_spelled_out(text: str, outcome: Outcome) -> None:
    assert not outcome(text).startswith("go")
