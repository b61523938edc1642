"""Sentences for people that stay sentences, whatever was put into them."""

from __future__ import annotations

from concurrent.futures import Future
from typing import Any

MOST_CHARACTERS = 400
_GAP = " ... "


def brief(text: str, most_characters: int = MOST_CHARACTERS) -> str:
    """Return a text without its middle where it is too long: a message may name what somebody sent, not repeat it."""
    if len(text) <= most_characters:
        return text
    half = (most_characters - len(_GAP)) // 2
    return text[:half] + _GAP + text[-half:]


def shorten(response: Any) -> Any:
    """Make the sentence of a response or result brief, and return it; futures are left alone."""
    if not isinstance(response, Future):
        for field in ("error_msg", "message"):
            text = getattr(response, field, None)
            if isinstance(text, str) and len(text) > MOST_CHARACTERS:
                setattr(response, field, brief(text))
    return response
