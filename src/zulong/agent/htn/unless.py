"""An order and its exception: "take the milk to Jane, but if she is not in the kitchen, give it to Robin"."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from zulong.agent.language.meaning import CARRYING, Clause, Condition, Referent

# What is found out by looking, before anything is done.
_SEEN = frozenset(("exists", "state"))


def with_exceptions(clauses: Sequence[Clause]) -> list[Clause]:
    """Let an order hold only where the exception after it does not.

    An unconditional order to bring something somewhere and a conditional one to bring the same thing elsewhere
    cannot both be carried out as they stand: the second says what is done instead. The exception comes first, since
    its condition must be known before either.
    """
    settled: list[Clause] = []
    for clause in clauses:
        before = settled[-1] if settled else None
        if before is not None and clause.condition is not None and _not_to_be_had(clause, before):
            condition = _about_what_was_named(clause.condition, before)
            otherwise = replace(condition, negated=False)
            settled[-1:] = [replace(clause, condition=condition), replace(before, condition=otherwise)]
            continue
        if before is None or clause.condition is None or not _is_exception(clause, clause.condition, before):
            settled.append(clause)
            continue
        condition = _about_what_was_named(clause.condition, before)
        otherwise = replace(condition, negated=not condition.negated)
        theme = before.theme
        instead = replace(clause, theme=theme, source=clause.source or before.source, condition=condition)
        settled[-1:] = [instead, replace(before, condition=otherwise)]
    return settled


def _not_to_be_had(clause: Clause, before: Clause) -> bool:
    """Tell "fetch the sugar, and if it is not in the pantry, ask Robin": it is known before whether it is there."""
    condition, theme = clause.condition, before.theme
    if condition is None or condition.kind != "exists" or not condition.negated or condition.subject is None:
        return False
    if before.condition is not None or before.action not in CARRYING or theme is None or theme.pronoun:
        return False
    subject = condition.subject
    same = subject.pronoun == "it" or (bool(subject.name) and subject.name == theme.name)
    place = condition.where or subject.at
    put_there = before.goal is not None and place is not None and bool(set(before.goal.ids) & set(place.ids))
    return (
        same and place is not None and not put_there and clause.action not in CARRYING and not clause.negated
    )


def _is_exception(clause: Clause, condition: Condition, before: Clause) -> bool:
    if condition.kind not in _SEEN or before.condition is not None:
        return False
    carried = clause.action in CARRYING and before.action in CARRYING
    if not carried or clause.negated or before.negated or before.theme is None or before.theme.pronoun:
        return False
    same = clause.theme is None or clause.theme.pronoun in ("it", "them")
    if same and _names_another(condition, before.theme):
        # "take the bowl to the sink, and if there is a spoon on the desk, bring me that": that is the spoon.
        return False
    there, here = _destination(clause), _destination(before)
    return same and there is not None and here is not None and _named(there) != _named(here)


def _names_another(condition: Condition, theme: Referent) -> bool:
    """Tell whether what must be there is a thing of its own, which the order after the condition is then about."""
    subject = condition.subject
    if condition.kind != "exists" or condition.negated or subject is None or subject.kind != "object":
        return False
    named = subject.name or subject.category
    return (
        bool(named)
        and not subject.pronoun
        and (named, subject.colour) != (theme.name or theme.category, theme.colour)
    )


def _destination(clause: Clause) -> Referent | None:
    return clause.recipient or clause.goal


def _named(referent: Referent) -> tuple[str, ...]:
    return (referent.kind, referent.name, referent.pronoun, referent.posture, referent.gesture)


def _about_what_was_named(condition: Condition, before: Clause) -> Condition:
    """Put who or what the order named in place of the pronoun of the condition."""
    subject = condition.subject
    named = None
    if subject is not None and subject.pronoun in ("him", "her", "them"):
        named = before.recipient if before.recipient is not None and not before.recipient.pronoun else None
    elif subject is not None and subject.pronoun == "it":
        named = before.theme
    if subject is None or named is None:
        return condition
    return replace(condition, subject=replace(named, at=subject.at or named.at))
