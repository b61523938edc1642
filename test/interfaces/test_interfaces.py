"""Every interface builds, is importable, carries its fields over the wire and is documented."""

from __future__ import annotations

import importlib
import math
import subprocess
import sys
from pathlib import Path

import pytest
from rclpy.serialization import deserialize_message, serialize_message

ROOT = Path(__file__).resolve().parents[2]
FILES = sorted(path for kind in ("msg", "srv", "action") for path in (ROOT / kind).glob(f"*.{kind}"))
PARTS = {"msg": ("",), "srv": ("Request", "Response"), "action": ("Goal", "Result", "Feedback")}
DESIGNED = {
    "msg": "Event ReflexEvent SafetyState Detection DetectionArray SceneState AudioChunk Transcript TextChunk TaskNode"
    " TaskGraph SkillInfo ApprovalRequest MemoryNode MemoryEdge MemoryHit",
    "srv": "Remember Recall LinkMemories Reinforce Forget GetMemory ExportMemory ReviewMemory PredictTools ControlTask"
    " GetTaskHistory ForkTask ListTasks Approve ControlOutput SetAttention SetPower",
    "action": "ExecuteTask ExecuteSkill Say",
}


def part_types(path: Path) -> list[type]:
    kind = path.suffix[1:]
    whole = getattr(importlib.import_module(f"zulong.{kind}"), path.stem)
    return [getattr(whole, part) if part else whole for part in PARTS[kind]]


def sample(type_name: str, depth: int = 0) -> object:
    """Return a value that differs from the default for a field of the IDL type ``type_name``."""
    if type_name.startswith("sequence<"):
        return [
            sample(type_name[len("sequence<") : -1].split(",")[0], depth),
            sample(type_name[9:-1].split(",")[0]),
        ]
    if type_name.endswith("]"):
        base, _, size = type_name[:-1].partition("[")
        return [sample(base, depth)] * int(size)
    if type_name in ("float", "double"):
        return 0.25
    if type_name == "boolean":
        return True
    if type_name.startswith("string"):
        return '祖龙 "quoted"\n'
    if "/" not in type_name:
        return 77 if type_name != "octet" else b"\x07"
    package, name = type_name.split("/")
    return filled(getattr(importlib.import_module(f"{package}.msg"), name), depth + 1)


def filled(kind: type, depth: int = 0) -> object:
    message = kind()
    for field, type_name in kind.get_fields_and_field_types().items():
        setattr(message, field, sample(type_name, depth))
    return message


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_every_field_survives_the_wire(path: Path) -> None:
    for kind in part_types(path):
        message = filled(kind)
        assert kind.get_fields_and_field_types() == {} or message != kind(), (
            "the sample must differ from the default"
        )
        assert deserialize_message(serialize_message(message), kind) == message


def test_every_interface_of_the_design_exists() -> None:
    present = {path.name for path in FILES}
    wanted = {f"{name}.{kind}" for kind, names in DESIGNED.items() for name in names.split()}
    assert wanted <= present


def test_results_carry_a_typed_code_whose_zero_is_success() -> None:
    for path in FILES:
        if path.suffix != ".msg":
            result = part_types(path)[1]
            assert result.SUCCEEDED == 0
            assert {"error_code", "error_msg"} <= result.get_fields_and_field_types().keys()
            codes = [getattr(result, name) for name in dir(result) if name.isupper()]
            assert result.INTERNAL in codes


def test_a_goal_without_a_budget_field_means_no_limit_and_zero_means_no_tools() -> None:
    from zulong.action import ExecuteTask

    assert ExecuteTask.Goal().tool_budget == -1
    assert ExecuteTask.Goal(tool_budget=0).tool_budget == 0


def test_unknown_numbers_travel_as_not_a_number() -> None:
    from zulong.msg import SafetyState

    state = deserialize_message(serialize_message(SafetyState(gas_ppm=math.nan)), SafetyState)
    assert math.isnan(state.gas_ppm)


def test_the_interface_files_follow_the_house_rules() -> None:
    done = subprocess.run(
        [sys.executable, str(ROOT / "scripts" / "lint_interfaces.py")],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout


def test_the_linter_sees_a_field_without_comment_a_bad_name_and_a_result_without_code(tmp_path: Path) -> None:
    sys.path.insert(0, str(ROOT / "scripts"))
    try:
        linter = importlib.import_module("lint_interfaces")
    finally:
        sys.path.remove(str(ROOT / "scripts"))
    bad = tmp_path / "Bad.srv"
    bad.write_text("# A bad service.\nstring camelCase  # a name\nuint8 plain\n---\nbool ok  # fine\n")
    found = "\n".join(linter.findings(bad))
    assert "camelCase" in found
    assert "'uint8 plain' has no comment" in found
    assert "uint16 error_code" in found
