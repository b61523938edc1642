"""What a planner hands back: a tree of steps, a question to the user, or a refusal.

All of it is plain data that survives a checkpoint: ``to_dict`` gives mappings, lists, strings and numbers.
Arguments of a step may refer to the result of an earlier one with ``${step_id.key}``; :func:`resolve` fills
them in at run time.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, Literal, Protocol, runtime_checkable

from zulong.agent.htn.assent import assents

Language = Literal["zh", "en"]

_REFERENCE = re.compile(r"\$\{([A-Za-z0-9_]+)\.([A-Za-z0-9_]+)\}")


class UnresolvedReferenceError(KeyError):
    """An argument refers to a result that no finished step has given."""


@dataclass(slots=True, frozen=True)
class Step:
    """One node of a plan: a leaf with a skill, or a parent with children.

    Attributes:
        id: unique in the plan, ``[a-z0-9_]+``.
        title: what is done, in the language of the instruction.
        skill: the skill's name for a leaf, None for a parent.
        arguments: the skill's arguments; strings may hold ``${step_id.key}``.
        depends_on: ids of steps (leaves or parents) that must be completed before this one starts.
        children: the parts of a parent.
        condition: None, or what must hold when the step's turn comes, else it is skipped; see
            :func:`condition_holds` for its form.
        compensation: None, or ``{"skill": ..., "arguments": {...}}`` that undoes this leaf on rollback.
        alternatives: other ways to reach what a parent reaches, best first; used by ``replan``.
    """

    id: str
    title: str
    skill: str | None = None
    arguments: Mapping[str, Any] = field(default_factory=dict)
    depends_on: tuple[str, ...] = ()
    children: tuple[Step, ...] = ()
    condition: Mapping[str, Any] | None = None
    compensation: Mapping[str, Any] | None = None
    alternatives: tuple[tuple[Step, ...], ...] = ()

    def walk(self) -> Iterator[Step]:
        """Yield this step and all below it, parents first; alternatives are not entered."""
        yield self
        for child in self.children:
            yield from child.walk()

    def leaves(self) -> Iterator[Step]:
        """Yield the steps that have a skill, in the order of execution."""
        return (step for step in self.walk() if step.skill is not None)

    def to_dict(self) -> dict[str, Any]:
        """Return plain data; :meth:`from_dict` reads it back."""
        return {
            "id": self.id,
            "title": self.title,
            "skill": self.skill,
            "arguments": dict(self.arguments),
            "depends_on": list(self.depends_on),
            "children": [child.to_dict() for child in self.children],
            "condition": None if self.condition is None else dict(self.condition),
            "compensation": None if self.compensation is None else dict(self.compensation),
            "alternatives": [[step.to_dict() for step in way] for way in self.alternatives],
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Step:
        """Read what :meth:`to_dict` wrote."""
        return cls(
            id=data["id"],
            title=data["title"],
            skill=data.get("skill"),
            arguments=dict(data.get("arguments") or {}),
            depends_on=tuple(data.get("depends_on") or ()),
            children=tuple(cls.from_dict(child) for child in data.get("children") or ()),
            condition=data.get("condition"),
            compensation=data.get("compensation"),
            alternatives=tuple(
                tuple(cls.from_dict(step) for step in way) for way in data.get("alternatives") or ()
            ),
        )


@dataclass(slots=True, frozen=True)
class Plan:
    """The instruction is understood and the robot has the skills for it.

    Attributes:
        steps: the top level, in order; what may run in parallel has no dependency on each other.
        language: the language of the instruction, and of titles and summary.
        summary: one sentence that says what the robot is going to do.
        context: the dialogue after this turn; give it with the next instruction.
    """

    steps: tuple[Step, ...]
    language: Language
    summary: str
    context: Mapping[str, Any] = field(default_factory=dict)

    def walk(self) -> Iterator[Step]:
        """Yield every step, parents first."""
        for step in self.steps:
            yield from step.walk()

    def leaves(self) -> tuple[Step, ...]:
        """Return the steps that have a skill, in the order of execution."""
        return tuple(leaf for step in self.steps for leaf in step.leaves())

    def to_dict(self) -> dict[str, Any]:
        """Return plain data; :meth:`from_dict` reads it back."""
        return {
            "steps": [step.to_dict() for step in self.steps],
            "language": self.language,
            "summary": self.summary,
            "context": dict(self.context),
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Plan:
        """Read what :meth:`to_dict` wrote."""
        return cls(
            steps=tuple(Step.from_dict(step) for step in data["steps"]),
            language=data["language"],
            summary=data["summary"],
            context=dict(data.get("context") or {}),
        )


@dataclass(slots=True, frozen=True)
class Question:
    """Something is missing or has two readings: ask, wait, and plan again with the answer and ``context``.

    Attributes:
        text: the question, in the language of the instruction.
        slot: what is missing: ``object``, ``place``, ``person``, ``text``, ``confirmation``, ...
        options: the possible answers as the user would say them; empty when open.
    """

    text: str
    slot: str
    options: tuple[str, ...] = ()
    language: Language = "en"
    context: Mapping[str, Any] = field(default_factory=dict)


@dataclass(slots=True, frozen=True)
class Refusal:
    """The robot will not or cannot do it.

    Attributes:
        code: ``missing_skill``, ``dangerous``, ``unknown_object``, ``unknown_place``, ``unknown_person``,
            ``contradiction``, ``not_understood`` or ``no_way_left``.
        text: one honest sentence in the language of the instruction that says why and what would help.
        missing: the name of the skill or thing that is missing, "" when nothing is.
    """

    code: str
    text: str
    missing: str = ""
    language: Language = "en"
    context: Mapping[str, Any] = field(default_factory=dict)


PlanResult = Plan | Question | Refusal


@runtime_checkable
class WorldView(Protocol):
    """What the robot knows about where it is: names from its map, and beliefs that change as it looks around.

    The mappings are keyed by id (``kitchen_table``) and hold plain mappings with the keys of
    ``config/apartment.yaml``: a room has ``name``; a placement ``name``, ``room``, ``kind``; an object
    ``name``, ``category``, ``colour``, ``size``; a category ``singular``, ``plural``; a person ``name``.
    """

    @property
    def rooms(self) -> Mapping[str, Mapping[str, Any]]: ...

    @property
    def placements(self) -> Mapping[str, Mapping[str, Any]]: ...

    @property
    def objects(self) -> Mapping[str, Mapping[str, Any]]: ...

    @property
    def categories(self) -> Mapping[str, Mapping[str, Any]]: ...

    @property
    def people(self) -> Mapping[str, Mapping[str, Any]]: ...

    def location_of(self, thing_id: str) -> str | None:
        """Return the id of the placement or room where a thing or person is believed to be, else None."""

    def holding(self) -> str | None:
        """Return the id of the object in the gripper, None when it is empty."""

    def facts(self) -> Mapping[str, Any]:
        """Return other beliefs by dotted name: ``{"battery.percent": 80, "door.state": "closed"}``."""


def clock(now: datetime) -> dict[str, str]:
    """Return what ``${clock.time}`` and its like stand for at this moment, in local time."""
    tomorrow = now + timedelta(days=1)
    zh_days = "一二三四五六日"
    return {
        "time": f"{now:%H:%M}",
        "day": str(now.day),
        "date_en": f"{_WEEKDAYS[now.weekday()]}, {now.day} {_MONTHS[now.month - 1]} {now.year}",
        "date_zh": f"{now.year}年{now.month}月{now.day}日，星期{zh_days[now.weekday()]}",
        "tomorrow_en": f"{_WEEKDAYS[tomorrow.weekday()]}, {tomorrow.day} {_MONTHS[tomorrow.month - 1]} {tomorrow.year}",
        "tomorrow_zh": f"{tomorrow.year}年{tomorrow.month}月{tomorrow.day}日，星期{zh_days[tomorrow.weekday()]}",
        "weekday_en": _WEEKDAYS[now.weekday()],
        "weekday_zh": f"星期{zh_days[now.weekday()]}",
    }


_WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
    "December",
)  # fmt: skip


def resolve(arguments: Mapping[str, Any], results: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    """Return ``arguments`` with every ``${step_id.key}`` replaced by that result.

    ``${clock.time}``, ``${clock.date_en}`` and the other keys of :func:`clock` are the time of this call, unless
    ``results`` has an entry ``clock``.

    A string that is one reference becomes the value itself with its type; inside a longer string it becomes
    text.

    Raises:
        UnresolvedReferenceError: the step has no result, or its result has no such key.
    """
    if "clock" not in results and "${clock." in repr(arguments):
        results = {**results, "clock": clock(datetime.now().astimezone())}
    return {name: _resolve_value(value, results) for name, value in arguments.items()}


def _resolve_value(value: Any, results: Mapping[str, Mapping[str, Any]]) -> Any:
    if isinstance(value, str):
        whole = _REFERENCE.fullmatch(value)
        if whole:
            return _look_up(whole, results)
        return _REFERENCE.sub(lambda match: str(_look_up(match, results)), value)
    if isinstance(value, Mapping):
        return {key: _resolve_value(item, results) for key, item in value.items()}
    if isinstance(value, Sequence):
        return [_resolve_value(item, results) for item in value]
    return value


def _look_up(match: re.Match[str], results: Mapping[str, Mapping[str, Any]]) -> Any:
    step_id, key = match.groups()
    result = results.get(step_id)
    if result is None or key not in result:
        if result is not None and key == "thing" and "answer" in result:
            raise UnresolvedReferenceError(f"The answer “{result['answer']}” names no one thing that I know.")
        known = ", ".join(sorted(results)) or "none"
        raise UnresolvedReferenceError(
            f"Result {step_id}.{key} is not there; finished steps: {known}. Run {step_id} before its user."
        )
    return result[key]


def rename_references(value: Any, names: Mapping[str, str]) -> Any:
    """Return ``value`` with the step ids inside ``${step_id.key}`` replaced as ``names`` says."""
    if isinstance(value, str):
        return _REFERENCE.sub(lambda m: f"${{{names.get(m.group(1), m.group(1))}.{m.group(2)}}}", value)
    if isinstance(value, Mapping):
        return {key: rename_references(item, names) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [rename_references(item, names) for item in value]
    return value


_COMPARISONS: Mapping[str, Callable[[Any, Any], bool]] = {
    "==": lambda a, b: a == b,
    "!=": lambda a, b: a != b,
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b,
    "assents": lambda a, b: assents(str(a)) is b,
}
CONDITION_OPERATORS = tuple(_COMPARISONS)
"""What a condition may compare with; ``assents`` takes an answer and whether it must say yes."""


def condition_holds(
    condition: Mapping[str, Any] | None,
    results: Mapping[str, Mapping[str, Any]],
    facts: Mapping[str, Any] | None = None,
) -> bool:
    """Return whether a step with this condition may run.

    The form is ``{"left": value, "op": "==", "right": value}`` where a value is a literal, a
    ``${step_id.key}`` or ``{"fact": "battery.percent"}``; ``op`` is one of ``== != < <= > >=``, or ``assents``
    for an answer that must say yes (``right`` true) or no (``right`` false). None always holds. What cannot be
    known (no such result or fact, or kinds that do not compare) does not hold: an uncertain robot does not act.
    """
    if condition is None:
        return True
    try:
        left = _condition_value(condition["left"], results, facts or {})
        right = _condition_value(condition["right"], results, facts or {})
        return bool(_COMPARISONS[condition["op"]](left, right))
    except (UnresolvedReferenceError, KeyError, TypeError):
        return False


def _condition_value(value: Any, results: Mapping[str, Mapping[str, Any]], facts: Mapping[str, Any]) -> Any:
    if isinstance(value, Mapping) and "fact" in value:
        return facts[value["fact"]]
    return _resolve_value(value, results)
