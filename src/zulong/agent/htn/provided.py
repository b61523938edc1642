"""Plans that hang on how things are: the condition, and each order heard as an instruction of its own."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from zulong.agent.htn.step import Plan, PlanResult, Question
from zulong.agent.language.meaning import Clause, Condition, Meaning, Referent, clause_from_dict
from zulong.agent.language.provided import Provided

Hear = Callable[[str, Mapping[str, Any]], PlanResult]
"""Hears an instruction that follows what was said before."""


def clauses_provided(
    said: Provided,
    context: Mapping[str, Any],
    hear: Hear,
    carry_out: Callable[[Sequence[Clause]], PlanResult],
    read: Callable[[str], Meaning],
) -> list[Clause] | None:
    """Return what is to be done, each clause with what must be so for it; None when a part of it is not understood.

    Args:
        said: the parts of the instruction.
        context: of the dialogue so far.
        hear: hears a part.
        carry_out: plans clauses; what they speak of is what pronouns of later parts stand for.
        read: reads words that may be less than an instruction.
    """
    before: list[Clause] = []
    known = {"discourse": context.get("discourse") or {}}
    if said.before:
        first = hear(said.before, known)
        before = _clauses(first)
        if not isinstance(first, Plan) or not before or any(c.condition for c in before):
            return None
        known = {"discourse": first.context.get("discourse") or {}}
    if said.condition.kind == "failed":
        return _in_turn(said, before, known, hear, read)
    looks = Clause("wait", seconds=1.0, condition=said.condition)
    checked = carry_out([*before, looks])
    if not isinstance(checked, Plan):
        return None
    known = {"discourse": _of_condition(checked.context.get("discourse") or {}, said.condition)}
    ordered = _ordered(said.order, known, hear, read, said.reports)
    if ordered is None:
        return None
    if before and _TOO.search(said.order):
        ordered = _told_too(ordered, before[-1])
    then = [replace(clause, condition=said.condition) for clause in ordered]
    if not said.other:
        return [*before, *then]
    whoever = (known.get("discourse") or {}).get("person")
    if whoever is None or whoever == {"kind": "person"}:
        # "if the bathroom is free, guide Simone there, otherwise tell her to wait"
        planned = carry_out([*before, *then])
        spoken_of = (planned.context or {}).get("discourse") or {} if isinstance(planned, Plan) else {}
        whom = {key: spoken_of.get(key) for key in ("person", "people") if spoken_of.get(key)}
        known = {"discourse": {**(known.get("discourse") or {}), **whom}}
    other = _otherwise(said.other, ordered, known, hear, read)
    if other is None:
        return None
    opposite = replace(said.condition, negated=not said.condition.negated, text=said.opposite)
    return [*before, *then, *(replace(clause, condition=opposite) for clause in other)]


def _of_condition(discourse: Mapping[str, Any], condition: Condition) -> dict[str, Any]:
    """Return what pronouns stand for in an order that hangs on somebody by name: on nobody who was named before."""
    subject = condition.subject
    named = subject is not None and subject.kind == "person" and bool(subject.ids)
    known = {**discourse, "people": []} if named else dict(discourse)
    if condition.kind == "exists" and condition.negated and subject is not None and subject.kind == "object":
        # What is not there is not looked for there.
        known["thing_at"] = None
    return known


_TOO = re.compile(r"\b(?:too|as well|also|the same(?: thing)?)\W*$", re.IGNORECASE)


def _told_too(ordered: list[Clause], before: Clause) -> list[Clause]:
    """Return "(tell Axel I am late, and if Morgan is in,) tell him too" with what the one before is told."""
    last = ordered[-1]
    bare = (
        last.action == "tell" and not (last.topic or last.text or last.theme) and last.recipient is not None
    )
    told = before.action == "tell" and before.topic == "free" and bool(before.text)
    return [*ordered[:-1], replace(before, recipient=last.recipient)] if bare and told else ordered


def _in_turn(
    said: Provided,
    before: Sequence[Clause],
    known: Mapping[str, Any],
    hear: Hear,
    read: Callable[[str], Meaning],
) -> list[Clause] | None:
    """Return the order, and what is done when it turns out that it cannot be carried out."""
    ordered = _ordered(said.order, known, hear, read, reports=False)
    if ordered is None or len(ordered) != 1:
        return None
    other = _otherwise(said.other, ordered, known, hear, read) if said.other else []
    if other is None:
        return None
    return [*before, *ordered, *(replace(clause, condition=said.condition) for clause in other)]


def _ordered(
    words: str, known: Mapping[str, Any], hear: Hear, read: Callable[[str], Meaning], reports: bool
) -> list[Clause] | None:
    """Return the clauses of an order that hangs on something; one that only says to tell may be about that."""
    heard = hear(words, known)
    clauses = _clauses(heard)
    told = isinstance(heard, Question) and heard.slot == "text" and reports and bool(clauses)
    told = told and clauses[-1].action == "tell" and not clauses[-1].theme and not read(words).leftover
    if not clauses or not (told or isinstance(heard, Plan)):
        return None
    if any(clause.condition or clause.negated or clause.asked for clause in clauses):
        return None
    return clauses


def _otherwise(
    words: str,
    ordered: Sequence[Clause],
    known: Mapping[str, Any],
    hear: Hear,
    read: Callable[[str], Meaning],
) -> list[Clause] | None:
    """Return what is done otherwise: an order of its own, or the same with another thing, person or place."""
    heard = hear(words, known)
    elliptic = _as_before(_clauses(heard), ordered[-1], said_whole=isinstance(heard, Plan))
    if elliptic is not None:
        return [*ordered[:-1], elliptic]
    meaning = read(words)
    if meaning.clauses or meaning.leftover or len(meaning.fragment) != 1:
        return _ordered(words, known, hear, read, True)
    instead = meaning.fragment[0]
    if instead.unknown or not (instead.name or instead.category or instead.ids):
        return None
    changed = _in_place(ordered[-1], instead)
    return [*ordered[:-1], changed] if changed is not None else None


def _as_before(other: Sequence[Clause], clause: Clause, *, said_whole: bool) -> Clause | None:
    """Return "(take Jane to the kitchen,) otherwise take Adel" with what it shares with the order before, else None.

    Args:
        other: what was read of the words.
        clause: the order that is carried out when the condition holds.
        said_whole: whether the words are a whole order alone.
    """
    if len(other) != 1 or other[0].negated or other[0].condition:
        return None
    named = other[0]
    if clause.action == "tell" and named.action == "tell" and clause.topic == "free" and clause.text:
        whom = named.recipient
        bare = not (named.topic or named.text or named.theme)
        return replace(clause, recipient=whom) if bare and whom is not None and whom.pronoun != "me" else None
    if (
        named.verb != clause.verb
        or said_whole
        or clause.goal is None
        or named.goal is not None
        or named.recipient is not None
    ):
        return None
    theme = named.theme
    if theme is None or clause.theme is None or theme.kind != clause.theme.kind or theme.pronoun:
        return None
    return replace(clause, theme=theme, source=named.source, where=named.where)


def _in_place(clause: Clause, instead: Referent) -> Clause | None:
    """Return the clause with another thing, person or place for the one that it names."""
    theme, recipient, goal = clause.theme, clause.recipient, clause.goal
    if instead.kind == "object" and theme is not None and theme.kind == "object":
        return replace(clause, theme=instead, source=None)
    if instead.kind == "person" and recipient is not None:
        return replace(clause, recipient=instead)
    if instead.kind == "person" and theme is not None and theme.kind == "person":
        return replace(clause, theme=instead)
    if instead.kind == "place" and goal is not None and goal.kind == "place":
        return replace(clause, goal=instead)
    return None


def _clauses(result: PlanResult) -> list[Clause]:
    return [clause_from_dict(entry) for entry in (result.context or {}).get("clauses") or ()]
