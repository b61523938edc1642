"""The launch file: built from the same table as the supervisor. Runs wherever launch_ros imports."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest

pytest.importorskip("launch_ros", reason="launch_ros does not come as a wheel; on a robot it comes with ROS")

from launch import LaunchContext
from launch.actions import OpaqueFunction
from launch_ros.actions import LifecycleNode

from zulong.nodes.table import selection

FILE = Path(__file__).resolve().parents[2] / "launch" / "bringup.launch.py"


@pytest.fixture(scope="module")
def module():
    spec = importlib.util.spec_from_file_location("bringup_launch", FILE)
    loaded = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(loaded)
    return loaded


def nodes_of(module, **arguments: str) -> list[LifecycleNode]:
    context = LaunchContext()
    defaults = {"namespace": "", "use_sim": "true", "use_sim_time": "false", "params_file": ""}
    context.launch_configurations.update({**defaults, **arguments})
    description = module.generate_launch_description()
    function = next(each for each in description.entities if isinstance(each, OpaqueFunction))
    return [each for each in function.execute(context) if isinstance(each, LifecycleNode)]


def test_the_launch_file_starts_the_nodes_of_the_table(module):
    started = [node._Node__node_executable for node in nodes_of(module)]
    assert started == [spec.name for spec in selection()]


def test_without_the_simulator_the_drivers_give_the_topics(module):
    started = [node._Node__node_executable for node in nodes_of(module, use_sim="false")]
    assert "sim" not in started
    assert "planner" in started
