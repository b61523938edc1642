"""A varied corpus of instructions in Chinese and English, each with what must come of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
import yaml

CORPUS = yaml.safe_load(Path(__file__).with_name("corpus.yaml").read_text(encoding="utf-8"))


def matches(expected: str, got: str) -> bool:
    """Compare an outcome with what is expected; see the head of corpus.yaml for the notation."""
    if expected[0] in "?!":
        return any(_same_verdict(option, got) for option in _options(expected))
    if got[:1] in "?!":
        return False
    wanted, leaves = expected.split("; "), got.split("; ")
    return len(wanted) == len(leaves) and all(_same_leaf(w, g) for w, g in zip(wanted, leaves, strict=True))


def _options(expected: str) -> list[str]:
    """Split "? object|place" and "! dangerous|unknown_object x"."""
    mark, _, rest = expected.partition(" ")
    return [option if option[0] in "?!" else f"{mark} {option}" for option in rest.split("|")]


def _same_verdict(expected: str, got: str) -> bool:
    return got == expected or got.startswith(expected + " ")


def _same_leaf(wanted: str, got: str) -> bool:
    if wanted.removeprefix("if ").startswith("say"):
        return got.startswith(wanted)
    if wanted in ("recall", "if recall"):
        return got.startswith(wanted)
    if "@" in got and "@" not in wanted:
        return got.partition("@")[0] == wanted
    return got == wanted


def failures(section: str, outcome: Callable[[str | Sequence[str]], str]) -> list[str]:
    """Return a line for each entry of a section whose outcome is another."""
    return [
        f"{text}\n    expected {expected}\n    got      {got}"
        for text, expected in CORPUS[section]
        if not matches(expected, got := outcome(text))
    ]


@pytest.mark.feature("FC-10")
def test_the_corpus_has_at_least_three_hundred_instructions_in_both_languages() -> None:
    texts = [str(text) for section in CORPUS.values() for text, _ in section]
    chinese = [text for text in texts if any("\u4e00" <= char <= "\u9fff" for char in text)]
    assert len(texts) >= 300
    assert len(chinese) >= 120 and len(texts) - len(chinese) >= 120


@pytest.mark.feature("FC-10")
def test_what_the_robot_serves_is_planned_right_in_at_least_95_percent(
    outcome: Callable[[str | Sequence[str]], str],
) -> None:
    wrong = failures("served", outcome)
    assert len(wrong) <= 0.05 * len(CORPUS["served"]), "\n".join(wrong)


@pytest.mark.feature("FC-10")
def test_what_lacks_something_is_asked_and_not_acted_on(
    outcome: Callable[[str | Sequence[str]], str],
) -> None:
    acted = [text for text, _ in CORPUS["asked"] if outcome(text)[:1] not in "?!"]
    assert acted == []
    wrong = failures("asked", outcome)
    assert len(wrong) <= 0.05 * len(CORPUS["asked"]), "\n".join(wrong)


@pytest.mark.feature("FC-10")
def test_what_is_dangerous_or_impossible_is_never_acted_on(
    outcome: Callable[[str | Sequence[str]], str],
) -> None:
    acted = [text for text, _ in CORPUS["refused"] if outcome(text)[:1] not in "?!"]
    assert acted == []
    wrong = failures("refused", outcome)
    assert len(wrong) <= 0.05 * len(CORPUS["refused"]), "\n".join(wrong)
