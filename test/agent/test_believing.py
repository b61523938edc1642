from __future__ import annotations

import pytest

from zulong.agent.believing import BelievingPlanner
from zulong.agent.codes import SkillCode
from zulong.agent.htn import MapWorld, OfflinePlanner, Plan, Refusal
from zulong.agent.mission.state import Failure
from zulong.tasks import TaskGraph


@pytest.fixture(scope="module")
def offline() -> OfflinePlanner:
    return OfflinePlanner()


@pytest.mark.feature("FC-10")
def test_plans_go_where_the_thing_is_believed_to_be_at_that_moment(offline: OfflinePlanner) -> None:
    beliefs = {"red_cup": "sofa"}
    planner = BelievingPlanner(offline, lambda: MapWorld.load().believing(beliefs))
    first = planner.plan("bring the red cup to the kitchen")
    assert isinstance(first, Plan)
    assert first.leaves()[0].arguments["place"] == "sofa"
    beliefs["red_cup"] = "bed"
    second = planner.plan("bring the red cup to the kitchen")
    assert isinstance(second, Plan)
    assert second.leaves()[0].arguments["place"] == "bed"


@pytest.mark.feature("FC-10")
def test_replan_plans_only_the_errand_that_failed(offline: OfflinePlanner) -> None:
    planner = BelievingPlanner(offline, lambda: MapWorld.load())
    plan = planner.plan("bring the red cup to the kitchen and then go to the sofa")
    assert isinstance(plan, Plan)
    graph = TaskGraph()
    graph.add_node("goal", id="goal")
    graph.add_plan("goal", plan.steps)
    first = graph.next_executable(1)[0]
    graph.start(first.id)
    failure = Failure(graph.node(first.id), int(SkillCode.UNREACHABLE), "no way", graph)
    found = planner.replan(failure, {"language": "en"})
    assert isinstance(found, Plan)
    titles = [leaf.arguments.get("place") for leaf in found.leaves() if leaf.skill == "go_to"]
    assert "sofa" not in titles[-1:], "the errand that follows stays in the graph and is not planned twice"


@pytest.mark.feature("FC-10")
def test_an_unknown_thing_stays_a_refusal(offline: OfflinePlanner) -> None:
    planner = BelievingPlanner(offline, lambda: MapWorld.load())
    assert isinstance(planner.plan("bring me the golden chalice"), Refusal)
