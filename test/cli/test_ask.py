"""``zulong ask``, ``resume``, ``recall``, ``stop``: exit status and output for every ending."""

from __future__ import annotations

import json
import os
import pty
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from lifecycle_msgs.srv import GetState

COMMAND = [sys.executable, "-m", "zulong.cli.main"]


@pytest.fixture
def planner(ros_session, spawn):
    process = spawn(str(Path(__file__).with_name("scripted_planner.py")))
    ros_session.call(GetState, "planner/get_state", GetState.Request(), 20.0, resend_s=0.5)
    for transition, reached in ((1, "inactive"), (3, "active")):
        assert ros_session.change_state("planner", transition, reached)
    return process


def run(env, *arguments: str) -> subprocess.CompletedProcess:
    return subprocess.run(
        [*COMMAND, *arguments], env=env, capture_output=True, text=True, timeout=60.0, check=False
    )


@pytest.mark.feature("RB-09")
def test_every_ending_has_its_exit_status_and_says_what_happened(planner, ros_environment):
    good = run(ros_environment, "ask", "SUCCEEDED")
    assert good.returncode == 0
    assert "▶ 到厨房  [go_to]  50%  (in progress)" in good.stdout
    assert "SUCCEEDED in" in good.stdout
    assert "好的" in good.stdout
    for words, status in (("UNKNOWN_OBJECT", 1), ("NEEDS_INPUT", 4), ("CANCELED", 130)):
        done = run(ros_environment, "ask", words)
        assert done.returncode == status, words
        assert f"{words}: because of {words}" in done.stdout
    assert "zulong resume t1" in run(ros_environment, "ask", "NEEDS_INPUT").stdout


def test_on_a_terminal_the_plan_is_one_picture_that_is_kept_up_to_date(planner, ros_environment):
    master, slave = pty.openpty()
    process = subprocess.Popen(
        [*COMMAND, "ask", "UNREACHABLE"],
        env={**ros_environment, "TERM": "xterm-256color", "COLUMNS": "100", "LINES": "40"},
        stdin=subprocess.DEVNULL,
        stdout=slave,
        stderr=subprocess.STDOUT,
    )
    os.close(slave)
    shown = b""
    while True:
        try:
            piece = os.read(master, 65536)
        except OSError:  # the terminal's other end is closed
            break
        if not piece:
            break
        shown += piece
    os.close(master)
    assert process.wait(60.0) == 1
    text = shown.decode("utf-8", "replace")
    assert "\x1b[" in text, "colours and cursor movement"
    assert "▶ 到厨房  [go_to]  50%" in text
    assert "UNREACHABLE: because of UNREACHABLE" in text


def test_json_is_one_object_on_standard_output(planner, ros_environment):
    done = run(ros_environment, "ask", "UNREACHABLE", "--json")
    facts = json.loads(done.stdout)
    assert (facts["error"], facts["error_code"], facts["status"]) == ("UNREACHABLE", 6, "ABORTED")
    assert facts["plan"] == ["▶ the errand", "  ▶ 到厨房  [go_to]  50%"]
    assert done.returncode == 1


@pytest.mark.feature("RB-09")
def test_an_interrupt_cancels_the_goal_and_waits_for_its_end(planner, ros_environment, spawn, wait_until):
    process = spawn("-m", "zulong.cli.main", "ask", "wait")
    wait_until(lambda: "executing" in process.output(), 20.0, "the goal runs")
    process.signal(signal.SIGINT)
    assert process.wait(20.0) == 130
    assert "CANCELED: the client canceled the goal" in process.output()


def test_a_limit_cancels_as_well(planner, ros_environment):
    done = run(ros_environment, "ask", "wait", "--wait", "0.5")
    assert done.returncode == 130
    assert "canceling" in done.stderr


def test_resume_takes_the_newest_thread_that_can_go_on(planner, ros_environment):
    done = run(ros_environment, "resume", "--json")
    assert json.loads(done.stdout)["thread_id"] == "t7"
    assert done.returncode == 0
    assert "t7  interrupted" in run(ros_environment, "tasks").stdout
    assert run(ros_environment, "pause", "t9").returncode == 1


def test_recall_prints_the_answer(planner, ros_environment):
    done = run(ros_environment, "recall", "红色的杯子在哪里？")
    assert done.returncode == 0
    assert done.stdout.startswith("红色的杯子在厨房。(红色的杯子在哪里？)")


def test_without_a_planner_every_command_ends_in_time_with_status_three(ros_environment):
    done = run(ros_environment, "ask", "SUCCEEDED")
    assert done.returncode == 3
    assert "Nobody offers the action execute_task; is its node up?" in done.stderr
    assert run(ros_environment, "stop").returncode == 3


def test_stop_cancels_what_runs_even_when_the_gateway_is_missing(planner, ros_environment, spawn, wait_until):
    process = spawn("-m", "zulong.cli.main", "ask", "wait")
    wait_until(lambda: "executing" in process.output(), 20.0, "the goal runs")
    done = run(ros_environment, "stop")
    assert "tasks: 1 canceled" in done.stdout
    assert process.wait(20.0) == 130
    assert done.returncode == 3
    assert "control_output" in done.stderr
