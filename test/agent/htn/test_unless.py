"""An order with an exception is carried out one way or the other, never both."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from zulong.agent.htn import OfflinePlanner, Plan, condition_holds


@pytest.fixture(scope="module")
def planner() -> OfflinePlanner:
    return OfflinePlanner()


def _given_to(plan: Plan, found: Mapping[str, Any]) -> list[str]:
    """Return whom or where the thing ends up when every check finds ``found``."""
    results: dict[str, Mapping[str, Any]] = {leaf.id: found for leaf in plan.leaves()}
    ends: list[str] = []
    sought = ""
    for step in plan.steps:
        if step.condition is not None and not condition_holds(step.condition, results, {}):
            continue
        for leaf in step.leaves():
            if leaf.skill == "look_for" and leaf.arguments["what"].get("kind") == "person":
                sought = str(leaf.arguments["what"]["id"])
            if leaf.skill in ("hand_over", "place"):
                ends.append(str(leaf.arguments["at"]) if leaf.skill == "place" else sought)
    return ends


@pytest.mark.feature("FC-10")
@pytest.mark.parametrize(
    ("text", "found", "end"),
    [
        ("Take the milk to Jane, but if she isn't in the kitchen, give it to Robin", {"count": 0}, "robin"),
        ("Take the milk to Jane, but if she isn't in the kitchen, give it to Robin", {"count": 1}, "jane"),
        ("把牛奶拿给简，如果她不在厨房，就给罗宾", {"count": 0}, "robin"),
        ("把牛奶拿给简，如果她不在厨房，就给罗宾", {"count": 1}, "jane"),
        ("把苹果放到书桌上，要是门关着就放到沙发上", {"state": "closed"}, "sofa"),
        ("把苹果放到书桌上，要是门关着就放到沙发上", {"state": "open"}, "desk"),
    ],
)
def test_the_exception_takes_the_place_of_the_order(
    planner: OfflinePlanner, text: str, found: Mapping[str, Any], end: str
) -> None:
    result = planner.plan(text)
    assert isinstance(result, Plan)
    assert _given_to(result, found) == [end]


def test_a_condition_on_something_else_leaves_the_order_as_it_is(planner: OfflinePlanner) -> None:
    result = planner.plan("bring Robin the milk and if Jane is in the kitchen bring her the cola")
    assert isinstance(result, Plan)
    assert _given_to(result, {"count": 0}) == ["robin"]
    assert _given_to(result, {"count": 1}) == ["robin", "jane"]
