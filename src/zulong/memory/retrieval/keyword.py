"""The keyword index: BM25 over immutable segments, grown by small ones and merged in the background.

A reader takes the tuple of segments once and never waits: a writer adds a new segment, or swaps merged ones,
by replacing that tuple.
"""

from __future__ import annotations

import math
import os
import threading
import zlib
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from zulong.embedding.tokens import CHINESE_STOP_CHARACTERS, ENGLISH_STOP_WORDS, stem, terms
from zulong.memory.model import Node, NodeType
from zulong.memory.retrieval.chunks import chunk_text
from zulong.memory.retrieval.question import kind_of
from zulong.memory.retrieval.segments import F32, F64, I64, K1, U8, B, Passage, Segment, build, merge
from zulong.memory.retrieval.when import DAY_S, Span

Mask = NDArray[np.bool_]

_STOP_TERMS = (
    frozenset(stem(word) for word in ENGLISH_STOP_WORDS) | ENGLISH_STOP_WORDS | CHINESE_STOP_CHARACTERS
)
# With so many passages, function words cost more time than they bring sense.
_SKIP_STOP_TERMS_FROM = 20_000
_EXACT_NORMS_UP_TO = 10_000
_CACHE_VERSION = 2


@dataclass(slots=True, frozen=True)
class Ranked:
    """Memories and their BM25 scores, best first, aligned."""

    uids: I64
    scores: F32


@dataclass(slots=True, frozen=True)
class Placed:
    """Columns of memories that fusion needs, aligned with the uids asked for."""

    length: F32
    session: I64
    parent: I64
    kind: U8
    digest: I64
    stamp: F64


class Scores:
    """The BM25 scores of one question over every passage, as of one moment."""

    def __init__(
        self, segments: Sequence[Segment], alive: Sequence[Mask], scores: Sequence[F32], maximum: float
    ) -> None:
        self._segments = segments
        self._alive = alive
        self._scores = scores
        self.maximum = maximum
        """The score of a short passage that holds every term many times."""

    def best(
        self,
        n: int,
        *,
        spans: Sequence[Span] = (),
        passes: Callable[[I64], Mask] | None = None,
    ) -> Ranked:
        """Return the ``n`` best memories with a term of the question.

        Args:
            spans: only memories whose time lies in one of these.
            passes: tells which of some uids may be returned.
        """
        uids: list[I64] = []
        scores: list[F32] = []
        for segment, alive, score in zip(self._segments, self._alive, self._scores, strict=True):
            found = np.flatnonzero(score > 0)
            found = found[alive[found]]
            if spans:
                stamp = segment.stamp[found]
                inside = np.zeros(len(found), np.bool_)
                for span in spans:
                    inside |= (stamp >= span.start) & (stamp < span.end)
                found = found[inside]
            if passes is not None and len(found):
                found = found[passes(segment.uid[found])]
            # A memory may have several passages, hence the reserve.
            if len(found) > 4 * n:
                found = found[np.argpartition(score[found], -4 * n)[-4 * n :]]
            uids.append(segment.uid[found])
            scores.append(score[found])
        return _best_of(np.concatenate(uids), np.concatenate(scores), n) if uids else _best_of(*_NOTHING, n)

    def of(self, uids: I64) -> F32:
        """Return the score of each of these memories (its best passage), 0 where no term is in it."""
        result = np.zeros(len(uids), np.float32)
        for segment, alive, score in zip(self._segments, self._alive, self._scores, strict=True):
            position, slots = segment.slots_of(uids)
            held = alive[slots]
            np.maximum.at(result, position[held], score[slots[held]])
        return result


def _strike_out(segments: Sequence[Segment], uids: I64) -> int:
    """Mark every passage of these memories as gone; returns how many were there."""
    count = 0
    for segment in segments:
        _, slots = segment.slots_of(uids)
        count += int(segment.alive[slots].sum())
        segment.alive[slots] = False
    return count


_NOTHING = (np.zeros(0, np.int64), np.zeros(0, np.float32))


def _best_of(uids: I64, scores: F32, n: int) -> Ranked:
    order = np.argsort(-scores, kind="stable")
    _, first = np.unique(uids[order], return_index=True)
    kept = order[np.sort(first)][:n]
    return Ranked(uids[kept], scores[kept])


class KeywordIndex:
    """BM25 over the texts of memories.

    Args:
        passage_words: texts longer than this are indexed as several passages; the best one counts.
    """

    def __init__(self, passage_words: int = 400) -> None:
        self._passage_words = passage_words
        # Replaced together, since numbers of one vocabulary mean nothing in the segments of another.
        self._state: tuple[dict[str, int], tuple[Segment, ...]] = ({}, ())
        self._write_lock = threading.Lock()
        self._show_lock = threading.Lock()
        self._merge_lock = threading.Lock()
        self._norms: tuple[tuple[Segment, ...] | None, float, dict[int, F32], int] = (None, 1.0, {}, 0)

    @property
    def _vocabulary(self) -> dict[str, int]:
        return self._state[0]

    @property
    def _segments(self) -> tuple[Segment, ...]:
        return self._state[1]

    def __len__(self) -> int:
        """Return the number of live passages."""
        return sum(int(segment.alive.sum()) for segment in self._segments)

    # -- writing ----------------------------------------------------------------------------------------

    def passages(self, node: Node) -> list[Passage]:
        """Cut a memory into the passages that the index keeps of it."""
        texts = [node.text]
        if len(node.text) > 4 * self._passage_words:  # cheap test first: most memories are short
            texts = [chunk.full_text for chunk in chunk_text(node.text, limit_words=self._passage_words)]
        session, parent, kind = session_number(node), parent_number(node), int(kind_of(node))
        digest = text_digest(node.text)
        vocabulary = self._vocabulary
        found = []
        for text in texts or [""]:
            words = terms(text, keep_stop_words=True)
            counts = [
                (vocabulary.setdefault(term, len(vocabulary)), count)
                for term, count in Counter(words).items()
            ]
            found.append(Passage(node.uid, counts, len(words), node.stamp, session, parent, kind, digest))
        return found

    def add(self, nodes: Iterable[Node]) -> None:
        """Index these memories; one that is there already is replaced."""
        with self._write_lock:
            wanted = list(nodes)
            if not wanted:
                return
            passages = [passage for node in wanted for passage in self.passages(node)]
            segment = build(passages)
            vocabulary, before = self._state
            # In one step for those who search: a memory that is replaced is never missing in between.
            with self._show_lock:
                self._state = vocabulary, (*before, segment)
                _strike_out(before, np.array([node.uid for node in wanted], np.int64))
        self._merge_small()

    def remove(self, uids: Iterable[int]) -> int:
        """Strike out these memories; returns how many passages went."""
        with self._write_lock:
            wanted = np.fromiter(uids, np.int64)
            with self._show_lock:
                return _strike_out(self._segments, wanted)

    def _merge_small(self) -> None:
        # Sizes at least double towards the front, so that there are about log2(passages) segments.
        while True:
            parts = self._segments
            if len(parts) < 2 or len(parts[-2]) >= 2 * len(parts[-1]):
                return
            first = len(parts) - 2
            size = len(parts[-1]) + len(parts[-2])
            while first > 0 and len(parts[first - 1]) < 2 * size:
                first -= 1
                size += len(parts[first])
            self._merge(parts[first:])

    def _merge(self, parts: tuple[Segment, ...]) -> None:
        with self._merge_lock:
            merged, moved = merge(parts)
            with self._write_lock:
                at = next((i for i, s in enumerate(self._segments) if s is parts[0]), -1)
                if at < 0 or self._segments[at : at + len(parts)] != parts:
                    return
                for part, slots in zip(parts, moved, strict=True):
                    # Whatever was struck out while the merge ran.
                    merged.alive[slots[(slots >= 0) & ~part.alive]] = False
                vocabulary, present = self._state
                self._state = vocabulary, (*present[:at], merged, *present[at + len(parts) :])

    def compact(self) -> None:
        """Merge everything and drop what was struck out."""
        parts = self._segments
        if parts:
            self._merge(parts)

    def purge(self) -> None:
        """Drop what was struck out and every word that only it had, so that no trace of it is left."""
        with self._merge_lock, self._write_lock:
            if not self._segments:
                self._state = {}, ()
                return
            merged, _ = merge(self._segments)
            words = list(self._vocabulary)
            kept = {words[number]: i for i, number in enumerate(merged.term.tolist())}
            term = np.arange(len(merged.term), dtype=np.int32)
            self._state = kept, (replace(merged, term=term),) if len(merged) else ()

    # -- reading ----------------------------------------------------------------------------------------

    def score(self, weights: Mapping[str, float]) -> Scores:
        """Return the scores of a question, given as weight per term (see :func:`question_weights`)."""
        with self._show_lock:
            vocabulary, segments = self._state
            alive = [segment.alive.copy() for segment in segments]
        norms, total = self._length_norms(segments)
        outs = [np.zeros(len(segment), np.float32) for segment in segments]
        maximum = 0.0
        known = [(vocabulary[term], term, w) for term, w in weights.items() if term in vocabulary]
        content = [entry for entry in known if entry[1] not in _STOP_TERMS]
        if total > _SKIP_STOP_TERMS_FROM and content:
            known = content
        for number, _, weight in known:
            count = sum(segment.document_frequency(number) for segment in segments)
            factor = weight * (K1 + 1) * math.log(1 + (total - count + 0.5) / (count + 0.5))
            maximum += factor
            for segment, out, norm in zip(segments, outs, norms, strict=True):
                slots, frequency = segment.postings(number)
                if len(slots):
                    occurrences = frequency.astype(np.float32)
                    out[slots] += np.float32(factor) * occurrences / (occurrences + norm[slots])
        return Scores(segments, alive, outs, maximum)

    def _length_norms(self, segments: tuple[Segment, ...]) -> tuple[list[F32], int]:
        """Return K1 * (1 - B + B * length / average) a passage, and the number of passages.

        Kept while the segments stay; in a large index also while the average has moved by less than 1 %.
        """
        kept, average, norms, total = self._norms
        if kept is segments:
            return list(norms.values()), total
        total = sum(len(segment) for segment in segments)
        words = sum(segment.words for segment in segments)
        now = max(words / max(total, 1), 1.0)
        if total < _EXACT_NORMS_UP_TO or abs(now - average) > 0.01 * average:
            average, norms = now, {}
        scale = np.float32(K1 * B / average)
        norms = {
            id(segment): norms.get(id(segment), segment.length * scale + np.float32(K1 * (1 - B)))
            for segment in segments
        }
        self._norms = (segments, average, norms, total)
        return list(norms.values()), total

    def placed(self, uids: I64) -> Placed:
        """Return the columns of memories (of their last passage); zeros if unknown."""
        placed = Placed(
            np.zeros(len(uids), np.float32),
            np.zeros(len(uids), np.int64),
            np.zeros(len(uids), np.int64),
            np.zeros(len(uids), np.uint8),
            np.zeros(len(uids), np.int64),
            np.zeros(len(uids)),
        )
        for segment in self._segments:
            position, slots = segment.slots_of(uids)
            held = segment.alive[slots]
            position, slots = position[held], slots[held]
            for name in Placed.__slots__:
                getattr(placed, name)[position] = getattr(segment, name)[slots]
        return placed

    def within(self, spans: Sequence[Span], limit: int) -> I64:
        """Return the memories whose time lies in one of ``spans``; none at all when there are more than ``limit``."""
        found: list[I64] = []
        for segment in self._segments:
            inside = np.zeros(len(segment), np.bool_)
            for span in spans:
                inside |= (segment.stamp >= span.start) & (segment.stamp < span.end)
            found.append(segment.uid[inside & segment.alive])
        uids = np.unique(np.concatenate(found)) if found else np.zeros(0, np.int64)
        return uids if len(uids) <= limit else uids[:0]

    def count(self, uids: I64) -> int:
        """Return how many live passages these memories have."""
        return sum(int(segment.alive[segment.slots_of(uids)[1]].sum()) for segment in self._segments)

    @property
    def size(self) -> int:
        """The number of passages, struck-out ones included until they are merged away."""
        return sum(len(segment) for segment in self._segments)

    def frequency(self, term: str) -> int:
        """Return how many passages hold a term."""
        vocabulary, segments = self._state
        number = vocabulary.get(term)
        return 0 if number is None else sum(segment.document_frequency(number) for segment in segments)

    def time_range(self) -> tuple[float, float] | None:
        """Return the first and the last time of what is indexed, or None when nothing is."""
        filled = [segment for segment in self._segments if len(segment)]
        if not filled:
            return None
        return min(float(s.stamp.min()) for s in filled), max(float(s.stamp.max()) for s in filled)

    # -- cache ------------------------------------------------------------------------------------------

    def save(self, path: Path, txn_id: int) -> None:
        """Write the index, merged, with the transaction it reflects; words that no memory has any more stay out."""
        self.compact()
        vocabulary, segments = self._state
        segment = segments[0] if segments else build([])
        columns = {name: getattr(segment, name) for name in Segment.__slots__ if name != "words"}
        every = list(vocabulary)
        columns["term"] = np.arange(len(segment.term), dtype=np.int32)
        words = np.frombuffer("\n".join(every[number] for number in segment.term.tolist()).encode(), np.uint8)
        about = np.array([_CACHE_VERSION, txn_id, self._passage_words], np.int64)
        temporary = path.with_suffix(".tmp")
        with temporary.open("wb") as file:
            np.savez(file, about=about, words=words, **columns)
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(path)

    def load(self, path: Path) -> int | None:
        """Read what :meth:`save` wrote; returns its transaction, None where it is missing or unusable."""
        try:
            with np.load(path, allow_pickle=False) as data:
                about = data["about"]
                if about[0] != _CACHE_VERSION or about[2] != self._passage_words:
                    return None
                columns = {name: data[name] for name in Segment.__slots__ if name != "words"}
                segment = Segment(**columns, words=float(columns["length"].sum()))
                words = data["words"].tobytes().decode().split("\n")
        except (OSError, ValueError, KeyError, EOFError, zlib.error):
            return None  # a cache: its loss costs time only
        except Exception as error:  # zipfile has its own error type for a damaged archive
            if type(error).__name__ != "BadZipFile":
                raise
            return None
        vocabulary = {word: i for i, word in enumerate(words) if word or len(words) > 1}
        self._state = vocabulary, (segment,) if len(segment) else ()
        return int(about[1])


def question_weights(text: str) -> dict[str, float]:
    """Return the weight of each term of a question: how often it says it."""
    return {term: float(count) for term, count in Counter(terms(text, keep_stop_words=True)).items()}


def text_digest(text: str) -> int:
    """Return a checksum of a text, above 0."""
    return zlib.crc32(text.encode(errors="replace")) + 1


def session_number(node: Node) -> int:
    """Return the number of a memory's session: by its name, for dialogue without one by its day, else 0."""
    if node.session:
        return zlib.crc32(node.session.encode()) + 1
    if node.type is NodeType.DIALOGUE:
        return (1 << 33) + int(node.stamp // DAY_S)
    return 0


def parent_number(node: Node) -> int:
    """Return the number that a file and its chunks share, 0 for what belongs to no file."""
    parent = node.meta.get("file") if node.type is NodeType.DOCUMENT else None
    if node.type is NodeType.FILE:
        parent = node.id
    return zlib.crc32(str(parent).encode()) + 1 if parent else 0
