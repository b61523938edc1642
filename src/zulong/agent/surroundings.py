"""What to do with a task that was interrupted, by comparing the surroundings before and after.

Emergency first, the user's words second, changed surroundings third, progress last: the first row of
:data:`RULES` that applies decides.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from math import hypot
from typing import Any

from zulong.agent.said_meanwhile import Said, what_was_said


class Decision(str, Enum):
    """What becomes of the interrupted task."""

    ABORT = "abort"
    REPLAN = "replan"
    RESUME = "resume"
    MERGE = "merge"


@dataclass(slots=True, frozen=True)
class Surroundings:
    """What the robot and the world looked like at a moment; plain values.

    Attributes:
        position_m: (x, y) in the map frame, None when unknown.
        room: id of the room, "" when unknown.
        holding: id of the object in the gripper, "" when empty.
        objects: where each known thing is believed to be.
        people: the people in view, by id, with where.
        battery: charge 0..1, None when unknown.
        hazards: names of present hazards (gas, tilt, fire, ...).
        stamp_s: seconds on the steady clock.
    """

    position_m: tuple[float, float] | None = None
    room: str = ""
    holding: str = ""
    objects: Mapping[str, str] = field(default_factory=dict)
    people: Mapping[str, str] = field(default_factory=dict)
    battery: float | None = None
    hazards: tuple[str, ...] = ()
    stamp_s: float = 0.0

    def to_dict(self) -> dict[str, Any]:
        """Return plain data; :meth:`from_dict` reads it back."""
        return {
            "position_m": list(self.position_m) if self.position_m else None,
            "room": self.room,
            "holding": self.holding,
            "objects": dict(self.objects),
            "people": dict(self.people),
            "battery": self.battery,
            "hazards": list(self.hazards),
            "stamp_s": self.stamp_s,
        }

    @classmethod
    def from_dict(cls, plain: Mapping[str, Any]) -> Surroundings:
        """Read what :meth:`to_dict` wrote."""
        position = plain.get("position_m")
        return cls(
            position_m=(float(position[0]), float(position[1])) if position else None,
            room=str(plain.get("room", "")),
            holding=str(plain.get("holding", "")),
            objects=dict(plain.get("objects") or {}),
            people=dict(plain.get("people") or {}),
            battery=plain.get("battery"),
            hazards=tuple(plain.get("hazards") or ()),
            stamp_s=float(plain.get("stamp_s", 0.0)),
        )


@dataclass(slots=True, frozen=True)
class InterruptionLimits:
    """When surroundings count as changed; section ``surroundings`` of ``config/agent.yaml``.

    Attributes:
        moved_m: how far the robot may be from where it was before it counts as displaced.
        stale_s: how long an interruption may last before the plan is looked at again.
        low_battery: charge (0..1) below which no task goes on.
    """

    moved_m: float = 1.0
    stale_s: float = 600.0
    low_battery: float = 0.1


@dataclass(slots=True, frozen=True)
class Interruption:
    """Everything the rules look at.

    Attributes:
        before: when the task was interrupted.
        after: now.
        concerns: ids (objects, places, people) that the open part of the task is about.
        progress: fraction of the task's leaves that are done.
        words: what the user said meanwhile, "" when nothing.
        limits: what counts as changed.
    """

    before: Surroundings
    after: Surroundings
    concerns: frozenset[str] = frozenset()
    progress: float = 0.0
    words: str = ""
    limits: InterruptionLimits = field(default_factory=InterruptionLimits)


@dataclass(slots=True, frozen=True)
class Verdict:
    """The decision, the rule that made it, and the reason in words."""

    decision: Decision
    rule: str
    reason: str

    def to_dict(self) -> dict[str, str]:
        """Return plain data for the event stream."""
        return {"decision": self.decision.value, "rule": self.rule, "reason": self.reason}


def _emergency(i: Interruption) -> str:
    return f"Danger: {', '.join(i.after.hazards)}." if i.after.hazards else ""


def _empty_battery(i: Interruption) -> str:
    low = i.after.battery is not None and i.after.battery < i.limits.low_battery
    return f"The battery is at {i.after.battery:.0%}." if low else ""


def _said_abort(i: Interruption) -> str:
    return f"The user said: {i.words}" if what_was_said(i.words) is Said.STOP else ""


def _said_change(i: Interruption) -> str:
    return f"The user changed the task: {i.words}" if what_was_said(i.words) is Said.CHANGE else ""


def _said_resume(i: Interruption) -> str:
    return f"The user said: {i.words}" if what_was_said(i.words) is Said.GO_ON else ""


def _said_more(i: Interruption) -> str:
    return f"The user added: {i.words}" if what_was_said(i.words) is Said.MORE else ""


def _dropped(i: Interruption) -> str:
    if i.before.holding == i.after.holding:
        return ""
    if not i.before.holding:
        return f"{i.after.holding} is in the gripper, which was empty."
    return f"{i.before.holding} is no longer in the gripper."


def _thing_moved(i: Interruption) -> str:
    for thing in sorted(i.concerns):
        was, now = i.before.objects.get(thing), i.after.objects.get(thing)
        if was is not None and was != now:
            return f"{thing} was at {was} and is {'at ' + now if now else 'gone'}."
    return ""


def _person_moved(i: Interruption) -> str:
    for person in sorted(i.concerns):
        was, now = i.before.people.get(person), i.after.people.get(person)
        if was is not None and was != now:
            return f"{person} was in {was} and is {'in ' + now if now else 'out of sight'}."
    return ""


def _displaced(i: Interruption) -> str:
    if i.before.room and i.after.room and i.before.room != i.after.room:
        return f"The robot was in {i.before.room} and is in {i.after.room}."
    a, b = i.before.position_m, i.after.position_m
    distance = hypot(a[0] - b[0], a[1] - b[1]) if a and b else 0.0
    return f"The robot stands {distance:.1f} m from where it was." if distance > i.limits.moved_m else ""


def _stale(i: Interruption) -> str:
    passed = i.after.stamp_s - i.before.stamp_s
    if passed < 0 < i.after.stamp_s:
        return "The machine was restarted meanwhile, and nobody knows how long that took."
    return (
        f"The interruption lasted {passed:.0f} s." if passed > i.limits.stale_s and i.progress < 1.0 else ""
    )


def _unchanged(i: Interruption) -> str:
    return f"Nothing that matters changed; {i.progress:.0%} of the task is done."


# (name, decision, test): the test returns the reason in words, "" when the rule does not apply.
RULES: tuple[tuple[str, Decision, Callable[[Interruption], str]], ...] = (
    ("emergency", Decision.ABORT, _emergency),
    ("battery", Decision.ABORT, _empty_battery),
    ("user says change", Decision.REPLAN, _said_change),
    ("user says stop", Decision.ABORT, _said_abort),
    ("user says go on", Decision.RESUME, _said_resume),
    ("user adds", Decision.MERGE, _said_more),
    ("gripper", Decision.REPLAN, _dropped),
    ("thing moved", Decision.REPLAN, _thing_moved),
    ("person moved", Decision.REPLAN, _person_moved),
    ("robot moved", Decision.REPLAN, _displaced),
    ("too long", Decision.REPLAN, _stale),
    ("nothing changed", Decision.RESUME, _unchanged),
)


def decide(interruption: Interruption) -> Verdict:
    """Return what becomes of an interrupted task: the first rule that applies."""
    for name, decision, test in RULES:
        reason = test(interruption)
        if reason:
            return Verdict(decision, name, reason)
    raise AssertionError("The last rule always applies.")
