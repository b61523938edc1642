"""Where to stand for a room, a piece of furniture, a thing or a person, and which way to look there."""

from __future__ import annotations

import math

from zulong.apartment import Apartment, Placement, Pose2D, Room
from zulong.experts.navigation.grid import ClearanceGrid
from zulong.experts.navigation.navigator import GoalChooser
from zulong.experts.skill import ErrorCode, SkillError

STAND_M = 0.42
STAND_TIGHT_M = 0.38
CAMERA_Z_M = 1.2


def find_place(home: Apartment, name: str) -> Room | Placement:
    """Return the room or placement of this id or name.

    Raises:
        SkillError: NOT_FOUND, with the names there are.
    """
    cleaned = name.strip().lower().removeprefix("the ").strip()
    found = home.find(cleaned)
    if isinstance(found, (Room, Placement)):
        return found
    known = ", ".join(sorted([*(r.name for r in home.rooms), *(p.name for p in home.placements)]))
    raise SkillError(ErrorCode.NOT_FOUND, f"There is no place called {name!r} here; there are: {known}.")


def at_place(home: Apartment, place: Room | Placement) -> GoalChooser:
    """Return a chooser that stands in the room, or in front of the placement and faces it."""
    if isinstance(place, Room):
        return _in_room(place)
    return _before_placement(home, place)


def _in_room(room: Room) -> GoalChooser:
    def choose(grid: ClearanceGrid, pose: Pose2D) -> Pose2D | None:
        centre = room.centre
        spot = grid.nearest_free(
            centre.x,
            centre.y,
            STAND_M,
            min(room.rect[2] - room.rect[0], room.rect[3] - room.rect[1]) / 2,
            toward=pose,
        )
        if spot is None:
            return None
        # Arriving, it goes on looking the way that it came: into the room.
        return Pose2D(
            spot[0],
            spot[1],
            math.atan2(spot[1] - pose.y, spot[0] - pose.x)
            if math.dist(spot, (pose.x, pose.y)) > 0.3
            else pose.yaw,
        )

    return choose


def _before_placement(home: Apartment, place: Placement) -> GoalChooser:
    room = home.room(place.room)

    def choose(grid: ClearanceGrid, pose: Pose2D) -> Pose2D | None:
        reach = max(place.size) / 2 + 1.2
        best: tuple[float, Pose2D] | None = None
        for clearance in (STAND_M, STAND_TIGHT_M):
            for x, y in _ring(place):
                if room is not None and not room.contains(x, y):
                    continue
                spot = grid.nearest_free(x, y, clearance, 0.35)
                if spot is None or math.dist(spot, (place.pose.x, place.pose.y)) > reach:
                    continue
                facing = math.atan2(place.pose.y - spot[1], place.pose.x - spot[0])
                cost = math.dist(spot, (place.pose.x, place.pose.y)) + 0.1 * math.dist(spot, (pose.x, pose.y))
                if best is None or cost < best[0]:
                    best = (cost, Pose2D(spot[0], spot[1], facing))
            if best is not None:
                return best[1]
        return None

    return choose


def _ring(place: Placement) -> list[tuple[float, float]]:
    """Points around a placement at standing distance: before the middle of each side and each corner."""
    # What is low can be seen only from further off: the camera looks down a good 45 degrees at most.
    gap = max(STAND_M + 0.08, 0.85 * (CAMERA_Z_M - place.height_m))
    dx, dy = place.size[0] / 2 + gap, place.size[1] / 2 + gap
    c, s = math.cos(place.pose.yaw), math.sin(place.pose.yaw)
    offsets = [(0, dy), (0, -dy), (dx, 0), (-dx, 0)]
    if max(place.size) == 0.0:
        offsets = [(0.0, 0.0), *offsets]
    return [(place.pose.x + c * a - s * b, place.pose.y + s * a + c * b) for a, b in offsets]


def near_point(x: float, y: float, reach_m: float, room: Room | None = None) -> GoalChooser:
    """Return a chooser that stands within ``reach_m`` of a point (metres), with room around it, and faces it."""

    def choose(grid: ClearanceGrid, pose: Pose2D) -> Pose2D | None:
        best: tuple[float, Pose2D] | None = None
        for clearance in (STAND_M, STAND_TIGHT_M):
            for step in range(24):
                angle = step * math.tau / 24
                for distance in (reach_m * 0.75, reach_m * 0.92):
                    sx, sy = x + distance * math.cos(angle), y + distance * math.sin(angle)
                    if room is not None and not room.contains(sx, sy):
                        continue
                    if grid.clearance_at(sx, sy) < clearance:
                        continue
                    cost = (
                        0.3 * distance
                        + 0.3 * math.dist((sx, sy), (pose.x, pose.y))
                        - 0.3 * min(0.7, grid.clearance_at(sx, sy))
                    )
                    if best is None or cost < best[0]:
                        best = (cost, Pose2D(sx, sy, math.atan2(y - sy, x - sx)))
            if best is not None:
                return best[1]
        return None

    return choose


def beside_person(x: float, y: float, distance_m: float = 0.95) -> GoalChooser:
    """Return a chooser that stands ``distance_m`` (at least) from a person, on the robot's side, and faces them."""

    def choose(grid: ClearanceGrid, pose: Pose2D) -> Pose2D | None:
        toward = math.atan2(pose.y - y, pose.x - x)
        best: tuple[float, Pose2D] | None = None
        for clearance in (STAND_M, STAND_TIGHT_M):
            for step in range(24):
                turn = step * math.tau / 24
                for stretch in (1.0, 1.15, 1.3):
                    sx = x + distance_m * stretch * math.cos(toward + turn)
                    sy = y + distance_m * stretch * math.sin(toward + turn)
                    # The person is a new thing in the grid: the clearance there counts from their body.
                    if grid.clearance_at(sx, sy) < clearance:
                        continue
                    cost = abs(math.remainder(turn, math.tau)) * 0.5 + 2.0 * (stretch - 1.0)
                    if best is None or cost < best[0]:
                        best = (cost, Pose2D(sx, sy, math.atan2(y - sy, x - sx)))
            if best is not None:
                return best[1]
        return None

    return choose
