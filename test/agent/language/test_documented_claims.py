"""docs/understanding.md claims what the planner serves; every claim is tried."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from types import ModuleType

import pytest

PAGE = Path(__file__).resolve().parents[3] / "docs" / "understanding.md"


def _corpus_notation() -> ModuleType:
    spec = importlib.util.spec_from_file_location("corpus", Path(__file__).with_name("test_corpus.py"))
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def claims() -> Iterator[tuple[list[str], str]]:
    """Yield the turns and the outcome of every row of the page's table."""
    for line in PAGE.read_text(encoding="utf-8").splitlines():
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        if line.startswith("|") and len(cells) == 3 and cells[2].startswith("`"):
            yield [turn.strip() for turn in cells[1].split(" / ")], cells[2].strip("`")


CLAIMS = list(claims())
MATCHES: Callable[[str, str], bool] = _corpus_notation().matches


def test_the_page_holds_claims_in_both_languages() -> None:
    chinese = [turns for turns, _ in CLAIMS if any("\u4e00" <= char <= "\u9fff" for char in turns[0])]
    assert len(chinese) >= 10 and len(CLAIMS) - len(chinese) >= 20


@pytest.mark.feature("FC-10")
@pytest.mark.parametrize(("turns", "expected"), CLAIMS, ids=[" / ".join(turns) for turns, _ in CLAIMS])
def test_what_the_page_claims_comes_of_the_words(
    turns: list[str], expected: str, outcome: Callable[[str | Sequence[str]], str]
) -> None:
    got = outcome(turns)
    assert MATCHES(expected, got), got
