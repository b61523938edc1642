"""The meaning of an instruction: clauses with an action and the things, people and places it is about.

A meaning is what was said, not yet what to do: a referent may name something that does not exist here.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields, replace
from typing import Any, Literal

Kind = Literal["object", "person", "place"]


@dataclass(slots=True, frozen=True)
class Referent:
    """A thing, a person or a place as it was described.

    Attributes:
        kind: object, person or place.
        text: the words that were used.
        ids: ids on the map that carry this name; empty for a description or for what is not on the map.
        name: the type of thing ("cup"), the person's name, or the place's name.
        unknown: the words are a name that neither the map nor the lexicon knows.
        category: id of a category of objects.
        colour, size, superlative: canonical English words of the lexicon; superlative like "biggest".
        number: how many are meant, None when not said.
        plural, definite, demonstrative: from the grammar of the phrase ("the", "this", 「这个」).
        posture, gesture, garment, garment_colour, gender: what singles out a person.
        pronoun: "it", "them", "him", "her", "me", "you", "here", "there", "back" when nothing else was said.
        at: where it is, as said.
        relation, relatum: the place in respect of another thing: "behind" the bowl.
        side: "left" or "right".
        excluded: colours that were ruled out ("not the red one").
        ruled_out: ids of things that are not to be taken for it ("a drink, but no milk").
        negated_attributes: kinds of attribute under a negation ("not standing" -> posture).
    """

    kind: Kind
    text: str = ""
    ids: tuple[str, ...] = ()
    name: str = ""
    unknown: bool = False
    category: str = ""
    colour: str = ""
    size: str = ""
    superlative: str = ""
    number: int | None = None
    plural: bool = False
    definite: bool = False
    demonstrative: bool = False
    posture: str = ""
    gesture: str = ""
    garment: str = ""
    garment_colour: str = ""
    gender: str = ""
    pronoun: str = ""
    at: Referent | None = None
    relation: str = ""
    relatum: Referent | None = None
    side: str = ""
    excluded: tuple[str, ...] = ()
    ruled_out: tuple[str, ...] = ()

    def is_bare(self) -> bool:
        """Return whether nothing but the kind is known: "the person", "the thing"."""
        return not (
            self.ids
            or self.name
            or self.category
            or self.colour
            or self.superlative
            or self.posture
            or self.gesture
            or self.garment
            or self.garment_colour
            or self.relation
            or self.side
            or self.pronoun
        )


CARRYING = frozenset(("bring", "take", "put"))
"""Actions of clauses that move a thing."""
FOUND_OUT = frozenset(("where", "count", "exists", "property", "attribute", "state"))
"""Topics of clauses whose answer has to be looked for or remembered."""


@dataclass(slots=True, frozen=True)
class Condition:
    """What must hold before a clause is carried out.

    Attributes:
        kind: ``exists`` (a thing or person is somewhere), ``state`` (a thing is open, closed, ...), ``fact``
            (a belief such as the battery), ``failed`` (the clause before did not work out), ``answer`` (who was
            asked last says yes), ``unknown``.
        subject: what it is about.
        where: where it is looked for.
        state: "open", "closed", "on", "off", "empty", "full".
        fact, op, value: for kind ``fact``.
        negated: the opposite must hold.
        text: the words.
    """

    kind: str
    subject: Referent | None = None
    where: Referent | None = None
    state: str = ""
    fact: str = ""
    op: str = ""
    value: float = 0.0
    negated: bool = False
    text: str = ""


@dataclass(slots=True, frozen=True)
class Clause:
    """One thing to do.

    Attributes:
        action: canonical verb of the lexicon (``bring``, ``tell``, ...), ``missing:<skill>`` or ``dangerous``.
        verb: the word that was used.
        theme: what the action is done to.
        recipient: who gets it, or who is spoken to.
        source, goal, where: places (or people) the action starts from, ends at, or happens at.
        topic: for tell: a topic of the lexicon, ``free`` (``text`` is to be said), ``count``, ``attribute``,
            ``property``, ``exists``, ``where``.
        attribute: for topic ``attribute``: name, pose, gesture, gender, clothes.
        text: words to say or to ask, verbatim.
        negated: "do not ...".
        repeat: how often.
        seconds: for wait.
        condition: None or what must hold.
        inferred: the verb was not said.
        asked: it is a question and not an order.
        alongside: at the same time as the clause before ("while", 「一边」).
        avoid: places that must not be entered.
    """

    action: str
    verb: str = ""
    theme: Referent | None = None
    recipient: Referent | None = None
    source: Referent | None = None
    goal: Referent | None = None
    where: Referent | None = None
    topic: str = ""
    attribute: str = ""
    text: str = ""
    negated: bool = False
    repeat: int = 1
    seconds: float | None = None
    condition: Condition | None = None
    inferred: bool = False
    asked: bool = False
    alongside: bool = False
    avoid: tuple[Referent, ...] = ()

    def referents(self) -> Iterator[Referent]:
        """Yield every referent of the clause, in the order theme, recipient, source, goal, where."""
        for referent in (self.theme, self.recipient, self.source, self.goal, self.where):
            if referent is not None:
                yield referent


@dataclass(slots=True, frozen=True)
class Meaning:
    """What an instruction says.

    Attributes:
        clauses: in the order they are to be done.
        language: "zh" or "en".
        text: the instruction as it was given.
        correction: it corrects what was said before ("no, the blue one"); its clauses may be partial.
        fragment: a referent without a verb: an answer to a question, or a correction.
        affirmation: True for a bare "yes", False for a bare "no", None otherwise.
        leftover: words that carry content and were not understood.
    """

    clauses: tuple[Clause, ...]
    language: Literal["zh", "en"]
    text: str = ""
    correction: bool = False
    fragment: tuple[Referent, ...] = ()
    affirmation: bool | None = None
    leftover: tuple[str, ...] = ()


def referent_to_dict(referent: Referent) -> dict[str, Any]:
    """Return plain data without the fields that hold their default."""
    data: dict[str, Any] = {}
    for item in fields(referent):
        value = getattr(referent, item.name)
        if item.name != "kind" and value == item.default:
            continue
        if isinstance(value, Referent):
            value = referent_to_dict(value)
        elif isinstance(value, tuple):
            value = list(value)
        data[item.name] = value
    return data


def referent_from_dict(data: Mapping[str, Any]) -> Referent:
    """Read what :func:`referent_to_dict` wrote."""
    values = dict(data)
    for name in ("at", "relatum"):
        if values.get(name) is not None:
            values[name] = referent_from_dict(values[name])
    for name in ("ids", "excluded", "ruled_out"):
        if name in values:
            values[name] = tuple(values[name])
    return Referent(**values)


def clause_to_dict(clause: Clause) -> dict[str, Any]:
    """Return plain data without the fields that hold their default."""
    data: dict[str, Any] = {}
    for item in fields(clause):
        value = getattr(clause, item.name)
        if item.name != "action" and value == item.default:
            continue
        if isinstance(value, Referent):
            value = referent_to_dict(value)
        elif isinstance(value, Condition):
            value = _condition_to_dict(value)
        elif isinstance(value, tuple):
            value = [referent_to_dict(entry) for entry in value]
        data[item.name] = value
    return data


def clause_from_dict(data: Mapping[str, Any]) -> Clause:
    """Read what :func:`clause_to_dict` wrote."""
    values = dict(data)
    for name in ("theme", "recipient", "source", "goal", "where"):
        if values.get(name) is not None:
            values[name] = referent_from_dict(values[name])
    if values.get("condition") is not None:
        condition = dict(values["condition"])
        for name in ("subject", "where"):
            if condition.get(name) is not None:
                condition[name] = referent_from_dict(condition[name])
        values["condition"] = Condition(**condition)
    if "avoid" in values:
        values["avoid"] = tuple(referent_from_dict(entry) for entry in values["avoid"])
    return Clause(**values)


def _condition_to_dict(condition: Condition) -> dict[str, Any]:
    data: dict[str, Any] = {}
    for item in fields(condition):
        value = getattr(condition, item.name)
        data[item.name] = referent_to_dict(value) if isinstance(value, Referent) else value
    return data


def with_location(referent: Referent, at: Referent | None) -> Referent:
    """Return the referent, placed ``at`` unless it already says where it is."""
    return referent if at is None or referent.at is not None else replace(referent, at=at)
