"""All command forms of the General Purpose Service Robot generator, in English and in Chinese."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
import yaml

TABLE = yaml.safe_load(Path(__file__).with_name("gpsr_templates.yaml").read_text(encoding="utf-8"))


def _same(wanted: str, got: str) -> bool:
    if wanted.startswith("say"):
        starts = wanted.partition("~")[2].split("|")
        return got.startswith("say") and any(got.partition("~")[2].startswith(start) for start in starts)
    return got == wanted


def _check(text: str, expected: str, got: str) -> str:
    wanted, leaves = expected.split("; "), got.split("; ")
    right = len(wanted) == len(leaves) and all(_same(w, g) for w, g in zip(wanted, leaves, strict=True))
    return "" if right else f"{text}\n    expected {expected}\n    got      {got}"


@pytest.mark.feature("FC-10")
@pytest.mark.parametrize("language", ["en", "zh"])
def test_every_command_form_gets_the_plan_that_it_asks_for(
    language: str, outcome: Callable[[str | Sequence[str]], str]
) -> None:
    column = {"en": 0, "zh": 1}[language]
    wrong = [line for row in TABLE if (line := _check(row[column], row[2], outcome(row[column])))]
    assert wrong == [], "\n".join(wrong)
