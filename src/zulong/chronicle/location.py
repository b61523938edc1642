"""Facts about where things are, and the one rule that picks the fact that holds: the newest."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

_ATTRIBUTE = "location"
T = TypeVar("T")


@dataclass(slots=True, frozen=True)
class Location:
    """One remembered fact: ``thing`` was at ``value`` (a placement's or room's id, ``gripper``, ``person:<id>``).

    ``stamp`` is the moment of the fact (seconds, node clock); among equal stamps the higher ``order`` is newer.
    """

    thing: str
    value: str
    stamp: float
    order: int = 0


def location_meta(thing: str, value: str) -> dict[str, Any]:
    """Return the fields by which memory knows two facts about the same thing: the newer one holds."""
    return {"subject": thing, "attribute": _ATTRIBUTE, "value": value}


def location_of(meta: Mapping[str, Any], stamp: float, order: int = 0) -> Location | None:
    """Return the fact in a memory's fields, or None when the memory is about something else."""
    thing = str(meta.get("subject") or "")
    if meta.get("attribute") != _ATTRIBUTE or not thing:
        return None
    return Location(thing, str(meta.get("value", "")), stamp, order)


def newest(facts: Iterable[tuple[Location | None, T]]) -> dict[str, tuple[Location, T]]:
    """Return, for each thing, its newest fact with what came along with it; pairs without a fact are passed over."""
    found: dict[str, tuple[Location, T]] = {}
    for fact, source in facts:
        if fact is None:
            continue
        known = found.get(fact.thing)
        if known is None or (known[0].stamp, known[0].order) < (fact.stamp, fact.order):
            found[fact.thing] = (fact, source)
    return found
