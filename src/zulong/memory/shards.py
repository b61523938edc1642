"""Vectors by month: the newest months stay in memory, older ones come when a search reaches them and go again.

Each shard is an index of its own, made by a factory. Its vectors are in LMDB, so a cold shard may be dropped at any
moment; what took long to build (graphs) is written to a file of its own before, and marks of what changed
while it was away are kept until it comes back. A search looks at what is in memory, then brings cold shards
in, newest first, for a limited time; the budget decides which of those stay.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from zulong.memory import cachefile

_LOG = logging.getLogger(__name__)
I64 = NDArray[np.int64]
I32 = NDArray[np.int32]
F32 = NDArray[np.float32]
Mask = NDArray[np.bool_]
Passes = Callable[[I64], Mask]
_TABLE = "shards.zc"
_OVERHEAD_BYTES = 300
"""What a graph index keeps for each vector beside the vector, about."""
_NONE: I64 = np.zeros(0, np.int64)


class VectorHits(Protocol):
    """Memories and their cosines, best first, aligned."""

    @property
    def uids(self) -> I64: ...

    @property
    def cosines(self) -> F32: ...


@dataclass(slots=True, frozen=True)
class ShardHits:
    """Memories and their cosines, best first, aligned."""

    uids: I64
    cosines: F32


class ShardIndex(Protocol):
    """What one shard's index must do; see :class:`zulong.memory.retrieval.vectors.VectorIndex`."""

    def __len__(self) -> int: ...
    def add(self, uids: I64, matrix: F32) -> None: ...
    def remove(self, uids: I64) -> int: ...
    def maintain(self) -> bool: ...
    def purge(self) -> int: ...
    def search(self, vector: F32, n: int, *, passes: Passes | None = None) -> VectorHits: ...
    def alike(self, matrix: F32, n: int, least: float) -> Sequence[VectorHits]: ...
    def cosines(self, vector: F32, uids: I64) -> tuple[F32, Mask]: ...
    def holds(self, uids: I64) -> Mask: ...
    def blocks(self) -> Iterator[tuple[I64, F32]]: ...
    def save(self, folder: Path, txn_id: int, embedder: str) -> None: ...
    def load(self, folder: Path, embedder: str) -> int | None: ...


class VectorSource(Protocol):
    """Where vectors are kept for good: part of :class:`zulong.memory.reader.MemoryReader`."""

    def vectors(
        self, *, shard: int | None = None, embedder: str | None = None
    ) -> Iterator[tuple[str, I64, Any]]: ...
    def vectors_of(self, uids: I64, embedder: str) -> tuple[F32, Mask]: ...
    def shards_of(self, uids: I64) -> I32: ...


@dataclass(slots=True)
class _Shard:
    uids: I64 = field(default_factory=lambda: _NONE)
    """Sorted: every memory that has its vector here, whether the index is in memory or not."""
    stale: I64 = field(default_factory=lambda: _NONE)
    """Sorted: what the file holds but must not be found any more."""
    index: ShardIndex | None = None
    saved: bool = False
    """The file holds what the index holds, but for ``stale``."""
    used: float = 0.0
    lock: threading.RLock = field(default_factory=threading.RLock)


def _within(known: I64, uids: I64) -> Mask:
    """Tell which of ``uids`` are in the sorted ``known``; costs by the number of uids, not of what is known."""
    if not len(known):
        return np.zeros(len(uids), np.bool_)
    at = np.minimum(np.searchsorted(known, uids), len(known) - 1)
    return np.asarray(known[at] == uids, np.bool_)


def _joined(known: I64, uids: I64) -> I64:
    """Return the sorted ``known`` with ``uids`` among them, each once."""
    new = np.unique(uids[~_within(known, uids)])
    return np.insert(known, np.searchsorted(known, new), new)


def _best_of(found: Sequence[VectorHits], n: int) -> ShardHits:
    """Return the ``n`` best of what several shards found, each memory once."""
    if not found:
        return ShardHits(_NONE, np.zeros(0, np.float32))
    uids = np.concatenate([hits.uids for hits in found])
    cosines = np.concatenate([hits.cosines for hits in found])
    order = np.argsort(-cosines, kind="stable")
    _, first = np.unique(uids[order], return_index=True)
    order = order[np.sort(first)][:n]
    return ShardHits(uids[order], cosines[order])


class ShardedVectors:
    """One vector index over all months, of which only some are in memory; safe from any thread.

    Args:
        source: where the vectors are kept for good.
        embedder: name of the vector space.
        dim: length of a vector.
        make: makes the empty index of one shard.
        folder: where shards that took long to build are written.
        budget_bytes: memory for all shards together.
        hot_shards: so many of the newest shards are never dropped.
        search_budget_s: a search brings cold shards in for at most about so long.
    """

    def __init__(
        self,
        source: VectorSource,
        embedder: str,
        dim: int,
        make: Callable[[], ShardIndex],
        folder: Path,
        *,
        budget_bytes: int,
        hot_shards: int = 2,
        search_budget_s: float = 0.1,
    ) -> None:
        self.dim = dim
        self._source = source
        self._embedder = embedder
        self._make = make
        self._folder = folder
        self._budget = budget_bytes
        self._hot = hot_shards
        self._search_budget_s = search_budget_s
        self._shards: dict[int, _Shard] = {}
        self._lock = threading.RLock()
        self.loads = 0
        self.drops = 0

    def __len__(self) -> int:
        return sum(len(shard.uids) for shard in self._all())

    @property
    def resident_bytes(self) -> int:
        """About how much memory the indexes that are loaded take."""
        return sum(self._bytes(shard) for shard in self._all() if shard.index is not None)

    @property
    def resident(self) -> list[int]:
        """The shards that are in memory, newest first."""
        with self._lock:
            return sorted((n for n, shard in self._shards.items() if shard.index is not None), reverse=True)

    def _bytes(self, shard: _Shard) -> int:
        return len(shard.uids) * (self.dim * 4 + _OVERHEAD_BYTES)

    def _all(self) -> list[_Shard]:
        with self._lock:
            return list(self._shards.values())

    # -- writing ----------------------------------------------------------------------------------------

    def add(self, uids: I64, matrix: F32) -> None:
        """Add one row a memory, each into the shard of its month; a vector that is there is replaced.

        Raises:
            ValueError: the matrix does not have one row of ``dim`` numbers a memory.
        """
        if matrix.shape != (len(uids), self.dim):
            raise ValueError(f"Expected vectors of shape {(len(uids), self.dim)}, got {matrix.shape}.")
        if not len(uids):
            return
        self.remove(uids[self.holds(uids)])
        months = self._source.shards_of(uids)
        for month in np.unique(months).tolist():
            part = months == month
            with self._lock:
                shard = self._shards.setdefault(month, _Shard())
            with shard.lock:
                index = self._bring_in(month, shard, but=uids[part])
                index.add(uids[part], matrix[part])
                shard.uids = _joined(shard.uids, uids[part])
                shard.saved = False
                shard.used = time.monotonic()
        self._keep_to_budget(spare=int(months.max()))

    def remove(self, uids: I64) -> int:
        """Strike out these memories wherever they are; returns how many had a vector."""
        count = 0
        if not len(uids):
            return count
        for shard in self._all():
            with shard.lock:
                here = _within(shard.uids, uids)
                count += int(here.sum())
                if shard.index is not None:
                    shard.index.remove(uids)
                    shard.saved = shard.saved and not here.any()
                else:
                    shard.stale = _joined(shard.stale, uids)
                if here.any():
                    shard.uids = np.delete(shard.uids, np.searchsorted(shard.uids, uids[here]))
        return count

    def maintain(self) -> bool:
        """Do one piece of background work in one shard, then keep to the budget; True if something was done."""
        done = False
        for shard in self._all():
            index = shard.index
            if index is not None and index.maintain():
                with shard.lock:
                    shard.saved = False
                done = True
                break
        self._keep_to_budget()
        return done

    def purge(self) -> int:
        """Take what was struck out also out of the indexes and their files; returns how many rows went."""
        count = 0
        for month, shard in self._numbered():
            with shard.lock:
                away = shard.index is None
                if away and not len(shard.stale):
                    continue
                index = self._bring_in(month, shard)
                count += index.purge()
                self._write(month, shard)
                if away:
                    shard.index = None
        return count

    # -- reading ----------------------------------------------------------------------------------------

    def search(self, vector: F32, n: int, *, passes: Passes | None = None) -> ShardHits:
        """Return the ``n`` nearest memories by cosine, from what is in memory and what can be brought in in time."""
        until = time.monotonic() + self._search_budget_s
        found: list[VectorHits] = []
        cold: list[tuple[int, _Shard]] = []
        for month, shard in self._numbered():
            index = shard.index
            if index is None:
                cold.append((month, shard))
            else:
                shard.used = time.monotonic()
                found.append(index.search(vector, n, passes=passes))
        for month, shard in cold:
            if time.monotonic() >= until:
                break
            if not len(shard.uids) or (passes is not None and not passes(shard.uids).any()):
                continue
            with shard.lock:
                index = self._bring_in(month, shard)
            found.append(index.search(vector, n, passes=passes))
            self._keep_to_budget(spare=month)
        return _best_of(found, n)

    def alike(self, matrix: F32, n: int, least: float) -> list[ShardHits]:
        """Return for each row the ``n`` nearest memories with a cosine of at least ``least``.

        Only what is in memory is looked at: what is new is joined to what is near in time or was in use.
        """
        indexes = [shard.index for _, shard in self._numbered()]
        found = [index.alike(matrix, n, least) for index in indexes if index is not None and len(index)]
        return [_best_of([hits[row] for hits in found], n) for row in range(len(matrix))]

    def cosines(self, vector: F32, uids: I64) -> tuple[F32, Mask]:
        """Return the cosine of each memory with ``vector``, and which of them have a vector at all.

        What is not in memory is read from the store itself; no shard is brought in for it.
        """
        result, known = np.zeros(len(uids), np.float32), np.zeros(len(uids), np.bool_)
        away = np.zeros(len(uids), np.bool_)
        for shard in self._all():
            index = shard.index
            if index is None:
                away |= _within(shard.uids, uids)
                continue
            values, here = index.cosines(vector, uids)
            result[here], known[here] = values[here], True
        away &= ~known
        if away.any():
            matrix, stored = self._source.vectors_of(uids[away], self._embedder)
            where = np.flatnonzero(away)[stored]
            result[where], known[where] = matrix[stored] @ vector, True
        return result, known

    def holds(self, uids: I64) -> Mask:
        """Tell which memories have a vector here."""
        known = np.zeros(len(uids), np.bool_)
        for shard in self._all():
            known |= _within(shard.uids, uids)
        return known

    def blocks(self) -> Iterator[tuple[I64, F32]]:
        """Yield live vectors as (uids, matrix); those of shards that are away come from the store."""
        for month, shard in self._numbered():
            index = shard.index
            if index is not None:
                yield from index.blocks()
                continue
            for _, uids, matrix in self._source.vectors(shard=month, embedder=self._embedder):
                here = _within(shard.uids, uids)
                yield uids[here], matrix[here]

    # -- coming and going -------------------------------------------------------------------------------

    def _numbered(self) -> list[tuple[int, _Shard]]:
        with self._lock:
            return sorted(self._shards.items(), reverse=True)

    def _bring_in(self, month: int, shard: _Shard, but: I64 = _NONE) -> ShardIndex:
        """Return the shard's index, loading it if it is away; the caller holds the shard's lock."""
        if shard.index is not None:
            return shard.index
        index = self._make()
        if shard.saved:
            shard.saved = index.load(self._folder / str(month), self._embedder) is not None
            if len(shard.stale):
                index.remove(shard.stale)
        for _, uids, matrix in self._source.vectors(shard=month, embedder=self._embedder):
            wanted = _within(shard.uids, uids) & ~np.isin(uids, but)
            wanted[wanted] = ~index.holds(uids[wanted])
            if wanted.any():
                index.add(uids[wanted], matrix[wanted])
        shard.saved = shard.saved and not len(shard.stale)
        shard.stale, shard.index, shard.used = _NONE, index, time.monotonic()
        self.loads += 1
        return index

    def _keep_to_budget(self, spare: int | None = None) -> None:
        """Drop cold shards, the longest unused first, until the budget is kept."""
        numbered = self._numbered()
        total = sum(self._bytes(shard) for _, shard in numbered if shard.index is not None)
        cold = [
            (shard.used, month, shard) for month, shard in numbered[self._hot :] if shard.index is not None
        ]
        for _, month, shard in sorted(cold, key=lambda one: one[0]):
            if total <= self._budget:
                return
            if month == spare:
                continue
            with shard.lock:
                if not shard.saved:
                    self._write(month, shard)
                shard.index = None
            total -= self._bytes(shard)
            self.drops += 1

    def _write(self, month: int, shard: _Shard) -> None:
        if shard.index is None:
            return
        try:
            shard.index.save(self._folder / str(month), 0, self._embedder)
            shard.saved = True
        except OSError as error:  # only a cache: the shard is built again from the store when it is needed
            _LOG.warning("The vectors of shard %s could not be written: %s", month, error)
            shard.saved = False

    # -- the table of shards ----------------------------------------------------------------------------

    def save(self, folder: Path, txn_id: int, embedder: str) -> None:
        """Write every loaded shard that changed, and the table that names all shards and ``txn_id``."""
        arrays: dict[str, NDArray[Any]] = {}
        months = []
        for month, shard in self._numbered():
            with shard.lock:
                if shard.index is not None and not shard.saved:
                    self._write(month, shard)
                arrays[f"uids-{month}"], arrays[f"stale-{month}"] = shard.uids, shard.stale
                months.append([month, shard.saved])
        info = {"embedder": embedder, "dim": self.dim, "months": months}
        cachefile.save(folder / _TABLE, store_id=embedder, txn_id=txn_id, arrays=arrays, info=info)

    def load(self, folder: Path, embedder: str) -> int | None:
        """Read the table; no shard is loaded yet. Returns its transaction, None where it is missing or unusable."""
        cached = cachefile.load(folder / _TABLE, store_id=embedder)
        if cached is None or cached.info.get("dim") != self.dim or embedder != self._embedder:
            return None
        with self._lock:
            self._shards = {
                int(month): _Shard(
                    cached.arrays[f"uids-{month}"], cached.arrays[f"stale-{month}"], saved=bool(saved)
                )
                for month, saved in cached.info["months"]
            }
        for month, shard in self._numbered()[: self._hot]:
            with shard.lock:
                self._bring_in(month, shard)
        return cached.txn_id
