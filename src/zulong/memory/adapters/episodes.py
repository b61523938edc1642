"""Episodes: what happened, when, where, with whom and with what end."""

from __future__ import annotations

from dataclasses import dataclass, field

from zulong.memory.adapters.access import nodes_of, put
from zulong.memory.graph import MemoryGraph
from zulong.memory.model import Draft, EdgeType, Link, Node, NodeType, Place

_NEXT_WEIGHT = 0.5
_WITH_WEIGHT = 0.6


@dataclass(slots=True, frozen=True)
class Episode:
    """One stretch of a robot's life.

    Attributes:
        id: unique; storing an episode again under its id brings it up to date.
        text: what happened, in a sentence.
        start, end: seconds since the epoch.
        people: ids of persons who took part; those that are remembered as ``person:ID`` are joined.
        objects: names of things.
        outcome: how it ended, empty while it lasts.
    """

    id: str
    text: str
    start: float
    end: float
    robot: str = ""
    place: Place | None = None
    people: tuple[str, ...] = ()
    objects: tuple[str, ...] = ()
    outcome: str = ""
    tags: tuple[str, ...] = field(default=())


class EpisodeAdapter:
    """Keeps episodes as EPISODE nodes, in a TEMPORAL chain a robot."""

    def __init__(self, graph: MemoryGraph) -> None:
        self._graph = graph

    def record(self, episode: Episode) -> str:
        """Store or update an episode; returns its node's id.

        Raises:
            ValueError: it ends before it starts.
            AdapterError: the text is junk.
        """
        if episode.end < episode.start:
            raise ValueError(
                f"Episode {episode.id!r} ends before it starts ({episode.end} < {episode.start})."
            )
        id = f"episode:{episode.id}"
        links = [
            Link(f"person:{person}", EdgeType.REFERENCE, _WITH_WEIGHT)
            for person in episode.people
            if self._graph.get(f"person:{person}") is not None
        ]
        if self._graph.get(id) is None:
            before = self.load(robot=episode.robot, until=episode.start)
            if before:
                links.append(Link(f"episode:{before[-1].id}", EdgeType.TEMPORAL, _NEXT_WEIGHT, incoming=True))
        meta = {
            "end": episode.end,
            "people": list(episode.people),
            "objects": list(episode.objects),
            "outcome": episode.outcome,
            "episode": episode.id,
            "own_tags": list(episode.tags),
        }
        draft = Draft(
            episode.text,
            NodeType.EPISODE,
            id=id,
            stamp=episode.start,
            tags=episode.tags,
            meta=meta,
            place=episode.place,
            robot=episode.robot,
            links=tuple(links),
        )
        return put(self._graph, draft).id

    def get(self, id: str) -> Episode | None:
        """Return an episode by its own id, or None."""
        node = self._graph.get(f"episode:{id}")
        return None if node is None else _episode(node)

    def load(
        self, *, robot: str | None = None, since: float | None = None, until: float | None = None
    ) -> list[Episode]:
        """Return the episodes that started in [since, until), oldest first."""
        nodes = nodes_of(self._graph, [NodeType.EPISODE], since=since, until=until)
        return [
            _episode(node)
            for node in nodes
            if "episode" in node.meta and (robot is None or node.robot == robot)
        ]


def _episode(node: Node) -> Episode:
    meta = node.meta
    return Episode(
        str(meta["episode"]),
        node.text,
        node.stamp,
        float(meta["end"]),
        node.robot,
        node.place,
        tuple(meta["people"]),
        tuple(meta["objects"]),
        str(meta["outcome"]),
        tuple(meta["own_tags"]),
    )
