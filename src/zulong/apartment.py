"""The home that the robot knows by name: rooms, doors, placements, objects, people (``config/apartment.yaml``).

Shared by the simulator that builds it, the skills that drive through it and the planner that speaks of it.
Frame ``map``: metres, x east, y north, yaw anticlockwise from east in radians.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

from zulong.resources import config_path

POSTURES = ("standing", "sitting", "lying")
GESTURES = ("none", "waving", "raising_left_arm", "raising_right_arm", "pointing_left", "pointing_right")
SHAPES = ("box", "cylinder", "sphere")


class ApartmentError(ValueError):
    """The description of the home contradicts itself or lacks something; the message says where."""


@dataclass(slots=True, frozen=True)
class Pose2D:
    """A place on the floor: metres and radians in the frame ``map``."""

    x: float
    y: float
    yaw: float = 0.0

    def distance_to(self, other: Pose2D) -> float:
        """Return the straight distance in metres."""
        return math.hypot(self.x - other.x, self.y - other.y)


@dataclass(slots=True, frozen=True)
class Room:
    """A rectangular room; ``rect`` is x_min, y_min, x_max, y_max in metres."""

    id: str
    name: str
    rect: tuple[float, float, float, float]

    @property
    def centre(self) -> Pose2D:
        """The middle of the room, facing east."""
        x0, y0, x1, y1 = self.rect
        return Pose2D((x0 + x1) / 2, (y0 + y1) / 2)

    def contains(self, x: float, y: float) -> bool:
        """Whether a point of the map lies in the room."""
        x0, y0, x1, y1 = self.rect
        return x0 <= x < x1 and y0 <= y < y1


@dataclass(slots=True, frozen=True)
class Door:
    """A gap of ``width_m`` in the wall that two rooms share, centred at ``at``."""

    id: str
    between: tuple[str, str]
    at: tuple[float, float]
    width_m: float


@dataclass(slots=True, frozen=True)
class Placement:
    """A piece of furniture, or a doorway without a body (``kind``); ``holds`` says that objects can be put on it."""

    id: str
    name: str
    room: str
    pose: Pose2D
    size: tuple[float, float]
    height_m: float
    kind: str
    holds: bool
    colour: str
    default_for: str | None = None


@dataclass(slots=True, frozen=True)
class Category:
    """A kind of object with its singular and plural."""

    id: str
    singular: str
    plural: str


@dataclass(slots=True, frozen=True)
class ObjectSpec:
    """A thing that can be carried: its looks, its mass in kilograms and where it starts."""

    id: str
    name: str
    category: str
    colour: str
    shape: str
    size: tuple[float, float, float]
    mass_kg: float
    at: str
    offset: tuple[float, float]


@dataclass(slots=True, frozen=True)
class PersonSpec:
    """A person: where and how they start, what they wear, what they answer, the route they walk (may be empty)."""

    id: str
    name: str
    room: str
    pose: Pose2D
    posture: str
    gesture: str
    clothes_colour: str
    clothes_kind: str
    on: str | None
    age: int
    knows: Mapping[str, str]
    route: tuple[tuple[float, float], ...]
    is_operator: bool = False


@dataclass(slots=True, frozen=True)
class Apartment:
    """The whole home. Look-ups by id or by name, both in any letter case."""

    rooms: tuple[Room, ...]
    doors: tuple[Door, ...]
    placements: tuple[Placement, ...]
    categories: tuple[Category, ...]
    objects: tuple[ObjectSpec, ...]
    people: tuple[PersonSpec, ...]
    operator: PersonSpec
    robot_start: Pose2D
    robot_dock: Pose2D
    _by_key: dict[str, Any] = field(default_factory=dict, compare=False, repr=False)

    def find(self, name: str) -> Room | Placement | ObjectSpec | PersonSpec | Category | None:
        """Return what carries this id or name, or None."""
        return self._by_key.get(normal_key(name))

    def placement(self, name: str) -> Placement | None:
        """Return the placement of this id or name, or None."""
        found = self.find(name)
        return found if isinstance(found, Placement) else None

    def room(self, name: str) -> Room | None:
        """Return the room of this id or name, or None."""
        found = self.find(name)
        return found if isinstance(found, Room) else None

    def room_at(self, x: float, y: float) -> Room | None:
        """Return the room that holds a point of the map, or None outside."""
        return next((room for room in self.rooms if room.contains(x, y)), None)

    def placements_in(self, room_id: str) -> Iterator[Placement]:
        """Iterate over the placements of one room."""
        return (p for p in self.placements if p.room == room_id)

    @property
    def bounds(self) -> tuple[float, float, float, float]:
        """x_min, y_min, x_max, y_max around all rooms, in metres."""
        return (
            min(r.rect[0] for r in self.rooms),
            min(r.rect[1] for r in self.rooms),
            max(r.rect[2] for r in self.rooms),
            max(r.rect[3] for r in self.rooms),
        )


def normal_key(name: str) -> str:
    """Return the id form of a name: lower case, words joined by underscores."""
    return "_".join(name.strip().lower().replace("-", " ").replace("_", " ").split())


def load_apartment(path: Path | None = None) -> Apartment:
    """Read and check a description of a home, by default ``config/apartment.yaml``.

    Raises:
        ApartmentError: the file is not of the documented form; the message names the entry.
        ResourceNotFoundError: there is no such file.
    """
    file = path if path is not None else config_path("apartment.yaml")
    raw = yaml.safe_load(file.read_text(encoding="utf-8"))
    if not isinstance(raw, dict):
        raise ApartmentError(f"{file}: expected a mapping with rooms, doors, placements, objects and people.")
    return parse_apartment(raw, str(file))


def parse_apartment(raw: Mapping[str, Any], source: str = "apartment") -> Apartment:
    """Build an :class:`Apartment` from plain data; ``source`` is named in errors (see :func:`load_apartment`)."""
    try:
        apartment = Apartment(
            rooms=tuple(Room(r["id"], r["name"], _floats(r["rect"], 4)) for r in raw["rooms"]),  # type: ignore[arg-type]
            doors=tuple(_door(d) for d in raw["doors"]),
            placements=tuple(_placement(p) for p in raw["placements"]),
            categories=tuple(Category(c["id"], c["singular"], c["plural"]) for c in raw["categories"]),
            objects=tuple(_object(o) for o in raw["objects"]),
            people=tuple(_person(p) for p in raw["people"]),
            operator=_person(raw["operator"], is_operator=True),
            robot_start=_pose(raw["robot"]["start"]),
            robot_dock=_pose(raw["robot"]["dock"]),
        )
    except (KeyError, TypeError, ValueError) as error:
        raise ApartmentError(f"{source}: an entry lacks or misspells a field: {error!r}.") from error
    _check(apartment, source)
    _index(apartment, source)
    return apartment


def _floats(values: Any, count: int) -> tuple[float, ...]:
    numbers = tuple(float(v) for v in values)
    if len(numbers) != count or not all(map(math.isfinite, numbers)):
        raise ValueError(f"expected {count} finite numbers, got {values!r}")
    return numbers


def _pose(values: Any) -> Pose2D:
    return Pose2D(*_floats(values, 3))


def _door(d: Mapping[str, Any]) -> Door:
    first, second = d["between"]
    return Door(d["id"], (first, second), _floats(d["at"], 2), float(d["width"]))  # type: ignore[arg-type]


def _placement(p: Mapping[str, Any]) -> Placement:
    return Placement(
        id=p["id"],
        name=p["name"],
        room=p["room"],
        pose=_pose(p["pose"]),
        size=_floats(p["size"], 2),  # type: ignore[arg-type]
        height_m=float(p["height"]),
        kind=p["kind"],
        holds=bool(p["holds"]),
        colour=p.get("colour", "gray"),
        default_for=p.get("default_for"),
    )


def _object(o: Mapping[str, Any]) -> ObjectSpec:
    return ObjectSpec(
        id=o["id"],
        name=o["name"],
        category=o["category"],
        colour=o["colour"],
        shape=o["shape"],
        size=_floats(o["size"], 3),  # type: ignore[arg-type]
        mass_kg=float(o["mass"]),
        at=o["at"],
        offset=_floats(o["offset"], 2),  # type: ignore[arg-type]
    )


def _person(p: Mapping[str, Any], is_operator: bool = False) -> PersonSpec:
    return PersonSpec(
        id=p["id"],
        name=p["name"],
        room=p["room"],
        pose=_pose(p["pose"]),
        posture=p["posture"],
        gesture=p["gesture"],
        clothes_colour=p["clothes"]["colour"],
        clothes_kind=p["clothes"]["kind"],
        on=p.get("on"),
        age=int(p.get("age", 30)),
        knows=dict(p.get("knows", {})),
        route=tuple(_floats(q, 2) for q in p.get("route", ())),  # type: ignore[misc]
        is_operator=is_operator,
    )


def _check(home: Apartment, source: str) -> None:
    rooms = {r.id for r in home.rooms}
    placements = {p.id: p for p in home.placements}
    categories = {c.id for c in home.categories}

    def require(condition: bool, sentence: str) -> None:
        if not condition:
            raise ApartmentError(f"{source}: {sentence}")

    for door in home.doors:
        require(set(door.between) <= rooms, f"door {door.id!r} joins an unknown room.")
    for p in home.placements:
        require(p.room in rooms, f"placement {p.id!r} stands in an unknown room {p.room!r}.")
        require(p.kind in ("furniture", "doorway"), f"placement {p.id!r} has an unknown kind {p.kind!r}.")
        require(
            p.default_for is None or p.default_for in categories,
            f"placement {p.id!r} is the default of an unknown category {p.default_for!r}.",
        )
    for o in home.objects:
        require(o.category in categories, f"object {o.id!r} has an unknown category {o.category!r}.")
        require(o.shape in SHAPES, f"object {o.id!r} has an unknown shape {o.shape!r}.")
        require(
            o.at in placements and placements[o.at].holds,
            f"object {o.id!r} stands on {o.at!r}, which holds nothing.",
        )
    for person in (*home.people, home.operator):
        require(
            person.posture in POSTURES, f"person {person.id!r} has an unknown posture {person.posture!r}."
        )
        require(
            person.gesture in GESTURES, f"person {person.id!r} has an unknown gesture {person.gesture!r}."
        )
        require(person.room in rooms, f"person {person.id!r} is in an unknown room {person.room!r}.")
        require(
            person.on is None or person.on in placements,
            f"person {person.id!r} rests on an unknown {person.on!r}.",
        )


def _index(home: Apartment, source: str) -> None:
    entries: tuple[Room | Placement | ObjectSpec | PersonSpec, ...] = (
        *home.rooms,
        *home.placements,
        *home.objects,
        *home.people,
        home.operator,
    )
    for entry in entries:
        for key in {normal_key(entry.id), normal_key(entry.name)}:
            if home._by_key.get(key, entry) is not entry:
                raise ApartmentError(f"{source}: the name {key!r} is given twice.")
            home._by_key[key] = entry
    for category in home.categories:
        for key in {normal_key(category.id), normal_key(category.singular), normal_key(category.plural)}:
            home._by_key.setdefault(key, category)
