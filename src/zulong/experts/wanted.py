"""What a goal asks for, as words or as a mapping, turned into a test for what is seen."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
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
_DOING = {
    "raising_left_arm": "raising their left arm",
    "raising_right_arm": "raising their right arm",
    "pointing_left": "pointing to the left",
    "pointing_right": "pointing to the right",
}
_POSTURES = ("standing", "sitting", "lying")
_PERSON_WORDS = re.compile(
    r"\b(?:person|persons|people|somebody|someone|anybody|anyone|man|woman|guest|guests)\b"
)
_SHOWN_BY = {"raising_arm": ("raising_left_arm", "raising_right_arm")}
"""What somebody may be doing of whom it was not said with which arm."""
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
        not_colours: colours that are ruled out.
        not_ids: ids of things that are ruled out.
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
    not_colours: tuple[str, ...] = ()
    not_ids: tuple[str, ...] = ()

    def matches(self, seen: Seen) -> bool:
        """Whether what was seen is what is wanted."""
        if self.person != seen.is_person or seen.colour in self.not_colours:
            return False
        if seen.id in self.not_ids or seen.label in self.not_ids:
            return False
        attributes = seen.attributes
        if self.person:
            return (
                (not self.id or self.id == seen.id)
                and (not self.posture or self.posture == attributes.get("posture"))
                and (
                    not self.gesture
                    or attributes.get("gesture") in _SHOWN_BY.get(self.gesture, (self.gesture,))
                )
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
    words = {k: str(v).strip() for k, v in what.items() if isinstance(v, str) and str(v).strip()}
    base = _named(words, home)
    clothes_kind, clothes_colour = _worn(what)
    posture = words.get("posture") or words.get("pose") or base.posture
    gesture = words.get("gesture", base.gesture).replace(" ", "_")
    person = base.person or words.get("kind") == "person" or bool(_PERSON_KEYS & what.keys())
    wanted = replace(
        base,
        person=person,
        colour="" if person else words.get("colour", base.colour),
        posture=posture,
        gesture=gesture,
        clothes_kind=clothes_kind or base.clothes_kind,
        clothes_colour=clothes_colour or base.clothes_colour,
        not_colours=tuple(str(c) for c in what.get("not_colours") or ()),
        not_ids=tuple(str(i) for i in what.get("not_ids") or ()),
    )
    if not words and not wanted.clothes_kind and not wanted.clothes_colour:
        raise SkillError(
            ErrorCode.INVALID_ARGUMENTS,
            "The mapping names nothing; give id, name, category, colour or clothes.",
        )
    return wanted if wanted.text else replace(wanted, text=_sentence(wanted))


def _named(words: Mapping[str, str], home: Apartment) -> Wanted:
    """What id, name and category of a mapping say; an id means that one thing."""
    if "id" in words:
        found = home.find(words["id"])
        if isinstance(found, (PersonSpec, ObjectSpec)):
            return Wanted(text=found.name, person=isinstance(found, PersonSpec), id=found.id)
        person = words.get("kind") == "person"
        return Wanted(text=words["id"].replace("_", " "), person=person, id=words["id"])
    category = home.find(words.get("category", ""))
    category_id = category.id if isinstance(category, Category) else normal_key(words.get("category", ""))
    if "name" in words:
        named = _from_words(words["name"], home)
        if words.get("kind") == "person" and not named.person:
            return Wanted(text=words["name"], person=True, id=normal_key(words["name"]))
        return replace(named, category=named.category or category_id)
    if category_id == "object":
        category_id = ""
    return Wanted(text=category_id.replace("_", " "), category=category_id)


def _worn(what: Mapping[str, Any]) -> tuple[str, str]:
    """Kind and colour of clothes, from ``clothes`` (words or a mapping) or ``garment`` and ``garment_colour``."""
    clothes = what.get("clothes")
    if isinstance(clothes, Mapping):
        kind = str(clothes.get("kind") or "").replace("_", " ").lower()
        return _CLOTHES.get(kind, kind), str(clothes.get("colour") or "").lower()
    kind, colour = _clothes_of(str(clothes or what.get("garment") or "").replace("_", " ").lower())
    return kind, str(what.get("garment_colour") or colour).lower()


def _sentence(wanted: Wanted) -> str:
    """Words for a test that was given without any."""
    if not wanted.person:
        return f"{wanted.colour} object".strip()
    worn = f"{wanted.clothes_colour} {wanted.clothes_kind}".strip()
    doing = _DOING.get(wanted.gesture, wanted.gesture.replace("_", " "))
    parts = [wanted.posture, "person", doing, f"wearing a {worn}" if worn else ""]
    return " ".join(p for p in parts if p)


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
