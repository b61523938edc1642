"""follow and guide: going somewhere together with a person."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from zulong.apartment import Placement, Pose2D, Room
from zulong.experts.navigation.approach import at_place, beside_person
from zulong.experts.navigation.navigator import Navigator
from zulong.experts.robot import Seen
from zulong.experts.skill import ErrorCode, Run, SkillError, SkillSpec
from zulong.experts.skills.toolbox import WHAT, Toolbox, schema
from zulong.experts.views import look_around, watch
from zulong.experts.wanted import Wanted, parse_wanted

_FOLLOW_M = 1.1
_STILL_S = 4.0
_STILL_M = 0.35
_LOST_S = 3.0
_TOGETHER_M = 2.6
_GUIDE_MPS = 0.45


class Follow:
    """Go after a person until they stand still (at ``to``, if it is given)."""

    spec = SkillSpec(
        name="follow",
        description="Follow a person who walks, until they stop; with `to`, until they have arrived there.",
        arguments=schema(("person",), person=WHAT, to={"type": "string"}),
        result=schema(
            ("person", "place"),
            person={"type": "string"},
            place={"type": "string"},
            position={"type": "array"},
        ),
        moves_base=True,
        typical_s=40.0,
        limit_s=240.0,
    )

    def __init__(self, tools: Toolbox) -> None:
        self._tools = tools

    def run(self, arguments: Mapping[str, Any], run: Run) -> dict[str, Any]:
        """See :class:`zulong.experts.skill.Skill`."""
        tools = self._tools
        goal = tools.where(arguments["to"], run) if arguments.get("to") else None
        person = tools.find_person(parse_wanted(arguments["person"], tools.home), run, (0.0, 0.2))
        person = tools.go_to_person(person, run, _FOLLOW_M, (0.2, 0.3))
        tools.speak(f"{person.name}, I will follow you" + (f" to the {goal.name}." if goal else "."), run)
        start = person
        still_since = run.robot.clock_s() + 4.0  # time to set off
        set_off, gave_way = False, 0
        while True:
            person, moved = self._keep_up(person, goal, run)
            now = run.robot.clock_s()
            if moved:
                still_since, set_off = now, True
            if not set_off and now - still_since > 0.0 and gave_way < 2:
                gave_way += 1
                self._give_way(person, run)
                still_since = run.robot.clock_s() + 2.0
                continue
            if now - still_since > _STILL_S:
                arrived = goal is None or tools.lies_at(person, goal) or _beside(person, goal)
                if arrived:
                    break
                if now - still_since > 4 * _STILL_S:
                    raise SkillError(
                        ErrorCode.BLOCKED,
                        f"{person.name} stopped before the {goal.name if goal else 'goal'}.",
                    )
            travelled = math.dist(start.position[:2], person.position[:2])
            run.report(0.3 + 0.6 * min(1.0, travelled / 8.0), f"Following {person.name}.")
        room = tools.room_id(person)
        place = goal.id if goal else room
        return {
            "person": person.id,
            "name": person.name,
            "place": place,
            "room": room,
            "position": [round(v, 2) for v in person.position],
        }

    def _keep_up(self, person: Seen, goal: Room | Placement | None, run: Run) -> tuple[Seen, bool]:
        """See where the person is, close up if they are far; whether they have moved."""
        tools = self._tools
        newest = self._see(person, goal, run)
        moved = math.dist(newest.position[:2], person.position[:2]) > _STILL_M
        pose = run.robot.pose()
        if math.dist(newest.position[:2], (pose.x, pose.y)) > _FOLLOW_M + 0.35:
            live = _Live(newest, run)
            follower = Navigator(
                tools.home,
                tools.navigator.limits,
                tools.navigator.footing,
                replace(tools.navigator.config, replan_s=0.6, arrive_m=0.25, arrive_rad=0.3),
            )
            follower.drive_to(live.choose, run, newest.name, (0.3, 0.9), goal_moves=True)
            return (live.newest if moved or live.moved else person), moved or live.moved
        tools.face(newest, run)
        run.pause(0.2)
        return (newest if moved else person), moved

    def _give_way(self, person: Seen, run: Run) -> None:
        """The person does not set off: perhaps the robot bars the way. Go where there is room, and face them."""
        room = self._tools.home.room_at(run.robot.pose().x, run.robot.pose().y)
        if room is not None:
            self._tools.drive_to_place(room, run, (0.3, 0.3))
            self._tools.face(person, run)

    def _search(
        self,
        person: Seen,
        goal: Room | Placement | None,
        run: Run,
        keep: Callable[[Seen], None],
        enough: Callable[[], bool],
    ) -> None:
        """Out of sight, round a corner: look where they were last, then where they were going to."""
        tools = self._tools
        last = tools.remembered(Wanted(person.name, person=True, id=person.id), run) or person
        stops = [beside_person(last.position[0], last.position[1], 0.6)]
        if goal is not None:
            stops.append(at_place(tools.home, goal))
        for chooser in stops:
            tools.navigator.drive_to(chooser, run, f"where {person.name} went", (0.3, 0.9))
            look_around(tools.navigator, run, keep, enough)
            if enough():
                return

    def _see(self, person: Seen, goal: Room | Placement | None, run: Run) -> Seen:
        wanted = Wanted(person.name, person=True, id=person.id)
        seen: list[Seen] = []

        def keep(s: Seen) -> None:
            if wanted.matches(s):
                seen.append(s)

        watch(run, keep, glances=2)
        if not seen:
            look_around(self._tools.navigator, run, keep, lambda: bool(seen))
        if not seen:
            self._search(person, goal, run, keep, lambda: bool(seen))
        if not seen:
            raise SkillError(ErrorCode.NOT_FOUND, f"I lost {person.name}.")
        return seen[-1]


class _Live:
    """A goal that walks: beside where the person was seen last."""

    def __init__(self, person: Seen, run: Run) -> None:
        self.newest, self._run, self._first = person, run, person

    @property
    def moved(self) -> bool:
        return math.dist(self.newest.position[:2], self._first.position[:2]) > _STILL_M

    def choose(self, grid: Any, pose: Pose2D) -> Pose2D | None:
        for seen in self._run.robot.remembered():
            if seen.id == self.newest.id and seen.seen_s > self.newest.seen_s:
                self.newest = seen
        x, y, _ = self.newest.position
        return beside_person(x, y, _FOLLOW_M)(grid, pose)


class Guide:
    """Lead a person to a place, waiting for them on the way."""

    spec = SkillSpec(
        name="guide",
        description="Lead a person to a room or a piece of furniture and wait for them on the way.",
        arguments=schema(("person", "to"), person=WHAT, to={"type": "string", "minLength": 1}),
        result=schema(("person", "place"), person={"type": "string"}, place={"type": "string"}),
        moves_base=True,
        typical_s=50.0,
        limit_s=300.0,
    )

    def __init__(self, tools: Toolbox) -> None:
        self._tools = tools

    def run(self, arguments: Mapping[str, Any], run: Run) -> dict[str, Any]:
        """See :class:`zulong.experts.skill.Skill`."""
        tools = self._tools
        goal = tools.where(arguments["to"], run)
        person = tools.find_person(parse_wanted(arguments["person"], tools.home), run, (0.0, 0.15))
        person = tools.go_to_person(person, run, _FOLLOW_M, (0.15, 0.25))
        tools.speak(f"{person.name}, please follow me to the {goal.name}.", run)
        run.pause(1.5)
        self._lead(goal, run)
        follower = self._turn_to(person, run)
        tools.speak(f"{follower.name}, we have arrived at the {goal.name}.", run)
        return {
            "person": follower.id,
            "name": follower.name,
            "place": goal.id,
            "room": tools.room_id(follower),
        }

    def _lead(self, goal: Room | Placement, run: Run) -> None:
        tools = self._tools
        slow = Navigator(
            tools.home,
            replace(tools.navigator.limits, linear_mps=_GUIDE_MPS),
            tools.navigator.footing,
            tools.navigator.config,
        )
        gate = _Together(slow, run)
        slow.drive_to(at_place(tools.home, goal), run, f"the {goal.name}", (0.25, 0.9), may_go=gate.may_go)

    def _turn_to(self, person: Seen, run: Run) -> Seen:
        wanted = Wanted(person.name, person=True, id=person.id)
        seen: list[Seen] = []
        for _ in range(3):
            pose = run.robot.pose()

            def near(s: Seen, x: float = pose.x, y: float = pose.y) -> None:
                if wanted.matches(s) and math.dist(s.position[:2], (x, y)) < 3.5:
                    seen.append(s)

            look_around(self._tools.navigator, run, near, lambda: bool(seen))
            if seen:
                return seen[-1]
            run.pause(2.0)
        raise SkillError(ErrorCode.NOT_FOUND, f"{person.name} did not come along; I lost them on the way.")


class _Together:
    """Whether somebody is close by, as far as the laser tells: new things within some metres behind."""

    def __init__(self, navigator: Navigator, run: Run) -> None:
        self._navigator, self._run = navigator, run
        self._near_s = run.robot.clock_s()
        self._called_s = -math.inf

    def may_go(self) -> bool:
        now = self._run.robot.clock_s()
        view = self._run.robot.laser()
        points = self._navigator.new_things(view)
        near = [p for p in points if math.dist(p, (view.pose.x, view.pose.y)) < _TOGETHER_M]
        if near:
            self._near_s = now
        alone_s = now - self._near_s
        if alone_s > 25.0:
            raise SkillError(ErrorCode.NOT_FOUND, "Nobody follows me any more.")
        if alone_s > 6.0 and now - self._called_s > 8.0:
            self._called_s = now
            self._run.robot.say("Please come with me, I am waiting.", "en", self._run.latch)
        return alone_s < _LOST_S


def _beside(person: Seen, place: Room | Placement) -> bool:
    if isinstance(place, Room):
        return place.contains(person.position[0], person.position[1])
    return math.dist(person.position[:2], (place.pose.x, place.pose.y)) < max(place.size) / 2 + 2.0
