"""Whether a value passes a filter, and a namespace a pattern."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from zulong.stategraph.store.base import MatchCondition, Namespace


def _ordered(compare: Callable[[Any, Any], bool]) -> Callable[[Any, Any], bool]:
    """Compare what can be ordered; numbers in text count as numbers, anything else never matches."""

    def check(value: Any, bound: Any) -> bool:
        try:
            return bool(compare(value, bound))
        except TypeError:
            pass
        try:
            return bool(compare(float(value), float(bound)))
        except (TypeError, ValueError):
            return False

    return check


_OPERATORS: Mapping[str, Callable[[Any, Any], bool]] = {
    "$eq": lambda value, wanted: bool(value == wanted),
    "$ne": lambda value, wanted: bool(value != wanted),
    "$gt": _ordered(lambda value, bound: value > bound),
    "$gte": _ordered(lambda value, bound: value >= bound),
    "$lt": _ordered(lambda value, bound: value < bound),
    "$lte": _ordered(lambda value, bound: value <= bound),
    "$in": lambda value, wanted: value in wanted,
    "$nin": lambda value, wanted: value not in wanted,
    "$exists": lambda value, wanted: (value is not None) == bool(wanted),
}


def passes(value: Mapping[str, Any], filter: Mapping[str, Any] | None) -> bool:
    """Whether a stored value passes every condition of a filter.

    Raises:
        ValueError: an operator that does not exist.
    """
    return not filter or all(_holds(value.get(field), wanted) for field, wanted in filter.items())


def _holds(value: Any, wanted: Any) -> bool:
    if isinstance(wanted, Mapping):
        if any(isinstance(key, str) and key.startswith("$") for key in wanted):
            return all(_operator(name)(value, operand) for name, operand in wanted.items())
        return isinstance(value, Mapping) and all(
            _holds(value.get(key), part) for key, part in wanted.items()
        )
    if isinstance(wanted, list | tuple):
        return (
            isinstance(value, list | tuple)
            and len(value) == len(wanted)
            and all(_holds(part, want) for part, want in zip(value, wanted, strict=True))
        )
    return bool(value == wanted)


def _operator(name: str) -> Callable[[Any, Any], bool]:
    try:
        return _OPERATORS[name]
    except KeyError:
        raise ValueError(
            f"Filter operator {name!r} does not exist; use one of {', '.join(_OPERATORS)}."
        ) from None


def matches(condition: MatchCondition, namespace: Namespace) -> bool:
    """Whether a namespace matches a condition.

    Raises:
        ValueError: the match type is neither prefix nor suffix.
    """
    path = condition.path
    if condition.match_type not in ("prefix", "suffix"):
        raise ValueError(f"Match type {condition.match_type!r} does not exist; use 'prefix' or 'suffix'.")
    if len(namespace) < len(path):
        return False
    part = (
        namespace[: len(path)]
        if condition.match_type == "prefix"
        else namespace[len(namespace) - len(path) :]
    )
    return all(pattern in ("*", label) for label, pattern in zip(part, path, strict=True))
