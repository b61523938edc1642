"""JSON that a model has nearly written right, and what is beyond repair."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from zulong.agent.chat.json_repair import BrokenJsonError, read_object

pytestmark = pytest.mark.feature("FC-07", "FC-09")


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("", {}),
        ('{"a": 1}', {"a": 1}),
        ('```json\n{"a": 1}\n```', {"a": 1}),
        ('Here you are: {"a": {"b": [1]}} I hope it helps', {"a": {"b": [1]}}),
        ("{'place': 'kitchen', 'fast': True, 'why': None}", {"place": "kitchen", "fast": True, "why": None}),
        ('{"a": [1, 2,], "b": 3,}', {"a": [1, 2], "b": 3}),
        ('{"a": "x, }", "b": 1,}', {"a": "x, }", "b": 1}),
        ('{"a": {"b": "kit"', {"a": {"b": "kit"}}),
        ("{a: 'x, b: c', d_e: [1, 2,]}", {"a": "x, b: c", "d_e": [1, 2]}),
        ("{“a”: “b，c”， “d”：1}", {"a": "b，c", "d": 1}),
        ('｛"a"：1｝', {"a": 1}),
        ("{'a': (1, 2)}", {"a": [1, 2]}),
        ('{"a": "\\ud83d\\ude00 \\ud83d"}', {"a": "😀 \ufffd"}),
        ('{"a": [1, {"b": 2', {"a": [1, {"b": 2}]}),
        ('{"a": "line\nbreak"}', {"a": "line\nbreak"}),
        ('"{\\"a\\": 1}"', {"a": 1}),
        ('{"text": "it\'s {fine}"}', {"text": "it's {fine}"}),
        ('{"a":', {"a": None}),
    ],
)
def test_usual_slips_are_repaired(text: str, value: dict) -> None:
    assert read_object(text) == value


@pytest.mark.parametrize(
    "text",
    [
        "kitchen",
        "[1, 2]",
        '[{"a": 1}, {"a": 2}]',
        "{place kitchen}",
        '{"a" 1}',
        "{1: 2}",
        "__import__('os')",
        '{"a": {"b": "kit',
        "{'a': {1, 2}}",
        '{"a": ' + "[" * 200_000,
        '{"a": ' + "[" * 100 + "]" * 100 + "}",
    ],
)
def test_what_would_need_guessing_is_refused(text: str) -> None:
    with pytest.raises(BrokenJsonError):
        read_object(text)


@settings(deadline=None, max_examples=50)
@given(
    st.dictionaries(
        st.text(max_size=5), st.one_of(st.integers(), st.text(max_size=8), st.booleans(), st.none())
    )
)
def test_right_json_is_read_as_it_is_and_no_cut_makes_it_crash(value: dict) -> None:
    text = json.dumps(value)
    assert read_object(text) == value
    for end in range(1, len(text)):
        try:
            read_object(text[:end])
        except BrokenJsonError:
            pass
