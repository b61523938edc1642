"""The programs printed in the pages run as they stand, against the real planner."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from action_msgs.msg import GoalStatus
from ros_domain import ROOT
from zulong.action import ExecuteSkill, ExecuteTask
from zulong.msg import SkillInfo, TaskGraph, TaskNode

from zulong.nodes import names, qos
from zulong.nodes.base import ZulongNode
from zulong.nodes.planner import PlannerNode

LIMIT_S = 60.0


def program(page: str, folder: Path) -> Path:
    """Write the one Python program of a page into a file."""
    found = re.findall(r"^```python\n(.*?)^```", (ROOT / "docs" / page).read_text(), re.MULTILINE | re.DOTALL)
    assert len(found) == 1, f"docs/{page} holds {len(found)} programs"
    file = folder / f"{Path(page).stem}_example.py"
    file.write_text(found[0])
    return file


@pytest.fixture
def run(tmp_path: Path) -> Iterator[Callable[..., subprocess.Popen[str]]]:
    """Start the program of a page; it ends with the test."""
    started: list[subprocess.Popen[str]] = []

    def start(page: str, *arguments: str) -> subprocess.Popen[str]:
        command = [sys.executable, str(program(page, tmp_path)), *arguments]
        process = subprocess.Popen(
            command, env=os.environ, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        )
        started.append(process)
        return process

    yield start
    for process in started:
        if process.poll() is None:
            process.kill()
        process.communicate()


@pytest.fixture(scope="module")
def planner(live):
    return live.start(PlannerNode())


class Walker(ZulongNode):
    """Performs go_to without a robot."""

    def __init__(self) -> None:
        super().__init__("walker")

    def setup(self) -> None:
        self.serve_goals(ExecuteSkill, "walker/execute", lambda goal: ExecuteSkill.Result())
        self.create_publisher(SkillInfo, names.SKILLS, qos.latched()).publish(
            SkillInfo(name="go_to", description="Go.", action_name="/walker/execute", available=True)
        )


@pytest.mark.feature("RB-09")
def test_a_skill_of_the_page_is_found_by_the_planner_performed_and_canceled(live, planner, run) -> None:
    process = run("extend.md", "--ros-args", "-p", "autostart:=true")
    live.until(lambda: planner._skills.profile("dance") is not None, "the planner knows the skill")
    plan = TaskGraph(
        instruction="dance", language="en", nodes=[TaskNode(id="a", title="Dance", skill="dance")]
    )
    assert live.send(ExecuteTask, names.EXECUTE_TASK, None, plan=plan).wait(LIMIT_S).result.error_code == 0
    dancing: list[str] = []

    def hear(feedback: ExecuteTask.Feedback) -> None:
        dancing.extend(n.id for n in feedback.task_graph.nodes if n.status == TaskNode.STATUS_IN_PROGRESS)

    goal = live.send(ExecuteTask, names.EXECUTE_TASK, hear, plan=plan)
    live.until(lambda: "a" in dancing, "it dances")
    goal.cancel()
    assert goal.wait(LIMIT_S).status == GoalStatus.STATUS_CANCELED
    process.send_signal(signal.SIGINT)
    output, _ = process.communicate(timeout=LIMIT_S)
    assert process.returncode == 0, output
    assert "Traceback" not in output


@pytest.mark.feature("RB-09")
def test_the_client_of_the_page_sends_its_words_and_prints_the_end(live, planner, run) -> None:
    live.start(Walker())
    live.until(lambda: planner._skills.profile("go_to") is not None, "the planner knows the way to go")
    output, _ = run("interfaces.md").communicate(timeout=LIMIT_S)
    assert "Traceback" not in output, output
    lines = output.strip().splitlines()
    assert len(lines) > 1, output
    assert "sofa" in lines[-1], output
