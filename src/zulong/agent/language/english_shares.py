"""What one clause of an English instruction leaves to be understood from another: elided nouns, shares, listeners.

"Take the smallest cup to Jane and the biggest to Adel" speaks of two cups, "bring two drinks, one to Jane and one to
Adel" of two drinks and not of four, "put the apple on the desk and leave it there" of one errand.
"""

from __future__ import annotations

from dataclasses import replace

from zulong.agent.language.meaning import Clause, Referent

_CARRIED = ("bring", "put", "take")
_SPOKEN = ("tell", "greet", "ask")


def shared(clauses: list[Clause]) -> tuple[list[Clause], list[str]]:
    """Return the clauses, each complete and each errand once, and the words whose share is not clear."""
    whole = _with_elided_nouns(clauses)
    whole, unclear = _with_shares(whole)
    whole = _with_listeners(_met_together(whole))
    return _each_once(whole), [*unclear, *_unclear(whole)]


def _headless(referent: Referent | None) -> bool:
    return (
        referent is not None
        and referent.kind == "object"
        and bool(referent.superlative or referent.size)
        and not (
            referent.name or referent.category or referent.pronoun or referent.unknown or referent.colour
        )
        and referent.relatum is None
        and "thing" not in referent.text
        and "object" not in referent.text
        and "item" not in referent.text
    )


def _with_elided_nouns(clauses: list[Clause]) -> list[Clause]:
    """Name what "the biggest" leaves out after "the smallest cup"."""
    named: Referent | None = None
    whole: list[Clause] = []
    for clause in clauses:
        theme = clause.theme
        if theme is not None and named is not None and _headless(theme):
            theme = replace(
                theme, name=named.name, ids=named.ids, category=named.category, at=theme.at or named.at
            )
            clause = replace(clause, theme=theme)
        if (
            theme is not None
            and theme.kind == "object"
            and (theme.name or theme.category)
            and not theme.unknown
        ):
            named = theme
        whole.append(clause)
    return whole


def _one(clause: Clause) -> bool:
    """Tell whether the clause is about "one" of what was named before."""
    theme = clause.theme
    if theme is None or theme.kind != "object":
        return False
    return (
        theme.text in ("one", "another", "another one", "the other", "the other one")
        or theme.pronoun == "one"
    )


def _with_shares(clauses: list[Clause]) -> tuple[list[Clause], list[str]]:
    """Share "two drinks" out over "one to Jane and one to Adel"."""
    whole: list[Clause] = []
    unclear: list[str] = []
    number = 0
    while number < len(clauses):
        clause, theme = clauses[number], clauses[number].theme
        end = number + 1
        while end < len(clauses) and _one(clauses[end]) and clauses[end].action in _CARRIED:
            end += 1
        parts = clauses[number + 1 : end]
        if (
            clause.action not in _CARRIED
            or theme is None
            or not parts
            or theme.pronoun
            or theme.kind != "object"
        ):
            whole.append(clause)
            number += 1
            continue
        one = replace(theme, number=None, plural=False, definite=False, text=theme.text)
        shares = [replace(part, theme=replace(one, at=part.source or theme.at)) for part in parts]
        several = theme.number is not None and theme.number > 1
        if several and theme.number == len(parts):
            whole.extend(shares)
        elif several or (theme.definite and not theme.category) or (_to_me(clause) and len(parts) > 1):
            # "the milk on the desk and another on the bed", "me a snack, one for Jane and one for Adel"
            unclear.extend(part.theme.text for part in parts if part.theme is not None)
            whole.extend([clause, *shares])
        else:
            whole.extend([clause, *shares])
        number = end
    return whole, unclear


def _to_me(clause: Clause) -> bool:
    return clause.recipient is not None and clause.recipient.pronoun == "me"


def _met_together(clauses: list[Clause]) -> list[Clause]:
    """Greet each of "meet Jane and Adel in the kitchen"; both are there."""
    whole = list(clauses)
    for number in range(len(clauses) - 1, 0, -1):
        clause, before = whole[number], whole[number - 1]
        pair = (
            clause.action == before.action
            and clause.verb == before.verb
            and clause.condition == before.condition
        )
        person, other = clause.theme, before.theme
        if not pair or person is None or other is None or not person.kind == other.kind == "person":
            continue
        if person.at is not None and other.at is None and not other.pronoun and not clause.asked:
            whole[number - 1] = replace(before, theme=replace(other, at=person.at))
        if clause.action == "meet":
            whole[number - 1] = replace(whole[number - 1], action="greet")
            whole[number] = replace(clause, action="greet") if number == len(clauses) - 1 else clause
    return whole


def _with_listeners(clauses: list[Clause]) -> list[Clause]:
    """Say to her what is to be said instead: "do not say hello to Jane, say goodbye"."""
    whole: list[Clause] = []
    for clause in clauses:
        before = whole[-1] if whole else None
        if (
            before is not None
            and before.negated
            and not clause.negated
            and before.action in _SPOKEN
            and clause.action in _SPOKEN
            and clause.recipient is None
            and before.recipient is not None
        ):
            clause = replace(clause, recipient=before.recipient)
        whole.append(clause)
    return whole


def _each_once(clauses: list[Clause]) -> list[Clause]:
    """Leave out what is the errand before once more: "put the apple on the desk and leave it there"."""
    whole: list[Clause] = []
    for clause in clauses:
        if whole and _again(whole[-1], clause):
            continue
        if whole and _wished_for(whole[-1], clause):
            # "Adel wants the sponge but I need it first, so bring it to me"
            theme = clause.theme if clause.theme is not None and clause.theme.ids else whole[-1].theme
            whole[-1] = replace(clause, theme=theme)
            continue
        whole.append(clause)
    return whole


def _again(before: Clause, clause: Clause) -> bool:
    theme, named = clause.theme, before.theme
    if theme is None or named is None or theme.kind != "object" or clause.condition != before.condition:
        return False
    if clause.action not in _CARRIED or before.action not in _CARRIED or clause.negated or before.negated:
        return False
    if (
        theme.number not in (None, 1)
        or clause.repeat != 1
        or before.repeat != 1
        or before.inferred != clause.inferred
    ):
        return False
    same = theme.pronoun == "it" and theme.text != "one"
    goal, person = clause.goal, clause.recipient
    if person is not None:
        there = before.recipient is not None and (
            person.pronoun == before.recipient.pronoun == "me"
            or (person.ids and person.ids == before.recipient.ids)
        )
        return bool(same and there and goal is None)
    there = (
        goal is not None
        and before.goal is not None
        and (goal.pronoun == "there" or (bool(goal.ids) and goal.ids == before.goal.ids))
    )
    return bool(same and there and before.action == "put")


def _wished_for(before: Clause, clause: Clause) -> bool:
    """Tell whether the clause brings what the one before only wishes for."""
    theme, named = clause.theme, before.theme
    if not (before.inferred and before.verb == "want") or named is None or theme is None or clause.negated:
        return False
    same = theme.pronoun == "it" or (theme.definite and bool(theme.ids) and theme.ids == named.ids)
    return (
        same
        and clause.action in ("bring", "take")
        and _to_me(clause)
        and before.condition == clause.condition
    )


def _unclear(clauses: list[Clause]) -> list[str]:
    """Return what is said of a place or a time in a way that no errand has."""
    found: list[str] = []
    for clause in clauses:
        person, goal = clause.recipient, clause.goal
        elsewhere = goal is not None and goal.kind == "place" and (goal.pronoun == "there" or bool(goal.ids))
        if (
            person is not None
            and person.pronoun == "me"
            and goal is not None
            and elsewhere
            and not clause.negated
        ):
            # "bring it to the bedroom and give it to me there": the speaker is expected where the errand was given.
            found.append(goal.text)
        if clause.action == "stop" and any(clause.referents()) and not clause.negated:
            found.append(clause.verb)
    return found
