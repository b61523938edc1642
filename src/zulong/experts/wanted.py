"""What a goal asks for, as words or as a mapping, turned into a test for what is seen."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from zulong.apartment import Apartment, Category, ObjectSpec, PersonSpec, normal_key
from zulong.experts.robot import Seen
from zulong.experts.skill import ErrorCode, SkillError

_COLOURS = (
    "red",
    "green",
    "blue",
    "yellow",
    "orange",
    "purple",
    "pink",
    "brown",
    "beige",
    "white",
    "gray",
    "black",
)
_CLOTHES = {
    "t shirt": "t shirt", "t shirts": "t shirt", "tshirt": "t shirt", "tshirts": "t shirt",
    "shirt": "shirt", "shirts": "shirt", "blouse": "blouse", "blouses": "blouse", "sweater": "sweater",
    "sweaters": "sweater", "coat": "coat", "coats": "coat", "jacket": "jacket", "jackets": "jacket",
}  # fmt: skip
_GESTURES = (
    (re.compile(r"\bwaving\b"), "waving"),
    (re.compile(r"\brais(?:ing|es?) (?:\w+ )?left arm"), "raising_left_arm"),
    (re.compile(r"\brais(?:ing|es?) (?:\w+ )?right arm"), "raising_right_arm"),
    (re.compile(r"\bpointing (?:to )?(?:the |their )?left"), "pointing_left"),
    (re.compile(r"\bpointing (?:to )?(?:the |their )?right"), "pointing_right"),
)
_POSTURES = ("standing", "sitting", "lying")
_PERSON_WORDS = re.compile(
    r"\b(?:person|persons|people|somebody|someone|anybody|anyone|man|woman|guest|guests)\b"
)
_PERSON_KEYS = {"posture", "pose", "gesture", "clothes", "garment", "garment_colour"}
OPERATOR_WORDS = ("me", "operator", "user", "requester", "you", "myself")


@dataclass(slots=True, frozen=True)
class Wanted:
    """A test for things and people. Empty fields ask for nothing.

    Attributes:
        text: the words, for sentences.
        person: a person is meant.
        id: of one certain thing or person.
        category, colour: of a thing.
        posture, gesture, clothes_kind, clothes_colour: of a person.
        noun: the last words when the home's vocabulary does not know them, compared with labels.
    """

    text: str
    person: bool = False
    id: str = ""
    category: str = ""
    colour: str = ""
    posture: str = ""
    gesture: str = ""
    clothes_kind: str = ""
    clothes_colour: str = ""
    noun: str = ""

    def matches(self, seen: Seen) -> bool:
        """Whether what was seen is what is wanted."""
        if self.person != seen.is_person:
            return False
        attributes = seen.attributes
        if self.person:
            return (
                (not self.id or self.id == seen.id)
                and (not self.posture or self.posture == attributes.get("posture"))
                and (not self.gesture or self.gesture == attributes.get("gesture"))
                and (not self.clothes_kind or self.clothes_kind == attributes.get("clothes_kind"))
                and (not self.clothes_colour or self.clothes_colour == attributes.get("clothes_colour"))
            )
        if self.id and self.id not in (seen.id, seen.label):
            return False
        if self.noun and not re.search(
            rf"\b{re.escape(self.noun)}\b", f"{seen.label.replace('_', ' ')} {seen.name}"
        ):
            return False
        return (not self.category or self.category == seen.category) and (
            not self.colour or self.colour == seen.colour
        )

    @property
    def is_one(self) -> bool:
        """Whether one certain thing or person is meant."""
        return bool(self.id)


def parse_wanted(what: Any, home: Apartment) -> Wanted:
    """Turn an argument (words, or a mapping with id, name, category, colour, posture, gesture, clothes) into a test.

    Raises:
        SkillError: INVALID_ARGUMENTS: neither words nor a mapping, or nothing is said.
    """
    if isinstance(what, Mapping):
        return _from_mapping(what, home)
    if not isinstance(what, str) or not what.strip():
        raise SkillError(
            ErrorCode.INVALID_ARGUMENTS, f"Say what is meant in words, for instance 'red cup'; got {what!r}."
        )
    return _from_words(what, home)


def _from_mapping(what: Mapping[str, Any], home: Apartment) -> Wanted:
    words = {k: str(v) for k, v in what.items() if isinstance(v, str) and v}
    if not words:
        raise SkillError(
            ErrorCode.INVALID_ARGUMENTS,
            "The mapping names nothing; give id, name, category, colour or clothes.",
        )
    base = _from_words(words.get("id") or words.get("name") or words.get("category") or "person", home)
    if not ({"id", "name", "category"} & words.keys()) and not (_PERSON_KEYS & words.keys()):
        base = Wanted(text=words.get("colour", "thing"))
    kind, colour = _clothes_of(words.get("clothes", "") or words.get("garment", ""))
    colour = words.get("garment_colour", colour)
    text = base.text if {"id", "name", "category"} & words.keys() else " ".join(words.values())
    return Wanted(
        text=text,
        person=base.person,
        id=base.id,
        category=base.category,
        colour=words.get("colour", base.colour),
        posture=words.get("posture") or words.get("pose") or base.posture,
        gesture=words.get("gesture", base.gesture).replace(" ", "_"),
        clothes_kind=kind or base.clothes_kind,
        clothes_colour=colour or base.clothes_colour,
        noun=base.noun,
    )


def _from_words(text: str, home: Apartment) -> Wanted:
    words = " ".join(text.lower().replace("_", " ").replace("-", " ").split())
    words = re.sub(r"^(?:an?|the|some|any) ", "", words)
    if words in OPERATOR_WORDS:
        return Wanted(text=text, person=True, id=home.operator.id)
    found = home.find(words)
    if isinstance(found, PersonSpec):
        return Wanted(text=found.name, person=True, id=found.id)
    if isinstance(found, ObjectSpec):
        return _object_wanted(found, home)
    if isinstance(found, Category):
        return Wanted(text=text, category=found.id)
    if _PERSON_WORDS.search(words) or any(p.search(words) for p, _ in _GESTURES):
        return _person_from(words, text)
    return _thing_from(words, text, home)


def _object_wanted(spec: ObjectSpec, home: Apartment) -> Wanted:
    # "cup" is one thing's name and the noun of others: any of them will do, the plain one as well.
    shared = any(o is not spec and o.name.split()[-1] == spec.name for o in home.objects)
    return Wanted(text=spec.name, noun=spec.name) if shared else Wanted(text=spec.name, id=spec.id)


def _person_from(words: str, text: str) -> Wanted:
    gesture = next((name for pattern, name in _GESTURES if pattern.search(words)), "")
    posture = next((p for p in _POSTURES if re.search(rf"\b{p}\b", words)), "")
    kind, colour = _clothes_of(words)
    return Wanted(
        text=text, person=True, posture=posture, gesture=gesture, clothes_kind=kind, clothes_colour=colour
    )


def _clothes_of(words: str) -> tuple[str, str]:
    kind = next(
        (
            value
            for key, value in sorted(_CLOTHES.items(), key=lambda i: -len(i[0]))
            if re.search(rf"\b{key}\b", words)
        ),
        "",
    )
    colour = next((c for c in _COLOURS if re.search(rf"\b{c}\b", words)), "")
    return kind, colour if kind or "wearing" in words else ""


def _thing_from(words: str, text: str, home: Apartment) -> Wanted:
    parts = words.split()
    colour = parts[0] if len(parts) > 1 and parts[0] in _COLOURS else ""
    rest = " ".join(parts[1:]) if colour else words
    if rest in ("object", "objects", "thing", "things", "item", "items"):
        return Wanted(text=text, colour=colour)
    found = home.find(rest) or home.find(rest.removesuffix("s"))
    if isinstance(found, Category):
        return Wanted(text=text, category=found.id, colour=colour)
    if isinstance(found, ObjectSpec):
        return Wanted(text=text, noun=found.name, colour=colour)
    return Wanted(text=text, noun=normal_key(rest).replace("_", " "), colour=colour)
