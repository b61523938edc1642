"""The vector index: exact search over what is new, HNSW graphs over the rest, tombstones, rebuild.

New vectors stand in a plain matrix and are searched exactly (inner product). Once there are ``flat_limit`` of
them they are frozen into an HNSW graph (Malkov and Yashunin 2016, by FAISS) that is never changed again, so
that readers need no lock; removed vectors are struck out, and a graph with too many of these is built anew.
"""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

I64 = NDArray[np.int64]
F32 = NDArray[np.float32]
Mask = NDArray[np.bool_]

_HNSW_LINKS = 16
_HNSW_BUILD_EFFORT = 40
_HNSW_SEARCH_EFFORT = 128
_REBUILD_WHEN_DEAD = 0.25
_SPARE_ROWS = 1024
_CACHE_VERSION = 1


@dataclass(slots=True, frozen=True)
class Nearest:
    """Memories and their cosines, best first, aligned."""

    uids: I64
    cosines: F32


@dataclass(slots=True, frozen=True)
class _Graph:
    index: Any  # faiss.IndexHNSWSQ; nothing is added to it once it stands here
    uids: I64  # sorted; row i of the index belongs to uids[i]
    alive: Mask

    def rows_of(self, uids: I64) -> tuple[I64, I64]:
        """Return (position in ``uids``, row) of those that are alive here."""
        rows = np.searchsorted(self.uids, uids)
        rows[rows == len(self.uids)] = 0
        position = (
            np.flatnonzero((self.uids[rows] == uids) & self.alive[rows]) if len(self.uids) else rows[:0]
        )
        return position, rows[position]


class _Tail:
    """A growing matrix. Readers look at ``count`` rows, which are complete; a full one is replaced."""

    def __init__(self, dim: int, room: int) -> None:
        self.matrix = np.zeros((room, dim), np.float32)
        self.uids = np.full(room, -1, np.int64)
        self.alive = np.zeros(room, np.bool_)
        self.count = 0
        self.row: dict[int, int] = {}


class VectorIndex:
    """Cosine search over L2-normalised vectors of memories.

    Args:
        dim: length of a vector.
        flat_limit: so many vectors are searched exactly before they are frozen into an HNSW graph.

    Raises:
        ValueError: a size is not positive.
    """

    def __init__(self, dim: int, flat_limit: int = 16_384) -> None:
        if dim < 1 or flat_limit < 1:
            raise ValueError(f"VectorIndex needs dim >= 1 and flat_limit >= 1, got {dim} and {flat_limit}.")
        self.dim = dim
        self._flat_limit = flat_limit
        self._graphs: tuple[_Graph, ...] = ()
        self._tail = _Tail(dim, _SPARE_ROWS)
        self._lock = threading.Lock()  # among writers only

    def __len__(self) -> int:
        """Return the number of live vectors."""
        return int(self._tail.alive.sum()) + sum(int(graph.alive.sum()) for graph in self._graphs)

    # -- writing ----------------------------------------------------------------------------------------

    def add(self, uids: I64, matrix: F32) -> None:
        """Add one row a memory (length 1); a vector that is there already is replaced.

        Raises:
            ValueError: the matrix does not have one row of ``dim`` numbers a memory.
        """
        if matrix.shape != (len(uids), self.dim):
            raise ValueError(f"Expected vectors of shape {(len(uids), self.dim)}, got {matrix.shape}.")
        with self._lock:
            self._strike_out(uids)
            tail = self._room(len(uids))
            begin, end = tail.count, tail.count + len(uids)
            tail.matrix[begin:end] = matrix
            tail.uids[begin:end] = uids
            tail.row.update(zip(uids.tolist(), range(begin, end), strict=True))
            tail.alive[begin:end] = True
            for i, uid in enumerate(uids.tolist(), begin):
                if tail.row[uid] != i:  # the same memory twice in one call: the last one holds
                    tail.alive[i] = False
            tail.count = end

    def remove(self, uids: I64) -> int:
        """Strike out these memories; returns how many had a vector."""
        with self._lock:
            return self._strike_out(uids)

    def _strike_out(self, uids: I64) -> int:
        count = 0
        for uid in uids.tolist():
            row = self._tail.row.pop(uid, None)
            if row is not None:
                self._tail.alive[row] = False
                self._tail.matrix[row] = 0.0  # what is forgotten is gone, not only hidden
                count += 1
        for graph in self._graphs:
            _, rows = graph.rows_of(uids)
            graph.alive[rows] = False
            count += len(rows)
        return count

    def _room(self, more: int) -> _Tail:
        tail = self._tail
        if tail.count + more <= len(tail.uids):
            return tail
        return self._renew(2 * (int(tail.alive[: tail.count].sum()) + more))

    def _renew(self, room: int) -> _Tail:
        """Put a tail with at least so many rows, and only what is alive, in the place of the present one."""
        tail = self._tail
        held = np.flatnonzero(tail.alive[: tail.count])
        grown = _Tail(self.dim, max(room, len(held), _SPARE_ROWS))
        grown.count = len(held)
        grown.matrix[: len(held)] = tail.matrix[held]
        grown.uids[: len(held)] = tail.uids[held]
        grown.alive[: len(held)] = True
        grown.row = {int(uid): i for i, uid in enumerate(tail.uids[held])}
        self._tail = grown
        return grown

    def maintain(self) -> bool:
        """Freeze a full tail, or make one with many dead rows anew; True if something was done.

        Takes seconds for large graphs; searches go on meanwhile.
        """
        tail = self._tail
        live = int(tail.alive[: tail.count].sum())
        if tail.count - live > max(live, _SPARE_ROWS):
            with self._lock:
                self._renew(live)
            return True
        if tail.count >= self._flat_limit:
            held = np.flatnonzero(tail.alive[: tail.count])
            uids, matrix = tail.uids[held].copy(), tail.matrix[held].copy()
            if len(uids):
                self._freeze(uids, matrix, instead_of=None)
            else:
                with self._lock:
                    self._room(len(tail.uids))
            return True
        for graph in self._graphs:
            dead = int((~graph.alive).sum())
            if dead > _REBUILD_WHEN_DEAD * len(graph.uids):
                held = np.flatnonzero(graph.alive)
                self._freeze(graph.uids[held], _rows(graph, held), instead_of=graph)
                return True
        return False

    def purge(self) -> int:
        """Rebuild every graph that holds a struck-out vector, so that none is left in memory or in the cache."""
        count = 0
        for graph in self._graphs:
            dead = int((~graph.alive).sum())
            if dead:
                held = np.flatnonzero(graph.alive)
                self._freeze(graph.uids[held], _rows(graph, held), instead_of=graph)
                count += dead
        return count

    def _freeze(self, uids: I64, matrix: F32, *, instead_of: _Graph | None) -> None:
        graph = _build(uids, matrix, self.dim) if len(uids) else None
        with self._lock:
            others = tuple(other for other in self._graphs if other is not instead_of)
            if graph is None:
                self._graphs = others
                return
            if instead_of is not None:
                still, _ = instead_of.rows_of(graph.uids)
                graph.alive[np.setdiff1d(np.arange(len(graph.uids)), still)] = False
            else:
                # What was changed or removed in the tail while the graph was built must not come back.
                tail = self._tail
                order = np.argsort(uids)
                moved = []
                for position, uid in enumerate(graph.uids.tolist()):
                    row = tail.row.get(uid)
                    if row is None or not np.array_equal(tail.matrix[row], matrix[order[position]]):
                        graph.alive[position] = False
                    else:
                        moved.append(uid)
                # First the graph, then the tail: a search in between sees a vector twice, never not at all.
                self._graphs = (*others, graph)
                for uid in moved:
                    tail.alive[tail.row.pop(uid)] = False
                self._room(len(tail.uids))
                return
            self._graphs = (*others, graph)

    # -- reading ----------------------------------------------------------------------------------------

    def search(self, vector: F32, n: int, *, passes: Callable[[I64], Mask] | None = None) -> Nearest:
        """Return the ``n`` nearest memories by cosine.

        Args:
            passes: tells which of some uids may be returned. In HNSW graphs it is applied to a wider search,
                which may find fewer than ``n`` when almost nothing passes; see :meth:`cosines` for that case.
        """
        tail = self._tail
        count = tail.count
        rows = np.flatnonzero(tail.alive[:count])
        uids = [tail.uids[rows]]
        cosines = [(tail.matrix[:count] @ vector)[rows]]
        for graph in self._graphs:
            wanted = min(
                n * (4 if passes is not None else 1) + int((~graph.alive).sum() > 0) * n, len(graph.uids)
            )
            found = _search_graph(graph, vector, wanted)
            uids.append(graph.uids[found.uids])
            cosines.append(found.cosines)
        return _top(np.concatenate(uids), np.concatenate(cosines), n, passes)

    def alike(self, matrix: F32, n: int, least: float) -> list[Nearest]:
        """Return for each row the ``n`` nearest memories with a cosine of at least ``least``.

        All rows are compared at once, which costs a fraction of as many searches.
        """
        tail = self._tail
        count = tail.count
        alive, uids = tail.alive[:count].copy(), tail.uids[:count]
        parts: list[list[tuple[I64, F32]]] = []
        for values in matrix @ tail.matrix[:count].T:
            rows = np.flatnonzero((values >= least) & alive)
            if len(rows) > n:
                rows = rows[np.argpartition(values[rows], -n)[-n:]]
            parts.append([(uids[rows], values[rows])])
        for graph in self._graphs:
            wanted = min(2 * n, len(graph.uids))
            cosines, found = graph.index.search(np.ascontiguousarray(matrix), wanted)
            for part, values, rows in zip(parts, cosines, found, strict=True):
                held = (rows >= 0) & (values >= least)
                held[held] = graph.alive[rows[held]]
                part.append((graph.uids[rows[held]], values[held]))
        return [
            _top(np.concatenate([uids for uids, _ in part]), np.concatenate([c for _, c in part]), n, None)
            for part in parts
        ]

    def cosines(self, vector: F32, uids: I64) -> tuple[F32, Mask]:
        """Return the cosine of each memory with ``vector``, and which of them have a vector at all."""
        result = np.zeros(len(uids), np.float32)
        known = np.zeros(len(uids), np.bool_)
        tail = self._tail
        rows = np.fromiter((tail.row.get(uid, -1) for uid in uids.tolist()), np.int64, len(uids))
        here = np.flatnonzero(rows >= 0)
        result[here] = tail.matrix[rows[here]] @ vector
        known[here] = True
        for graph in self._graphs:
            position, graph_rows = graph.rows_of(uids)
            if len(position):
                result[position] = _rows(graph, graph_rows) @ vector
                known[position] = True
        return result, known

    def holds(self, uids: I64) -> Mask:
        """Tell which memories have a vector here."""
        row = self._tail.row
        known = np.fromiter((uid in row for uid in uids.tolist()), np.bool_, len(uids))
        for graph in self._graphs:
            known[graph.rows_of(uids)[0]] = True
        return known

    def blocks(self) -> Iterator[tuple[I64, F32]]:
        """Yield live vectors as (uids, matrix)."""
        tail = self._tail
        rows = np.flatnonzero(tail.alive[: tail.count])
        yield tail.uids[rows], tail.matrix[rows]
        for graph in self._graphs:
            held = np.flatnonzero(graph.alive)
            yield graph.uids[held], _rows(graph, held)

    # -- cache ------------------------------------------------------------------------------------------

    def save(self, folder: Path, txn_id: int, embedder: str) -> None:
        """Write the HNSW graphs with the transaction and the embedder they reflect; the tail is not written."""
        import faiss

        folder.mkdir(parents=True, exist_ok=True)
        for stale in folder.glob("graph-*"):
            stale.unlink()
        names = []
        for number, graph in enumerate(self._graphs):
            name = f"graph-{number}"
            faiss.write_index(graph.index, str(folder / f"{name}.faiss"))
            np.savez(folder / f"{name}.npz", uids=graph.uids, alive=graph.alive)
            names.append(name)
        about = {
            "version": _CACHE_VERSION,
            "txn": txn_id,
            "embedder": embedder,
            "dim": self.dim,
            "graphs": names,
        }
        temporary = folder / "about.tmp"
        temporary.write_text(json.dumps(about), encoding="utf-8")
        with temporary.open("rb") as file:
            os.fsync(file.fileno())
        temporary.replace(folder / "about.json")

    def load(self, folder: Path, embedder: str) -> int | None:
        """Read what :meth:`save` wrote; returns its transaction, None where it is missing or unusable."""
        try:
            import faiss

            about = json.loads((folder / "about.json").read_text(encoding="utf-8"))
            if (about["version"], about["embedder"], about["dim"]) != (_CACHE_VERSION, embedder, self.dim):
                return None
            graphs = []
            for name in about["graphs"]:
                index: Any = faiss.read_index(str(folder / f"{Path(name).name}.faiss"))
                with np.load(folder / f"{Path(name).name}.npz", allow_pickle=False) as data:
                    graph = _Graph(index, data["uids"], data["alive"])
                if index.ntotal != len(graph.uids) or index.d != self.dim:
                    return None
                index.hnsw.efSearch = _HNSW_SEARCH_EFFORT
                graphs.append(graph)
            txn_id = int(about["txn"])
        except Exception:  # FAISS and zipfile raise what they like for a damaged file; it is only a cache
            return None
        self._graphs = tuple(graphs)
        return txn_id


def _build(uids: I64, matrix: F32, dim: int) -> _Graph:
    import faiss

    order = np.argsort(uids)
    # Half-precision storage: half the memory, and no difference in what is found.
    make: Any = faiss.IndexHNSWSQ
    index = make(dim, faiss.ScalarQuantizer.QT_fp16, _HNSW_LINKS, faiss.METRIC_INNER_PRODUCT)
    index.hnsw.efConstruction = _HNSW_BUILD_EFFORT
    index.hnsw.efSearch = _HNSW_SEARCH_EFFORT
    index.train(matrix[:1])
    for start in range(0, len(order), 512):
        index.add(np.ascontiguousarray(matrix[order[start : start + 512]]))
    return _Graph(index, uids[order], np.ones(len(uids), np.bool_))


def _rows(graph: _Graph, rows: I64) -> F32:
    if not len(rows):
        return np.zeros((0, graph.index.d), np.float32)
    vectors: F32 = graph.index.reconstruct_batch(rows)
    return vectors


def _search_graph(graph: _Graph, vector: F32, n: int) -> Nearest:
    cosines, rows = graph.index.search(vector.reshape(1, -1), n)
    held = rows[0] >= 0
    found, values = rows[0][held], cosines[0][held]
    alive = graph.alive[found]
    return Nearest(found[alive], values[alive])


def _top(uids: I64, cosines: F32, n: int, passes: Callable[[I64], Mask] | None) -> Nearest:
    if passes is not None:
        mask = passes(uids)
        uids, cosines = uids[mask], cosines[mask]
    if len(uids) > n:
        kept = np.argpartition(cosines, -n)[-n:]
        uids, cosines = uids[kept], cosines[kept]
    order = np.argsort(-cosines, kind="stable")
    _, first = np.unique(uids[order], return_index=True)  # a vector on its way into a graph may be seen twice
    order = order[np.sort(first)]
    return Nearest(uids[order], cosines[order])
