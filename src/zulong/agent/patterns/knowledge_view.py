"""Triples as a graph that a planner or an executor asks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

Triple = tuple[str, str, str]


class KnowledgeView:
    """(subject, relation, object) triples as a graph.

    Attributes:
        triples: in the order they were found.
    """

    def __init__(self, triples: Iterable[Sequence[str]]) -> None:
        self.triples: list[Triple] = [(str(s), str(r), str(o)) for s, r, o in triples]
        self._out: dict[str, list[Triple]] = {}
        self._in: dict[str, list[Triple]] = {}
        for triple in self.triples:
            self._out.setdefault(triple[0], []).append(triple)
            self._in.setdefault(triple[2], []).append(triple)

    def about(self, entity: str) -> list[Triple]:
        """Return the triples that an entity takes part in."""
        return [*self._out.get(entity, []), *self._in.get(entity, [])]

    def objects(self, subject: str, relation: str) -> list[str]:
        """Return what a subject has a relation to."""
        return [o for _, r, o in self._out.get(subject, []) if r == relation]

    def subjects(self, relation: str, obj: str) -> list[str]:
        """Return what has a relation to an object."""
        return [s for s, r, _ in self._in.get(obj, []) if r == relation]

    def path(self, start: str, end: str, longest: int = 6) -> list[Triple]:
        """Return the shortest chain of triples between two entities, in either direction; empty if there is none."""
        came: dict[str, tuple[str, Triple] | None] = {start: None}
        frontier = [start]
        for _ in range(longest):
            reached: list[str] = []
            for entity in frontier:
                for triple in self.about(entity):
                    other = triple[2] if triple[0] == entity else triple[0]
                    if other not in came:
                        came[other] = (entity, triple)
                        reached.append(other)
            if end in came:
                break
            frontier = reached
        chain: list[Triple] = []
        step = came.get(end)
        while step is not None:
            chain.append(step[1])
            step = came[step[0]]
        return chain[::-1]

    @property
    def entities(self) -> list[str]:
        """Every subject and object, in the order they were found."""
        return list(dict.fromkeys(name for s, _, o in self.triples for name in (s, o)))

    def related(self, entity: str, relation: str) -> list[str]:
        """Return what an entity has a relation to, or what has that relation to it."""
        return list(dict.fromkeys([*self.objects(entity, relation), *self.subjects(relation, entity)]))

    def likely(self, subject: str, relation: str) -> list[tuple[str, float]]:
        """Return what a subject probably has a relation to, although nothing says so: (object, share), best first.

        The objects that other subjects have, each weighted by how much that subject shares with this one
        (common neighbours, Liben-Nowell and Kleinberg, "The link prediction problem for social networks", 2007);
        the shares add up to 1.
        """
        own = {(r, o) for _, r, o in self._out.get(subject, []) if r != relation}
        votes: Counter[str] = Counter()
        for other, triples in self._out.items():
            alike = len(own & {(r, o) for _, r, o in triples if r != relation})
            if other != subject and alike:
                for _, r, o in triples:
                    if r == relation:
                        votes[o] += alike
        total = sum(votes.values())
        return [(name, count / total) for name, count in votes.most_common()]
