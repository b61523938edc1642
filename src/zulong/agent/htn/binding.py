"""What the words of an instruction mean on this map: referents to places, descriptions of things and people."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from zulong.agent.htn.expand import OPERATOR
from zulong.agent.htn.step import WorldView
from zulong.agent.htn.wording import Wording
from zulong.agent.language.english_spelling import closest_word
from zulong.agent.language.lexicon import Vocabulary
from zulong.agent.language.meaning import Referent

DOCK = "dock"
"""The place where the robot starts and charges."""


class NeedsAnswer(Exception):
    """The user must be asked; ``slot`` says for what, ``options`` are the possible answers."""

    def __init__(self, text: str, slot: str, options: Sequence[str] = ()) -> None:
        super().__init__(text)
        self.text = text
        self.slot = slot
        self.options = tuple(options)


class CannotServe(Exception):
    """The instruction is refused; ``code`` and ``missing`` as in ``Refusal``."""

    def __init__(self, code: str, text: str, missing: str = "") -> None:
        super().__init__(text)
        self.code = code
        self.text = text
        self.missing = missing


@dataclass(slots=True)
class Discourse:
    """What pronouns can point to.

    Attributes:
        thing, person: the last description of each kind.
        person_where: where that person was last met.
        place: the last place.
        thing_at: where that thing was said or seen to be.
        people: those named in this turn, by what they are called.
        rivals: those named in the turn before, when a pronoun could mean more than one of them.
    """

    thing: Mapping[str, Any] | None = None
    person: Any = None
    person_where: str | None = None
    place: str | None = None
    thing_at: str | None = None
    people: list[str] = field(default_factory=list)
    rivals: tuple[str, ...] = ()
    avoid: set[str] = field(default_factory=set)


class Binder:
    """Binds referents to the map of one world.

    Raises (all methods):
        NeedsAnswer: the words fit several things, or point to nothing.
        CannotServe: what they name is not on the map.
    """

    def __init__(
        self, world: WorldView, vocabulary: Vocabulary, wording: Wording, discourse: Discourse
    ) -> None:
        self.world = world
        self.vocabulary = vocabulary
        self.wording = wording
        self.discourse = discourse

    # -- places --------------------------------------------------------------------------------------------

    def place(self, referent: Referent) -> str:
        """Return the id of a room or placement, ``operator`` or ``dock``."""
        say = self.wording
        if referent.pronoun in ("me", "back", "here"):
            return OPERATOR
        if referent.pronoun == "start":
            return DOCK
        if referent.pronoun in ("there", "it") or (referent.pronoun and referent.kind == "place"):
            if self.discourse.place is None:
                raise NeedsAnswer(say.ask_place(), "place", self._room_names())
            return self.discourse.place
        if referent.kind != "place":
            if referent.unknown or referent.name:
                raise CannotServe(
                    "unknown_place",
                    say.unknown_place(referent.text, self._suggestion(referent)),
                    referent.text,
                )
            raise NeedsAnswer(say.ask_place(), "place", self._room_names())
        ids = referent.ids
        if referent.at is not None and len(ids) > 1:
            room = self.place(referent.at)
            ids = tuple(i for i in ids if self.world.placements.get(i, {}).get("room") == room) or ids
        if not ids:
            raise CannotServe(
                "unknown_place", say.unknown_place(referent.name or referent.text, ""), referent.name
            )
        if len(ids) > 1:
            raise NeedsAnswer(
                say.which(referent.text, [self._name(i) for i in ids]), "place", [self._name(i) for i in ids]
            )
        place = ids[0]
        if referent.at is not None and place in self.world.rooms:
            around = self.place(referent.at)
            if around in self.world.rooms and around != place:
                raise CannotServe(
                    "unknown_place",
                    say.not_inside(self._name(place), self._name(around)),
                    self._name(place),
                )
        if referent.at is not None and place in self.world.placements:
            room = self.place(referent.at)
            actual = self.world.placements[place].get("room")
            if room in self.world.rooms and actual != room:
                raise CannotServe(
                    "unknown_place", say.not_in_room(self._name(place), self._name(room), self._name(str(actual))),
                    self._name(place),
                )  # fmt: skip
        self.discourse.place = place
        return place

    def room_of(self, place: str) -> str | None:
        """Return the room that a place is in, or is."""
        if place in self.world.rooms:
            return place
        found = self.world.placements.get(place, {}).get("room")
        return str(found) if found is not None else None

    # -- things --------------------------------------------------------------------------------------------

    def thing(self, referent: Referent, *, any_will_do: bool = False) -> dict[str, Any]:
        """Return the description of an object for ``look_for`` and its like.

        Args:
            referent: the words.
            any_will_do: a name that several things share is fine (counting, describing).
        """
        say = self.wording
        if referent.pronoun:
            if self.discourse.thing is None:
                raise NeedsAnswer(say.ask_object(), "object")
            return dict(self.discourse.thing)
        what: dict[str, Any] = {"kind": "object"}
        if referent.unknown:
            raise CannotServe(
                "unknown_object", say.unknown_object(referent.text, self._suggestion(referent)), referent.name
            )
        if referent.category:
            if not referent.ids:
                raise CannotServe("unknown_object", say.unknown_object(referent.text, ""), referent.category)
            what["category"] = referent.ids[0]
        elif referent.name:
            what.update(self._named(referent, any_will_do))
        elif not (
            referent.colour or referent.superlative or referent.relation or referent.side or any_will_do
        ):
            raise NeedsAnswer(say.ask_object(), "object")
        elif referent.colour and not any_will_do:
            what.update(self._coloured(referent))
        if referent.colour and "id" not in what:
            what["colour"] = referent.colour
        if "id" not in what:
            for key in ("size", "superlative", "side"):
                if getattr(referent, key):
                    what[key] = getattr(referent, key)
            if referent.number is not None and referent.number > 1:
                what["number"] = referent.number
            if referent.excluded:
                what["not_colours"] = list(referent.excluded)
            if referent.ruled_out:
                what["not_ids"] = list(referent.ruled_out)
        if referent.relation and referent.relatum is not None:
            what["relation"] = referent.relation
            what["to"] = self.thing(referent.relatum, any_will_do=True)
        if what != self.discourse.thing:
            self.discourse.thing_at = None
        self.discourse.thing = what
        return what

    def _named(self, referent: Referent, any_will_do: bool) -> dict[str, Any]:
        say = self.wording
        if not referent.ids:
            raise CannotServe("unknown_object", say.unknown_object(referent.text, ""), referent.name)
        ids = [i for i in referent.ids if self.fits(i, referent)]
        if not ids:
            known = [self._name(i) for i in referent.ids]
            raise CannotServe("unknown_object", say.unknown_variant(referent.text, known), referent.text)
        if len(ids) == 1:
            return {"id": ids[0], "name": referent.name}
        believed = [
            i for i in ids if referent.at is not None and self.world.location_of(i) in referent.at.ids
        ]
        if len(believed) == 1:
            return {"id": believed[0], "name": referent.name}
        choosing = referent.superlative or referent.size or referent.relation or referent.side
        kinds = {str(self.world.objects[i]["name"]).lower() for i in ids}
        # "juice" where there are orange juice and a juice pack is no kind of thing, it is several.
        colours = self.vocabulary.lexicon.data.get("colours") or {}
        known = self.vocabulary.lexicon.data["objects"]
        one_kind = any(
            kind == referent.name or (kind.partition(" ")[0] in colours and kind not in known)
            for kind in kinds
        )
        if any_will_do or (one_kind and (choosing or not referent.definite or referent.plural)):
            return {"name": referent.name}
        raise NeedsAnswer(
            say.which(
                self.vocabulary.word("objects", referent.name, say.language), [self._name(i) for i in ids]
            ),
            "object",
            [self._name(i) for i in ids],
        )

    def fits(self, object_id: str, referent: Referent) -> bool:
        """Return whether a thing on the map has the colour that was said and is not ruled out."""
        item = self.world.objects[object_id]
        colour = item.get("colour")
        return object_id not in referent.ruled_out and (
            (not referent.colour or colour == referent.colour) and colour not in referent.excluded
        )

    def _coloured(self, referent: Referent) -> dict[str, Any]:
        """Bind "the red one" by what was spoken of before, or by being the only one of its colour."""
        say = self.wording
        before = self.discourse.thing or {}
        fitting = [i for i in self.world.objects if self.fits(i, referent)]
        if before.get("name"):
            same = [i for i in fitting if str(self.world.objects[i]["name"]).endswith(before["name"])]
            if len(same) == 1:
                return {"id": same[0], "name": before["name"]}
        if not referent.definite:
            return {}
        if len(fitting) == 1:
            return {"id": fitting[0]}
        if not fitting:
            raise CannotServe("unknown_object", say.unknown_object(referent.text, ""), referent.text)
        names = [self._name(i) for i in fitting]
        raise NeedsAnswer(
            say.which(self.vocabulary.word("colours", referent.colour, say.language), names), "object", names
        )

    # -- people --------------------------------------------------------------------------------------------

    def person(self, referent: Referent) -> Any:
        """Return the description of a person, or ``operator``."""
        say = self.wording
        if referent.pronoun == "me":
            return OPERATOR
        if referent.pronoun == "you":
            raise CannotServe("contradiction", say.myself(), "")
        if referent.gender == "pet":
            raise CannotServe("unknown_person", say.unknown_person(referent.text), referent.text)
        if referent.pronoun:
            if self.discourse.person is None:
                raise NeedsAnswer(say.ask_person(), "person")
            if len(self.discourse.rivals) > 1 and not self.discourse.people:
                raise NeedsAnswer(say.which_person(self.discourse.rivals), "person", self.discourse.rivals)
            return self.discourse.person
        if referent.unknown and not referent.garment:
            raise CannotServe(
                "unknown_person", say.unknown_person(referent.text), referent.name or referent.text
            )
        if referent.unknown:
            raise CannotServe("unknown_person", say.unknown_garment(referent.garment), referent.garment)
        who: dict[str, Any] = {"kind": "person"}
        if referent.name:
            if not referent.ids:
                raise CannotServe("unknown_person", say.unknown_person(referent.name), referent.name)
            who["id"], who["name"] = referent.ids[0], referent.name
        for key in ("posture", "gesture", "side"):
            if getattr(referent, key):
                who[key] = getattr(referent, key)
        if referent.garment or referent.garment_colour:
            who["clothes"] = {
                key: value
                for key, value in (("colour", referent.garment_colour), ("kind", referent.garment))
                if value
            }
        by_place = referent.at is not None and any(i in self.world.placements for i in referent.at.ids)
        if len(who) == 1 and referent.gender in ("male", "female", "child") and not by_place:
            raise CannotServe("missing_skill", say.missing_skill("gender", referent.text), "gender")
        self.discourse.person = who
        if referent.name and referent.ids:
            named = self._name(referent.ids[0])
            if named not in self.discourse.people:
                self.discourse.people.append(named)
        return who

    def suggestion(self, word: str) -> str:
        """Return the known word that this one is probably a misspelling of, or ""."""
        return closest_word(word, self.vocabulary) or ""

    def _suggestion(self, referent: Referent) -> str:
        words = (referent.name or referent.text).split()
        likely = self.suggestion(words[-1]) if words and words[-1].isascii() else ""
        # A word that names what is not in this home is no misspelling of itself.
        return "" if likely in words else likely

    def _room_names(self) -> list[str]:
        return [self._name(room) for room in self.world.rooms]

    def _name(self, thing_id: str) -> str:
        return self.vocabulary.name(thing_id, self.wording.language)
