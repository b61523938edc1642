"""From a stream of detections to the few facts worth keeping: where a thing came to be, where a person is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from zulong.apartment import Apartment
from zulong.chronicle.location import location_meta
from zulong.chronicle.sentences import Sentences
from zulong.memory.model import Draft, Importance, NodeType, Place

_ON_TOP_M = 0.12


@dataclass(slots=True, frozen=True)
class Seen:
    """One thing or person seen at a point of the map (metres) at ``stamp`` (seconds, node clock)."""

    id: str
    is_person: bool
    x: float
    y: float
    z: float
    stamp: float
    attributes: Mapping[str, Any] = field(default_factory=dict)


class Sightings:
    """Turns what is seen into memories, once a change and again after ``repeat_s``.

    A thing counts as moved only after it was seen at the new place ``confirm`` times in a row, so that one
    false detection does not rewrite where it is.

    Args:
        repeat_s: the same fact is offered again after this time, which reinforces it.
        confirm: sightings in a row that make a change.
    """

    def __init__(
        self,
        home: Apartment,
        sentences: Sentences,
        robot: str = "",
        repeat_s: float = 600.0,
        confirm: int = 2,
    ) -> None:
        self._home = home
        self._sentences = sentences
        self._robot = robot
        self._repeat_s = repeat_s
        self._confirm = confirm
        self._kept: dict[str, tuple[str, float]] = {}
        self._candidate: dict[str, tuple[str, int]] = {}

    def saw(self, seen: Seen) -> Draft | None:
        """Return the memory that this sighting is worth, or None."""
        placement, room = self.locate(seen)
        if not room and not placement:
            return None
        where = placement or room
        key = f"{where}:{seen.attributes.get('posture', '')}" if seen.is_person else where
        if not self._is_news(seen, key):
            return None
        self._kept[seen.id] = (key, seen.stamp)
        self._candidate.pop(seen.id, None)
        return self._person(seen, room) if seen.is_person else self.thing(seen, placement, room)

    def moved(self, thing: str) -> None:
        """Forget where a thing was, because it was taken: the next sighting is news wherever it is."""
        self._kept.pop(thing, None)
        self._candidate.pop(thing, None)

    def locate(self, seen: Seen) -> tuple[str, str]:
        """Return the ids of the placement that carries the thing, and of the room; empty when there is none."""
        on = seen.attributes.get("on")
        known = self._home.placement(str(on)) if on else None
        if known is not None:
            return known.id, known.room
        room = self._home.room_at(seen.x, seen.y)
        if not seen.is_person:
            for placement in self._home.placements:
                if placement.holds and self._lies_on(seen, placement):
                    return placement.id, placement.room
        return "", room.id if room is not None else ""

    def thing(self, seen: Seen, placement: str, room: str) -> Draft:
        """Return the memory of where a thing is."""
        words = self._sentences
        return Draft(
            text=words.both(lambda language: words.location(seen.id, placement, room, language)),
            type=NodeType.KNOWLEDGE,
            importance=Importance.FACT,
            tags=("location", f"object:{seen.id}", *(f"place:{p}" for p in (placement, room) if p)),
            meta=location_meta(seen.id, placement or room),
            stamp=seen.stamp,
            place=Place(seen.x, seen.y, seen.z, "map", room),
            robot=self._robot,
        )

    def _person(self, seen: Seen, room: str) -> Draft:
        words = self._sentences
        posture = str(seen.attributes.get("posture", ""))
        return Draft(
            text=words.both(lambda language: words.person(seen.id, room, posture, language)),
            type=NodeType.EPISODE,
            tags=("location", f"person:{seen.id}", f"place:{room}"),
            meta=location_meta(seen.id, room),
            stamp=seen.stamp,
            place=Place(seen.x, seen.y, seen.z, "map", room),
            robot=self._robot,
            person=seen.id,
        )

    def _is_news(self, seen: Seen, key: str) -> bool:
        kept = self._kept.get(seen.id)
        if kept is not None and kept[0] == key:
            self._candidate.pop(seen.id, None)
            return seen.stamp - kept[1] >= self._repeat_s
        candidate, count = self._candidate.get(seen.id, (key, 0))
        count = count + 1 if candidate == key else 1
        self._candidate[seen.id] = (key, count)
        return count >= self._confirm

    def _lies_on(self, seen: Seen, placement: Any) -> bool:
        half_x, half_y = placement.size[0] / 2, placement.size[1] / 2
        inside = abs(seen.x - placement.pose.x) <= half_x and abs(seen.y - placement.pose.y) <= half_y
        return inside and -0.05 <= seen.z - placement.height_m <= 2 * _ON_TOP_M
