"""The table that decides about an interrupted task: each row, and which row wins."""

from __future__ import annotations

import pytest

from zulong.agent.surroundings import RULES, Decision, Interruption, InterruptionLimits, Surroundings, decide

HERE = Surroundings(
    position_m=(1.0, 1.0),
    room="kitchen",
    holding="red_cup",
    objects={"blue_cup": "desk", "apple": "sofa"},
    people={"anna": "kitchen"},
    battery=0.8,
    stamp_s=100.0,
)


def changed(**fields) -> Surroundings:
    return Surroundings.from_dict(HERE.to_dict() | fields)


@pytest.mark.feature("FC-11")
@pytest.mark.parametrize(
    ("after", "words", "decision", "rule", "in_reason"),
    [
        ({"hazards": ["gas"]}, "", Decision.ABORT, "emergency", "gas"),
        ({"hazards": ["gas"]}, "go on", Decision.ABORT, "emergency", "gas"),
        ({"battery": 0.05}, "继续", Decision.ABORT, "battery", "5%"),
        ({"holding": ""}, "算了，别做了", Decision.ABORT, "user says stop", "算了"),
        ({"holding": ""}, "stop it", Decision.ABORT, "user says stop", "stop it"),
        ({}, "不对，是蓝色的", Decision.REPLAN, "user says change", "蓝色"),
        ({}, "bring the blue one instead", Decision.REPLAN, "user says change", "blue"),
        ({}, "no, stop", Decision.ABORT, "user says stop", "no, stop"),
        ({}, "不对，停下", Decision.ABORT, "user says stop", "停下"),
        ({}, "no, don't stop", Decision.RESUME, "user says go on", "don't stop"),
        ({}, "stop, bring the blue one instead", Decision.REPLAN, "user says change", "blue"),
        ({"holding": ""}, "don't stop", Decision.RESUME, "user says go on", "don't stop"),
        ({"holding": ""}, "接着做", Decision.RESUME, "user says go on", "接着做"),
        ({}, "and bring a spoon too", Decision.MERGE, "user adds", "spoon"),
        ({"holding": ""}, "", Decision.REPLAN, "gripper", "red_cup is no longer"),
        ({"holding": "apple"}, "", Decision.REPLAN, "gripper", "red_cup"),
        ({"objects": {"blue_cup": "floor"}}, "", Decision.REPLAN, "thing moved", "at floor"),
        ({"objects": {}}, "", Decision.REPLAN, "thing moved", "gone"),
        ({"objects": {"blue_cup": "desk"}}, "", Decision.RESUME, "nothing changed", "25%"),
        ({"people": {"anna": "hall"}}, "", Decision.REPLAN, "person moved", "in hall"),
        ({"room": "hall"}, "", Decision.REPLAN, "robot moved", "hall"),
        ({"position_m": [4.0, 5.0]}, "", Decision.REPLAN, "robot moved", "5.0 m"),
        ({"position_m": [1.5, 1.0]}, "", Decision.RESUME, "nothing changed", ""),
        ({"stamp_s": 800.0}, "", Decision.REPLAN, "too long", "700 s"),
        ({"stamp_s": 5.0}, "", Decision.REPLAN, "too long", "restarted"),
        ({"stamp_s": 130.0}, "", Decision.RESUME, "nothing changed", ""),
    ],
)
def test_the_first_row_that_applies_decides(after, words, decision, rule, in_reason) -> None:
    verdict = decide(
        Interruption(
            HERE, changed(**after), concerns=frozenset({"blue_cup", "anna"}), progress=0.25, words=words
        )
    )
    assert (verdict.decision, verdict.rule) == (decision, rule)
    assert in_reason in verdict.reason and verdict.reason.endswith((".", words))


def test_every_row_of_the_table_has_a_case_above() -> None:
    marks = test_the_first_row_that_applies_decides.pytestmark
    cases = next(mark for mark in marks if mark.name == "parametrize").args[1]
    assert {case[3] for case in cases} == {name for name, _, _ in RULES}


def test_what_counts_as_changed_can_be_set() -> None:
    limits = InterruptionLimits(moved_m=0.2, stale_s=10.0, low_battery=0.9)
    for after, rule in (
        ({"position_m": [1.5, 1.0], "battery": 0.95}, "robot moved"),
        ({"stamp_s": 115.0, "battery": 0.95}, "too long"),
        ({}, "battery"),
    ):
        assert decide(Interruption(HERE, changed(**after), limits=limits)).rule == rule


def test_surroundings_survive_as_plain_data() -> None:
    assert Surroundings.from_dict(HERE.to_dict()) == HERE
    assert Surroundings.from_dict({}) == Surroundings()
