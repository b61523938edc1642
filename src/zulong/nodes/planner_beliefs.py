"""What the planner believes of the world: its own eyes, and what memory knew when it started."""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Mapping
from typing import Any

from geometry_msgs.msg import PoseStamped
from sensor_msgs.msg import BatteryState

from zulong.agent.htn import MapWorld
from zulong.agent.surroundings import Surroundings
from zulong.apartment import Apartment
from zulong.chronicle import Seen, Sentences, Sightings, location_of, newest
from zulong.msg import DetectionArray, SafetyState
from zulong.nodes.json_fields import object_or_empty
from zulong.nodes.measured import finite
from zulong.nodes.stamps import from_time
from zulong.srv import Recall

_IN_VIEW_S = 5.0


class Beliefs:
    """Where things are, who is in view, how the robot is. Thread-safe; implements the mission's ``World``."""

    def __init__(self, home: Apartment, base: MapWorld, sentences: Sentences) -> None:
        self._home = home
        self._base = base
        self._sightings = Sightings(home, sentences)
        self._lock = threading.Lock()
        self._where: dict[str, str] = {}
        self._people: dict[str, tuple[str, float]] = {}
        self._held: str | None = None
        self._position: tuple[float, float] | None = None
        self._battery: float | None = None
        self._hazards: tuple[str, ...] = ()
        self._safety: SafetyState | None = None

    # --- what comes in ----------------------------------------------------------------------------------

    def on_detections(self, array: DetectionArray) -> None:
        """Take what is seen; only things with a place in the map count."""
        if array.header.frame_id != "map":
            return
        stamp = from_time(array.header.stamp) or 0.0
        with self._lock:
            for detection in array.detections:
                if detection.has_position and detection.id and finite(detection.position):
                    self._see(detection, stamp)

    def _see(self, detection: Any, stamp: float) -> None:
        person = detection.category in ("person", "people")
        point = detection.position
        attributes = object_or_empty(detection.attributes_json)
        seen = Seen(detection.id, person, point.x, point.y, point.z, stamp, attributes)
        placement, room = self._sightings.locate(seen)
        if person:
            self._people[seen.id] = (room, time.monotonic())
        elif (placement or room) and seen.id != self._held:
            self._where[seen.id] = placement or room

    def on_pose(self, pose: PoseStamped) -> None:
        """Take where the robot is."""
        self._position = (pose.pose.position.x, pose.pose.position.y)

    def on_battery(self, battery: BatteryState) -> None:
        """Take the charge."""
        if math.isfinite(battery.percentage):
            self._battery = float(battery.percentage)

    def on_safety(self, state: SafetyState) -> None:
        """Take the safety layer's judgement; only what latches is a hazard that ends a task."""
        self._safety = state
        self._hazards = tuple(state.causes) if state.latched else ()

    def on_skill(self, skill: str, result: Mapping[str, Any]) -> None:
        """Take what a skill did to the world."""
        thing = str(result.get("object", ""))
        with self._lock:
            if skill == "pick" and thing:
                self._held = thing
                self._where.pop(thing, None)
            elif skill in ("place", "hand_over") and thing:
                self._held = None
                place = str(result.get("at") or result.get("place") or "")
                if skill == "place" and place:
                    self._where[thing] = place

    def remember(self, response: Recall.Response) -> int:
        """Take the locations that memory knows; what was seen since then wins. Returns how many were new."""
        facts = newest(
            (location_of(object_or_empty(hit.node.meta_json), from_time(hit.node.stamp) or 0.0), hit)
            for hit in response.hits
        )
        with self._lock:
            added = 0
            for thing, (fact, _) in facts.items():
                value = fact.value
                if value == "gripper":
                    self._held = self._held or thing
                elif (
                    thing not in self._where and self._home.find(value) is not None and self._home.find(thing)
                ):
                    self._where[thing] = value
                    added += 1
            return added

    # --- what is asked ----------------------------------------------------------------------------------

    def world(self) -> MapWorld:
        """Return the map with the beliefs of this moment, for planning."""
        with self._lock:
            where, held = dict(self._where), self._held
        return self._base.believing(where, held=held, facts=self.facts())

    def facts(self) -> Mapping[str, Any]:
        """See :class:`zulong.agent.mission.state.World`."""
        facts: dict[str, Any] = {"clock.now": time.time()}
        if self._battery is not None:
            facts["battery.percent"] = 100.0 * self._battery
        facts["robot.room"] = self._room()
        return facts

    def surroundings(self) -> Surroundings:
        """See :class:`zulong.agent.mission.state.World`."""
        now = time.monotonic()
        with self._lock:
            return Surroundings(
                position_m=self._position,
                room=self._room(),
                holding=self._held or "",
                objects=dict(self._where),
                people={who: room for who, (room, at) in self._people.items() if now - at < _IN_VIEW_S},
                battery=self._battery,
                hazards=self._hazards,
                stamp_s=now,
            )

    def motion_allowed(self) -> bool:
        """Tell whether the safety layer lets the robot move; unknown counts as yes, the reflex decides."""
        return self._safety is None or bool(self._safety.motion_allowed)

    def _room(self) -> str:
        if self._position is None:
            return ""
        room = self._home.room_at(*self._position)
        return room.id if room is not None else ""
