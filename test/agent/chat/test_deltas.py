"""The habits of servers: what each sends for the same reply, and that all of it is read as it is meant."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from zulong.agent.chat.characters import WellFormedText, well_formed, well_formed_value
from zulong.agent.chat.deltas import Deltas
from zulong.agent.chat.model import Assembly, Reply
from zulong.agent.chat.sse import EventTooLongError, read_events
from zulong.agent.chat.thinking import WithoutThoughts

pytestmark = pytest.mark.feature("FC-09")


def reply_of(*deltas: dict, finish: str = "stop", **choice) -> Reply:
    reader, assembly = Deltas(), Assembly()
    events = [{"choices": [{"index": 0, "delta": delta, "finish_reason": None} | choice]} for delta in deltas]
    for event in [*events, {"choices": [{"index": 0, "delta": {}, "finish_reason": finish}]}]:
        for chunk in reader.feed(event):
            assembly.add(chunk)
    assert reader.finished
    return assembly.reply()


def piece(name=None, arguments=None, **more) -> dict:
    return {"function": {"name": name, "arguments": arguments}} | more


A, B = ("look", '{"what": "a"}'), ("look", '{"what": "b"}')


@pytest.mark.parametrize(
    ("deltas", "calls"),
    [
        ([[piece(*A, index=0, id="1")], [piece(*B, index=1, id="2")]], [A, B]),
        ([[piece(*A, id="1"), piece(*B, id="2")]], [A, B]),
        ([[piece(*A, id="1")], [piece(*B, id="2")]], [A, B]),
        ([[piece(*A, index=0, id="1")], [piece(*B, index=0, id="2")]], [A, B]),
        ([[piece(*A)], [piece(*B)]], [A, B]),
        ([[piece(*A), piece(*B)]], [A, B]),
        ([[piece("look", '{"what"', id="1")], [piece(None, ': "a"}')], [piece(*B, id="2")]], [A, B]),
        ([[piece("look", "")], [piece("look", '{"what": "a"}')]], [A]),
        ([[piece("look", '{"what"', index=0, id="1")], [piece("look", ': "a"}', index=0, id="1")]], [A]),
        ([[piece("lo", "", index=0)], [piece("ok", A[1], index=0)]], [A]),
        ([[piece("look", {"what": "a"}, index=0)]], [A]),
        ([[piece("look", None, index=0)], [piece(None, None, index=0)]], [("look", "")]),
        ([[{"index": 0, "id": 7, "function": None}], [piece(*A, index=0)]], [A]),
        (
            [
                [piece("look", "", index=0, id="1"), piece("look", "", index=1, id="2")],
                [piece(None, '{"what":', index=1), piece(None, '{"what": ', index=0)],
                [piece(None, '"a"}', index=0)],
                [piece(None, ' "b"}', index=1)],
            ],
            [A, B],
        ),
    ],
)
def test_calls_are_put_together_however_a_server_numbers_them(deltas, calls) -> None:
    reply = reply_of(*({"tool_calls": calls} for calls in deltas), finish="tool_calls")
    assert [(c.name, c.arguments) for c in reply.calls] == calls
    assert len({c.id for c in reply.calls}) == len(calls)


def test_the_older_form_of_a_call_is_read_as_well() -> None:
    pieces = ({"name": "look", "arguments": '{"what"'}, {"arguments": ': "a"}'})
    reply = reply_of(*({"function_call": part} for part in pieces), finish="function_call")
    assert [(c.name, c.arguments) for c in reply.calls] == [A]


@pytest.mark.parametrize(
    ("deltas", "text"),
    [
        ([{"content": None, "tool_calls": None}, {"content": "desk"}], "desk"),
        ([{"content": [{"type": "text", "text": "on the "}, {"type": "text", "text": "desk"}]}], "on the desk"),
        ([{"content": [{"type": "thinking", "text": "hm"}]}, {"content": "desk"}], "desk"),
        ([{"reasoning_content": "hm"}, {"content": "desk"}], "desk"),
        ([{"content": "<think>\nwhere?"}, {"content": " a</th"}, {"content": "ink>\n"}, {"content": "\ndesk"}], "desk"),
        ([{"content": "<th"}, {"content": "eory>"}], "<theory>"),
        ([{"content": "a <think>b</think>"}], "a <think>b</think>"),
        ([{"content": "<think>for ever"}], ""),
        ([{"content": "\n <"}], "\n <"),
        ([{"content": "on \ud83d"}, {"content": "\ude00"}, {"content": " \udc00\ud800"}], "on 😀 \ufffd\ufffd"),
        ([{"content": {"no": "text"}, "refusal": 5, "tool_calls": "x"}], ""),
    ],
)  # fmt: skip
def test_words_are_read_in_whatever_form_they_come(deltas, text) -> None:
    assert reply_of(*deltas).text == text


def test_a_whole_message_one_choice_of_many_and_odd_fields_are_read() -> None:
    reader, assembly = Deltas(), Assembly()
    events = [
        {"choices": None, "usage": None},
        {"choices": [{"index": 1, "delta": {"content": "other"}}]},
        {
            "choices": [{"message": {"content": "desk"}, "finish_reason": "stop"}],
            "usage": {"prompt_tokens": 3},
        },
    ]
    for event in events:
        for chunk in reader.feed(event):
            assembly.add(chunk)
    reply = assembly.reply()
    assert (reply.text, reply.finish, dict(reply.usage)) == ("desk", "stop", {"prompt_tokens": 3})


@settings(deadline=None, max_examples=60)
@given(st.lists(st.text(max_size=12), max_size=5), st.sampled_from(["\n", "\r\n", "\r"]), st.data())
def test_events_are_the_same_wherever_the_bytes_are_cut(texts, line_end, data) -> None:
    sent = [json.dumps(text, ensure_ascii=False).encode("utf-8", "replace") for text in texts]
    end = line_end.encode()
    body = b"\xef\xbb\xbf: hello" + end + end
    body += b"".join(b"event: x" + end + b"data: " + item + end + b":" + end + end for item in sent)
    cuts = sorted(data.draw(st.lists(st.integers(0, len(body)), max_size=8)))
    pieces = [body[a:b] for a, b in zip([0, *cuts], [*cuts, len(body)], strict=True)]
    assert list(read_events(pieces)) == [item.decode() for item in sent]


def test_an_event_has_an_end_or_is_given_up() -> None:
    assert list(read_events([b"data:\n\ndata: a\ndata: b\n\nretry: 5\n\ndata: c"])) == ["a\nb", "c"]
    assert list(read_events([b"data: \xff\n\n"])) == ["\ufffd"]
    with pytest.raises(EventTooLongError):
        list(read_events(b"x" * 1_000_000 for _ in range(20)))


@given(st.text(max_size=20), st.data())
def test_thoughts_are_dropped_wherever_the_text_is_cut(answer, data) -> None:
    text = f"<think>{answer[::-1]}</think>x{answer}"
    cuts = sorted(data.draw(st.lists(st.integers(0, len(text)), max_size=6)))
    dropping = WithoutThoughts()
    said = "".join(dropping.feed(text[a:b]) for a, b in zip([0, *cuts], [*cuts, len(text)], strict=True))
    assert said + dropping.flush() == f"x{answer}"


def test_half_characters_are_joined_or_replaced_and_the_rest_stays() -> None:
    assert well_formed("a\ud83d\ude00b\ud83d") == "a😀b\ufffd"
    assert well_formed("你好😀") == "你好😀"
    assert well_formed_value({"a\ud800": ["\udc00", 5, None]}) == {"a\ufffd": ["\ufffd", 5, None]}
    joining = WellFormedText()
    assert joining.feed("\ud83d") == "" and joining.feed("\ude00!") == "😀!"
