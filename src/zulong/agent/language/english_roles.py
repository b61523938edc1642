"""Checks that what an English preposition says of a place or a person is the part it has in the orders.

A grammar that fills gaps may take "to the bedroom" for the place where somebody is looked for. What "to" stands before
is where something goes or who gets it, what "from" stands before is where it comes from; where the orders have it
otherwise, the words are named.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from zulong.agent.language.english_nouns import NounReader
from zulong.agent.language.english_words import normalise, tokenise
from zulong.agent.language.lexicon import Vocabulary
from zulong.agent.language.meaning import Clause, Referent

_OFF = frozenset(
    (
        "go",
        "pop",
        "nip",
        "run",
        "dash",
        "hop",
        "head",
        "trot",
        "scoot",
        "zip",
        "hurry",
        "skip",
        "over",
        "down",
    )
)
_TOWARDS = frozenset(("to", "into", "onto", "over to", "back to", "towards", "up to", "down to"))


def misplaced(text: str, clauses: Sequence[Clause], vocabulary: Vocabulary) -> list[str]:
    """Return "to the bedroom" where nothing is to go there, "from the desk" where nothing is to come from there."""
    tokens = tokenise(normalise(text), vocabulary)
    nouns = NounReader(tokens)
    spoken = " ".join(clause.text.lower() for clause in clauses)
    found: list[str] = []
    for position, token in enumerate(tokens):
        towards = token.text in _TOWARDS
        if not towards and token.text != "from":
            continue
        named = nouns.read(position + 1, attach=False)
        if named is None or not named[0].ids or named[0].kind == "object":
            continue
        if any(t.plays("not") for t in tokens[max(position - 4, 0) : position]) or any(
            t.plays("correct", "no", "cancel") for t in tokens[named[1] :]
        ):
            # "not to the sofa", "to the sofa, no, to the desk"
            continue
        said = " ".join(t.text for t in tokens[position : named[1]])
        fitting = _reached(clauses) if towards else _left(clauses)
        after = tokens[named[1]].text if named[1] < len(tokens) else ""
        if towards and after in ("for", "to") and tokens[position - 1].text in _OFF:
            # "pop to the pantry for the sugar"
            fitting = _left(clauses)
        if said not in spoken and not any(set(named[0].ids) & set(one.ids) for one in fitting):
            found.append(said)
    return found


def _reached(clauses: Sequence[Clause]) -> Iterator[Referent]:
    """Yield what something goes to, or who is spoken to; a bare theme may be either."""
    for clause in clauses:
        for referent in (clause.goal, clause.recipient, clause.theme, *clause.avoid):
            if referent is not None:
                yield referent
        if clause.goal is not None and clause.goal.at is not None:
            yield clause.goal.at
        if clause.recipient is not None and clause.recipient.at is not None:
            yield clause.recipient.at
        if clause.topic:
            yield from clause.referents()
        yield from _of_condition(clause)


def _left(clauses: Sequence[Clause]) -> Iterator[Referent]:
    """Yield where something comes from, or is."""
    for clause in clauses:
        for referent in (clause.source, clause.where, clause.theme, clause.recipient, *clause.avoid):
            if referent is not None:
                yield referent
                if referent.at is not None:
                    yield referent.at
        yield from _of_condition(clause)


def _of_condition(clause: Clause) -> Iterator[Referent]:
    condition = clause.condition
    if condition is None:
        return
    for referent in (condition.subject, condition.where):
        if referent is not None:
            yield referent
            if referent.at is not None:
                yield referent.at


_ASKED_ABOUT = (
    ["did"],
    ["does"],
    ["do"],
    ["has"],
    ["have"],
    ["had"],
    ["is"],
    ["was"],
    ["should"],
    ["will"],
    ["would"],
)
_GETTING = frozenset(("get", "gets", "getting", "have", "has", "receive", "receives"))
_GRANTING = frozenset(
    (
        "is",
        "are",
        "to",
        "should",
        "shall",
        "must",
        "can",
        "could",
        "may",
        "might",
        "ought",
        "please",
        "also",
        "now",
    )
)


def granted(deed: str, before: Sequence[str], clauses: Sequence[Clause]) -> bool:
    """Tell "Jules is to get a plum" where just that is to be done: Jules is given it.

    Args:
        deed: the words from the subject to the verb.
        before: the word before them.
        clauses: what is to be done.
    """
    subject, *helping, verb = deed.split()
    given = [clause.recipient for clause in clauses if clause.recipient is not None]
    named = any(subject in (person.name.lower(), person.text.lower()) for person in given)
    return verb in _GETTING and named and list(before) not in _ASKED_ABOUT and set(helping) <= _GRANTING


_HERE = re.compile(
    r"\b(?:i am|i will be|we are) (?:now |currently |sitting |waiting |standing |lying |over |still |also |going |heading )*"
    r"(?:in|at|on|by|to|into) "
    r"(?:the|my) (?P<place>[a-z ]+?)(?= and\b| so\b| but\b|[,.;!?]|$)"
)


def elsewhere(text: str, done: Sequence[Clause], vocabulary: Vocabulary) -> Iterator[str]:
    """Yield "I am in the kitchen" where the robot would come to where the errand was given."""
    match = _HERE.search(text)
    if match is None:
        return
    senses = vocabulary.english.get(tuple(match["place"].split()), ())
    ids = {i for sense in senses if sense.kind in ("room", "placement") for i in sense.ids}
    comes = any(
        (
            clause.recipient is not None
            and clause.recipient.pronoun == "me"
            and clause.action in ("bring", "take", "put")
        )
        or (clause.goal is not None and clause.goal.pronoun in ("me", "back", "here"))
        or (clause.theme is not None and clause.theme.pronoun == "me" and clause.action in ("go", "meet"))
        for clause in done
    )
    reached = any(
        ids & set(clause.goal.ids) for clause in done if clause.goal is not None and clause.recipient is None
    )
    if ids and comes and not reached:
        yield match[0]
