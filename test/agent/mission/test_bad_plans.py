"""A plan that cannot be followed is refused before anything is done, with the step and the reason."""

from __future__ import annotations

import re
from typing import Any

import pytest
from scripted_parts import fail, fetch, plan_of

from zulong.agent.chat.errors import ModelUnavailableError
from zulong.agent.codes import SkillCode, TaskCode
from zulong.agent.htn.step import Plan, Step
from zulong.agent.mission import MissionError


def step(id: str, **more: Any) -> Step:
    return Step(id, id, "say", more.pop("arguments", {}), **more)


def nested(levels: int) -> Step:
    inner = step("inner")
    for level in range(levels):
        inner = Step(f"level{level}", "deeper", None, {}, children=(inner,))
    return inner


BAD = {
    "ghost": [step("a", depends_on=("ghost",))],
    "a -> b -> a|b -> a -> b": [step("a", depends_on=("b",)), step("b", depends_on=("a",))],
    "the id 'a'": [step("a"), step("a")],
    "not empty": [step("")],
    "a -> goal": [step("a", depends_on=("goal",))],
    "condition of step 'a'": [step("a", condition={"left": 1, "op": "~", "right": 1})],
    "compensation of step 'a'": [step("a", compensation={"undo": "it"})],
    "alternative of step 'a'": [step("a", alternatives=("another way",))],
    "plain values": [step("a", arguments={"x": {1, 2}})],
}


@pytest.mark.parametrize(("words", "steps"), BAD.items(), ids=list(BAD))
def test_a_plan_that_cannot_be_followed_is_refused_or_ends_the_mission(
    make_engine, planner, skills, words, steps
) -> None:
    skills.offer("say")
    with pytest.raises(MissionError, match=words) as caught:
        make_engine().start(plan=plan_of(*steps))
    assert caught.value.code is TaskCode.INVALID_GOAL
    planner.table["go"] = plan_of(step("fine"), *steps) if words != "the id 'a'" else plan_of(*steps)
    engine = make_engine()
    outcome = engine.run("go")
    assert outcome.code == TaskCode.INTERNAL and re.search(words, outcome.message)
    assert skills.calls == []
    planner.table["go on"] = plan_of(step("fine"))
    assert engine.run("go on").code == TaskCode.SUCCEEDED


def test_an_empty_and_a_bottomless_plan_are_refused(make_engine) -> None:
    with pytest.raises(MissionError, match="no steps"):
        make_engine().start(plan=Plan((), "en", "nothing"))
    with pytest.raises(MissionError, match="levels deep"):
        make_engine().start(plan=plan_of(nested(3000)))


def test_a_way_that_is_no_plan_is_passed_over(make_engine, planner, skills) -> None:
    ways = ({"title": "no id"}, (step("b", depends_on=("ghost",)),), (step("c", arguments={"n": 3}),))
    planner.table["go"] = plan_of(fetch(alternatives=ways))
    skills.offer("pick", fail(SkillCode.NOT_FOUND))
    skills.offer("say")
    assert make_engine().run("go").code == TaskCode.SUCCEEDED
    assert skills.calls == [("pick", {"object": "red_cup"}), ("say", {"n": 3})]


@pytest.mark.parametrize("found", [plan_of(step("b", depends_on=("ghost",))), ModelUnavailableError("away")])
def test_another_plan_that_cannot_be_had_leaves_the_failure_as_it_was(
    make_engine, planner, skills, found
) -> None:
    def replan(failure, context):
        if isinstance(found, Exception):
            raise found
        return found

    planner.replan = replan
    planner.table["go"] = plan_of(fetch())
    skills.offer("pick", fail(SkillCode.OUT_OF_REACH, "too high"))
    outcome = make_engine().run("go")
    assert outcome.code == TaskCode.SKILL_FAILED and "too high" in outcome.message


def test_a_result_that_could_not_be_stored_is_put_into_words(make_engine, planner, skills) -> None:
    planner.table["go"] = plan_of(
        step("a"), Step("b", "b", "pick", {"seen": "${a.where}"}, depends_on=("a",))
    )
    skills.offer("say", lambda a, c: {"where": complex(1, 2), "n": {3}})
    skills.offer("pick")
    assert make_engine().run("go").code == TaskCode.SUCCEEDED
    assert skills.calls[-1] == ("pick", {"seen": "(1+2j)"})
