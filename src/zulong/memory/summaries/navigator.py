"""From a question to summaries, and from a summary to the originals that still exist."""

from __future__ import annotations

from dataclasses import dataclass

from zulong.memory.compressing import GONE
from zulong.memory.model import SUMMARY_OF, SUMMARY_TAG, EdgeType, Node
from zulong.memory.reader import MemoryReader
from zulong.memory.summaries.store import SummaryStore

_DEEPEST = 4


@dataclass(slots=True, frozen=True)
class SummaryHit:
    """A summary that fits a question.

    Attributes:
        node: the summary.
        score, words, cosine: how well it fits; the two parts between 0 and 1.
        originals: what it was made from and still exists, oldest first (some as stubs of their first words).
        gone: how many originals exist no more.
    """

    node: Node
    score: float
    words: float
    cosine: float
    originals: tuple[Node, ...]
    gone: int


class SummaryNavigator:
    """Finds what has been compressed and leads back to what is left of it."""

    def __init__(self, reader: MemoryReader, store: SummaryStore) -> None:
        self._reader = reader
        self._store = store

    def search(self, text: str, k: int = 5) -> list[SummaryHit]:
        """Return the ``k`` summaries that fit best, each with its originals."""
        scores = self._store.search(text, k)
        nodes = self._reader.nodes([one.uid for one in scores])
        return [
            self._hit(node, one.score, one.words, one.cosine)
            for node, one in zip(nodes, scores, strict=True)
            if node is not None
        ]

    def overview(self, since: float, until: float) -> list[SummaryHit]:
        """Return every summary of a stretch of time (seconds since the epoch), oldest first."""
        nodes = self._reader.nodes(self._store.between(since, until))
        return [self._hit(node, 0.0, 0.0, 0.0) for node in nodes if node is not None]

    def originals(self, id: str) -> tuple[tuple[Node, ...], int]:
        """Return what a summary was made from and still exists, oldest first, and how many exist no more.

        A summary of summaries is followed down to what was seen or said.
        """
        found: dict[str, Node] = {}
        start = self._reader.node(id)
        gone = 0 if start is None else int(start.meta.get(GONE, 0))
        level, seen = [id], {id}
        for _ in range(_DEEPEST):
            following: list[str] = []
            for current in level:
                for source in self._sources(current):
                    if source in seen:
                        continue
                    seen.add(source)
                    node = self._reader.node(source)
                    if node is None:
                        gone += 1
                    elif SUMMARY_TAG in node.tags:
                        following.append(source)
                    else:
                        found[source] = node
            level = following
        return tuple(sorted(found.values(), key=lambda node: (node.stamp, node.uid))), gone

    def _sources(self, id: str) -> list[str]:
        node = self._reader.node(id)
        if node is None:
            return []
        listed = [str(source) for source in node.meta.get(SUMMARY_OF, ())]
        edges = self._reader.neighbours(id, (EdgeType.DERIVED_FROM,))
        return list(
            dict.fromkeys([*listed, *node.source_ids, *(edge.dst for edge in edges if edge.src == id)])
        )

    def _hit(self, node: Node, score: float, words: float, cosine: float) -> SummaryHit:
        originals, gone = self.originals(node.id)
        return SummaryHit(node, score, words, cosine, originals, gone)
