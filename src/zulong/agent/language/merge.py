"""How a correction changes what was said before."""

from __future__ import annotations

from dataclasses import replace

from zulong.agent.language.meaning import Clause, Referent


def merge_referent(old: Referent, new: Referent) -> Referent:
    """Return ``old`` as corrected by ``new``: what ``new`` says wins, what it leaves open stays."""
    if old.kind != new.kind:
        return new
    if new.name or new.category or new.ids:
        keep_at = new.at or old.at
        return replace(new, at=keep_at)
    return replace(
        old,
        ids=old.ids,
        colour=new.colour or ("" if new.excluded else old.colour),
        size=new.size or old.size,
        superlative=new.superlative or old.superlative,
        number=new.number or old.number,
        posture=new.posture or old.posture,
        gesture=new.gesture or old.gesture,
        garment=new.garment or old.garment,
        garment_colour=new.garment_colour or old.garment_colour,
        gender=new.gender or old.gender,
        at=new.at or old.at,
        side=new.side or old.side,
        text=new.text,
    )


def replace_referent(clause: Clause, new: Referent) -> Clause:
    """Return the clause with the referent of the same kind replaced or refined by ``new``."""
    slots = {
        "object": ("theme",),
        "person": ("recipient", "theme"),
        "place": ("goal", "where", "source"),
    }[new.kind]
    for slot in slots:
        old: Referent | None = getattr(clause, slot)
        if old is not None and old.kind == new.kind:
            return replace(clause, **{slot: merge_referent(old, new)})  # type: ignore[arg-type]
    if new.kind == "object" and clause.theme is None:
        return replace(clause, theme=new)
    return replace(clause, **{slots[0]: new})  # type: ignore[arg-type]
