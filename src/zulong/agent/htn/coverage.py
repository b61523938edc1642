"""Checks a plan against the instruction: whatever was named must have a part in what will be done."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

from zulong.agent.htn.step import Step
from zulong.agent.language.meaning import Clause, Referent


def unserved(steps: Sequence[Step], clauses: Sequence[Clause]) -> list[str]:
    """Return the words for the things, people and places that the plan leaves out, in the order they were said.

    A clause that a task of the domain has no use for a part of ("walk Jane to the exit" read as going) would else
    be carried out without it.
    """
    planned = json.dumps([step.to_dict() for step in steps], ensure_ascii=False).lower()
    left_out: list[str] = []
    for clause in clauses:
        if clause.negated:
            continue
        person = clause.recipient
        aimless = person is not None and person.kind == "person" and not (person.pronoun or person.ids)
        if aimless and person is not None and clause.action in ("go", "wait", "count"):
            # "go to the kitchen for a man": somebody is named whom the errand has no part for.
            left_out.append(person.text)
        for referent in _named(clause):
            known = [*referent.ids, referent.name.lower()] if referent.ids or referent.unknown else []
            spoken_of = clause.action == "introduce" or (clause.topic == "where" and referent.kind == "place")
            if spoken_of and referent is clause.theme and referent.ids:
                # Who is introduced, and the place that was asked for, are only spoken of.
                continue
            if known and not any(f"{word}" in planned for word in known):
                left_out.append(referent.text or referent.name)
    return list(dict.fromkeys(left_out))


def _named(clause: Clause) -> Iterator[Referent]:
    referents = list(clause.referents())
    if clause.condition is not None:
        referents.extend(r for r in (clause.condition.subject, clause.condition.where) if r is not None)
    while referents:
        referent = referents.pop(0)
        yield referent
        # A room that says which of several pieces of furniture is meant is no place to go to.
        inner = (None if referent.kind == "place" else referent.at, referent.relatum)
        referents.extend(r for r in inner if r is not None)
