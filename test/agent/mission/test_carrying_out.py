"""Plans carried out by real threads on a real StateGraph: order, conditions, failures, other ways."""

from __future__ import annotations

import threading
import time

import pytest
from scripted_parts import fail, fetch, plan_of

from zulong.agent.codes import SkillCode, TaskCode
from zulong.agent.htn import OfflinePlanner
from zulong.agent.htn.step import Step
from zulong.agent.local_skills import SkillError
from zulong.tasks import TaskStatus


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


@pytest.mark.feature("FC-10")
@pytest.mark.parametrize(
    ("answer", "fetched"), [("I would like an apple.", {"kind": "object", "name": "apple"}), ("hm", None)]
)
def test_what_somebody_asks_for_is_fetched_when_the_answer_names_it(
    make_engine, planner, skills, answer, fetched
) -> None:
    planner.thing_in_answer = OfflinePlanner().thing_in_answer
    planner.table["ask and fetch"] = plan_of(
        Step("ask", "ask", "ask_person", {"question": "what would you like?"}),
        Step("look", "look", "look_for", {"what": {"kind": "object", "name": "${ask.thing}"}}, depends_on=("ask",)),
    )  # fmt: skip
    skills.offer("ask_person", lambda a, c: {"answer": answer})
    skills.offer("look_for")
    outcome = make_engine().run("ask and fetch")
    looked = [arguments["what"] for name, arguments in skills.calls if name == "look_for"]
    assert looked == ([fetched] if fetched else [])
    if fetched:
        assert outcome.code == TaskCode.SUCCEEDED
    else:
        assert outcome.code != TaskCode.SUCCEEDED and answer in outcome.message
