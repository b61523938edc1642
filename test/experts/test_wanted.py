"""Words and mappings become tests for what is seen."""

from __future__ import annotations

from typing import Any

import pytest

from zulong.apartment import Apartment
from zulong.experts.robot import Seen
from zulong.experts.skill import ErrorCode, SkillError
from zulong.experts.wanted import parse_wanted


def thing(id: str, category: str, colour: str) -> Seen:
    return Seen(id, id, category, colour, (0, 0, 0), 0.9, 0.0, {"name": id.replace("_", " ")})


def person(id: str, **attributes: Any) -> Seen:
    return Seen(id, "person", "person", "", (0, 0, 0), 0.9, 0.0, {"name": id.title(), **attributes})


RED_CUP, BLUE_CUP, CUP = (
    thing("red_cup", "dish", "red"),
    thing("blue_cup", "dish", "blue"),
    thing("cup", "dish", "white"),
)
APPLE, COLA = thing("apple", "fruit", "red"), thing("cola", "drink", "red")
SIMONE = person("simone", posture="lying", gesture="none", clothes_kind="sweater", clothes_colour="gray")
ROBIN = person(
    "robin", posture="standing", gesture="raising_left_arm", clothes_kind="jacket", clothes_colour="orange"
)
OPERATOR = person(
    "operator", posture="standing", gesture="none", clothes_kind="shirt", clothes_colour="black"
)
ALL = [RED_CUP, BLUE_CUP, CUP, APPLE, COLA, SIMONE, ROBIN, OPERATOR]


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("red cup", {"red_cup"}),
        ("the red_cup", {"red_cup"}),
        ("cup", {"red_cup", "blue_cup", "cup"}),
        ("cups", {"red_cup", "blue_cup", "cup"}),
        ("a drink", {"cola"}),
        ("drinks", {"cola"}),
        ("red object", {"red_cup", "apple", "cola"}),
        ("objects", {"red_cup", "blue_cup", "cup", "apple", "cola"}),
        ("fruit", {"apple"}),
        ("yellow cup", set()),
        ("helicopter", set()),
        ("Simone", {"simone"}),
        ("me", {"operator"}),
        ("lying person", {"simone"}),
        ("persons", {"simone", "robin", "operator"}),
        ("person raising their left arm", {"robin"}),
        ("persons raising their right arm", set()),
        ("person wearing a gray sweater", {"simone"}),
        ("people wearing orange jackets", {"robin"}),
        ("person wearing a gray jacket", set()),
        ({"category": "dish", "colour": "blue"}, {"blue_cup"}),
        ({"id": "apple"}, {"apple"}),
        ({"posture": "lying"}, {"simone"}),
        ({"gesture": "raising left arm"}, {"robin"}),
        ({"clothes": "black shirt"}, {"operator"}),
        ({"garment": "jacket", "garment_colour": "orange"}, {"robin"}),
        ({"colour": "red"}, {"red_cup", "apple", "cola"}),
        ({"kind": "object", "id": "cup", "name": "cup"}, {"cup"}),
        ({"kind": "object", "name": "cup", "not_colours": ["red", "white"]}, {"blue_cup"}),
        ({"kind": "object", "category": "dish", "not_ids": ["red_cup"]}, {"blue_cup", "cup"}),
        ({"kind": "object"}, {"red_cup", "blue_cup", "cup", "apple", "cola"}),
        ({"kind": "person"}, {"simone", "robin", "operator"}),
        ({"kind": "person", "clothes": {"colour": "orange", "kind": "jacket"}}, {"robin"}),
        ({"kind": "person", "clothes": {"colour": "gray"}, "posture": "standing"}, set()),
        ({"kind": "person", "name": "Robin"}, {"robin"}),
        ({"kind": "person", "name": "Nobody"}, set()),
    ],
    ids=str,
)
def test_what_is_wanted_is_what_matches(home: Apartment, words: Any, expected: set[str]) -> None:
    wanted = parse_wanted(words, home)
    assert {s.id for s in ALL if wanted.matches(s)} == expected


@pytest.mark.parametrize("nothing", ["", "   ", None, 7, [], {}])
def test_saying_nothing_is_refused(home: Apartment, nothing: Any) -> None:
    with pytest.raises(SkillError) as caught:
        parse_wanted(nothing, home)
    assert caught.value.code is ErrorCode.INVALID_ARGUMENTS
