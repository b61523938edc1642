"""Orders for one of a kind of which some are ruled out: "a drink, anything but milk"."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from zulong.agent.htn.step import WorldView
from zulong.agent.language.meaning import CARRYING, Clause
from zulong.agent.language.ruled_out import RuledOut


def narrowed(clauses: Sequence[Clause], said: RuledOut, world: WorldView) -> list[Clause] | None:
    """Return the orders with what is ruled out of the one kind they name.

    Args:
        clauses: what is to be done, understood without what is ruled out.
        said: what is ruled out.
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
        and (clause.theme.category or len(clause.theme.ids) > 1)
        and not clause.negated
        and clause.theme.number != 0
    ]
    if len(kinds) != 1:
        return None
    place, theme = kinds[0]
    members = set(theme.ids) if not theme.category else _of_kinds(theme.ids, world)
    out = tuple(dict.fromkeys(thing for named in said.things for thing in _members(named, world)))
    coloured = {i for i in members if world.objects[i].get("colour") in said.colours}
    if not (out or coloured) or not set(out) | coloured < members:
        return None
    changed = replace(
        clauses[place], theme=replace(theme, ruled_out=out, excluded=(*theme.excluded, *said.colours))
    )
    return [changed if number == place else clause for number, clause in enumerate(clauses)]


def _of_kinds(categories: Sequence[str], world: WorldView) -> set[str]:
    return {i for i, item in world.objects.items() if item.get("category") in categories}


def _members(named: str, world: WorldView) -> list[str]:
    return [named] if named in world.objects else sorted(_of_kinds((named,), world))
