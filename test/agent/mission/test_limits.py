"""Budgets and time limits hold; a cancel is never lost and never reported as success."""

from __future__ import annotations

import time

import pytest
from scripted_parts import fetch, plan_of, until_canceled, wait_until

from zulong.agent.codes import TaskCode
from zulong.agent.htn.step import Step


@pytest.mark.feature("FC-04")
@pytest.mark.parametrize(
    ("text", "field", "limit"),
    [("最多两次调用", None, 2), ("go", 1, 1), ("at most 5 calls", 2, 2), ("不要用工具", None, 0)],
)
def test_the_budget_of_words_and_field_ends_the_mission_and_lasts_over_resumes(
    make_engine, planner, skills, text, field, limit
) -> None:
    planner.table[text] = plan_of(*(Step(f"s{i}", f"s{i}", "say") for i in range(4)))
    skills.offer("say")
    engine = make_engine()
    outcome = engine.run(text, skill_budget=field)
    assert outcome.code == TaskCode.BUDGET_EXHAUSTED and str(limit) in outcome.message
    assert len(skills.calls) == limit == outcome.skill_calls
    again = engine.carry_out(engine.resume(outcome.thread_id))
    assert again.code == TaskCode.BUDGET_EXHAUSTED and len(skills.calls) == limit
    more = engine.carry_out(engine.resume(outcome.thread_id, skill_budget=4 - limit))
    assert more.code == TaskCode.SUCCEEDED and len(skills.calls) == 4


def test_the_time_limit_brings_the_robot_to_rest(make_engine, planner, skills) -> None:
    planner.table["go"] = plan_of(fetch())
    skills.offer("pick", until_canceled)
    outcome = make_engine().run("go", time_limit_s=0.2)
    assert outcome.code == TaskCode.TIME_LIMIT and skills.ended == [("pick", "CANCELED")]


@pytest.mark.feature("RB-09")
def test_a_cancel_before_the_start_stops_before_the_planner_is_asked(make_engine, planner) -> None:
    engine = make_engine()
    mission = engine.start("go")
    assert mission.cancel("changed my mind")
    outcome = engine.carry_out(mission)
    assert outcome.code == TaskCode.CANCELED and "changed my mind" in outcome.message
    assert planner.asked == [] and not mission.cancel()


@pytest.mark.feature("RB-09")
def test_a_cancel_during_planning_stops_before_the_first_skill(
    make_engine, planner, skills, in_thread
) -> None:
    engine = make_engine()
    mission = engine.start("go")

    def slow():
        mission.cancel("now")
        return plan_of(fetch())

    planner.table["go"] = slow
    skills.offer("pick")
    assert engine.carry_out(mission).code == TaskCode.CANCELED
    assert skills.calls == []


@pytest.mark.feature("RB-09")
def test_a_cancel_during_a_skill_waits_for_it_to_come_to_rest(
    make_engine, planner, skills, in_thread
) -> None:
    planner.table["go"] = plan_of(fetch(), Step("b", "b", "say", depends_on=("fetch",)))
    skills.offer("pick", until_canceled)
    skills.offer("say")
    running = in_thread(make_engine(), "go")
    assert skills.begun.wait(10)
    assert running.mission.cancel("stop")
    assert running.end().code == TaskCode.CANCELED
    assert skills.ended == [("pick", "CANCELED")] and len(skills.calls) == 1


@pytest.mark.feature("RB-09")
def test_a_cancel_at_any_moment_is_never_reported_as_success(make_engine, planner, skills, in_thread) -> None:
    planner.table["go"] = plan_of(Step("a", "a", "say"), Step("b", "b", "say", depends_on=("a",)))
    skills.offer("say")
    engine = make_engine()
    for n in range(40):
        running = in_thread(engine, "go")
        time.sleep(n * 0.0007)
        accepted = running.mission.cancel("now")
        outcome = running.end()
        assert (outcome.code == TaskCode.CANCELED) is accepted
        assert engine.mission(running.mission.thread_id) is None


def test_a_canceled_thread_goes_on_where_it_was(make_engine, planner, skills, in_thread) -> None:
    planner.table["go"] = plan_of(Step("a", "a", "say"), fetch(depends_on=("a",)))
    skills.offer("say")
    skills.offer("pick", until_canceled)
    engine = make_engine()
    running = in_thread(engine, "go")
    wait_until(lambda: len(skills.calls) == 2)
    running.mission.cancel()
    assert running.end().code == TaskCode.CANCELED
    skills.offer("pick")
    assert engine.carry_out(engine.resume(running.mission.thread_id)).code == TaskCode.SUCCEEDED
    assert [n for n, _ in skills.calls] == ["say", "pick", "pick"]
    assert len(set(skills.keys)) == 3


def test_shutting_down_leaves_a_thread_that_another_process_resumes(
    make_engine, planner, skills, in_thread
) -> None:
    planner.table["go"] = plan_of(fetch())
    skills.offer("pick", until_canceled)
    running = in_thread(make_engine(), "go")
    assert skills.begun.wait(10)
    running.mission.shut_down()
    assert running.end().code == TaskCode.SHUTTING_DOWN and skills.ended == [("pick", "CANCELED")]
    skills.offer("pick")
    engine = make_engine()
    assert engine.carry_out(engine.resume(running.mission.thread_id)).code == TaskCode.SUCCEEDED
