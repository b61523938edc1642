"""Remote tools, approvals, and effects that happen once."""

from __future__ import annotations

import threading

import pytest
import scripted_server as act
from scripted_parts import RecordingSkills, tool_messages

from zulong.agent.approval import ApprovalDesk
from zulong.agent.codes import SkillCode, TaskCode
from zulong.agent.latch import CancelLatch
from zulong.agent.ledger import MemoryLedger
from zulong.agent.local_skills import SkillError
from zulong.agent.skills import SkillProfile, SkillResult
from zulong.agent.tools import ToolRegistry, tool_from_skill


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
    assert outcome.code == (TaskCode.SUCCEEDED if answer else TaskCode.APPROVAL_DENIED)
    assert len(done) == made and desk.open_requests == ()
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


@pytest.fixture
def doors() -> ToolRegistry:
    registry = ToolRegistry()
    registry.opened = []

    @registry.function(approval="risky", has_side_effects=True)
    def open_door(which: str) -> str:
        """Open a door."""
        registry.opened.append(which)
        return "open"

    return registry


def desk_that_answers(answer: bool) -> tuple[ApprovalDesk, list[str]]:
    desk, asked = ApprovalDesk(), []

    def heard(request, state) -> None:
        if state == "pending":
            asked.append(request.arguments["which"])
            desk.answer(request.request_id, answer)

    desk.on_change(heard)
    return desk, asked


@pytest.mark.feature("FC-08", "FC-04")
def test_nobody_is_asked_for_calls_that_would_not_be_made(server, make_loop, doors) -> None:
    desk, asked = desk_that_answers(True)
    calls = [("open_door", {"which": str(n)}) for n in range(5)]
    server.play(act.call(*calls), act.say("Two doors are open, the others not."))
    loop = make_loop(tools=doors, desk=desk)
    assert loop.run("open the doors with at most two calls").code == TaskCode.SUCCEEDED
    assert asked == ["0", "1"] == doors.opened


@pytest.mark.feature("FC-08")
def test_a_no_stays_a_no_until_the_user_speaks_again(server, make_loop, doors) -> None:
    desk, asked = desk_that_answers(False)
    again = act.call(("open_door", {"which": "front"}))
    server.play(again, again, act.say("Shall I open it after all?"))
    loop = make_loop(tools=doors, desk=desk)
    outcome = loop.run("open the front door")
    assert asked == ["front"] and outcome.code == TaskCode.NEEDS_INPUT
    server.play(again, act.say("You did not allow it."))
    loop.resume(outcome.thread_id, "ask me again")
    assert asked == ["front", "front"] and doors.opened == []


@pytest.mark.feature("FC-08")
def test_a_listener_of_the_desk_that_fails_keeps_nobody_from_being_asked(server, make_loop, doors) -> None:
    desk, _ = desk_that_answers(True)

    def broken(request, state) -> None:
        raise RuntimeError("no screen")

    desk._listeners.insert(0, broken)
    server.play(act.call(("open_door", {"which": "front"})), act.say("It is open."))
    assert make_loop(tools=doors, desk=desk).run("open it").code == TaskCode.SUCCEEDED
    assert doors.opened == ["front"]
