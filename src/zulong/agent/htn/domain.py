"""The planning domain of ``config/skills.yaml``: skills, tasks and their methods."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from zulong.resources import config_path, read_yaml


class DomainError(ValueError):
    """The domain file does not have the expected form; the message names the entry and what to write."""


@dataclass(slots=True, frozen=True)
class Skill:
    """What the robot can do in one go.

    Attributes:
        arguments: their names, in order.
        needs, effects: over ``robot_at``, ``hand`` and ``facing``.
        undo: ``{"skill", "arguments"}`` that compensates, or None.
        title: a template for each language.
    """

    name: str
    arguments: tuple[str, ...]
    needs: Mapping[str, Any]
    effects: Mapping[str, Any]
    undo: Mapping[str, Any] | None
    title: Mapping[str, str]


@dataclass(slots=True, frozen=True)
class Call:
    """One entry of a method: a skill or task with its arguments, and the label of its result."""

    name: str
    arguments: Mapping[str, Any]
    label: str = ""


@dataclass(slots=True, frozen=True)
class Method:
    """One way to do a task: applicable when ``when`` holds, once for each value of ``for_each``."""

    name: str
    when: Mapping[str, Any]
    for_each: Mapping[str, str]
    steps: tuple[Call, ...]


@dataclass(slots=True, frozen=True)
class Task:
    """What an errand is made of; the methods are alternatives in order."""

    name: str
    methods: tuple[Method, ...]
    title: Mapping[str, str] = field(default_factory=dict)


@dataclass(slots=True, frozen=True)
class Domain:
    """Skills and tasks by name, where things usually are, and what the robot says of itself."""

    skills: Mapping[str, Skill]
    tasks: Mapping[str, Task]
    usual_places: Mapping[str, tuple[str, ...]]
    identity: Mapping[str, Mapping[str, str]]

    @classmethod
    def load(cls, path: Path | None = None) -> Domain:
        """Read a domain file, by default ``config/skills.yaml``.

        Raises:
            DomainError: something is missing, or a method calls what is neither a skill nor a task.
        """
        return cls.from_mapping(read_yaml(path or config_path("skills.yaml")))

    @classmethod
    def from_mapping(cls, data: Mapping[str, Any]) -> Domain:
        """Build the domain from the mapping of a file; see :meth:`load`."""
        for section in ("skills", "tasks", "identity"):
            if not isinstance(data.get(section), Mapping):
                raise DomainError(
                    f"Domain section {section!r} is missing or is not a mapping; see skills.yaml."
                )
        skills = {name: _skill(name, entry) for name, entry in data["skills"].items()}
        tasks = {name: _task(name, entry, skills, data["tasks"]) for name, entry in data["tasks"].items()}
        usual = {name: tuple(places) for name, places in (data.get("usual_places") or {}).items()}
        return cls(skills, tasks, usual, data["identity"])


def _skill(name: str, entry: Mapping[str, Any]) -> Skill:
    if not isinstance(entry, Mapping) or not isinstance(entry.get("arguments"), list):
        raise DomainError(f"Skill {name!r} needs a list `arguments`.")
    return Skill(
        name=name,
        arguments=tuple(entry["arguments"]),
        needs=entry.get("needs") or {},
        effects=entry.get("effects") or {},
        undo=entry.get("undo"),
        title=entry.get("title") or {},
    )


def _task(name: str, entry: Mapping[str, Any], skills: Mapping[str, Any], tasks: Mapping[str, Any]) -> Task:
    methods: list[Method] = []
    for number, method in enumerate(entry.get("methods") or (), 1):
        calls: list[Call] = []
        for step in method.get("steps") or ():
            names = [key for key in step if key != "as"]
            if len(names) != 1 or (names[0] not in skills and names[0] not in tasks):
                raise DomainError(
                    f"Task {name!r}, method {number}: {step!r} must call one known skill or task, "
                    "like {go_to: {place: $place}}."
                )
            calls.append(Call(names[0], step[names[0]] or {}, str(step.get("as") or "")))
        methods.append(
            Method(
                name=str(method.get("name") or f"method {number}"),
                when=method.get("when") or {},
                for_each=method.get("for_each") or {},
                steps=tuple(calls),
            )
        )
    if not methods:
        raise DomainError(f"Task {name!r} has no methods; give it at least one with `steps`.")
    return Task(name, tuple(methods), entry.get("title") or {})
