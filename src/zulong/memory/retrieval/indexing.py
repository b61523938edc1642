"""Keeps the keyword and the vector index abreast of the store, on a thread of its own and on demand."""

from __future__ import annotations

import logging
import threading
import time
from collections import deque
from collections.abc import Iterable, Sequence
from itertools import islice
from pathlib import Path
from weakref import WeakKeyDictionary

import numpy as np

from zulong.embedding import Embedder, EmbeddingError
from zulong.embedding.protocol import Vectors, normalise_rows
from zulong.memory.errors import MemoryGraphError
from zulong.memory.model import SUMMARY_TAG, EdgeType, Node, NodeType, RecallQuery
from zulong.memory.reader import Commit, Store
from zulong.memory.retrieval.chunks import chunk_text
from zulong.memory.retrieval.config import RetrievalConfig
from zulong.memory.retrieval.keyword import KeywordIndex, text_digest
from zulong.memory.retrieval.vectors import VectorIndex
from zulong.memory.shards import ShardedVectors
from zulong.memory.summaries.store import SummaryStore

_LOG = logging.getLogger(__name__)
_SLICE = 256
_VECTOR_BLOCK = 4_096
_STORE_PATIENCE_S = 5.0
_BOOT_AT_ONCE = 5_000
_LONG_TEXT = 6_000
"""Characters beyond which a text is embedded as the mean of its parts: models cut what is longer."""
_PARTS = 8
_UNSAVED = 2_000
"""Changed memories that make writing the caches at close worth while."""
# What says nothing by itself is not embedded: it is found by its words and by its neighbours.
_NEVER_EMBEDDED = frozenset({NodeType.APPROVAL})


_OPEN: WeakKeyDictionary[Store, Indexer] = WeakKeyDictionary()


def indexer_of(store: Store) -> Indexer | None:
    """Return the indexer that was last opened on ``store``: the door shares the indexes of the retriever."""
    return _OPEN.get(store)


class Indexer:
    """Owns both indexes of one store.

    Commits are queued by the writer and applied in slices, so that a recall which wants to see them waits for
    its own deadline at most.
    """

    def __init__(self, store: Store, embedder: Embedder, cache_dir: Path, config: RetrievalConfig) -> None:
        self._store = store
        self.embedder = embedder
        self._cache_dir = cache_dir
        self._config = config
        self.keyword = KeywordIndex(config.passage_words)
        self.vectors = self._new_vectors()
        self.summaries = SummaryStore(cache_dir / "summaries.sqlite", embedder)
        self._commits: deque[Commit] = deque()
        self._unembedded: dict[int, None] = {}
        self._applying = threading.RLock()
        self._embedding = threading.Lock()
        self._wake = threading.Event()
        self._stop = threading.Event()
        self._ready = threading.Event()
        self._busy = False
        self._seen_txn = store.txn_id
        self._changed_since_save = 0
        self._embed_retry_at = 0.0
        self._unsubscribe = store.on_commit(self._committed)
        self._thread: threading.Thread | None = None
        _OPEN[store] = self

    def _new_vectors(self) -> ShardedVectors:
        config = self._config
        return ShardedVectors(
            self._store,
            self.embedder.name,
            self.embedder.dim,
            lambda: VectorIndex(self.embedder.dim, config.flat_limit),
            self._cache_dir / "vectors",
            budget_bytes=config.vector_memory_bytes,
            hot_shards=config.hot_shards,
        )

    # -- life -------------------------------------------------------------------------------------------

    def start(self) -> None:
        """Load the caches and catch up: at once for a small store, else on the thread."""
        if len(self._store) <= _BOOT_AT_ONCE or not self._config.background:
            self._catch_up_with_store()
        if self._config.background:
            self._thread = threading.Thread(target=self._run, name="memory-index", daemon=True)
            self._thread.start()

    def close(self, timeout_s: float = 10.0) -> None:
        """Stop the thread, apply what is queued and write the caches if much has changed."""
        _OPEN.pop(self._store, None)
        self._unsubscribe()
        self._stop.set()
        self._wake.set()
        if self._thread is not None:
            self._thread.join(timeout_s)
        if not self._ready.is_set():
            self.summaries.close()
            return
        self.catch_up(time.monotonic() + timeout_s)
        if not self._commits:
            self.summaries.txn_id = self._seen_txn
        self.summaries.close()
        if self._changed_since_save >= _UNSAVED and not self._commits:
            self.save()

    def save(self) -> None:
        """Write both caches with the transaction that they reflect."""
        with self._applying:
            self._cache_dir.mkdir(parents=True, exist_ok=True)
            self.keyword.save(self._cache_dir / "keyword.npz", self._seen_txn)
            self.vectors.save(self._cache_dir / "vectors", self._seen_txn, self.embedder.name)
            self._changed_since_save = 0

    # -- catching up ------------------------------------------------------------------------------------

    def _committed(self, commit: Commit) -> None:
        self._commits.append(commit)
        self._wake.set()

    def _catch_up_with_store(self) -> None:
        with self._applying:
            if self._ready.is_set():
                return
            store = self._store
            txn_id = store.txn_id
            keyword_txn = self.keyword.load(self._cache_dir / "keyword.npz")
            if not self._replay(keyword_txn, vectors=False):
                self.keyword = KeywordIndex(self._config.passage_words)
                self._index(store.documents())
                self._changed_since_save += self.keyword.size
            vector_txn = self.vectors.load(self._cache_dir / "vectors", self.embedder.name)
            if not self._replay(vector_txn, vectors=True):
                self.vectors = self._new_vectors()
            self._load_vectors()
            self._catch_up_summaries()
            self._seen_txn = max(self._seen_txn, txn_id)
            self._ready.set()

    def _replay(self, since_txn: int | None, *, vectors: bool) -> bool:
        """Apply what happened since a cache was written; False when the log does not reach back so far."""
        changes = None if since_txn is None else self._store.changes(since_txn)
        if changes is None:
            return False
        for commit in changes:
            gone = [uid for uid, _ in commit.removed]
            if vectors:
                stale = [*gone, *(node.uid for node in (*commit.added, *commit.changed))]
                self.vectors.remove(np.array(stale, np.int64))
            else:
                here = (*commit.added, *commit.changed)
                self.keyword.remove([*gone, *(node.uid for node in here if node.stub)])
                self.keyword.add(node for node in here if not node.stub)
        return True

    def _catch_up_summaries(self) -> None:
        since = self.summaries.txn_id
        changes = None if since is None else self._store.changes(since)
        if changes is not None:
            for commit in changes:
                self.summaries.remove([uid for uid, _ in commit.removed])
                self.summaries.put((*commit.added, *commit.changed))
            return
        self.summaries.clear()
        # Only EPISODE nodes are made as summaries.
        episodes = self._store.select(RecallQuery("", types=frozenset({NodeType.EPISODE})))
        for start in range(0, len(episodes), _SLICE):
            nodes = self._store.nodes(episodes[start : start + _SLICE])
            self.summaries.put(node for node in nodes if node is not None and SUMMARY_TAG in node.tags)

    def _index(self, nodes: Iterable[Node]) -> None:
        batch: list[Node] = []
        for node in nodes:
            if node.stub:
                continue
            batch.append(node)
            if len(batch) == _SLICE:
                self.keyword.add(batch)
                batch = []
                if self._stop.is_set():
                    return
        self.keyword.add(batch)

    def _load_vectors(self) -> None:
        """Take in the stored vectors of this embedder; what has none, or another's, waits to be embedded."""
        every = self._store.uids()
        missing = every[~self.vectors.holds(every)]
        for start in range(0, len(missing), _VECTOR_BLOCK):
            uids = missing[start : start + _VECTOR_BLOCK]
            matrix, stored = self._store.vectors_of(uids, self.embedder.name)
            if stored.any():
                self.vectors.add(uids[stored], matrix[stored])
                self._changed_since_save += int(stored.sum())
            self._unembedded.update(dict.fromkeys(uids[~stored].tolist()))
            if self._stop.is_set():
                return

    def catch_up(self, deadline: float) -> bool:
        """Apply queued commits until ``deadline`` (steady clock); True when nothing is left to apply."""
        if not self._ready.is_set():
            return self._ready.wait(max(deadline - time.monotonic(), 0.0)) and self.catch_up(deadline)
        # In this order: what has left the queue is being applied until the flag falls.
        if not self._commits and not self._busy:
            return True
        if not self._applying.acquire(timeout=max(deadline - time.monotonic(), 0.0)):
            return False
        try:
            while self._apply_slice():
                if time.monotonic() > deadline:
                    break
        finally:
            self._applying.release()
        return not self._commits

    def _apply_slice(self) -> bool:
        """Apply some queued commits as one segment; False when there were none. The caller holds the lock."""
        self._busy = True
        try:
            return self._apply_queued()
        finally:
            self._busy = False

    def _apply_queued(self) -> bool:
        latest: dict[int, Node | None] = {}
        taken = 0
        while self._commits and len(latest) < _SLICE:
            commit = self._commits.popleft()
            taken += 1
            for node in (*commit.added, *commit.changed):
                latest[node.uid] = node
            for uid, _ in commit.removed:
                latest[uid] = None
            self._seen_txn = max(self._seen_txn, commit.txn_id)
        # A stub is in no index: it is reached by its id, by its edges, and through its summary.
        gone = [uid for uid, node in latest.items() if node is None or node.stub]
        here = [node for node in latest.values() if node is not None and not node.stub]
        if gone:
            self.keyword.remove(gone)
            self.vectors.remove(np.array(gone, np.int64))
            self.summaries.remove(gone)
            for uid in gone:
                self._unembedded.pop(uid, None)
        if here:
            uids = np.array([node.uid for node in here], np.int64)
            before = self.keyword.placed(uids).digest
            self.keyword.add(here)
            for node, digest in zip(here, before.tolist(), strict=True):
                if digest != text_digest(node.text):
                    self._unembedded[node.uid] = None
            # Whatever is or was a summary: those that never were one cost a look at their tags.
            summaries = [node for node in here if SUMMARY_TAG in node.tags]
            if summaries:
                self.summaries.put(summaries)
        self._changed_since_save += len(latest)
        return taken > 0

    # -- embedding --------------------------------------------------------------------------------------

    def embed_batch(self) -> int:
        """Embed one batch of memories that have no vector, store it durably and join what is alike.

        Returns how many memories it dealt with. An embedder that fails is tried again a minute later.
        """
        if not self._unembedded or time.monotonic() < self._embed_retry_at:
            return 0
        with self._embedding:
            with self._applying:
                wanted = list(islice(self._unembedded, self._config.embed_batch))
            nodes = [node for node in self._store.nodes(wanted) if node is not None]
            nodes = [node for node in nodes if node.type not in _NEVER_EMBEDDED and not node.stub]
            try:
                matrix = self._embed([node.text for node in nodes])
            except EmbeddingError as error:
                self._embed_retry_at = time.monotonic() + 60.0
                _LOG.warning("New memories have no vectors for now: %s", error)
                return 0
            uids = np.array([node.uid for node in nodes], np.int64)
            if len(uids):
                self._store.put_vectors(uids, matrix, self.embedder.name)
                self.vectors.add(uids, matrix)
            with self._applying:
                for uid in wanted:
                    self._unembedded.pop(uid, None)
            self._join_alike(nodes, matrix)
            return len(wanted)

    def _embed(self, texts: Sequence[str]) -> Vectors:
        parts: list[str] = []
        owner: list[int] = []
        for i, text in enumerate(texts):
            pieces = [text]
            if len(text) > _LONG_TEXT:
                pieces = [chunk.full_text for chunk in chunk_text(text)[:_PARTS]] or [text]
            parts.extend(pieces)
            owner.extend([i] * len(pieces))
        if not parts:
            return np.zeros((0, self.embedder.dim), np.float32)
        vectors = self.embedder.embed(parts)
        sums = np.zeros((len(texts), self.embedder.dim), np.float32)
        np.add.at(sums, owner, vectors)
        return normalise_rows(sums)

    def _join_alike(self, nodes: Sequence[Node], matrix: Vectors) -> None:
        limit, least = self._config.semantic_edges, self._config.semantic_edge_cosine
        if not limit or not nodes:
            return
        edges: list[tuple[str, str, EdgeType, float]] = []
        for node, near in zip(nodes, self.vectors.alike(matrix, limit + 1, least), strict=True):
            pairs = zip(near.uids.tolist(), near.cosines.tolist(), strict=True)
            alike = [(uid, cosine) for uid, cosine in pairs if uid != node.uid][:limit]
            others = self._store.nodes([uid for uid, _ in alike])
            for other, (_, cosine) in zip(others, alike, strict=True):
                if other is not None:
                    edges.append((node.id, other.id, EdgeType.SEMANTIC, min(float(cosine), 1.0)))
        if edges:
            self._store.link_many(edges)

    @property
    def waiting(self) -> int:
        """How many memories are not yet embedded."""
        return len(self._unembedded)

    # -- work -------------------------------------------------------------------------------------------

    def maintain(self, budget_s: float) -> bool:
        """Catch up, embed, freeze vectors for about ``budget_s``; True while work is left."""
        deadline = time.monotonic() + budget_s
        if not self._ready.is_set():
            self._catch_up_with_store()
        caught_up = self.catch_up(deadline)
        more = caught_up
        while more and time.monotonic() < deadline:
            more = self.embed_batch() > 0 or self.vectors.maintain()
        return more or not caught_up

    def _run(self) -> None:
        while not self._stop.is_set():
            try:
                if not self._ready.is_set():
                    self._catch_up_with_store()
                self._wake.wait(0.5)
                self._wake.clear()
                while not self._stop.is_set() and self._work():
                    self._stop.wait(0.002)  # lets recalls and writers have the interpreter
            except MemoryGraphError as error:  # a full disk, say: nothing is lost, the words still answer
                _LOG.warning("Indexing waits for %.0f s: %s", _STORE_PATIENCE_S, error)
                self._stop.wait(_STORE_PATIENCE_S)
            except Exception:  # the thread must outlive one bad batch; what it could not do is logged
                _LOG.exception("Indexing failed and is tried again in a second.")
                self._stop.wait(1.0)

    def _work(self) -> bool:
        with self._applying:
            if self._apply_slice():
                return True
        return self.embed_batch() > 0 or self.vectors.maintain()

    # -- forgetting -------------------------------------------------------------------------------------

    def holds(self, uids: Sequence[int]) -> dict[str, int]:
        """Return how many entries the indexes hold for these memories, by kind."""
        self.catch_up(time.monotonic() + 10.0)
        wanted = np.array(sorted(set(uids)), np.int64)
        return {
            "passages": self.keyword.count(wanted),
            "vectors": int(self.vectors.holds(wanted).sum()),
            "summaries": self.summaries.count(wanted.tolist()),
        }

    def forget(self, uids: Sequence[int]) -> dict[str, int]:
        """Remove every trace of these memories from both indexes and their files; counts by kind."""
        with self._embedding, self._applying:  # in this order everywhere
            wanted = np.array(sorted(set(uids)), np.int64)
            gone = wanted.tolist()
            counts = {
                "passages": self.keyword.remove(gone),
                "vectors": self.vectors.remove(wanted),
                "summaries": self.summaries.remove(gone),
            }
            # The queue may still hold commits from before; whatever they bring back goes as well.
            self.catch_up(time.monotonic() + 10.0)
            self.keyword.remove(gone)
            self.vectors.remove(wanted)
            self.summaries.remove(gone)
            for uid in gone:
                self._unembedded.pop(uid, None)
            self.keyword.purge()
            self.vectors.purge()
            self.summaries.purge()
            clear = getattr(self.embedder, "clear", None)
            if clear is not None:
                clear()  # a cache of vectors by text
            if (self._cache_dir / "keyword.npz").exists() or (self._cache_dir / "vectors").exists():
                self.save()
            return counts
