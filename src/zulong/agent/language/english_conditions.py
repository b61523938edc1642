"""English conditions: "if the door is closed", "unless Jane is in the office", "if your battery is below 20 %"."""

from __future__ import annotations

from dataclasses import replace

from zulong.agent.language.english_nouns import NounReader
from zulong.agent.language.meaning import Clause, Condition, Referent
from zulong.agent.language.tokens import NUMBER_WORDS, Token

_STATES = {
    "open": "open",
    "closed": "closed",
    "on_state": "on",
    "off_state": "off",
    "empty": "empty",
    "full": "full",
}
MEANWHILE = frozenset(("still", "already", "really", "properly", "actually"))
"""Words between "is" and a state that change nothing of what is asked."""
_NOBODY = frozenset(("nobody", "no one", "noone", "none", "nothing"))
_FAILURE_WORDS = {"fails", "failed", "fail", "impossible"}


def read_condition(nouns: NounReader, index: int) -> tuple[Condition, int]:
    """Read a condition whose "if" or "unless" stands at ``index``; returns it and the position after it."""
    negated = nouns.at(index).plays("unless")
    start = index
    index += 1
    token = nouns.at(index)
    condition: Condition | None = None
    if token.plays("battery"):
        condition, index = _battery(nouns, index)
    elif token.plays("there_is"):
        condition, index = _exists(nouns, index + 1)
    elif token.text.partition(" ")[0] == "you" or token.has("verb"):
        condition, index = _you(nouns, index)
    elif token.text in _NOBODY:
        subject = _nobody(token)
        index += 1
        while nouns.at(index).plays("be", "there_is") or nouns.at(index).text in ("there", "here"):
            there = nouns.at(index).text == "there" and nouns.at(index - 1).plays("be")
            if there or nouns.at(index).text in ("is there", "are there"):
                subject = replace(subject, at=Referent("place", text="there", pronoun="there", definite=True))
            index += 1
        if subject.at is None:
            subject, index = nouns.postmodifiers(subject, index, True)
        condition = Condition("exists", subject=subject, negated=True)
    elif token.plays("door"):
        door = Referent("object", text="door", name="door", definite=True)
        condition, index = _state_or_place(nouns, door, index + 1)
    else:
        found = nouns.read(index, attach=False)
        if found is not None:
            subject, after = found
            if nouns.at(after).plays("door"):
                subject = Referent(
                    "object", text=f"{subject.text} door", name="door", at=subject, definite=True
                )
                after += 1
            elif door_itself(nouns, subject, after):
                subject = Referent("object", text=subject.text, name="door", at=subject, definite=True)
            condition, index = _state_or_place(nouns, subject, after)
    if condition is None:
        index = _end(nouns, index)
        condition = Condition("unknown")
    text = " ".join(t.text for t in nouns.tokens[start:index])
    return replace(condition, negated=condition.negated != negated, text=text), index


def door_itself(nouns: NounReader, place: Referent, after: int) -> bool:
    """Tell "the front door is shut", which is about the door, from "the front door", where somebody stands.

    Args:
        nouns: the sentence.
        place: what was named.
        after: the position after it.
    """
    if place.kind != "place" or not place.text.endswith("door"):
        return False
    while nouns.at(after).plays("be", "not") or nouns.at(after).text in MEANWHILE:
        after += 1
    return any(nouns.at(after).plays(role) for role in _STATES)


def _nobody(token: Token) -> Referent:
    """Return of what there is none: people, or things ("nothing")."""
    return Referent("object", text="thing") if token.text == "nothing" else Referent("person", text="person")


def _value(token: Token) -> float:
    return float(NUMBER_WORDS.get(token.text, token.text))


def _end(nouns: NounReader, index: int) -> int:
    opened = index
    while index < len(nouns.tokens):
        token = nouns.at(index)
        if token.plays("punct") or token.text == "then":
            break
        if index > opened and _orders(nouns, index):
            break
        index += 1
    return index


def _orders(nouns: NounReader, index: int) -> bool:
    """Tell whether an order follows a condition without a comma: "if it rains bring me the soup"."""
    token, before, after = nouns.at(index), nouns.at(index - 1), nouns.at(index + 1)
    if (
        not token.has("verb")
        or token.text.endswith(("s", "ing", "ed"))
        or before.plays("pron", "aux", "not", "have")
    ):
        return False
    if before.plays("det", "indef", "prep:to", "conj", "do", "be") or before.text in ("can", "to"):
        return False
    return after.plays("pron", "det", "indef", "prep:to") or after.has("person", "object", "category")


def _negation(nouns: NounReader, index: int) -> tuple[bool, int]:
    negated = False
    while nouns.at(index).plays("be", "do", "not", "aux", "there_is", "have") or nouns.at(index).text in (
        "no", "currently", "still", "really", "any", "can", "all", "now",
    ):  # fmt: skip
        if nouns.at(index).plays("not") or nouns.at(index).text == "no":
            negated = not negated
        index += 1
    return negated, index


def _exists(nouns: NounReader, index: int) -> tuple[Condition | None, int]:
    negated = False
    if nouns.at(index).text in ("no", "not"):
        negated = True
        index += 1
    if nouns.at(index).text in _NOBODY:
        place = nouns.postmodifiers(_nobody(nouns.at(index)), index + 1, True)
        if place[1] == index + 1 and nouns.at(index + 1).text in ("there", "in there", "over there"):
            there = Referent("place", text="there", pronoun="there", definite=True)
            place = replace(place[0], at=there), index + 2
        return Condition("exists", subject=place[0], negated=not negated), place[1]
    if nouns.at(index).plays("one"):
        described = nouns.postmodifiers(Referent("object", text="one", pronoun="it"), index + 1, True)
        return Condition("exists", subject=described[0], negated=negated), described[1]
    op, value = "", 0.0
    comparison = nouns.at(index).role_of("comparison")
    if comparison and nouns.at(index + 1).plays("number", "one"):
        op, value = comparison, _value(nouns.at(index + 1))
        index += 2
    found = nouns.read(index)
    if found is None:
        return None, index
    return Condition("exists", subject=found[0], negated=negated, op=op, value=value), found[1]


def _you(nouns: NounReader, index: int) -> tuple[Condition | None, int]:
    """Read "you see a cup in the kitchen", "you can not find it"."""
    if nouns.at(index).text in ("you see", "you find", "you can see", "you will find"):
        found = nouns.read(index + 1)
        return (Condition("exists", subject=found[0]), found[1]) if found is not None else (None, index)
    if nouns.at(index).text in ("you", "you can", "you should", "you must"):
        index += 1
    negated, index = _negation(nouns, index)
    token = nouns.at(index)
    sense = token.sense("verb")
    if token.text == "can":
        index += 1
    if token.text in ("see", "find", "spot", "notice", "detect", "meet", "discover", "locate") or (
        sense is not None and sense.value in ("find", "meet")
    ):
        found = nouns.read(index + 1)
        if found is not None:
            if negated and found[0].pronoun:
                return Condition("failed"), found[1]
            return Condition("exists", subject=found[0], negated=negated), found[1]
    if token.text in _FAILURE_WORDS or negated:
        return Condition("failed"), _end(nouns, index)
    return None, index


def _battery(nouns: NounReader, index: int) -> tuple[Condition | None, int]:
    negated, index = _negation(nouns, index + 1)
    token = nouns.at(index)
    op = token.role_of("comparison")
    if token.text in ("low", "almost", "nearly", "flat", "empty"):
        index = _end(nouns, index)
        return Condition("fact", fact="battery.percent", op="<", value=20.0, negated=negated), index
    if token.text in ("high", "full", "charged"):
        index = _end(nouns, index)
        return Condition("fact", fact="battery.percent", op=">", value=80.0, negated=negated), index
    if not op:
        return None, index
    index += 1
    number = nouns.at(index)
    if not number.plays("number"):
        return None, index
    value = _value(number)
    index += 1
    if nouns.at(index).plays("percent"):
        index += 1
    return Condition("fact", fact="battery.percent", op=op, value=value, negated=negated), index


def _state_or_place(nouns: NounReader, subject: Referent, index: int) -> tuple[Condition | None, int]:
    if nouns.at(index).text in ("is there", "are there"):
        return Condition("exists", subject=subject), index + 1
    if subject.kind == "person" and (subject.posture or subject.gesture) and not nouns.at(index).plays("be"):
        described, end = nouns.postmodifiers(subject, index, True)
        return Condition("exists", subject=described), end
    if not nouns.at(index).plays("be", "have") and not nouns.at(index).has("posture", "gesture"):
        return None, index
    negated, index = _negation(nouns, index)
    token: Token = nouns.at(index)
    if token.role_of("prep") in ("in", "on", "at"):
        place = nouns.read(index + 1)
        if place is not None and place[0].kind == "place":
            return Condition("exists", subject=subject, where=place[0], negated=negated), place[1]
    for role, state in _STATES.items():
        if token.plays(role):
            return Condition("state", subject=subject, state=state, negated=negated), index + 1
    if subject.kind == "person" and (token.has("posture", "gesture") or token.plays("wear")):
        described, end = nouns.postmodifiers(subject, index, True)
        return Condition("exists", subject=described, negated=negated), end
    if token.text in ("here", "there"):
        return Condition("exists", subject=subject, negated=negated), index + 1
    if token.has("colour"):
        sense = token.need("colour")
        return Condition("exists", subject=replace(subject, colour=sense.value), negated=negated), index + 1
    return None, index


def in_words(condition: Condition) -> str:
    """Return "if the milk is not on the desk" for a condition, "" when it has no such words."""
    theme = condition.subject
    if theme is None or condition.kind not in ("exists", "state") or theme.pronoun or condition.op:
        return ""
    place = theme.at or condition.where
    there = f" at {place.text}" if place is not None else ""
    no = " not" if condition.negated else ""
    if condition.kind == "state":
        return f"if {theme.text} is{no} {condition.state}"
    if theme.kind == "person" and not theme.name:
        return f"if {'nobody' if condition.negated else 'somebody'} is{there or ' there'}"
    if theme.definite or theme.kind == "person":
        return f"if {theme.text} is{no}{there or ' there'}"
    noun = theme.text
    for opening in ("any ", "some ", "a ", "an "):
        noun = noun.removeprefix(opening)
    return f"if there is {'no ' + noun if condition.negated else theme.text}{there}"


def looked_for(clause: Clause) -> Clause:
    """Complete "if the apple is not on the desk, look on the table" by what is looked for."""
    condition = clause.condition
    if condition is None or condition.kind != "exists" or condition.subject is None:
        return clause
    bare = clause.action == "find" and clause.theme is None and not clause.topic
    if not (bare and condition.negated and (clause.where is not None or clause.goal is not None)):
        return clause
    return replace(
        clause, theme=replace(condition.subject, at=None), where=clause.where or clause.goal, goal=None
    )
