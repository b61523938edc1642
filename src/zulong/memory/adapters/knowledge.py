"""A knowledge graph of (subject, predicate, object) statements over concepts, with their time of validity."""

from __future__ import annotations

import hashlib
import math
from collections import deque
from dataclasses import dataclass, replace

from zulong.memory.adapters.access import nodes_of, store
from zulong.memory.graph import MemoryGraph
from zulong.memory.model import Draft, EdgeType, Link, Node, NodeType

_PART_WEIGHT = 0.7


@dataclass(slots=True, frozen=True)
class Triple:
    """One statement.

    Attributes:
        many: the subject may have several objects for this predicate ("likes"), so that none contradicts
            another; otherwise a new object ends the validity of the old one.
        confidence: 0 to 1.
        source_ids: memories that it was derived from.
        valid_from, valid_to: seconds since the epoch; open ends are infinite.
    """

    subject: str
    predicate: str
    object: str
    many: bool = False
    confidence: float = 1.0
    source_ids: tuple[str, ...] = ()
    valid_from: float = -math.inf
    valid_to: float = math.inf

    @property
    def text(self) -> str:
        return f"{self.subject} {self.predicate} {self.object}"


class KnowledgeGraphAdapter:
    """Keeps statements as KNOWLEDGE nodes that refer to the CONCEPT nodes of both ends."""

    def __init__(self, graph: MemoryGraph) -> None:
        self._graph = graph

    def add(self, *triples: Triple) -> list[str]:
        """Store statements, return their ids; one that is known already is strengthened.

        Raises:
            ValueError: a part of a statement is empty, or its confidence is not within 0..1.
        """
        for triple in triples:
            if not (triple.subject.strip() and triple.predicate.strip() and triple.object.strip()):
                raise ValueError(f"Every part of a statement must be named: {triple!r}.")
            if not 0.0 <= triple.confidence <= 1.0:
                raise ValueError(
                    f"The confidence of {triple.text!r} must be within 0..1, got {triple.confidence}."
                )
        names = dict.fromkeys(name for triple in triples for name in (triple.subject, triple.object))
        concepts = [Draft(name, NodeType.CONCEPT, id=concept_id(name)) for name in names]
        store(self._graph, [draft for draft in concepts if self._graph.get(str(draft.id)) is None])
        # One by one, so that the door compares each with the one before it.
        return [self._add(triple) for triple in triples]

    def _add(self, triple: Triple) -> str:
        started = None if math.isinf(triple.valid_from) else triple.valid_from
        statement = _statement_id(triple)
        draft = Draft(
            triple.text,
            NodeType.KNOWLEDGE,
            id=statement,
            stamp=started,
            meta={
                "subject": triple.subject,
                "predicate": triple.predicate,
                "object": triple.object,
                "many": triple.many,
                "confidence": triple.confidence,
                "open_start": math.isinf(triple.valid_from),
            },
            source_ids=triple.source_ids,
            links=(
                Link(concept_id(triple.subject), EdgeType.REFERENCE, _PART_WEIGHT),
                Link(concept_id(triple.object), EdgeType.REFERENCE, _PART_WEIGHT),
            ),
            valid_from=None if started is None else started,
            valid_to=None if math.isinf(triple.valid_to) else triple.valid_to,
        )
        store(self._graph, [draft])
        return statement

    def triples(
        self,
        subject: str | None = None,
        predicate: str | None = None,
        object: str | None = None,
        *,
        as_of: float | None = None,
    ) -> list[Triple]:
        """Return the statements that are valid now (or were ``as_of``) and match the named parts."""
        found = [
            _triple(node)
            for node in nodes_of(self._graph, [NodeType.KNOWLEDGE], as_of=as_of)
            if "predicate" in node.meta
        ]
        wanted = (subject, predicate, object)
        return [
            triple
            for triple in found
            if all(
                part is None or part == value
                for part, value in zip(wanted, (triple.subject, triple.predicate, triple.object), strict=True)
            )
        ]

    def path(self, start: str, goal: str, *, longest: int = 4) -> list[Triple]:
        """Return a shortest chain of valid statements from one concept to another; empty if there is none."""
        every = self.triples()
        by_concept: dict[str, list[Triple]] = {}
        for triple in every:
            by_concept.setdefault(triple.subject, []).append(triple)
            by_concept.setdefault(triple.object, []).append(triple)
        queue: deque[tuple[str, tuple[Triple, ...]]] = deque([(start, ())])
        seen = {start}
        while queue:
            concept, chain = queue.popleft()
            if concept == goal:
                return list(chain)
            if len(chain) == longest:
                continue
            for triple in by_concept.get(concept, ()):
                other = triple.object if triple.subject == concept else triple.subject
                if other not in seen:
                    seen.add(other)
                    queue.append((other, (*chain, triple)))
        return []


def concept_id(name: str) -> str:
    """Return the node id of a concept: readable, and short enough for any name."""
    return f"concept:{name.strip().casefold()}" if len(name) <= 60 else f"concept:{_digest(name)}"


def _statement_id(triple: Triple) -> str:
    start = "" if math.isinf(triple.valid_from) else repr(triple.valid_from)
    return "triple:" + _digest("\x1f".join((triple.subject, triple.predicate, triple.object, start)))


def _digest(text: str) -> str:
    return hashlib.blake2b(text.encode(errors="replace"), digest_size=12).hexdigest()


def _triple(node: Node) -> Triple:
    meta = node.meta
    triple = Triple(
        str(meta["subject"]),
        str(meta["predicate"]),
        str(meta["object"]),
        bool(meta["many"]),
        float(meta["confidence"]),
        node.source_ids,
        node.valid_from,
        node.valid_to,
    )
    return replace(triple, valid_from=-math.inf) if meta["open_start"] else triple
