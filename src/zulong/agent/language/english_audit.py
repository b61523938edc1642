"""Checks an English reading against the words: whatever carries content must be part of the meaning.

A grammar that skips what it does not expect would carry out half of a sentence. Here every word is looked up in
what was read; a word that left no trace there is named, so that the user is asked instead of half obeyed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from zulong.agent.language.english_adjectives import ADVERBS, CONTAINERS
from zulong.agent.language.lexicon import Sense
from zulong.agent.language.meaning import Clause, Condition, Referent
from zulong.agent.language.tokens import NUMBER_WORDS, Token

_CONTENT = frozenset(
    (
        "room", "placement", "object", "category", "generic", "person", "person_noun", "colour", "garment",
        "posture", "gesture", "superlative", "size", "topic", "attribute", "verb", "danger",
    )
)  # fmt: skip
_SPEAKING = frozenset(("tell", "ask", "answer", "dangerous"))
_PUNCTUATION = re.compile(r"[^\w' ]")
_KIND_OF = {"generic": "object", "person_noun": "person"}
_GENDERS = frozenset(("male", "female", "child", "pet"))
_IN_QUESTIONS = frozenset(("find", "put", "take", "go", "meet", "tell", "wait", "bring"))
_REPORTING = frozenset(("come", "return", "report", "tell", "let me know", "find", "find out", "see", "look"))


class Reading:
    """Everything that a meaning says, as sets to look words up in.

    Args:
        clauses: what was read, before clauses were joined.
        referents: nouns without a verb.
        words: words that were understood although no clause holds them.
    """

    def __init__(
        self, clauses: Iterable[Clause], referents: Iterable[Referent], words: Iterable[str]
    ) -> None:
        self.values: set[str] = set()
        self.words: set[str] = {word for text in words for word in text.split()}
        self.numbers: set[float] = set()
        self.kinds: set[str] = set()
        self.pronouns: set[str] = set()
        self.genders: set[str] = set()
        self.topics: set[str] = set()
        for clause in clauses:
            self._add_clause(clause)
        for referent in referents:
            self._add_referent(referent)

    def _add_clause(self, clause: Clause) -> None:
        self.values.update((clause.action, clause.topic, clause.attribute))
        self.topics.add(clause.topic)
        spoken = clause.action in _SPEAKING and clause.topic != "exists"
        for text in (clause.verb, clause.text if spoken else ""):
            self.words.update(_PUNCTUATION.sub(" ", text.lower()).replace("'", " '").split())
            self.words.update(_PUNCTUATION.sub(" ", text.lower()).replace("'", " ").split())
        self.numbers.add(clause.repeat)
        if clause.seconds is not None:
            self.numbers.update((clause.seconds, clause.seconds / 60.0, clause.seconds / 3600.0))
        for referent in (*clause.referents(), *clause.avoid):
            self._add_referent(referent)
        if clause.condition is not None:
            self._add_condition(clause.condition)

    def _add_condition(self, condition: Condition) -> None:
        self.values.update((condition.state, condition.fact))
        self.numbers.add(condition.value)
        if condition.kind == "unknown":
            self.words.update(condition.text.split())
        for referent in (condition.subject, condition.where):
            if referent is not None:
                self._add_referent(referent)

    def _add_referent(self, referent: Referent) -> None:
        for one in _nested(referent):
            self.kinds.add(one.kind)
            said = (
                one.name, one.category, one.colour, one.size, one.superlative, one.posture, one.gesture, one.garment,
                one.garment_colour, one.gender, *one.excluded,
            )  # fmt: skip
            self.values.update(value.lower() for value in said if value)
            self.values.update(one.ids)
            if one.pronoun:
                self.pronouns.add(one.pronoun)
                self.words.update(one.text.split())
            if one.gender:
                self.genders.add(one.gender)
            if one.unknown:
                self.words.update((*one.text.split(), *one.name.split()))
            if one.number is not None:
                self.numbers.add(one.number)
            last = one.text.lower().split()[-1:]
            if one.name and last and last[0] in CONTAINERS:
                # "the milk carton": what it comes in.
                self.words.update(last)

    def holds(self, token: Token) -> bool:
        """Return whether the meaning has a trace of this word."""
        if token.plays("number"):
            return _value(token) in self.numbers or token.text in self.words
        words = token.text.split()
        if all(word in self.words or word.removesuffix("s") in self.words for word in words):
            return True
        if token.plays("timing"):
            return False
        senses = [sense for sense in token.senses if sense.kind in _CONTENT]
        if not senses:
            return (
                bool(token.roles)
                or token.text in ADVERBS
                or token.has("polite")
                or token.plays("punct", "quote")
            )
        return any(self._has(sense) for sense in senses) or bool(token.roles)

    def _has(self, sense: Sense) -> bool:
        if sense.kind == "person_noun" and sense.value in _GENDERS:
            return sense.value in self.genders
        if _KIND_OF.get(sense.kind) in self.kinds:
            return True
        if sense.kind == "verb" and sense.value in _IN_QUESTIONS and self.topics & {"where"}:
            return True
        return sense.value.lower() in self.values or any(i in self.values for i in sense.ids)


def _nested(referent: Referent | None) -> Iterator[Referent]:
    while referent is not None:
        yield referent
        yield from _nested(referent.relatum)
        referent = referent.at


def _value(token: Token) -> float:
    return float(NUMBER_WORDS.get(token.text, token.text)) if token.text else 0.0


def unaccounted(tokens: Sequence[Token], reading: Reading, excused: Iterable[int] = ()) -> list[str]:
    """Return the words that the reading has no trace of, in their order.

    Args:
        tokens: the sentence.
        reading: what was read.
        excused: positions of words that were understood and mean nothing for what is to be done.
    """
    skipped = frozenset(excused)
    return [t.text for number, t in enumerate(tokens) if number not in skipped and not reading.holds(t)]
