"""docs/patterns.md: every program runs as it stands and prints what the page says."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import scripted_server as act

PAGE = Path(__file__).parents[3] / "docs" / "patterns.md"
PROGRAMS = re.findall(r"```python\n(.*?)```\s*```text\n(.*?)```", PAGE.read_text(), re.DOTALL)


def test_every_program_of_the_page_has_its_output() -> None:
    assert PAGE.read_text().count("```python") == len(PROGRAMS) == 10


@pytest.mark.feature("SG-25", "MG-19")
@pytest.mark.parametrize(
    ("program", "output"), PROGRAMS, ids=[re.findall(r"\w+ = (\w+)\(\[?", p)[-1] for p, _ in PROGRAMS]
)
def test_a_documented_program_prints_what_the_page_says(
    program: str, output: str, server, tmp_path, capsys
) -> None:
    server.play(act.call(("transfer_to_repair", {}), text="One moment."), act.say("Which joint?"))
    given = {"base_url": server.url, "folder": tmp_path}
    exec(compile(program, str(PAGE), "exec"), given)  # noqa: S102 - the page is ours
    assert capsys.readouterr().out == output
