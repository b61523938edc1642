"""Calls that models write as text, each family in its own way; everything else is plain text."""

from __future__ import annotations

import pytest

from zulong.agent.chat.written_calls import calls_in_text

pytestmark = pytest.mark.feature("FC-07", "FC-09")


@pytest.mark.parametrize(
    ("text", "calls"),
    [
        ('{"name": "go_to", "arguments": {"place": "a"}}', [("go_to", {"place": "a"})]),
        ('<tool_call>{"name": "say", "arguments": {}}</tool_call>', [("say", {})]),
        (
            '[{"name": "say", "arguments": {}}, {"name": "go_to", "parameters": {"p": 1}}]',
            [("say", {}), ("go_to", {"p": 1})],
        ),
        ('Let me go.\n```json\n{"name": "go_to", "arguments": {"p": 1}}\n```\nThere.', [("go_to", {"p": 1})]),
        ('First this:\n{"name": "say", "arguments": {}}\n', [("say", {})]),
        (
            '{"name": "say", "arguments": {}}\n{"name": "go_to", "arguments": {"p": 1}}',
            [("say", {}), ("go_to", {"p": 1})],
        ),
        ('```json\n{"colour": "red"}\n```', []),
        ('```python\ngo_to("kitchen")\n```', []),
        ('{"name": "Anna", "arguments": {}}', []),
        ('{"answer": 42}', []),
        ("I would call go_to with the kitchen.", []),
        ('The call {"name": "go_to", "arguments": {}} is what I would make.', []),
    ],
)
def test_calls_written_as_text_are_found_where_they_stand_by_themselves(text, calls) -> None:
    assert calls_in_text(text, ["go_to", "say"]) == calls


GO = [("go_to", {"place": "hall"})]


@pytest.mark.parametrize(
    "text",
    [
        '{"type": "function", "function": {"name": "go_to", "arguments": "{\\"place\\": \\"hall\\"}"}}',
        '[TOOL_CALLS] [{"name": "go_to", "arguments": {"place": "hall"}}]',
        '<|python_tag|>{"name": "go_to", "parameters": {"place": "hall"}}',
        'I go.\n<function=go_to>{"place": "hall"}</function>',
        "<tool_call>\n<function=go_to>\n<parameter=place>\nhall\n</parameter>\n</function>\n</tool_call>",
        'Thought: I must go.\nAction: go_to\nAction Input: {"place": "hall"}',
        'go_to(place="hall")',
        "[go_to(place='hall')]",
        '```python\ngo_to(place="hall")\n```',
    ],
)
def test_each_familys_way_to_write_a_call_is_read(text) -> None:
    assert calls_in_text(text, ["go_to", "say"]) == GO


@pytest.mark.parametrize(
    "text",
    [
        '{"function": {"name": {"go_to": 1}}}',
        '{"name": "go_to", "arguments": "{broken"}',
        '{"name": ["go_to"], "arguments": {}}',
        "<function=fly>{}</function>",
        'go_to("hall")',
        'go_to(place=__import__("os").getcwd())',
        'go_to(**{"place": "hall"})',
        'I would call go_to(place="hall") if I could.',
        'go_to(place="hall"); fly()',
        "Action: go_to\nAction Input: the hall",
        "[" * 10_000,
    ],
)
def test_what_only_looks_like_a_call_is_text_and_no_error(text) -> None:
    assert calls_in_text(text, ["go_to", "say"]) == []
