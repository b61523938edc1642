"""One piece of an English delivery: the thing, the person, the place that stand in it, and nothing besides.

"Two lemons", "to Robin in the kitchen", "Angel a cola each". Every word has to be one of these parts or a word without
weight; a piece with any other word in it is none.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from zulong.agent.language.english_adjectives import ADVERBS
from zulong.agent.language.english_delivery_words import delivery_words
from zulong.agent.language.english_nouns import NounReader
from zulong.agent.language.english_words import tokenise
from zulong.agent.language.lexicon import Vocabulary
from zulong.agent.language.meaning import Referent
from zulong.agent.language.tokens import NUMBER_WORDS, Token, whole_number

_HERE = frozenset(("here", "over here", "right here", "to here", "me", "us", "back here", "back to me"))
_IDLE = (ADVERBS | {"up", "over", "round", "through", "across", "along", "out", "back", "please", "both"}) - {
    "there", "here", "somewhere", "anywhere", "everywhere", "only", "hello", "also", "yet", "again", "each", "even",
}  # fmt: skip
_EACH = frozenset(("each", "apiece", "individually"))
_DETERMINERS = frozenset(
    ("the", "a", "an", "some", "any", "my", "your", "his", "her", "their", "our", "its", "that", "this", "these",
     "those", "another", "the same", "one of the", "one of those", "one of these")
)  # fmt: skip
_INDEFINITE = frozenset(("a", "an", "some", "any", "another", "one of the", "one of those", "one of these"))
_AMOUNTS = frozenset(("a few", "several", "some of the", "whatever", "anything", "either", "whichever"))
_GESTURES = {
    "gesture_waving": "waving",
    "gesture_raising_arm": "raising the arm",
    "gesture_raising_left_arm": "raising the left arm",
    "gesture_raising_right_arm": "raising the right arm",
    "gesture_pointing_left": "pointing to the left",
    "gesture_pointing_right": "pointing to the right",
}
_AT = ("in", "on", "at")


@dataclass(slots=True, frozen=True)
class Thing:
    """A thing as it was said.

    Attributes:
        words: the name with its colour and size, without article and number.
        number: how many, None when not said.
        indefinite: "a plum", not "the plum".
        bare: without any article: "plum".
        pronoun: "it", "them" or "one" when that is all that was said, else "".
        at: where it is: "on the desk".
        key: what it is on the map, to tell whether two words name the same.
        known: it is on the map.
        plural: "plums".
        generic: "something": of no kind in particular.
        category: the kind of thing on the map; ``sort`` where nothing but the kind was said.
        amount: "a few ": how many is not clear.
    """

    words: str
    number: int | None = None
    indefinite: bool = False
    bare: bool = False
    pronoun: str = ""
    at: str = ""
    key: str = ""
    known: bool = True
    plural: bool = False
    amount: str = ""
    generic: bool = False
    category: str = ""
    sort: bool = False


@dataclass(slots=True, frozen=True)
class Person:
    """Somebody as they were said; ``pronoun`` is "me", "him", "her" or "them" when that is all."""

    words: str
    pronoun: str = ""
    at: str = ""
    known: bool = True


@dataclass(slots=True, frozen=True)
class Piece:
    """What stands in a piece.

    Attributes:
        thing, person, source: the parts; a source is where the thing is fetched from.
        towards: the person stands after "to" or "for".
        first: the person stands before the thing.
        each: "each", "apiece".
        here: "over here", "to me".
        purpose: it ends with what the thing is for.
    """

    thing: Thing | None = None
    person: Person | None = None
    source: str = ""
    towards: bool = False
    first: bool = False
    each: bool = False
    here: bool = False
    purpose: bool = False


class PieceReader:
    """Reads pieces.

    Args:
        vocabulary: the names.
    """

    def __init__(self, vocabulary: Vocabulary) -> None:
        self._vocabulary = vocabulary

    def read(self, text: str) -> Piece | None:
        """Return the parts of a piece, None when there is any other word in it."""
        tokens = tokenise(text, self._vocabulary)
        plain = self._plain(tokens)
        return (self._parts(plain) if len(plain) < len(tokens) else None) or self._parts(tokens)

    def person(self, text: str) -> Person | None:
        """Return the somebody whom the text names, and nothing besides."""
        piece = self.read(text)
        alone = piece is not None and piece.thing is None and not (piece.source or piece.each or piece.here)
        return piece.person if piece is not None and alone and not piece.towards else None

    def place(self, text: str) -> str:
        """Return "on the desk" where the text is a place on the map with its preposition, "" for other words."""
        tokens = tokenise(text, self._vocabulary)
        nouns = NounReader(tokens)
        if not tokens or not (tokens[0].role_of("prep") in _AT or tokens[0].role_of("rel")):
            return ""
        found = nouns.read(1)
        whole = found is not None and found[1] == len(tokens)
        return _words(tokens) if found and whole and found[0].kind == "place" and found[0].ids else ""

    def names_people(self, text: str) -> list[str]:
        """Return the names of people in the text."""
        return [token.text for token in tokenise(text, self._vocabulary) if token.has("person")]

    def names_places(self, text: str) -> bool:
        """Tell whether a room or a piece of furniture is named in the text."""
        return any(token.has("room", "placement") for token in tokenise(text, self._vocabulary))

    def mentioned(self, text: str) -> tuple[list[Person], list[Thing]]:
        """Return whom and what a statement names: "the man in the study is thirsty", "I dropped my fork"."""
        tokens = tokenise(text, self._vocabulary)
        nouns, people, things, at = NounReader(tokens), [], [], 0
        while at < len(tokens):
            token = tokens[at]
            named = token.has("object", "category", "person", "person_noun") or token.plays(
                "det", "indef", "number"
            )
            found = nouns.read(at, attach=False) if named and not token.has("verb") else None
            if found is None or found[1] <= at:
                at += 1
                continue
            referent, end = found
            if referent.kind == "person" and not referent.unknown and not referent.pronoun:
                person = _person(referent, tokens[at:end])
                if person is not None and not nouns.at(end).plays("poss"):
                    people.append(person)
            elif referent.kind == "object" and not referent.unknown and (referent.name or referent.category):
                thing = _thing(referent, tokens[at:end])
                placed = nouns.read(at)
                if thing is not None:
                    where = placed is not None and placed[1] > end
                    things.append(
                        replace(thing, at=_words(tokens[end : placed[1]]) if placed and where else "")
                    )
            at = end
        return people, things

    def subject(self, text: str) -> int:
        """Return how many words at the beginning of a statement name somebody; 0 when it is about something else."""
        tokens = tokenise(text, self._vocabulary)
        found = NounReader(tokens).read(0) if tokens and not tokens[0].plays("pron") else None
        if found is None or found[0].kind != "person":
            return 0
        return len(" ".join(token.text for token in tokens[: found[1]]).split())

    def _plain(self, tokens: Sequence[Token]) -> list[Token]:
        """Leave out adjectives that tell nothing apart: "a nice cold cola"."""
        words = delivery_words()
        kept: list[Token] = []
        for number, token in enumerate(tokens):
            before = kept[-1] if kept else None
            opens = before is None or before.plays("det", "indef", "number", "all") or before.text == ","
            last = number + 1 == len(tokens)
            if opens and not last and words.adjective.fullmatch(token.text) and not token.has("object"):
                continue
            kept.append(token)
        return kept

    def _parts(self, tokens: Sequence[Token]) -> Piece | None:
        nouns, piece, at = NounReader(tokens), Piece(), 0
        last = ""
        while at < len(tokens):
            token = tokens[at]
            preposition = token.role_of("prep")
            if token.text in _EACH and not nouns.at(at + 1).has(
                "person_noun", "person", "object", "category"
            ):
                piece, at = replace(piece, each=True), at + 1
                continue
            step: tuple[Piece, int, str] | None
            if token.text in _HERE and token.text not in ("me", "us"):
                step = replace(piece, here=True), at + 1, last
            elif preposition in ("to", "for"):
                step = self._towards(piece, tokens, nouns, at)
            elif preposition == "from":
                step = self._source(piece, tokens, nouns, at)
            elif (preposition in _AT or token.role_of("rel")) and not nouns.at(at).has("object"):
                step = self._located(piece, tokens, nouns, at, last)
            else:
                step = self._named(piece, tokens, nouns, at)
            if step is None and last == "person" and token.text in ("there", "over there"):
                at += 1
                continue
            if step is None and (token.has("polite") or token.text in _IDLE) and not token.has("object"):
                at += 1
                continue
            if step is None:
                return None
            piece, at, last = step
        return piece

    def _towards(
        self, piece: Piece, tokens: Sequence[Token], nouns: NounReader, at: int
    ) -> tuple[Piece, int, str] | None:
        if (
            tokens[at].plays("prep:for")
            and nouns.at(at + 1).text in ("me", "us")
            and piece.person is not None
        ):
            # "give Robin the bowl for me": in the speaker's stead.
            return piece, at + 2, ""
        if nouns.at(at + 1).text in _HERE and at + 1 < len(tokens):
            return (replace(piece, here=True), at + 2, "") if piece.person is None else None
        found = nouns.read(at + 1)
        if found is not None and found[0].kind == "person" and found[0].gender != "pet":
            person = _person(found[0], tokens[at + 1 : found[1]])
            if person is None or piece.person is not None:
                return None
            if not person.known and (purpose := self._purpose(piece, tokens, at)) is not None:
                # "for my hot dog"
                return purpose
            return replace(piece, person=person, towards=True), found[1], "person"
        return self._purpose(piece, tokens, at)

    def _purpose(self, piece: Piece, tokens: Sequence[Token], at: int) -> tuple[Piece, int, str] | None:
        rest = tokens[at:]
        people = [t for t in rest if t.has("person") or t.value("person_noun") not in ("", "pet")]
        if people or any(token.has("room", "placement", "danger") for token in rest):
            return None
        if delivery_words().purpose.fullmatch(_words(rest)) is None:
            return None
        return replace(piece, purpose=True), len(tokens), ""

    def _source(
        self, piece: Piece, tokens: Sequence[Token], nouns: NounReader, at: int
    ) -> tuple[Piece, int, str] | None:
        found = nouns.read(at + 1)
        if found is None or found[0].kind != "place" or not found[0].ids or piece.source:
            return None
        return replace(piece, source=_words(tokens[at + 1 : found[1]])), found[1], "place"

    def _located(
        self, piece: Piece, tokens: Sequence[Token], nouns: NounReader, at: int, last: str
    ) -> tuple[Piece, int, str] | None:
        if nouns.at(at + 1).text == "here":
            return piece, at + 2, last
        found = nouns.read(at + 1)
        if found is None or found[0].kind != "place" or not found[0].ids:
            return self._purpose(piece, tokens, at)
        where = _words(tokens[at : found[1]])
        if last == "person" and piece.person is not None and not piece.person.at:
            return replace(piece, person=replace(piece.person, at=where)), found[1], ""
        if last == "thing" and piece.thing is not None and not piece.thing.at:
            thing = replace(piece.thing, at=where, words=f"{piece.thing.words} {where}")
            return replace(piece, thing=thing), found[1], ""
        return None

    def _named(
        self, piece: Piece, tokens: Sequence[Token], nouns: NounReader, at: int
    ) -> tuple[Piece, int, str] | None:
        if tokens[at].text in ("me", "us"):
            if piece.person is not None or piece.here:
                return None
            return replace(piece, person=Person("me", "me"), first=piece.thing is None), at + 1, "person"
        after = nouns.at(at + 1)
        if tokens[at].text == "them" and piece.thing is None and piece.person is None:
            loose = not after.text or after.text in _HERE | _IDLE or after.has("polite")
            if loose or after.role_of("prep") in ("to", "for", "from"):
                return replace(piece, thing=Thing("them", pronoun="it")), at + 1, "thing"
        if tokens[at].plays("number") and (not after.text or after.role_of("prep") in ("to", "for", "from")):
            # "there are apples on the desk, bring me two"
            several = Thing(tokens[at].text, whole_number_of(tokens[at].text), pronoun="one")
            return (replace(piece, thing=several), at + 1, "thing") if piece.thing is None else None
        owned = nouns.at(at + 2) if nouns.at(at + 1).has("colour", "size") else nouns.at(at + 1)
        if tokens[at].text == "her" and piece.person is not None and owned.has("object", "category"):
            # "Jane her coffee"
            return piece, at + 1, ""
        found = nouns.read(at)
        if found is None or found[1] <= at:
            return self._purpose(piece, tokens, at) if tokens[at].plays("prep:to", "prep:with") else None
        referent, end = found
        if nouns.at(end).plays("poss"):
            return None
        if referent.kind == "person":
            person = _person(referent, tokens[at:end])
            if person is None or piece.person is not None:
                return None
            return replace(piece, person=person, first=piece.thing is None), end, "person"
        if referent.kind != "object" or piece.thing is not None:
            return None
        thing = _thing(referent, tokens[at:end])
        if thing is not None:
            kind = referent.category or self._vocabulary.category_of.get("".join(referent.ids[:1]), "")
            thing = replace(thing, category=kind, sort=bool(referent.category))
        guessed = referent.unknown and not tokens[at].plays("det", "indef", "number")
        if thing is None or (guessed and not tokens[end - 1].has("object", "category")):
            return None
        return replace(piece, thing=thing), end, "thing"


def whole_number_of(word: str) -> int:
    """Return the number that a word or figures stand for."""
    return NUMBER_WORDS[word] if word in NUMBER_WORDS else whole_number(word)


def _words(tokens: Sequence[Token]) -> str:
    return " ".join(_GESTURES.get(token.text, token.text) for token in tokens).replace(" 's", "'s")


def _person(referent: Referent, tokens: Sequence[Token]) -> Person | None:
    """Return somebody, None for several and for the robot."""
    if referent.plural or referent.number is not None or referent.pronoun in ("you", "this guy"):
        return None
    if referent.gender == "pet":
        return None
    if referent.pronoun:
        pronoun = "me" if referent.pronoun == "me" else referent.pronoun
        plain = len(tokens) == 1
        return Person(_words(tokens), pronoun) if plain else None
    words = _words(tokens)
    if tokens[0].plays("indef") or tokens[0].text in ("this", "that"):
        words = f"the {_words(tokens[1:])}"
    return Person(words, known=not referent.unknown)


def _thing(referent: Referent, tokens: Sequence[Token]) -> Thing | None:
    """Return a thing; None for all of a kind, and for what nothing is said of."""
    if referent.number == -1 or (referent.demonstrative and referent.is_bare()):
        return None
    if referent.pronoun in ("it", "them", "one") or _words(tokens) in ("one", "another one", "some"):
        pronoun = "one" if "one" in _words(tokens) or _words(tokens) == "some" else "it"
        return Thing(_words(tokens), pronoun=pronoun) if len(tokens) <= 2 and referent.at is None else None
    start, number, article = 0, None, ""
    while start < len(tokens) and (
        tokens[start].text in (*_DETERMINERS, "one") or tokens[start].plays("number", "det", "indef")
    ):
        if tokens[start].plays("number") or tokens[start].text == "one":
            number = referent.number if referent.number is not None else 1
        else:
            article = article or tokens[start].text
        start += 1
    if start == len(tokens):
        return None
    words = _words(tokens[start:])
    if article == "the" and tokens[start - 1].text == "one" and tokens[start].role_of("prep"):
        # "the one on the table"
        words, number = f"one {words}", None
    return Thing(
        words,
        number=number,
        indefinite=article in _INDEFINITE or (not article and number is not None),
        bare=not article and number is None,
        key="|".join(sorted(referent.ids)) or referent.name or referent.category,
        known=not referent.unknown,
        plural=referent.plural,
        generic=referent.is_bare(),
        amount=f"{article} " if article in _AMOUNTS else "",
        at="" if referent.at is None else referent.at.text,
    )
