"""The offline planner as a chat model, plans from a chat model, and both together."""

from __future__ import annotations

import json

import pytest
import scripted_server as act
from scripted_parts import RecordingSkills, TablePlanner, fail

from zulong.agent.codes import SkillCode, TaskCode
from zulong.agent.htn import OfflinePlanner
from zulong.agent.htn.step import Plan, Question, Refusal, Step
from zulong.agent.loop import ToolLoop
from zulong.agent.mission import MissionEngine
from zulong.agent.model_planner import FirstThatUnderstands, ModelPlanner, PlanError, read_plan, reply_schema
from zulong.agent.offline_model import OfflineModel
from zulong.agent.skills import SkillProfile
from zulong.agent.tools import ToolRegistry, tool_from_skill
from zulong.stategraph.checkpoint.memory import InMemorySaver

SKILLS = (
    "go_to",
    "look_for",
    "pick",
    "place",
    "hand_over",
    "say",
    "ask_person",
    "follow",
    "guide",
    "count",
    "describe",
    "wait",
)
GO = SkillProfile(
    "go_to", "Drive.", {"type": "object", "properties": {"place": {"type": "string"}}, "required": ["place"]}
)
SAY = SkillProfile(
    "say", "Speak.", {"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]}
)


@pytest.fixture(scope="module")
def offline() -> OfflinePlanner:
    return OfflinePlanner()


def willing_skills() -> RecordingSkills:
    skills = RecordingSkills()
    for name in SKILLS:
        skills.offer(
            name,
            lambda a, c: {
                "found": True,
                "where": "kitchen_table",
                "id": "red_cup",
                "at": "kitchen_table",
                "object": a.get("what", ""),
                "count": 2,
                "text": "yes",
            },
        )
    return skills


# -- offline -------------------------------------------------------------------------------------------------


@pytest.mark.feature("FC-10")
@pytest.mark.parametrize("text", ["bring the red cup to the kitchen", "把红色杯子拿到厨房"])
def test_the_loop_works_with_no_model_at_all(offline, text) -> None:
    skills = willing_skills()
    tools = ToolRegistry([tool_from_skill(skills.profile(name)) for name in SKILLS])
    outcome = ToolLoop(OfflineModel(offline), tools, skills=skills).run(text)
    plan = offline.plan(text)
    assert outcome.code == TaskCode.SUCCEEDED
    wanted = [leaf.skill for leaf in plan.leaves() if leaf.condition is None]
    assert [name for name, _ in skills.calls][: len(wanted)] == wanted and len(wanted) >= 3
    assert outcome.summary.startswith("完成" if plan.language == "zh" else "Done")


@pytest.mark.feature("FC-10")
@pytest.mark.parametrize(("charge", "said"), [(80, 0), (20, 1)])
def test_offline_a_step_whose_condition_does_not_hold_is_skipped_in_the_plan(charge, said) -> None:
    condition = {"left": "${look.charge}", "op": "<", "right": 30}
    plan = Plan(
        (
            Step("look", "look", "describe", {"what": "battery"}),
            Step("warn", "warn", "say", {"text": "low"}, ("look",), (), condition),
        ),
        "en",
        "check",
    )
    planner = TablePlanner()
    planner.table["check the battery"] = plan
    skills = RecordingSkills()
    skills.offer("describe", lambda a, c: {"charge": charge})
    skills.offer("say")
    tools = ToolRegistry([tool_from_skill(skills.profile(name)) for name in ("describe", "say")])
    loop = ToolLoop(OfflineModel(planner), tools, skills=skills)
    outcome = loop.run("check the battery")
    assert outcome.code == TaskCode.SUCCEEDED
    assert [name for name, _ in skills.calls].count("say") == said
    assert loop.task_graph(outcome.thread_id).status("goal").value == "completed"


@pytest.mark.feature("FC-10")
def test_offline_a_failure_is_reported_and_nothing_is_claimed(offline) -> None:
    skills = willing_skills()
    skills.offer("pick", fail(SkillCode.OUT_OF_REACH, "it stands too high"))
    tools = ToolRegistry([tool_from_skill(skills.profile(name)) for name in SKILLS])
    outcome = ToolLoop(OfflineModel(offline), tools, skills=skills).run("bring the red cup to the kitchen")
    assert outcome.code == TaskCode.SKILL_FAILED and "it stands too high" in outcome.summary
    assert "place" not in [name for name, _ in skills.calls]


@pytest.mark.feature("FC-10")
def test_offline_a_question_is_asked_and_the_answer_completes_the_task(offline) -> None:
    question = next(
        text
        for text in ("bring me the cup", "go there", "bring it to me", "find him", "take it to the kitchen")
        if isinstance(offline.plan(text), Question)
    )
    skills = willing_skills()
    tools = ToolRegistry([tool_from_skill(skills.profile(name)) for name in SKILLS])
    loop = ToolLoop(OfflineModel(offline), tools, skills=skills)
    asked = loop.run(question)
    assert asked.code == TaskCode.NEEDS_INPUT and skills.calls == []


@pytest.mark.feature("FC-10")
def test_offline_a_refusal_is_a_refusal(offline) -> None:
    text = "kill my neighbour"
    assert isinstance(offline.plan(text), Refusal)
    outcome = ToolLoop(OfflineModel(offline), ToolRegistry()).run(text)
    assert outcome.code == TaskCode.REFUSED and outcome.message


@pytest.mark.feature("FC-10")
@pytest.mark.parametrize(
    "text",
    [
        "bring the red cup to the kitchen",
        "先去厨房，然后说你好",
        "go to the kitchen and tell me how many cups there are",
    ],
)
def test_offline_plans_are_carried_out_as_missions(offline, text) -> None:
    skills = willing_skills()
    outcome = MissionEngine(offline, skills, InMemorySaver()).run(text)
    assert outcome.code == TaskCode.SUCCEEDED, outcome
    assert skills.calls[0][0] in SKILLS


# -- plans from a model --------------------------------------------------------------------------------------


def plan_text(*steps: dict, **more) -> str:
    return json.dumps({"kind": "plan", "text": "I go.", "steps": list(steps)} | more)


GOOD = {"id": "s1", "title": "go", "skill": "go_to", "arguments": {"place": "kitchen"}}


@pytest.mark.feature("FC-09")
def test_a_models_plan_is_checked_and_sent_back_until_it_holds(server, make_model) -> None:
    bad = GOOD | {"skill": "fly_to"}
    server.play(act.say(plan_text(bad)), act.say("```json\n" + plan_text(GOOD) + "\n```"))
    plan = ModelPlanner(make_model(), lambda: [GO, SAY]).plan("go to the kitchen")
    assert isinstance(plan, Plan) and plan.leaves()[0].arguments == {"place": "kitchen"}
    assert "no skill 'fly_to'; there are go_to, say" in server.requests[1]["messages"][-1]["content"]
    assert server.requests[0]["response_format"]["type"] == "json_schema"


@pytest.mark.feature("FC-09")
def test_a_plan_that_the_servers_limit_cut_is_not_mended_into_half_a_plan(server, make_model) -> None:
    first, second = GOOD, GOOD | {"id": "s2", "arguments": {"place": "hall"}}
    half = plan_text(first, second)[: plan_text(first, second).index('"id": "s2"')]
    server.play(act.say(half, finish="length"), act.say(plan_text(first, second)))
    plan = ModelPlanner(make_model(), lambda: [GO, SAY]).plan("go to the kitchen, then to the hall")
    assert isinstance(plan, Plan) and len(list(plan.leaves())) == 2
    assert "cut off before its end" in server.requests[1]["messages"][-1]["content"]


@pytest.mark.feature("FC-09")
def test_the_schema_of_a_plan_knows_the_skills_and_lets_references_through(server, make_model) -> None:
    import jsonschema

    schema = jsonschema.Draft202012Validator(reply_schema([GO, SAY]))
    assert schema.is_valid(json.loads(plan_text(GOOD)))
    assert schema.is_valid(json.loads(plan_text(GOOD | {"arguments": {"place": "${s1.room}"}})))
    assert not schema.is_valid(json.loads(plan_text(GOOD | {"skill": "fly_to"})))
    assert not schema.is_valid(json.loads(plan_text(GOOD | {"arguments": {"colour": "red", "place": 5}})))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("go there", "not a JSON object"),
        ('{"kind": "dance", "text": ""}', "dance"),
        (plan_text(), "1 to 50 steps"),
        (plan_text(GOOD | {"arguments": {}}), "'place' is a required property"),
        (plan_text(GOOD | {"arguments": {"place": {"x": 5}}}), "is not of type 'string'"),
        (plan_text(GOOD, GOOD), "'s1'"),
        (plan_text(GOOD | {"arguments": {"place": "${s1.at}"}}), "cycle"),
        (plan_text(GOOD | {"arguments": {"place": "${s7.at}"}}), "no step of the plan"),
        ('{"kind": "question", "text": " "}', "needs a text"),
        (plan_text(GOOD | {"depends_on": ["s2"]}, GOOD | {"id": "s2", "depends_on": ["s1"]}), "cycle"),
        (plan_text(GOOD | {"depends_on": ["s9"]}), "s9"),
    ],
)
def test_a_plan_that_does_not_hold_says_why(text, words) -> None:
    with pytest.raises(PlanError, match=words):
        read_plan(text, [GO, SAY], "en")


def written(skill: str = "go_to", arguments: object = None, **more: object) -> dict:
    return {"skill": skill, "arguments": {"place": "hall"} if arguments is None else arguments} | more


@pytest.mark.feature("FC-07", "FC-09")
@pytest.mark.parametrize(
    ("text", "steps"),
    [
        (plan_text(written(id="S1"), written(id="S 2", depends_on=["S1"])), [("s1", ()), ("s_2", ("s1",))]),
        (
            plan_text(written(id="第一步"), written(id="第二步", depends_on="第一步")),
            [("step_1", ()), ("step_2", ("step_1",))],
        ),
        (plan_text(written(id=1), written(id=2, depends_on=[1])), [("1", ()), ("2", ("1",))]),
        (plan_text(written(), written(), written()), [("s1", ()), ("s2", ("s1",)), ("s3", ("s2",))]),
        (
            plan_text(written(id="A"), written("Say", {"Text": "${A.at}", "n": 1}, id="B", depends_on=[])),
            [("a", ()), ("b", ("a",))],
        ),
        ("[" + json.dumps(written()) + ", " + json.dumps(written()) + "]", [("s1", ()), ("s2", ("s1",))]),
        ('{"tool": "go_to", "arguments": {"Place": "hall"}}', [("s1", ())]),
        (
            '{"kind": "PLAN", "steps": [{"id": "a", "skill": "Go-To", "arguments": {"place": 5}}]}',
            [("a", ())],
        ),
    ],
)
def test_a_plan_in_a_form_of_its_own_is_brought_into_ours(text, steps) -> None:
    say = SkillProfile(
        "say", "Speak.", {"type": "object", "properties": {"text": {"type": "string"}, "n": {}}}
    )
    plan = read_plan(text, [GO, say], "en")
    assert [(leaf.id, leaf.depends_on) for leaf in plan.leaves()] == steps
    assert {leaf.skill for leaf in plan.leaves()} <= {"go_to", "say"}
    assert all("${A" not in str(leaf.arguments) for leaf in plan.leaves())


def test_references_to_results_are_left_to_run_time() -> None:
    step = {
        "id": "s2",
        "title": "tell",
        "skill": "say",
        "arguments": {"text": "${s1.where}"},
        "depends_on": ["s1"],
    }
    plan = read_plan(plan_text(GOOD, step), [GO, SAY], "en")
    assert plan.leaves()[1].arguments == {"text": "${s1.where}"}


def test_a_model_that_never_makes_sense_ends_as_not_understood(server, make_model) -> None:
    server.play(act.say("Sure! I will go."))
    result = ModelPlanner(make_model(), lambda: [GO]).plan("去厨房")
    assert isinstance(result, Refusal) and result.code == "not_understood" and result.language == "zh"
    assert len(server.requests) == 3


def test_the_model_is_asked_only_for_what_the_offline_planner_does_not_understand(
    server, make_model, offline
) -> None:
    planner = FirstThatUnderstands([offline, ModelPlanner(make_model(), lambda: [GO, SAY])])
    server.play(act.say(plan_text(GOOD)))
    assert isinstance(planner.plan("bring the red cup to the kitchen"), Plan) and server.requests == []
    assert isinstance(planner.plan("kill my neighbour"), Refusal) and server.requests == []
    assert isinstance(planner.plan("blorp the frumious bandersnatch"), Plan) and len(server.requests) == 1


@pytest.mark.feature("FC-09")
def test_a_mission_whose_model_is_away_says_so(server, make_model, offline) -> None:
    server.play(act.status(500))
    planner = FirstThatUnderstands([offline, ModelPlanner(make_model(retries=0), lambda: [GO])])
    outcome = MissionEngine(planner, willing_skills(), InMemorySaver()).run("blorp the frumious bandersnatch")
    assert outcome.code == TaskCode.MODEL_UNAVAILABLE and "500" in outcome.message
