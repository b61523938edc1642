"""From what the two paths brought to hits in order, each with its scores, its path and its edges."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from zulong.memory.model import Edge, EdgeType, Hit, Importance, Node, RecallQuery
from zulong.memory.reader import Activation, Store
from zulong.memory.retrieval import fusion
from zulong.memory.retrieval.bridges import bridge_weights
from zulong.memory.retrieval.config import RetrievalConfig
from zulong.memory.retrieval.indexing import Indexer
from zulong.memory.retrieval.keyword import Placed, Scores, question_weights
from zulong.memory.retrieval.question import Question

I64 = NDArray[np.int64]
F32 = NDArray[np.float32]
Mask = NDArray[np.bool_]

FOCUS_DEPTH = 2
NO_UIDS: I64 = np.zeros(0, np.int64)
_CHAIN_OF = 100
"""The best so many candidates have their neighbours looked at."""
_IMPORTANCE_RESERVE = 5
_BRIDGE_FROM = 3
_BRIDGED = 50


@dataclass(slots=True, frozen=True)
class HotFindings:
    """What the hot path brought: BM25 scores, candidates, activation around the focus, its sessions."""

    scores: Scores
    uids: I64
    focus: Activation | None
    sessions: I64


@dataclass(slots=True, frozen=True)
class ColdFindings:
    """What the cold path brought: the question's vector and the candidates near it."""

    vector: F32
    uids: I64


@dataclass(slots=True, frozen=True)
class _Raw:
    """Aligned BM25 scores and cosines (None: path was late) and which candidates have a vector."""

    keyword: F32 | None
    cosine: F32 | None
    known: Mask | None


@dataclass(slots=True, frozen=True)
class _Base:
    """Aligned scores of the candidates before anything around them is looked at (None: path was late)."""

    keyword: F32 | None
    vector: F32 | None
    hot: F32 | None
    cold: F32 | None

    @property
    def mean(self) -> F32:
        paths = [path for path in (self.hot, self.cold) if path is not None]
        result: F32 = np.mean(np.stack(paths), axis=0, dtype=np.float32)
        return result


@dataclass(slots=True, frozen=True)
class _Ranked:
    uids: I64
    final: F32
    parts: dict[str, F32]
    chain: fusion.Chain
    via: I64
    focus: Activation | None


class Ranking:
    """Ranks candidates of one store; holds no state of its own."""

    def __init__(self, store: Store, indexer: Indexer, config: RetrievalConfig) -> None:
        self._store = store
        self._indexer = indexer
        self._config = config

    def hits(
        self, query: RecallQuery, question: Question, hot: HotFindings | None, cold: ColdFindings | None
    ) -> list[Hit]:
        """Return the best ``query.k`` hits; a path that is None was late and is left out."""
        uids = np.unique(np.concatenate([path.uids for path in (hot, cold) if path is not None] or [NO_UIDS]))
        if not len(uids):
            return []
        raw = self._raw(uids, hot, cold)
        first = self._scaled(raw).mean
        best = np.argsort(-first)[:_CHAIN_OF]
        bridges = None
        if cold is not None and self._config.bridge_weight:
            bridges = self._bridges(question, uids[best[:_BRIDGE_FROM]], first[best[:_BRIDGE_FROM]])
        best = uids[best]
        edges = self._store.adjacent(best, (EdgeType.TEMPORAL, *self._config.spread_factors))
        temporal = edges[1][edges[2] == int(EdgeType.TEMPORAL)]
        if bridges is not None:
            temporal = np.concatenate([temporal, bridges.best(_BRIDGED).uids])
        added = np.setdiff1d(temporal, uids)
        added = added[self._indexer.keyword.placed(added).digest != 0]  # stubs are in no index
        if len(added):
            uids, raw = _merged(uids, raw, added, self._raw(added, hot, cold))
        chain = self._chain(uids, best, *edges)
        base = self._scaled(raw)
        bridged = np.zeros(len(uids), np.float32)
        if bridges is not None:
            bridged = np.float32(self._config.bridge_weight) * fusion.scaled_keyword(bridges.of(uids))
            bridged[np.isin(uids, best[:_BRIDGE_FROM])] = 0.0  # what led here needs no lift from itself
        ranked = self._rank(uids, base, chain, bridged, query, question, hot)
        order = np.argsort(-ranked.final, kind="stable")[: query.k + _IMPORTANCE_RESERVE]
        return self._explained(ranked, order[ranked.final[order] > 0], query.k)

    def _bridges(self, question: Question, seeds: I64, scores: F32) -> Scores | None:
        """Return keyword scores of the names that the first hits bring up, None if they bring up none."""
        texts = [
            (node.text, float(score))
            for node, score in zip(self._store.nodes(seeds), scores, strict=True)
            if node is not None
        ]
        index = self._indexer.keyword
        weights = bridge_weights(question_weights(question.topic), texts, index)
        return index.score(weights) if weights else None

    def _raw(self, uids: I64, hot: HotFindings | None, cold: ColdFindings | None) -> _Raw:
        keyword = None if hot is None else hot.scores.of(uids)
        cosine, known = (None, None) if cold is None else self._indexer.vectors.cosines(cold.vector, uids)
        return _Raw(keyword, cosine, known)

    def _scaled(self, raw: _Raw) -> _Base:
        keyword = None if raw.keyword is None else fusion.scaled_keyword(raw.keyword)
        vector = None if raw.cosine is None else fusion.scaled_cosine(raw.cosine)
        lexical = bool(getattr(self._indexer.embedder, "lexical", False))
        return _Base(
            keyword, vector, *fusion.path_scores(keyword, vector, raw.known, self._config, lexical=lexical)
        )

    def _rank(
        self,
        uids: I64,
        base: _Base,
        chain: fusion.Chain,
        bridged: F32,
        query: RecallQuery,
        question: Question,
        hot: HotFindings | None,
    ) -> _Ranked:
        config, start = self._config, base.mean
        passing = self._store.matching(uids, query)
        placed = self._indexer.keyword.placed(uids)
        gain, via = fusion.neighbour_gain(start, chain, placed.length, placed.session, config)
        session = fusion.session_gain(start, placed.session, config)
        match = fusion.time_match(placed.stamp, question.spans)
        dated = 1 + np.float32(config.time_boost) * match
        connected = (placed.session != 0) | (gain > 0)
        final = fusion.share_out(start * dated, (start + gain + session) * dated, connected & passing)
        # The second round moves memories without neighbours among each other, as context does the others.
        final = fusion.share_out(
            final, final + bridged * dated, ~connected & passing & ((final > 0) | (bridged > 0))
        )
        factors = self._factors(placed, question, hot)
        for factor in factors.values():
            final = final * (1 + factor)
        focus = np.zeros(len(uids), np.float32)
        if hot is not None and hot.focus is not None:
            focus = _aligned(uids, hot.focus.uids, hot.focus.values)
        final = final + np.float32(config.focus_weight) * focus
        final = fusion.apply_parents(final, placed.parent, config.same_parent_factor)
        final[~passing] = -1.0
        parts = {
            "bridge": bridged,
            "neighbour": gain,
            "session": session,
            "time": match,
            "focus": focus,
            **factors,
        }
        for name, values in (
            ("keyword", base.keyword),
            ("vector", base.vector),
            ("hot", base.hot),
            ("cold", base.cold),
        ):
            if values is not None:
                parts[name] = values
        return _Ranked(uids, final, parts, chain, via, None if hot is None else hot.focus)

    def _factors(self, placed: Placed, question: Question, hot: HotFindings | None) -> dict[str, F32]:
        """Return what multiplies the score of each memory, as the share that it adds."""
        config = self._config
        factors: dict[str, F32] = {}
        if question.kinds:
            named = np.isin(placed.kind, [int(kind) for kind in question.kinds])
            factors["type_cue"] = named * np.float32(config.type_cue - 1)
        if hot is not None and len(hot.sessions):
            factors["running_session"] = np.isin(placed.session, hot.sessions) * np.float32(
                config.session_boost - 1
            )
        return factors

    def _chain(
        self, uids: I64, best: I64, at: I64, far: I64, types: NDArray[np.uint8], weight: F32
    ) -> fusion.Chain:
        """Return the edges of the best candidates, both ways: what they lend, and what is lent to them."""
        factors = np.zeros(256, np.float32)
        for type, factor in self._config.spread_factors.items():
            factors[int(type)] = factor
        here, there = np.searchsorted(uids, best[at]), np.searchsorted(uids, far)
        there[there == len(uids)] = 0
        inside = uids[there] == far
        here, there, types, weight = here[inside], there[inside], types[inside], weight[inside]
        lent: F32 = np.tile(factors[types] * weight, 2)
        temporal = np.tile(types == int(EdgeType.TEMPORAL), 2)
        return fusion.Chain(np.concatenate([there, here]), np.concatenate([here, there]), lent, temporal)

    # -- explanation ------------------------------------------------------------------------------------

    def _explained(self, ranked: _Ranked, order: I64, k: int) -> list[Hit]:
        nodes = self._store.nodes(ranked.uids[order])
        found: list[tuple[float, int, Node]] = []
        for position, node in zip(order.tolist(), nodes, strict=True):
            if node is not None and not node.stub:
                # Importance only turns the scale between near equals, so that it is looked up for a few.
                found.append((float(ranked.final[position]) * (1 + self._importance(node)), position, node))
        found.sort(key=lambda one: -one[0])
        hits = []
        for score, position, node in found[:k]:
            scores = {name: float(values[position]) for name, values in ranked.parts.items()}
            scores = {name: value for name, value in scores.items() if value}
            if node.importance:
                scores["importance"] = self._importance(node)
            path, edges = self._path(ranked, position, node)
            hits.append(Hit(node.id, node, score, scores, path, edges))
        return hits

    def _importance(self, node: Node) -> float:
        return self._config.importance_weight * int(node.importance) / len(Importance)

    def _path(self, ranked: _Ranked, position: int, node: Node) -> tuple[tuple[str, ...], tuple[Edge, ...]]:
        """Return the ids that led to a hit, the hit last, and the edges between them."""
        if ranked.via[position] >= 0:
            neighbour = ranked.chain.neighbour[ranked.via[position]]
            return self._walk([int(ranked.uids[neighbour]), node.uid])
        if ranked.focus is not None and ranked.parts["focus"][position] > 0:
            parents = dict(zip(ranked.focus.uids.tolist(), ranked.focus.parents.tolist(), strict=True))
            uids = [node.uid]
            while parents.get(uids[0], -1) >= 0 and len(uids) <= FOCUS_DEPTH + 1:
                uids.insert(0, parents[uids[0]])
            return self._walk(uids)
        return (node.id,), ()

    def _walk(self, uids: Sequence[int]) -> tuple[tuple[str, ...], tuple[Edge, ...]]:
        ids = [node.id for node in self._store.nodes(list(uids)) if node is not None]
        edges = []
        for here, there in pairwise(ids):
            between = self._store.between(here, there)
            if between:
                edges.append(max(between, key=lambda edge: edge.weight))
        return tuple(ids), tuple(edges)


def _merged(uids: I64, raw: _Raw, added: I64, more: _Raw) -> tuple[I64, _Raw]:
    """Return both sets of candidates as one, sorted by uid."""
    order = np.argsort(np.concatenate([uids, added]), kind="stable")
    columns = [
        None if one is None or other is None else np.concatenate([one, other])[order]
        for one, other in ((raw.keyword, more.keyword), (raw.cosine, more.cosine), (raw.known, more.known))
    ]
    return np.concatenate([uids, added])[order], _Raw(*columns)


def _aligned(uids: I64, known: I64, values: F32) -> F32:
    """Return ``values`` of ``known`` in the order of ``uids`` (sorted), 0 where unknown."""
    result = np.zeros(len(uids), np.float32)
    at = np.searchsorted(uids, known)
    at[at == len(uids)] = 0
    inside = uids[at] == known
    result[at[inside]] = values[inside]
    return result
