"""``zulong up`` and its companions as processes, with real nodes of the suite."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time

import pytest

from zulong.cli import control
from zulong.cli.home import run_folder

NODES = ("reflex", "gateway")  # light ones: what is tested is the command, not the nodes
COMMAND = ("-m", "zulong.cli.main")


def run(env, *arguments: str, limit_s: float = 60.0) -> subprocess.CompletedProcess:
    return subprocess.run(
        [sys.executable, *COMMAND, *arguments],
        env=env,
        capture_output=True,
        text=True,
        timeout=limit_s,
        check=False,
    )


def status() -> dict:
    """Ask the supervisor over its socket: a process a question would keep the machine busy."""
    try:
        return control.request(run_folder(), {"command": "status"})
    except control.NotRunningError:
        return {"state": "down"}


def alive(pid: int) -> bool:
    try:
        with open(f"/proc/{pid}/stat") as handle:
            return handle.read().rsplit(")", 1)[1].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


@pytest.fixture
def up(spawn, ros_environment, wait_until):
    def start(*more: str):
        process = spawn(*COMMAND, "up", "--only", *NODES, *more)
        wait_until(lambda: status().get("state") in ("up", "degraded"), 60.0, "zulong up is up")
        return process

    yield start
    run(ros_environment, "down")


@pytest.mark.feature("RB-01")
def test_up_status_restart_logs_and_down_work_together(up, ros_environment, wait_until):
    process = up()
    shown = run(ros_environment, "status")
    assert shown.returncode == 0
    assert "reflex     L1-A  active" in shown.stdout

    second = run(ros_environment, "up", "--only", *NODES)
    assert second.returncode == 1
    assert "runs here already" in second.stderr

    before = {each["name"]: each["pid"] for each in status()["nodes"]}
    assert run(ros_environment, "restart", "gateway").returncode == 0
    wait_until(
        lambda: {each["name"]: each["pid"] for each in status()["nodes"]}["gateway"] != before["gateway"],
        20.0,
        "the gateway has a new process",
    )
    wait_until(lambda: status()["state"] == "up", 30.0, "everything is up again")
    unknown = run(ros_environment, "restart", "gatway")
    assert unknown.returncode == 2
    assert "reflex, gateway" in unknown.stderr
    assert run(ros_environment, "logs", "reflex").returncode == 0
    assert run(ros_environment, "logs", "nobody").returncode == 1

    assert run(ros_environment, "down").stdout.strip() == "ZULONG is down."
    assert process.wait(10.0) == 0
    assert run(ros_environment, "status").returncode == 3


@pytest.mark.feature("RB-01")
def test_the_nodes_end_when_their_supervisor_is_killed(up, ros_environment, wait_until):
    process = up()
    pids = [each["pid"] for each in status()["nodes"]]
    assert all(alive(pid) for pid in pids)
    process.signal(signal.SIGKILL)
    wait_until(lambda: not any(alive(pid) for pid in pids), 10.0, "no node outlives its supervisor")
    assert run(ros_environment, "down").stdout.strip() == "ZULONG is not running here."


@pytest.mark.feature("RB-01")
@pytest.mark.parametrize("after_s", [0.3, 0.8, 1.5])
def test_an_interrupt_in_the_middle_of_the_bring_up_ends_everything(spawn, wait_until, after_s):
    process = spawn(*COMMAND, "up", "--only", *NODES)
    time.sleep(after_s)
    process.signal(signal.SIGINT)
    code = process.wait(15.0)
    children = [int(line) for line in _processes_with_parent(process.pid)]
    assert children == []
    if "taking everything down" in process.output():
        assert code == 0
    else:  # so early that Python had not yet begun: the default action of the signal
        assert code in (-signal.SIGINT, 130, 1)


def _processes_with_parent(parent: int) -> list[str]:
    found = []
    for entry in os.listdir("/proc"):
        if entry.isdigit():
            try:
                with open(f"/proc/{entry}/stat") as handle:
                    fields = handle.read().rsplit(")", 1)[1].split()
            except (FileNotFoundError, ProcessLookupError):
                continue
            if int(fields[1]) == parent and fields[0] != "Z":
                found.append(entry)
    return found


def test_a_supervisor_that_hangs_is_told_from_one_that_is_not_there(up, ros_environment):
    process = up()
    process.signal(signal.SIGSTOP)
    try:
        done = run(ros_environment, "down")
        assert done.returncode == 1
        assert f"(process {process.pid}) does not answer" in done.stderr
    finally:
        process.signal(signal.SIGCONT)


def test_background_returns_when_everything_is_up(ros_environment):
    try:
        done = run(ros_environment, "up", "--only", *NODES, "--background")
        assert done.returncode == 0, done.stderr
        assert "ZULONG is up" in done.stdout
    finally:
        run(ros_environment, "down")


def test_an_unknown_node_and_a_bad_namespace_are_usage_errors(ros_environment):
    unknown = run(ros_environment, "up", "--only", "planer")
    assert unknown.returncode == 2
    assert "the nodes are sim, reflex" in unknown.stderr
    assert run(ros_environment, "status", "-n", "../x").returncode == 2


def test_two_robots_run_side_by_side_by_namespace(ros_environment):
    try:
        for robot in ("robot1", "robot2"):
            done = run(ros_environment, "up", "-n", robot, "--only", "gateway", "--background")
            assert done.returncode == 0, done.stderr
        assert run(ros_environment, "down", "-n", "robot1").returncode == 0
        assert run(ros_environment, "status", "-n", "robot1").returncode == 3
        assert json.loads(run(ros_environment, "status", "-n", "robot2", "--json").stdout)["state"] == "up"
    finally:
        for robot in ("robot1", "robot2"):
            run(ros_environment, "down", "-n", robot)
