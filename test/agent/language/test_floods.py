"""Whatever somebody writes, reading it ends, and ends in an answer."""

from __future__ import annotations

import pytest

from zulong.agent.htn import OfflinePlanner


@pytest.mark.parametrize(
    "words",
    [
        "1" * 400,
        "wait " + "9" * 400 + " minutes",
        "bring me " + "9" * 400 + " cups",
        "等" + "9" * 400 + "分钟",
        "go and " * 200,
        "请" * 400,
        "[" * 2000,
    ],
    ids=lambda words: words[:12],
)
def test_endless_numbers_and_words_are_answered(words: str) -> None:
    assert OfflinePlanner().plan(words) is not None
