"""What the user says while a task is held: stop, otherwise, go on, or something more."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from zulong.agent.said_meanwhile import Said, what_was_said

WORDS = yaml.safe_load(Path(__file__).with_name("said_meanwhile.yaml").read_text(encoding="utf-8"))


@pytest.mark.feature("FC-11")
@pytest.mark.parametrize(("kind", "words"), [(kind, words) for kind in WORDS for words in WORDS[kind]])
def test_words_come_to_what_they_mean(kind, words) -> None:
    assert what_was_said(words) is Said(kind)


def test_silence_says_nothing() -> None:
    assert what_was_said("  \n") is Said.NOTHING


@pytest.mark.parametrize(
    "piece", ["please ", "好", "no, ", "stop ", "不", "继续", "you can ", " ", "it's fine "]
)
def test_a_flood_is_read_in_proportion_to_its_length(piece) -> None:
    what_was_said(piece * (30_000 // len(piece)) + "x")  # what tries every split would take minutes
