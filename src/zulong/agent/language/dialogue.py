"""The dialogue: answers to questions, corrections and fragments complete what was said before."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from zulong.agent.language.meaning import Clause, Meaning, Referent, clause_from_dict
from zulong.agent.language.merge import merge_referent


def resume(meaning: Meaning, context: Mapping[str, Any]) -> tuple[Clause, ...]:
    """Return the clauses to do now.

    A full instruction stands for itself. A fragment after a question fills the gap that was asked for; a
    correction changes the last instruction; "yes" confirms it.
    """
    before = tuple(clause_from_dict(entry) for entry in context.get("clauses") or ())
    pending = (context.get("pending") or {}).get("slot")
    if not before:
        return meaning.clauses
    if pending == "confirmation" and meaning.affirmation is True:
        return tuple(
            replace(
                clause,
                condition=None
                if clause.condition and clause.condition.kind == "unknown"
                else clause.condition,
            )
            for clause in before
        )
    if meaning.clauses:
        if meaning.correction:
            return _corrected_by_clauses(before, meaning.clauses)
        return meaning.clauses
    if pending == "object" and not meaning.clauses and any(word in meaning.text.lower() for word in _ANY):
        return tuple(_any_will_do(clause) for clause in before)
    if meaning.fragment and not pending and not meaning.correction and _adds(meaning.text):
        return _fill(before[-1:], meaning.fragment[0], "where" if before[-1].topic else "")
    if meaning.fragment and (pending or meaning.correction):
        clauses = before
        for referent in meaning.fragment:
            clauses = _fill(clauses, referent, str(pending or ""))
        return clauses
    return ()


_ANY = (
    "any",
    "either",
    "whichever",
    "doesn't matter",
    "does not matter",
    "don't care",
    "随便",
    "都行",
    "都可以",
    "无所谓",
)


def _any_will_do(clause: Clause) -> Clause:
    if clause.theme is None or clause.theme.kind != "object":
        return clause
    return replace(clause, theme=replace(clause.theme, definite=False, demonstrative=False))


_ADDING = ("and ", "also ", "what about", "how about", "then ", "还有", "那", "再")


def _adds(text: str) -> bool:
    """Tell "and the pear?" from a fragment that stands alone."""
    return text.strip().lower().startswith(_ADDING)


def _corrected_by_clauses(before: tuple[Clause, ...], new: tuple[Clause, ...]) -> tuple[Clause, ...]:
    """Complete "no, put it on the sofa" by what the instruction before was about."""
    last = before[-1]
    first = new[0]
    if (
        first.theme is not None
        and first.theme.kind == "object"
        and not first.theme.name
        and not first.theme.pronoun
        and last.theme is not None
    ):
        return (replace(first, theme=merge_referent(last.theme, first.theme)), *new[1:])
    return new


_SLOTS = {
    "object": ("theme",),
    "person": ("recipient", "theme"),
    "goal": ("goal",),
    "place": ("goal", "where"),
    "where": ("where",),
}


def _fill(clauses: tuple[Clause, ...], referent: Referent, slot: str) -> tuple[Clause, ...]:
    """Put the referent where it belongs: into the clause that lacks it, or in place of its like."""
    if referent.kind == "place":
        slot = slot if slot in ("goal", "where", "place") else "goal"
    for index in reversed(range(len(clauses))):
        clause = clauses[index]
        filled = _filled(clause, referent, slot)
        if filled is not None:
            return (*clauses[:index], filled, *clauses[index + 1 :])
    return clauses


def _filled(clause: Clause, referent: Referent, slot: str) -> Clause | None:
    if referent.kind == "object":
        if clause.theme is None:
            return replace(clause, theme=referent)
        if clause.theme.kind == "object":
            return replace(clause, theme=merge_referent(clause.theme, referent))
        return None
    if referent.kind == "person":
        for name in ("recipient", "theme"):
            old: Referent | None = getattr(clause, name)
            if old is not None and old.kind == "person" and (old.pronoun != "me" or slot == "person"):
                return replace(clause, **{name: merge_referent(old, referent)})  # type: ignore[arg-type]
        if clause.action in ("follow", "guide", "meet", "find"):
            return replace(clause, theme=referent)
        return replace(clause, recipient=referent)
    if slot == "where":
        if clause.theme is not None and clause.theme.at is not None:
            return replace(clause, theme=replace(clause.theme, at=referent))
        return replace(clause, where=referent)
    if clause.goal is not None or clause.action in ("go", "bring", "put", "guide", "follow", "take"):
        return replace(clause, goal=referent)
    return replace(clause, where=referent)
