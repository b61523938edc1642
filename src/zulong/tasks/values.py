"""Plain values: what a task may carry, so that its history can be written down and nobody else changes it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from zulong.tasks.errors import NotPlainError

_DEEPEST = 100
_ATOMS = (str, int, float)


def plain(value: Any, what: str, _depth: int = 0) -> Any:
    """Return a copy made of texts, numbers, truth values, None, lists and dictionaries with text keys.

    Tuples become lists, as they would in a saved graph.

    Args:
        value: what is given.
        what: its name for the error.

    Raises:
        NotPlainError: there is something else in it, or it is nested more than a hundred levels deep.
    """
    if value is None or isinstance(value, _ATOMS):
        return value
    if _depth > _DEEPEST:
        raise NotPlainError(what, f"is nested more than {_DEEPEST} levels deep")
    if isinstance(value, Mapping):
        for key in value:
            if not isinstance(key, str):
                raise NotPlainError(what, f"has the key {key!r}, which is no text")
        return {key: plain(inner, f"{what}.{key}", _depth + 1) for key, inner in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(inner, f"{what}[{n}]", _depth + 1) for n, inner in enumerate(value)]
    raise NotPlainError(what, f"is a {type(value).__name__}")


def copied(value: Any) -> Any:
    """Return a copy of a value that is known to be plain."""
    if isinstance(value, dict):
        return {key: copied(inner) for key, inner in value.items()} if value else {}
    if isinstance(value, list):
        return [copied(inner) for inner in value]
    return value
