"""A world view from a map file, with beliefs that are handed in."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from zulong.resources import config_path, read_yaml


class WorldError(ValueError):
    """The map file does not have the expected form; the message names the entry."""


@dataclass(slots=True, frozen=True)
class MapWorld:
    """The names of a map and what is believed about it; implements ``WorldView``.

    Attributes:
        beliefs: where things and people are believed to be: their id -> id of a placement or room.
        held: id of the object in the gripper.
        known_facts: other beliefs by dotted name.
    """

    rooms: Mapping[str, Mapping[str, Any]]
    placements: Mapping[str, Mapping[str, Any]]
    objects: Mapping[str, Mapping[str, Any]]
    categories: Mapping[str, Mapping[str, Any]]
    people: Mapping[str, Mapping[str, Any]]
    beliefs: Mapping[str, str] = field(default_factory=dict)
    held: str | None = None
    known_facts: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def load(cls, path: Path | None = None) -> MapWorld:
        """Read a map, by default ``config/apartment.yaml``.

        Only names are taken: where its things and people really are is for the robot to find out.

        Raises:
            WorldError: a section is missing or an entry has no id or name.
        """
        return cls.from_mapping(read_yaml(path or config_path("apartment.yaml")))

    @classmethod
    def from_mapping(cls, data: Mapping[str, Any]) -> MapWorld:
        """Build the view from the mapping of a map file; see :meth:`load`."""
        if not isinstance(data, Mapping):
            raise WorldError("A map is a mapping of sections; see config/apartment.yaml for the form.")
        return cls(
            rooms=_section(data, "rooms", ("name",)),
            placements=_section(data, "placements", ("name", "room")),
            objects=_section(data, "objects", ("name", "category")),
            categories=_section(data, "categories", ("singular", "plural")),
            people=_section(data, "people", ("name",)),
        )

    def location_of(self, thing_id: str) -> str | None:
        """Return where the thing or person is believed to be, None if unknown."""
        return self.beliefs.get(thing_id)

    def holding(self) -> str | None:
        """Return the id of the object in the gripper."""
        return self.held

    def facts(self) -> Mapping[str, Any]:
        """Return the other beliefs."""
        return self.known_facts

    def believing(
        self,
        beliefs: Mapping[str, str] | None = None,
        *,
        held: str | None = None,
        facts: Mapping[str, Any] | None = None,
    ) -> MapWorld:
        """Return the same world with these beliefs added."""
        return replace(
            self,
            beliefs={**self.beliefs, **(beliefs or {})},
            held=held if held is not None else self.held,
            known_facts={**self.known_facts, **(facts or {})},
        )


# What else a map says about a thing is kept; the truth about where it stands is not.
_TRUTH = frozenset(("at", "offset", "pose", "posture", "gesture", "clothes", "on", "route", "knows"))


def _section(data: Mapping[str, Any], name: str, needed: tuple[str, ...]) -> dict[str, dict[str, Any]]:
    entries = data.get(name)
    if not isinstance(entries, list):
        raise WorldError(
            f"Map section {name!r} is missing or is not a list; see config/apartment.yaml for the form."
        )
    section: dict[str, dict[str, Any]] = {}
    for entry in entries:
        if not isinstance(entry, Mapping):
            raise WorldError(f"Map entry {entry!r} in {name!r} is not a mapping; give it an id.")
        missing = [key for key in ("id", *needed) if key not in entry]
        if missing:
            raise WorldError(f"Map entry {entry!r} in {name!r} has no {missing[0]!r}; add it.")
        drop = _TRUTH | {"room"} if name == "people" else _TRUTH if name == "objects" else frozenset()
        section[str(entry["id"])] = {key: value for key, value in entry.items() if key not in drop}
    return section
