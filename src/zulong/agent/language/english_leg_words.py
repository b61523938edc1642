"""The words of an English errand in several legs, each with the parts of a leg that it may be.

The grammar reads clauses by their verbs. Who sends somebody round says a verb once or not at all: "kitchen first, then
the study, and a minute by the fridge". Here the whole sentence is cut into the longest phrases that can be part of a
leg; the phrases are data, the section ``legs`` of ``config/wordings_en.yaml``, next to the names of the vocabulary.
"""

from __future__ import annotations

import functools
import re
from dataclasses import dataclass

from zulong.agent.language.english_spelling import closest_word
from zulong.agent.language.english_words import opened
from zulong.agent.language.lexicon import LexiconError, Sense, Vocabulary
from zulong.agent.language.tokens import NUMBER_WORDS
from zulong.agent.numerals import number
from zulong.resources import config_path, read_yaml

_PIECE = re.compile(r"\.\.\.|[a-z]+(?:'[a-z]+)?|\d+(?:\.\d+)?|[.,;:!\u2026\u2013\u2014/+>()-]+")
_WORD = re.compile(r"[a-z]+(?:'[a-z]+)?|\d+(?:\.\d+)?")
_UNITS = {
    "second": 1, "seconds": 1, "sec": 1, "secs": 1, "s": 1, "minute": 60, "minutes": 60, "min": 60, "mins": 60,
    "hour": 3600, "hours": 3600, "hr": 3600, "hrs": 3600,
}  # fmt: skip
_HOUR = 3600
_DETERMINERS = frozenset(
    ("the", "my", "our", "your", "that", "this", "a", "an", "his", "her", "their", "one", "some")
)
_QUANTIFIERS = frozenset(("all", "every"))
PARTS_OF_FURNITURE = frozenset(
    ("back", "side", "front", "end", "foot", "edge", "corner", "middle", "left", "right", "head", "door")
)
"""Where at a piece of furniture one stands makes no difference to where one goes."""
_LONGEST = 7


@dataclass(slots=True, frozen=True)
class Piece:
    """A phrase: its words, what it may be in a leg, and what it names.

    Attributes:
        text: the words.
        roles: parts of a leg; ``mark`` for punctuation, ``place``, ``thing`` and ``person`` for what the map names.
        seconds: how long, where the words are a time.
        times: how often, where the words say so.
    """

    text: str
    roles: frozenset[str]
    seconds: float | None = None
    times: int | None = None

    def plays(self, *roles: str) -> bool:
        """Return whether it may be one of these parts."""
        return any(role in self.roles for role in roles)


@functools.cache
def leg_words() -> dict[str, frozenset[str]]:
    """Return the phrases of the section ``legs``, each with its roles.

    Raises:
        LexiconError: the section is missing or no table of phrases; the message names the file.
    """
    sections = read_yaml(config_path("wordings_en.yaml")).get("legs")
    if not isinstance(sections, dict):
        raise LexiconError("Wordings need the section 'legs' with phrases by role; see wordings_en.yaml.")
    found: dict[str, set[str]] = {}
    for role, phrases in sections.items():
        for phrase in str(phrases).split("|"):
            found.setdefault(" ".join(phrase.split()), set()).add(str(role))
    return {phrase: frozenset(roles) for phrase, roles in found.items() if phrase}


@functools.cache
def _single_words() -> frozenset[str]:
    return frozenset(word for phrase in leg_words() for word in phrase.split())


def pieces(text: str, vocabulary: Vocabulary) -> list[Piece]:
    """Cut a sentence into phrases; words that are part of no leg are pieces without roles."""
    words = [_spelt(word, vocabulary) for word in _PIECE.findall(opened(text).replace(" 's", "'s"))]
    found: list[Piece] = []
    at = 0
    while at < len(words):
        piece, used = _piece(words, at, vocabulary)
        found.append(piece)
        at += used
    return found


def _spelt(word: str, vocabulary: Vocabulary) -> str:
    """Return the word, or the name on the map or number that it is a slip for."""
    known = (
        len(word) < 4
        or not word.isalpha()
        or word in vocabulary.all_words
        or word in vocabulary.ordinary
        or word in _single_words()
        or word in NUMBER_WORDS
        or word in _UNITS
    )
    if known:
        return word
    for other in (*NUMBER_WORDS, *_UNITS, *_single_words()):
        if len(other) == len(word) and other[0] == word[0] and sorted(other) == sorted(word):
            # Two letters changed places: "thrity", "agian".
            return other
    better = closest_word(word, vocabulary)
    named = better is not None and any(sense.ids for sense in vocabulary.english.get((better,), ()))
    return better if better is not None and named else word


def _piece(words: list[str], at: int, vocabulary: Vocabulary) -> tuple[Piece, int]:
    word = words[at]
    if _WORD.fullmatch(word) is None:
        return Piece(word, frozenset(("mark",))), 1
    seconds, end = duration(words, at)
    if end > at:
        return Piece(" ".join(words[at:end]), frozenset(("time",)), seconds=seconds), end - at
    if word in NUMBER_WORDS or word.isdecimal():
        after = words[at + 1] if at + 1 < len(words) else ""
        value = NUMBER_WORDS[word] if word in NUMBER_WORDS else int(word)
        if after in ("times", "laps", "rounds"):
            return Piece(f"{word} {after}", frozenset(("times",)), times=int(value)), 2
    if word in _QUANTIFIERS and _opens_thing(words, at + 1, vocabulary):
        # "put all the fruit in the fridge" is more than one leg, and for the grammar to read.
        return Piece(word, frozenset()), 1
    name = _named(words, at, vocabulary)
    for length in range(min(_LONGEST, len(words) - at), 0, -1):
        phrase = " ".join(words[at : at + length])
        roles = leg_words().get(phrase)
        if name is not None and name[1] >= length and not (roles and name[1] == length):
            return name
        if roles:
            kinds = name[0].roles if name is not None and name[1] == length else frozenset()
            kinds = kinds | {"det"} if phrase in _DETERMINERS else kinds
            often = {"once": 1, "one time": 1, "twice": 2, "thrice": 3}.get(phrase)
            return Piece(phrase, roles | kinds, times=often), length
    if name is not None:
        return name
    return _small(word, vocabulary), 1


def _opens_thing(words: list[str], at: int, vocabulary: Vocabulary) -> bool:
    """Tell whether a thing is named next, perhaps after an article and adjectives."""
    for index in range(at, min(at + 4, len(words))):
        if _WORD.fullmatch(words[index]) is None:
            return False
        name = _named(words, index, vocabulary)
        if name is not None:
            return name[0].plays("thing")
    return False


def _small(word: str, vocabulary: Vocabulary) -> Piece:
    if word in ("and", "&", "plus"):
        return Piece(word, frozenset(("and",)))
    if word in ("me", "us"):
        return Piece(word, frozenset(("me",)))
    if word in ("it", "them", "one"):
        return Piece(word, frozenset(("it", "det") if word == "one" else ("it",)))
    if word in ("from", "off"):
        return Piece(word, frozenset(("from",)))
    if word == "for":
        return Piece(word, frozenset(("for",)))
    if word in _DETERMINERS:
        return Piece(word, frozenset(("det",)))
    if word in NUMBER_WORDS or word.isdecimal():
        return Piece(word, frozenset(("number",)))
    senses = vocabulary.english.get((word,), ())
    if any(sense.kind == "verb" for sense in senses):
        return Piece(word, frozenset(("verb",)))
    if any(sense.kind in ("colour", "size") for sense in senses):
        return Piece(word, frozenset(("adjective",)))
    return Piece(word, frozenset())


_KINDS = {"room": "place", "placement": "place", "object": "thing", "category": "thing", "person": "person"}


def _named(words: list[str], at: int, vocabulary: Vocabulary) -> tuple[Piece, int] | None:
    """Return what the map names here and how many words it takes."""
    for length in range(min(5, len(words) - at), 0, -1):
        said = words[at : at + length]
        senses = vocabulary.english.get(tuple(" ".join(said).replace("'s", " 's").split()), ())
        kinds = frozenset(_KINDS[sense.kind] for sense in senses if sense.kind in _KINDS and _present(sense))
        if kinds:
            return Piece(" ".join(said), kinds), length
    return None


def _present(sense: Sense) -> bool:
    return bool(sense.ids) and (sense.known or sense.kind in ("object", "category"))


def duration(words: list[str], at: int) -> tuple[float, int]:
    """Return how many seconds "two and a half minutes", "1 minute 15" at a position are, and the position after it.

    The position is unchanged where no time stands.
    """
    seconds, end = _one_duration(words, at)
    if end == at:
        return 0.0, at
    unit = _UNITS.get(words[end - 1], 0)
    if words[end : end + 3] == ["and", "a", "half"] and unit:
        return seconds + unit / 2, end + 3
    more = end + 1 if words[end : end + 1] == ["and"] else end
    after, stop = _one_duration(words, more)
    if stop > more and after < seconds:
        return seconds + after, stop
    if unit in (60, _HOUR) and more == end and stop == more and end < len(words) and words[end].isdecimal():
        following = words[end + 1] if end + 1 < len(words) else ""
        if int(words[end]) < 60 and following not in ("times", *_UNITS):
            # "1 minute 15"
            return seconds + int(words[end]) * unit / 60, end + 1
    return seconds, end


def _one_duration(words: list[str], at: int) -> tuple[float, int]:
    said = [*words[at : at + 6], *[""] * 6]
    if said[0] in ("a", "another") and said[1] == "further":
        return _one_duration(words, at + 2)
    if said[0] == "another":
        value, end = _one_duration(words, at + 1)
        return (value, end) if end > at + 1 else (0.0, at)
    if said[0] == "half" and said[1] in ("a", "an") and said[2] in _UNITS:
        return _UNITS[said[2]] / 2, at + 3
    if said[0] == "a" and said[1] == "half" and said[2] in _UNITS:
        return _UNITS[said[2]] / 2, at + 3
    if said[0] == "half" and said[1] in ("minute", "hour"):
        return _UNITS[said[1]] / 2, at + 2
    if said[:3] == ["three", "quarters", "of"] and said[3] in ("a", "an"):
        return (_UNITS[said[4]] * 0.75, at + 5) if said[4] in _UNITS else (0.0, at)
    if said[0] in ("a", "one") and said[1] == "quarter" and said[2] == "of" and said[3] in ("a", "an"):
        return (_UNITS[said[4]] / 4, at + 5) if said[4] in _UNITS else (0.0, at)
    if said[0] in ("a", "an", "one") and said[1] in ("minute", "hour", "second"):
        return float(_UNITS[said[1]]), at + 2
    if said[:2] == ["a", "couple"]:
        unit = said[3] if said[2] == "of" else said[2]
        return (2.0 * _UNITS[unit], at + (4 if said[2] == "of" else 3)) if unit in _UNITS else (0.0, at)
    value, used = _number(said)
    if used and said[used : used + 3] == ["and", "a", "half"] and said[used + 3] in _UNITS:
        return (value + 0.5) * _UNITS[said[used + 3]], at + used + 4
    if used and said[used] in _UNITS:
        return value * _UNITS[said[used]], at + used + 1
    return 0.0, at


def _number(said: list[str]) -> tuple[float, int]:
    first = said[0]
    if re.fullmatch(r"\d+(?:\.\d+)?", first):
        return float(first), 1
    if first not in NUMBER_WORDS:
        written = number(first) if first.isalpha() else None
        return (float(written), 1) if written else (0.0, 0)
    value = float(NUMBER_WORDS[first])
    second = NUMBER_WORDS.get(said[1], 0)
    if value >= 20 and value % 10 == 0 and 0 < second < 10:
        return value + second, 2
    return value, 1
