"""A goal's task graph in the memory: TASK nodes with their edges and activations, one past task when it has ended."""

from __future__ import annotations

import json
import threading

import pytest
from zulong.action import ExecuteSkill, ExecuteTask
from zulong.msg import MemoryEdge, MemoryNode, SkillInfo, TaskGraph, TaskNode
from zulong.srv import GetMemory, ListTasks, Recall

from zulong.nodes import names, qos
from zulong.nodes.base import ZulongNode
from zulong.nodes.memory import MemoryNode as MemoryProcess
from zulong.nodes.planner import PlannerNode

PARAMETERS = {"memory.lifecycle_period_s": "86400.0", "memory.task_trees": "2"}
LIMIT_S = 60.0


class Knitter(ZulongNode):
    """Performs a skill that waits until the test lets it end."""

    def __init__(self) -> None:
        super().__init__("knitter")
        self.begun, self.go_on = threading.Event(), threading.Event()

    def setup(self) -> None:
        self.serve_goals(ExecuteSkill, "knitter/execute", self._knit)
        info = SkillInfo(name="knit", description="Knit.", action_name="/knitter/execute", available=True)
        info.arguments_schema_json = json.dumps(
            {"type": "object", "properties": {"what": {"type": "string"}}}
        )
        self.create_publisher(SkillInfo, names.SKILLS, qos.latched()).publish(info)

    def _knit(self, goal) -> ExecuteSkill.Result:
        self.begun.set()
        assert self.go_on.wait(LIMIT_S)
        return ExecuteSkill.Result()


@pytest.fixture(scope="module")
def memory(live):
    return live.start(MemoryProcess())


@pytest.fixture(scope="module")
def planner(live, memory):
    return live.start(PlannerNode())


@pytest.fixture(scope="module")
def knitter(live):
    return live.start(Knitter())


def nodes_of(live, thread: str, *ids: str) -> dict[str, MemoryNode]:
    answer = live.call(GetMemory, names.GET_MEMORY, ids=[f"task:{thread}:{id}" for id in ids])
    return {node.id.rpartition(":")[2]: node for node in answer.nodes}


def goal(instruction: str) -> TaskGraph:
    def leaf(id: str, **fields) -> TaskNode:
        return TaskNode(
            id=id, title=f"knit the {id}", skill="knit", arguments_json='{"what": "wool"}', **fields
        )

    return TaskGraph(
        instruction=instruction, language="en", nodes=[leaf("cuff"), leaf("heel", depends_on=["cuff"])]
    )


@pytest.mark.feature("TG-05")
def test_a_goal_is_mirrored_while_it_runs_and_one_past_task_when_it_has_ended(
    live, memory, planner, knitter
) -> None:
    live.until(lambda: planner._skills.profile("knit") is not None, "the planner knows the skill")
    graphs = live.hear(TaskGraph, names.TASK_GRAPH, qos.latched(10))
    running = live.send(ExecuteTask, names.EXECUTE_TASK, None, plan=goal("knit a pair of woollen socks"))
    assert knitter.begun.wait(LIMIT_S)
    live.until(lambda: len(graphs) > 0, "a task graph is published")
    thread = graphs[-1].thread_id
    live.until(
        lambda: "cuff" in (found := nodes_of(live, thread, "cuff")) and found["cuff"].activation > 0.5,
        "the running step is mirrored",
    )
    assert nodes_of(live, thread, "cuff")["cuff"].activation == pytest.approx(0.9)
    assert nodes_of(live, thread, "cuff")["cuff"].type == MemoryNode.TYPE_TASK
    assert nodes_of(live, thread, "heel")["heel"].activation == 0.0
    around = live.call(GetMemory, names.GET_MEMORY, ids=[f"task:{thread}:heel"], depth=1, with_edges=True)
    kinds = {(e.source_id.rpartition(":")[2], e.target_id.rpartition(":")[2], e.type) for e in around.edges}
    assert ("heel", "cuff", MemoryEdge.TYPE_DEPENDENCY) in kinds
    assert any(
        target == "heel" and kind == MemoryEdge.TYPE_HIERARCHY and source != "heel"
        for source, target, kind in kinds
    )
    knitter.go_on.set()
    ended = running.wait(LIMIT_S)
    assert ended.result.error_code == 0, ended.result.error_msg
    past = f"past_task:{thread}"
    live.until(lambda: live.call(GetMemory, names.GET_MEMORY, ids=[past]).nodes, "the past task is kept")
    live.until(
        lambda: "compressed_into" in nodes_of(live, thread, "cuff")["cuff"].meta_json, "the tree is at rest"
    )
    at_rest = nodes_of(live, thread, "cuff", "heel")
    assert [node.activation for node in at_rest.values()] == pytest.approx([0.1, 0.1])
    hits = live.call(
        Recall, names.RECALL, text="woollen socks", limit=5, hot_deadline_s=30.0, cold_deadline_s=30.0
    ).hits
    assert past in [hit.node.id for hit in hits]
    assert not any(hit.node.id.startswith("task:") for hit in hits)
    kept = json.loads(next(hit.node.meta_json for hit in hits if hit.node.id == past))
    assert (kept["outcome"], kept["instruction"]) == ("SUCCEEDED", "knit a pair of woollen socks")
    assert planner.faults == memory.faults == 0


@pytest.mark.feature("TG-05")
def test_only_the_trees_of_the_newest_tasks_stay_and_each_past_task_does(
    live, memory, planner, knitter
) -> None:
    knitter.go_on.set()
    threads = []
    for what in ("scarf", "hat", "jumper"):
        ended = live.send(ExecuteTask, names.EXECUTE_TASK, None, plan=goal(f"knit a {what}")).wait(LIMIT_S)
        assert ended.result.error_code == 0, ended.result.error_msg
        threads.append(ended.result.thread_id)
    live.until(lambda: not nodes_of(live, threads[0], "cuff"), "the oldest tree is folded")
    live.until(
        lambda: (
            len(live.call(GetMemory, names.GET_MEMORY, ids=[f"past_task:{t}" for t in threads]).nodes) == 3
        ),
        "every past task is kept",
    )
    assert nodes_of(live, threads[2], "cuff", "heel").keys() == {"cuff", "heel"}
    found = live.call(ListTasks, names.LIST_TASKS, query="please knit me a hat", limit=10).tasks
    scores = {task.instruction: task.similarity for task in found}
    best = max(scores, key=lambda words: scores[words])
    assert best == "knit a hat" and scores[best] > 0.6, scores
    assert all((task.leaves_done, task.leaves_total) == (2, 2) for task in found)
    unrelated = live.call(ListTasks, names.LIST_TASKS, query="water the plants", limit=10).tasks
    assert all(task.similarity < 0.4 for task in unrelated)
    assert planner.faults == memory.faults == 0
