"""How the clauses of an English instruction stand to each other: halves of one errand, and what is at odds."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from zulong.agent.language.meaning import Clause, Referent

_CARRIED = ("bring", "take")
_GIVING = frozenset(
    ("give", "hand", "hand over", "pass", "serve", "offer", "present", "deliver", "bring", "take")
)


def joined_errands(clauses: list[Clause]) -> list[Clause]:
    """Join each clause with the one before where both are halves of one errand.

    Carrying a thing somewhere and giving it to somebody there, or putting it down there, is one delivery; going to
    somebody and handing over a thing is bringing it.
    """
    joined: list[Clause] = []
    for clause in clauses:
        before = joined[-1] if joined else None
        one = _one_errand(before, clause) if before is not None else None
        if one is None:
            joined.append(clause)
        else:
            joined[-1:] = one
    return joined


def _one_errand(before: Clause, clause: Clause) -> list[Clause] | None:
    """Return what the two are together, None when they are two errands."""
    if before.negated or clause.negated or before.condition != clause.condition or before.repeat != 1:
        return None
    if _meets(before) and clause.action == "bring" and clause.verb in _GIVING:
        return _handed_to(before, clause)
    if (
        not _carries(before)
        or clause.theme is None
        or clause.theme.pronoun != "it"
        or clause.source is not None
    ):
        return None
    goal, person = before.goal, clause.recipient
    if (
        clause.action in ("bring", "put")
        and person is not None
        and clause.goal is None
        and person.kind == "person"
    ):
        if goal is not None and person.at is None and not person.pronoun:
            person = replace(person, at=goal)
        return [
            replace(clause, theme=before.theme, source=before.source, where=before.where, recipient=person)
        ]
    if clause.action != "put" or clause.goal is None or person is not None or goal is None:
        return None
    if clause.goal.pronoun == "there":
        return [replace(before, action="put")]
    # "take the cup to the office and put it on the desk"
    if goal.kind == "place" and goal.ids and clause.goal.at is None and not clause.goal.pronoun:
        clause = replace(clause, goal=replace(clause.goal, at=goal))
    return [replace(clause, theme=before.theme, source=before.source, where=before.where)]


def placed_as_told(clauses: list[Clause], told: Iterable[Referent]) -> list[Clause]:
    """Say where a thing is that was told to be somewhere: "there is a plate on the sofa, I'd like the plate"."""
    places = {
        (one.name, one.colour): one.at
        for one in told
        if one.kind == "object" and one.name and one.at is not None
    }
    placed: list[Clause] = []
    for clause in clauses:
        theme = clause.theme
        at = places.get((theme.name, theme.colour)) if theme is not None and theme.kind == "object" else None
        if (
            theme is not None
            and at is not None
            and theme.at is None
            and clause.source is None
            and clause.goal != at
        ):
            clause = replace(clause, theme=replace(theme, at=at))
        placed.append(clause)
    return placed


def _meets(clause: Clause) -> bool:
    """Tell whether the clause only goes to somebody."""
    theme = clause.theme
    going = clause.action in ("go", "meet") and clause.goal is None and clause.source is None
    return going and theme is not None and theme.kind == "person" and theme.pronoun != "me"


def _handed_to(before: Clause, clause: Clause) -> list[Clause] | None:
    """Join "go to Jane and give her the cup", unless the thing is in the hand already."""
    person = clause.recipient
    named = clause.theme is not None and clause.theme.kind == "object" and not clause.theme.pronoun
    if (
        not named
        or clause.goal is not None
        or (person is not None and person.pronoun not in ("him", "her", "them"))
    ):
        return None
    return [replace(clause, recipient=before.theme)]


def _carries(clause: Clause) -> bool:
    """Tell whether the clause carries one named thing to no one in particular."""
    theme, goal = clause.theme, clause.goal
    placed = goal is None or (goal.kind == "place" and not goal.pronoun)
    named = theme is not None and theme.kind == "object" and theme.pronoun in ("", "it")
    single = named and theme is not None and theme.number in (None, 1)
    return clause.action in _CARRIED and clause.recipient is None and placed and single


def at_odds(clauses: list[Clause]) -> list[str]:
    """Return what forbids an order of the same sentence: "bring the milk but do not pick it up"."""
    ordered = [
        c for c in clauses if not c.negated and c.action in ("bring", "put", "take") and c.theme is not None
    ]
    both = [
        f"not {denied.verb}"
        for number, denied in enumerate(clauses)
        if denied.negated and any(_the_same_deed(one, denied) for one in clauses[:number])
    ]
    return both + [
        f"not {denied.verb}"
        for denied in clauses
        if denied.negated
        and denied.action in ("take", "missing:touch")
        and denied.theme is not None
        and (
            denied.theme.pronoun == "it"
            or any(c.theme is not None and c.theme.name == denied.theme.name for c in ordered)
        )
        and ordered
        and clauses.index(denied) > clauses.index(ordered[0])
        and (
            denied.theme.pronoun
            or not any(c.theme is not None and c.theme.colour != denied.theme.colour for c in ordered)
        )
    ]


def _the_same_deed(ordered: Clause, denied: Clause) -> bool:
    """Tell "bring me the orange, but don't bring me the orange": word for word what is ordered."""
    if ordered.negated or ordered.action != denied.action or ordered.condition != denied.condition:
        return False
    said = [
        (c.theme and c.theme.text, c.goal and c.goal.text, c.recipient and c.recipient.text)
        for c in (ordered, denied)
    ]
    return said[0] == said[1] and any(said[0])


def does_something(clause: Clause) -> bool:
    """Tell whether a clause is more than an answer to the one who asks."""
    listener = clause.recipient
    elsewhere = listener is not None and listener.pronoun != "me"
    return not clause.negated and (clause.action != "tell" or elsewhere)
