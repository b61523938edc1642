"""What the skills share: the home, the navigator, and the few things that most of them do with both."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from zulong.apartment import Apartment, Placement, Room
from zulong.experts.navigation.approach import at_place, beside_person, find_place
from zulong.experts.navigation.navigator import Navigator
from zulong.experts.robot import DeviceError, Seen
from zulong.experts.skill import ErrorCode, Run, SkillError
from zulong.experts.views import look_around, watch
from zulong.experts.wanted import Wanted

TEXT: dict[str, Any] = {"type": "string", "minLength": 1, "maxLength": 2000}
WHAT: dict[str, Any] = {
    "description": "id, name or words, or a mapping with id, name, category, colour, posture, gesture, clothes",
    "anyOf": [{"type": "string", "minLength": 1, "maxLength": 300}, {"type": "object"}],
}
HERE = ("here", "there", "this_room", "current_location")
_ON_TOP_M = 0.12
_FRESH_S = 20.0


def schema(required: tuple[str, ...], **properties: Mapping[str, Any]) -> dict[str, Any]:
    """Return the JSON schema of an object with these properties; other properties are let through unread."""
    return {"type": "object", "properties": dict(properties), "required": list(required)}


@dataclass(slots=True)
class Toolbox:
    """The home and the one navigator; helpers raise :class:`SkillError` with the code that fits."""

    home: Apartment
    navigator: Navigator

    def where(self, name: Any, run: Run) -> Room | Placement:
        """Return the place that an argument names; empty and ``here`` mean the room that the robot is in.

        Raises:
            SkillError: NOT_FOUND (unknown name), UNAVAILABLE (no pose).
        """
        text = str(name or "").strip()
        if text and text.lower().replace(" ", "_") not in HERE:
            return find_place(self.home, text)
        try:
            pose = run.robot.pose()
        except DeviceError as error:
            raise SkillError(ErrorCode.UNAVAILABLE, str(error)) from error
        room = self.home.room_at(pose.x, pose.y)
        if room is None:
            raise SkillError(
                ErrorCode.NOT_FOUND, "The robot stands outside the rooms of its map; name a place."
            )
        return room

    def lies_at(self, seen: Seen, place: Room | Placement) -> bool:
        """Whether something was seen in a room, on a placement, or (a person) beside the placement."""
        x, y, _ = seen.position
        if isinstance(place, Room):
            return place.contains(x, y)
        if seen.is_person:
            return math.dist((x, y), (place.pose.x, place.pose.y)) <= max(place.size) / 2 + 1.5
        return seen.attributes.get("on") == place.id or _above(place, x, y)

    def placement_of(self, seen: Seen) -> Placement | None:
        """Return the furniture that a thing stands on, as far as its position tells."""
        named = self.home.placement(str(seen.attributes.get("on") or ""))
        if named is not None:
            return named
        x, y, _ = seen.position
        return next((p for p in self.home.placements if p.kind == "furniture" and _above(p, x, y)), None)

    def room_id(self, seen: Seen) -> str:
        """Return the id of the room in which something was seen; empty outside."""
        room = self.home.room_at(seen.position[0], seen.position[1])
        return room.id if room else ""

    def report_of(self, seen: Seen) -> dict[str, Any]:
        """Return what was seen as plain data, as the results of skills carry it."""
        placement = self.placement_of(seen) if not seen.is_person else None
        room = self.room_id(seen)
        # After `at` a plan can drive there; for a person that is the room.
        at = placement.id if placement else room
        attributes = {k: v for k, v in seen.attributes.items() if k not in ("on",)}
        return {
            "id": seen.id or seen.label, "name": seen.name, "category": seen.category, "colour": seen.colour,
            "position": [round(v, 3) for v in seen.position], "at": at, "placement": placement.id if placement else "",
            "room": room, "score": round(seen.score, 2), "attributes": attributes,
        }  # fmt: skip

    def remembered(self, wanted: Wanted, run: Run, newer_than_s: float = 600.0) -> Seen | None:
        """Return the newest remembered sighting that fits."""
        now = run.robot.clock_s()
        fits = [s for s in run.robot.remembered() if wanted.matches(s) and now - s.seen_s <= newer_than_s]
        return max(fits, key=lambda s: s.seen_s) if fits else None

    def find_person(self, wanted: Wanted, run: Run, share: tuple[float, float] = (0.0, 0.5)) -> Seen:
        """Find a person: in front, around, where last seen, or (the one who gave the errand) where the errand was given.

        Raises:
            SkillError: NOT_FOUND, and what driving and looking raise.
        """
        if not wanted.person:
            raise SkillError(ErrorCode.INVALID_ARGUMENTS, f"{wanted.text!r} is not a person.")
        seen: list[Seen] = []
        self._look_here(wanted, run, seen)
        known = None if seen else self.remembered(wanted, run)
        if known is not None and run.robot.clock_s() - known.seen_s > _FRESH_S:
            run.report(share[0], f"Going back to where {known.name} was seen.")
            self._go_near(known.position[0], known.position[1], run, wanted.text, share)
            self._look_here(wanted, run, seen)
        if not seen and wanted.id == self.home.operator.id:
            spot = self.home.operator.pose
            self._go_near(spot.x, spot.y, run, "the place where the errand was given", share)
            self._look_here(wanted, run, seen)
        if not seen:
            raise SkillError(ErrorCode.NOT_FOUND, f"I do not see {wanted.text} here; say where to look.")
        pose = run.robot.pose()
        return min(seen, key=lambda s: math.dist(s.position[:2], (pose.x, pose.y)))

    def go_to_person(self, person: Seen, run: Run, distance_m: float, share: tuple[float, float]) -> Seen:
        """Drive to a person, face them, and return the newest sighting of them.

        Raises:
            SkillError: NOT_FOUND if they went away meanwhile, and what driving raises.
        """
        wanted = Wanted(person.name, person=True, id=person.id)
        pose = run.robot.pose()
        if math.dist(person.position[:2], (pose.x, pose.y)) > distance_m + 0.15:
            chooser = beside_person(person.position[0], person.position[1], distance_m)
            self.navigator.drive_to(chooser, run, person.name, share)
        else:
            self.face(person, run)
        seen: list[Seen] = []
        self._look_here(wanted, run, seen)
        if not seen:
            raise SkillError(ErrorCode.NOT_FOUND, f"{person.name} went away; look again.")
        newest = max(seen, key=lambda s: s.seen_s)
        self.face(newest, run)
        return newest

    def face(self, seen: Seen, run: Run) -> None:
        """Turn to what was seen."""
        pose = run.robot.pose()
        self.navigator.turn_to(math.atan2(seen.position[1] - pose.y, seen.position[0] - pose.x), run, 0.12)

    def speak(self, text: str, run: Run, language: str = "en") -> None:
        """Say words.

        Raises:
            SkillError: UNAVAILABLE if nothing can speak; CANCELED.
        """
        run.check()
        try:
            run.robot.say(text, language, run.latch)
        except DeviceError as error:
            raise SkillError(ErrorCode.UNAVAILABLE, str(error)) from error
        run.check()

    def _look_here(self, wanted: Wanted, run: Run, sink: list[Seen]) -> None:
        def keep(item: Seen) -> None:
            if wanted.matches(item):
                sink.append(item)

        watch(run, keep, glances=2)
        if not sink:
            look_around(self.navigator, run, keep, lambda: bool(sink))

    def _go_near(self, x: float, y: float, run: Run, what: str, share: tuple[float, float]) -> None:
        if math.dist((x, y), (run.robot.pose().x, run.robot.pose().y)) > 1.6:
            self.navigator.drive_to(beside_person(x, y, 1.2), run, what, share)

    def drive_to_place(
        self, place: Room | Placement, run: Run, share: tuple[float, float] = (0.0, 1.0)
    ) -> None:
        """Drive into a room or before a placement."""
        self.navigator.drive_to(at_place(self.home, place), run, f"the {place.name}", share)


def _above(place: Placement, x: float, y: float) -> bool:
    c, s = math.cos(place.pose.yaw), math.sin(place.pose.yaw)
    dx, dy = x - place.pose.x, y - place.pose.y
    return (
        abs(c * dx + s * dy) <= place.size[0] / 2 + _ON_TOP_M
        and abs(-s * dx + c * dy) <= place.size[1] / 2 + _ON_TOP_M
    )
