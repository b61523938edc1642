"""What is said after an order to tell or ask somebody something: another listener, other words, or more of them.

"Tell Jane that dinner is ready." - "And Adel that it is late." has no verb: it is put behind that of the order before.
"No, that lunch is ready" takes the place of the words before, "tell Adel the same" repeats them.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

from zulong.agent.language.meaning import Clause, Meaning

_NAMED_NEXT = re.compile(
    r"^(?P<name>[a-z]+(?:(?:,| and|, and) [a-z]+)*),? (?P<rest>(?:that|if|whether|to|what|"
    r"when|where|why|how|who)\b.+)$"
)
_REPEATED = re.compile(
    r"^(?:tell |ask |inform )?(?P<name>[a-z]+(?:(?:,| and|, and) [a-z]+)*)(?:,? (?:the same(?: thing)?|too|"
    r"as well|also|instead))?$"
)
_ADDED = re.compile(r"^(?:(?:and|also|then|oh|please)[, ]+)+")
_CORRECTED = re.compile(
    r"^(?:(?:no|sorry|wait|oh|i mean|i meant|actually|rather|or rather|not that|i should have said|correction)[,.;:]? +)+"
)
_WORDS = re.compile(r"^(?:that|if|whether|not to|to(?! (?:the|a|an|my)\b)|what|when|where|why|how|who)\b .+")


def followed(
    text: str, before: tuple[Clause, ...], read: Callable[[str], Meaning], names: frozenset[str]
) -> tuple[tuple[Clause, ...], tuple[str, ...]] | None:
    """Return the clauses to do now and words that were not understood, None when the text goes on in no such way.

    Args:
        text: what is said.
        before: the clauses of the order before it.
        read: reads an instruction.
        names: the names of people, in lower case.
    """
    last = before[-1] if before else None
    if last is None or last.action not in ("tell", "ask") or not last.text or last.negated:
        return None
    if last.recipient is None or last.recipient.pronoun == "me" or last.topic not in ("", "free"):
        return None
    said = re.sub(r"\s+", " ", text).strip().lower().replace("\u2019", "'").rstrip(" .!?")
    corrected = _CORRECTED.match(said)
    added = _ADDED.match(said)
    opening = corrected or added
    rest = said[opening.end() :] if opening else said
    verb = "ask" if last.action == "ask" else "tell"
    repeated = _REPEATED.match(rest)
    if repeated and rest != repeated["name"] and _all_named(repeated["name"], names):
        people = read(f"tell {repeated['name']} that it is late").clauses
        return tuple(replace(last, recipient=clause.recipient) for clause in people), ()
    other = _NAMED_NEXT.match(rest)
    if other and opening and _all_named(other["name"], names):
        meaning = read(f"{verb} {other['name']} {other['rest']}")
        return (meaning.clauses, meaning.leftover) if meaning.clauses else None
    if not opening or not _WORDS.match(rest):
        return None
    meaning = read(f"{verb} {_pronoun(last)} {rest}")
    spoken = tuple(
        replace(clause, recipient=last.recipient, condition=clause.condition or last.condition)
        if clause.recipient is not None and clause.recipient.pronoun in ("him", "her", "them")
        else clause
        for clause in meaning.clauses
    )
    if not any(clause.text or clause.topic for clause in spoken):
        return None
    return spoken, meaning.leftover


def _all_named(words: str, names: frozenset[str]) -> bool:
    return all(one in names for one in re.split(r",? and |, ", words))


def _pronoun(clause: Clause) -> str:
    person = clause.recipient
    if person is None:
        return "them"
    return {"male": "him", "female": "her"}.get(person.gender, "her" if person.name else "them")
