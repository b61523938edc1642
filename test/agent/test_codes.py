"""The codes in Python are those of the interface files."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from zulong.agent.codes import TASK_CODE_OF_REFUSAL, Phase, SkillCode, TaskCode

ACTIONS = Path(__file__).parents[2] / "action"


def constants(file: str, part: int) -> dict[str, int]:
    text = (ACTIONS / file).read_text(encoding="utf-8").split("\n---\n")[part]
    return {
        name: int(value) for name, value in re.findall(r"^uint\d+ ([A-Z_0-9]+)=(\d+)", text, re.MULTILINE)
    }


@pytest.mark.parametrize(
    ("enum", "file", "part", "prefix"),
    [
        (TaskCode, "ExecuteTask.action", 1, ""),
        (Phase, "ExecuteTask.action", 2, "PHASE_"),
        (SkillCode, "ExecuteSkill.action", 1, ""),
    ],
)
def test_the_codes_equal_the_constants_of_the_action(enum, file, part, prefix) -> None:
    assert {prefix + member.name: member.value for member in enum} == constants(file, part)


def test_every_refusal_of_the_planner_has_a_code() -> None:
    from zulong.agent.htn.step import Refusal

    documented = set(re.findall(r"``([a-z_]+)``", Refusal.__doc__.split("text:")[0]))
    assert documented <= set(TASK_CODE_OF_REFUSAL)
