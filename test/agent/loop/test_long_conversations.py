"""Long results and long conversations: what does not fit goes into memory, nothing is lost."""

from __future__ import annotations

import re

import pytest
import scripted_server as act
from scripted_parts import tool_messages

from zulong.agent.chat.tokens import count
from zulong.agent.codes import TaskCode
from zulong.agent.tools import ProcessMemory, ToolRegistry


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


@pytest.fixture
def pages() -> ToolRegistry:
    registry = ToolRegistry()

    @registry.function()
    def page(n: int) -> str:
        """Read a page."""
        return f"page {n}: " + "words " * 300

    return registry


WINDOW = 4000
PATIENT = {"tool_streak": {"limit": 99}, "loop_count": {"soft_limit": 99, "hard_limit": 99}}


def assert_it_fits(server) -> None:
    for request in server.requests:
        assert count(request["messages"], request.get("tools", ())) < WINDOW
        assert [m["role"] for m in request["messages"]].count("system") == 1


@pytest.mark.feature("FC-09")
def test_the_task_and_what_the_user_said_since_outlast_every_compaction(
    server, make_loop, make_model, pages
) -> None:
    looks = [act.call(("page", {"n": n})) for n in range(30)]
    server.play(act.say("In which language?"), *looks, act.say("All pages are read."))
    loop = make_loop(make_model(context_window=WINDOW), tools=pages, settings={"breaker": PATIENT})
    asked = loop.run("Read all pages and find the owl.")
    assert loop.resume(asked.thread_id, "in Dutch, please").code == TaskCode.SUCCEEDED
    begin = server.requests[-1]["messages"][0]["content"]
    assert "Read all pages and find the owl." in begin and "in Dutch, please" in begin
    assert_it_fits(server)


@pytest.mark.feature("FC-09")
@pytest.mark.parametrize("word", ["lorem ipsum ", "很长的话"])
def test_a_flood_of_the_users_words_fits_and_memory_has_the_whole(
    server, make_loop, make_model, pages, word
) -> None:
    memory, flood = ProcessMemory(), f"Read page 1. {word * 20_000} Be brief."
    server.play(act.call(("page", {"n": 1})), act.say("It is read."))
    outcome = make_loop(make_model(context_window=WINDOW), tools=pages, memory=memory).run(flood)
    first = server.requests[0]["messages"][1]["content"]
    assert outcome.code == TaskCode.SUCCEEDED and first.startswith("Read page 1.")
    assert first.endswith("Be brief.") and memory.read("dialogue-1") == flood
    assert_it_fits(server)


@pytest.mark.feature("FC-09")
def test_many_long_results_of_one_reply_and_a_flood_of_arguments_fit(
    server, make_loop, make_model, pages
) -> None:
    server.play(
        act.call(*(("page", {"n": n}) for n in range(8))),
        act.call(("page", {"n": 1, "why": "because " * 1500})),
        act.say("All are read."),
    )
    model = make_model(context_window=WINDOW)
    assert make_loop(model, tools=pages).run("read the pages").code == TaskCode.SUCCEEDED
    assert_it_fits(server)
