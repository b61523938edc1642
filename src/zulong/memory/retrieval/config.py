"""Every number of retrieval that an integrator may want to change."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any

from zulong.memory.model import EdgeType


@dataclass(slots=True, frozen=True)
class RetrievalConfig:
    """Weights and limits of recall.

    The weights of one path are relative to each other. Hot and cold are averaged where both came in time, so
    that keyword and meaning weigh about the same: dialogue likes 0.4-0.5 for meaning, encyclopaedic text 0.7.

    Attributes:
        hot_keyword, hot_semantic, cold_vector, cold_keyword: weights inside the two paths.
        lexical_share: share of the vector weights left to an embedder that sees words only (the offline default).
        session_boost: factor on memories of the running session (that of the ``focus`` nodes).
        focus_weight: what full activation from the focus nodes adds to a score.
        time_boost: a memory at the very day that a question names has its score multiplied by 1 + this.
        utc_offset_h: hours that the clocks on the wall are ahead of UTC; None asks the machine.
        type_cue: factor on memories of a type that the question names ("in the report", "the e-mail").
        importance_weight: what MUST_REMEMBER gains over TRIVIAL, as a share of the score.
        neighbour_weight: what a TEMPORAL neighbour lends to a very short memory ...
        neighbour_words: ... halved at this many words, since a long turn is its own context.
        session_weight: what the best session lends to its members.
        bridge_weight: what names shared with the first hits add to memories without neighbours (second round).
        spread_factors: what a neighbour over another edge type lends, times the weight of the edge.
        same_parent_factor: factor on each further chunk of a file after its best one.
        candidates: how many memories each search hands to the fusion; ``dated_candidates`` of each named time.
        flat_limit: vectors beyond this many are moved from exact search into HNSW graphs.
        vector_memory_bytes: memory for the vector indexes of all months together; beyond it the months that
            were not asked for longest leave memory ...
        hot_shards: ... but never the newest so many.
        passage_words: longer texts are indexed as several passages.
        semantic_edges: SEMANTIC edges made per new node at most (0: none) ...
        semantic_edge_cosine: ... to nodes at least so alike.
        background: index and embed on a thread of its own; without it, in ``maintain`` and ``recall`` only.
        embed_batch: texts embedded at a time.
    """

    hot_keyword: float = 0.8
    hot_semantic: float = 0.4
    cold_vector: float = 0.7
    cold_keyword: float = 0.3
    lexical_share: float = 0.15
    session_boost: float = 2.0
    focus_weight: float = 0.2
    time_boost: float = 2.0
    utc_offset_h: float | None = None
    type_cue: float = 1.2
    importance_weight: float = 0.05
    neighbour_weight: float = 0.4
    neighbour_words: float = 50.0
    session_weight: float = 0.1
    bridge_weight: float = 0.2
    spread_factors: Mapping[EdgeType, float] = field(
        default_factory=lambda: {
            EdgeType.CAUSAL: 0.2,
            EdgeType.DERIVED_FROM: 0.1,
            EdgeType.REFERENCE: 0.1,
            EdgeType.ASSOCIATION: 0.1,
            EdgeType.CORRECTS: 0.3,
            EdgeType.FAILED_THEN_SUCCEEDED: 0.5,
        }
    )
    same_parent_factor: float = 0.5
    candidates: int = 200
    dated_candidates: int = 100
    flat_limit: int = 16_384
    vector_memory_bytes: int = 768 << 20
    hot_shards: int = 2
    passage_words: int = 400
    semantic_edges: int = 2
    semantic_edge_cosine: float = 0.8
    background: bool = True
    embed_batch: int = 64

    @classmethod
    def from_mapping(cls, settings: Mapping[str, Any]) -> RetrievalConfig:
        """Make a configuration from ``MemoryConfig.retrieval``.

        Raises:
            ValueError: a name is unknown, or a number is negative.
        """
        known = {f.name for f in fields(cls)}
        unknown = sorted(set(settings) - known - {"direct"})
        if unknown:
            raise ValueError(
                f"Retrieval has no setting {unknown[0]!r}; there are {', '.join(sorted(known))}."
            )
        for name, value in settings.items():
            if isinstance(value, int | float) and value < 0 and name != "utc_offset_h":
                raise ValueError(f"The retrieval setting {name!r} must not be negative, got {value}.")
        values = {name: value for name, value in settings.items() if name in known}
        if "spread_factors" in values:
            values["spread_factors"] = {
                EdgeType[key] if isinstance(key, str) else EdgeType(key): float(factor)
                for key, factor in values["spread_factors"].items()
            }
        return cls(**values)
