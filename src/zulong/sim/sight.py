"""What a good detector would find in the simulated camera's view: range, view angle, occlusion, misses, noise.

Only the simulator can offer this; on hardware the vision node fills the same message from pictures.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from zulong.sim.gripper import Gripper, Thing
from zulong.sim.people import Crowd, Person
from zulong.sim.world import World


@dataclass(slots=True, frozen=True)
class Sighting:
    """One thing or person in view. ``position``: its middle in the map, metres; ``box``: x, y, width, height in pixels."""

    id: str
    label: str
    category: str
    colour: str
    score: float
    position: tuple[float, float, float]
    box: tuple[float, float, float, float]
    attributes: dict[str, Any] = field(default_factory=dict)


@dataclass(slots=True)
class Sight:
    """An ideal eye behind the camera's lens with the faults of a real detector.

    Attributes:
        object_range_m: farthest that a thing of 10 cm is recognised.
        person_range_m: farthest that a person is recognised.
        miss_rate: share of frames in which something in view is missed.
        noise_m: standard deviation of positions at one metre; it grows with distance.
    """

    width: int = 320
    height: int = 240
    object_range_m: float = 4.5
    person_range_m: float = 7.0
    miss_rate: float = 0.03
    noise_m: float = 0.006

    def look(self, world: World, gripper: Gripper, crowd: Crowd, rng: np.random.Generator) -> list[Sighting]:
        """Return what is seen now, most confident first."""
        seen: list[Sighting] = []
        for thing in gripper.things.values():
            if thing.present and thing.held_by != "robot":
                sighting = self._thing(thing, world, rng)
                if sighting is not None:
                    seen.append(sighting)
        for person in crowd.people.values():
            if person.present:
                sighting = self._person(person, world, gripper, rng)
                if sighting is not None:
                    seen.append(sighting)
        seen.sort(key=lambda s: -s.score)
        return seen

    def _thing(self, thing: Thing, world: World, rng: np.random.Generator) -> Sighting | None:
        spec = thing.spec
        middle = (thing.x, thing.y, thing.centre_z)
        # A dice vanishes in the pixels sooner than a cornflakes box.
        reach = self.object_range_m * min(1.2, max(0.5, max(spec.size) / 0.10))
        box = self._project(world, middle, max(spec.size[:2]), spec.size[2], reach)
        if box is None or rng.random() < self.miss_rate:
            return None
        if not world.line_of_sight(
            self._eye(world), (middle[0], middle[1], thing.z + spec.size[2]), 0.15, thing.body
        ):
            return None
        place = "" if thing.at is None else thing.at
        return Sighting(
            id=spec.id,
            label=spec.id,
            category=spec.category,
            colour=spec.colour,
            score=self._score(middle, world, reach, rng),
            position=self._blur(middle, world, rng),
            box=box,
            attributes={"name": spec.name, "on": place, "size_m": list(spec.size), "mass_kg": spec.mass_kg},
        )

    def _person(
        self, person: Person, world: World, gripper: Gripper, rng: np.random.Generator
    ) -> Sighting | None:
        middle = (person.x, person.y, person.chest_z)
        tall = {"standing": 1.72, "sitting": 1.28, "lying": 0.4}[person.posture]
        box = self._project(world, middle, 0.5, tall, self.person_range_m)
        if box is None or rng.random() < self.miss_rate:
            return None
        if not world.line_of_sight(self._eye(world), middle, 0.4, person.body):
            return None
        spec = person.spec
        return Sighting(
            id=spec.id,
            label="person",
            category="person",
            colour=spec.clothes_colour,
            score=self._score(middle, world, self.person_range_m, rng),
            position=self._blur(middle, world, rng),
            box=box,
            attributes={
                "name": spec.name,
                "operator": spec.is_operator,
                "posture": person.posture,
                "gesture": person.gesture,
                "clothes": f"{spec.clothes_colour} {spec.clothes_kind}",
                "clothes_colour": spec.clothes_colour,
                "clothes_kind": spec.clothes_kind,
                "age": spec.age,
                "holds": person.holds or "",
            },
        )

    @staticmethod
    def _eye(world: World) -> tuple[float, float, float]:
        pose, shape = world.robot_pose, world.shape
        return (
            pose.x + shape.camera_x_m * math.cos(pose.yaw),
            pose.y + shape.camera_x_m * math.sin(pose.yaw),
            shape.camera_z_m,
        )

    def _project(
        self, world: World, point: tuple[float, float, float], wide_m: float, tall_m: float, reach_m: float
    ) -> tuple[float, float, float, float] | None:
        """Pixel box of a point's surroundings, or None if the point is out of view or out of range."""
        pose, shape = world.robot_pose, world.shape
        eye = self._eye(world)
        dx, dy, dz = point[0] - eye[0], point[1] - eye[1], point[2] - eye[2]
        ahead = math.cos(pose.yaw) * dx + math.sin(pose.yaw) * dy
        left = -math.sin(pose.yaw) * dx + math.cos(pose.yaw) * dy
        c, s = math.cos(shape.camera_pitch_rad), math.sin(shape.camera_pitch_rad)
        depth, up = c * ahead - s * dz, s * ahead + c * dz
        if depth < 0.15 or math.sqrt(dx * dx + dy * dy + dz * dz) > reach_m:
            return None
        focal = self.height / 2 / math.tan(shape.camera_fov_y_rad / 2)
        u, v = self.width / 2 - focal * left / depth, self.height / 2 - focal * up / depth
        if not (0 <= u < self.width and 0 <= v < self.height):
            return None
        w, h = focal * wide_m / depth, focal * tall_m / depth
        x0, y0 = max(0.0, u - w / 2), max(0.0, v - h / 2)
        return x0, y0, min(float(self.width), u + w / 2) - x0, min(float(self.height), v + h / 2) - y0

    def _blur(
        self, point: tuple[float, float, float], world: World, rng: np.random.Generator
    ) -> tuple[float, float, float]:
        spread = self.noise_m * math.dist(point, self._eye(world))
        noise = rng.normal(0.0, spread, 3)
        return point[0] + float(noise[0]), point[1] + float(noise[1]), point[2] + float(noise[2])

    def _score(
        self, point: tuple[float, float, float], world: World, reach_m: float, rng: np.random.Generator
    ) -> float:
        fade = math.dist(point, self._eye(world)) / reach_m
        return float(np.clip(0.97 - 0.3 * fade + rng.normal(0.0, 0.02), 0.05, 0.99))
