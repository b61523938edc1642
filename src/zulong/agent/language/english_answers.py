"""Answers to "What shall I say?" and "What shall I ask?" in English.

An answer is rarely the bare words. "That dinner is ready" and "to come here" complete the order, "and Adel too" adds a
listener, "no, Adel" corrects one, "nothing" calls it off, and what comes after the words may be another order. The
answer is put behind the order that lacked it and read with it; where it may be an order itself, it is asked about.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

from zulong.agent.language.english_followups import followed
from zulong.agent.language.english_messages import words_and_rest
from zulong.agent.language.english_reported import told
from zulong.agent.language.meaning import Clause, Meaning, Referent, clause_from_dict
from zulong.agent.language.tokens import language_of

_CANCELS = re.compile(
    r"(?:(?:no|oh|sorry|well|actually|ok|okay|ah|hm+|um+)[,.]? )*(?:never ?mind(?: that| it)?|(?:say )"
    r"?nothing(?: at all| really|"
    r" after all| special| in particular)?|forget (?:it|that|about it)|cancel(?: it| that)?|leave it|drop it|"
    r"stop(?: it)?|no need|not now|"
    r"(?:don't|do not) (?:bother|say anything|say a word|tell (?:him|her|them)(?: anything)?|ask(?: (?:him|her|them))?"
    r"(?: anything)?|do it)|no,? thanks?(?: you)?|it (?:doesn't|does not) matter|nobody|no one)"
    r"(?:,? (?:thanks|thank you|please|then|robot))*"
)
_EMPTY = (
    r"(?:i (?:do not|don't) (?:know|care|mind)(?: yet)?|dunno|no idea|(?:just )?(?:anything|something)(?: (?:nice|you like|"
    r"you want|funny|else))?|whatever(?: you (?:like|want|think))?|(?:i am |i'm )?not sure(?: yet)?|not yet|later|"
    r"you (?:choose|decide)|up to you|it is up to you|what do you (?:think|suggest)|let me think|(?:wait )?(?:a|one|just a) "
    r"(?:moment|second|minute)|wait|what|why|pardon|huh|hm+|um+|er+|i forgot|the same(?: thing)?|the usual|words|"
    r"a message|a question|(?:say |ask )?(?:it|so|this)(?: (?:again|loudly|quietly|slowly))?|(?:about|regarding) .*)"
)
_NO_WORDS = re.compile(rf"(?:(?:oh|well|hm+|um+|er+|sorry)[,.]? )*{_EMPTY}(?:[,.;] {_EMPTY})*")
_AFFIRMS = re.compile(
    r"(?:yes|no|yeah|yep|nope|ok|okay|sure|right|fine|please)(?:,? (?:please|robot|thanks))?"
)
_LEADS_IN = re.compile(
    r"^(?:(?:um+|er+|hm+|well|ok|okay|so|oh|yes|yeah|right|just|please|robot|zulong|hey)[,.:]? |(?:the following|this)[:,]? "
    r"(?=(?!is\b|was\b))|you (?=(?:tell|ask|say)\b)|(?:i (?:want|would like|'d like) (?:you )?to (?:say|"
    r"tell (?:him|her|them))|"
    r"(?:you )?(?:can|could|should|may) (?:just )?(?:say|tell (?:him|her|them)))(?: (?=that\b)|[:,]? ))+"
)
"""What opens an answer and is no part of the words."""
_CORRECTS = re.compile(
    r"^(?:(?:no|never ?mind|nothing(?=[,;.])|forget (?:it|that)|actually|wait|cancel(?: that| it)?|stop|sorry|"
    r"instead(?! of)|"
    r"rather|oh)[,;.:]? )+"
    r"(?:(?:and|just|please|then|instead|i mean|i meant)[, ]+)*"
)
_SPEAKING = re.compile(r"^(?:please |and |just )*(?:tell|ask|say|let|inform|greet|remind)\b(?! you\b)")
_DIRECT = re.compile(
    r"^(?:(?:what|when|where|why|how|who|which|whose)(?: [a-z]+){0,3}? )?(?:do|does|did|are|is|am|was|were|can|could|"
    r"will|would|should|shall|may|might|have|has|had)(?:n't)? (?:you|i|it|he|she|they|we|there|the|your|that|this|my|"
    r"everything|anything|everyone|anyone|dinner|lunch|breakfast)\b|^(?:what|where|how|who|when|why)(?:'s|'re|'d) "
)
_INDIRECT = re.compile(
    r"^(?:that|if|whether|not to|to(?! (?:the|a|an|my|your)\b)|what|when|where|why|how|who|which|whose)\b(?! about\b)"
)
_OF_THE_LISTENER = re.compile(r"^[^,]*\b(?:she|he|her|him|his|hers)\b")
_NOUN_PHRASE = re.compile(r"^(?:the|a|an|her|his|their|my|your|some) [a-z' ]+$")
_TOPICS_LEFT = frozenset(("", "free", "exists", "where", "count", "property", "attribute", "state"))


@dataclass(slots=True, frozen=True)
class Words:
    """What an answer comes to.

    Attributes:
        clauses: what is to be done now, with the words in it.
        leftover: words that were not understood.
        doubt: ``cancel``, ``again`` (no words yet; ``clauses`` are those to be kept), ``whom`` (somebody was ruled
            out), ``confirm`` (it may be an order; ``clauses`` say it).
        order: a new order that takes the place of the one before.
    """

    clauses: tuple[Clause, ...] = ()
    leftover: tuple[str, ...] = ()
    doubt: Literal["", "cancel", "again", "whom", "confirm"] = ""
    order: str = ""


def words_wanted(
    text: str, context: Mapping[str, Any], read: Callable[[str], Meaning], names: frozenset[str] = frozenset()
) -> Words | None:
    """Return what an answer to "what shall I say?" or "what shall I ask?" comes to, None when it is no such answer.

    What goes on about words that were given before is taken for one as well: "and Adel that it is late".

    Args:
        text: the answer.
        context: that of the question.
        read: reads an instruction.
        names: the names of people, in lower case.
    """
    slot = str((context.get("pending") or {}).get("slot") or "")
    if slot not in ("", "text") or context.get("language") != "en" or language_of(text) != "en":
        return None
    before = tuple(clause_from_dict(entry) for entry in context.get("clauses") or ())
    if not slot:
        further = followed(text, before, read, names)
        return Words(*further) if further is not None else None
    lacking = [
        number for number, c in enumerate(before) if c.action in ("tell", "ask") and c.topic in ("", "free")
    ]
    if not lacking:
        return None
    return _Answer(text, before, lacking[-1], read, names).words()


def _opens_with(text: str, verb: str) -> bool:
    """Tell an order, which opens with its verb, from "the parcel has come"."""
    word = re.match(
        r"(?:(?:please|kindly|now|then|do not|don't|never|just|you|can you|could you) )*([a-z]+)", text
    )
    return word is not None and verb.split(" ")[0] in (word[1], "not", "never", "do")


class _Answer:
    """An answer, and the clause that lacks words."""

    def __init__(
        self,
        text: str,
        before: tuple[Clause, ...],
        index: int,
        read: Callable[[str], Meaning],
        names: frozenset[str],
    ) -> None:
        self.said = re.sub(r"\s+", " ", text).strip()
        self.plain = self.said.lower().replace("\u2019", "'").rstrip(" .!")
        self.before = before
        self.index = index
        self.clause = before[index]
        self.read = read
        self.names = names

    def words(self) -> Words:
        """Return what the answer comes to."""
        if '"' in self.said:
            return self._verbatim(self.said.split('"')[1], "")
        if _CANCELS.fullmatch(self.plain):
            return Words(doubt="cancel")
        if _NO_WORDS.fullmatch(self.plain.rstrip("?")) and not (self._asks() and self.plain.endswith("?")):
            return Words(self.before, doubt="again")
        if _AFFIRMS.fullmatch(self.plain):
            return replace(self._verbatim(self.said, ""), doubt="confirm")
        corrected = _CORRECTS.match(self.plain)
        rest = self.plain[corrected.end() :].removesuffix(" instead") if corrected else self.plain
        rest = _LEADS_IN.sub("", rest)
        whom = self._whom(rest)
        if whom is not None:
            return whom
        if rest.startswith("instead of "):
            return Words(order=rest)
        if _SPEAKING.match(rest):
            return self._spoken(rest)
        first = rest if corrected else words_and_rest(rest, "them", self.names)[0]
        orders = self.read(first)
        if any(clause.action == "dangerous" for clause in orders.clauses):
            return Words(orders.clauses)
        moves = bool(orders.clauses) and not orders.leftover and not self._only_words(orders)
        moves = moves and _opens_with(first, orders.clauses[0].verb)
        if corrected and moves:
            return Words(order=rest)
        if corrected:
            return replace(self._worded(rest), doubt="confirm")
        if moves and not _INDIRECT.match(rest) and not _DIRECT.match(rest):
            return replace(self._verbatim(self.said, ""), doubt="confirm")
        return self._worded(rest)

    def _asks(self) -> bool:
        return self.clause.action == "ask"

    def _only_words(self, meaning: Meaning) -> bool:
        return all(c.asked or c.action in ("tell", "ask", "greet") or c.inferred for c in meaning.clauses)

    def _whom(self, rest: str) -> Words | None:
        """Read "to Adel", "no, Adel", "in the kitchen": whom it is for, or where it is to be said."""
        if (_INDIRECT.match(rest) and not rest.startswith("to ")) or re.search(
            r"\b(?:is|am|are|was|has|will|and)\b|'(?:m|s|re|ll)\b", rest
        ):
            return None
        meaning = self.read(rest)
        named = [one for one in meaning.fragment if not one.unknown]
        negated = rest.startswith("not ")
        if (
            meaning.clauses
            or len(named) != 1
            or len(meaning.fragment) != 1
            or meaning.leftover not in ((), ("not",))
        ):
            return None
        one = named[0]
        if one.kind == "person" and not one.pronoun:
            if negated:
                return Words(self.before, doubt="whom")
            return Words(self._with(replace(self.clause, recipient=one)), doubt="again")
        if one.kind == "place" and re.match(r"(?:in|at|on|by|near) ", rest) and self.clause.recipient is None:
            return Words(self._with(replace(self.clause, where=one)), doubt="again")
        return None

    def _spoken(self, rest: str) -> Words:
        """Read "say that dinner is ready", "tell Adel" and "ask her if she is hungry"."""
        said = re.sub(
            r"^(?:please |and |just )*say (?!(?:hello|hi|good|goodbye|bye|that)\b)(?=[^\"]+$)", "", rest
        )
        if said != rest:
            return self._worded(said)
        said = re.sub(r"^(?:please |and |just )*say that\b", "that", rest)
        if said != rest:
            return self._worded(said)
        meaning = self.read(rest)
        first = meaning.clauses[0] if meaning.clauses else None
        if first is None or (first.recipient is not None and first.recipient.name):
            return Words(order=rest)
        return self._completed(meaning, "")

    def _worded(self, rest: str) -> Words:
        """Read the words behind the order that lacked them."""
        who = self._listener()
        verb = "ask" if self._asks() else "tell"
        topic = self.read(rest)
        known = len(topic.clauses) == 1 and topic.clauses[0].topic not in _TOPICS_LEFT
        if known and not topic.leftover and not self._asks() and topic.clauses[0].action == "tell":
            return Words(self._with(replace(self.clause, topic=topic.clauses[0].topic, theme=None)))
        direct = bool(_DIRECT.match(rest)) and self._asks()
        if _INDIRECT.match(rest) and not direct:
            meaning = self.read(f"{verb} {who} {rest}")
            if any(c.text or c.topic for c in meaning.clauses):
                return self._completed(meaning, "")
            return Words(self.before, doubt="again")
        if self._asks() and re.match(r"for (?=\w)", rest):
            return self._completed(self.read(f'ask {who} "can I have {rest[4:]}?"'), "")
        if (
            self._asks()
            and _NOUN_PHRASE.match(rest)
            and not re.search(r" (?:is|are|was|were|has|have|will) ", rest)
        ):
            if "name" in rest.split():
                return self._completed(self.read(f"ask {who} what the name is"), "")
            known_topic = self.read(f"ask {who} {rest}")
            topics = [clause.topic for clause in known_topic.clauses]
            if len(topics) == 1 and topics[0] not in _TOPICS_LEFT and not known_topic.leftover:
                return self._completed(known_topic, "")
            return self._completed(self.read(f"ask {who} about {rest}"), "")
        if not self._asks() and _OF_THE_LISTENER.search(rest):
            # Who is told is spoken of, not spoken to.
            return self._completed(self.read(f"tell {who} that {rest}"), "")
        if direct and _OF_THE_LISTENER.search(rest):
            rest = told(rest, who, self.names).text
        parted, after, unclear = words_and_rest(rest, who, self.names)
        start = self.said.lower().find(parted)
        said = self.said[start : start + len(parted)] if start >= 0 else parted
        asked = self._asks() and direct and not said.endswith("?")
        verbatim = self._verbatim(said + "?" * asked, after)
        return replace(verbatim, leftover=(*verbatim.leftover, *unclear))

    def _listener(self) -> str:
        person = self.clause.recipient
        if person is None:
            return "them"
        return {"male": "him", "female": "her"}.get(person.gender, "her" if person.name else "them")

    def _verbatim(self, said: str, after: str) -> Words:
        """Return the order with exactly these words, and what follows them."""
        action, text = self.clause.action, said.strip(" ,")
        if not text:
            return Words(self.before, doubt="again")
        topic = "free" if action == "tell" else ""
        theme = None if action == "tell" and self.clause.recipient is not None else self.clause.theme
        clauses = self._with(replace(self.clause, topic=topic, text=text, theme=theme))
        if not after.strip(" ,."):
            return Words(clauses)
        # What follows is read behind the message, so that "tell Adel too" has words.
        meaning = self.read(f'{action} {self._listener()} "{text.lower()}"{after}')
        return self._completed(meaning, text)

    def _completed(self, meaning: Meaning, text: str) -> Words:
        """Put whom it is for into what was read for "her"."""
        read: list[Clause] = []
        for clause in meaning.clauses:
            person = clause.recipient
            spoken = clause.action in ("tell", "ask", "greet") and (
                person is None or person.pronoun in ("him", "her", "them")
            )
            if spoken and person != Referent("person", pronoun="me"):
                clause = replace(
                    clause,
                    recipient=self.clause.recipient,
                    where=clause.where or self.clause.where,
                    condition=clause.condition or self.clause.condition,
                )
            if text and clause.text == text.lower():
                clause = replace(clause, text=text)
            read.append(clause)
        loose = () if not meaning.clauses else tuple(r.text for r in meaning.fragment if not r.pronoun)
        clauses = (*self.before[: self.index], *read, *self.before[self.index + 1 :])
        return Words(clauses, (*meaning.leftover, *loose))

    def _with(self, clause: Clause) -> tuple[Clause, ...]:
        return (*self.before[: self.index], clause, *self.before[self.index + 1 :])
