"""What of a Chinese sentence did not reach its meaning.

The readers walk over the words with rules for this or that phrase, and a rule may pass a word by. This module
checks the result and not the rules: each word that carries content must be found again in the meaning (as a
thing, a place, a person, a number, a denial, a condition, an action, or inside words that are to be said).
Whoever gives an order rather hears a question than sees half of it carried out.
"""

from __future__ import annotations

import itertools
from collections.abc import Collection, Iterable, Iterator, Sequence

from zulong.agent.language.meaning import Clause, Condition, Referent
from zulong.agent.language.tokens import Token, chinese_number

_MOVING = frozenset(("bring", "take", "put", "guide", "go", "follow", "find", "greet", "meet"))
_SPEAKING = frozenset(("tell", "ask", "answer", "greet", "introduce", "describe", "count", "find", "meet"))
_KIN = {
    "bring": _MOVING, "take": _MOVING, "put": _MOVING, "guide": _MOVING, "follow": frozenset(("follow",)),
    "tell": _SPEAKING, "ask": _SPEAKING, "answer": _SPEAKING, "greet": _SPEAKING, "describe": _SPEAKING,
    "introduce": _SPEAKING, "count": _SPEAKING, "meet": _SPEAKING | _MOVING, "find": _SPEAKING | _MOVING,
    "wait": frozenset(("wait",)), "stop": frozenset(("stop", "wait")),
    "charge": frozenset(("charge", "go")),
}  # fmt: skip
_DENYING = ("not", "have_not", "not_be")
_SINGLE_OUT = frozenset(["所有", "全部", "每个", "每", "一切", "每一个", "所有的", "全部的"])
_LASTING = frozenset(("一直", "永远", "始终", "总是", "老是"))
_BELONGING = frozenset(["他的", "她的", "它的"])


def unaccounted(
    tokens: Sequence[Token],
    clauses: Sequence[Clause],
    fragment: Sequence[Referent],
    conditions: Sequence[Condition],
    settled: Collection[int] = (),
) -> list[str]:
    """Return the words that are nowhere in the clauses, the fragments and the conditions.

    Args:
        tokens: the words of the sentence.
        clauses, fragment, conditions: its meaning.
        settled: positions of words that the reader passed by with a reason (taken back, or why a thing is wanted).
    """
    meant = _Meant(clauses, fragment, conditions)
    open_words = [
        (index, token)
        for index, token in enumerate(tokens)
        if index not in settled and not token.plays("punct")
    ]
    lost = [token.text for index, token in open_words if not meant.holds(token, tokens, index)]
    return [*lost, *meant.lost_denials([token for _, token in open_words])]


class _Meant:
    """Everything that a meaning speaks of."""

    def __init__(
        self, clauses: Sequence[Clause], fragment: Sequence[Referent], conditions: Sequence[Condition]
    ) -> None:
        self.clauses = clauses
        self.conditions = list(conditions)
        for clause in clauses:
            if clause.condition is not None and clause.condition not in self.conditions:
                self.conditions.append(clause.condition)
        found = [*fragment]
        for clause in clauses:
            idle = clause.theme if _idle_theme(clause) else None
            found.extend(r for r in (*clause.referents(), *clause.avoid) if r is not idle)
        for condition in self.conditions:
            found.extend(r for r in (condition.subject, condition.where) if r is not None)
        self.referents = list(_inner(found))
        self.said = "\n".join(clause.text for clause in clauses if clause.text and _spoken(clause))
        self.open = [c.text for c in self.conditions if c.kind in ("unknown", "failed")]
        self.actions = {clause.action for clause in clauses}
        self.topics = {clause.topic for clause in clauses if clause.topic}

    def holds(self, token: Token, tokens: Sequence[Token], index: int) -> bool:
        """Tell whether this word is part of the meaning, or carries none."""
        text = token.text
        if text in self.said or token.plays("punct", "quote"):
            return True
        if any(text in words for words in self.open):
            return True
        counted = (
            index + 2 < len(tokens)
            and tokens[index + 1].plays("de")
            and tokens[index + 2].plays("number", "give")
        )
        if token.plays("inside") and counted and index and tokens[index - 1].has("object"):
            # 「香蕉苹果里的一个」: one of several, and it is not said which.
            return False
        if text in _SINGLE_OUT:
            return any(r.number == -1 for r in self.referents)
        if text in _BELONGING:
            # 「回答她的问题」: whoever is in front is meant.
            return (
                "answer" in self.actions and index + 1 < len(tokens) and tokens[index + 1].plays("question")
            )
        relation = token.role_of("relation")
        if relation and len(text) > 1 and not token.plays("near", "on", "inside") and not token.senses:
            goals = [clause.goal for clause in self.clauses if clause.action == "go"]
            return any(r.relation == relation and (r.kind == "object" or r in goals) for r in self.referents)
        if token.plays("apart"):
            return len({c.recipient for c in self.clauses}) == len(self.clauses) > 1
        if text[0] == "第" and index + 1 < len(tokens) and tokens[index + 1].plays("measure"):
            # 「第二个苹果」: things are not counted off.
            return False
        if text in _LASTING:
            return any(c.negated or (c.action == "follow" and c.goal is not None) for c in self.clauses)
        if not token.roles and not token.senses:
            # A name that nobody knows is refused where it is used; what reaches a plan was not used.
            return False
        if token.plays("number") and not token.senses:
            return self._number(token, tokens, index)
        if token.has("polite") or _glue(token):
            return True
        return any(self._sense(sense.kind, sense.value, token) for sense in token.senses) or self._role(token)

    def _number(self, token: Token, tokens: Sequence[Token], index: int) -> bool:
        number = float(token.text) if token.text.replace(".", "").isdigit() else chinese_number(token.text)
        if number is None:
            return False
        if number == 1:
            return True
        after = tokens[index + 1] if index + 1 < len(tokens) else Token("")
        for clause in self.clauses:
            if clause.repeat == number and after.plays("times"):
                return True
            if clause.seconds is not None and after.plays("seconds", "minutes", "hours", "measure", "half"):
                return True
        if any(c.value == number for c in self.conditions):
            return True
        counted = [
            clause.theme
            for clause in self.clauses
            if clause.action in ("bring", "put", "take", "find", "count")
            or clause.topic in ("count", "exists")
        ]
        counted = [r for r in counted if r is not None and r.kind == "object"]
        counted += [condition.subject for condition in self.conditions]
        return any(r is not None and r.number == number for r in counted)

    def _sense(self, kind: str, value: str, token: Token) -> bool:
        if kind in ("object", "room", "placement", "person"):
            return any(r.name == value for r in self.referents)
        if kind == "category":
            return any(r.category == value for r in self.referents)
        if kind == "generic":
            return any(r.kind == "object" for r in self.referents)
        if kind == "person_noun":
            if value == "anyone":
                return any(r.kind == "person" for r in self.referents)
            return any(r.gender == value for r in self.referents)
        if kind == "colour":
            # Of a place or a person no colour is known but that of clothes.
            return any(
                (value == r.colour and r.kind == "object") or value == r.garment_colour or value in r.excluded
                for r in self.referents
            )
        if kind in ("garment", "posture", "gesture", "superlative", "size"):
            return any(getattr(r, kind) == value for r in self.referents) or (
                kind in ("posture", "gesture")
                and bool({"pose", "gesture"} & {c.attribute for c in self.clauses})
            )
        if kind == "attribute":
            return any(c.attribute == value for c in self.clauses) or (value == "clothes" and self._dressed())
        if kind == "topic":
            return bool(self.topics) or "describe" in self.actions
        if kind in ("verb", "danger"):
            return self._action(value, token)
        return True

    def _dressed(self) -> bool:
        return any(r.garment or r.garment_colour for r in self.referents)

    def _action(self, value: str, token: Token) -> bool:
        if value == "go" or value in self.actions:
            return True
        if value == "meet" and self.conditions:
            return True
        return bool(_KIN.get(value, frozenset()) & self.actions)

    def _role(self, token: Token) -> bool:
        if token.plays("if", "unless"):
            return bool(self.conditions)
        if token.plays("howmany", "what", "where", "who"):
            # 「什么都别拿」 asks nothing.
            return bool(self.topics) or "count" in self.actions or any(c.negated for c in self.clauses)
        if token.plays("empty"):
            return any(c.state == "empty" for c in self.conditions)
        if token.plays("open", "closed"):
            stated = {c.state for c in self.conditions}
            fits = any(token.plays(state) for state in stated if state in ("open", "closed"))
            return fits or "state" in self.topics
        if token.plays("battery", "percent", "less"):
            return bool(self.conditions)
        return bool(token.roles) and not token.plays("door")

    def lost_denials(self, tokens: Sequence[Token]) -> list[str]:
        """Return denials of which there are more than the meaning holds."""
        denials = [
            token.text
            for token in tokens
            if token.plays(*_DENYING)
            and not token.has("polite")
            and token.text not in self.said
            and not any(token.text in words for words in self.open)
        ]
        for before, token in itertools.pairwise(tokens):
            if before.plays("not") and token.text in denials and before.text in denials:
                # 「别不去」: what is wanted is not clear.
                return [before.text + token.text]
        held = sum(clause.negated for clause in self.clauses)
        held += sum(1 for c in self.conditions if c.negated or c.kind == "failed")
        held += sum(len(r.excluded) for r in self.referents)
        return denials if len(denials) > 0 and held == 0 else []


_WITHOUT_THING = frozenset(
    ("greet", "meet", "ask", "answer", "follow", "guide", "wait", "stop", "charge", "introduce", "go")
)
_ABOUT = frozenset(("", "attribute", "where", "count", "exists", "property", "state"))


def _idle_theme(clause: Clause) -> bool:
    """Tell whether a thing is named that this action has no use for."""
    if clause.theme is None or clause.theme.kind != "object":
        return False
    return clause.action in _WITHOUT_THING or (clause.action == "tell" and clause.topic not in _ABOUT)


def _spoken(clause: Clause) -> bool:
    """Tell whether the words of the clause are said as they are."""
    return clause.topic in ("", "free", "state") and clause.action in ("tell", "ask", "answer", "dangerous")


def _glue(token: Token) -> bool:
    """Tell a word that only holds the sentence together."""
    return bool(token.roles) and not token.senses and not token.plays(
        "if", "unless", "howmany", "what", "where", "who", "empty", "open", "closed", "battery", "percent",
        "less",
    )  # fmt: skip


def _inner(referents: Iterable[Referent]) -> Iterator[Referent]:
    for referent in referents:
        yield referent
        yield from _inner(r for r in (referent.at, referent.relatum) if r is not None)
