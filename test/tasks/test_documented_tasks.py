"""docs/tasks.md: every program runs as it stands and prints what the page says."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

PAGE = Path(__file__).parents[2] / "docs" / "tasks.md"
PROGRAMS = re.findall(r"```python\n(.*?)```\s*```text\n(.*?)```", PAGE.read_text(), re.DOTALL)


def test_every_program_of_the_page_has_its_output() -> None:
    assert PAGE.read_text().count("```python") == len(PROGRAMS) == 5


@pytest.mark.feature("TG-01", "TG-02", "TG-03", "TG-04", "TG-05", "TG-06")
@pytest.mark.parametrize(("program", "output"), PROGRAMS, ids=["work", "change", "back", "keep", "mission"])
def test_a_documented_program_prints_what_the_page_says(program: str, output: str, tmp_path, capsys) -> None:
    exec(compile(program, str(PAGE), "exec"), {"folder": tmp_path})  # noqa: S102 - the page is ours
    assert capsys.readouterr().out == output
