"""What the planner's action answers to goals that nobody can carry out: typed, brief, at once, without a fault."""

from __future__ import annotations

import pytest
from builtin_interfaces.msg import Duration
from zulong.action import ExecuteTask
from zulong.msg import SkillInfo, TaskGraph, TaskNode
from zulong.srv import ForkTask, GetTaskHistory

from zulong.nodes import names, qos
from zulong.nodes.planner import PlannerNode

INVALID = ExecuteTask.Result.INVALID_GOAL
MILLION = "x" * 1_000_000


@pytest.fixture(scope="module")
def planner(live):
    return live.start(PlannerNode())


def plan(*nodes: TaskNode) -> dict[str, TaskGraph]:
    return {"plan": TaskGraph(instruction="wait", language="en", nodes=list(nodes))}


def wait(id: str, **fields) -> TaskNode:
    return TaskNode(id=id, title=id, skill="wait", **{"arguments_json": '{"seconds": 0}', **fields})


@pytest.mark.feature("RB-09")
@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({}, "neither words"),
        ({"instruction": " \n"}, "neither words"),
        ({"instruction": MILLION}, "1000000 characters"),
        ({"instruction": "go", "person": MILLION}, "person has"),
        ({"thread_id": MILLION}, "thread_id has"),
        ({"instruction": "go to the sofa", "time_limit": Duration(sec=-5)}, "time_limit is negative"),
        ({"instruction": "go to the sofa", "tool_budget": -5}, "tool_budget"),
        (plan(*(wait(str(number)) for number in range(3000))), "3000 nodes"),
        (plan(*(wait(str(n), parent_id=str(n - 1) if n else "") for n in range(100))), "deeper than"),
        (plan(wait("a", depends_on=["b"]), wait("b", depends_on=["a"])), "in a circle"),
        (plan(wait("a", depends_on=["a"])), "in a circle"),
        (plan(TaskNode(id="p"), wait("c", parent_id="p", depends_on=["p"])), "in a circle"),
        (plan(wait("a", parent_id="a")), "in a circle"),
        (plan(wait("a"), wait("a")), "twice"),
        (plan(wait("a", depends_on=["z"])), "unknown nodes"),
        (plan(wait("a", arguments_json="[")), "arguments_json of node 'a' is not JSON"),
        (plan(wait("a", arguments_json="[" * 100_000)), "is not JSON"),
        (plan(wait("a", arguments_json='{"seconds": NaN}')), "NaN is no number"),
        (plan(wait("a", condition_json="[]")), "must be a JSON object"),
    ],
)
def test_a_goal_that_makes_no_sense_is_answered_with_what_is_wrong(live, planner, fields, words) -> None:
    ending = live.send(ExecuteTask, names.EXECUTE_TASK, None, **fields).wait(60.0)
    assert ending.result.error_code == INVALID, ending.result.error_msg
    assert words in ending.result.error_msg
    assert len(ending.result.error_msg) <= 400
    assert planner.faults == 0


def test_an_unknown_thread_is_named_in_brief(live, planner) -> None:
    ending = live.send(ExecuteTask, names.EXECUTE_TASK, None, thread_id="../../x").wait(60.0)
    assert ending.result.error_code == ExecuteTask.Result.UNKNOWN_THREAD
    answer = live.call(GetTaskHistory, names.GET_TASK_HISTORY, thread_id=MILLION)
    assert answer.error_code == GetTaskHistory.Response.UNKNOWN_THREAD
    assert len(answer.error_msg) <= 400


def test_a_fork_with_broken_or_unknown_values_is_refused(live, planner) -> None:
    ended = live.send(ExecuteTask, names.EXECUTE_TASK, None, instruction="what is the meaning of life").wait(
        30.0
    )
    thread = ended.result.thread_id
    for values, words in (("{", "not JSON"), ("[]", "JSON object"), ('{"nonsense": 1}', "unknown parts")):
        answer = live.call(ForkTask, names.FORK_TASK, thread_id=thread, values_json=values)
        assert answer.error_code == ForkTask.Response.INVALID_REQUEST, answer.error_msg
        assert words in answer.error_msg
    assert planner.faults == 0


def test_a_skill_whose_schema_is_broken_is_left_out_and_the_others_stay(live, planner) -> None:
    infos = live.publisher(SkillInfo, names.SKILLS, qos.latched(10))
    for name, schema in (("broken", "{"), ("list", "[1]"), ("fine", '{"type": "object"}')):
        infos.publish(
            SkillInfo(name=name, action_name="/perform", available=True, arguments_schema_json=schema)
        )
    live.until(lambda: "fine" in planner._skills.names, "the planner knows the good skill")
    assert not {"broken", "list"} & set(planner._skills.names)
    assert planner._skills.profile("fine").arguments_schema == {"type": "object"}
    assert planner.faults == 0
