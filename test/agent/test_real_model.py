"""A real small model behind a real server: it talks, calls tools, plans; and its slips are caught.

Needs an OpenAI-compatible server that follows JSON schemas (llama.cpp's does): ZULONG_TEST_LLM_URL (such as
http://127.0.0.1:8080/v1) and, where the server asks for one, the model's name in ZULONG_TEST_LLM_NAME. A model of
half a billion parameters will do: what is asserted holds whatever the model says, except where calls are bound by
a schema, which the smallest models manage as well.
"""

from __future__ import annotations

import os

import pytest

from zulong.agent.chat import ChatRequest, JsonCalls, OpenAIModel, OpenAISettings, complete
from zulong.agent.codes import SkillCode, TaskCode
from zulong.agent.htn.step import Plan, Question, Refusal
from zulong.agent.latch import CancelLatch
from zulong.agent.local_skills import LocalSkills, SkillError
from zulong.agent.loop import LoopSettings, ToolLoop
from zulong.agent.mission import MissionEngine
from zulong.agent.model_planner import ModelPlanner
from zulong.agent.skills import SkillProfile
from zulong.agent.tools import ToolRegistry
from zulong.stategraph.checkpoint.memory import InMemorySaver

URL = os.environ.get("ZULONG_TEST_LLM_URL")
pytestmark = [
    pytest.mark.model,
    pytest.mark.feature("FC-09"),
    pytest.mark.timeout(1200),
    pytest.mark.skipif(not URL, reason="set ZULONG_TEST_LLM_URL to an OpenAI-compatible server"),
]


def model_of(max_tokens: int) -> OpenAIModel:
    name = os.environ.get("ZULONG_TEST_LLM_NAME", "local")
    patient = {"first_s": 400.0, "idle_s": 120.0, "total_s": 900.0}
    limits = {"context_window": 8192, "max_tokens": max_tokens, "temperature": 0.0}
    return OpenAIModel(OpenAISettings(name, str(URL), **patient, **limits))


@pytest.fixture
def model() -> OpenAIModel:
    return model_of(160)


@pytest.fixture
def planner() -> OpenAIModel:
    return model_of(400)


# How a task may end that the model is not up to.
_HONEST = (
    TaskCode.SKILL_FAILED,
    TaskCode.NEEDS_INPUT,
    TaskCode.MODEL_UNAVAILABLE,
    TaskCode.TIME_LIMIT,
    TaskCode.REFUSED,
)


class Room:
    """Things and where they are, with tools that really look and move."""

    def __init__(self) -> None:
        self.places = {"red cup": "kitchen table", "blue cup": "desk", "book": "shelf"}
        self.calls: list[tuple[str, ...]] = []
        self.tools = ToolRegistry()

        @self.tools.function()
        def look_for(what: str) -> str:
            """Find out where a thing is.

            Args:
                what: name of the thing, such as "red cup".
            """
            self.calls.append(("look_for", what))
            return f"{what} is on the {self.places[what]}" if what in self.places else f"{what} was not found"

        @self.tools.function(has_side_effects=True)
        def move(what: str, to: str) -> str:
            """Carry a thing to a place.

            Args:
                what: name of the thing.
                to: the place.
            """
            self.calls.append(("move", what, to))
            if what not in self.places:
                raise ValueError(f"there is no {what}")
            self.places[what] = to
            return f"{what} is now on the {to}"

        @self.tools.function()
        def battery() -> dict:
            """Return the charge of the battery."""
            self.calls.append(("battery",))
            return {"percent": 64}


def loop_of(model, room: Room) -> ToolLoop:
    settings = LoopSettings(time_limit_s=600.0, approval="never", own_tools=(), max_reply_chars=1500)
    return ToolLoop(model, room.tools, settings=settings)


def test_it_speaks_as_it_thinks(model) -> None:
    heard: list[str] = []
    request = ChatRequest([{"role": "user", "content": "Say: hello"}], max_tokens=20, temperature=0.0)
    reply = complete(model, request, CancelLatch(), on_text=heard.append)
    assert "hello" in reply.text.lower() and len(heard) > 1


@pytest.mark.feature("FC-01", "FC-06")
@pytest.mark.parametrize("text", ["Where is the red cup?", "红色杯子（red cup）在哪里？"])
def test_with_calls_by_schema_it_asks_the_tool_and_ends(model, text) -> None:
    room, words = Room(), []
    outcome = loop_of(JsonCalls(model), room).run(
        text, tell=lambda e: words.append(e["text"]) if e["event"] == "token" else None
    )
    assert any(call[0] == "look_for" for call in room.calls)
    assert outcome.code in (TaskCode.SUCCEEDED, *_HONEST)
    if outcome.code == TaskCode.SUCCEEDED:
        assert outcome.summary.strip() and outcome.summary in "".join(words)
        assert '{"say"' not in outcome.summary


@pytest.mark.feature("FC-01", "FC-06")
def test_with_calls_by_schema_it_changes_the_world_or_does_not_succeed(model) -> None:
    """The smallest models claim at once that it was done: they are sent back, and never believed."""
    room = Room()
    outcome = loop_of(JsonCalls(model), room).run("Move the red cup to the desk.")
    if outcome.code == TaskCode.SUCCEEDED:
        assert ("move", "red cup", "desk") in room.calls
    else:
        assert outcome.code in _HONEST and outcome.message


@pytest.mark.feature("FC-04")
@pytest.mark.parametrize(
    ("text", "most"),
    [("Where are the book and the blue cup? At most one call.", 1), ("别用工具，你好吗？", 0)],
)
def test_it_cannot_call_more_than_the_words_allow(model, text, most) -> None:
    room = Room()
    outcome = loop_of(JsonCalls(model), room).run(text)
    assert len(room.calls) <= most and outcome.skill_calls <= most


@pytest.mark.feature("FC-02", "FC-03")
@pytest.mark.parametrize(
    "text", ["Move the red cup to the desk.", "把红色杯子（red cup）放到书桌（desk）上", "Where is the book?"]
)
def test_left_to_its_own_ways_no_prose_passes_for_a_deed(model, text) -> None:
    """Without the schema small models write calls as prose, plan aloud, promise: none of that is a success."""
    room = Room()
    outcome = loop_of(model, room).run(text)
    if outcome.code == TaskCode.SUCCEEDED:
        assert room.calls, f"nothing was done, and {outcome.summary!r} counted as success"
    else:
        assert outcome.code in _HONEST and outcome.message


@pytest.mark.feature("FC-09", "FC-11")
def test_frozen_in_the_middle_of_a_sentence_it_goes_on_after_the_thaw(model) -> None:
    loop, heard, decisions = loop_of(model, Room()), [], []

    def tell(event) -> None:
        if event["event"] == "token":
            heard.append(event["text"])
            if len(heard) == 5:
                assert loop.freeze("story", "obstacle")
                assert loop.thaw("story")
        if event["event"] == "surroundings":
            decisions.append(event["decision"])

    outcome = loop.run("Without tools: tell me in two sentences who you are.", thread_id="story", tell=tell)
    assert decisions == ["resume"] and outcome.code in (TaskCode.SUCCEEDED, TaskCode.MODEL_UNAVAILABLE)
    assert outcome.summary == "" or outcome.summary in "".join(heard)


def test_it_is_canceled_in_the_middle_of_a_sentence(model) -> None:
    latch = CancelLatch()
    outcome = loop_of(model, Room()).run(
        "Without tools: count to two hundred in words.",
        cancel=latch,
        tell=lambda e: latch.set("enough") if e["event"] == "token" else None,
    )
    assert outcome.code == TaskCode.CANCELED


# -- planning ------------------------------------------------------------------------------------------------


def schema(**properties: str) -> dict:
    described = {name: {"type": "string", "description": words} for name, words in properties.items()}
    return {
        "type": "object",
        "properties": described,
        "required": list(properties),
        "additionalProperties": False,
    }


class Robot(LocalSkills):
    """Skills over a small world in which a wrong order of steps fails as it would outside."""

    def __init__(self) -> None:
        super().__init__()
        self.things = {"red_cup": "kitchen_table"}
        self.at, self.held = "hall", ""
        self.deeds: list[str] = []
        for function, words, arguments in (
            (self._go_to, "Drive to a place.", schema(place="id of the place")),
            (self._pick, "Take an object that is where the robot stands.", schema(object="id of the object")),
            (self._place, "Put down what the robot holds, where it stands.", schema()),
            (self._say, "Say something aloud.", schema(text="the words")),
        ):
            name = function.__name__.removeprefix("_")
            self.add(function, SkillProfile(name, words, arguments))

    def profiles(self) -> list[SkillProfile]:
        return [p for name in ("go_to", "pick", "place", "say") if (p := self.profile(name))]

    def _go_to(self, arguments, context):
        self.deeds.append("go_to")
        if arguments["place"] not in ("kitchen_table", "desk", "hall"):
            raise SkillError(SkillCode.NOT_FOUND, f"there is no place {arguments['place']}")
        self.at = arguments["place"]

    def _pick(self, arguments, context):
        self.deeds.append("pick")
        if self.held or self.things.get(arguments["object"]) != self.at:
            raise SkillError(SkillCode.NOT_FOUND, f"{arguments['object']} is not here")
        self.held = arguments["object"]
        self.things[self.held] = ""

    def _place(self, arguments, context):
        self.deeds.append("place")
        if not self.held:
            raise SkillError(SkillCode.PRECONDITION_FAILED, "the gripper is empty")
        self.things[self.held], self.held = self.at, ""

    def _say(self, arguments, context):
        self.deeds.append("say")
        return {"text": arguments["text"]}


PLACES = "Places: kitchen_table, desk, hall. Objects: red_cup, on kitchen_table. The robot is in the hall."
ERRAND = "Go to the kitchen_table, pick the red_cup, go to the desk and place it there."


@pytest.mark.feature("FC-09", "FC-10")
@pytest.mark.parametrize(
    "text", [ERRAND, "去厨房桌子（kitchen_table）拿红色杯子（red_cup）。", "Fly to the moon."]
)
def test_its_plans_hold_or_are_refused(planner, text) -> None:
    robot = Robot()
    result = ModelPlanner(planner, robot.profiles, places=PLACES).plan(text)
    assert isinstance(result, (Plan, Question, Refusal))
    if isinstance(result, Plan):
        assert {leaf.skill for leaf in result.leaves()} <= {"go_to", "pick", "place", "say"}
    assert robot.deeds == []


@pytest.mark.feature("FC-09", "FC-10", "TG-03")
def test_a_mission_that_it_planned_is_carried_out(planner) -> None:
    robot = Robot()
    engine = MissionEngine(ModelPlanner(planner, robot.profiles, places=PLACES), robot, InMemorySaver())
    outcome = engine.run(ERRAND, time_limit_s=900)
    graph = engine.task_graph(outcome.thread_id)
    if outcome.code == TaskCode.SUCCEEDED:
        assert robot.deeds and all(leaf.status.value == "completed" for leaf in graph.leaves())
    else:
        assert outcome.message and outcome.code in (
            TaskCode.SKILL_FAILED,
            TaskCode.NOT_UNDERSTOOD,
            TaskCode.NEEDS_INPUT,
            TaskCode.SKILL_MISSING,
        )
