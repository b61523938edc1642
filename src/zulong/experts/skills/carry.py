"""pick, place and hand_over: the base goes where the arm reaches, the gripper acts, and nothing happens twice."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from zulong.apartment import ObjectSpec, Placement, Room
from zulong.experts.choice import size_of
from zulong.experts.navigation.approach import near_point
from zulong.experts.robot import DeviceError, GripperRefusedError, Seen
from zulong.experts.skill import ErrorCode, Run, SkillError, SkillSpec
from zulong.experts.skills.toolbox import TEXT, WHAT, Toolbox, schema
from zulong.experts.views import Sightings, sweep, watch
from zulong.experts.wanted import Wanted, parse_wanted

_ARM_M = 0.88
_HAND_M = 0.95
_EDGE_M = 0.12
_GAP_M = 0.04
_CODES = {
    "OUT_OF_REACH": ErrorCode.OUT_OF_REACH,
    "NOTHING_THERE": ErrorCode.NOT_FOUND,
    "ALREADY_HOLDING": ErrorCode.PRECONDITION_FAILED,
    "NOT_HOLDING": ErrorCode.PRECONDITION_FAILED,
    "OCCUPIED": ErrorCode.BLOCKED,
    "INVALID_REQUEST": ErrorCode.INVALID_ARGUMENTS,
    "UNAVAILABLE": ErrorCode.UNAVAILABLE,
}


def with_gripper(act: Callable[[], Any]) -> Any:
    """Call the gripper and give its refusals the codes of skills.

    Raises:
        SkillError: with the gripper's sentence.
    """
    try:
        return act()
    except GripperRefusedError as error:
        raise SkillError(_CODES.get(error.fault, ErrorCode.INTERNAL), str(error)) from error
    except DeviceError as error:
        raise SkillError(ErrorCode.UNAVAILABLE, str(error)) from error


def held_by_robot(run: Run) -> str:
    """Return the id of what the gripper holds, empty if nothing."""
    held: str = with_gripper(run.robot.held)
    return held


class Pick:
    """Take a thing into the gripper."""

    spec = SkillSpec(
        name="pick",
        description="Pick up a thing that was seen, or that stands at a named place.",
        arguments=schema(("object",), object=WHAT, **{"from": {"type": "string"}}),
        result=schema(
            ("object", "from"), object=TEXT, name={"type": "string"}, **{"from": {"type": "string"}}
        ),
        has_side_effects=True,
        moves_base=True,
        uses_arm=True,
        typical_s=15.0,
        limit_s=180.0,
    )

    def __init__(self, tools: Toolbox) -> None:
        self._tools = tools

    def reconcile(self, arguments: Mapping[str, Any], run: Run) -> dict[str, Any] | None:
        """After a crash in the middle: the result if the thing is in the gripper, None if it has not been taken."""
        wanted = parse_wanted(arguments["object"], self._tools.home)
        held = held_by_robot(run)
        return (
            self._result(held, str(arguments.get("from") or "")) if held and self._is(wanted, held) else None
        )

    def run(self, arguments: Mapping[str, Any], run: Run) -> dict[str, Any]:
        """See :class:`zulong.experts.skill.Skill`."""
        wanted = parse_wanted(arguments["object"], self._tools.home)
        source = str(arguments.get("from") or "").strip()
        held = held_by_robot(run)
        if held and self._is(wanted, held):
            return self._result(held, source)
        if held:
            raise SkillError(
                ErrorCode.PRECONDITION_FAILED,
                f"The gripper holds {held.replace('_', ' ')}; put it down first.",
            )
        seen = self._locate(wanted, source, run)
        at = self._tools.placement_of(seen)
        for reach in (_ARM_M, _ARM_M - 0.12):
            room = self._tools.home.room_at(seen.position[0], seen.position[1])
            goal = near_point(seen.position[0], seen.position[1], reach, room)
            self._tools.navigator.drive_to(goal, run, f"the {seen.name}", (0.3, 0.8))
            seen = self._look_again(wanted, seen, run)
            self._tools.face(seen, run)
            run.report(0.9, f"Grasping the {seen.name}.")
            run.check()
            try:
                taken = with_gripper(partial(run.robot.grasp, seen.id, seen.position))
            except SkillError as error:
                if error.code is ErrorCode.OUT_OF_REACH and reach == _ARM_M:
                    continue
                raise
            return self._result(taken, at.id if at else self._tools.room_id(seen))
        raise SkillError(ErrorCode.OUT_OF_REACH, f"The arm does not reach the {seen.name}.")

    def _is(self, wanted: Wanted, object_id: str) -> bool:
        spec = self._tools.home.find(object_id)
        if not isinstance(spec, ObjectSpec):
            return wanted.id == object_id
        seen = Seen(spec.id, spec.id, spec.category, spec.colour, (0, 0, 0), 1.0, 0.0, {"name": spec.name})
        return wanted.matches(seen)

    def _result(self, object_id: str, source: str) -> dict[str, Any]:
        spec = self._tools.home.find(object_id)
        return {
            "object": object_id,
            "id": object_id,
            "name": getattr(spec, "name", object_id),
            "from": source,
        }

    def _locate(self, wanted: Wanted, source: str, run: Run) -> Seen:
        tools = self._tools
        place = tools.where(source, run) if source else None
        found = Sightings()

        def keep(seen: Seen) -> None:
            if wanted.matches(seen) and (place is None or tools.lies_at(seen, place)):
                found.add(seen)

        run.report(0.05, f"Looking at the {wanted.text}.")
        watch(run, keep, glances=2)
        if not found.items:
            known = tools.remembered(wanted, run)
            if known is not None and (place is None or tools.lies_at(known, place)):
                return known
            if isinstance(place, Placement):
                tools.drive_to_place(place, run, (0.05, 0.3))
                sweep(tools.navigator, run, place, keep, lambda: bool(found.items))
        if not found.items:
            where = f"at the {place.name}" if place else "here"
            raise SkillError(ErrorCode.NOT_FOUND, f"There is no {wanted.text} {where}; look for it first.")
        pose = run.robot.pose()
        return min(found.items, key=lambda s: math.dist(s.position[:2], (pose.x, pose.y)))

    def _look_again(self, wanted: Wanted, last: Seen, run: Run) -> Seen:
        """Where it is now; near furniture a thing may leave the picture, then its last place counts."""
        found: list[Seen] = []
        watch(
            run, lambda s: found.append(s) if wanted.matches(s) and (s.id == last.id or not last.id) else None
        )
        return found[-1] if found else last


class Place:
    """Put down what the gripper holds."""

    spec = SkillSpec(
        name="place",
        description="Put what the gripper holds onto a piece of furniture; a room means the usual place for it there.",
        arguments=schema(("at",), object=WHAT, at=TEXT),
        result=schema(
            ("object", "at"), object=TEXT, at=TEXT, room={"type": "string"}, position={"type": "array"}
        ),
        has_side_effects=True,
        moves_base=True,
        uses_arm=True,
        typical_s=15.0,
        limit_s=180.0,
    )

    def __init__(self, tools: Toolbox) -> None:
        self._tools = tools

    def reconcile(self, arguments: Mapping[str, Any], run: Run) -> dict[str, Any] | None:
        """After a crash in the middle: done if the gripper is empty now, else None (nothing was put down)."""
        if held_by_robot(run):
            return None
        place = self._placement(str(arguments["at"]), "", run)
        return {
            "object": str(arguments.get("object") or ""),
            "at": place.id,
            "room": place.room,
            "position": [],
        }

    def run(self, arguments: Mapping[str, Any], run: Run) -> dict[str, Any]:
        """See :class:`zulong.experts.skill.Skill`."""
        tools = self._tools
        held = held_by_robot(run)
        if not held:
            raise SkillError(ErrorCode.PRECONDITION_FAILED, "The gripper is empty; pick something up first.")
        place = self._placement(str(arguments["at"]), held, run)
        if not place.holds:
            raise SkillError(
                ErrorCode.PRECONDITION_FAILED, f"Nothing can be put on the {place.name}; name another place."
            )
        tools.drive_to_place(place, run, (0.0, 0.5))
        others = Sightings()
        sweep(tools.navigator, run, place, others.add, lambda: False)
        tried = 0
        for x, y in self._free_spots(place, held, others.items, run):
            tried += 1
            room = tools.home.room(place.room)
            tools.navigator.drive_to(near_point(x, y, _ARM_M, room), run, f"the {place.name}", (0.5, 0.85))
            run.report(0.9, f"Putting the {held.replace('_', ' ')} on the {place.name}.")
            run.check()
            try:
                with_gripper(partial(run.robot.release, (x, y, place.height_m)))
            except SkillError as error:
                if error.code in (ErrorCode.BLOCKED, ErrorCode.OUT_OF_REACH) and tried < 4:
                    continue
                raise
            return {
                "object": held, "id": held, "at": place.id, "room": place.room,
                "position": [round(x, 3), round(y, 3), place.height_m],
            }  # fmt: skip
        raise SkillError(
            ErrorCode.BLOCKED, f"There is no free spot on the {place.name} within reach; clear it."
        )

    def _placement(self, name: str, held: str, run: Run) -> Placement:
        place = self._tools.where(name, run)
        if isinstance(place, Placement):
            return place
        return self._usual(place, held)

    def _usual(self, room: Room, held: str) -> Placement:
        """The placement of a room that is the default for the thing's category, else a table, else the nearest."""
        spec = self._tools.home.find(held) if held else None
        category = spec.category if isinstance(spec, ObjectSpec) else ""
        holders = [p for p in self._tools.home.placements_in(room.id) if p.holds]
        if not holders:
            raise SkillError(
                ErrorCode.NOT_FOUND, f"Nothing in the {room.name} can hold things; name a piece of furniture."
            )

        def rank(p: Placement) -> tuple[bool, bool, float]:
            centre = room.centre
            return (
                p.default_for != category or not category,
                not any(word in p.id for word in ("table", "desk", "stand")),
                math.dist((p.pose.x, p.pose.y), (centre.x, centre.y)),
            )

        return min(holders, key=rank)

    def _free_spots(
        self, place: Placement, held: str, others: list[Seen], run: Run
    ) -> list[tuple[float, float]]:
        """Spots near the rim, away from what was seen there, the nearest to the robot first."""
        pose = run.robot.pose()
        c, s = math.cos(place.pose.yaw), math.sin(place.pose.yaw)
        half_x, half_y = place.size[0] / 2 - _EDGE_M, place.size[1] / 2 - _EDGE_M
        spots = []
        for i in range(9):
            for j in range(9):
                a, b = half_x * (i / 4 - 1), half_y * (j / 4 - 1)
                spots.append((place.pose.x + c * a - s * b, place.pose.y + s * a + c * b))
        spec = self._tools.home.find(held)
        own = max(spec.size[:2]) if isinstance(spec, ObjectSpec) else 0.1
        taken = [(o.position, max(size_of(self._tools.home, o)[:2])) for o in others if not o.is_person]
        free = [
            p for p in spots if all(math.dist(p, o[:2]) >= (own + wide) / 2 + _GAP_M for o, wide in taken)
        ]
        return sorted(free, key=lambda p: math.dist(p, (pose.x, pose.y)))


class HandOver:
    """Give what the gripper holds to a person."""

    spec = SkillSpec(
        name="hand_over",
        description="Give what the gripper holds to a person; 'operator' is the one who gave the errand.",
        arguments=schema(("to",), object=WHAT, to=WHAT),
        result=schema(("object", "person"), object=TEXT, person=TEXT),
        has_side_effects=True,
        moves_base=True,
        uses_arm=True,
        typical_s=15.0,
        limit_s=180.0,
    )

    def __init__(self, tools: Toolbox) -> None:
        self._tools = tools

    def reconcile(self, arguments: Mapping[str, Any], run: Run) -> dict[str, Any] | None:
        """After a crash in the middle: done if the gripper is empty now, else None (it is still held)."""
        if held_by_robot(run):
            return None
        return {"object": str(arguments.get("object") or ""), "person": str(arguments["to"])}

    def run(self, arguments: Mapping[str, Any], run: Run) -> dict[str, Any]:
        """See :class:`zulong.experts.skill.Skill`."""
        tools = self._tools
        held = held_by_robot(run)
        if not held:
            raise SkillError(ErrorCode.PRECONDITION_FAILED, "The gripper is empty; pick something up first.")
        person = tools.find_person(parse_wanted(arguments["to"], tools.home), run, (0.0, 0.4))
        for attempt in range(3):
            person = tools.go_to_person(person, run, _HAND_M, (0.4, 0.8))
            run.report(0.85, f"Handing the {held.replace('_', ' ')} to {person.name}.")
            if attempt == 0:
                tools.speak(f"Here is the {held.replace('_', ' ')}.", run)
            try:
                with_gripper(partial(run.robot.give, person.id))
            except SkillError as error:
                if error.code is not ErrorCode.OUT_OF_REACH or attempt == 2:
                    raise
                continue
            return {"object": held, "id": held, "person": person.id, "name": person.name}
        raise SkillError(ErrorCode.OUT_OF_REACH, f"{person.name} is out of reach.")
