"""The gist of an English question that the grammar did not understand: what it is about, put the plain way.

A question moves nothing, so its small words may be passed by where an order's may not. Still nothing that could name
a thing, a person or a place is: every other word must be one of the closed list of `weightless` words in
``config/wordings_en.yaml``. An order in the sentence, a condition, a negation, or more than one thing or person leave
it without a gist.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from zulong.agent.language.english import asks_whether
from zulong.agent.language.english_adjectives import ADVERBS
from zulong.agent.language.english_cursor import WANTING
from zulong.agent.language.english_nouns import NounReader
from zulong.agent.language.english_wordings import weightless
from zulong.agent.language.english_words import normalise, tokenise
from zulong.agent.language.lexicon import Vocabulary
from zulong.agent.language.meaning import Referent
from zulong.agent.language.tokens import Token

_ASKING_VERBS = frozenset(("tell", "meet", "count", "describe", "answer"))
_CLOSED = (
    "det", "indef", "be", "do", "have", "aux", "wh", "conj", "punct", "there_is", "rel", "focus", "located", "seen",
    "howmany", "all", "again", "poss", "wear", "answer_noun", "yes", "one", "pron", "prep:to", "prep:in", "prep:on",
    "prep:at", "prep:of", "prep:for", "prep:with", "prep:about", "prep:from",
)  # fmt: skip
_BARRED = (
    "not",
    "if",
    "unless",
    "before",
    "after",
    "else",
    "without",
    "or",
    "but",
    "timing",
    "no",
    "correct",
    "cancel",
)
_WHERE = frozenset(("where", "whereabouts", "location", "seen", "spotted", "missing", "lost"))
_COUNT = frozenset(("many", "count", "number", "headcount", "tally", "total", "amount", "much"))
_WHAT = frozenset(("what", "which", "list", "contents", "things", "everything"))
_LOOKS = frozenset(
    ("wearing", "wear", "dressed", "outfit", "clothes", "look", "looks", "appearance", "attire")
)

_ASKS_TWICE = re.compile(
    r"\b(?:who|what|how many|where|which|count|number)\b.*(?:,|;|\band\b) *(?:also |then |and )*(?:tell me |let me know |"
    r"say )?(?:who|what|where|which|why|how)(?:'s|'re)? (?!(?:there|they are there)\b)",
    re.IGNORECASE,
)
"""The gist of one of two questions would leave the other unanswered."""


@dataclass(slots=True)
class _Parts:
    """What a question names: things and people, and places, each with its words."""

    things: list[tuple[Referent, str]] = field(default_factory=list)
    places: list[str] = field(default_factory=list)
    words: set[str] = field(default_factory=set)


def gist(text: str, vocabulary: Vocabulary) -> str | None:
    """Return the question in plain words, None when the sentence may be more than one plain question."""
    if asks_whether(text) or _ASKS_TWICE.search(text):
        return None
    tokens = tokenise(normalise(text), vocabulary)
    if any(token.text in WANTING for token in tokens):
        # A wish is no question.
        return None
    if any(token.plays("quote", *_BARRED) or token.has("gesture", "danger") for token in tokens):
        return None
    parts = _parts(tokens)
    return _plain(parts) if parts is not None else None


def _parts(tokens: list[Token]) -> _Parts | None:
    nouns, parts, index = NounReader(tokens), _Parts(), 0
    while index < len(tokens):
        token = tokens[index]
        parts.words.update(token.text.split())
        found = None if _small(token) and not token.plays("det", "indef", "all") else nouns.read(index)
        if found is None or found[0].pronoun:
            if found is None and not _small(token):
                return None
            index += 1
            continue
        referent, end = found
        said = " ".join(t.text for t in tokens[index:end])
        if referent.unknown or referent.text == "":
            if not set(said.split()) <= weightless() | {"the", "a", "an", "my"}:
                return None
            parts.words.update(said.split())
        elif referent.kind == "place":
            parts.places.append(said)
        elif referent.is_bare() and referent.kind == "object" and referent.at is None:
            parts.words.add("things")
        else:
            parts.things.append((referent, said))
        index = end
    return parts


def _small(token: Token) -> bool:
    """Tell whether the word may be passed by in a question."""
    if set(token.text.split()) <= weightless():
        return True
    if token.has("verb") and token.value("verb") not in _ASKING_VERBS:
        return False
    if token.has(
        "object", "category", "person", "person_noun", "placement", "room", "generic", "superlative"
    ):
        return False
    return token.plays(*_CLOSED) or token.text in ADVERBS or token.has("polite", "verb")


def _plain(parts: _Parts) -> str | None:
    words, places = parts.words, parts.places
    if len(parts.things) > 1 or len(places) > 1:
        return None
    there = f" in {places[0]}" if places else ""
    if not parts.things:
        if not places:
            return None
        if "who" in words:
            return f"who is{there}"
        return f"what is{there}" if words & _WHAT and not words & (_WHERE | _COUNT) else None
    thing, said = parts.things[0]
    placed = bool(places) or thing.at is not None
    if words & _COUNT:
        return f"how many {said}{' are' + there if places else ''}" if placed else None
    if thing.superlative:
        return f"what is {said}{there}" if placed else None
    if words & _WHERE:
        return f"where is {said}" if not placed else None
    if thing.kind == "person" and "who" in words:
        return f"who is {said}{there}" if placed else None
    if thing.kind == "person" and words & _LOOKS:
        return f"describe {said}{there}"
    return None
