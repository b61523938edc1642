"""The examples of the documentation run, and say what the page says they say."""

from __future__ import annotations

import runpy
from pathlib import Path
from typing import Any

import pytest

EXAMPLES = Path(__file__).parents[2] / "docs" / "examples" / "stategraph"
RESULTS: dict[str, Any] = {
    "approval": "I did fetch the red cup.",
    "tool_loop": "The battery is at 17 %.",
    "long_log": (21, ["a window is open", "round 18: nothing new", "round 19: nothing new"]),
}


@pytest.mark.parametrize("name", RESULTS)
def test_an_example_runs_and_gives_its_result(name: str) -> None:
    assert runpy.run_path(str(EXAMPLES / f"{name}.py"), run_name="example")["main"]() == RESULTS[name]


def test_every_example_is_tested_and_named_on_its_page() -> None:
    assert {p.stem for p in EXAMPLES.glob("*.py")} == set(RESULTS)
    page = (EXAMPLES.parents[1] / "moving-from-langgraph.md").read_text(encoding="utf-8")
    assert all(f"examples/stategraph/{name}.py" in page for name in RESULTS)
