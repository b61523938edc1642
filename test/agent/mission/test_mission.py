"""Missions over real threads and a real StateGraph: plans carried out, repaired, stopped, resumed."""

from __future__ import annotations

import threading
import time

import pytest
from scripted_parts import fail, plan_of, until_canceled, wait_until

from zulong.agent.approval import ApprovalDesk
from zulong.agent.codes import Phase, SkillCode, TaskCode
from zulong.agent.htn.step import Question, Refusal, Step
from zulong.agent.local_skills import SkillError
from zulong.agent.mission import MissionError, ModelUnavailableError
from zulong.agent.surroundings import Surroundings
from zulong.tasks import TaskStatus


class Running:
    """A mission in a thread of its own."""

    def __init__(self, engine, mission) -> None:
        self.mission = mission
        self.outcome = None
        self.thread = threading.Thread(target=self._run, args=(engine,), daemon=True)
        self.thread.start()

    def _run(self, engine) -> None:
        self.outcome = engine.carry_out(self.mission)

    def end(self, limit_s: float = 15.0):
        self.thread.join(limit_s)
        assert not self.thread.is_alive(), "the mission did not end in time"
        return self.outcome


@pytest.fixture
def in_thread():
    def start(engine, *args, **options):
        return Running(engine, engine.start(*args, **options))

    return start


def fetch(**more) -> Step:
    return Step("fetch", "fetch the cup", "pick", {"object": "red_cup"}, **more)


@pytest.mark.feature("FC-01", "FC-10")
def test_a_plan_runs_in_the_order_of_its_dependencies_and_passes_results_on(
    make_engine, planner, skills
) -> None:
    planner.table["find and tell"] = plan_of(
        Step("look", "look for the cup", "look_for", {"what": "cup"}),
        Step("tell", "say where it is", "say", {"text": "It is on ${look.where}."}, depends_on=("look",)),
    )
    skills.offer("look_for", lambda a, c: {"where": "the desk"})
    skills.offer("say")
    outcome = make_engine().run("find and tell")
    assert outcome.code == TaskCode.SUCCEEDED and outcome.message == ""
    assert skills.calls == [("look_for", {"what": "cup"}), ("say", {"text": "It is on the desk."})]
    assert outcome.skill_calls == 2 and "look for the cup" in outcome.summary


def test_independent_leaves_run_at_the_same_time_but_one_body_does_one_thing(
    make_engine, planner, skills
) -> None:
    both = threading.Barrier(2, timeout=10)

    def meet(arguments, context):
        both.wait()

    moving = []

    def move(arguments, context):
        moving.append(1)
        assert len(moving) == 1
        time.sleep(0.05)
        moving.pop()

    planner.table["go"] = plan_of(
        Step("sing", "sing", "say", {}),
        Step("count", "count", "count", {}),
        Step("a", "go", "go_to", {"place": "a"}),
        Step("b", "pick", "pick", {"place": "b"}),
    )
    skills.offer("say", meet)
    skills.offer("count", meet)
    skills.offer("go_to", move, moves_base=True)
    skills.offer("pick", move, uses_arm=True)
    assert make_engine().run("go").code == TaskCode.SUCCEEDED


def test_a_fast_leaf_lets_its_successor_start_while_a_slow_one_runs(make_engine, planner, skills) -> None:
    tail = threading.Event()
    planner.table["go"] = plan_of(
        Step("slow", "slow", "wait", {}),
        Step("fast", "fast", "say", {}),
        Step("next", "next", "count", {}, depends_on=("fast",)),
    )
    skills.offer("wait", lambda a, c: {"in_time": tail.wait(10)})
    skills.offer("say")
    skills.offer("count", lambda a, c: tail.set() or {})
    engine = make_engine()
    outcome = engine.run("go")
    assert engine.task_graph(outcome.thread_id).node("slow").result == {"in_time": True}


def test_conditions_decide_when_their_turn_comes(make_engine, planner, skills) -> None:
    closed = {"left": "${look.door}", "op": "==", "right": "closed"}
    planner.table["go"] = plan_of(
        Step("look", "look", "look_for", {}),
        Step(
            "knock",
            "knock",
            None,
            children=(Step("k", "k", "say", {"text": "knock"}),),
            depends_on=("look",),
            condition=closed,
        ),
        Step("enter", "enter", "go_to", {}, depends_on=("knock",)),
    )
    skills.offer("say")
    skills.offer("go_to")
    for door, said in (("open", 0), ("closed", 1)):
        skills.calls.clear()
        skills.offer("look_for", lambda a, c, door=door: {"door": door})
        assert make_engine().run("go").code == TaskCode.SUCCEEDED
        assert [name for name, _ in skills.calls].count("say") == said
        assert skills.calls[-1][0] == "go_to"


@pytest.mark.feature("FC-10")
def test_a_passing_failure_is_retried_under_a_new_key(make_engine, planner, skills) -> None:
    attempts = []

    def busy_once(arguments, context):
        attempts.append(context.call.idempotency_key)
        if len(attempts) == 1:
            raise SkillError(SkillCode.BUSY, "the arm is in use")

    planner.table["go"] = plan_of(fetch())
    skills.offer("pick", busy_once)
    assert make_engine().run("go").code == TaskCode.SUCCEEDED
    assert len(set(attempts)) == 2 and attempts[0].endswith("/fetch/1")


@pytest.mark.feature("FC-10")
def test_alternatives_are_tried_in_order_and_what_waits_for_the_branch_waits_for_them(
    make_engine, planner, skills
) -> None:
    def way(n):
        return (
            Step("look", f"look at {n}", "look_for", {"where": n}),
            Step("take", "take", "pick", {"from": n}, depends_on=("look",)),
        )

    planner.table["go"] = plan_of(
        Step("get", "get it", None, children=way("desk"), alternatives=(way("shelf"), way("sofa"))),
        Step("serve", "serve", "place", {}, depends_on=("take",)),
    )

    def look(arguments, context):
        if arguments["where"] != "sofa":
            raise SkillError(SkillCode.NOT_FOUND, "not here")

    for name, script in (("look_for", look), ("pick", None), ("place", None)):
        skills.offer(name, script)
    engine = make_engine()
    outcome = engine.run("go")
    assert outcome.code == TaskCode.SUCCEEDED
    assert [(n, a.get("where") or a.get("from")) for n, a in skills.calls] == [
        ("look_for", "desk"),
        ("look_for", "shelf"),
        ("look_for", "sofa"),
        ("pick", "sofa"),
        ("place", None),
    ]
    assert engine.task_graph(outcome.thread_id).status("get") is TaskStatus.COMPLETED


@pytest.mark.feature("FC-10")
def test_the_planner_is_asked_for_another_plan_when_no_alternative_is_left(
    make_engine, planner, skills
) -> None:
    seen = []

    def replan(failure, context):
        seen.append((failure.node.id, failure.code, failure.message))
        return plan_of(Step("ask", "ask for it", "ask_person", {})) if len(seen) == 1 else None

    planner.replan = replan
    planner.table["go"] = plan_of(fetch(), Step("serve", "serve", "place", {}, depends_on=("fetch",)))
    skills.offer("pick", fail(SkillCode.OUT_OF_REACH, "too high"))
    skills.offer("ask_person")
    skills.offer("place")
    assert make_engine().run("go").code == TaskCode.SUCCEEDED
    assert seen == [("fetch", SkillCode.OUT_OF_REACH, "too high")]
    assert [n for n, _ in skills.calls] == ["pick", "ask_person", "place"]


@pytest.mark.parametrize(
    ("skill_code", "task_code"),
    [
        (SkillCode.NOT_FOUND, TaskCode.SKILL_FAILED),
        (SkillCode.UNREACHABLE, TaskCode.UNREACHABLE),
        (SkillCode.ABORTED_BY_SAFETY, TaskCode.ABORTED_BY_SAFETY),
        (SkillCode.INTERNAL, TaskCode.SKILL_FAILED),
    ],
)
def test_a_failure_for_good_skips_what_depends_on_it_finishes_the_rest_and_says_why(
    make_engine, planner, skills, skill_code, task_code
) -> None:
    planner.table["go"] = plan_of(
        fetch(), Step("serve", "serve", "place", depends_on=("fetch",)), Step("sing", "sing", "say")
    )
    skills.offer("pick", fail(skill_code, "the reason"))
    skills.offer("place")
    skills.offer("say")
    outcome = make_engine().run("go")
    assert (
        outcome.code == task_code and "the reason" in outcome.message and "fetch the cup" in outcome.message
    )
    assert {n for n, _ in skills.calls} == {"pick", "say"} and "sing" in outcome.summary


def test_a_skill_that_nobody_offers_is_named(make_engine, planner, skills) -> None:
    planner.table["go"] = plan_of(fetch())
    outcome = make_engine().run("go")
    assert outcome.code == TaskCode.SKILL_MISSING and "pick" in outcome.message


def test_a_performer_that_never_reports_is_given_up(make_engine, planner, skills) -> None:
    planner.table["go"] = plan_of(fetch())
    skills.offer("pick", lambda a, c: time.sleep(8))
    start = time.monotonic()
    outcome = make_engine(config={"skill_time_limit_s": 0.2, "cancel_time_limit_s": 0.2}).run("go")
    assert outcome.code == TaskCode.SKILL_FAILED and "0.2 s" in outcome.message
    assert time.monotonic() - start < 6


def test_a_result_that_is_referred_to_and_missing_fails_the_step_before_it_acts(
    make_engine, planner, skills
) -> None:
    planner.table["go"] = plan_of(
        Step("a", "a", "say"), Step("b", "b", "pick", {"object": "${a.found}"}, depends_on=("a",))
    )
    skills.offer("say")
    skills.offer("pick")
    outcome = make_engine().run("go")
    assert outcome.code == TaskCode.SKILL_FAILED and "a.found" in outcome.message
    assert [n for n, _ in skills.calls] == ["say"]


# -- understanding -------------------------------------------------------------------------------------------


def test_a_question_suspends_the_thread_and_the_answer_continues_it_with_the_context(
    make_engine, planner, skills
) -> None:
    planner.table["bring the cup"] = Question(
        "Which cup?", "object", ("red", "blue"), context={"open": "cup"}
    )
    planner.table["the red one"] = plan_of(fetch())
    skills.offer("pick")
    engine = make_engine()
    asked = engine.run("bring the cup")
    assert asked.code == TaskCode.NEEDS_INPUT and asked.question == {
        "text": "Which cup?",
        "slot": "object",
        "options": ["red", "blue"],
    }
    still = engine.carry_out(make_engine().resume(asked.thread_id))
    assert still.code == TaskCode.NEEDS_INPUT and skills.calls == []
    outcome = engine.carry_out(make_engine().resume(asked.thread_id, "the red one"))
    assert outcome.code == TaskCode.SUCCEEDED and skills.calls == [("pick", {"object": "red_cup"})]
    assert planner.asked[-1] == ("the red one", {"open": "cup"})


@pytest.mark.parametrize(
    ("refusal", "code"),
    [
        ("missing_skill", TaskCode.SKILL_MISSING),
        ("dangerous", TaskCode.REFUSED),
        ("unknown_object", TaskCode.UNKNOWN_OBJECT),
        ("unknown_place", TaskCode.UNKNOWN_PLACE),
        ("unknown_person", TaskCode.UNKNOWN_PERSON),
        ("not_understood", TaskCode.NOT_UNDERSTOOD),
    ],
)
def test_a_refusal_ends_with_its_code_and_sentence(make_engine, planner, refusal, code) -> None:
    planner.table["x"] = Refusal(refusal, "因为……", language="zh")
    outcome = make_engine().run("x")
    assert outcome.code == code and outcome.message == "因为……"


def test_a_planner_whose_model_is_away_or_that_breaks_ends_with_a_typed_code(make_engine, planner) -> None:
    def away():
        raise ModelUnavailableError("the model at http://localhost does not answer")

    def broken():
        raise RuntimeError("boom")

    planner.table |= {"a": away, "b": broken}
    assert make_engine().run("a").code == TaskCode.MODEL_UNAVAILABLE
    outcome = make_engine().run("b")
    assert outcome.code == TaskCode.INTERNAL and "boom" in outcome.message


def test_an_empty_goal_and_bad_limits_are_refused_before_anything_runs(make_engine) -> None:
    engine = make_engine()
    for options in (
        {"instruction": "  "},
        {"instruction": "x", "skill_budget": -2},
        {"instruction": "x", "time_limit_s": 0},
    ):
        with pytest.raises(MissionError) as caught:
            engine.start(**options)
        assert caught.value.code is TaskCode.INVALID_GOAL
    with pytest.raises(MissionError) as caught:
        engine.resume("nobody")
    assert caught.value.code is TaskCode.UNKNOWN_THREAD
    held = engine.start("x")
    with pytest.raises(MissionError) as caught:
        engine.start("y", thread_id=held.thread_id)
    assert caught.value.code is TaskCode.THREAD_BUSY
    engine.release(held)
    engine.start("y", thread_id=held.thread_id)


# -- limits --------------------------------------------------------------------------------------------------


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


# -- cancel --------------------------------------------------------------------------------------------------


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


# -- steering ------------------------------------------------------------------------------------------------


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


# -- approval ------------------------------------------------------------------------------------------------


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


# -- unknown ends --------------------------------------------------------------------------------------------


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


# -- telling -------------------------------------------------------------------------------------------------


def test_feedback_carries_the_graph_after_each_change_and_the_progress_of_leaves(
    make_engine, planner, skills
) -> None:
    planner.table["go"] = plan_of(fetch(), Step("b", "b", "say", depends_on=("fetch",)))
    skills.offer("pick", lambda a, c: c.report(0.5, "half way"))
    skills.offer("say")
    statuses, progress = [], []

    def tell(update) -> None:
        if update.graph is not None and "fetch" in update.graph:
            statuses.append((update.graph.status("fetch").value, update.graph.status("b").value))
        if update.node_id:
            progress.append((update.node_id, update.progress, update.message))
        raise RuntimeError("a broken listener disturbs nothing")

    assert make_engine().run("go", tell=tell).code == TaskCode.SUCCEEDED
    assert statuses == [
        ("pending", "pending"),
        ("in_progress", "pending"),
        ("completed", "pending"),
        ("completed", "in_progress"),
        ("completed", "completed"),
    ]
    assert progress == [("fetch", 0.5, "half way")]


def test_a_ready_plan_is_followed_without_the_planner(make_engine, planner, skills) -> None:
    skills.offer("pick")
    outcome = make_engine().run(plan=plan_of(fetch(), language="zh"))
    assert outcome.code == TaskCode.SUCCEEDED and outcome.summary.startswith("完成了")
    assert planner.asked == []


def test_the_history_of_a_thread_shows_the_graph_at_each_checkpoint(make_engine, planner, skills) -> None:
    planner.table["go"] = plan_of(fetch())
    skills.offer("pick")
    engine = make_engine()
    outcome = engine.run("go")
    versions = [engine.task_graph(outcome.thread_id, c).version for c, _ in engine.history(outcome.thread_id)]
    assert versions == sorted(versions, reverse=True) and versions[0] > versions[-1] == 0
