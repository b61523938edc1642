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
        ("不要调用工具", 0),
        ("不许用任何工具", 0),
        ("不要使用函数", 0),
        ("不用任何工具", 0),
        ("请直接回答，不调用工具", 0),
        ("工具最多用两次", 2),
        ("最多用三次工具", 3),
        ("调用次数不要超过五次", 5),
        ("调用不超过10次", 10),
        ("至多五次", 5),
        ("别超过三次", 3),
        ("三次之内搞定", 3),
        ("只准用一次工具", 1),
        ("工具调用次数限制为3", 3),
        ("工具调用次数限制为三次", 3),
        ("最多2次调用", 2),
        ("限3次调用", 3),
        ("一次工具都别用", 0),
        ("最多调用工具三次", 3),
        ("最多只能调用两次", 2),
        ("最多只调用一次工具", 1),
        ("不得超过六次调用", 6),
        ("十次以内", 10),
        ("控制在三次调用以内", 3),
        ("最多使用两个工具", 2),
        ("不准用工具", 0),
        ("禁用工具", 0),
        ("禁止使用工具", 0),
        ("两次调用以内", 2),
        ("用不超过三次调用找到杯子", 3),
        ("最多調用三次工具", 3),
        ("不要使用任何函数调用", 0),
        ("最多十五次", 15),
        ("别调用任何工具", 0),
        ("Don't use any tools", 0),
        ("use no tools", 0),
        ("no tool calls", 0),
        ("without tools", 0),
        ("at most 3 tool calls", 3),
        ("max three tool uses", 3),
        ("up to five calls", 5),
        ("limit yourself to 2 tool calls", 2),
        ("in no more than three tool calls", 3),
        ("use a single tool call", 1),
        ("use only one tool call", 1),
        ("two tool calls max", 2),
        ("two calls at most", 2),
        ("use tools at most twice", 2),
        ("one call only", 1),
        ("never call a tool", 0),
        ("no function calls", 0),
        ("do it in 3 calls or less", 3),
        ("within five tool calls", 5),
        ("keep it under four calls", 3),
        ("no more than a dozen calls", 12),
        ("a maximum of 3 calls", 3),
        ("do not make more than 4 calls", 4),
        ("don't call more than two tools", 2),
        ("don't exceed 5 tool calls", 5),
        ("not more than six tool calls", 6),
        ("at most one tool", 1),
        ("using at most ten tool calls", 10),
        ("with three calls at the most", 3),
        ("you have 4 tool calls", 4),
        ("you may use 3 tool calls", 3),
        ("You have a budget of five tool calls", 5),
        ("tool budget: 3", 3),
        ("please avoid using tools", 0),
        ("no tools, please", 0),
        ("tool calls are not allowed", 0),
        ("tools are forbidden", 0),
        ("at most thirty-two calls", 32),
        ("at most one hundred calls", 100),
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
        "少用工具",
        "call my mother at most twice",
        "call him no more than once",
        "bring me two tools",
        "go to the kitchen at most 3 times",
        "最多打三次电话",
        "最多等三次",
        "use the tool on the table",
        "put the tools away",
        "no more than three cups",
        "超过三次就停",
        "打电话不要超过三次",
        "最多说三次",
        "give me 3 calls when you see her",
        "拿两个工具来",
        "工具箱最多拿两个",
        "do not touch the tools",
        "don't use the tools from the garage",
        "give him no tools",
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


@pytest.mark.parametrize("piece", ["1", "十", "no ", "at most ", "最多", "不", " "])
def test_a_flood_of_anything_is_read_in_proportion_to_its_length(piece: str) -> None:
    budget_from_words(piece * (50_000 // len(piece)))  # a pattern that tries every split would take minutes
