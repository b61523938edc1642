"""What is ruled out of a kind is not taken, and is said in the plan."""

from __future__ import annotations

import pytest

from zulong.agent.htn import OfflinePlanner, Plan


@pytest.fixture(scope="module")
def planner() -> OfflinePlanner:
    return OfflinePlanner()


@pytest.mark.feature("FC-10")
@pytest.mark.parametrize(
    ("text", "ruled_out"),
    [
        ("Get me a drink, anything but wine", {"red_wine"}),
        ("Get me a drink from the cabinet but not the wine", {"red_wine"}),
        ("Bring me a fruit, but no apples and no pears", {"apple", "pear"}),
        ("I'd like a fruit other than an apple", {"apple"}),
        ("Bring Jane a drink, she doesn't like milk", {"milk"}),
        ("拿个喝的，不要牛奶", {"milk"}),
        ("柜子里随便拿瓶喝的，红酒不行", {"red_wine"}),
        ("给简拿个水果，她对桃子过敏", {"peach"}),
        ("拿水果来，别拿苹果和梨", {"apple", "pear"}),
    ],
)
def test_the_search_leaves_out_what_was_ruled_out(
    planner: OfflinePlanner, text: str, ruled_out: set[str]
) -> None:
    result = planner.plan(text)
    assert isinstance(result, Plan), result
    (sought,) = [
        step.arguments["what"]
        for step in result.leaves()
        if step.skill == "look_for" and "category" in step.arguments["what"]
    ]
    assert set(sought["not_ids"]) == ruled_out
    assert "other than" in result.summary or "以外" in result.summary


@pytest.mark.feature("FC-10")
@pytest.mark.parametrize(
    "text",
    [
        "Bring me a drink, but no fruit",
        "Bring me a drink but not to Jane",
        "Bring me a coffee, no milk",
        "给我拿点吃的，别拿水果",
    ],
)
def test_what_is_not_of_the_kind_is_asked_about(planner: OfflinePlanner, text: str) -> None:
    assert not isinstance(planner.plan(text), Plan)
