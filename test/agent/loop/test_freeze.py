"""A reflex freezes a running loop: nothing starts, nothing happens twice, and the surroundings decide how it goes on."""

from __future__ import annotations

import threading

import pytest
import scripted_server as act
from scripted_parts import RecordingSkills, wait_until

from zulong.agent.codes import SkillCode, TaskCode
from zulong.agent.latch import CancelLatch
from zulong.agent.ledger import LedgeredSkills, MemoryLedger
from zulong.agent.local_skills import SkillError
from zulong.agent.loop import LoopSettings, ToolLoop
from zulong.agent.skills import SkillProfile, SkillResult
from zulong.agent.surroundings import InterruptionLimits, Surroundings
from zulong.agent.tools import ToolRegistry, tool_from_skill
from zulong.stategraph.checkpoint.memory import InMemorySaver

pytestmark = pytest.mark.feature("FC-11", "RB-02")

HALL, CELLAR = Surroundings(room="hall"), Surroundings(room="cellar")
GAS = Surroundings(room="hall", hazards=("gas",))


class View:
    """A world that looks as the test says; ``raises`` ends the run there as a kill would."""

    def __init__(self) -> None:
        self.now = HALL
        self.raises: BaseException | None = None

    def facts(self) -> dict:
        return {}

    def surroundings(self) -> Surroundings:
        if self.raises is not None:
            raise self.raises
        return self.now


class Killed(BaseException):
    """Ends a run where it stands, past every handler of errors."""


class Run:
    """A run in a thread of its own, with its events."""

    def __init__(self, begin) -> None:
        self.events: list[dict] = []
        self.outcome = None
        self._thread = threading.Thread(target=self._go, args=(begin,), daemon=True)
        self._thread.start()

    def _go(self, begin) -> None:
        try:
            self.outcome = begin(self.events.append)
        except Killed:
            pass

    def end(self):
        self._thread.join(20)
        assert not self._thread.is_alive(), "the run does not end"
        return self.outcome

    def words(self) -> str:
        return "".join(e["text"] for e in self.events if e["event"] == "token")

    def decisions(self) -> list[tuple[str, str]]:
        return [(e["decision"], e["reason"]) for e in self.events if e["event"] == "surroundings"]


@pytest.fixture
def view() -> View:
    return View()


@pytest.fixture
def saver() -> InMemorySaver:
    return InMemorySaver()


@pytest.fixture
def make_loop(make_model, saver, view):
    def make(tools: ToolRegistry | None = None, **options) -> ToolLoop:
        settings = LoopSettings(**({"time_limit_s": 20.0} | options.pop("settings", {})))
        model = options.pop("model", None) or make_model(first_s=10.0, idle_s=10.0, total_s=20.0)
        return ToolLoop(model, tools or ToolRegistry(), saver, settings=settings, world=view, **options)

    return make


def start(loop: ToolLoop, text: str = "do it", **options) -> Run:
    return Run(lambda tell: loop.run(text, thread_id="t", tell=tell, **options))


def half_said(before: str, go_on: threading.Event):
    """Say some words, then nothing until the test lets it."""

    def play(reply) -> None:
        reply.event({"content": before})
        go_on.wait(10)
        reply.event({"content": "NEVER HEARD"})

    return play


# -- while the model speaks ----------------------------------------------------------------------------------


def test_a_reply_frozen_in_the_middle_goes_on_after_its_last_word(server, make_loop) -> None:
    silence = threading.Event()
    server.play(half_said("The cup is ", silence), act.say("on the ", "desk."))
    loop = make_loop()
    run = start(loop)
    wait_until(run.words)
    assert loop.freeze("t", "obstacle")
    wait_until(lambda: loop._graph.get_state({"configurable": {"thread_id": "t"}}).interrupts)
    assert len(server.requests) == 1
    assert loop.thaw("t")
    outcome = run.end()
    silence.set()
    assert outcome.code == TaskCode.SUCCEEDED and outcome.summary == "The cup is on the desk."
    assert run.words() == outcome.summary
    assert {"event": "frozen", "reason": "obstacle"} in run.events
    assert run.decisions() == [("resume", "Nothing that matters changed; 0% of the task is done.")]
    said = server.requests[1]["messages"][-2:]
    assert (
        said[0] == {"role": "assistant", "content": "The cup is "} and "Go on exactly" in said[1]["content"]
    )


@pytest.mark.parametrize(
    ("after", "words", "code", "decision", "told"),
    [
        (CELLAR, "", TaskCode.SUCCEEDED, "replan", "The robot was in hall and is in cellar. Look again"),
        (HALL, "and bring milk", TaskCode.SUCCEEDED, "merge", "and bring milk"),
        (CELLAR, "不对，是蓝色的", TaskCode.SUCCEEDED, "replan", "不对，是蓝色的"),
        (GAS, "", TaskCode.ABORTED_BY_SAFETY, "abort", None),
        (HALL, "算了", TaskCode.ABORTED_BY_SAFETY, "abort", None),
    ],
)
def test_what_has_changed_meanwhile_decides(
    server, make_loop, view, after, words, code, decision, told
) -> None:
    silence = threading.Event()
    server.play(half_said("I am on my way ", silence), act.say("All is well."))
    loop = make_loop()
    run = start(loop)
    wait_until(run.words)
    loop.freeze("t", "obstacle")
    view.now = after
    loop.thaw("t", words)
    outcome = run.end()
    silence.set()
    assert outcome.code == code and [d for d, _ in run.decisions()] == [decision]
    if told is None:
        assert run.decisions()[0][1] in outcome.message and len(server.requests) == 1
        return
    talk = [(m["role"], m["content"]) for m in server.requests[1]["messages"]]
    assert ("assistant", "I am on my way ") in talk and any(told in content for _, content in talk[2:])


def test_calls_of_a_reply_that_a_freeze_broke_off_are_not_made(server, make_loop) -> None:
    registry, made = ToolRegistry(), []

    @registry.function(has_side_effects=True)
    def move(what: str) -> str:
        """Move something."""
        made.append(what)
        return "moved"

    silence = threading.Event()

    def half_a_call(reply) -> None:
        head = {"index": 0, "id": "a", "type": "function", "function": {"name": "move", "arguments": ""}}
        reply.event({"content": "So:"})
        reply.event({"tool_calls": [head]})
        reply.event({"tool_calls": [{"index": 0, "function": {"arguments": '{"what": "cup"}'}}]})
        silence.wait(10)

    server.play(half_a_call, act.call(("move", {"what": "cup"})), act.say("The cup was moved."))
    loop = make_loop(registry)
    run = start(loop)
    wait_until(run.words)
    loop.freeze("t")
    loop.thaw("t")
    assert run.end().code == TaskCode.SUCCEEDED and made == ["cup"]
    silence.set()


# -- between and during calls --------------------------------------------------------------------------------


@pytest.fixture
def movers():
    """Two tools with effects; the first says when it runs and ends when it may."""
    registry = ToolRegistry()
    registry.made, registry.runs, registry.may_end = [], threading.Event(), threading.Event()

    @registry.function(has_side_effects=True)
    def lift(what: str) -> str:
        """Lift something."""
        registry.runs.set()
        assert registry.may_end.wait(10)
        registry.made.append(("lift", what))
        return "lifted"

    @registry.function(has_side_effects=True)
    def drop(what: str) -> str:
        """Drop something."""
        registry.made.append(("drop", what))
        return "dropped"

    return registry


@pytest.mark.parametrize(("after", "made"), [(HALL, 2), (CELLAR, 1)])
def test_of_two_calls_the_second_waits_for_the_thaw(server, make_loop, view, movers, after, made) -> None:
    server.play(act.call(("lift", {"what": "a"}), ("drop", {"what": "a"})), act.say("That is how it stands."))
    loop = make_loop(movers)
    run = start(loop)
    assert movers.runs.wait(10)
    loop.freeze("t", "obstacle")
    movers.may_end.set()
    wait_until(lambda: loop._graph.get_state({"configurable": {"thread_id": "t"}}).interrupts)
    assert movers.made == [("lift", "a")] and len(server.requests) == 1
    view.now = after
    loop.thaw("t")
    outcome = run.end()
    assert outcome.code == TaskCode.SUCCEEDED and len(movers.made) == made
    answers = [m["content"] for m in server.requests[1]["messages"] if m["role"] == "tool"]
    assert answers[0] == "lifted" and len(answers) == 2
    assert answers[1] == "dropped" if made == 2 else "Make it again if it is still right" in answers[1]


def test_a_freeze_between_turns_lets_no_request_out(server, make_loop, movers) -> None:
    server.play(act.call(("lift", {"what": "a"})), act.say("Lifted."))
    loop = make_loop(movers)
    run = start(loop)
    assert movers.runs.wait(10)
    loop.freeze("t", "obstacle")
    movers.may_end.set()
    wait_until(lambda: loop._graph.get_state({"configurable": {"thread_id": "t"}}).interrupts)
    assert len(server.requests) == 1
    loop.thaw("t")
    assert run.end().code == TaskCode.SUCCEEDED and len(server.requests) == 2


def test_an_internal_tool_may_be_canceled_by_a_freeze(server, make_loop) -> None:
    registry, runs = ToolRegistry(), threading.Event()

    @registry.function(when_frozen="cancel")
    def listen(cancel: CancelLatch) -> str:
        """Listen."""
        runs.set()
        cancel.wait(10)
        return "heard nothing"

    server.play(act.call(("listen", {})), act.say("I was disturbed."))
    loop = make_loop(registry)
    run = start(loop)
    assert runs.wait(10)
    loop.freeze("t", "a hand came near")
    loop.thaw("t")
    assert run.end().code == TaskCode.SUCCEEDED
    answer = next(m for m in server.requests[1]["messages"] if m["role"] == "tool")
    assert "canceled because the task was frozen: a hand came near" in answer["content"]


# -- while a remote call is outstanding ----------------------------------------------------------------------


@pytest.fixture
def skills() -> RecordingSkills:
    return RecordingSkills()


def far(when_frozen: str) -> ToolRegistry:
    schema = {"type": "object", "properties": {"place": {"type": "string"}}, "required": ["place"]}
    profile = SkillProfile("go_to", "Drive.", schema, moves_base=True, when_frozen=when_frozen)
    return ToolRegistry([tool_from_skill(profile)])


@pytest.fixture
def driving(server, make_loop, skills):
    """A drive to the kitchen that is left to the reflex, under way until ``arrive`` is set."""
    arrive = threading.Event()
    skills.offer("go_to", lambda a, c: {"at": a["place"]} if arrive.wait(10) else {})
    server.play(act.call(("go_to", {"place": "kitchen"})), act.say("I am in the kitchen."))
    loop = make_loop(far("leave"), skills=skills)
    run = start(loop)
    assert skills.begun.wait(10)
    loop.freeze("t", "obstacle")
    return loop, run, arrive


def test_a_remote_call_left_to_the_reflex_ends_by_itself_and_once(server, driving, skills) -> None:
    loop, run, arrive = driving
    arrive.set()
    wait_until(lambda: skills.ended)
    assert len(server.requests) == 1
    loop.thaw("t")
    assert run.end().code == TaskCode.SUCCEEDED and skills.ended == [("go_to", "SUCCEEDED")]
    assert len(run.decisions()) == 1


def test_a_thaw_before_its_end_changes_nothing_for_a_call_left_running(server, driving, skills) -> None:
    loop, run, arrive = driving
    loop.thaw("t", "and be quick")
    wait_until(run.decisions)
    arrive.set()
    assert run.end().code == TaskCode.SUCCEEDED and len(skills.keys) == 1
    assert [m["role"] for m in server.requests[1]["messages"]][-2:] == ["tool", "user"]
    assert server.requests[1]["messages"][-1]["content"] == "and be quick"


def go_until_canceled(first: threading.Event):
    def script(arguments, context):
        if not first.is_set():
            first.set()
            assert context.cancel.wait(10)
            raise SkillError(SkillCode.CANCELED, "stopped on the way")
        return {"at": arguments["place"]}

    return script


@pytest.mark.parametrize(
    ("after", "words", "made"), [(HALL, "", 2), (HALL, "and sing", 2), (CELLAR, "", 1), (GAS, "", 1)]
)
def test_a_remote_call_canceled_by_the_freeze_is_made_anew_only_when_the_task_just_goes_on(
    server, make_loop, view, skills, after, words, made
) -> None:
    skills.offer("go_to", go_until_canceled(threading.Event()))
    server.play(act.call(("go_to", {"place": "kitchen"})), act.say("I am where I am."))
    loop = make_loop(far("cancel"), skills=skills)
    run = start(loop)
    assert skills.begun.wait(10)
    loop.freeze("t", "obstacle")
    wait_until(lambda: skills.ended)
    assert skills.ended == [("go_to", "CANCELED")]
    view.now = after
    loop.thaw("t", words)
    outcome = run.end()
    assert outcome.code == (TaskCode.ABORTED_BY_SAFETY if after is GAS else TaskCode.SUCCEEDED)
    assert len(skills.calls) == made and len(set(skills.keys)) == made
    if after is CELLAR:
        told = [m["content"] for m in server.requests[1]["messages"]]
        assert "CANCELED" in told[-2] and "is in cellar. Look again" in told[-1]


def test_a_call_that_does_not_come_to_rest_is_not_made_again(server, make_loop, skills) -> None:
    deaf = threading.Event()
    skills.offer("go_to", lambda a, c: {"at": "?"} if deaf.wait(20) else {})
    server.play(act.call(("go_to", {"place": "kitchen"})), act.say("I do not know where I am."))
    loop = make_loop(far("cancel"), skills=skills, settings={"cancel_time_limit_s": 0.2})
    run = start(loop)
    assert skills.begun.wait(10)
    loop.freeze("t", "obstacle")
    loop.thaw("t")
    assert run.end().code == TaskCode.SUCCEEDED and len(skills.calls) == 1
    answer = next(m for m in server.requests[1]["messages"] if m["role"] == "tool")
    assert "OUTCOME_UNKNOWN" in answer["content"]
    deaf.set()


# -- ends, restarts, several --------------------------------------------------------------------------------


def test_a_frozen_task_can_be_canceled_and_looks_back_to_the_freeze_when_resumed(
    server, make_loop, view, movers
) -> None:
    server.play(act.call(("lift", {"what": "a"})), act.say("Lifted."))
    loop, latch = make_loop(movers), CancelLatch()
    run = start(loop, cancel=latch)
    assert movers.runs.wait(10)
    loop.freeze("t", "obstacle")
    movers.may_end.set()
    wait_until(lambda: loop._graph.get_state({"configurable": {"thread_id": "t"}}).interrupts)
    view.now = CELLAR
    latch.set("enough")
    assert run.end().code == TaskCode.CANCELED
    again = Run(lambda tell: loop.resume("t", tell=tell))
    assert again.end().code == TaskCode.SUCCEEDED and again.decisions()[0][0] == "replan"
    assert len(movers.made) == 1


def test_a_freeze_does_not_stop_the_clock(server, make_loop, movers) -> None:
    movers.may_end.set()
    server.play(act.call(("lift", {"what": "a"})), act.say("Lifted."))
    loop = make_loop(movers)
    frozen = []

    def freeze_at_the_plan(event) -> None:
        if event["event"] == "token" and not frozen:
            frozen.append(loop.freeze("t", "obstacle"))

    server.play(act.call(("lift", {"what": "a"}), text="Well,"), act.say("Lifted."))
    outcome = loop.run("do it", thread_id="t", time_limit_s=0.5, tell=freeze_at_the_plan)
    assert outcome.code == TaskCode.TIME_LIMIT and frozen == [True] and movers.made == []


def test_a_task_whose_process_died_while_frozen_looks_around_and_goes_on(
    server, make_loop, view, movers
) -> None:
    movers.may_end.set()
    server.play(
        act.call(("lift", {"what": "a"}), ("drop", {"what": "a"}), text="Well,"), act.say("That is done.")
    )
    first = make_loop(movers)
    frozen = []

    def freeze(event) -> None:
        if event["event"] == "token" and not frozen:
            frozen.append(first.freeze("t", "obstacle"))
            view.raises = Killed()

    run = Run(lambda tell: first.run("do it", thread_id="t", tell=lambda e: (tell(e), freeze(e))))
    wait_until(lambda: first._graph.get_state({"configurable": {"thread_id": "t"}}).interrupts)
    first.thaw("t")
    run.end()
    assert run.outcome is None
    view.raises = None
    second = make_loop(movers)
    again = Run(lambda tell: second.resume("t", tell=tell))
    assert again.end().code == TaskCode.SUCCEEDED and [d for d, _ in again.decisions()] == ["resume"]
    assert len(movers.made) == len(set(movers.made))


def test_only_a_running_thread_can_be_frozen_and_only_a_frozen_one_thawed(server, make_loop, movers) -> None:
    server.play(act.call(("lift", {"what": "a"})), act.say("Lifted."))
    loop = make_loop(movers)
    assert not loop.freeze("t") and not loop.thaw("t")
    run = start(loop)
    assert movers.runs.wait(10) and not loop.thaw("t")
    busy = loop.run("something else", thread_id="t")
    assert busy.code == TaskCode.THREAD_BUSY and "'t'" in busy.message
    movers.may_end.set()
    assert run.end().code == TaskCode.SUCCEEDED and not loop.freeze("t")


def test_what_counts_as_moved_comes_from_the_settings(server, make_loop, view) -> None:
    silence = threading.Event()
    server.play(half_said("On my ", silence), act.say("way."))
    view.now = Surroundings(position_m=(0.0, 0.0))
    loop = make_loop(settings={"surroundings": InterruptionLimits(moved_m=0.1)})
    run = start(loop)
    wait_until(run.words)
    loop.freeze("t")
    view.now = Surroundings(position_m=(0.5, 0.0))
    loop.thaw("t")
    assert run.end().code == TaskCode.SUCCEEDED and run.decisions()[0][0] == "replan"
    silence.set()


def test_a_call_that_a_freeze_took_from_a_process_that_is_gone_is_made_anew(
    server, make_loop, skills
) -> None:
    ledger = MemoryLedger()
    ledger.begin("t/call_1_0", "go_to")
    ledger.finish("t/call_1_0", SkillResult(SkillCode.CANCELED, "stopped on the way"))
    skills.offer("go_to", lambda a, c: {"at": a["place"]})
    server.play(act.call(("go_to", {"place": "kitchen"})), act.say("I am in the kitchen."))
    outcome = make_loop(far("cancel"), skills=LedgeredSkills(skills, ledger)).run("go", thread_id="t")
    assert outcome.code == TaskCode.SUCCEEDED and skills.keys == ["t/call_1_0/2"]
    assert '"at": "kitchen"' in server.requests[1]["messages"][-1]["content"]
