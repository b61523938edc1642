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


def actions_of(module, **arguments: str) -> list:
    context = LaunchContext()
    defaults = {"namespace": "", "use_sim": "true", "use_sim_time": "false", "params_file": ""}
    context.launch_configurations.update({**defaults, **arguments})
    description = module.generate_launch_description()
    function = next(each for each in description.entities if isinstance(each, OpaqueFunction))
    return function.execute(context)


def started_first(module, **arguments: str) -> list[str]:
    actions = actions_of(module, **arguments)
    return [each._Node__node_executable for each in actions if isinstance(each, LifecycleNode)]


def test_the_nodes_of_lowest_order_start_first(module):
    lowest = [spec.name for spec in selection() if spec.order == selection()[0].order]
    assert started_first(module) == lowest


def test_without_the_simulator_the_drivers_give_the_topics(module):
    assert started_first(module, use_sim="false") == ["reflex", "safety"]


def names_in(actions: list) -> list[str]:
    return [each for each in actions if isinstance(each, str)]


def test_each_order_follows_when_all_of_the_order_below_are_active(module):
    specs = selection()
    bring_up = module._BringUp([(spec, spec.name) for spec in specs])
    started = names_in(bring_up.next_actions())
    for spec in specs:
        assert spec.name in started, "every node of lower order is active, so this one was started"
        started += names_in(bring_up.became_active(spec.name))
        assert bring_up.became_active(spec.name) == [], "a node that comes back starts nothing twice"
    assert started == [spec.name for spec in specs]


def test_a_node_that_never_becomes_active_does_not_keep_the_rest_from_starting(module):
    specs = selection()
    bring_up = module._BringUp([(spec, spec.name) for spec in specs])
    started = names_in(bring_up.next_actions())
    for order in sorted({spec.order for spec in specs}):
        started += names_in(bring_up.waited_for(order))
        assert bring_up.waited_for(order) == [], "a limit that comes late changes nothing"
    assert started == [spec.name for spec in specs]
