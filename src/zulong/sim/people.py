"""People of the simulated home: they walk, stand up, follow the robot, lead it, hear it and answer."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, field
from enum import Enum

import numpy as np

from zulong.apartment import Apartment, PersonSpec, Placement, Pose2D, Room, normal_key
from zulong.experts.navigation.astar import Footing, find_path
from zulong.experts.navigation.grid import ClearanceGrid
from zulong.sim.geometry import wrap_angle
from zulong.sim.world import World

WALK_MPS = 0.6
HEARING_M = 3.0
_BODY = Footing(hard_m=0.28, soft_m=0.5)
_KEEP_FROM_ROBOT_M = 0.62
_FOLLOW_GAP_M = 1.0
_LEAD_M = 3.0
_REPLY_DELAY_S = 0.8
_ROBOT_RIM_M = 0.28
_RIM = np.array([[math.cos(a), math.sin(a)] for a in np.linspace(0.0, math.tau, 12, endpoint=False)])


class Mode(Enum):
    """What a person is doing."""

    RESTING = "resting"
    ROUTE = "route"
    WALKING = "walking"
    FOLLOWING = "following"


@dataclass(slots=True, frozen=True)
class Utterance:
    """What a person said at a simulated time."""

    person: str
    text: str
    language: str
    time_s: float


@dataclass(slots=True)
class Person:
    """The living state of one person."""

    spec: PersonSpec
    x: float
    y: float
    yaw: float
    posture: str
    gesture: str
    z: float = 0.0
    room: str = ""
    mode: Mode = Mode.RESTING
    path: list[tuple[float, float]] = field(default_factory=list)
    route_index: int = 0
    waits_until_s: float = 0.0
    replanned_s: float = -10.0
    holds: str | None = None
    present: bool = True
    leading: bool = False

    @property
    def body(self) -> str:
        """Name of the body that shows the present posture."""
        suffix = "" if self.posture == "standing" else f":{self.posture}"
        return f"person:{self.spec.id}{suffix}"

    @property
    def chest_z(self) -> float:
        """Height of the middle of the trunk in metres."""
        return self.z + {"standing": 1.15, "sitting": 0.75, "lying": 0.2}[self.posture]


class Crowd:
    """All people of the home, advanced with the world.

    Args:
        home: who lives there.
        world: where their bodies are moved.
        walk_routes: whether people with a route walk it.
    """

    def __init__(self, home: Apartment, world: World, walk_routes: bool = True) -> None:
        self._home = home
        self._world = world
        self._walk_routes = walk_routes
        self._grid = ClearanceGrid.of(home)
        self.people: dict[str, Person] = {}
        self._replies: list[Utterance] = []
        self.reset()

    def reset(self) -> None:
        """Put everybody where the world file has them."""
        self._replies.clear()
        for spec in (*self._home.people, self._home.operator):
            z = 0.0
            rest = self._home.placement(spec.on) if spec.on else None
            if rest is not None:
                z = rest.height_m if spec.posture == "lying" else max(0.0, rest.height_m - 0.45)
            person = Person(
                spec, spec.pose.x, spec.pose.y, spec.pose.yaw, spec.posture, spec.gesture, z, spec.room
            )
            if spec.route and self._walk_routes:
                person.mode = Mode.ROUTE
            self.people[spec.id] = person
            self._show(person)

    def find(self, name: str) -> Person | None:
        """Return the person of this id or name, in any letter case."""
        key = normal_key(name)
        return next((p for p in self.people.values() if key in (p.spec.id, normal_key(p.spec.name))), None)

    def move(self, person: Person, x: float, y: float, yaw: float) -> None:
        """Put a person on the floor somewhere at once, standing."""
        self._stand_up(person)
        person.x, person.y, person.yaw, person.present = x, y, yaw, True
        person.mode, person.path = Mode.RESTING, []
        self._show(person)

    def remove(self, person: Person) -> None:
        """Take a person out of the world."""
        person.present = False
        person.mode = Mode.RESTING
        self._world.park_body(person.body)

    def walk_to(self, person: Person, goal: tuple[float, float]) -> bool:
        """Let a person walk to a point; False if no way leads there."""
        self._stand_up(person)
        spot = self._grid.nearest_free(goal[0], goal[1], _BODY.hard_m + 0.05, 2.0)
        start = self._floor_spot(person)
        path = find_path(self._grid, start, spot, _BODY) if spot else None
        if path is None:
            return False
        person.mode, person.path, person.leading = Mode.WALKING, path, False
        return True

    def spot_of(self, place: str) -> tuple[float, float] | None:
        """Return where a person stands who went to a room or placement of this name."""
        found = self._home.find(place)
        if isinstance(found, Placement):
            return self._grid.nearest_free(found.pose.x, found.pose.y, 0.4, 2.0)
        if isinstance(found, Room):
            return self._grid.nearest_free(found.centre.x, found.centre.y, 0.5, 2.0)
        return None

    def step(self, dt_s: float, robot: Pose2D) -> None:
        """Advance everybody by ``dt_s`` simulated seconds."""
        now = self._world.time_s
        for person in self.people.values():
            if not person.present or person.mode is Mode.RESTING or now < person.waits_until_s:
                continue
            if person.mode is Mode.FOLLOWING:
                self._follow(person, robot, now)
            elif person.mode is Mode.ROUTE and not person.path:
                self._next_on_route(person, now)
            if person.path:
                self._walk(person, dt_s, robot, now)

    def hear(self, text: str, robot: Pose2D) -> Person | None:
        """Let the person who is meant hear what the robot said: named in it, else the nearest one in earshot."""
        near = [
            p
            for p in self.people.values()
            if p.present and math.hypot(p.x - robot.x, p.y - robot.y) <= HEARING_M
        ]
        if not near:
            return None
        words = text.lower()
        named = [p for p in near if re.search(rf"\b{re.escape(p.spec.name.lower())}\b", words)]
        person = min(named or near, key=lambda p: math.hypot(p.x - robot.x, p.y - robot.y))
        self._react(person, text, words, robot)
        return person

    def take_replies(self) -> list[Utterance]:
        """Return and forget what people have said by now."""
        now = self._world.time_s
        due = [u for u in self._replies if u.time_s <= now]
        self._replies = [u for u in self._replies if u.time_s > now]
        return due

    def _react(self, person: Person, text: str, words: str, robot: Pose2D) -> None:
        chinese = any("\u4e00" <= ch <= "\u9fff" for ch in text)
        if re.search(r"\bfollow me\b|跟我来|请跟着我", words):
            self._stand_up(person)
            person.mode, person.path = Mode.FOLLOWING, []
            self._say(person, "好的。" if chinese else "I am coming.", chinese)
            return
        lead = re.search(r"\bi will follow you(?: to (?:the )?([a-z ]+))?", words)
        if lead:
            goal = self.spot_of(lead.group(1).strip()) if lead.group(1) else self._stroll(person)
            if goal is not None:
                person.waits_until_s = self._world.time_s + 1.0
                person.leading = self.walk_to(person, goal)
            return
        if re.search(r"\bwe have arrived\b|我们到了", words):
            person.mode, person.path = Mode.RESTING, []
            self._say(person, "谢谢。" if chinese else "Thank you.", chinese)
            return
        if text.rstrip().endswith(("?", "？")):
            self._say(person, _answer(person.spec, words), chinese)

    def _say(self, person: Person, text: str, chinese: bool) -> None:
        when = self._world.time_s + _REPLY_DELAY_S
        self._replies.append(Utterance(person.spec.id, text, "zh" if chinese else "en", when))

    def _stroll(self, person: Person) -> tuple[float, float] | None:
        """Where a person goes who leads without a goal: the middle of the next room."""
        index = next((i for i, r in enumerate(self._home.rooms) if r.contains(person.x, person.y)), 0)
        return self.spot_of(self._home.rooms[(index + 1) % len(self._home.rooms)].id)

    def _stand_up(self, person: Person) -> None:
        if person.posture == "standing":
            return
        self._world.park_body(person.body)
        person.x, person.y = self._floor_spot(person)
        person.posture, person.z = "standing", 0.0
        self._show(person)

    def _floor_spot(self, person: Person) -> tuple[float, float]:
        inside = self._grid.clearance_at(person.x, person.y) < 0.05
        robot = self._world.robot_pose
        self._grid.set_points(np.array([[robot.x, robot.y]]) + _ROBOT_RIM_M * _RIM, reach_m=0.6)
        free = self._grid.nearest_free(person.x, person.y, _BODY.hard_m + 0.05, 2.0)
        self._grid.set_points(np.empty((0, 2)))
        return free if free is not None and inside else (person.x, person.y)

    def _follow(self, person: Person, robot: Pose2D, now: float) -> None:
        distance = math.hypot(robot.x - person.x, robot.y - person.y)
        if distance <= _FOLLOW_GAP_M:
            person.path = []
            return
        if now - person.replanned_s < 0.5:
            return
        person.replanned_s = now
        spot = self._grid.nearest_free(robot.x, robot.y, _BODY.hard_m, 1.0)
        person.path = (find_path(self._grid, (person.x, person.y), spot, _BODY) if spot else None) or []

    def _next_on_route(self, person: Person, now: float) -> None:
        route = person.spec.route
        person.route_index = (person.route_index + 1) % len(route)
        start = self._floor_spot(person)
        person.path = find_path(self._grid, start, route[person.route_index], _BODY) or []
        person.waits_until_s = now + 4.0

    def _walk(self, person: Person, dt_s: float, robot: Pose2D, now: float) -> None:
        target = person.path[0]
        dx, dy = target[0] - person.x, target[1] - person.y
        distance = math.hypot(dx, dy)
        if distance < 0.05:
            person.path.pop(0)
            if not person.path and person.mode is Mode.WALKING:
                person.mode = Mode.RESTING
            return
        stride = min(distance, WALK_MPS * dt_s)
        x, y = person.x + dx / distance * stride, person.y + dy / distance * stride
        to_robot = math.hypot(robot.x - x, robot.y - y)
        if person.leading and math.hypot(robot.x - person.x, robot.y - person.y) > _LEAD_M:
            return  # who leads waits for who follows
        if to_robot < _KEEP_FROM_ROBOT_M and to_robot < math.hypot(robot.x - person.x, robot.y - person.y):
            self._step_aside(person, robot, now)
            return  # people do not walk into the robot
        person.x, person.y, person.yaw = x, y, wrap_angle(math.atan2(dy, dx))
        room = self._home.room_at(x, y)
        person.room = room.id if room else person.room
        self._show(person)

    def _step_aside(self, person: Person, robot: Pose2D, now: float) -> None:
        """The robot is in the way: look for a way around it, once a second."""
        if now - person.replanned_s < 1.0 or person.mode is Mode.FOLLOWING:
            return
        person.replanned_s = now
        self._grid.set_points(np.array([[robot.x, robot.y]]) + _ROBOT_RIM_M * _RIM, reach_m=0.6)
        around = find_path(self._grid, (person.x, person.y), person.path[-1], _BODY)
        self._grid.set_points(np.empty((0, 2)))
        if around is not None:
            person.path = around

    def _show(self, person: Person) -> None:
        self._world.place_body(person.body, person.x, person.y, person.z, person.yaw)


def _answer(spec: PersonSpec, question: str) -> str:
    if re.search(r"\byour name\b|\bwho are you\b|你叫什么|你是谁", question):
        return f"My name is {spec.name}."
    for topic, answer in spec.knows.items():
        if topic != "default" and topic.lower() in question:
            return answer
    return spec.knows.get("default", "I do not know.")
