"""What puts a message in English right in the turn after it: "no, at half past eight", "oh and tell me what he says".

The words of the message are changed where they speak of a time or a place, and nowhere else; the order is then said
again as a whole.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from zulong.agent.language.english_named import named
from zulong.agent.language.lexicon import Vocabulary

Clauses = Sequence[Mapping[str, Any]]

_END = (
    r"(?:[\s,]+(?:please|thanks|thank you|sorry|instead|then|actually|i think|after all|maybe|i meant|i mean|"
    r"that is))*[\s.!?]*$"
)
_HEARS = (
    r"(?:what (?:he|she|they) (?:says?|answers?|said|answered|thinks?|replies|reply|wants?|tells? you)|(?:the|his|"
    r"her|their) "
    r"(?:answer|reply)|what the answer is)"
)


def message_put_right(said: str, clauses: Clauses, vocabulary: Vocabulary) -> str | None:
    """Return the message said again as it is meant now, None when the turn changes nothing of it.

    Args:
        said: what is said, with single blanks and plain apostrophes.
        clauses: those of the order before, as plain data.
        vocabulary: the words of the lexicon and the map.
    """
    last = clauses[-1]
    if last.get("action") not in ("tell", "ask") or not last.get("text") or '"' in str(last["text"]):
        return None
    return (
        _says(said, clauses, vocabulary)
        or _reports(said, clauses)
        or _told_in(said, clauses, vocabulary)
        or _other_words(said, clauses, vocabulary)
    )


def _says(said: str, clauses: Clauses, vocabulary: Vocabulary) -> str | None:
    """Read "say it's pizza" after "tell Jane the food is here"; what "the drinks, I mean" are is asked."""
    last = clauses[-1]
    who = str((last.get("recipient") or {}).get("name") or "")
    if not who or last.get("action") != "tell" or len(clauses) != 1:
        return None
    words = _SAY.match(said)
    if words is not None:
        return f"tell {who} that {words['words']}"
    other = _THING_MEANT.match(said)
    found = named(other["what"], vocabulary) if other is not None else None
    return f"tell {who} something" if found is not None and found.kind == "object" else None


_SAY = re.compile(
    r"(?:(?:no|and|oh|actually|sorry|better|rather)[,.]? )*say (?:that )?(?P<words>(?:it|there|they|we|i|he|she|the|"
    r"that|this|you)\b(?! to\b).{3,80}?)"
    r"(?: instead)?[\s.!]*$",
    re.IGNORECASE,
)
_THING_MEANT = re.compile(
    r"(?:(?:no|sorry|oh|wait)[,.]? )*(?P<what>(?:the )?[a-z]+(?: [a-z]+)?),? (?:i mean|i meant|sorry|that is)[\s.!]*$",
    re.IGNORECASE,
)


def _is_place(words: str, vocabulary: Vocabulary) -> bool:
    found = named(words, vocabulary)
    return found is not None and found.kind == "place"


def _reports(said: str, clauses: Clauses) -> str | None:
    """Read "oh and tell me what he says" after "ask Robin how old he is"."""
    last = clauses[-1]
    who = str((last.get("recipient") or {}).get("name") or "")
    words = str(last.get("text") or "")
    if last.get("action") != "ask" or not who or not words or '"' in words or not _TELL_ME.match(said):
        return None
    return f'ask {who} "{words}" and tell me the answer'


_TELL_ME = re.compile(
    r"(?:(?:oh|and|then|ok|okay|also|please|could you|can you|will you|come back and|come and|when you're done|"
    r"afterwards)[\s,]+)*(?:(?:tell me|let me know|report(?: back)?(?: to me)?(?: with)?|come back (?:to me )?with|"
    rf"bring me) {_HEARS}|report(?: back)?(?: to me)?){_END}",
    re.IGNORECASE,
)


def _told_in(said: str, clauses: Clauses, vocabulary: Vocabulary) -> str | None:
    """Read "no, the kitchen" after "tell Jules to come to the office": the place in the message is another."""
    last = clauses[-1]
    who, words = str((last.get("recipient") or {}).get("name") or ""), str(last.get("text") or "")
    match = _THE_PLACE.match(said)
    if match is None or last.get("action") not in ("tell", "ask") or not who or not words or '"' in words:
        return None
    found = [m for m in _AT_PLACE.finditer(words) if _is_place(m["place"], vocabulary)]
    if len(found) != 1 or not _is_place(match["place"], vocabulary) or len(clauses) != 1:
        return None
    start, end = found[0].span("place")
    verb = "ask" if last["action"] == "ask" else "tell"
    return f'{verb} {who} "{words[:start]}{match["place"]}{words[end:]}"'


_THE_PLACE = re.compile(
    rf"(?:(?:oh|no|nope|sorry|wait|hang on|actually|i mean|i meant|make (?:that|it))[\s,.;:!-]+)+(?:to "
    rf")?(?P<place>the [a-z]+(?: [a-z]+)?){_END}",
    re.IGNORECASE,
)


def _other_words(said: str, clauses: Clauses, vocabulary: Vocabulary) -> str | None:
    """Read "no, at half past eight" after "tell Robin the bus comes at eight": the time in the message is another."""
    last = clauses[-1]
    who = str((last.get("recipient") or {}).get("name") or "")
    words = str(last.get("text") or "")
    match = _OTHER_TIME.match(said)
    if (
        match is None
        or last.get("action") not in ("tell", "ask")
        or not who
        or not words
        or len(clauses) != 1
        or '"' in words
    ):
        return None
    time, day, lasts, place = match["time"], match["day"], match["lasts"], match["place"]
    old: re.Pattern[str] = _DAYS if day else _LASTS if lasts else _HOURS
    if place:
        if not match["opening"] or not _is_place(place, vocabulary):
            return None
        found = [m for m in _AT_PLACE.finditer(words) if _is_place(m["place"], vocabulary)]
        new = f"{match['in']} {place}"
    else:
        found = list(old.finditer(words))
        new = day or lasts or time
    if len(found) != 1:
        return None
    changed = f"{words[: found[0].start()]}{new}{words[found[0].end() :]}"
    return f'{"ask" if last["action"] == "ask" else "tell"} {who} "{changed}"'


_UNIT = r"(?:seconds?|minutes?|hours?)"
_COUNT = r"(?:an?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty|forty|fifty|\d+)"
_HOUR = (
    r"(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|noon|midnight|\d{1,2}(?:[:.]\d\d)?)"
)
_CLOCK = (
    rf"(?:(?:half|quarter|a quarter|five|ten|twenty) (?:past|to) )?{_HOUR}(?:[ -](?:fifteen|thirty|"
    rf"forty-five))?(?: o'clock| ?[ap]m)?"
)
_DAY = r"(?:(?:next )?(?:monday|tuesday|wednesday|thursday|friday|saturday|sunday)|today|tonight|tomorrow)"
_HOURS = re.compile(rf"(?<=\bat ){_CLOCK}\b|(?<=\bby ){_CLOCK}\b|(?<=\buntil ){_CLOCK}\b", re.IGNORECASE)
_DAYS = re.compile(rf"\b{_DAY}\b", re.IGNORECASE)
_LASTS = re.compile(rf"\b(?:{_COUNT} {_UNIT}|half an hour|a quarter of an hour)\b", re.IGNORECASE)
_AT_PLACE = re.compile(
    r"\b(?:in|on|at|to|into|from) (?P<place>the [a-z]+(?: [a-z]+)??)(?=[,.;!?]|$| (?:in|on|at|and|now)\b)",
    re.IGNORECASE,
)
_OTHER_TIME = re.compile(
    r"(?P<opening>(?:(?:oh|no|nope|sorry|wait|hang on|hold on|actually|oops|i mean|i meant|correction|make (?:that|"
    r"it)|not that|my mistake|rather|"
    r"well|um+|er+|uh)[\s,.;:!-]+)*)(?:(?:it's |it is )?(?:not [a-z ]{2,20}?[,;] (?:but )?)?(?:at |on |by |until )?)??"
    rf"(?:(?P<lasts>(?:{_COUNT} {_UNIT}|half an hour|a quarter of an hour))|(?P<day>{_DAY})|(?P<time>{_CLOCK})|"
    rf"(?P<in>in|on|at) (?P<place>the [a-z]+(?: [a-z]+)?)){_END}",
    re.IGNORECASE,
)
