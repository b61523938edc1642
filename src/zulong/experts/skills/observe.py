"""count and describe: what is seen, in numbers and in words."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from typing import Any

from zulong.apartment import Placement, Room
from zulong.experts.choice import Choice
from zulong.experts.robot import Seen
from zulong.experts.skill import ErrorCode, Run, SkillError, SkillSpec
from zulong.experts.skills.toolbox import WHAT, Toolbox, schema
from zulong.experts.views import Sightings, View, round_of, sweep, visit
from zulong.experts.wanted import Wanted, parse_wanted

_SUPERLATIVE = re.compile(r"\b(biggest|largest|smallest|heaviest|lightest|thinnest|leftmost|rightmost)\b")
_PROPERTIES = ("name", "pose", "posture", "gesture", "clothes", "age")


def see_all(
    tools: Toolbox, place: Room | Placement, run: Run, wanted: Wanted, share: tuple[float, float]
) -> Sightings:
    """Look at the whole of a place and return everything there that fits, each once."""
    found = Sightings()

    def keep(seen: Seen) -> None:
        if wanted.matches(seen) and tools.lies_at(seen, place):
            found.add(seen)

    if isinstance(place, Placement) and _stands_before(place, run):
        sweep(tools.navigator, run, place, keep, lambda: False)
        if not wanted.person:
            return found
    views = [View(place, around=True)] if isinstance(place, Placement) and wanted.person else None
    start = run.robot.pose()
    visit(
        tools.navigator,
        run,
        views or round_of(tools.home, place, (start.x, start.y), wanted.person),
        keep,
        lambda: False,
        share,
    )
    return found


def _stands_before(place: Placement, run: Run) -> bool:
    pose = run.robot.pose()
    return math.dist((pose.x, pose.y), (place.pose.x, place.pose.y)) <= max(place.size) / 2 + 1.0


def _is_door(what: Any) -> bool:
    name = what if isinstance(what, str) else str(what.get("name") or what.get("id") or "")
    return name.lower().removeprefix("the ") in ("door", "doors")


class Count:
    """Count things or people at a place."""

    spec = SkillSpec(
        name="count",
        description="Count things or people of a kind in a room or on a piece of furniture.",
        arguments=schema(("what",), what=WHAT, where={"type": "string"}),
        result=schema(
            ("count",),
            count={"type": "integer"},
            what={"type": "string"},
            where={"type": "string"},
            objects={"type": "array"},
        ),
        moves_base=True,
        typical_s=40.0,
        limit_s=300.0,
    )

    def __init__(self, tools: Toolbox) -> None:
        self._tools = tools

    def run(self, arguments: Mapping[str, Any], run: Run) -> dict[str, Any]:
        """See :class:`zulong.experts.skill.Skill`."""
        tools = self._tools
        wanted = parse_wanted(arguments["what"], tools.home)
        place = tools.where(arguments.get("where"), run)
        found = see_all(tools, place, run, wanted, (0.0, 0.95))
        items = [s for s in found.items if s.id != tools.home.operator.id or wanted.id]
        return {
            "count": len(items),
            "what": wanted.text,
            "where": place.id,
            "objects": [tools.report_of(s) for s in items],
            "text": f"{len(items)} ({wanted.text}) at the {place.name}",
        }


class Describe:
    """Say what a person or thing looks like, which of several is the biggest (...), or what is at a place."""

    spec = SkillSpec(
        name="describe",
        description="Describe a person, a thing or a place, or find the biggest, heaviest, ... of a kind.",
        arguments=schema(("what",), what=WHAT, where={"type": "string"}, property={"type": "string"}),
        result=schema(("text",), text={"type": "string"}, answer={"type": "string"}),
        moves_base=True,
        typical_s=20.0,
        limit_s=240.0,
    )

    def __init__(self, tools: Toolbox) -> None:
        self._tools = tools

    def run(self, arguments: Mapping[str, Any], run: Run) -> dict[str, Any]:
        """See :class:`zulong.experts.skill.Skill`."""
        what, prop = arguments["what"], str(arguments.get("property") or "").lower()
        superlative = prop if _SUPERLATIVE.fullmatch(prop) else ""
        if isinstance(what, Mapping):
            superlative = superlative or Choice.word_of(what)
        else:
            match = _SUPERLATIVE.search(what.lower())
            if match:
                superlative = match.group(1)
                what = (
                    " ".join(what.lower().replace(match.group(1), "").split()).removeprefix("the ")
                    or "object"
                )
        where = arguments.get("where")
        if superlative:
            return self._compare(what, superlative, where, run)
        if _is_door(what):
            return self._door(where, run)
        place = self._tools.home.find(what) if isinstance(what, str) else None
        if isinstance(place, (Room, Placement)):
            return self._place(place, run)
        return self._one(parse_wanted(what, self._tools.home), prop, where, run)

    def _compare(self, what: Any, superlative: str, where: Any, run: Run) -> dict[str, Any]:
        tools = self._tools
        wanted = parse_wanted(what, tools.home)
        place = tools.where(where, run)
        items = see_all(tools, place, run, wanted, (0.0, 0.9)).items
        if not items:
            raise SkillError(ErrorCode.NOT_FOUND, f"There is no {wanted.text} at the {place.name}.")
        best = Choice(tools.home, run.robot.pose()).most(items, superlative)
        report = tools.report_of(best)
        text = f"The {superlative} {wanted.text} at the {place.name} is the {best.name}."
        return {
            "text": text,
            "answer": best.name,
            "object": report["id"],
            **report,
            "among": [s.name for s in items],
        }

    def _door(self, where: Any, run: Run) -> dict[str, Any]:
        """Whether the nearest door of a room is free to pass, as the laser sees it from here."""
        tools, navigator = self._tools, self._tools.navigator
        place = tools.where(where, run)
        room = place.id if isinstance(place, Room) else place.room
        pose = run.robot.pose()
        doors = [d for d in tools.home.doors if room in d.between]
        if not doors:
            raise SkillError(ErrorCode.NOT_FOUND, f"The {room.replace('_', ' ')} has no door that I know.")
        door = min(doors, key=lambda d: math.dist(d.at, (pose.x, pose.y)))
        navigator.turn_to(math.atan2(door.at[1] - pose.y, door.at[0] - pose.x), run, 0.2)
        run.pause(0.15)  # until a scan from here has come
        navigator.see(run.robot.laser())
        is_open = navigator.grid.clearance_at(*door.at) >= navigator.footing.hard_m
        state = "open" if is_open else "closed"
        name = door.id.replace("_", " ")
        return {"text": f"The {name} is {state}.", "answer": state, "state": state, "door": door.id}

    def _place(self, place: Room | Placement, run: Run) -> dict[str, Any]:
        tools = self._tools
        things = see_all(tools, place, run, Wanted("object"), (0.0, 0.7)).items
        people: list[Seen] = []
        if isinstance(place, Room):
            people = see_all(tools, place, run, Wanted("person", person=True), (0.7, 0.95)).items
        names = [f"the {s.name}" for s in things] + [s.name for s in people]
        seen = ", ".join(names) if names else "nothing that I know"
        text = f"At the {place.name} I see {seen}."
        return {
            "text": text,
            "answer": seen,
            "place": place.id,
            "found": [tools.report_of(s) for s in (*things, *people)],
        }

    def _one(self, wanted: Wanted, prop: str, where: Any, run: Run) -> dict[str, Any]:
        tools = self._tools
        named = where if where and str(where).strip().lower() not in ("here", "there") else None
        if wanted.person and not named:
            seen = tools.find_person(wanted, run, (0.0, 0.8))
        else:
            place = tools.where(where, run)
            items = see_all(tools, place, run, wanted, (0.0, 0.9)).items
            # The one who gave the errand is not who is asked about.
            items = [s for s in items if s.id != tools.home.operator.id or wanted.id] or items
            if not items:
                raise SkillError(ErrorCode.NOT_FOUND, f"I do not see {wanted.text} at the {place.name}.")
            spot = place.pose if isinstance(place, Placement) else run.robot.pose()
            seen = min(items, key=lambda s: math.dist(s.position[:2], (spot.x, spot.y)))
        report = tools.report_of(seen)
        if not seen.is_person:
            text = f"The {seen.name} is {seen.colour or 'of unknown colour'}" + (
                f" and stands on the {report['placement'].replace('_', ' ')}." if report["placement"] else "."
            )
            return {"text": text, "answer": text, **report}
        return self._person(seen, report, prop)

    def _person(self, seen: Seen, report: dict[str, Any], prop: str) -> dict[str, Any]:
        attributes = seen.attributes
        facts = {
            "name": seen.name,
            "posture": str(attributes.get("posture") or "unknown"),
            "gesture": str(attributes.get("gesture") or "none").replace("_", " "),
            "clothes": str(attributes.get("clothes") or "unknown clothes"),
            "age": attributes.get("age", 0),
        }
        facts["pose"] = facts["posture"]
        doing = "" if facts["gesture"] == "none" else f", {facts['gesture']}"
        text = f"{seen.name} is {facts['posture']}{doing} and wears a {facts['clothes']}."
        answer = str(facts[prop]) if prop in _PROPERTIES else text
        return {**report, **facts, "text": text, "answer": answer, "person": report["id"]}
