"""What a user or a reflex does to a mission under way: pause, skip, adjust, roll back, freeze."""

from __future__ import annotations

import threading
import time

import pytest
from scripted_parts import fetch, plan_of, until_canceled, wait_until

from zulong.agent.codes import Phase, SkillCode, TaskCode
from zulong.agent.htn.step import Step
from zulong.agent.local_skills import SkillError
from zulong.agent.surroundings import Surroundings


def test_pause_stops_the_skill_and_resume_does_it_anew(make_engine, planner, skills, in_thread) -> None:
    planner.table["go"] = plan_of(fetch())
    skills.offer("pick", until_canceled)
    phases = []
    running = in_thread(make_engine(), "go", tell=lambda u: phases.append(u.phase))
    assert skills.begun.wait(10)
    running.mission.pause()
    wait_until(lambda: skills.ended == [("pick", "CANCELED")])
    wait_until(lambda: Phase.PAUSED in phases)
    skills.offer("pick")
    time.sleep(0.05)
    assert len(skills.calls) == 1
    running.mission.resume()
    assert running.end().code == TaskCode.SUCCEEDED and len(skills.calls) == 2


def test_a_paused_thread_whose_process_ended_goes_on_when_it_is_resumed(
    make_engine, planner, skills, in_thread
) -> None:
    planner.table["go"] = plan_of(fetch())
    skills.offer("pick", until_canceled)
    phases = []
    running = in_thread(make_engine(), "go", tell=lambda u: phases.append(u.phase))
    assert skills.begun.wait(10)
    running.mission.pause()
    wait_until(lambda: Phase.PAUSED in phases)
    running.mission.shut_down()
    assert running.end().code == TaskCode.SHUTTING_DOWN
    skills.offer("pick")
    engine = make_engine()
    assert engine.carry_out(engine.resume(running.mission.thread_id)).code == TaskCode.SUCCEEDED


def test_skip_of_a_running_step_stops_it_and_goes_on(make_engine, planner, skills, in_thread) -> None:
    planner.table["go"] = plan_of(fetch(), Step("b", "b", "say", depends_on=("fetch",)))
    skills.offer("pick", until_canceled)
    skills.offer("say")
    running = in_thread(make_engine(), "go")
    assert skills.begun.wait(10)
    running.mission.skip("fetch")
    assert running.end().code == TaskCode.SUCCEEDED
    assert skills.ended == [("pick", "CANCELED"), ("say", "SUCCEEDED")]


def test_adjust_does_a_running_step_again_with_the_new_arguments(
    make_engine, planner, skills, in_thread
) -> None:
    planner.table["go"] = plan_of(fetch())
    skills.offer("pick", lambda a, c: until_canceled(a, c) if a["object"] == "red_cup" else {})
    running = in_thread(make_engine(), "go")
    assert skills.begun.wait(10)
    running.mission.adjust("fetch", title="fetch the blue cup", arguments={"object": "blue_cup"})
    outcome = running.end()
    assert outcome.code == TaskCode.SUCCEEDED and "blue" in outcome.summary
    assert skills.calls == [("pick", {"object": "red_cup"}), ("pick", {"object": "blue_cup"})]


@pytest.mark.feature("TG-04")
def test_rollback_runs_compensations_last_first_and_then_the_work_again(
    make_engine, planner, skills, in_thread
) -> None:
    def undo(name):
        return {"skill": "place", "arguments": {"undo": name}}

    planner.table["go"] = plan_of(
        Step("a", "a", "pick", {"n": "a"}, compensation=undo("a")),
        Step("b", "b", "pick", {"n": "b"}, depends_on=("a",), compensation=undo("b")),
        Step("w", "w", "wait", depends_on=("b",)),
    )
    skills.offer("pick")
    skills.offer("place")
    skills.offer("wait", until_canceled)
    running = in_thread(make_engine(), "go")
    wait_until(lambda: ("wait", {}) in skills.calls)
    skills.calls.clear()
    running.mission.roll_back("a")
    wait_until(lambda: ("wait", {}) in skills.calls)
    running.mission.skip("w")
    assert running.end().code == TaskCode.SUCCEEDED
    assert skills.calls[:4] == [
        ("place", {"undo": "b"}),
        ("place", {"undo": "a"}),
        ("pick", {"n": "a"}),
        ("pick", {"n": "b"}),
    ]


def test_a_command_that_does_not_fit_changes_nothing(make_engine, planner, skills, in_thread) -> None:
    planner.table["go"] = plan_of(fetch())
    go = threading.Event()
    skills.offer("pick", lambda a, c: {"ok": go.wait(10)})
    running = in_thread(make_engine(), "go")
    assert skills.begun.wait(10)
    running.mission.skip("no such node")
    time.sleep(0.05)
    go.set()
    assert running.end().code == TaskCode.SUCCEEDED


@pytest.mark.feature("FC-11", "RB-02")
@pytest.mark.parametrize(
    ("after", "words", "code", "calls"),
    [
        (Surroundings(room="hall"), "", TaskCode.SUCCEEDED, 2),
        (Surroundings(room="hall", hazards=("gas",)), "", TaskCode.ABORTED_BY_SAFETY, 1),
        (Surroundings(room="hall", holding="red_cup"), "", TaskCode.SUCCEEDED, 3),
        (Surroundings(room="hall"), "and sing", TaskCode.SUCCEEDED, 3),
        (Surroundings(room="hall"), "取消吧", TaskCode.ABORTED_BY_SAFETY, 1),
    ],
)
def test_after_a_freeze_the_surroundings_decide(
    make_engine, planner, skills, in_thread, after, words, code, calls
) -> None:
    views = [Surroundings(room="hall"), after]

    class View:
        def facts(self):
            return {}

        def surroundings(self):
            return views.pop(0)

    planner.table["go"] = plan_of(fetch(), Step("b", "b", "place", depends_on=("fetch",)))
    planner.table["and sing"] = plan_of(Step("sing", "sing", "say"))
    go = threading.Event()

    def pick(arguments, context):
        while not go.wait(0.01):
            if context.cancel.is_set:
                raise SkillError(SkillCode.CANCELED, "stopped")

    skills.offer("pick", pick)
    skills.offer("place")
    skills.offer("say")
    phases = []
    running = in_thread(make_engine(world=View()), "go", tell=lambda u: phases.append(u.phase))
    assert skills.begun.wait(10)
    running.mission.freeze("obstacle")
    wait_until(lambda: Phase.FROZEN in phases)
    running.mission.thaw(words)
    wait_until(lambda: not views)
    time.sleep(0.05)
    go.set()
    assert running.end().code == code
    assert len(skills.calls) == calls
