"""Where errands lead: the places that were said, and where to look for a thing or a person."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from zulong.agent.htn.binding import Binder, CannotServe, Discourse, NeedsAnswer
from zulong.agent.htn.domain import Domain
from zulong.agent.htn.expand import Expander
from zulong.agent.htn.step import Step, WorldView
from zulong.agent.htn.wording import Wording
from zulong.agent.language.lexicon import Vocabulary
from zulong.agent.language.meaning import Clause, Condition, Referent


def _centre(rect: Any) -> tuple[float, float] | None:
    if not isinstance(rect, (list, tuple)) or len(rect) != 4:
        return None
    return (rect[0] + rect[2]) / 2.0, (rect[1] + rect[3]) / 2.0


def _distance(here: tuple[float, float], there: tuple[float, float] | None) -> float:
    return math.inf if there is None else math.dist(here, there)


class ErrandPlaces:
    """The state of planning one instruction, and its places."""

    def __init__(
        self,
        domain: Domain,
        world: WorldView,
        vocabulary: Vocabulary,
        wording: Wording,
        discourse: Discourse,
        *,
        confirmed: bool = False,
        worded: bool = False,
    ) -> None:
        self.domain = domain
        self.world = world
        self.vocabulary = vocabulary
        self.say = wording
        self.discourse = discourse
        self.confirmed = confirmed
        self.worded = worded
        self.binder = Binder(world, vocabulary, wording, discourse)
        self.words = domain.identity.get(wording.language) or domain.identity["en"]
        self.expander = Expander(
            domain,
            is_placement=world.placements.__contains__,
            likely_places=self._likely_places,
            describe=wording.argument,
            language=wording.language,
        )
        self._last_place: str | None = None
        self._led_there = False
        self._seen_at: tuple[Mapping[str, Any], str] | None = (
            (discourse.thing, discourse.thing_at) if discourse.thing and discourse.thing_at else None
        )
        self._moved = False
        self._previous = ""
        """What was done last: the action of a clause."""
        self._visited = 0
        self._last = False
        self._hand_before: tuple[str, Mapping[str, Any]] | None = None
        self._checked: tuple[Condition, Mapping[str, Any], bool] | None = None

    def _avoided_words(self) -> str:
        names = [self.say.named(place).removeprefix("the ") for place in sorted(self.discourse.avoid)]
        return self.say.forbidden_place(", ".join(names))

    def _task(self, name: str, **arguments: Any) -> list[Step]:
        steps = list(self.expander.expand(name, arguments))
        if any(
            leaf.skill in ("go_to", "look_for", "follow", "guide") for step in steps for leaf in step.leaves()
        ):
            self._moved = True
        return steps

    def _goal(self, referent: Referent) -> str:
        place = self.binder.place(self._near(referent))
        self._check_allowed(place)
        return place

    def _near(self, referent: Referent) -> Referent:
        """Narrow "the table" to that of the room where the robot was sent, when there is just one in it."""
        if len(referent.ids) < 2 or referent.at is not None or self._last_place is None:
            return referent
        room = self.binder.room_of(self._last_place)
        there = tuple(i for i in referent.ids if room is not None and self.binder.room_of(i) == room)
        return replace(referent, ids=there) if len(there) == 1 else referent

    def _check_allowed(self, place: str) -> None:
        room = self.binder.room_of(place)
        if place in self.discourse.avoid or room in self.discourse.avoid:
            forbidden = place if place in self.discourse.avoid else str(room)
            raise CannotServe(
                "contradiction", self.say.forbidden_place(self.say.named(forbidden).removeprefix("the "))
            )

    def _where(self, clause: Clause, *referents: Referent | None) -> str | None:
        """Return the place that the clause names for its thing or person, else where the robot was sent."""
        for referent in (*(r.at for r in referents if r is not None), clause.source, clause.where):
            if referent is not None and referent.kind == "place":
                return self._goal(referent)
        if clause.source is not None and clause.source.kind == "person":
            return None
        if not any(referents) and self.discourse.thing is not None and self.discourse.thing_at is not None:
            # 「书桌上最大的是什么？」「拿来。」
            return self.discourse.thing_at
        if any(r is not None and r.pronoun for r in referents):
            seen = self._seen_at
            thing = any(r is not None and r.pronoun and r.kind == "object" for r in referents)
            return seen[1] if thing and seen is not None and seen[0] == self.discourse.thing else None
        return self._last_place

    def _likely_places(self, env: Mapping[str, Any]) -> list[str]:
        """Return where to look, best first: where it was said, believed, usual, then room by room."""
        what, where = env.get("what"), env.get("where")
        places: list[str] = [where] if where else []
        if not (where and env.get("strict")):
            if isinstance(where, str) and where in self.world.placements:
                places.append(str(self.world.placements[where]["room"]))
            if isinstance(what, Mapping):
                places.extend(self._guesses(what, where))
        allowed: list[str] = []
        for place in dict.fromkeys(places):
            if place not in self.discourse.avoid and self.binder.room_of(place) not in self.discourse.avoid:
                allowed.append(place)
        return allowed

    def _guesses(self, what: Mapping[str, Any], where: str | None) -> list[str]:
        if what.get("kind") == "person" and where and "id" not in what:
            return []
        believed = self.world.location_of(str(what["id"])) if "id" in what else None
        guesses = [believed] if believed and not where else []
        if what.get("kind") == "object":
            guesses.extend(self._usual(what))
        start = guesses[-1] if guesses else where or self._last_place
        return [*guesses, *self._rooms_from(self.binder.room_of(start) if start else None)]

    def _rooms_from(self, start: str | None) -> list[str]:
        """Return the rooms in the order of a short tour that begins at ``start``, if the map says where they are."""
        rooms = list(self.world.rooms)
        if start not in rooms:
            return rooms
        centres = {room: _centre(item.get("rect")) for room, item in self.world.rooms.items()}
        tour = [start]
        rooms.remove(start)
        while rooms:
            here = centres[tour[-1]]
            if here is not None:
                rooms.sort(key=lambda room: _distance(here, centres[room]))
            tour.append(rooms.pop(0))
        return tour

    def _usual(self, what: Mapping[str, Any]) -> list[str]:
        if "to" in what:
            # "behind the bowl": where the bowl is.
            beside = self.world.location_of(str(what["to"].get("id")))
            return [beside] if beside else self._usual(what["to"])
        category = what.get("category")
        if category is None:
            ids = (
                [what["id"]]
                if "id" in what
                else [
                    i
                    for i, item in self.world.objects.items()
                    if str(item["name"]).endswith(str(what.get("name") or "\0"))
                ]
            )
            category = next(
                (self.world.objects[i].get("category") for i in ids if i in self.world.objects), None
            )
        if category is None:
            return []
        usual = [i for i, item in self.world.placements.items() if item.get("default_for") == category]
        known = [
            place
            for place in self.domain.usual_places.get(str(category), ())
            if place in self.world.placements
        ]
        if not usual:
            return known
        # One more in each other room: a home that keeps drinks in the cabinet has cold ones in the refrigerator.
        seen = {self.binder.room_of(place) for place in usual}
        for place in known:
            room = self.binder.room_of(place)
            if room not in seen:
                seen.add(room)
                usual.append(place)
        return usual

    def _kept_at(self, what: Any) -> str | None:
        """Return where a thing is believed to be or else usually kept, None for people and for what has no such place."""
        if not isinstance(what, Mapping) or what.get("kind") != "object":
            return None
        believed = self.world.location_of(str(what["id"])) if "id" in what else None
        return believed or next(iter(self._usual(what)), None)

    def _explicit_where(self, clause: Clause, theme: Referent) -> str | None:
        for referent in (theme.at, clause.where, clause.goal):
            if referent is not None and referent.kind == "place":
                return self._goal(referent)
        return None

    def _person_where(self, clause: Clause, referent: Referent, *, own_only: bool = False) -> str | None:
        if referent.pronoun == "me":
            return None
        if referent.at is not None:
            # Two descriptions that read the same may mean two people when their places are named.
            facing = self.expander.state.facing
            if isinstance(facing, Mapping) and facing.get("kind") == "person":
                self.expander.state.facing = None
            return self._goal(referent.at)
        if referent.pronoun:
            return self.discourse.person_where
        if own_only:
            return None
        where = self._where(clause, referent)
        self.discourse.person_where = where
        return where

    def _who(self, clause: Clause) -> tuple[Any, str | None]:
        """Return the person that a clause is about: its theme or recipient, or the one in front."""
        referent = (
            clause.theme if clause.theme is not None and clause.theme.kind == "person" else clause.recipient
        )
        if referent is None:
            facing = self.expander.state.facing
            if isinstance(facing, Mapping) and facing.get("kind") == "person":
                return facing, None
            if clause.where is not None or self._last_place is not None:
                referent = Referent("person", text="person")
            else:
                raise NeedsAnswer(self.say.ask_person(), "person")
        who = self.binder.person(referent)
        where = self._person_where(clause, referent)
        if isinstance(who, Mapping) and len(who) == 1 and where is None and not self._faces(who):
            raise NeedsAnswer(self.say.ask_person(), "person")
        return who, where

    def _faces(self, who: Any) -> bool:
        return bool(self.expander.state.facing == who)
