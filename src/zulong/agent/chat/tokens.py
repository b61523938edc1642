"""How long a conversation is, in tokens, without the model's own tokenizer."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

_PER_MESSAGE = 4
_PER_CALL = 24  # the JSON around a call's id, name and arguments
_JSON = json.JSONEncoder(ensure_ascii=False)


def count_text(text: str) -> int:
    """Return an upper estimate of a text's tokens: one per CJK character, one per three others."""
    wide = 0 if text.isascii() else sum(1 for c in text if c > "\u2e7f")
    return wide + (len(text) - wide + 2) // 3


def chars_within(text: str, tokens: int) -> int:
    """Return how many characters of a text like this one come to so many tokens."""
    return int(len(text) * tokens / max(1, count_text(text)))


def count_message(message: Mapping[str, Any]) -> int:
    """Return an estimate of a message's tokens, its tool calls included."""
    total = _PER_MESSAGE + count_text(str(message.get("content") or ""))
    for call in message.get("tool_calls") or ():
        function = call["function"]
        total += _PER_CALL + count_text(call["id"])
        total += count_text(function["name"]) + count_text(function["arguments"])
    return total


def count(messages: Sequence[Mapping[str, Any]], tools: Sequence[Mapping[str, Any]] = ()) -> int:
    """Return an estimate of a request's tokens."""
    schemas = count_text(_JSON.encode(list(tools))) if tools else 0
    return schemas + sum(count_message(message) for message in messages)
