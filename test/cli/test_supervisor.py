"""The supervisor over real processes of the example node."""

from __future__ import annotations

import io
import os
import signal
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import pytest

from zulong.cli import supervisor as supervisor_module
from zulong.cli.console import Console
from zulong.cli.respawn import RespawnLimits
from zulong.cli.supervisor import Supervisor
from zulong.nodes.table import NodeSpec

EXAMPLE = str(Path(__file__).resolve().parents[1] / "nodes" / "base" / "example_node.py")
QUICK = RespawnLimits(first_delay_s=0.05, longest_delay_s=0.2, tries=1, stable_s=30.0)
UP_S = 40.0


def spec(name: str, order: int = 0, **options) -> NodeSpec:
    return NodeSpec(name, "L?", order, "an example", **options)


class Robot:
    """A supervisor that is ticked by the test."""

    def __init__(self, session, env, folder: Path, specs, trouble: dict[str, str]) -> None:
        self.text = io.StringIO()

        def command(module: str, arguments: Sequence[str]) -> list[str]:
            name = module.rsplit(".", 1)[1]
            more = ["-p", f"trouble:={trouble[name]}"] if name in trouble else []
            return [sys.executable, EXAMPLE, "--ros-args", "-r", f"__node:={name}", *arguments, *more]

        (folder / "logs").mkdir()
        self.supervisor = Supervisor(
            session.node,
            specs,
            namespace="",
            arguments=[],
            env=env,
            logs=folder / "logs",
            status_file=folder / "status.json",
            console=Console([each.name for each in specs], self.text),
            limits=QUICK,
            command=command,
        )

    def tick_until(self, condition, limit_s: float, what: str) -> None:
        deadline = time.monotonic() + limit_s
        while not condition():
            if time.monotonic() > deadline:
                pytest.fail(
                    f"Not within {limit_s:g} s: {what}\n{self.text.getvalue()}\n{self.supervisor.status()}"
                )
            self.supervisor.tick()
            time.sleep(0.02)

    def up(self) -> None:
        self.tick_until(lambda: self.supervisor.state == "up", UP_S, "everything is up")

    def node(self, name: str) -> dict:
        return next(each for each in self.supervisor.status()["nodes"] if each["name"] == name)

    def said(self) -> list[str]:
        return [
            line.split("|", 1)[1].strip()
            for line in self.text.getvalue().splitlines()
            if line.startswith("zulong")
        ]

    def close(self) -> None:
        self.supervisor.stop()
        self.tick_until(lambda: self.supervisor.finished, 15.0, "everything is down")


@pytest.fixture
def robot(ros_session, ros_environment, tmp_path):
    made: list[Robot] = []

    def make(*specs: NodeSpec, **trouble: str) -> Robot:
        made.append(Robot(ros_session, ros_environment, tmp_path, specs, trouble))
        return made[-1]

    yield make
    for each in made:
        each.close()


def alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


@pytest.mark.feature("RB-01")
def test_nodes_become_active_in_the_order_of_the_table_and_end_in_the_reverse(robot):
    three = robot(spec("c", 20), spec("a", 0), spec("b", 10))
    three.up()
    assert [line for line in three.said() if line.endswith("active")] == [
        "a: active",
        "b: active",
        "c: active",
    ]
    pids = {name: three.node(name)["pid"] for name in "abc"}
    three.supervisor.stop()
    ended: list[str] = []

    def all_ended() -> bool:
        for name in "cba":
            if name not in ended and three.node(name)["state"] == "stopped":
                ended.append(name)
        return len(ended) == 3

    three.tick_until(all_ended, 15.0, "all three ended")
    assert ended == ["c", "b", "a"]
    assert three.supervisor.finished
    assert three.supervisor.failure == ""
    assert not any(alive(pid) for pid in pids.values())


@pytest.mark.feature("RB-01")
def test_a_killed_node_comes_back_to_active_and_the_others_stay(robot):
    two = robot(spec("a"), spec("b", 10))
    two.up()
    first, other = two.node("a")["pid"], two.node("b")["pid"]
    os.kill(first, signal.SIGKILL)
    two.tick_until(lambda: two.node("a")["restarts"] == 1, 5.0, "the crash is seen")
    two.up()
    assert two.node("a")["pid"] != first
    assert two.node("b")["pid"] == other
    assert any("a: it was ended by SIGKILL; next start in 0.05 s" in line for line in two.said())


@pytest.mark.feature("RB-01")
def test_a_node_that_crashes_again_and_again_is_given_up_with_a_clear_message_and_the_rest_runs(robot):
    two = robot(spec("a"), spec("b", 10), a="setup crashes")
    two.tick_until(lambda: two.node("a")["state"] == "given up", UP_S, "a is given up")
    assert "it ended with status 3, 2 times in a row; restarts do not help" in two.node("a")["message"]
    assert any("Its log: " in line for line in two.said())
    two.tick_until(lambda: two.node("b")["state"] == "active", UP_S, "b is active all the same")
    assert two.supervisor.state == "degraded"
    assert "There is no node 'x' here; the nodes are a, b." in str(two.supervisor.restart("x"))


def test_a_critical_node_that_cannot_run_takes_everything_down_with_the_reason(robot):
    two = robot(spec("a", critical=True), spec("b", 10), a="setup crashes")
    two.tick_until(lambda: two.supervisor.finished, UP_S, "everything is down")
    assert "must not run without a" in two.supervisor.failure


def test_a_node_that_cannot_be_configured_is_tried_again_and_then_given_up(robot):
    one = robot(spec("a"), a="setup raises")
    one.tick_until(lambda: one.node("a")["state"] == "given up", UP_S, "a is given up")
    assert "could not be configured" in one.node("a")["message"]
    assert "a bug in setup" in one.text.getvalue(), "the node's own log is shown"


def test_a_node_that_hangs_in_its_configuration_is_ended_after_its_limit(robot):
    one = robot(spec("a", configure_limit_s=0.5), a="setup hangs")
    one.tick_until(lambda: one.node("a")["state"] == "given up", UP_S, "a is given up")
    assert "was not configured within 0.5 s" in one.node("a")["message"]
    assert one.node("a")["restarts"] == QUICK.tries


def test_a_parameter_that_is_not_allowed_is_given_up_at_once_and_restart_works_after_that(robot, ros_session):
    one = robot(spec("a"), a="[1, 2]")  # trouble is a string
    one.tick_until(lambda: one.node("a")["state"] == "given up", UP_S, "a is given up")
    assert one.node("a")["restarts"] == 0
    assert "a parameter is not allowed" in one.node("a")["message"]
    assert one.supervisor.restart("a") is None
    one.tick_until(lambda: one.node("a")["state"] == "given up", UP_S, "it was tried again")


def test_a_node_that_hangs_while_active_is_replaced(robot, monkeypatch):
    monkeypatch.setattr(supervisor_module, "HANG_LIMIT_S", 3.0)
    one = robot(spec("a"))
    one.up()
    first = one.node("a")["pid"]
    one.tick_until(lambda: one.node("a")["message"] == "speaking", 10.0, "its heartbeat was heard")
    os.kill(first, signal.SIGSTOP)
    one.tick_until(lambda: one.node("a")["restarts"] == 1, 15.0, "its silence is noticed")
    one.up()
    assert one.node("a")["pid"] != first
    assert not alive(first)


def test_restart_replaces_one_node_without_counting_as_a_crash(robot):
    one = robot(spec("a"))
    one.up()
    first = one.node("a")["pid"]
    assert one.supervisor.restart("a") is None
    one.tick_until(lambda: one.node("a")["pid"] != first, 10.0, "a new process")
    one.up()
    assert one.node("a")["restarts"] == 0


@pytest.mark.feature("RB-01")
@pytest.mark.parametrize("after_s", [0.0, 0.2, 0.5, 0.8])
def test_stopping_in_the_middle_of_the_bring_up_ends_all_processes_in_time(robot, after_s):
    three = robot(spec("a"), spec("b", 10), spec("c", 20), b="setup hangs")
    pids = [three.node(name)["pid"] for name in "abc"]
    begun = time.monotonic()
    three.tick_until(lambda: time.monotonic() - begun > after_s, 5.0, "the moment has come")
    three.supervisor.stop()
    three.tick_until(lambda: three.supervisor.finished, 10.0, "everything is down")
    assert not any(alive(pid) for pid in pids)
    assert three.supervisor.restart("a") == "Everything is being taken down."
