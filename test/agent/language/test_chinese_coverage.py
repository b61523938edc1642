"""No word of a Chinese instruction is passed by: a changed sentence never comes to the same plan."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import yaml

from zulong.agent.htn import OfflinePlanner, Plan
from zulong.agent.language.chinese_words import normalise, tokenise

CORPUS = yaml.safe_load(Path(__file__).with_name("corpus.yaml").read_text(encoding="utf-8"))
NOT_ORDERS = ("渴", "饿", "算了", "直到", "不是", "没事了", "哦不", "不对", "说错")
"""Why a thing is wanted, and what is taken back: such words are heard and not carried out.

So are the words of a statement beside an order; only sentences of one stretch are tried here.
"""
SERVED = [
    text
    for text, expected, *_ in CORPUS["served"]
    if isinstance(text, str)
    and any("\u4e00" <= char <= "\u9fff" for char in text)
    and not any(word in text for word in NOT_ORDERS)
    and expected != "say"
    and not any(mark in text.rstrip("。？！?!") for mark in "，。；！？")
]
NOUNS = ("object", "category", "room", "placement", "person")


@pytest.fixture(scope="module")
def plan_of(planner: OfflinePlanner) -> Callable[[str], str]:
    """Return a function from an instruction to everything in its plan, "" when it is asked about or refused."""

    def plan(text: str) -> str:
        result = planner.plan(text)
        return str([step.to_dict() for step in result.steps]) if isinstance(result, Plan) else ""

    return plan


def _words(text: str, planner: OfflinePlanner) -> Iterator[tuple[int, int, bool]]:
    """Yield where each word of the text stands, and whether it names something."""
    position = 0
    for token in tokenise(normalise(text), planner.vocabulary):
        start = text.find(token.text, position)
        if start >= 0:
            position = start + len(token.text)
            yield start, position, token.has(*NOUNS)


def _unheard(changed: Iterator[tuple[str, str]], plan_of: Callable[[str], str], share: int) -> list[str]:
    """Return the changed texts that come to the plan of the original; every ``share``-th is tried."""
    known: dict[str, str] = {}
    heard: list[str] = []
    for number, (text, other) in enumerate(changed):
        if number % share == 0 and other != text:
            if text not in known:
                known[text] = plan_of(text)
            if known[text] and plan_of(other) == known[text]:
                heard.append(f"{text} -> {other}")
    return heard


@pytest.mark.feature("FC-10")
def test_an_unknown_word_put_in_anywhere_is_not_passed_by(
    planner: OfflinePlanner, plan_of: Callable[[str], str]
) -> None:
    changed = (
        (text, text[:end] + "咕噜" + text[end:]) for text in SERVED for _, end, _ in _words(text, planner)
    )
    assert _unheard(changed, plan_of, 5) == []


@pytest.mark.feature("FC-10")
def test_an_unknown_word_in_place_of_a_name_is_not_passed_by(
    planner: OfflinePlanner, plan_of: Callable[[str], str]
) -> None:
    changed = (
        (text, text[:start] + "咕噜" + text[end:])
        for text in SERVED
        for start, end, named in _words(text, planner)
        if named
    )
    assert _unheard(changed, plan_of, 2) == []


@pytest.mark.feature("FC-10")
@pytest.mark.parametrize("denial", ["别", "不要", "千万别"])
def test_a_denied_order_is_not_carried_out(denial: str, plan_of: Callable[[str], str]) -> None:
    orders = [text for text in SERVED if text[0] in "去到把给带拿跟回找放送数告对向"]
    assert len(orders) > 80
    assert _unheard(((text, denial + text) for text in orders), plan_of, 3) == []
