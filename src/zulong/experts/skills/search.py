"""look_for: make a round of views until what is wanted is seen."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

from zulong.apartment import Placement, Room
from zulong.experts.choice import Choice
from zulong.experts.robot import Seen
from zulong.experts.skill import ErrorCode, Run, SkillError, SkillSpec
from zulong.experts.skills.toolbox import WHAT, Toolbox, schema
from zulong.experts.views import Sightings, View, look_around, round_of, sweep, visit, watch
from zulong.experts.wanted import Wanted, parse_wanted

_NEAR_ENOUGH_M = 1.6


class LookFor:
    """Look for a thing or a person in a room, at a piece of furniture, or (without ``where``) in the whole home."""

    spec = SkillSpec(
        name="look_for",
        description="Look for a thing or a person, described in words, in a room or at a piece of furniture.",
        arguments=schema(("what",), what=WHAT, where={"type": "string"}),
        result=schema(
            ("id", "at", "position", "room"),
            id={"type": "string"}, object={"type": "string"}, person={"type": "string"}, name={"type": "string"},
            at={"type": "string"}, placement={"type": "string"}, room={"type": "string"}, position={"type": "array"},
            found={"type": "array"}, searched={"type": "array"},
        ),
        moves_base=True,
        typical_s=30.0,
        limit_s=300.0,
    )  # fmt: skip

    def __init__(self, tools: Toolbox) -> None:
        self._tools = tools

    def run(self, arguments: Mapping[str, Any], run: Run) -> dict[str, Any]:
        """See :class:`zulong.experts.skill.Skill`."""
        tools = self._tools
        wanted = parse_wanted(arguments["what"], tools.home)
        named = str(arguments.get("where") or "").strip()
        place = tools.where(named, run) if named else None
        found = Sightings()

        def keep(seen: Seen) -> None:
            if wanted.matches(seen) and (place is None or tools.lies_at(seen, place)):
                found.add(seen)

        what = arguments["what"]
        relation = what if isinstance(what, Mapping) and what.get("relation") else None
        # To choose among several, or by what stands beside it, all must be seen first.
        choosy = bool(Choice.word_of(what)) or relation is not None
        others = Sightings()
        beside = parse_wanted(relation["to"], tools.home) if relation and relation.get("to") else None

        def look(seen: Seen) -> None:
            keep(seen)
            if beside is not None and beside.matches(seen):
                others.add(seen)

        run.report(0.0, f"Looking for {wanted.text}.")
        searched = self._search(wanted, place, run, look, lambda: bool(found.items) and not choosy)
        choice = Choice(tools.home, run.robot.pose())
        if relation is not None:
            found.items = choice.related(found.items, str(relation["relation"]), others.items)
        if not found.items:
            where = f"at the {place.name}" if place else "in the home"
            looked = ", ".join(searched) or "from here"
            raise SkillError(
                ErrorCode.NOT_FOUND, f"I did not find {wanted.text} {where}; I looked: {looked}."
            )
        word = Choice.word_of(what)
        best = choice.most(found.items, word) if word else choice.nearest(found.items)
        tools.face(best, run)
        report = tools.report_of(best)
        who = {"person": report["id"]} if best.is_person else {"object": report["id"]}
        return {
            "what": wanted.text,
            **report,
            **who,
            "found": [tools.report_of(s) for s in found.items],
            "searched": searched,
        }

    def _search(
        self,
        wanted: Wanted,
        place: Room | Placement | None,
        run: Run,
        keep: Callable[[Seen], None],
        enough: Callable[[], bool],
    ) -> list[str]:
        tools = self._tools
        # First what needs no driving: the plan has usually brought the robot to the right place already.
        watch(run, keep, glances=2)
        if enough():
            return ["here"]
        if isinstance(place, Placement) and self._stands_at(place, run):
            sweep(tools.navigator, run, place, keep, enough)
            return [place.name] if enough() or not wanted.person else self._around(run, keep, enough, place)
        views = self._views(wanted, place, run)
        return visit(tools.navigator, run, views, keep, enough)

    def _around(
        self, run: Run, keep: Callable[[Seen], None], enough: Callable[[], bool], place: Placement
    ) -> list[str]:
        look_around(self._tools.navigator, run, keep, enough)
        return [place.name]

    def _views(self, wanted: Wanted, place: Room | Placement | None, run: Run) -> list[View]:
        tools, pose = self._tools, run.robot.pose()
        rooms: list[Room | Placement] = [place] if place is not None else list(tools.home.rooms)
        if place is None:
            rooms.sort(key=lambda r: _distance(r, pose.x, pose.y))
        views = [v for r in rooms for v in round_of(tools.home, r, (pose.x, pose.y), wanted.person)]
        if isinstance(place, Placement) and wanted.person:
            views = [View(place, around=True)]
        known = tools.remembered(wanted, run)
        # What was seen before is looked at first.
        spot = tools.placement_of(known) if known is not None and not known.is_person else None
        if spot is not None and (place is None or spot is place or spot.room == place.id):
            views = [View(spot, around=False), *[v for v in views if v.place is not spot]]
        return views

    def _stands_at(self, place: Placement, run: Run) -> bool:
        pose = run.robot.pose()
        return (
            math.dist((pose.x, pose.y), (place.pose.x, place.pose.y))
            <= max(place.size) / 2 + _NEAR_ENOUGH_M / 2 + 0.2
        )


def _distance(place: Room | Placement, x: float, y: float) -> float:
    if isinstance(place, Room):
        return 0.0 if place.contains(x, y) else math.dist((place.centre.x, place.centre.y), (x, y))
    return math.dist((place.pose.x, place.pose.y), (x, y))
