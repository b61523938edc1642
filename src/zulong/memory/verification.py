"""Checks a closed store against itself and repairs what disagrees.

The node table is believed; ids, text keys, edges, vectors and counters must fit it. Caches are compared with
the truth and deleted when they differ.
"""

from __future__ import annotations

import math
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import lmdb
import numpy as np

from zulong.memory import image, snapshot, vectorcode
from zulong.memory import records as rec
from zulong.memory.config import MemoryConfig
from zulong.memory.lockfile import FolderLock
from zulong.memory.model import EdgeType, Importance, NodeType
from zulong.memory.reading import VECTOR_HEADER
from zulong.memory.records import EDGE_KEY, EDGE_VALUE, STATE, UID
from zulong.memory.store import Store, fetch
from zulong.memory.topology import Topology
from zulong.memory.transaction import Memory


@dataclass(slots=True, frozen=True)
class Problem:
    """One disagreement: which table, what is wrong there, and what a repair does."""

    table: str
    what: str
    repair: str


@dataclass(slots=True, frozen=True)
class VerifyReport:
    """What a check found; ``repaired`` tells whether the problems are gone now."""

    nodes: int
    edges: int
    problems: list[Problem] = field(default_factory=list)
    repaired: bool = False
    elapsed_s: float = 0.0


Fix = Callable[[lmdb.Transaction], None]


def verify(path: str | Path, *, repair: bool = False, config: MemoryConfig | None = None) -> VerifyReport:
    """Check the store in ``path``, which no process may have open; with ``repair`` also mend it.

    Raises:
        StoreLockedError: a process has it open.
        StoreDamagedError: the file itself cannot be read; only a backup helps.
    """
    begun, folder = time.monotonic(), Path(path)
    config = config or MemoryConfig()
    lock = FolderLock(folder)
    try:
        store = Store(folder, config.storage)
        try:
            with store.reading() as txn:
                found = list(_check(txn, store))
                nodes = txn.stat(store.table("nodes"))["entries"]
                edges = txn.stat(store.table("edges"))["entries"]
            if repair and found:
                store.write(lambda txn: [fix(txn) for _, fix in found])
            problems = [problem for problem, _ in found]
            problems += _check_snapshot(store, config, repair)
        finally:
            store.close()
    finally:
        lock.release()
    return VerifyReport(nodes, edges, problems, repair and bool(problems), time.monotonic() - begun)


def _delete(store: Store, table: str, key: bytes) -> Fix:
    def fix(txn: lmdb.Transaction) -> None:
        txn.delete(key, db=store.table(table))

    return fix


def _put(store: Store, table: str, key: bytes, value: bytes) -> Fix:
    def fix(txn: lmdb.Transaction) -> None:
        txn.put(key, value, db=store.table(table))

    return fix


def _rows(txn: lmdb.Transaction, store: Store, table: str) -> Iterator[tuple[bytes, bytes]]:
    for key, value in txn.cursor(db=store.table(table)):
        yield bytes(key), bytes(value)


def _check(txn: lmdb.Transaction, store: Store) -> Iterator[tuple[Problem, Fix]]:
    yield from _check_nodes(txn, store)
    yield from _check_pointers(txn, store, "ids")
    yield from _check_pointers(txn, store, "texts")
    yield from _check_edges(txn, store)
    yield from _check_followers(txn, store)
    yield from _check_counters(txn, store)


def _check_nodes(txn: lmdb.Transaction, store: Store) -> Iterator[tuple[Problem, Fix]]:
    for key, value in _rows(txn, store, "nodes"):
        uid = UID.unpack(key)[0]
        try:
            id = rec.unpack_document(value)[0]
        except Exception as error:  # any way in which msgpack can fail means the same here
            yield (
                Problem("nodes", f"node {uid} cannot be read ({error})", "remove it"),
                _delete(store, "nodes", key),
            )
            continue
        state = fetch(txn, store.table("states"), key)
        if state is None or not _state_is_sound(state):
            now = time.time()
            fresh = STATE.pack(
                *(now, now, now, -math.inf, math.inf, *[math.nan] * 3, 0.0, 0, *[0] * 5),
                int(NodeType.EPISODE),
                int(Importance.NORMAL),
                0,
            )
            yield (
                Problem("states", f"node {id!r} has no sound state", "give it a plain one"),
                _put(store, "states", key, fresh),
            )
        if fetch(txn, store.table("ids"), id.encode()) != key:
            yield (
                Problem("ids", f"the id {id!r} does not lead to its node", "point it there"),
                _put(store, "ids", id.encode(), key),
            )


def _state_is_sound(state: bytes) -> bool:
    if len(state) != STATE.size:
        return False
    fields = STATE.unpack(state)
    return (
        all(math.isfinite(fields[position]) for position in (rec.F_STAMP, rec.F_CREATED, rec.F_ACCESSED))
        and fields[rec.F_TYPE] < len(NodeType)
        and fields[rec.F_IMPORTANCE] < len(Importance)
    )


def _check_pointers(txn: lmdb.Transaction, store: Store, table: str) -> Iterator[tuple[Problem, Fix]]:
    for key, uid in _rows(txn, store, table):
        if fetch(txn, store.table("nodes"), uid) is None:
            yield Problem(table, f"{key!r} leads to no node", "remove it"), _delete(store, table, key)


def _check_edges(txn: lmdb.Transaction, store: Store) -> Iterator[tuple[Problem, Fix]]:
    nodes = store.table("nodes")
    for key, value in _rows(txn, store, "edges"):
        wrong = ""
        if len(key) != EDGE_KEY.size or len(value) != EDGE_VALUE.size:
            wrong = "has the wrong size"
        else:
            src, dst, type = EDGE_KEY.unpack(key)
            weight, reinforced, created = EDGE_VALUE.unpack(value)
            if fetch(txn, nodes, UID.pack(src)) is None or fetch(txn, nodes, UID.pack(dst)) is None:
                wrong = "joins a node that is not there"
            elif type >= len(EdgeType) or not (0.0 <= weight <= 1.0 and math.isfinite(reinforced + created)):
                wrong = "has a value that cannot be"
        if wrong:
            yield Problem("edges", f"edge {key.hex()} {wrong}", "remove it"), _delete(store, "edges", key)


def _check_followers(txn: lmdb.Transaction, store: Store) -> Iterator[tuple[Problem, Fix]]:
    for table, owner in (("states", "nodes"), ("vectors", "nodes"), ("edge_meta", "edges")):
        for key, value in _rows(txn, store, table):
            if fetch(txn, store.table(owner), key) is None:
                yield (
                    Problem(table, f"{key.hex()} belongs to nothing", "remove it"),
                    _delete(store, table, key),
                )
            elif table == "vectors" and not _vector_is_sound(value[VECTOR_HEADER:]):
                yield Problem(table, f"vector {key.hex()} is cut", "remove it"), _delete(store, table, key)
    for key, value in _rows(txn, store, "journal"):
        try:
            rec.unpack(value)["time"]
        except Exception as error:  # any way in which msgpack can fail means the same here
            yield (
                Problem("journal", f"entry {key.hex()} cannot be read ({error})", "remove it"),
                _delete(store, "journal", key),
            )


def _vector_is_sound(raw: bytes) -> bool:
    try:
        vectorcode.decode([raw], vectorcode.dimension(raw))
    except ValueError:
        return False
    return True


def _check_counters(txn: lmdb.Transaction, store: Store) -> Iterator[tuple[Problem, Fix]]:
    with txn.cursor(db=store.table("nodes")) as cursor:
        highest = UID.unpack(bytes(cursor.key()))[0] if cursor.last() else 0
    raw = fetch(txn, store.table("meta"), b"next_uid")
    if highest and (raw is None or int(raw) <= highest):
        yield (
            Problem("meta", f"the next number is not above the highest in use ({highest})", "raise it"),
            _put(store, "meta", b"next_uid", str(highest + 1).encode()),
        )


def _check_snapshot(store: Store, config: MemoryConfig, repair: bool) -> list[Problem]:
    path = snapshot.path_in(store.folder)
    if not path.exists():
        return []
    truth = image.load_truth(store, config)
    topology = Topology(config.forgetting.prune_below)
    copy = Memory(store, truth.columns, topology, truth.symbols, config)
    usable = snapshot.load(store, copy, image.current_txn(store))
    if usable and _edges_of(copy) == _edges_of(truth):
        return []
    if repair:
        path.unlink()
    if not usable:
        return [Problem("cache", "the topology snapshot is damaged or too old", "delete it")]
    return [Problem("cache", "the topology snapshot differs from the edges", "delete it")]


def _edges_of(memory: Memory) -> Counter[tuple[Any, ...]]:
    view, uid = memory.topology.view, memory.columns.uid
    found: Counter[tuple[Any, ...]] = Counter()
    for edges, count in ((view.base.edges, len(view.base)), (view.fresh, view.fresh_count)):
        live = np.flatnonzero(edges.type[:count] != 255)
        found.update(
            zip(
                uid[edges.src[live]].tolist(),
                uid[edges.dst[live]].tolist(),
                edges.type[live].tolist(),
                edges.weight[live].tolist(),
                edges.reinforced[live].tolist(),
                strict=True,
            )
        )
    return found
