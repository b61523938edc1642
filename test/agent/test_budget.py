"""Budgets in the user's words: what sets a limit, and what only looks like it."""

from __future__ import annotations

import pytest

from zulong.agent.budget import Budget, budget_from_words
from zulong.agent.numerals import number


@pytest.mark.feature("FC-04")
@pytest.mark.parametrize(
    ("text", "limit"),
    [
        ("别用工具", 0),
        ("请不要使用任何工具，直接回答我", 0),
        ("不用工具", 0),
        ("禁止调用工具", 0),
        ("最多三次", 3),
        ("最多调用两次工具", 2),
        ("查一下天气，最多用3个工具", 3),
        ("不超过 5 次调用", 5),
        ("不要超过十二次", 12),
        ("工具调用上限为二十次", 20),
        ("只能调用一次工具", 1),
        ("少于四次调用", 3),
        ("三次以内完成", 3),
        ("no tools", 0),
        ("No tools, please: what is the capital of France?", 0),
        ("answer without using any tools", 0),
        ("don't use tools", 0),
        ("Do not call any functions", 0),
        ("at most two calls", 2),
        ("use no more than 7 tool calls", 7),
        ("with a maximum of twenty-one function calls", 21),
        ("call the tools at most three times.", 3),
        ("only one tool", 1),
        ("max 4 calls", 4),
        ("fewer than five calls", 4),
        ("at most five calls, no, at most two calls", 2),
    ],
)
def test_words_that_limit_the_tools(text: str, limit: int) -> None:
    assert budget_from_words(text) == limit


@pytest.mark.feature("FC-04")
@pytest.mark.parametrize(
    "text",
    [
        "bring at most two cups",
        "最多拿三个苹果",
        "最多等三分钟",
        "knock at most three times",
        "最多敲三次门",
        "there are no tools left in the kitchen",
        "bring me the tools from the shelf",
        "make at most two calls to my mother",
        "go to the tool box without delay",
        "不超过五分钟",
        "把工具箱拿来",
        "use the blue cup only once it is clean",
        "put no more than 3 plates on the table",
        "",
    ],
)
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
        ("", None),
        ("many", None),
        ("twenty-eleven", None),
    ],
)
def test_numbers_in_digits_and_words(text: str, value: int | None) -> None:
    assert number(text) == value


@pytest.mark.parametrize("piece", ["1", "十", "no ", "at most ", "最多", "不", " "])
def test_a_flood_of_anything_is_read_in_proportion_to_its_length(piece: str) -> None:
    budget_from_words(piece * (50_000 // len(piece)))  # a pattern that tries every split would take minutes
