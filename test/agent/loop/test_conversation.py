"""What of a conversation is sent: every call has its answer, however the conversation grew."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from zulong.agent.loop.conversation import AnsweredMessages, request_messages


def reply(number: int, calls: int) -> dict[str, Any]:
    return {
        "role": "assistant",
        "content": "",
        "tool_calls": [{"id": f"call_{number}_{i}"} for i in range(calls)],
    }


def result(number: int, index: int) -> dict[str, Any]:
    return {"role": "tool", "tool_call_id": f"call_{number}_{index}", "content": "done"}


@st.composite
def growing(draw: Any) -> list[list[dict[str, Any]]]:
    """Conversations as they stand at each request: results in any order, late ones, and ones that never come."""
    messages: list[dict[str, Any]] = []
    states = []
    late: list[dict[str, Any]] = []
    for number in range(draw(st.integers(1, 6))):
        messages.append({"role": "user", "content": f"word {number}"})
        calls = draw(st.integers(0, 3))
        messages.append(reply(number, calls))
        results = draw(st.permutations([result(number, i) for i in range(calls)]))
        kept = draw(st.integers(0, calls))
        messages += results[:kept]
        late += results[kept:]
        if late and draw(st.booleans()):
            messages.append(late.pop(0))
        states.append(messages[:])
    return states


@given(growing(), st.integers(0, 2))
def test_what_is_kept_between_requests_is_what_one_look_at_the_whole_gives(
    states: list[list[dict[str, Any]]], upto: int
) -> None:
    kept = AnsweredMessages()
    for messages in states:
        assert kept.of(messages, upto) == AnsweredMessages().of(messages, upto)


@given(growing())
def test_each_call_is_followed_by_its_answers_at_once(states: list[list[dict[str, Any]]]) -> None:
    kept = AnsweredMessages()
    for messages in states:
        sent = kept.of(messages, 0)
        for at, message in enumerate(sent):
            for index, call in enumerate(message.get("tool_calls", ()), at + 1):
                assert sent[index]["tool_call_id"] == call["id"]
                come = {"role": "tool", "tool_call_id": call["id"], "content": "done"} in messages
                assert sent[index]["content"].startswith("done" if come else "error: not done")


def test_another_conversation_and_a_compaction_are_noticed() -> None:
    kept = AnsweredMessages()
    first = [{"role": "user", "content": "a"}, {"role": "assistant", "content": "b"}]
    assert kept.of(first, 0) == first
    assert kept.of(first, 1) == first[1:]
    other = [{"role": "user", "content": "x"}, {"role": "assistant", "content": "y"}]
    assert kept.of(other, 1) == other[1:]
    assert kept.of(other, 0) == other


def test_what_the_caller_does_with_a_request_does_not_reach_the_next_one() -> None:
    kept = AnsweredMessages()
    messages = [{"role": "user", "content": "a"}]
    kept.of(messages, 0).clear()
    assert kept.of(messages, 0) == messages


def test_a_request_has_one_message_of_the_system_and_the_hints_last() -> None:
    sent = request_messages("Be brief.", [{"role": "user", "content": "a"}], "Before: b.", ["conclude"])
    assert [m["content"] for m in sent] == ["Be brief.\n\nBefore: b.", "a", "[loop] conclude"]
