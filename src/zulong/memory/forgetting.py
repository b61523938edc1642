"""Forgetting: what is left of an edge is a function of time, and what has faded away is cleared up in slices.

    w(t) = w0 * 2 ** (-t / half_life)       t since the last reinforcement

An edge below ``prune_below`` no longer exists for any reader, so pruning only gives back its space: when and
how often it runs changes no answer. The scan works on arrays, a slice at a time, and removals are written in
small transactions, so that no recall waits longer than a few milliseconds for either.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from zulong.memory import journal
from zulong.memory import records as rec
from zulong.memory.config import DAY_S
from zulong.memory.engine import WRITE_TIMEOUT_S, Engine, wait_for
from zulong.memory.model import STRUCTURAL_EDGES, Importance
from zulong.memory.reader import Uids
from zulong.memory.topology import DEAD, EdgeArrays
from zulong.memory.transaction import EdgeKey, Transaction
from zulong.memory.writer import Operation

SLICE = 1 << 15
_BLOCK = 512
_WEIGHT = 4096
"""A block fills a commit by itself."""


@dataclass(slots=True, frozen=True)
class Faded:
    """What one scan found at one moment. Keys are (source uid, target uid, EdgeType value)."""

    gone: list[EdgeKey] = field(default_factory=list)
    """Edges below the prune limit."""
    fading: Uids = field(default_factory=lambda: np.zeros(0, np.int64))
    """Nodes at the less important end of an edge in the review band."""
    orphans: Uids = field(default_factory=lambda: np.zeros(0, np.int64))
    """Nodes with no edge left whose time is over."""
    unused: Uids = field(default_factory=lambda: np.zeros(0, np.int64))
    """Nodes that only structure still holds, not used for ``compress_after_s``."""
    longest_slice_s: float = 0.0


@dataclass(slots=True, frozen=True)
class DecayReport:
    """What one run did: edges removed, journal entries, seconds, and what the scan found."""

    pruned: int
    found: Faded
    journal_ids: tuple[int, ...]
    elapsed_s: float


def scan(engine: Engine) -> Faded:
    """Look at every edge and node as of now; changes nothing."""
    memory, now = engine.memory, engine.now()
    config = memory.config.forgetting
    columns, view = memory.columns, memory.topology.view
    count = columns.count
    joined = np.zeros(count, np.bool_)
    bound = np.zeros(count, np.bool_)
    weak = np.zeros(count, np.bool_)
    structural = np.zeros(256, np.bool_)
    structural[[int(type) for type in STRUCTURAL_EDGES]] = True
    gone: list[NDArray[np.int64]] = []
    longest = 0.0
    for edges, part in _slices(view.base.edges, len(view.base), view.fresh, view.fresh_count):
        begun = time.thread_time()
        types, rate = edges.type[part], edges.rate[part]
        weight = edges.weight_now(part, now)
        fades = (types != DEAD) & (rate > 0)
        lost = fades & (weight < config.prune_below)
        here = (types != DEAD) & ~lost
        src, dst = edges.src[part], edges.dst[part]
        joined[src[here]] = True
        joined[dst[here]] = True
        loose = here & ~structural[types]
        bound[src[loose]] = True
        bound[dst[loose]] = True
        band = fades & ~lost & (weight < config.review_below)
        weak[_lesser_ends(columns.importance, src[band], dst[band])] = True
        if lost.any():
            gone.append(
                np.stack([columns.uid[src[lost]], columns.uid[dst[lost]], types[lost].astype(np.int64)], 1)
            )
        longest = max(longest, time.thread_time() - begun)
    limits = np.array([config.orphan_after_s[level] for level in Importance])
    alive = columns.alive[:count]
    alone = alive & ~joined[:count]
    expired = now - columns.accessed[:count] > limits[columns.importance[:count]]
    today = now / DAY_S
    reviewed = columns.field["reviewed"][:count].astype(np.float64)  # NEVER_AGAIN lies far in the future
    trivial = columns.importance[:count] == Importance.TRIVIAL
    due = alive & (today - reviewed >= config.review_again_s / DAY_S)
    unused = joined & ~bound & due & (now - columns.accessed[:count] > config.compress_after_s)
    keys = [(int(src), int(dst), int(type)) for rows in gone for src, dst, type in rows.tolist()]
    uid = columns.uid[:count]
    orphans = uid[alone & expired & (due | trivial)]
    return Faded(keys, uid[weak & due], orphans, uid[unused], longest)


def _slices(
    base: EdgeArrays, base_count: int, fresh: EdgeArrays, fresh_count: int
) -> Iterator[tuple[EdgeArrays, slice]]:
    for edges, count in ((base, base_count), (fresh, fresh_count)):
        for start in range(0, count, SLICE):
            yield edges, slice(start, min(start + SLICE, count))


def _lesser_ends(
    importance: NDArray[np.uint8], src: NDArray[np.int32], dst: NDArray[np.int32]
) -> NDArray[np.int32]:
    """The end that matters less is the one an edge may let go; both where they matter the same."""
    less, more = importance[src], importance[dst]
    return np.concatenate([src[less <= more], dst[more <= less]])


def prune(engine: Engine) -> DecayReport:
    """Scan, and remove the edges that have faded away; every removal is journaled."""
    begun = time.monotonic()
    found = scan(engine)
    blocks = [found.gone[start : start + _BLOCK] for start in range(0, len(found.gone), _BLOCK)]
    pruned, numbers = 0, []
    # Two blocks are queued at a time: the writer is never idle, and nobody's write waits behind all of them.
    waiting = [engine.writer.submit(_removal(block), weight=_WEIGHT) for block in blocks[:2]]
    for index in range(len(blocks)):
        removed, number = wait_for(waiting[index], WRITE_TIMEOUT_S)
        if index + 2 < len(blocks):
            waiting.append(engine.writer.submit(_removal(blocks[index + 2]), weight=_WEIGHT))
        pruned += removed
        if number:
            numbers.append(number)
    return DecayReport(pruned, found, tuple(numbers), time.monotonic() - begun)


def _removal(keys: list[EdgeKey]) -> Operation:
    def operation(tx: Transaction) -> tuple[int, int]:
        act = journal.Act(tx, "prune", "faded below the limit")
        # Asked again inside the transaction: a reinforcement may have come between scan and removal.
        removed = act.remove_faded(keys)
        return removed, act.record()

    return operation


def remove_orphans(
    engine: Engine, uids: Uids, importances: frozenset[Importance]
) -> tuple[int, tuple[int, ...]]:
    """Remove nodes that still have no edge and are past their time; returns (how many, journal entries)."""
    removed, numbers = 0, []
    for start in range(0, len(uids), _BLOCK):
        count, number = engine.write(_orphan_removal(uids[start : start + _BLOCK].tolist(), importances))
        removed += count
        if number:
            numbers.append(number)
    return removed, tuple(numbers)


def _orphan_removal(uids: list[int], importances: frozenset[Importance]) -> Operation:
    def operation(tx: Transaction) -> tuple[int, int]:
        act = journal.Act(tx, "orphan", "no relation left and not used in time")
        limits = tx.memory.config.forgetting.orphan_after_s
        removed = 0
        for uid in uids:
            state = tx.state(uid)
            if state is None or state[rec.F_IMPORTANCE] not in importances:
                continue
            late = tx.now - state[rec.F_ACCESSED] > limits[Importance(state[rec.F_IMPORTANCE])]
            if late and all(tx.weight_of(key) is None for key in tx.edges_touching(uid)):
                removed += act.remove_node(uid)
        return removed, act.record()

    return operation
