"""Steps, plans, references between steps, and conditions."""

from __future__ import annotations

import json
from datetime import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zulong.agent.htn import (
    OfflinePlanner,
    Plan,
    Step,
    UnresolvedReferenceError,
    clock,
    condition_holds,
    resolve,
)

INSTRUCTIONS = (
    "bring the red cup to the kitchen",
    "if there is an apple on the desk, bring it to Jane, otherwise come back",
    "先去厨房，然后数一数冰箱上有多少饮料",
    "bring me the red cup, if you can not find it bring the blue one",
)


@pytest.mark.parametrize("text", INSTRUCTIONS)
def test_a_plan_survives_being_written_as_plain_data(planner: OfflinePlanner, text: str) -> None:
    plan = planner.plan(text)
    assert isinstance(plan, Plan)
    assert Plan.from_dict(json.loads(json.dumps(plan.to_dict()))) == Plan.from_dict(plan.to_dict())
    assert Plan.from_dict(plan.to_dict()).to_dict() == plan.to_dict()


@pytest.mark.parametrize("text", INSTRUCTIONS)
def test_ids_are_unique_and_dependencies_and_references_point_backwards(
    planner: OfflinePlanner, text: str
) -> None:
    plan = planner.plan(text)
    assert isinstance(plan, Plan)
    seen: list[str] = []
    for step in plan.walk():
        assert step.id not in seen
        for needed in step.depends_on:
            assert needed in seen
        for other in seen:
            if f"${{{other}." in str(dict(step.arguments)):
                break
        else:
            assert "${s" not in str(dict(step.arguments))
        seen.append(step.id)


def test_a_whole_reference_keeps_the_type_of_the_result() -> None:
    assert resolve({"n": "${a.count}"}, {"a": {"count": 3}}) == {"n": 3}


def test_a_reference_inside_a_sentence_becomes_text() -> None:
    filled = resolve(
        {"text": "I counted ${a.count}.", "more": ["${a.count}", {"deep": "${a.count}"}]}, {"a": {"count": 3}}
    )
    assert filled == {"text": "I counted 3.", "more": [3, {"deep": 3}]}


def test_a_missing_result_is_an_error_that_names_the_step() -> None:
    with pytest.raises(UnresolvedReferenceError, match=r"b\.count"):
        resolve({"n": "${b.count}"}, {"a": {"count": 3}})


def test_the_clock_is_read_when_the_sentence_is_said() -> None:
    now = clock(datetime(2026, 12, 31, 9, 5))
    assert now["time"] == "09:05"
    assert now["tomorrow_en"] == "Friday, 1 January 2027"
    assert now["weekday_zh"] == "星期四"
    assert resolve({"text": "${clock.time}"}, {"clock": now}) == {"text": "09:05"}
    assert len(str(resolve({"text": "${clock.time}"}, {})["text"])) == 5


@pytest.mark.parametrize(
    ("condition", "holds"),
    [
        (None, True),
        ({"left": "${a.count}", "op": ">=", "right": 1}, True),
        ({"left": "${a.count}", "op": "<", "right": 1}, False),
        ({"left": {"fact": "battery.percent"}, "op": "<", "right": 20}, True),
        ({"left": {"fact": "unknown.fact"}, "op": "<", "right": 20}, False),
        ({"left": "${missing.count}", "op": ">=", "right": 0}, False),
        ({"left": "${a.count}", "op": ">=", "right": "many"}, False),
    ],
)
def test_what_cannot_be_known_does_not_hold(condition: dict[str, object] | None, holds: bool) -> None:
    assert condition_holds(condition, {"a": {"count": 2}}, {"battery.percent": 15}) is holds


@given(st.dictionaries(st.text(max_size=5), st.text(alphabet="abc${}._", max_size=12), max_size=3))
def test_resolving_never_fails_but_for_missing_results(arguments: dict[str, str]) -> None:
    try:
        resolve(arguments, {"a": {"b": 1}})
    except UnresolvedReferenceError:
        pass


def test_leaves_come_in_the_order_of_execution() -> None:
    tree = Step(
        "p",
        "p",
        children=(Step("a", "a", skill="say"), Step("q", "q", children=(Step("b", "b", skill="wait"),))),
    )
    assert [leaf.id for leaf in tree.leaves()] == ["a", "b"]
