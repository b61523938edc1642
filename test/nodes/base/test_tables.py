"""What is written once stays true: the table of nodes, the parameter file, the parameter page, the names."""

from __future__ import annotations

import inspect
import re
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest
import yaml

from zulong.nodes import names
from zulong.nodes.base import BASE_PARAMETERS, ZulongNode
from zulong.nodes.table import NODES

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture(scope="module")
def classes() -> dict[str, type[ZulongNode]]:
    found = {}
    for spec in NODES:
        module = import_module(spec.module)
        found[spec.name] = next(
            each
            for _, each in inspect.getmembers(module, inspect.isclass)
            if issubclass(each, ZulongNode) and each.__module__ == module.__name__
        )
    return found


@pytest.mark.feature("RB-01")
def test_every_row_of_the_table_is_a_node_whose_parameters_are_described(classes):
    for name, node_class in classes.items():
        for parameter in (*BASE_PARAMETERS, *node_class.parameters):
            assert parameter.description.endswith("."), f"{name}: {parameter.name}"
            default_is_allowed = parameter.problem(parameter.default) is None
            assert default_is_allowed, f"{name}: the default of {parameter.name} is not allowed"


def test_the_parameter_file_names_only_parameters_that_exist_with_values_that_are_allowed(classes):
    for pattern, content in yaml.safe_load((ROOT / "config" / "params.yaml").read_text()).items():
        chosen = [name for name in classes if pattern.rstrip("/").endswith(("**", name))]
        assert chosen, f"{pattern} fits no node"
        for name in chosen:
            known = {each.name: each for each in (*BASE_PARAMETERS, *classes[name].parameters)}
            for key, value in content["ros__parameters"].items():
                assert key in known or key == "use_sim_time", f"{pattern}: {name} has no parameter {key}"
                assert key == "use_sim_time" or known[key].problem(value) is None


def test_the_page_of_parameters_is_current():
    script = str(ROOT / "scripts" / "write_parameter_docs.py")
    done = subprocess.run([sys.executable, script, "--check"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_names_are_relative_so_that_a_namespace_makes_a_second_robot():
    by_convention = {"DIAGNOSTICS", "TF", "CLOCK"}  # absolute in all of ROS
    for key, value in vars(names).items():
        if key.isupper() and isinstance(value, str) and key not in by_convention:
            assert not value.startswith(("/", "~")), key


@pytest.mark.parametrize("folder", ["msg", "srv", "action"])
def test_every_interface_is_spoken_by_a_node(folder):
    code = "\n".join(file.read_text() for file in (ROOT / "src" / "zulong" / "nodes").glob("*.py"))
    part = {"msg": "", "srv": ".Response", "action": ".Result"}[folder]
    kinds = [file.stem for file in (ROOT / folder).iterdir()]
    assert kinds
    for kind in kinds:
        assert re.search(rf"\b{kind}{re.escape(part)}\b", code), f"no node of ours uses {folder}/{kind}"


def test_every_name_of_ours_is_on_the_page_of_interfaces():
    page = (ROOT / "docs" / "interfaces.md").read_text()
    standard = (
        "IMAGE",
        "CAMERA_INFO",
        "SCAN",
        "ODOM",
        "POSE",
        "IMU",
        "BATTERY",
        "TEMPERATURE",
        "TF",
        "CLOCK",
    )
    for constant, name in vars(names).items():
        if constant.isupper() and constant not in standard and constant != "EXECUTE_SKILL":
            assert f"`{name}`" in page, f"docs/interfaces.md does not tell of {name}"
