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
from zulong.memory.retrieval.config import RetrievalConfig
from zulong.memory.retrieval.indexing import Indexer
from zulong.memory.retrieval.keyword import Placed, Scores
from zulong.memory.retrieval.question import Question

I64 = NDArray[np.int64]
F32 = NDArray[np.float32]
Mask = NDArray[np.bool_]

FOCUS_DEPTH = 2
NO_UIDS: I64 = np.zeros(0, np.int64)
_CHAIN_OF = 100
"""The best so many candidates have their neighbours looked at."""


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
        base = self._base(uids, hot, cold)
        best = uids[np.argsort(-base.mean)[:_CHAIN_OF]]
        _, neighbours, _, _ = self._store.adjacent(best, (EdgeType.TEMPORAL,))
        with_neighbours = np.union1d(uids, neighbours)
        if len(with_neighbours) > len(uids):
            uids, base = with_neighbours, self._base(with_neighbours, hot, cold)
        ranked = self._rank(uids, base, query, question, hot)
        order = np.argsort(-ranked.final, kind="stable")[: query.k]
        return self._explained(ranked, order[ranked.final[order] > 0])

    def _base(self, uids: I64, hot: HotFindings | None, cold: ColdFindings | None) -> _Base:
        keyword = None if hot is None else fusion.scaled_keyword(hot.scores.of(uids))
        if cold is None:
            return _Base(keyword, None, *fusion.path_scores(keyword, None, None, self._config))
        cosines, known = self._indexer.vectors.cosines(cold.vector, uids)
        vector = fusion.scaled_cosine(cosines)
        lexical = bool(getattr(self._indexer.embedder, "lexical", False))
        return _Base(
            keyword, vector, *fusion.path_scores(keyword, vector, known, self._config, lexical=lexical)
        )

    def _rank(
        self, uids: I64, base: _Base, query: RecallQuery, question: Question, hot: HotFindings | None
    ) -> _Ranked:
        config, start = self._config, base.mean
        passing = self._store.matching(uids, query)
        placed = self._indexer.keyword.placed(uids)
        chain = self._chain(uids)
        gain, via = fusion.neighbour_gain(start, chain, placed.length, placed.session, config)
        session = fusion.session_gain(start, placed.session, config)
        match = fusion.time_match(placed.stamp, question.spans)
        dated = 1 + np.float32(config.time_boost) * match
        connected = (placed.session != 0) | (gain > 0)
        final = fusion.share_out(start * dated, (start + gain + session) * dated, connected & passing)
        factors = self._factors(uids, placed, question, hot)
        for factor in factors.values():
            final = final * (1 + factor)
        focus = np.zeros(len(uids), np.float32)
        if hot is not None and hot.focus is not None:
            focus = _aligned(uids, hot.focus.uids, hot.focus.values)
        final = final + np.float32(config.focus_weight) * focus
        final = fusion.apply_parents(final, placed.parent, config.same_parent_factor)
        final[~passing] = -1.0
        parts = {"neighbour": gain, "session": session, "time": match, "focus": focus, **factors}
        for name, values in (
            ("keyword", base.keyword),
            ("vector", base.vector),
            ("hot", base.hot),
            ("cold", base.cold),
        ):
            if values is not None:
                parts[name] = values
        return _Ranked(uids, final, parts, chain, via, None if hot is None else hot.focus)

    def _factors(
        self, uids: I64, placed: Placed, question: Question, hot: HotFindings | None
    ) -> dict[str, F32]:
        """Return what multiplies the score of each memory, as the share that it adds."""
        config = self._config
        cue, running = np.zeros(len(uids), np.float32), np.zeros(len(uids), np.float32)
        cue[np.isin(placed.kind, [int(kind) for kind in question.kinds])] = config.type_cue - 1
        if hot is not None:
            running[np.isin(placed.session, hot.sessions)] = config.session_boost - 1
        importance: F32 = self._store.columns(uids).importance.astype(np.float32) / np.float32(
            len(Importance)
        )
        importance *= np.float32(config.importance_weight)
        return {"type_cue": cue, "running_session": running, "importance": importance}

    def _chain(self, uids: I64) -> fusion.Chain:
        factors = np.zeros(256, np.float32)
        for type, factor in self._config.spread_factors.items():
            factors[int(type)] = factor
        wanted = (EdgeType.TEMPORAL, *self._config.spread_factors)
        at, far, types, weight = self._store.adjacent(uids, wanted)
        where = np.searchsorted(uids, far)
        where[where == len(uids)] = 0
        inside = uids[where] == far
        at, where, types, weight = at[inside], where[inside], types[inside], weight[inside]
        return fusion.Chain(at, where, factors[types] * weight, types == int(EdgeType.TEMPORAL))

    # -- explanation ------------------------------------------------------------------------------------

    def _explained(self, ranked: _Ranked, order: I64) -> list[Hit]:
        nodes = self._store.nodes(ranked.uids[order])
        hits = []
        for position, node in zip(order.tolist(), nodes, strict=True):
            if node is None:
                continue
            scores = {name: float(values[position]) for name, values in ranked.parts.items()}
            scores = {name: value for name, value in scores.items() if value}
            path, edges = self._path(ranked, position, node)
            hits.append(Hit(node.id, node, float(ranked.final[position]), scores, path, edges))
        return hits

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
            between = [edge for edge in self._store.neighbours(there) if here in (edge.src, edge.dst)]
            if between:
                edges.append(max(between, key=lambda edge: edge.weight))
        return tuple(ids), tuple(edges)


def _aligned(uids: I64, known: I64, values: F32) -> F32:
    """Return ``values`` of ``known`` in the order of ``uids`` (sorted), 0 where unknown."""
    result = np.zeros(len(uids), np.float32)
    at = np.searchsorted(uids, known)
    at[at == len(uids)] = 0
    inside = uids[at] == known
    result[at[inside]] = values[inside]
    return result
