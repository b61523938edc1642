"""The loop against a real server that plays every case: it ends within its limits, with the right code, resumable."""

from __future__ import annotations

import re
import threading
import time

import pytest
import scripted_server as act
from scripted_parts import RecordingSkills, wait_until

from zulong.agent.approval import ApprovalDesk
from zulong.agent.codes import SkillCode, TaskCode
from zulong.agent.latch import CancelLatch
from zulong.agent.ledger import MemoryLedger
from zulong.agent.local_skills import SkillError
from zulong.agent.loop import LoopSettings, ToolLoop
from zulong.agent.skills import SkillProfile, SkillResult
from zulong.agent.surroundings import Surroundings
from zulong.agent.tools import ProcessMemory, ToolRegistry, tool_from_skill
from zulong.experts.dual_brain import DualBrain
from zulong.stategraph.checkpoint.memory import InMemorySaver
from zulong.tasks import TaskStatus


@pytest.fixture
def tools() -> ToolRegistry:
    """A registry with one tool that looks and one that changes something; both record their calls."""
    registry = ToolRegistry()
    registry.calls = []

    @registry.function()
    def look_for(what: str, where: str = "everywhere") -> str:
        """Look for something.

        Args:
            what: the thing.
            where: the place.
        """
        registry.calls.append(("look_for", what, where))
        return f"{what}: on the desk"

    @registry.function(has_side_effects=True)
    def move(what: str, to: str) -> dict:
        """Move something."""
        registry.calls.append(("move", what, to))
        return {"moved": what, "to": to}

    return registry


@pytest.fixture
def make_loop(make_model, tools):
    saver = InMemorySaver()

    def make(model=None, **options) -> ToolLoop:
        settings = LoopSettings(**({"time_limit_s": 20.0} | options.pop("settings", {})))
        registry = options.pop("tools", tools)
        return ToolLoop(model or make_model(), registry, saver, settings=settings, **options)

    return make


def tool_messages(server) -> list[dict]:
    return [m for m in server.requests[-1]["messages"] if m["role"] == "tool"]


def offered(request) -> set[str]:
    return {tool["function"]["name"] for tool in request.get("tools", [])}


# -- well-behaved models -------------------------------------------------------------------------------------


@pytest.mark.feature("FC-01", "FC-06")
def test_a_call_is_made_and_its_result_goes_back_to_the_model(server, make_loop, tools) -> None:
    server.play(act.call(("look_for", {"what": "cup"})), act.say("It is on the desk."))
    outcome = make_loop().run("where is the cup?")
    assert (
        outcome.code == TaskCode.SUCCEEDED
        and outcome.summary == "It is on the desk."
        and outcome.skill_calls == 1
    )
    assert [m["content"] for m in tool_messages(server)] == ["cup: on the desk"]
    assert "look_for" in offered(server.requests[0])
    schema = next(t for t in server.requests[0]["tools"] if t["function"]["name"] == "look_for")["function"]
    assert schema["description"] == "Look for something." and schema["parameters"]["required"] == ["what"]
    assert schema["parameters"]["properties"]["where"]["description"] == "the place."


def test_parallel_calls_that_only_look_run_beside_each_other(server, make_loop) -> None:
    meeting = threading.Barrier(2, timeout=5)
    registry = ToolRegistry()

    @registry.function()
    def look(n: int) -> int:
        """Look."""
        meeting.wait()
        return n

    server.play(act.call(("look", {"n": 1}), ("look", {"n": 2})), act.say("seen"))
    assert make_loop(tools=registry).run("look twice").code == TaskCode.SUCCEEDED
    assert [m["content"] for m in tool_messages(server)] == ["1", "2"]


def test_calls_that_change_the_world_run_in_their_order_and_not_a_dozen_at_once(
    server, make_loop, tools
) -> None:
    moves = [("move", {"what": "cup", "to": str(n)}) for n in range(12)]
    server.play(act.call(*moves), act.say("done"), act.say("done"))
    make_loop(settings={"max_calls_per_reply": 5}).run("move the cup about")
    assert tools.calls == [("move", "cup", str(n)) for n in range(5)]
    assert sum("only 5 calls" in m["content"] for m in tool_messages(server)) == 7


def test_a_model_without_native_calls_may_write_them_as_json(server, make_loop, tools) -> None:
    server.play(act.say('{"name": "look_for", "arguments": {"what": "cup"}}'), act.say("On the desk."))
    assert make_loop().run("where is the cup?").code == TaskCode.SUCCEEDED
    assert tools.calls == [("look_for", "cup", "everywhere")]


def test_events_tell_words_as_they_are_spoken_and_the_decisions_with_evidence(server, make_loop) -> None:
    server.play(
        act.say("I don't know ", "where it is."),
        act.call(("look_for", {"what": "cup"})),
        act.say("On the desk."),
    )
    events = []
    make_loop().run("where is the cup?", tell=events.append)
    assert [e["text"] for e in events if e["event"] == "token"] == [
        "I don't know ",
        "where it is.",
        "On the desk.",
    ]
    caught = next(e for e in events if e["event"] == "net")
    assert caught["net"] == "information_gap" and caught["evidence"]["untried"]


@pytest.mark.feature("FC-05")
def test_only_the_predicted_tools_are_offered(server, make_loop) -> None:
    server.play(act.say("hello"))
    make_loop(predict=lambda text: ["move", "nonsense"]).run("move it")
    assert "move" in offered(server.requests[0]) and "look_for" not in offered(server.requests[0])


# -- slips of the model --------------------------------------------------------------------------------------


@pytest.mark.feature("FC-07", "FC-09")
@pytest.mark.parametrize(
    "written",
    [
        "{'what': 'cup'}",
        '{"What": "cup",}',
        '```json\n{"what": "cup"}\n```',
        '{"what": "cup"',
        '{"waht": "cup"}',
    ],
)
def test_badly_written_arguments_are_repaired(server, make_loop, tools, written) -> None:
    server.play(act.call(("look_for", written)), act.say("On the desk."))
    assert make_loop().run("where is the cup?").code == TaskCode.SUCCEEDED
    assert tools.calls == [("look_for", "cup", "everywhere")]


@pytest.mark.feature("FC-07", "FC-09")
@pytest.mark.parametrize(
    ("written", "words"),
    [
        ("cup please", "not a JSON object"),
        ('{"where": "desk"}', "what: Field required"),
        ('{"what": "cup", "x": 1}', "x: Extra inputs"),
    ],
)
def test_arguments_beyond_repair_are_asked_for_again(server, make_loop, tools, written, words) -> None:
    server.play(
        act.call(("look_for", written)), act.call(("look_for", {"what": "cup"})), act.say("On the desk.")
    )
    assert make_loop().run("where is the cup?").code == TaskCode.SUCCEEDED
    first = server.requests[1]["messages"][-1]["content"]
    assert words in first and "again" in first and len(tools.calls) == 1


def test_an_unknown_tool_is_answered_with_those_there_are(server, make_loop, tools) -> None:
    server.play(
        act.call(("lookfor_thing", {"what": "cup"})),
        act.call(("look-for", {"what": "cup"})),
        act.say("ok, desk"),
    )
    assert make_loop().run("where is the cup?").code == TaskCode.SUCCEEDED
    assert (
        "there is no tool 'lookfor_thing'; there are look_for"
        in server.requests[1]["messages"][-1]["content"]
    )
    assert len(tools.calls) == 1


@pytest.mark.feature("FC-03")
def test_the_same_call_for_ever_is_skipped_then_the_loop_is_made_to_end(server, make_loop, tools) -> None:
    server.play(act.call(("look_for", {"what": "cup"})))
    outcome = make_loop().run("find the cup")
    assert outcome.code == TaskCode.SKILL_FAILED and "brought nothing new" in outcome.message
    assert len(tools.calls) == 2 and len(server.requests) < 8
    assert offered(server.requests[-1]) == set()


@pytest.mark.feature("FC-03")
def test_a_tool_called_too_often_is_taken_away_for_a_while(server, make_loop, tools) -> None:
    server.play(
        *(act.call(("look_for", {"what": str(n)})) for n in range(5)), act.say("There is nothing else.")
    )
    events = []
    outcome = make_loop().run("find things", tell=events.append)
    assert outcome.code == TaskCode.SUCCEEDED and len(tools.calls) == 5
    assert "look_for" in offered(server.requests[4]) and "look_for" not in offered(server.requests[5])
    assert any(e.get("signal") == "tool_streak" for e in events)


@pytest.mark.feature("FC-03", "FC-09")
def test_empty_replies_stop_the_loop(server, make_loop) -> None:
    server.play(act.say(""))
    outcome = make_loop().run("hello")
    assert outcome.code == TaskCode.MODEL_UNAVAILABLE and "silent 2 times" in outcome.message
    assert len(server.requests) == 2


@pytest.mark.feature("FC-09")
def test_endless_text_is_cut_and_asked_to_be_short(server, make_loop) -> None:
    server.play(act.endless(), act.say("In short: yes."))
    outcome = make_loop(settings={"max_reply_chars": 3000}).run("is it so?")
    assert outcome.code == TaskCode.SUCCEEDED and outcome.summary == "In short: yes."
    server.play(act.endless())
    outcome = make_loop(settings={"max_reply_chars": 3000}).run("is it so?")
    assert outcome.code == TaskCode.MODEL_UNAVAILABLE and "does not come to an end" in outcome.message


@pytest.mark.feature("FC-09")
def test_a_refusal_ends_the_task_as_refused(server, make_loop) -> None:
    server.play(act.refuse("I must not do that."))
    outcome = make_loop().run("do harm")
    assert outcome.code == TaskCode.REFUSED and outcome.message == "I must not do that."


@pytest.mark.feature("FC-02")
def test_a_claimed_deed_is_sent_back_until_it_is_done(server, make_loop, tools) -> None:
    server.play(
        act.say("I have moved the cup."),
        act.call(("move", {"what": "cup", "to": "desk"})),
        act.say("I have moved the cup to the desk."),
    )
    assert make_loop().run("move the cup to the desk").code == TaskCode.SUCCEEDED
    assert tools.calls == [("move", "cup", "desk")]


# -- the server fails ----------------------------------------------------------------------------------------


@pytest.mark.feature("FC-09")
@pytest.mark.parametrize("where", ["first", "after a call"])
@pytest.mark.parametrize(
    ("failure", "words"),
    [
        (act.status(500, "the fan broke"), "the fan broke"),
        (act.status(429, "slow down", retry_after="0.01"), "slow down"),
        (act.status(404, "no such model"), "Check the model's name"),
        (act.stall(60), "said nothing"),
        (act.stall(60, "well "), "fell silent"),
        (act.drip(0.02), "did not finish"),
        (act.cut_after("half a "), "broke off"),
        (act.cut_in_a_call("look_for"), "broke off"),
    ],
)
def test_a_failing_server_ends_the_task_with_a_code_and_the_thread_goes_on_later(
    server, make_model, make_loop, tools, where, failure, words
) -> None:
    model = make_model(first_s=0.3, idle_s=0.3, total_s=0.6, retries=1)
    loop = make_loop(model, settings={"cut_retries": 1})
    begin = [act.call(("look_for", {"what": "cup"}))] if where == "after a call" else []
    server.play(*begin, failure)
    start = time.monotonic()
    outcome = loop.run("where is the cup?")
    assert outcome.code == TaskCode.MODEL_UNAVAILABLE and words in outcome.message
    assert time.monotonic() - start < 10
    server.play(act.say("It is on the desk."))
    again = loop.resume(outcome.thread_id)
    assert again.code == TaskCode.SUCCEEDED and again.summary == "It is on the desk."
    assert len(tools.calls) == len(begin)


@pytest.mark.feature("FC-09")
def test_a_reply_cut_in_the_middle_is_continued_and_no_word_said_twice(server, make_loop) -> None:
    server.play(act.cut_after("The cup is ", "on the "), act.say("is on the ", "desk."))
    events = []
    outcome = make_loop().run("where is the cup?", tell=events.append)
    assert outcome.summary == "The cup is on the desk."
    assert "".join(e["text"] for e in events if e["event"] == "token") == outcome.summary


@pytest.mark.feature("FC-09")
def test_a_call_cut_in_the_middle_is_made_once_by_the_next_attempt(server, make_loop, tools) -> None:
    server.play(
        act.cut_in_a_call("look_for", "Let me see."),
        act.call(("look_for", {"what": "cup"})),
        act.say("Desk."),
    )
    assert make_loop().run("where is the cup?").code == TaskCode.SUCCEEDED
    assert tools.calls == [("look_for", "cup", "everywhere")]


# -- budgets -------------------------------------------------------------------------------------------------


@pytest.mark.feature("FC-04")
def test_at_the_budgets_end_the_tools_leave_the_request_and_the_model_concludes(
    server, make_loop, tools
) -> None:
    server.play(
        act.call(("look_for", {"what": "a"}), ("look_for", {"what": "b"}), ("look_for", {"what": "c"})),
        act.say("a and b are on the desk."),
    )
    outcome = make_loop().run("find a, b and c with at most two calls")
    assert outcome.code == TaskCode.SUCCEEDED and len(tools.calls) == 2 == outcome.skill_calls
    assert offered(server.requests[1]) == set()
    assert "limit of 2 tool calls" in server.requests[1]["messages"][-1]["content"]


@pytest.mark.feature("FC-04")
def test_no_tools_means_none_from_the_first_request_on(server, make_loop, tools) -> None:
    server.play(act.call(("look_for", {"what": "a"})), act.say("Paris."))
    outcome = make_loop().run("别用工具，法国的首都是哪里？")
    assert offered(server.requests[0]) == set() and tools.calls == []
    assert outcome.code in (TaskCode.SUCCEEDED, TaskCode.MODEL_UNAVAILABLE)


@pytest.mark.feature("FC-04")
def test_the_budget_is_shared_with_a_resumed_run_and_open_steps_are_owned_up_to(
    server, make_loop, tools
) -> None:
    plan = {"steps": [{"title": "look", "tool": "look_for"}, {"title": "tell"}]}
    server.play(act.call(("plan_steps", plan), ("look_for", {"what": "a"})), act.status(404, "gone"))
    loop = make_loop()
    outcome = loop.run("find a", budget=1)
    assert outcome.code == TaskCode.MODEL_UNAVAILABLE
    server.play(act.say("I could only look."))
    again = loop.resume(outcome.thread_id)
    assert again.code == TaskCode.BUDGET_EXHAUSTED and again.skill_calls == 1
    assert offered(server.requests[-1]) == set()


# -- plans ---------------------------------------------------------------------------------------------------


@pytest.mark.feature("FC-02", "TG-03")
def test_a_plan_is_kept_as_a_task_graph_and_open_steps_are_not_forgotten(server, make_loop, tools) -> None:
    steps = [
        {"title": "find the cup", "tool": "look_for", "arguments": {"what": "cup"}},
        {"title": "move the cup", "tool": "move", "after": ["find the cup"]},
    ]
    server.play(
        act.call(("plan_steps", {"steps": steps})),
        act.call(("look_for", {"what": "cup"})),
        act.say("All is well."),
        act.call(
            ("move", {"what": "cup", "to": "sink"}),
            ("mark_step", {"id": "goal_2", "status": "completed", "how": "moved"}),
        ),
        act.say("The cup is at the sink."),
    )
    events = []
    loop = make_loop()
    outcome = loop.run("bring the cup to the sink", tell=events.append)
    assert outcome.code == TaskCode.SUCCEEDED and outcome.summary == "The cup is at the sink."
    nets = [(e["net"], e["verdict"]) for e in events if e["event"] == "net"]
    assert nets == [("backfill", "done"), ("unfinished_work", "continue")]
    graph = loop.task_graph(outcome.thread_id)
    assert {n.id: n.status for n in graph.leaves()} == {
        "goal_1": TaskStatus.COMPLETED,
        "goal_2": TaskStatus.COMPLETED,
    }


def test_a_question_with_open_work_waits_for_the_answer(server, make_loop) -> None:
    server.play(act.say("Which cup do you mean?"))
    loop = make_loop()
    asked = loop.run("bring the cup")
    assert asked.code == TaskCode.NEEDS_INPUT and asked.question["text"] == "Which cup do you mean?"
    server.play(act.call(("move", {"what": "red cup", "to": "you"})), act.say("Here it is."))
    assert loop.resume(asked.thread_id, "the red one").code == TaskCode.SUCCEEDED
    assert server.requests[-1]["messages"][3]["content"] == "the red one"


# -- limits and cancels --------------------------------------------------------------------------------------


@pytest.mark.feature("FC-09", "RB-09")
@pytest.mark.parametrize("moment", ["before", "while it speaks", "in a tool"])
def test_a_cancel_ends_the_loop_at_once_and_the_thread_goes_on_later(
    server, make_loop, make_model, moment
) -> None:
    latch, begun = CancelLatch(), threading.Event()
    registry = ToolRegistry()

    @registry.function(time_limit_s=60)
    def dig() -> str:
        """Dig."""
        begun.set()
        time.sleep(15)
        return "a bone"

    model = make_model(first_s=30.0, idle_s=30.0, total_s=60.0)
    loop = make_loop(model, tools=registry)
    server.play(act.call(("dig", {})) if moment == "in a tool" else act.stall(30, "well "))
    if moment == "before":
        latch.set("no more")
    else:
        ready = (lambda: begun.is_set()) if moment == "in a tool" else (lambda: server.requests)
        threading.Thread(
            target=lambda: (wait_until(ready), time.sleep(0.1), latch.set("no more")), daemon=True
        ).start()
    start = time.monotonic()
    outcome = loop.run("dig", cancel=latch)
    assert outcome.code == TaskCode.CANCELED and time.monotonic() - start < 5
    server.play(act.say("Nothing was found."))
    assert loop.resume(outcome.thread_id).code == TaskCode.SUCCEEDED


def test_the_time_limit_ends_the_loop(server, make_loop, make_model) -> None:
    server.play(act.stall(30, "well "))
    outcome = make_loop(make_model(first_s=30.0, idle_s=30.0, total_s=60.0)).run("hello", time_limit_s=0.3)
    assert outcome.code == TaskCode.TIME_LIMIT


def test_a_tool_that_hangs_is_left_at_its_limit_and_one_that_fails_is_told(server, make_loop) -> None:
    registry = ToolRegistry()

    @registry.function(time_limit_s=0.2)
    def hang() -> str:
        """Hang."""
        time.sleep(10)
        return "late"

    @registry.function()
    def fail() -> str:
        """Fail."""
        raise RuntimeError("the arm is stuck")

    server.play(act.call(("hang", {}), ("fail", {})), act.say("Neither worked."))
    start = time.monotonic()
    assert make_loop(tools=registry).run("try").code == TaskCode.SUCCEEDED
    assert time.monotonic() - start < 5
    texts = [m["content"] for m in tool_messages(server)]
    assert "did not end within 0.2 s" in texts[0] and "the arm is stuck" in texts[1]


@pytest.mark.feature("FC-11")
@pytest.mark.parametrize(
    ("after", "answer", "code", "told"),
    [
        (Surroundings(room="hall"), "", TaskCode.SUCCEEDED, "resume"),
        (Surroundings(room="cellar"), "", TaskCode.SUCCEEDED, "replan"),
        (Surroundings(room="hall", hazards=("gas",)), "", TaskCode.ABORTED_BY_SAFETY, "abort"),
        (Surroundings(room="cellar"), "and sing", TaskCode.SUCCEEDED, "merge"),
        (Surroundings(room="hall"), "取消吧", TaskCode.ABORTED_BY_SAFETY, "abort"),
    ],
)
def test_an_interrupted_task_looks_around_before_it_is_taken_up_again(
    server, make_loop, after, answer, code, told
) -> None:
    views = [Surroundings(room="hall"), after]

    class View:
        def facts(self):
            return {}

        def surroundings(self):
            return views.pop(0)

    latch, events = CancelLatch(), []
    latch.set("obstacle")
    loop = make_loop(world=View())
    server.play(act.say("It is done."))
    stopped = loop.run("go on a round", cancel=latch)
    assert stopped.code == TaskCode.CANCELED
    outcome = loop.resume(stopped.thread_id, answer, tell=events.append)
    assert outcome.code == code
    decision = next(e for e in events if e["event"] == "surroundings")
    assert decision["decision"] == told and decision["reason"]
    if told == "replan":
        assert any(
            "was in hall and is in cellar" in str(m["content"]) for m in server.requests[-1]["messages"]
        )


# -- remote tools, approvals, ledger -------------------------------------------------------------------------


@pytest.fixture
def skills() -> RecordingSkills:
    return RecordingSkills()


@pytest.fixture
def remote(skills) -> ToolRegistry:
    schema = {"type": "object", "properties": {"place": {"type": "string"}}, "required": ["place"]}
    return ToolRegistry(
        [tool_from_skill(SkillProfile("go_to", "Drive to a place.", schema, moves_base=True))]
    )


@pytest.mark.feature("FC-06")
def test_a_remote_tool_suspends_the_loop_and_its_result_resumes_it(server, make_loop, remote, skills) -> None:
    skills.offer("go_to", lambda a, c: {"at": a["place"]})
    server.play(act.call(("go_to", {"place": "kitchen"})), act.say("I am in the kitchen."))
    outcome = make_loop(tools=remote, skills=skills).run("go to the kitchen")
    assert outcome.code == TaskCode.SUCCEEDED and skills.calls == [("go_to", {"place": "kitchen"})]
    assert '"at": "kitchen"' in tool_messages(server)[0]["content"]


@pytest.mark.feature("FC-06")
def test_a_remote_failure_is_told_with_its_code(server, make_loop, remote, skills) -> None:
    def blocked(arguments, context):
        raise SkillError(SkillCode.BLOCKED, "a chair stands in the way")

    skills.offer("go_to", blocked)
    server.play(act.call(("go_to", {"place": "kitchen"})), act.say("A chair is in the way."))
    make_loop(tools=remote, skills=skills).run("go to the kitchen")
    assert "BLOCKED: a chair stands in the way" in tool_messages(server)[0]["content"]


@pytest.mark.feature("FC-06", "RB-09")
def test_a_cancel_during_a_remote_tool_brings_it_to_rest(server, make_loop, remote, skills) -> None:
    from scripted_parts import until_canceled

    skills.offer("go_to", until_canceled)
    server.play(act.call(("go_to", {"place": "kitchen"})), act.say("?"))
    latch = CancelLatch()
    threading.Thread(target=lambda: (skills.begun.wait(10), latch.set("stop")), daemon=True).start()
    outcome = make_loop(tools=remote, skills=skills).run("go", cancel=latch)
    assert outcome.code == TaskCode.CANCELED and skills.ended == [("go_to", "CANCELED")]


@pytest.mark.feature("FC-08")
@pytest.mark.parametrize(("answer", "made"), [(True, 1), (False, 0), (None, 0)])
def test_a_call_that_needs_a_yes_waits_for_it_and_silence_is_a_no(server, make_loop, answer, made) -> None:
    desk, done = ApprovalDesk(), []
    registry = ToolRegistry()

    @registry.function(approval="risky", has_side_effects=True)
    def open_door() -> str:
        """Open the door."""
        done.append(1)
        return "open"

    if answer is not None:
        desk.on_change(lambda r, s: desk.answer(r.request_id, answer) if s == "pending" else None)
    server.play(act.call(("open_door", {})), act.say("So be it."))
    outcome = make_loop(tools=registry, desk=desk, settings={"approval_time_limit_s": 0.2}).run(
        "open the door"
    )
    assert outcome.code == TaskCode.SUCCEEDED and len(done) == made and desk.open_requests == ()
    assert ("did not allow" in tool_messages(server)[0]["content"]) == (made == 0)


def test_an_effect_that_the_ledger_knows_is_not_made_again(server, make_loop, tools) -> None:
    ledger = MemoryLedger()
    ledger.begin("t/call_1_0", "move")
    ledger.finish("t/call_1_0", SkillResult(SkillCode.SUCCEEDED, result={"text": "moved before"}))
    ledger.begin("t/call_1_1", "move")
    server.play(
        act.call(("move", {"what": "a", "to": "b"}), ("move", {"what": "c", "to": "d"})), act.say("ok")
    )
    make_loop(ledger=ledger).run("move things", thread_id="t")
    assert tools.calls == []
    texts = [m["content"] for m in tool_messages(server)]
    assert texts[0] == "moved before" and "nobody knows" in texts[1]


# -- long conversations --------------------------------------------------------------------------------------


def test_a_long_result_is_cut_and_the_rest_can_be_read_from_memory(server, make_loop) -> None:
    registry = ToolRegistry()

    @registry.function()
    def read_log() -> str:
        """Read the log."""
        return "".join(f"line {n}\n" for n in range(3000))

    server.play(
        act.call(("read_log", {})),
        act.call(("read_memory", {"memory_id": "tool_result-1", "offset": 20_000})),
        act.say("Line 2500 is there."),
    )
    assert make_loop(tools=registry).run("read the log").code == TaskCode.SUCCEEDED
    first, second = (m["content"] for m in tool_messages(server))
    assert (
        len(first) < 4500
        and "read_memory(memory_id='tool_result-1'" in first
        and first.endswith("line 2999\n")
    )
    assert "line 2200\n" in second


def test_a_conversation_that_outgrows_the_window_is_compacted_into_memory(
    server, make_loop, make_model
) -> None:
    registry = ToolRegistry()

    @registry.function()
    def page(n: int) -> str:
        """Read a page."""
        return f"page {n}: " + "words " * 300

    turns = [act.call(("page", {"n": n})) for n in range(12)]
    server.play(*turns, act.say("All pages are read."))
    settings = {"breaker": {"tool_streak": {"limit": 99}}}
    events = []
    outcome = make_loop(make_model(context_window=4000), tools=registry, settings=settings).run(
        "read", tell=events.append
    )
    assert outcome.code == TaskCode.SUCCEEDED and any(e["event"] == "compacted" for e in events)
    last = server.requests[-1]["messages"]
    assert sum(len(str(m)) for m in last) < 4 * 4000
    assert any("read_memory" in m["content"] for m in last if m["role"] == "system")
    for request in server.requests:
        called = [c["id"] for m in request["messages"] for c in m.get("tool_calls", [])]
        answered = [m["tool_call_id"] for m in request["messages"] if m["role"] == "tool"]
        assert called == answered


@pytest.mark.feature("FC-09")
def test_all_of_a_conversation_that_was_compacted_often_can_be_read_back(
    server, make_loop, make_model
) -> None:
    registry, memory, events = ToolRegistry(), ProcessMemory(), []

    @registry.function()
    def page(n: int) -> str:
        """Read a page."""
        return f"page {n}: " + "words " * 300

    server.play(*(act.call(("page", {"n": n})) for n in range(30)), act.say("All pages are read."))
    limits = {"tool_streak": {"limit": 99}, "loop_count": {"soft_limit": 99, "hard_limit": 99}}
    loop = make_loop(
        make_model(context_window=4000), tools=registry, settings={"breaker": limits}, memory=memory
    )
    outcome = loop.run("read", tell=events.append)
    assert outcome.code == TaskCode.SUCCEEDED
    kept = [e["kept"] for e in events if e["event"] == "compacted"]
    assert len(kept) > 3
    read, memory_id = "", kept[-1]
    while memory_id:
        text = memory.read(memory_id)
        before = re.match(r"\[what was before: read_memory\(memory_id='([^']+)'\)\]", text)
        read, memory_id = text + read, before[1] if before else ""
    assert all(f"page {n}: words" in read for n in range(20))


@pytest.mark.feature("FC-09")
@pytest.mark.parametrize(
    "words",
    [
        "the request exceeds the available context size, try increasing it",
        "This model's maximum context length is 4096 tokens. However, your messages resulted in 5000 tokens.",
    ],
)
def test_what_the_server_finds_too_long_is_compacted_and_asked_once_more(server, make_loop, words) -> None:
    registry, events = ToolRegistry(), []

    @registry.function()
    def page(n: int) -> str:
        """Read a page."""
        return f"page {n}: " + "words " * 300

    calls = [act.call(("page", {"n": n})) for n in range(3)]
    server.play(*calls, act.status(400, words), act.say("All were read."))
    outcome = make_loop(tools=registry).run("read the pages", tell=events.append)
    assert outcome.code == TaskCode.SUCCEEDED and [e["event"] for e in events].count("compacted") == 1
    assert len(str(server.requests[4]["messages"])) < 0.6 * len(str(server.requests[3]["messages"]))
    server.play(act.status(400, words))
    hopeless = make_loop().run("hello")
    assert hopeless.code == TaskCode.MODEL_UNAVAILABLE and words[:30] in hopeless.message


def test_a_memory_that_fails_loses_no_words_of_the_conversation(server, make_loop, make_model) -> None:
    class Full(ProcessMemory):
        def keep(self, text, *, kind, meta=None):
            raise OSError("the disk is full")

    registry, events = ToolRegistry(), []

    @registry.function()
    def page(n: int) -> str:
        """Read a page."""
        return f"page {n}: " + "words " * 300

    server.play(*(act.call(("page", {"n": n})) for n in range(4)), act.say("Read."))
    loop = make_loop(make_model(context_window=2000), tools=registry, memory=Full())
    assert loop.run("read", tell=events.append).code == TaskCode.SUCCEEDED
    assert any(e["event"] == "compaction_failed" and "disk is full" in e["reason"] for e in events)
    assert all(f"page {n}:" in str(server.requests[-1]["messages"]) for n in range(4))


def test_an_error_of_the_loop_itself_is_an_outcome_and_the_thread_goes_on_later(server, make_loop) -> None:
    broken = [True]

    def predict(text):
        if broken:
            raise RuntimeError("no scheduler")

    loop = make_loop(predict=predict)
    server.play(act.say("Hello."))
    outcome = loop.run("hello", thread_id="t")
    assert outcome.code == TaskCode.INTERNAL and "no scheduler" in outcome.message
    broken.clear()
    assert loop.resume("t").code == TaskCode.SUCCEEDED


@pytest.mark.feature("FC-09")
def test_a_call_that_the_servers_own_limit_cut_is_not_made(server, make_loop, tools) -> None:
    def cut(reply) -> None:
        function = {"name": "move", "arguments": '{"what": "cup", "to": "des'}
        reply.event({"tool_calls": [{"index": 0, "id": "a", "type": "function", "function": function}]})
        reply.event({}, "length")
        reply.done()

    server.play(cut, act.call(("move", {"what": "cup", "to": "desk"})), act.say("The cup is on the desk."))
    assert make_loop().run("move the cup").code == TaskCode.SUCCEEDED
    assert tools.calls == [("move", "cup", "desk")]


@pytest.mark.feature("FC-09")
def test_what_the_servers_filter_holds_back_is_a_refusal(server, make_loop) -> None:
    server.play(act.say("Well", finish="content_filter"))
    outcome = make_loop().run("do harm")
    assert outcome.code == TaskCode.REFUSED and "content filter" in outcome.message


@pytest.mark.feature("FC-03")
def test_a_tool_that_was_taken_away_is_not_called_whatever_the_model_writes(server, make_loop, tools) -> None:
    server.play(
        *(act.call(("look_for", {"what": str(n)})) for n in range(6)), act.say("There is nothing else.")
    )
    assert make_loop().run("find things").code == TaskCode.SUCCEEDED
    assert len(tools.calls) == 5
    assert "taken away for now" in tool_messages(server)[-1]["content"]


@pytest.mark.feature("FC-02")
@pytest.mark.parametrize(
    "prose",
    [
        "To find the cup, I'll use the look_for function.",
        "我马上去找杯子。",
        'look_for(what="cup")',
    ],
)
def test_who_only_speaks_of_calls_does_not_succeed(server, make_loop, tools, prose) -> None:
    server.play(act.say(prose), act.call(("look_for", {"what": "cup"})), act.say("It is on the desk."))
    assert make_loop().run("where is the cup?").code == TaskCode.SUCCEEDED and len(tools.calls) == 1
    server.play(act.say(prose))
    outcome = make_loop().run("where is the cup?")
    assert outcome.code == TaskCode.SKILL_FAILED and "only speaks of doing it" in outcome.message


@pytest.mark.feature("FC-03")
def test_planning_without_end_is_brought_to_an_end(server, make_loop) -> None:
    def plan(n: int):
        return act.call(("plan_steps", {"steps": [{"title": f"step {n}"}]}))

    server.play(*(plan(n) for n in range(20)))
    outcome = make_loop().run("tidy up")
    assert outcome.code == TaskCode.SKILL_FAILED and "brought nothing new" in outcome.message
    assert len(server.requests) < 8


@pytest.mark.feature("FC-09", "RB-12")
def test_a_second_model_goes_on_where_the_first_broke_off(server, make_loop, make_model) -> None:
    brain = DualBrain([make_model(model="near", retries=0), make_model(model="far", retries=0)])
    events = []
    server.play(act.cut_after("The cup is ", "on the "), act.say("on the ", "desk."))
    outcome = make_loop(brain).run("say where it is", tell=events.append)
    assert outcome.summary == "The cup is on the desk."
    assert "".join(e["text"] for e in events if e["event"] == "token") == outcome.summary
    assert [request["model"] for request in server.requests] == ["near", "far"]
