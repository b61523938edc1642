"""Where to look from, and the looking: rooms and placements as a short round of views, duplicates joined."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field

from zulong.apartment import Apartment, Placement, Room
from zulong.experts.navigation.approach import at_place
from zulong.experts.navigation.navigator import Navigator
from zulong.experts.robot import Glance, Seen
from zulong.experts.skill import ErrorCode, Run, SkillError

_SAME_THING_M = 0.30
_SAME_PERSON_M = 0.80
_GLANCES = 3
_WIDE_RAD = 0.8
_GLANCE_LIMIT_S = 5.0


@dataclass(slots=True)
class Sightings:
    """What a round of views brought, each thing once, with the newest position."""

    items: list[Seen] = field(default_factory=list)

    def add(self, seen: Seen) -> None:
        """Add a sighting; the same thing seen before is replaced."""
        for i, known in enumerate(self.items):
            if known.is_person == seen.is_person and self._same(known, seen):
                self.items[i] = seen if seen.seen_s >= known.seen_s else known
                return
        self.items.append(seen)

    @staticmethod
    def _same(a: Seen, b: Seen) -> bool:
        if a.id and b.id and a.id == b.id:
            return True
        near = math.dist(a.position[:2], b.position[:2])
        limit = _SAME_PERSON_M if a.is_person else _SAME_THING_M
        return (not a.id or not b.id) and a.label == b.label and near < limit


def watch(run: Run, sink: Callable[[Seen], None], glances: int = _GLANCES) -> None:
    """Stand still for some new pictures and hand on what they show.

    Raises:
        SkillError: UNAVAILABLE if no picture comes; TIMEOUT; CANCELED.
    """
    last = run.robot.glance()
    number = last.number if last else -1
    started = run.robot.clock_s()
    got = 0
    while got < glances:
        run.pause(0.05)
        glance: Glance | None = run.robot.glance()
        if glance is not None and glance.number > number:
            number = glance.number
            got += 1
            for seen in glance.seen:
                sink(seen)
        elif run.robot.clock_s() - started > _GLANCE_LIMIT_S:
            raise SkillError(
                ErrorCode.UNAVAILABLE, "No detections arrive; is the vision node (or the simulator) active?"
            )


def look_around(
    navigator: Navigator, run: Run, sink: Callable[[Seen], None], enough: Callable[[], bool], turns: int = 6
) -> None:
    """Turn once on the spot in steps and watch at each, until ``enough()``."""
    start = run.robot.pose().yaw
    for step in range(turns):
        watch(run, sink, glances=2)
        if enough() or step == turns - 1:
            return
        navigator.turn_to(start + (step + 1) * math.tau / turns, run, tolerance_rad=0.1)


def sweep(
    navigator: Navigator, run: Run, place: Placement, sink: Callable[[Seen], None], enough: Callable[[], bool]
) -> None:
    """Look along the whole of a piece of furniture from where the base stands."""
    pose = run.robot.pose()
    if max(place.size) == 0.0:
        watch(run, sink)
        return
    middle = math.atan2(place.pose.y - pose.y, place.pose.x - pose.x)
    c, s = math.cos(place.pose.yaw), math.sin(place.pose.yaw)
    half_x, half_y = place.size[0] / 2, place.size[1] / 2
    corners = [(a * half_x, b * half_y) for a in (-1, 1) for b in (-1, 1)]
    offsets = [
        math.remainder(
            math.atan2(place.pose.y + s * a + c * b - pose.y, place.pose.x + c * a - s * b - pose.x) - middle,
            math.tau,
        )
        for a, b in corners
    ]
    left, right = max(offsets), min(offsets)
    headings = [middle]
    if left - right > _WIDE_RAD:
        headings = [middle + right * 0.75, middle, middle + left * 0.75]
        if abs(math.remainder(headings[2] - pose.yaw, math.tau)) < abs(
            math.remainder(headings[0] - pose.yaw, math.tau)
        ):
            headings.reverse()
    for heading in headings:
        navigator.turn_to(heading, run, tolerance_rad=0.1)
        watch(run, sink)
        if enough():
            return


@dataclass(slots=True, frozen=True)
class View:
    """One stop of a round: a place to stand at, and whether to look all around there."""

    place: Room | Placement
    around: bool


def round_of(
    home: Apartment, where: Room | Placement, start: tuple[float, float], people: bool
) -> list[View]:
    """Return the stops that show a room (or one placement), nearest first.

    People are seen from the middle of a room; things need a view of every surface that holds some.
    """
    if isinstance(where, Placement):
        return [View(where, around=False)]
    views = [View(where, around=True)]
    if people:
        return views
    left = [p for p in home.placements_in(where.id) if p.holds]
    at = (where.centre.x, where.centre.y)
    while left:
        nearest = min(left, key=lambda p: math.dist(at, (p.pose.x, p.pose.y)))
        left.remove(nearest)
        views.append(View(nearest, around=False))
        at = (nearest.pose.x, nearest.pose.y)
    return views


def visit(
    navigator: Navigator,
    run: Run,
    views: list[View],
    sink: Callable[[Seen], None],
    enough: Callable[[], bool],
    share: tuple[float, float] = (0.0, 1.0),
) -> list[str]:
    """Make a round of views until ``enough()``; return the names of the places looked at.

    A place that cannot be reached is left out, unless no place can be: then its error leaves this function.
    """
    looked: list[str] = []
    trouble: SkillError | None = None
    low, high = share
    for i, view in enumerate(views):
        part = (low + (high - low) * i / len(views), low + (high - low) * (i + 1) / len(views))
        try:
            navigator.drive_to(at_place(navigator.home, view.place), run, f"the {view.place.name}", part)
        except SkillError as error:
            if error.code not in (ErrorCode.UNREACHABLE, ErrorCode.BLOCKED):
                raise
            trouble = error
            continue
        run.report(part[1], f"Looking at the {view.place.name}.")
        if view.around or isinstance(view.place, Room):
            look_around(navigator, run, sink, enough)
        else:
            sweep(navigator, run, view.place, sink, enough)
        looked.append(view.place.name)
        if enough():
            break
    if not looked and trouble is not None:
        raise trouble
    return looked
