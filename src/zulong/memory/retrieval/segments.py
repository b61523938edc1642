"""Immutable pieces of the keyword index: postings of some passages, sorted by term, in numpy arrays.

Okapi BM25 (Robertson and Zaragoza 2009). Only term frequencies are stored and the score is computed when it
is asked for, so that document lengths are always weighed against the present average.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

I32 = NDArray[np.int32]
U8 = NDArray[np.uint8]
I64 = NDArray[np.int64]
F32 = NDArray[np.float32]
F64 = NDArray[np.float64]
_Columns = tuple[I64, F32, F64, I64, I64, U8, I64]
K1 = 1.5
B = 0.75


@dataclass(slots=True, frozen=True)
class Passage:
    """What the index keeps of one passage of one memory.

    Attributes:
        uid: the memory; several passages of one memory follow each other.
        counts: (term number, occurrences) pairs.
        length: words of the passage.
        stamp: when the memory happened, seconds since the epoch.
        session: number that memories of one session share, 0 for none.
        parent: number that the chunks of one file share, 0 for none.
        kind: what a question may call it (see :class:`~zulong.memory.retrieval.question.Kind`).
        digest: checksum of the text, to see whether a changed memory needs a new vector.
    """

    uid: int
    counts: Sequence[tuple[int, int]]
    length: int
    stamp: float
    session: int
    parent: int
    kind: int
    digest: int


@dataclass(slots=True, frozen=True)
class Segment:
    """Postings and aligned columns of some passages, ordered by uid.

    ``alive`` is the one array that changes: a removed memory is struck out there until the next merge.
    """

    term: I32  # [terms] sorted term numbers
    start: I64  # [terms + 1] where the postings of each begin
    slot: I32  # [postings] passage of each posting
    frequency: U8  # [postings]
    uid: I64  # [passages]
    length: F32
    stamp: F64
    session: I64
    parent: I64
    kind: U8
    digest: I64
    alive: NDArray[np.bool_]
    words: float  # sum of the lengths

    def __len__(self) -> int:
        return len(self.uid)

    def postings(self, term: int) -> tuple[I32, U8]:
        """Return the passages that hold the term and how often each does."""
        row = int(np.searchsorted(self.term, term))
        if row == len(self.term) or self.term[row] != term:
            return self.slot[:0], self.frequency[:0]
        begin, end = self.start[row], self.start[row + 1]
        return self.slot[begin:end], self.frequency[begin:end]

    def document_frequency(self, term: int) -> int:
        row = int(np.searchsorted(self.term, term))
        if row == len(self.term) or self.term[row] != term:
            return 0
        return int(self.start[row + 1] - self.start[row])

    def slots_of(self, uids: I64) -> tuple[I64, I64]:
        """Return (position in ``uids``, passage) of every passage of these memories."""
        left = np.searchsorted(self.uid, uids, "left")
        right = np.searchsorted(self.uid, uids, "right")
        counts = right - left
        position = np.repeat(np.arange(len(uids)), counts)
        inside = np.arange(int(counts.sum())) - np.repeat(np.cumsum(counts) - counts, counts)
        return position, np.repeat(left, counts) + inside


def build(passages: Sequence[Passage]) -> Segment:
    """Return a segment of these passages; they may come in any order."""
    ordered = sorted(passages, key=lambda passage: passage.uid)
    terms: list[int] = []
    slots: list[int] = []
    frequencies: list[int] = []
    for slot, passage in enumerate(ordered):
        for term, count in passage.counts:
            terms.append(term)
            slots.append(slot)
            frequencies.append(min(count, 255))
    return _sorted(
        np.array(terms, np.int32),
        np.array(slots, np.int32),
        np.array(frequencies, np.uint8),
        (
            np.array([p.uid for p in ordered], np.int64),
            np.array([p.length for p in ordered], np.float32),
            np.array([p.stamp for p in ordered], np.float64),
            np.array([p.session for p in ordered], np.int64),
            np.array([p.parent for p in ordered], np.int64),
            np.array([p.kind for p in ordered], np.uint8),
            np.array([p.digest for p in ordered], np.int64),
        ),
    )


def _sorted(terms: I32, slots: I32, frequencies: U8, columns: _Columns) -> Segment:
    order = np.argsort(terms, kind="stable")
    terms = terms[order]
    distinct, begins = np.unique(terms, return_index=True)
    start = np.append(begins, len(terms)).astype(np.int64)
    alive = np.ones(len(columns[0]), np.bool_)
    words = float(columns[1].sum())
    return Segment(distinct, start, slots[order], frequencies[order], *columns, alive, words)


def merge(parts: Sequence[Segment]) -> tuple[Segment, list[I64]]:
    """Return one segment of what is alive in ``parts``, and per part the new slot of each old one (-1: gone)."""
    uids = np.concatenate([part.uid for part in parts])
    alive = np.concatenate([part.alive for part in parts])
    kept = np.flatnonzero(alive)
    order = kept[np.argsort(uids[kept], kind="stable")]
    renumbered = np.full(len(uids), -1, np.int64)
    renumbered[order] = np.arange(len(order))
    moved: list[I64] = []
    terms, slots, frequencies = [], [], []
    first = 0
    for part in parts:
        mine = renumbered[first : first + len(part)]
        first += len(part)
        moved.append(mine)
        target = mine[part.slot]
        held = target >= 0
        terms.append(np.repeat(part.term, np.diff(part.start))[held])
        slots.append(target[held].astype(np.int32))
        frequencies.append(part.frequency[held])
    merged = _sorted(
        np.concatenate(terms),
        np.concatenate(slots),
        np.concatenate(frequencies),
        (
            uids[order],
            np.concatenate([part.length for part in parts])[order],
            np.concatenate([part.stamp for part in parts])[order],
            np.concatenate([part.session for part in parts])[order],
            np.concatenate([part.parent for part in parts])[order],
            np.concatenate([part.kind for part in parts])[order],
            np.concatenate([part.digest for part in parts])[order],
        ),
    )
    return merged, moved
