"""Recall: the hot and the cold path at once, each with its own deadline, fused and explained."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from concurrent.futures import TimeoutError as FutureTimeoutError
from functools import lru_cache
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from zulong.embedding import EmbeddingError
from zulong.memory.model import RecallQuery, RecallResult
from zulong.memory.reader import Store
from zulong.memory.retrieval import about_memory
from zulong.memory.retrieval.config import RetrievalConfig
from zulong.memory.retrieval.indexing import Indexer
from zulong.memory.retrieval.keyword import question_weights
from zulong.memory.retrieval.question import Question, understand
from zulong.memory.retrieval.ranking import FOCUS_DEPTH, NO_UIDS, ColdFindings, HotFindings, Ranking
from zulong.memory.summaries import SummaryNavigator

I64 = NDArray[np.int64]
F32 = NDArray[np.float32]
Mask = NDArray[np.bool_]
Passes = Callable[[I64], Mask]
_T = TypeVar("_T")

_DATED_LIMIT = 5_000
_CATCH_UP_SHARE = 0.5
"""Share of the hot deadline that may go into seeing the newest commits ..."""
_CATCH_UP_AT_MOST_S = 2.0
"""... but no more than this."""
_FOCUS_LIMIT = 100
_CLOSE_WITHIN_S = 2.0


class GraphRetriever:
    """Answers recalls over one store; safe from any thread."""

    def __init__(self, store: Store, indexer: Indexer, config: RetrievalConfig) -> None:
        self._store = store
        self._indexer = indexer
        self._config = config
        self._ranking = Ranking(store, indexer, config)
        # Apart, so that questions waiting for a slow model never hold up the words.
        self._hot_pool = ThreadPoolExecutor(max_workers=4, thread_name_prefix="recall-hot")
        self._cold_pool = ThreadPoolExecutor(max_workers=4, thread_name_prefix="recall-cold")
        self._running: set[Future[Any]] = set()
        self._closed = threading.Event()
        self._query_vector = lru_cache(maxsize=256)(self._embed_question)

    @property
    def summaries(self) -> SummaryNavigator:
        """Navigation over what review has compressed."""
        return SummaryNavigator(self._store, self._indexer.summaries)

    # -- the Retriever protocol -------------------------------------------------------------------------

    def recall(self, query: RecallQuery) -> RecallResult:
        """Answer one query inside its deadlines; see :meth:`zulong.memory.graph.MemoryGraph.recall`."""
        begun = time.monotonic()
        late: list[str] = []
        if query.k <= 0:
            return RecallResult([], late, time.monotonic() - begun)
        patience_s = min(
            _CATCH_UP_SHARE * max(query.hot_deadline_s, query.cold_deadline_s), _CATCH_UP_AT_MOST_S
        )
        if not self._indexer.catch_up(begun + patience_s):
            late.append("index")
        now, time_range = self._store.now(), self._indexer.keyword.time_range()
        question = understand(query.text, time_range, now, self._utc_offset_s(now))
        if question.about_memory == "count":
            return RecallResult(
                [about_memory.count(self._store, query, question)], late, time.monotonic() - begun
            )
        weights = question_weights(question.topic)
        if not weights:
            hits = about_memory.newest(self._store, query, question)
            return RecallResult(hits, late, time.monotonic() - begun)
        passes = self._filter(query)
        hot, cold = self._both_paths(query, question, weights, passes, begun, late)
        hits = self._ranking.hits(query, question, hot, cold)
        return RecallResult(hits, late, time.monotonic() - begun)

    def maintain(self, budget_s: float) -> bool:
        """Index and embed for about ``budget_s`` seconds; True while work is left."""
        return self._indexer.maintain(budget_s)

    def holds(self, uids: Sequence[int]) -> dict[str, int]:
        """Return how many entries the indexes hold for these memories, by kind."""
        return self._indexer.holds(uids)

    def forget(self, uids: Sequence[int]) -> dict[str, int]:
        """Remove every trace of these memories from the indexes; returns counts by kind."""
        self._query_vector.cache_clear()
        return self._indexer.forget(uids)

    def close(self) -> None:
        """Stop the threads and write the caches; harmless when called twice."""
        if self._closed.is_set():
            return
        self._closed.set()
        for pool in (self._hot_pool, self._cold_pool):
            pool.shutdown(wait=False, cancel_futures=True)
        wait(list(self._running), _CLOSE_WITHIN_S)  # a model that hangs must not hang the robot
        self._indexer.close()

    # -- the two paths ----------------------------------------------------------------------------------

    def _both_paths(
        self,
        query: RecallQuery,
        question: Question,
        weights: Mapping[str, float],
        passes: Passes | None,
        begun: float,
        late: list[str],
    ) -> tuple[HotFindings | None, ColdFindings | None]:
        hot_job: Future[HotFindings] | None = None
        cold_job: Future[ColdFindings] | None = None
        if query.cold_deadline_s > 0:
            cold_job = self._submit(self._cold_pool, self._cold, question, passes)
        if query.hot_deadline_s > 0:
            hot_job = self._submit(self._hot_pool, self._hot, query, question, weights, passes)
        hot = _wait(hot_job, begun + query.hot_deadline_s, "hot", late)
        cold = _wait(cold_job, begun + query.cold_deadline_s, "cold", late)
        return hot, cold

    def _submit(self, pool: ThreadPoolExecutor, work: Callable[..., _T], *arguments: object) -> Future[_T]:
        job = pool.submit(work, *arguments)
        self._running.add(job)
        job.add_done_callback(self._running.discard)
        return job

    def _hot(
        self, query: RecallQuery, question: Question, weights: Mapping[str, float], passes: Passes | None
    ) -> HotFindings:
        config, keyword = self._config, self._indexer.keyword
        scores = keyword.score(weights)
        found = [scores.best(config.candidates, passes=passes).uids]
        if question.spans:
            found.append(scores.best(config.dated_candidates, spans=question.spans, passes=passes).uids)
        focus, sessions = None, NO_UIDS
        if query.focus:
            seeds = [uid for uid in map(self._store.uid, query.focus) if uid is not None]
            if seeds:
                sessions = np.unique(keyword.placed(np.array(seeds, np.int64)).session)
                sessions = sessions[sessions != 0]
                focus = self._store.spread(dict.fromkeys(seeds, 1.0), depth=FOCUS_DEPTH, limit=_FOCUS_LIMIT)
                found.append(focus.uids if passes is None else focus.uids[passes(focus.uids)])
        return HotFindings(scores, np.unique(np.concatenate(found)), focus, sessions)

    def _cold(self, question: Question, passes: Passes | None) -> ColdFindings:
        config, vectors = self._config, self._indexer.vectors
        vector = self._query_vector(question.topic)
        found = [vectors.search(vector, config.candidates, passes=passes).uids]
        if question.spans:
            dated = self._indexer.keyword.within(question.spans, _DATED_LIMIT)
            if passes is not None and len(dated):
                dated = dated[passes(dated)]
            cosines, known = vectors.cosines(vector, dated)
            dated, cosines = dated[known], cosines[known]
            found.append(dated[np.argsort(-cosines)[: config.dated_candidates]])
        return ColdFindings(vector, np.unique(np.concatenate(found)))

    def _embed_question(self, text: str) -> F32:
        return self._indexer.embedder.embed_query(text)

    def _utc_offset_s(self, now: float) -> float:
        if self._config.utc_offset_h is not None:
            return 3600.0 * self._config.utc_offset_h
        return float(time.localtime(now).tm_gmtoff)

    def _filter(self, query: RecallQuery) -> Passes | None:
        plain = (query.types, query.since, query.until, query.near, query.person, query.robot, query.session)
        if all(value is None for value in plain) and query.as_of is None:
            return None
        return lambda uids: self._store.matching(uids, query)


def _wait(job: Future[Any] | None, deadline: float, name: str, late: list[str]) -> Any:
    """Return what a path brought, or None and its name in ``late`` when it is not there in time."""
    if job is None:
        late.append(name)
        return None
    try:
        return job.result(max(deadline - time.monotonic(), 0.0))
    except FutureTimeoutError:
        job.cancel()
    except EmbeddingError:  # no vectors for this question: the words still answer
        pass
    late.append(name)
    return None
