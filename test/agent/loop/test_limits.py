"""Budgets, time limits, cancels, and the look around when a task is taken up again."""

from __future__ import annotations

import threading
import time

import pytest
import scripted_server as act
from scripted_parts import offered, tool_messages, wait_until

from zulong.agent.budget import SharedBudget
from zulong.agent.codes import TaskCode
from zulong.agent.latch import CancelLatch
from zulong.agent.loop import LoopSettings
from zulong.agent.surroundings import Surroundings
from zulong.agent.tools import ToolRegistry


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


@pytest.mark.feature("FC-04")
def test_a_budget_that_several_runs_share_is_spent_once(server, make_loop, tools) -> None:
    def look(reply) -> None:
        text = act.say("I found what I could.") if not reply.request.get("tools") else None
        n = len(server.requests)
        (text or act.call(("look_for", {"what": f"{n}a"}), ("look_for", {"what": f"{n}b"})))(reply)

    server.play(look)
    shared, outcomes = SharedBudget(7), []
    loop = make_loop()
    runs = [
        threading.Thread(target=lambda: outcomes.append(loop.run("find things", budget=shared)))
        for _ in range(4)
    ]
    for run in runs:
        run.start()
    for run in runs:
        run.join(20)
    assert len(tools.calls) == 7 and shared.left == 0
    assert sum(outcome.skill_calls for outcome in outcomes) == 7
    assert [outcome.code for outcome in outcomes] == [TaskCode.SUCCEEDED] * 4
    again = loop.resume(outcomes[0].thread_id, "find more", budget=SharedBudget(8, used=7))
    assert again.code == TaskCode.SUCCEEDED and len(tools.calls) == 8


@pytest.mark.feature("FC-04")
def test_further_words_of_the_user_may_tighten_the_budget_and_never_loosen_it(
    server, make_loop, tools
) -> None:
    looks = [act.call(("look_for", {"what": str(n)})) for n in range(3)]
    server.play(act.say("Which one do you mean?"), *looks, act.say("I found one."))
    loop = make_loop()
    asked = loop.run("find the cup", budget=5)
    outcome = loop.resume(asked.thread_id, "the red one, at most two calls")
    assert outcome.code == TaskCode.SUCCEEDED and len(tools.calls) == 2


def test_a_task_that_is_done_or_asks_ends_again_as_it_did_when_it_is_only_resumed(
    server, make_loop, tools
) -> None:
    server.play(act.call(("look_for", {"what": "a"})), act.say("It is on the desk."), act.say("Which cup?"))
    loop = make_loop()
    done = loop.run("find a")
    assert done.code == TaskCode.SUCCEEDED
    asked = loop.run("fetch the cup")
    assert asked.code == TaskCode.NEEDS_INPUT
    spoken, requests = loop.messages(done.thread_id), len(server.requests)
    assert loop.resume(done.thread_id) == done and loop.resume(asked.thread_id) == asked
    assert loop.messages(done.thread_id) == spoken and len(server.requests) == requests


@pytest.mark.feature("FC-04")
def test_a_budget_below_zero_is_none(server, make_loop, tools) -> None:
    server.play(act.call(("look_for", {"what": "cup"})), act.say("It is on the desk."))
    assert make_loop().run("where is the cup?", budget=-1).code == TaskCode.SUCCEEDED and tools.calls


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"approval": False}, "approval is one of"),
        ({"time_limit_s": float("inf")}, "time_limit_s"),
        ({"max_calls_per_reply": 0}, "max_calls_per_reply"),
        ({"compact_at": 0.2, "compact_to": 0.5}, "compact_to"),
    ],
)
def test_limits_that_are_none_are_refused(settings, words) -> None:
    with pytest.raises(ValueError, match=words):
        LoopSettings(**settings)


def test_no_words_are_no_task_and_no_limit_is_no_error(server, make_loop) -> None:
    server.play(act.say("Hello."))
    assert make_loop().run(" \n").code == TaskCode.INVALID_GOAL and server.requests == []
    assert make_loop().run("say hello", time_limit_s=float("inf")).code == TaskCode.SUCCEEDED
