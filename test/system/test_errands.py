"""The mind as a whole: ten processes, a simulated apartment, goals sent as any client would send them."""

from __future__ import annotations

import json
import time

import pytest
from action_msgs.msg import GoalStatus
from robot_harness import Robot
from zulong.action import ExecuteTask
from zulong.msg import MemoryNode
from zulong.srv import ListTasks, Recall, Remember

from zulong.nodes import names

RESULT = ExecuteTask.Result


@pytest.mark.feature("RB-01")
def test_every_layer_is_up_and_active(robot: Robot) -> None:
    states = {name: node["state"] for name, node in robot.status().items()}
    assert set(states) >= {
        "sim", "reflex", "safety", "scheduler", "memory", "vision", "audio", "gateway", "experts", "planner"
    }  # fmt: skip
    assert set(states.values()) == {"active"}


@pytest.mark.feature("RB-09")
def test_errand_in_english_and_in_chinese_succeed(robot: Robot) -> None:
    english = robot.do("go to the side tables and say hello")
    assert english.status == GoalStatus.STATUS_SUCCEEDED, english.result.error_msg
    assert english.result.tool_calls >= 2
    chinese = robot.do("去沙发")
    assert chinese.status == GoalStatus.STATUS_SUCCEEDED, chinese.result.error_msg
    assert "沙发" in chinese.result.summary
    assert robot.contacts == 0


@pytest.mark.feature("RB-09")
@pytest.mark.parametrize(
    ("words", "code", "hint"),
    [
        ("flurb the wobbly gronk", RESULT.NOT_UNDERSTOOD, ""),
        ("bring me the golden chalice", RESULT.UNKNOWN_OBJECT, "chalice"),
        ("go to the moon", RESULT.UNKNOWN_PLACE, "moon"),
        ("给我做一顿饭", RESULT.SKILL_MISSING, ""),
    ],
)
def test_what_cannot_be_done_ends_with_a_typed_error_and_a_sentence(
    robot: Robot, words: str, code: int, hint: str
) -> None:
    ending = robot.do(words, limit_s=30.0)
    assert ending.status == GoalStatus.STATUS_ABORTED
    assert ending.result.error_code == code, ending.result.error_msg
    assert hint in ending.result.error_msg
    assert len(ending.result.error_msg) > 10
    robot.until(robot.at_rest, 3.0, "the robot moved")


@pytest.mark.feature("RB-09")
@pytest.mark.parametrize("delay_ms", [0, 50, 200, 1000])
@pytest.mark.parametrize("attempt", [1, 2])
def test_a_cancel_at_any_moment_ends_canceled_with_the_robot_at_rest(
    robot: Robot, delay_ms: int, attempt: int
) -> None:
    del attempt
    goal = robot.send("go to the bed")
    time.sleep(delay_ms / 1000)
    asked = time.monotonic()
    goal.cancel()
    ending = goal.wait(20.0)
    assert ending.status == GoalStatus.STATUS_CANCELED
    assert ending.result.error_code == RESULT.CANCELED
    assert time.monotonic() - asked < 15.0
    robot.until(robot.at_rest, 3.0, "the robot did not come to rest")


@pytest.mark.feature("RB-09")
def test_two_goals_at_once_both_end(robot: Robot) -> None:
    first = robot.send("go to the side tables")
    second = robot.send("去沙发")
    endings = [first.wait(120.0), second.wait(120.0)]
    assert [e.status for e in endings] == [GoalStatus.STATUS_SUCCEEDED] * 2, [
        e.result.error_msg for e in endings
    ]


@pytest.mark.feature("RB-09")
def test_feedback_carries_the_graph_as_it_changes(robot: Robot) -> None:
    seen: list[ExecuteTask.Feedback] = []
    robot.send("go to the side tables and say hello", seen.append).wait(60.0)
    graphs = [f.task_graph for f in seen if f.task_graph.nodes]
    versions = [graph.version for graph in graphs]
    assert versions == sorted(versions)
    assert len(set(versions)) >= 3
    assert graphs[0].instruction == "go to the side tables and say hello"


@pytest.mark.feature("RB-09")
def test_a_plan_that_is_given_is_followed(robot: Robot) -> None:
    from zulong.msg import TaskGraph, TaskNode

    plan = TaskGraph(instruction="greet", root_id="r")
    plan.nodes = [
        TaskNode(id="r", title="greet"),
        TaskNode(id="a", parent_id="r", title="say", skill="say", arguments_json='{"text": "one"}'),
        TaskNode(
            id="b",
            parent_id="r",
            title="say",
            skill="say",
            arguments_json='{"text": "two"}',
            depends_on=["a"],
        ),
    ]
    ending = robot.do("", plan=plan)
    assert ending.status == GoalStatus.STATUS_SUCCEEDED, ending.result.error_msg
    assert ending.result.tool_calls == 2


@pytest.mark.feature("MG-11")
def test_memory_killed_in_the_middle_of_writing_loses_nothing_acknowledged(robot: Robot) -> None:
    kept = []
    for number in range(40):
        request = Remember.Request()
        request.node.text = f"The spare key number {number * 7919} hangs behind picture {number}."
        request.node.type = MemoryNode.TYPE_KNOWLEDGE
        answer = robot.session.call(Remember, names.REMEMBER, request, timeout_s=10.0)
        assert answer.error_code == 0, answer.error_msg
        kept.append((answer.id, request.node.text))
    old = robot.kill("memory")
    robot.wait_active("memory", old)
    from zulong.srv import GetMemory

    found = robot.call(GetMemory, names.GET_MEMORY, ids=[id for id, _ in kept])
    assert {node.id: node.text for node in found.nodes} == dict(kept)
    hits = robot.call(Recall, names.RECALL, text="spare key number 7919", limit=3).hits
    assert any("7919 " in hit.node.text for hit in hits)


@pytest.mark.feature("RB-09")
@pytest.mark.feature("RB-10")
def test_a_killed_planner_resumes_the_thread_and_does_nothing_twice(robot: Robot) -> None:
    robot.sim(_sim().MOVE, entity="cola", has_position=True, position=_point(4.15, 0.4), value=0.0)
    picked: list[str] = []

    def watch(feedback: ExecuteTask.Feedback) -> None:
        done = [n.skill for n in feedback.task_graph.nodes if n.status == n.STATUS_COMPLETED and n.skill]
        picked[:] = done or picked

    goal = robot.send("take the cola from the side tables and put it on the sofa", watch)
    robot.until(lambda: "pick" in picked or goal.future.done(), 90.0, "nothing was picked")
    assert not goal.future.done(), goal.future.result().result.error_msg
    old = robot.kill("planner")
    robot.wait_active("planner", old)
    threads = robot.call(ListTasks, names.LIST_TASKS, limit=5).tasks
    assert threads[0].state == threads[0].STATE_INTERRUPTED
    resumed = robot.zulong("resume", "--json", threads[0].thread_id, limit_s=150.0)
    report = json.loads(resumed.stdout)
    assert report["status"] == "SUCCEEDED", report
    begun = _ledger(robot, threads[0].thread_id)
    assert begun.count("pick") == 1
    assert begun.count("place") == 1
    assert robot.sim(_sim().GET, entity="cola")["at"] == "sofa"


def _ledger(robot: Robot, thread_id: str) -> list[str]:
    """Return the skills whose side effects were begun for a thread, in order."""
    lines = (robot.home / "robot" / "ledger" / "skills.jsonl").read_text().splitlines()
    records = [json.loads(line) for line in lines]
    return [r["begin"] for r in records if "begin" in r and r["key"].startswith(thread_id)]


def _sim():
    from zulong.srv import SimControl

    return SimControl.Request


def _point(x: float, y: float):
    from geometry_msgs.msg import Point

    return Point(x=x, y=y)
