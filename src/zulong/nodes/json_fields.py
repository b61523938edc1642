"""JSON objects in the text fields of messages, read in one way.

Whoever answers a request refuses broken text by name (:func:`json_object`). Whoever only listens must not stop for
somebody else's mistake (:func:`object_or_empty`).
"""

from __future__ import annotations

import json
from typing import Any, NoReturn


class InvalidFieldError(ValueError):
    """A field of a request is malformed; the message names it."""


def json_object(text: str, field: str) -> dict[str, Any]:
    """Read a JSON object; empty text is an empty one.

    Raises:
        InvalidFieldError: no JSON, no object, or a number that JSON does not have (NaN, Infinity).
    """
    if not text.strip():
        return {}
    try:
        value = json.loads(text, parse_constant=_refuse_constant)
    except (ValueError, RecursionError) as error:
        raise InvalidFieldError(f"{field} is not JSON: {error}.") from None
    if not isinstance(value, dict):
        raise InvalidFieldError(f"{field} must be a JSON object, got {type(value).__name__}.")
    return value


def object_or_empty(text: str) -> dict[str, Any]:
    """Read a JSON object; broken text counts as an empty one, for a listener must not stop for it."""
    try:
        return json_object(text, "")
    except InvalidFieldError:
        return {}


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is no number of JSON")
