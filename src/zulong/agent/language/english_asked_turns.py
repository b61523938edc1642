"""What is said in English after a question was asked: "in the sink too", "and tell Jane how many there are"."""

from __future__ import annotations

import re

from zulong.agent.language.english_named import NAME
from zulong.agent.language.english_turn_words import ENDING, OPENING, Clauses, is_spot, known_as, theme_of
from zulong.agent.language.lexicon import Vocabulary


def asked_on(said: str, clauses: Clauses, vocabulary: Vocabulary) -> str | None:
    """Return the turn in the words that the dialogue knows, None when it is nothing of the kind.

    Args:
        said: what is said, with single blanks and plain apostrophes.
        clauses: those of the order before, as plain data.
        vocabulary: the words of the lexicon and the map.
    """
    for step in (_counted_too, _also_there, _only_those, _told_how_many, _what_of, _other_count):
        plain = step(said, clauses, vocabulary)
        if plain is not None:
            return plain
    return None


def _counted_too(said: str, clauses: Clauses, vocabulary: Vocabulary) -> str | None:
    """Read "in the sink too" after "count the cups on the table"."""
    match = _THERE_TOO.match(said)
    last = clauses[-1]
    finds_out = last.get("topic") or last.get("action") in ("count", "describe", "find")
    fits = match is not None and finds_out and known_as(match["place"], "place", vocabulary)
    return f"and {match['in']} {match['place']}?" if match is not None and fits else None


_THERE_TOO = re.compile(rf"(?P<in>in|on|at) (?P<place>{NAME}),? (?:too|as well|also)[\s?.!]*$", re.IGNORECASE)


def _also_there(said: str, clauses: Clauses, vocabulary: Vocabulary) -> str | None:
    """Read "and on the bed?" after "is there anything on the bedside table?"."""
    match = _AND_ON.match(said)
    theme, last = theme_of(clauses), clauses[-1]
    anything = last.get("topic") == "count" and theme.get("text") == "things" and bool(last.get("asked"))
    if match is None or not anything or not known_as(match["place"], "place", vocabulary):
        return None
    return f"what is {match['in']} {match['place']}?"


_AND_ON = re.compile(
    rf"(?:and|what about|how about|ok,? and|oh,? and)(?: also)?,? (?P<in>in|on|at) (?P<place>{NAME})[\s?.!]*$",
    re.IGNORECASE,
)


def _only_those(said: str, clauses: Clauses, vocabulary: Vocabulary) -> str | None:
    """Read "no, just the ones sitting" after "count the people in the office"."""
    match = _JUST_THOSE.match(said)
    theme = theme_of(clauses)
    at = theme.get("at") or clauses[-1].get("where") or {}
    counts = clauses[-1].get("topic") == "count" and theme.get("kind") == "person"
    if match is None or not counts or not at.get("name"):
        return None
    where = f"{'on' if is_spot(str(at['name']), vocabulary) else 'in'} the {at['name']}"
    return f"count the people {match['how']} {where}"


_JUST_THOSE = re.compile(
    rf"{OPENING}(?:just |only )*(?:the ones?|those|the people|people)(?: who are| that are)? (?P<how>sitting|"
    rf"standing|lying|waving|pointing)"
    rf"(?: down)?{ENDING}",
    re.IGNORECASE,
)


def _told_how_many(said: str, clauses: Clauses, vocabulary: Vocabulary) -> str | None:
    """Read "and tell Jane how many there are" after "count the people in the living room"."""
    match = _HOW_MANY_THERE_ARE.match(said)
    last, theme = clauses[-1], theme_of(clauses)
    at = theme.get("at") or last.get("where") or {}
    counts = last.get("topic") == "count" or last.get("action") == "count"
    if match is None or not counts or not at.get("name") or not theme.get("text"):
        return None
    if match["who"].lower() != "me" and not known_as(match["who"], "person", vocabulary):
        return None
    where = f"{'on' if is_spot(str(at['name']), vocabulary) else 'in'} the {at['name']}"
    return f"count the {theme['text']} {where} and tell {match['who']} how many there are"


_HOW_MANY_THERE_ARE = re.compile(
    rf"(?:and |then |now |please )*(?:tell|let) (?P<who>[a-z]+) (?:know )?how many(?: there are| it is| you "
    rf"(?:count|counted|found))?{ENDING}",
    re.IGNORECASE,
)


def _what_of(said: str, clauses: Clauses, vocabulary: Vocabulary) -> str | None:
    """Read "what about Simone?" after "is Paris in the bathroom?"."""
    match = _WHAT_ABOUT.match(said)
    last = clauses[-1]
    if match is None or not last.get("topic") or theme_of(clauses).get("kind") != "person":
        return None
    return f"and {match['who']}?" if known_as(match["who"], "person", vocabulary) else None


_WHAT_ABOUT = re.compile(
    r"(?:(?:ok|and|oh|right|well|so)[\s,]+)*(?:what|how) about "
    r"(?P<who>[a-z]+)[\s?.!]*$",
    re.IGNORECASE,
)


def _other_count(said: str, clauses: Clauses, vocabulary: Vocabulary) -> str | None:
    """Read "no, the people" after "count the chairs", and "in the office I mean"."""
    match = _COUNTED_IN.match(said)
    last = clauses[-1]
    if match is None or last.get("action") != "count" or not known_as(match["place"], "place", vocabulary):
        return None
    what = str(theme_of(clauses).get("text") or "")
    return (
        f"count {what if what.startswith('the ') else 'the ' + what} {match['in']} {match['place']}"
        if what
        else None
    )


_COUNTED_IN = re.compile(
    rf"{OPENING}(?P<in>in|on|at) (?P<place>{NAME})(?:,? (?:i mean|i meant|that is|sorry))[\s.!]*$",
    re.IGNORECASE,
)
