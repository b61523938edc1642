"""Budgets in the user's words: what sets a limit, and what only looks like it."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from zulong.agent.budget import Budget, budget_from_words
from zulong.agent.numerals import number

PHRASES = yaml.safe_load(Path(__file__).with_name("budget_phrases.yaml").read_text(encoding="utf-8"))


@pytest.mark.feature("FC-04")
@pytest.mark.parametrize(
    ("text", "limit"), [(text, limit) for limit, texts in PHRASES["limits"].items() for text in texts]
)
def test_words_that_limit_the_tools(text: str, limit: int) -> None:
    assert budget_from_words(text) == limit


@pytest.mark.feature("FC-04")
@pytest.mark.parametrize("text", PHRASES["none"])
def test_words_that_limit_something_else_or_nothing(text: str) -> None:
    assert budget_from_words(text) is None


@pytest.mark.feature("FC-04")
def test_words_and_field_share_one_budget_and_the_tighter_wins() -> None:
    assert Budget.of("最多三次", 5).limit == 3
    assert Budget.of("最多三次", 2).limit == 2
    assert Budget.of("go", None) == Budget()
    spent = Budget.of("at most two calls").spend().spend()
    assert spent.exhausted and spent.left == 0 and not Budget().spend(100).exhausted
    assert Budget.from_dict(spent.to_dict()) == spent


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("5", 5),
        ("１２", 12),
        ("十", 10),
        ("十二", 12),
        ("二十", 20),
        ("两百零三", 203),
        ("一万二千", 12000),
        ("二〇二六", 2026),
        ("twenty-one", 21),
        ("Seven", 7),
        ("ninety", 90),
        ("a dozen", 12),
        ("a hundred and five", 105),
        ("three hundred", 300),
        ("two hundred and twenty-one", 221),
        ("many hundred", None),
        ("", None),
        ("many", None),
        ("twenty-eleven", None),
    ],
)
def test_numbers_in_digits_and_words(text: str, value: int | None) -> None:
    assert number(text) == value


@pytest.mark.parametrize(
    "piece",
    ["1", "十", "no ", "at most ", "最多", "不", " ", "use ", "use a ", "don't use a ", "次", '"', "("],
)
def test_a_flood_of_anything_is_read_in_proportion_to_its_length(piece: str) -> None:
    budget_from_words(piece * (50_000 // len(piece)))  # a pattern that tries every split would take minutes
