"""What a few English words name: a thing, a place or a person of the vocabulary, with its colour.

The modules that rewrite sentences ask here before they move words about: nothing is rewritten around words that the
vocabulary does not know.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from zulong.agent.language.lexicon import Vocabulary

DETERMINER = (
    r"(?:the|an?|my|our|your|his|her|their|some|any|this|that|these|those|one|two|three|four|five|more|"
    r"another)"
)
NAME = rf"(?:{DETERMINER} )*[a-z][a-z']*(?: [a-z][a-z']*){{0,3}}?"
"""A pattern for what may be a name: whether it is one says :func:`named`."""

Kind = Literal["object", "place", "person"]
_KINDS: dict[str, Kind] = {
    "object": "object",
    "category": "object",
    "room": "place",
    "placement": "place",
    "person": "person",
    "person_noun": "person",
}
_LEADING = re.compile(rf"^(?:{DETERMINER} )+", re.IGNORECASE)


@dataclass(slots=True, frozen=True)
class Named:
    """What words name.

    Attributes:
        kind: thing, place or person.
        determiner: the words before the name, with a blank behind them; "" when there are none.
        colour: the colour or kind that is said before the noun ("blue", "chocolate"), "" when there is none.
        noun: the noun itself, "" for "the blue one".
        known: it is on the map.
    """

    kind: Kind
    determiner: str
    colour: str
    noun: str
    known: bool

    def said(self) -> str:
        """Return the name with its determiner."""
        return f"{self.determiner}{self.colour} {self.noun}".replace("  ", " ").strip()


def named(words: str, vocabulary: Vocabulary) -> Named | None:
    """Return what the words name, None when they name nothing or say more than a name.

    Args:
        words: as they were said, with or without an article.
        vocabulary: the words of the lexicon and the map.
    """
    plain = re.sub(r"\s+", " ", words.strip(" ,.;:!?")).lower()
    leading = _LEADING.match(plain)
    determiner = leading[0] if leading else ""
    rest = plain[len(determiner) :].split()
    if not rest:
        return None
    colours: list[str] = []
    while len(rest) > 1 and _tells_apart(rest, vocabulary):
        colours.append(rest.pop(0))
    kind = _kind(rest, vocabulary)
    if kind is not None:
        return Named(kind[0], determiner, " ".join(colours), " ".join(rest), kind[1])
    if rest in (["one"], ["ones"]) and colours:
        return Named("object", determiner, " ".join(colours), "", True)
    return None


def one_of_them(words: str, other: Named, vocabulary: Vocabulary) -> Named | None:
    """Return what "the blue one" or "the chocolate one" is, said beside another thing; what is named fully stays as it is.

    Args:
        words: as they were said.
        other: the thing whose noun is left out in the words.
        vocabulary: the words of the lexicon and the map.
    """
    plain = re.sub(r"\s+", " ", words.strip(" ,.;:!?")).lower()
    whole = named(plain, vocabulary)
    if whole is not None and whole.noun:
        return whole
    headless = re.fullmatch(rf"(?P<det>(?:{DETERMINER} )*)(?P<which>[a-z]+(?: [a-z]+)??)(?: ones?)?", plain)
    if headless is None or other.kind == "person":
        return None
    parts = other.noun.split()
    for noun in dict.fromkeys((other.noun, parts[-1])):
        candidate = named(f"{headless['det']}{headless['which']} {noun}", vocabulary)
        if candidate is not None and candidate.kind == other.kind and candidate.known:
            return candidate
    return None


def matches(pattern: re.Pattern[str], said: str) -> Iterator[re.Match[str]]:
    """Yield what fits a pattern from each place on, also where a longer name reaches over it."""
    at = 0
    while (match := pattern.search(said, at)) is not None:
        yield match
        at = match.start() + 1


def _tells_apart(words: list[str], vocabulary: Vocabulary) -> bool:
    """Tell a colour before a noun: "red cup", of which there are others, but not "orange juice"."""
    if not _is_colour(words[0], vocabulary):
        return False
    others = any(len(sense.ids) > 1 for sense in vocabulary.english.get(tuple(words[1:]), ()))
    return others or _kind(words, vocabulary) is None


def _is_colour(word: str, vocabulary: Vocabulary) -> bool:
    return any(sense.kind == "colour" for sense in vocabulary.english.get((word,), ()))


def _kind(words: list[str], vocabulary: Vocabulary) -> tuple[Kind, bool] | None:
    for sense in vocabulary.english.get(tuple(words), ()):
        if sense.kind in _KINDS:
            return _KINDS[sense.kind], bool(sense.ids) or sense.kind == "person_noun"
    return None
