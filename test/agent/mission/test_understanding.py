"""From words to a plan: questions, refusals, a planner that breaks, goals that cannot begin."""

from __future__ import annotations

import pytest
from scripted_parts import fetch, plan_of

from zulong.agent.codes import TaskCode
from zulong.agent.htn.step import Question, Refusal
from zulong.agent.mission import MissionError, ModelUnavailableError


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
