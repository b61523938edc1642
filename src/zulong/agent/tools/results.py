"""What a tool returns, as text for the model."""

from __future__ import annotations

import inspect
import itertools
import json
from typing import Any

_MOST_ITEMS = 10_000
_JSON = json.JSONEncoder(ensure_ascii=False)


def as_text(value: Any) -> str:
    """Return a result as text: words as they are, nothing as "done", everything else as JSON.

    Models, dataclasses, enums, dates, sets and the like are written by their contents; what nothing is known of,
    by its ``repr``; items that are yielded, as a list.
    """
    if isinstance(value, str):
        return value
    if value is None:
        return "done"
    if inspect.isgenerator(value):
        value = list(itertools.islice(value, _MOST_ITEMS))
    try:
        return _JSON.encode(value)
    except (TypeError, ValueError):
        pass
    return _JSON.encode(_plain(value))


def _plain(value: Any) -> Any:
    import pydantic_core

    try:
        return pydantic_core.to_jsonable_python(value, serialize_unknown=True, fallback=repr)
    except Exception:
        # Bytes that are no text, keys that are none, circles.
        return repr(value)


def error_text(error: BaseException) -> str:
    """Return an error in words, also one that cannot say what it is."""
    try:
        words = str(error)
    except Exception:
        words = ""
    name = type(error).__name__
    return f"{name}: {words}" if words else name
