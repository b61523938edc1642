"""How the scores of one memory become one number: pure functions over aligned arrays.

Keyword and vector scores are scaled by their best one. Memories that stand in a chain or a session (dialogue
turns) also take from their context, but only against each other: they share out among themselves the very
scores that they had before, so that a memory without neighbours never loses its rank for having none.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from zulong.memory.retrieval.config import RetrievalConfig
from zulong.memory.retrieval.when import Span

F32 = NDArray[np.float32]
F64 = NDArray[np.float64]
I64 = NDArray[np.int64]
Mask = NDArray[np.bool_]

_COSINE_FLOOR = -0.1
"""Cosine of strangers; what lies below says nothing."""
_SESSION_BEST = 3
_TRACE = 1e-4


@dataclass(slots=True, frozen=True)
class Chain:
    """Edges among candidates, aligned: candidate, its neighbour (positions), and factor times weight."""

    at: I64
    neighbour: I64
    factor: F32
    temporal: Mask


def scaled_keyword(scores: F32) -> F32:
    """Scale BM25 scores to 0..1 by the best one."""
    best = float(scores.max(initial=0.0))
    result: F32 = scores / np.float32(best) if best > 0 else np.zeros_like(scores)
    return result


def scaled_cosine(cosines: F32) -> F32:
    """Scale cosines to 0..1: strangers give about 0.1, the best one 1."""
    best = float(cosines.max(initial=0.0))
    if best <= 0:
        return np.zeros_like(cosines)
    result: F32 = np.clip((cosines - _COSINE_FLOOR) / np.float32(best - _COSINE_FLOOR), 0.0, 1.0)
    return result


def path_scores(
    keyword: F32 | None,
    vector: F32 | None,
    has_vector: Mask | None,
    config: RetrievalConfig,
    *,
    lexical: bool = False,
) -> tuple[F32 | None, F32 | None]:
    """Return the scores of the hot and of the cold path (None where a path brought nothing).

    A memory that has no vector yet is judged by its words alone, in either path. Vectors of a ``lexical``
    embedder, which see little more than the words do, weigh less.
    """
    if keyword is None:
        return None, vector
    if vector is None or has_vector is None:
        return keyword, None
    share = config.lexical_share if lexical else 1.0
    hot = _mixed(keyword, vector, has_vector, config.hot_keyword, config.hot_semantic * share)
    cold = _mixed(keyword, vector, has_vector, config.cold_keyword, config.cold_vector * share)
    return hot, cold


def _mixed(keyword: F32, vector: F32, has_vector: Mask, by_words: float, by_meaning: float) -> F32:
    whole = (by_words + by_meaning) or 1.0
    mixed = (np.float32(by_words) * keyword + np.float32(by_meaning) * vector) / np.float32(whole)
    result: F32 = np.where(has_vector, mixed, keyword)
    return result


def time_match(stamp: F64, spans: Sequence[Span]) -> F32:
    """Return how well each time fits the spans of the question: the weight of the best span that holds it."""
    match = np.zeros(len(stamp), np.float32)
    for span in spans:
        inside = (stamp >= span.start) & (stamp < span.end)
        match[inside] = np.maximum(match[inside], span.weight)
    return match


def neighbour_gain(
    base: F32, chain: Chain, length: F32, session: I64, config: RetrievalConfig
) -> tuple[F32, I64]:
    """Return what each memory takes from its best neighbour, and which entry of ``chain`` that is (-1: none).

    Over TEMPORAL edges within one session a short memory takes more than a long one: an answer of two words
    is understood through the question before it, a paragraph is its own context.
    """
    gain = np.zeros(len(base), np.float32)
    via = np.full(len(base), -1, np.int64)
    if not len(chain.at):
        return gain, via
    lean = config.neighbour_words / (config.neighbour_words + length[chain.at])
    together = session[chain.at] == session[chain.neighbour]
    factor = np.where(chain.temporal, config.neighbour_weight * lean * together, chain.factor)
    lent = (base[chain.neighbour] * factor).astype(np.float32)
    order = np.argsort(lent, kind="stable")  # the last assignment wins: the greatest
    gain[chain.at[order]] = lent[order]
    via[chain.at[order]] = order
    via[gain <= 0] = -1
    return gain, via


def session_gain(base: F32, session: I64, config: RetrievalConfig) -> F32:
    """Return what each memory takes from its session: the sum of the session's three best, scaled."""
    gain = np.zeros(len(base), np.float32)
    members = np.flatnonzero(session != 0)
    if not len(members) or not config.session_weight:
        return gain
    order = members[np.lexsort((-base[members], session[members]))]
    sessions = session[order]
    first = np.flatnonzero(np.append(True, sessions[1:] != sessions[:-1]))
    sizes = np.diff(np.append(first, len(order)))
    rank = np.arange(len(order)) - np.repeat(first, sizes)
    counted = np.where(rank < _SESSION_BEST, base[order], 0)
    sums = np.add.reduceat(counted, first)
    best = float(sums.max())
    if best > 0:
        gain[order] = config.session_weight * np.repeat(sums / best, sizes)
    return gain


def share_out(before: F32, after: F32, connected: Mask) -> F32:
    """Order the connected memories by ``after`` and hand them the scores that they had ``before``, best first.

    One that had nothing of its own still comes after everything that had, by a trace of what it was lent.
    """
    result = before.copy()
    members = np.flatnonzero(connected)
    order = members[np.argsort(-after[members], kind="stable")]
    result[order] = np.maximum(np.sort(before[members])[::-1], np.float32(_TRACE) * after[order])
    return result


def apply_parents(scores: F32, parent: I64, factor: float) -> F32:
    """Damp every further chunk of a file after its best one, so that one file does not fill the list."""
    members = np.flatnonzero(parent != 0)
    result = scores.copy()
    order = members[np.lexsort((-scores[members], parent[members]))]
    if len(order):
        repeated = np.append(False, parent[order][1:] == parent[order][:-1])
        result[order[repeated]] *= np.float32(factor)
    return result
