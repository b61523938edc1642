"""Taking work back: nothing that was done is lost sight of, nothing is undone or done twice."""

from __future__ import annotations

import threading
from typing import Any

import pytest
from scripted_parts import fail, plan_of, until_canceled, wait_until

from zulong.agent.approval import ApprovalDesk
from zulong.agent.codes import Phase, SkillCode, TaskCode
from zulong.agent.htn.step import Step
from zulong.agent.ledger import LedgeredSkills, MemoryLedger
from zulong.agent.local_skills import SkillError
from zulong.agent.mission import MissionConfig, MissionEngine
from zulong.agent.mission.calls import Calls
from zulong.agent.surroundings import Surroundings
from zulong.tasks import TaskStatus

pytestmark = pytest.mark.feature("TG-04", "FC-06")


def pick(name: str, **more: Any) -> Step:
    undo = {"skill": "place", "arguments": {"undo": name}}
    return Step(name, name, "pick", {"n": name}, compensation=undo, **more)


def test_what_was_ending_when_the_rollback_came_is_undone_too(
    make_engine, planner, skills, in_thread
) -> None:
    def too_late_to_stop(arguments, context):
        if len(skills.calls) == 1:
            assert context.cancel.wait(10)
        return {}

    planner.table["go"] = plan_of(pick("a"))
    skills.offer("pick", too_late_to_stop)
    skills.offer("place")
    running = in_thread(make_engine(), "go")
    assert skills.begun.wait(10)
    running.mission.roll_back("a")
    assert running.end().code == TaskCode.SUCCEEDED
    assert skills.calls == [("pick", {"n": "a"}), ("place", {"undo": "a"}), ("pick", {"n": "a"})]


def test_a_rollback_of_everything_twice_undoes_the_work_and_not_the_undoing(
    make_engine, planner, skills, in_thread
) -> None:
    planner.table["go"] = plan_of(pick("a"), Step("w", "w", "wait", depends_on=("a",)))
    skills.offer("pick")
    skills.offer("place")
    skills.offer("wait", until_canceled)
    running = in_thread(make_engine(), "go")
    for times in (1, 2, 3):
        wait_until(lambda times=times: [n for n, _ in skills.calls].count("wait") == times)
        running.mission.roll_back("goal") if times < 3 else running.mission.skip("w")
    assert running.end().code == TaskCode.SUCCEEDED
    assert [n for n, _ in skills.calls if n != "wait"] == ["pick", "place", "pick", "place", "pick"]


def test_a_compensation_uses_the_result_that_the_rollback_takes_away(
    make_engine, planner, skills, in_thread
) -> None:
    back = {"skill": "place", "arguments": {"at": "${look.where}", "n": "${a.n}"}}
    planner.table["go"] = plan_of(
        Step("look", "look", "look_for"),
        Step("a", "a", "pick", depends_on=("look",), compensation=back),
        Step("w", "w", "wait", depends_on=("a",)),
    )
    skills.offer("look_for", lambda a, c: {"where": "desk"})
    skills.offer("pick", lambda a, c: {"n": 7})
    skills.offer("place")
    skills.offer("wait", until_canceled)
    running = in_thread(make_engine(), "go")
    wait_until(lambda: ("wait", {}) in skills.calls)
    running.mission.roll_back("look")
    wait_until(lambda: [n for n, _ in skills.calls].count("wait") == 2)
    running.mission.skip("w")
    assert running.end().code == TaskCode.SUCCEEDED
    assert ("place", {"at": "desk", "n": 7}) in skills.calls


def test_a_way_that_another_one_replaced_does_not_come_back_beside_it(
    make_engine, planner, skills, in_thread
) -> None:
    planner.table["go"] = plan_of(
        Step(
            "get",
            "get",
            None,
            children=(Step("look", "look", "look_for"), pick("old", depends_on=("look",))),
            alternatives=((pick("new"),),),
        ),
        Step("w", "w", "wait", depends_on=("get",)),
    )
    skills.offer("look_for", fail(SkillCode.NOT_FOUND))
    skills.offer("pick")
    skills.offer("place")
    skills.offer("wait", until_canceled)
    running = in_thread(make_engine(), "go")
    wait_until(lambda: ("wait", {}) in skills.calls)
    running.mission.roll_back("get")
    wait_until(lambda: [n for n, _ in skills.calls].count("wait") == 2)
    running.mission.skip("w")
    assert running.end().code == TaskCode.SUCCEEDED
    done = [a for n, a in skills.calls if n in ("pick", "place")]
    assert done == [{"n": "new"}, {"undo": "new"}, {"n": "new"}]


def test_nothing_begins_while_the_rest_of_a_rollback_comes_to_rest(
    make_engine, planner, skills, in_thread
) -> None:
    desk = ApprovalDesk()
    stopped = threading.Event()

    def slow_to_stop(arguments, context):
        assert context.cancel.wait(10)
        for request in desk.open_requests:
            desk.answer(request.request_id, True, "anna")
        stopped.wait(0.2)
        raise SkillError(SkillCode.CANCELED, "stopped")

    planner.table["go"] = plan_of(
        Step("p", "p", None, children=(Step("slow", "slow", "wait"), pick("risky")))
    )
    skills.offer("wait", slow_to_stop)
    skills.offer("pick", approval="always")
    skills.offer("place")
    running = in_thread(make_engine(desk=desk), "go")
    wait_until(lambda: desk.open_requests and skills.begun.is_set())
    running.mission.roll_back("p")
    wait_until(lambda: [n for n, _ in skills.calls].count("wait") == 2)
    assert [n for n, _ in skills.calls].count("pick") == 0
    running.mission.cancel()
    running.end()


def test_what_an_earlier_process_did_is_known_before_a_rollback_takes_it_away(planner, skills) -> None:
    """The first process is gone after the pick and before its result; the second is told to undo at once."""
    from zulong.stategraph.checkpoint.memory import InMemorySaver

    saver, ledger, gone = InMemorySaver(), MemoryLedger(), threading.Event()
    planner.table["go"] = plan_of(pick("a"))

    def engine_at_work() -> MissionEngine:
        ledgered = LedgeredSkills(skills, ledger)
        return MissionEngine(planner, ledgered, saver, config=MissionConfig(), desk=yes_to_all())

    skills.offer("pick", lambda a, c: gone.set() or {}, approval="always")
    skills.offer("place")
    engine = engine_at_work()
    mission = engine.start("go", thread_id="t")
    take_results = Calls.take_results

    def lost(self: Calls) -> dict:
        if not gone.is_set():
            return take_results(self)
        raise RuntimeError("the power goes")

    patch = pytest.MonkeyPatch()
    patch.setattr(Calls, "take_results", lost)
    assert engine.carry_out(mission).code == TaskCode.INTERNAL
    patch.undo()
    assert engine.task_graph("t").status("a") is TaskStatus.IN_PROGRESS
    engine = engine_at_work()
    second = engine.resume("t")
    second.roll_back("a")
    assert engine.carry_out(second).code == TaskCode.SUCCEEDED
    assert [n for n, _ in skills.calls] == ["pick", "place", "pick"]


def yes_to_all() -> ApprovalDesk:
    desk = ApprovalDesk()
    desk.on_change(
        lambda request, state: desk.answer(request.request_id, True, "anna") if state == "pending" else None
    )
    return desk


def test_an_abort_stops_what_runs_before_the_mission_ends(make_engine, planner, skills, in_thread) -> None:
    views = [Surroundings(room="hall"), Surroundings(room="hall", hazards=("gas",))]

    class View:
        def facts(self):
            return {}

        def surroundings(self):
            return views.pop(0)

    planner.table["go"] = plan_of(pick("a"))
    skills.offer("pick", until_canceled)
    phases = []
    running = in_thread(make_engine(world=View()), "go", tell=lambda u: phases.append(u.phase))
    assert skills.begun.wait(10)
    running.mission.freeze("a reflex")
    wait_until(lambda: Phase.FROZEN in phases)
    running.mission.thaw()
    assert running.end().code == TaskCode.ABORTED_BY_SAFETY
    assert skills.ended == [("pick", "CANCELED")]


def test_a_paused_mission_with_a_retry_to_make_sleeps(
    make_engine, planner, skills, in_thread, monkeypatch
) -> None:
    def busy_once(arguments, context):
        if len(skills.calls) == 1:
            raise SkillError(SkillCode.BUSY, "not now")

    looks = []
    advance = Calls.advance

    def counted(self, **options):
        looks.append(options)
        advance(self, **options)

    monkeypatch.setattr(Calls, "advance", counted)
    planner.table["go"] = plan_of(pick("a"))
    skills.offer("pick", busy_once)
    phases = []
    engine = make_engine(config={"retry_pause_s": 600.0})
    running = in_thread(engine, "go", tell=lambda u: phases.append(u.phase))
    wait_until(lambda: phases.count(Phase.EXECUTING) == 3)  # once for each visit, and again at its end
    running.mission.pause()
    wait_until(lambda: Phase.PAUSED in phases)
    wait_until(lambda: looks and not looks[-1]["may_start"])
    before = len(looks)
    threading.Event().wait(0.5)
    assert len(looks) - before < 20 and len(skills.calls) == 1
    running.mission.cancel()
    assert running.end().code == TaskCode.CANCELED
