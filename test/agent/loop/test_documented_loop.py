"""docs/loop.md: every program runs as it stands and prints what the page says."""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path

import pytest
import scripted_server as act

from zulong.agent.codes import TaskCode

PAGE = Path(__file__).parents[3] / "docs" / "loop.md"
TEXT = PAGE.read_text(encoding="utf-8")
PROGRAMS = re.findall(r"```python\n(.*?)```\s*```text\n(.*?)```", TEXT, re.DOTALL)
REPLIES = {
    "def look_for": [act.call(("look_for", {"what": "red cup"})), act.say("It is on the desk.")],
    "def unlock": [act.call(("unlock", {"door": "front door"})), act.say("The front door is unlocked.")],
}


def test_every_program_of_the_page_has_its_output() -> None:
    assert TEXT.count("```python") == len(PROGRAMS) == 4


@pytest.mark.feature("FC-01", "FC-04", "FC-08", "FC-09", "SG-26")
@pytest.mark.parametrize(("program", "output"), PROGRAMS, ids=["first", "budget", "approval", "mcp"])
def test_a_documented_program_prints_what_the_page_says(
    program: str, output: str, server, tmp_path, capsys, monkeypatch
) -> None:
    if "mcp_tools" in program:
        pytest.importorskip("mcp")
    monkeypatch.setenv("PATH", os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]]))
    for sign, replies in REPLIES.items():
        if sign in program:
            server.play(*replies)
    given = {"base_url": server.url, "folder": tmp_path}
    exec(compile(program, str(PAGE), "exec"), given)  # noqa: S102 - the page is ours
    assert capsys.readouterr().out == output


def test_the_codes_of_the_page_are_those_of_the_program() -> None:
    named = {name: int(code) for code, name in re.findall(r"(\d+) `([A-Z_]+)`", TEXT)}
    assert len(named) == 11 and all(TaskCode[name] == code for name, code in named.items())
