"""Approvals before risky skills, and questions about what nobody knows after a break."""

from __future__ import annotations

import threading

import pytest
from scripted_parts import fail, fetch, plan_of, wait_until

from zulong.agent.approval import ApprovalDesk
from zulong.agent.codes import SkillCode, TaskCode
from zulong.agent.htn.step import Step


@pytest.mark.feature("FC-08")
@pytest.mark.parametrize(
    ("mode", "profile", "answer", "code"),
    [
        ("risky", "always", True, TaskCode.SUCCEEDED),
        ("risky", "risky", False, TaskCode.APPROVAL_DENIED),
        ("risky", "risky", None, TaskCode.APPROVAL_DENIED),
        ("always", "never", True, TaskCode.SUCCEEDED),
        ("never", "always", "unasked", TaskCode.SUCCEEDED),
        ("risky", "never", "unasked", TaskCode.SUCCEEDED),
    ],
)
def test_a_risky_skill_waits_for_a_yes_and_silence_is_a_no(
    make_engine, planner, skills, mode, profile, answer, code
) -> None:
    desk = ApprovalDesk()
    asked = []

    def listen(request, state):
        if state == "pending":
            asked.append(request)
            if answer is not None:
                desk.answer(request.request_id, answer, "anna")

    desk.on_change(listen)
    planner.table["go"] = plan_of(fetch())
    skills.offer("pick", approval=profile)
    outcome = make_engine(desk=desk, config={"approval": mode, "approval_time_limit_s": 0.2}).run("go")
    assert outcome.code == code
    assert len(asked) == (answer != "unasked")
    assert len(skills.calls) == (code == TaskCode.SUCCEEDED)
    assert desk.open_requests == ()


def test_a_cancel_while_approval_is_awaited_withdraws_the_request(
    make_engine, planner, skills, in_thread
) -> None:
    desk = ApprovalDesk()
    planner.table["go"] = plan_of(fetch())
    skills.offer("pick", approval="always")
    running = in_thread(make_engine(desk=desk), "go")
    wait_until(lambda: desk.open_requests)
    running.mission.cancel()
    assert running.end().code == TaskCode.CANCELED
    assert desk.open_requests == () and skills.calls == []


@pytest.mark.parametrize(("answer", "calls"), [("yes, it is done", 1), ("没有", 2)])
def test_after_a_break_at_an_unknown_point_the_user_is_asked_before_anything_is_repeated(
    make_engine, planner, skills, answer, calls
) -> None:
    planner.table["go"] = plan_of(fetch(), Step("b", "b", "say", depends_on=("fetch",)))
    ends = iter([fail(SkillCode.OUTCOME_UNKNOWN), lambda a, c: {}])
    skills.offer("pick", lambda a, c: next(ends)(a, c))
    skills.offer("say")
    engine = make_engine()
    asked = engine.run("go")
    assert asked.code == TaskCode.NEEDS_INPUT and "fetch the cup" in asked.message
    vague = engine.carry_out(engine.resume(asked.thread_id, "purple"))
    assert vague.code == TaskCode.NEEDS_INPUT
    assert engine.carry_out(engine.resume(asked.thread_id, answer)).code == TaskCode.SUCCEEDED
    assert [n for n, _ in skills.calls].count("pick") == calls


def test_a_broken_off_skill_without_side_effects_is_simply_repeated(make_engine, planner, skills) -> None:
    planner.table["go"] = plan_of(Step("a", "a", "look_for"))
    ends = iter([fail(SkillCode.OUTCOME_UNKNOWN), lambda a, c: {}])
    skills.offer("look_for", lambda a, c: next(ends)(a, c), has_side_effects=False)
    assert make_engine().run("go").code == TaskCode.SUCCEEDED and len(skills.calls) == 2


@pytest.mark.feature("FC-06")
def test_what_did_not_come_to_rest_before_a_cancel_is_asked_about_and_not_repeated(
    make_engine, planner, skills, in_thread
) -> None:
    deaf = threading.Event()
    planner.table["go"] = plan_of(fetch())
    skills.offer("pick", lambda a, c: {"ended": deaf.wait(10)})
    engine = make_engine(config={"cancel_time_limit_s": 0.1})
    running = in_thread(engine, "go")
    assert skills.begun.wait(10)
    running.mission.cancel("stop")
    assert running.end().code == TaskCode.CANCELED
    deaf.set()
    asked = engine.carry_out(engine.resume(running.mission.thread_id))
    assert asked.code == TaskCode.NEEDS_INPUT and "fetch the cup" in asked.message
    done = engine.carry_out(engine.resume(running.mission.thread_id, "yes, it was done"))
    assert done.code == TaskCode.SUCCEEDED and len(skills.calls) == 1
