"""go_to and wait."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from zulong.apartment import normal_key
from zulong.experts.navigation.approach import beside_person
from zulong.experts.skill import Run, SkillSpec
from zulong.experts.skills.toolbox import HERE, TEXT, Toolbox, schema
from zulong.experts.wanted import OPERATOR_WORDS

_OPERATOR_M = 1.0


class GoTo:
    """Drive to a room, to a piece of furniture, or to where the errand was given."""

    spec = SkillSpec(
        name="go_to",
        description="Drive to a room or a piece of furniture and face it; 'operator' is where the errand was given.",
        arguments=schema(("place",), place=TEXT),
        result=schema(
            ("place", "room", "position", "yaw"),
            place=TEXT,
            room={"type": "string"},
            position={"type": "array"},
            yaw={"type": "number"},
        ),
        moves_base=True,
        typical_s=20.0,
        limit_s=180.0,
    )

    def __init__(self, tools: Toolbox) -> None:
        self._tools = tools

    def run(self, arguments: Mapping[str, Any], run: Run) -> dict[str, Any]:
        """See :class:`zulong.experts.skill.Skill`."""
        tools, name = self._tools, str(arguments["place"])
        key = normal_key(name)
        if key in OPERATOR_WORDS:
            spot = tools.home.operator.pose
            tools.navigator.drive_to(
                beside_person(spot.x, spot.y, _OPERATOR_M), run, "the place where the errand was given"
            )
            place_id = tools.home.operator.id
        elif key in ("dock", "charging_station"):
            dock = tools.home.robot_dock
            tools.navigator.drive_to(lambda grid, pose: dock, run, "the charging dock")
            place_id = "dock"
        elif key in HERE:
            place_id = tools.where("", run).id
        else:
            place = tools.where(name, run)
            tools.drive_to_place(place, run)
            place_id = place.id
        pose = run.robot.pose()
        room = tools.home.room_at(pose.x, pose.y)
        return {
            "place": place_id,
            "room": room.id if room else "",
            "position": [round(pose.x, 3), round(pose.y, 3)],
            "yaw": round(math.remainder(pose.yaw, math.tau), 3),
        }


class Wait:
    """Let time pass."""

    spec = SkillSpec(
        name="wait",
        description="Wait for some seconds.",
        arguments=schema(("seconds",), seconds={"type": "number", "minimum": 0, "maximum": 3600}),
        result=schema(("seconds",), seconds={"type": "number"}),
        typical_s=5.0,
        limit_s=3700.0,
    )

    def run(self, arguments: Mapping[str, Any], run: Run) -> dict[str, Any]:
        """See :class:`zulong.experts.skill.Skill`."""
        seconds = float(arguments["seconds"])
        end = run.robot.clock_s() + seconds
        while (left := end - run.robot.clock_s()) > 0:
            run.report(1.0 - left / seconds, f"Waiting; {left:.0f} s left.")
            run.pause(min(left, 0.5))
        return {"seconds": seconds}
