"""Orders for one of a kind of which some are ruled out: "a drink, anything but milk"."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from zulong.agent.htn.step import WorldView
from zulong.agent.language.meaning import CARRYING, Clause


def narrowed(clauses: Sequence[Clause], things: Sequence[str], world: WorldView) -> list[Clause] | None:
    """Return the orders with the things ruled out of the one kind they name.

    Args:
        clauses: what is to be done, understood without what is ruled out.
        things: ids of the things, or of the category, that are ruled out.
        world: knows what is of which kind.

    Returns:
        None where the orders name no single kind, or where what is ruled out is not of it or is all of it.
    """
    kinds = [
        (number, clause.theme)
        for number, clause in enumerate(clauses)
        if clause.action in CARRYING | {"find"}
        and clause.theme is not None
        and clause.theme.kind == "object"
        and clause.theme.category
        and not clause.negated
        and (clause.theme.number or 1) == 1
    ]
    if len(kinds) != 1:
        return None
    place, theme = kinds[0]
    members = {i for i, item in world.objects.items() if item.get("category") in theme.ids}
    out = tuple(dict.fromkeys(thing for named in things for thing in _members(named, world)))
    if not out or not set(out) < members:
        return None
    changed = replace(clauses[place], theme=replace(theme, ruled_out=out))
    return [changed if number == place else clause for number, clause in enumerate(clauses)]


def _members(named: str, world: WorldView) -> list[str]:
    if named in world.objects:
        return [named]
    return [i for i, item in world.objects.items() if item.get("category") == named]
