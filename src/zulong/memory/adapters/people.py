"""Profiles of people: who somebody is, what holds of them now, and what held before."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field

from zulong.memory.adapters.access import nodes_of, put, store
from zulong.memory.graph import MemoryGraph
from zulong.memory.model import Draft, EdgeType, Link, Node, NodeType

_ABOUT_WEIGHT = 0.8


@dataclass(slots=True, frozen=True)
class Profile:
    """One person. ``attributes`` hold one value each; ``likes`` and ``dislikes`` as many as there are."""

    id: str
    name: str
    aliases: tuple[str, ...] = ()
    attributes: Mapping[str, str] = field(default_factory=dict)
    likes: tuple[str, ...] = ()
    dislikes: tuple[str, ...] = ()


@dataclass(slots=True, frozen=True)
class Held:
    """A value that an attribute had, from and until when (seconds since the epoch, infinite if it still has)."""

    value: str
    since: float
    until: float


class PersonProfileAdapter:
    """Keeps a PERSON node a person and a KNOWLEDGE node a value; both carry the person's id.

    A new value of an attribute ends the old one, which stays readable by :meth:`history`. ``graph.forget(
    person=id)`` removes all of it.
    """

    def __init__(self, graph: MemoryGraph) -> None:
        self._graph = graph

    def save(self, profile: Profile, *, source_ids: tuple[str, ...] = ()) -> None:
        """Store a profile, or bring the stored one up to date with it."""
        sentence = f"{profile.name} is a person" + (
            f", also called {', '.join(profile.aliases)}" if profile.aliases else ""
        )
        put(
            self._graph,
            Draft(
                sentence,
                NodeType.PERSON,
                id=f"person:{profile.id}",
                person=profile.id,
                meta={"name": profile.name, "aliases": list(profile.aliases)},
            ),
        )
        stored = self.get(profile.id) or profile
        for attribute, value in profile.attributes.items():
            if stored is profile or stored.attributes.get(attribute) != value:
                self.learn(profile.id, attribute, value, source_ids=source_ids)
        for predicate, wanted, present in (
            ("likes", profile.likes, stored.likes),
            ("dislikes", profile.dislikes, stored.dislikes),
        ):
            for value in wanted:
                if stored is profile or value not in present:
                    self.learn(profile.id, predicate, value, many=True, source_ids=source_ids)

    def learn(
        self,
        person: str,
        attribute: str,
        value: str,
        *,
        many: bool = False,
        stamp: float | None = None,
        source_ids: tuple[str, ...] = (),
    ) -> str:
        """Store that ``attribute`` of a person is ``value`` from ``stamp`` (now) on; returns the node's id.

        Raises:
            KeyError: there is no such person.
        """
        node = self._graph.get(f"person:{person}")
        if node is None:
            raise KeyError(f"There is no person {person!r}; save a profile first.")
        name = str(node.meta.get("name", person))
        since = self._graph.engine.now() if stamp is None else stamp
        text = f"{name} {attribute} {value}" if many else f"The {attribute} of {name} is {value}"
        if not many:
            for old in self._values(person, attribute):
                if old.valid_to > since and old.meta["value"] != value:
                    self._graph.update(old.id, valid_to=since)
        id = f"person:{person}:{attribute}:{len(self._values(person, attribute))}"
        draft = Draft(
            text,
            NodeType.KNOWLEDGE,
            id=id,
            person=person,
            stamp=since,
            meta={"subject": name, "attribute": attribute, "value": value, "many": many, "profile": person},
            source_ids=source_ids,
            links=(Link(f"person:{person}", EdgeType.REFERENCE, _ABOUT_WEIGHT),),
        )
        store(self._graph, [draft])
        return id

    def get(self, person: str) -> Profile | None:
        """Return the profile as it holds now, or None."""
        node = self._graph.get(f"person:{person}")
        if node is None:
            return None
        attributes: dict[str, str] = {}
        many: dict[str, list[str]] = {"likes": [], "dislikes": []}
        for fact in nodes_of(self._graph, [NodeType.KNOWLEDGE], person=person):
            if fact.meta.get("profile") != person:
                continue
            if fact.meta["many"]:
                many.setdefault(str(fact.meta["attribute"]), []).append(str(fact.meta["value"]))
            else:
                attributes[str(fact.meta["attribute"])] = str(fact.meta["value"])
        return Profile(
            person,
            str(node.meta["name"]),
            tuple(node.meta["aliases"]),
            attributes,
            tuple(many["likes"]),
            tuple(many["dislikes"]),
        )

    def find(self, name: str) -> list[str]:
        """Return the ids of the people with this name or alias (case does not matter)."""
        wanted = name.strip().casefold()
        return [
            node.person
            for node in nodes_of(self._graph, [NodeType.PERSON])
            if wanted
            in {str(known).casefold() for known in (node.meta.get("name", ""), *node.meta.get("aliases", ()))}
        ]

    def history(self, person: str, attribute: str) -> list[Held]:
        """Return every value that an attribute had, oldest first."""
        values = sorted(self._values(person, attribute), key=lambda node: (node.valid_from, node.uid))
        return [Held(str(node.meta["value"]), node.valid_from, node.valid_to) for node in values]

    def _values(self, person: str, attribute: str) -> list[Node]:
        # Ended values do not pass the usual filter, but their ids are numbered.
        found: list[Node] = []
        while (node := self._graph.get(f"person:{person}:{attribute}:{len(found)}")) is not None:
            found.append(node)
        return [node for node in found if node.valid_to > -math.inf]
