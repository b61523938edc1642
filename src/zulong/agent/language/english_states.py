"""The states of a home that an English order may hang on, in the wordings that people have for them.

A state is somebody or nobody in a place, a thing in a place or not, how many of them, or the charge of the battery. Each
is put as the words that the grammar reads after "if". A pronoun stands for what the order names, where that is one thing
only. The sentence is looked at with one letter for each name of the map (:class:`Lifted`), so that no form cuts a name.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from zulong.agent.language.english_state_forms import (
    ABSOLUTE,
    ASKED,
    BEING,
    DET,
    FREE,
    INVERTED,
    POSED,
    SOUGHT,
    STATED,
    VISITED,
)
from zulong.agent.language.lexicon import Vocabulary

_WORD = re.compile(r"[A-Za-z]+(?:'(?!s\b)[A-Za-z]+)?")
_SEATS = ("sofa", "bed", "armchair", "chairs")
_ROOM, _PLACE, _THING, _PERSON = 0xE000, 0xE200, 0xE400, 0xE600
_ANY_PLACE, _ANY_ROOM, _ANY_THING, _ANY_PERSON = (
    "[\ue000-\ue3ff]",
    "[\ue000-\ue1ff]",
    "[\ue400-\ue5ff]",
    "[\ue600-\ue7ff]",
)
_LONGEST_NAME = 5
_DOOR = "front door"


@dataclass(slots=True, frozen=True)
class Lifted:
    """A sentence with one letter of the private use area for each name of the map.

    Attributes:
        text: the sentence.
        names: what each letter stands for.
    """

    text: str
    names: dict[str, str]

    @classmethod
    def of(cls, said: str, vocabulary: Vocabulary) -> Lifted:
        """Lift the names out of a sentence."""
        words = list(_WORD.finditer(said))
        names: dict[str, str] = {}
        parts: list[str] = []
        done = at = 0
        while at < len(words):
            found = _name(said, words, at, vocabulary)
            if found is None:
                at += 1
                continue
            kind, length = found
            start, end = words[at].start(), words[at + length - 1].end()
            name = said[start:end]
            letter = next((one for one, other in names.items() if other.lower() == name.lower()), "") or chr(
                kind + len(names)
            )
            names[letter] = name
            parts.extend((said[done:start], letter))
            done, at = end, at + length
        parts.append(said[done:])
        return cls("".join(parts), names)

    def restored(self, text: str) -> str:
        """Return a text with the names for their letters."""
        return re.sub("[\ue000-\ue7ff]", lambda letter: self.names.get(letter[0], _DOOR), text)


def _name(said: str, words: list[re.Match[str]], at: int, vocabulary: Vocabulary) -> tuple[int, int] | None:
    for length in range(min(_LONGEST_NAME, len(words) - at), 0, -1):
        phrase = said[words[at].start() : words[at + length - 1].end()].lower()
        for sense in vocabulary.english.get(tuple(phrase.replace("'s", " 's").split()), ()):
            if sense.kind in ("room", "placement") and sense.ids and sense.known:
                return (_ROOM if sense.kind == "room" or sense.value in _SEATS else _PLACE), length
            if sense.kind in ("object", "category") and sense.ids:
                return _THING, length
            if sense.kind == "person" and sense.ids:
                return _PERSON, length
    return None


@dataclass(slots=True, frozen=True)
class State:
    """What has to be so.

    Attributes:
        words: as the grammar reads it after "if".
        denied: the words for its opposite, "" when it has none.
        place: the place it is about, with its article.
        nobody: nobody is there.
        somebody: somebody, who has no name, is there.
        person: who, where somebody with a name is there or not.
        thing: what, where a thing is there or not.
        uncertain: it cannot be put in words.
    """

    words: str
    denied: str = ""
    place: str = ""
    nobody: bool = False
    somebody: bool = False
    person: str = ""
    thing: str = ""
    uncertain: bool = False

    @property
    def reversible(self) -> bool:
        """Return whether its opposite can be put in words."""
        return bool(self.denied)

    def opposite(self) -> State:
        """Return the state that holds when this one does not."""
        if not self.denied:
            return State(self.words, uncertain=True)
        return State(
            self.denied,
            self.words,
            self.place,
            self.somebody,
            self.nobody,
            self.person,
            self.thing,
            self.uncertain,
        )


def _empty(place: str) -> State:
    return State(f"there is nobody in {place}", f"there is somebody in {place}", place, nobody=True)


def _exists(det: str, thing: str, place: str) -> State:
    article = det.strip().lower()
    article = article if article in ("a", "an", "some", "any", "another") else "any"
    return State(
        f"there is {article} {thing} in {place}", f"there is no {thing} in {place}", place, thing=thing
    )


def _is_at(subject: str, place: str, person: str = "") -> State:
    thing = "" if person else subject.removeprefix("the ")
    return State(
        f"{subject} is in {place}", f"{subject} is not in {place}", place, person=person, thing=thing
    )


def stated(text: str, at: int, *, place: str = "", order: str = "") -> tuple[State, int] | None:
    """Return the state that is told at a position of a lifted sentence, and where it ends.

    Args:
        text: the sentence.
        at: where the state begins.
        place: what "there" is.
        order: the order that the state follows; its names are what pronouns stand for.
    """
    return _longest(STATED, text, at, place, order)


def inverted(text: str, at: int) -> tuple[State, int] | None:
    """Return the state after "should": "there be nobody in the office"."""
    return _longest(INVERTED, text, at)


def asked(text: str, at: int) -> tuple[State, int] | None:
    """Return the state that is asked about: "is anybody in the office", "the milk is in the fridge?"."""
    posed = _longest(POSED, text, at)
    if posed is not None and text[posed[1] :].lstrip().startswith("?"):
        return posed
    return _longest(ASKED, text, at)


def absolute(text: str, at: int, *, without: bool = False) -> tuple[State, int] | None:
    """Return the state after "with" ("nobody in the office") or "without" ("anybody in the office")."""
    found = _longest(ABSOLUTE, text, at)
    if found is None:
        return None
    return found if found[0].somebody == without else None


def being(text: str, at: int) -> tuple[State, int] | None:
    """Return the state that is said with "being": "the office being empty"."""
    return _longest(BEING, text, at)


def sought(text: str, at: int) -> tuple[State, int] | None:
    """Return the state that a search finds out: "check the pantry for sugar"."""
    return _longest(SOUGHT, text, at)


def visited(text: str, at: int) -> tuple[str, int] | None:
    """Return the place that is looked at first: "check the sofa"."""
    found = VISITED.match(text, at)
    return (_the(found["place"]), found.end()) if found else None


def _longest(
    forms: tuple[re.Pattern[str], ...], text: str, at: int, place: str = "", order: str = ""
) -> tuple[State, int] | None:
    best: re.Match[str] | None = None
    for form in forms:
        found = form.match(text, at)
        if found is not None and (best is None or found.end() > best.end()):
            best = found
    if best is None:
        return None
    outside = order or f"{text[: best.start()]} {text[best.end() :]}"
    state = _state({name: words for name, words in best.groupdict().items() if words}, place, outside)
    return (state, best.end()) if state is not None else None


def _state(said: dict[str, str], place: str, outside: str) -> State | None:
    if "low" in said:
        return State("your battery is low")
    if "free" in said:
        return _free(said, outside, place)
    where = _the(said.get("place") or said.get("place2") or "") or place or _the(_only(_ANY_PLACE, outside))
    if not where:
        return None
    if "none" in said:
        return _empty(where)
    if "some" in said:
        return _empty(where).opposite()
    if "count" in said:
        than = re.sub(r"\b(?:less|fewer) (?:than|then)\b|\bunder\b", "fewer than", said["than"].lower())
        than = re.sub(r"\b(?:more|greater) (?:than|then)\b|\bover\b", "more than", than)
        return State(f"there are {than} {said['count']} {said['things']} in {where}", "", where)
    if "tinted" in said:
        return _exists("a", f"{said['colour'].lower()} {said['tinted']}", where)
    if "no" in said:
        return _exists("any", said["no"], where).opposite()
    if "thing" in said:
        return _exists(said.get("det", ""), said["thing"], where)
    return _placed(said, where, outside)


def _free(said: dict[str, str], outside: str, place: str) -> State | None:
    room = said["free"]
    if room.lower() in ("it", "there", "that"):
        room = place or _only(_ANY_ROOM, outside)
    if not room:
        return None
    state = _empty(_the(room))
    return state if FREE.fullmatch(said["how"]) else state.opposite()


def _placed(said: dict[str, str], where: str, outside: str) -> State | None:
    """Return the state that somebody or something with a name, or a pronoun, is in a place."""
    person = said.get("who", "")
    subject = person or said.get("it", "")
    if person.lower() in ("he", "she", "they"):
        subject = person = _only(_ANY_PERSON, outside)
    elif subject.lower() in ("it", "they"):
        named = _only(_ANY_THING, outside)
        subject = f"the {named}" if named else ""
    elif not person:
        subject = f"the {_bare(subject)}"
    if not subject:
        return None
    state = _is_at(subject, where, person)
    return state.opposite() if said.get("not") or said.get("not2") else state


def _only(letters: str, text: str) -> str:
    """Return the one name of a kind in a text, "" when there is none or more than one."""
    found = set(re.findall(letters, text))
    return found.pop() if len(found) == 1 else ""


def _bare(name: str) -> str:
    return re.sub(rf"^{DET}", "", name, flags=re.IGNORECASE)


def _the(place: str) -> str:
    """Return a place with "the"; at "the door" somebody stands at the front door."""
    bare = _bare(place)
    if bare.lower() == "door":
        return f"the {_DOOR}"
    return f"the {bare}" if bare else ""
