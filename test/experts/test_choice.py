"""Which of several is meant."""

from __future__ import annotations

import pytest

from zulong.apartment import Apartment, Pose2D
from zulong.experts.choice import Choice
from zulong.experts.robot import Seen
from zulong.experts.skill import ErrorCode, SkillError


def at(id: str, x: float, y: float, z: float = 0.8, **attributes: object) -> Seen:
    return Seen(id, id, "", "", (x, y, z), 0.9, 0.0, attributes)


APPLE, CUP, WINE = at("apple", 2.0, 0.4), at("red_cup", 2.5, 0.0), at("red_wine", 2.0, -0.4)
ALL = [APPLE, CUP, WINE]


@pytest.fixture
def choice(home: Apartment) -> Choice:
    return Choice(home, Pose2D(0.0, 0.0, 0.0))


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("biggest", "red_wine"), ("largest", "red_wine"), ("smallest", "apple"), ("heaviest", "red_wine"),
        ("lightest", "red_cup"), ("thinnest", "apple"), ("leftmost", "apple"), ("rightmost", "red_wine"),
        ("big", "red_wine"), ("left", "apple"),
    ],
)  # fmt: skip
def test_each_comparison_picks_what_the_vocabulary_says(choice: Choice, word: str, expected: str) -> None:
    assert choice.most(ALL, word).id == expected


def test_an_unknown_thing_is_compared_by_what_the_detector_says(choice: Choice) -> None:
    crate = at("crate", 3.0, 0.0, size_m=(0.5, 0.5, 0.5))
    assert choice.most([*ALL, crate], "biggest") is crate
    assert choice.most([*ALL, crate], "heaviest") is crate


def test_a_word_that_is_no_comparison_is_refused(choice: Choice) -> None:
    with pytest.raises(SkillError) as caught:
        choice.most(ALL, "tastiest")
    assert caught.value.code is ErrorCode.INVALID_ARGUMENTS


@pytest.mark.parametrize(
    ("relation", "to", "expected"),
    [
        ("left_of", CUP, ["apple"]), ("right_of", CUP, ["red_wine"]), ("behind", APPLE, ["red_cup"]),
        ("in_front_of", CUP, ["apple", "red_wine"]), ("above", CUP, []), ("beside", CUP, []),
    ],
)  # fmt: skip
def test_relations_are_seen_from_the_robot(
    choice: Choice, relation: str, to: Seen, expected: list[str]
) -> None:
    assert [s.id for s in choice.related(ALL, relation, [to])] == expected


def test_heights_make_above_below_and_on_top(choice: Choice) -> None:
    shelf_item, below = at("soccer_ball", 2.0, 0.0, 1.1), at("dice", 2.05, 0.0, 0.5)
    assert choice.related([shelf_item], "above", [below]) == [shelf_item]
    assert choice.related([below], "below", [shelf_item]) == [below]
    assert choice.related([shelf_item], "on_top_of", [below]) == [shelf_item]


@pytest.mark.parametrize(
    ("what", "word"),
    [
        ({"superlative": "biggest"}, "biggest"), ({"size": "small"}, "smallest"), ({"side": "left"}, "leftmost"),
        ({"name": "cup"}, ""), ("biggest cup", ""),
    ],
)  # fmt: skip
def test_the_choosing_word_of_a_description_is_found(what: object, word: str) -> None:
    assert Choice.word_of(what) == word
