"""The image of the truth in memory: read at open, changed after each commit."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Any

import lmdb
import numpy as np
from numpy.typing import NDArray

from zulong.memory import records as rec
from zulong.memory.columns import Columns
from zulong.memory.config import MemoryConfig
from zulong.memory.model import STRUCTURAL_EDGES, EdgeType, Importance
from zulong.memory.store import Store
from zulong.memory.symbols import Symbols
from zulong.memory.topology import Base, EdgeArrays, EdgeRow, Topology, compress
from zulong.memory.transaction import Memory, Transaction

_CHUNK = 1 << 16


def load(store: Store, config: MemoryConfig) -> Memory:
    """Read columns and symbols from the store, and the topology from its snapshot or else from the store."""
    from zulong.memory import snapshot  # it needs rates_of from here

    memory = _load_nodes(store, config)
    if not snapshot.load(store, memory, current_txn(store)):
        _load_edges(memory)
    count_associations(memory)
    return memory


def load_truth(store: Store, config: MemoryConfig) -> Memory:
    """Read everything from the store itself, whatever caches there are."""
    memory = _load_nodes(store, config)
    _load_edges(memory)
    count_associations(memory)
    return memory


def _load_edges(memory: Memory) -> None:
    with memory.store.reading() as txn:
        memory.topology.load(read_edges(txn, memory))


def _load_nodes(store: Store, config: MemoryConfig) -> Memory:
    columns, topology = Columns(), Topology(config.forgetting.prune_below)
    with store.reading() as txn:
        symbols = Symbols(
            {
                int(rec.UID.unpack(key)[0]): bytes(value).decode()
                for key, value in txn.cursor(db=store.table("symbols"))
            }
        )
        _load_columns(txn, store, columns)
    return Memory(store, columns, topology, symbols, config)


def current_txn(store: Store) -> int:
    """Return the number of the last durable transaction."""
    with store.reading() as txn:
        raw = txn.get(b"txn", db=store.table("meta"))
    return 0 if raw is None else int(raw)


def _blocks(txn: lmdb.Transaction, table: Any) -> Iterator[tuple[bytes, bytes]]:
    """Yield all keys and all values of a table of fixed-size records, joined, a block at a time."""
    with txn.cursor(db=table) as cursor:
        items = cursor.iternext(keys=True, values=True)
        while block := list(islice(items, _CHUNK)):
            keys, values = zip(*block, strict=True)
            yield b"".join(keys), b"".join(values)


def _load_columns(txn: lmdb.Transaction, store: Store, columns: Columns) -> None:
    uids: list[NDArray[np.int64]] = [np.zeros(0, np.int64)]
    states = [np.zeros(0, rec.STATE_DTYPE)]
    for keys, values in _blocks(txn, store.table("states")):
        uids.append(np.frombuffer(keys, ">u8").astype(np.int64))
        states.append(np.frombuffer(values, rec.STATE_DTYPE))
    present, state = np.concatenate(uids), np.concatenate(states)
    # A removed node that can still be undone keeps a dead row, so that it comes back in its place.
    waiting = np.setdiff1d(np.array(journaled_uids(txn, store), np.int64), present)
    if len(waiting):
        both = np.concatenate([present, waiting])
        order = np.argsort(both, kind="stable")
        padded = np.concatenate([state, np.zeros(len(waiting), rec.STATE_DTYPE)])
        columns.load(both[order], padded[order])
        columns.remove(waiting.tolist())
    else:
        columns.load(present, state)


def journaled_uids(txn: lmdb.Transaction, store: Store) -> list[int]:
    """Return the uids of nodes that the journal could bring back."""
    found: list[int] = []
    with txn.cursor(db=store.table("journal")) as cursor:
        for value in cursor.iternext(keys=False):
            found.extend(node[0] for node in rec.unpack(bytes(value))["nodes"])
    return found


def rates_of(
    memory: Memory, src: NDArray[np.int32], dst: NDArray[np.int32], types: NDArray[np.uint8]
) -> NDArray[np.float32]:
    """Return 1 / half-life in 1/s for edges given by slots."""
    half_life = memory.config.forgetting.half_life_s
    by_importance = np.array([1.0 / half_life[level] for level in Importance], np.float32)
    importance = memory.columns.importance
    rates = by_importance[np.maximum(importance[src], importance[dst])]
    rates[np.isin(types, [int(type) for type in STRUCTURAL_EDGES])] = 0.0
    return rates


def read_edges(txn: lmdb.Transaction, memory: Memory) -> Base:
    """Build the compressed base from the edge table, which LMDB holds in order of source."""
    parts: list[tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.uint8], NDArray[np.void]]] = []
    columns = memory.columns
    for keys, values in _blocks(txn, memory.store.table("edges")):
        key = np.frombuffer(keys, rec.EDGE_KEY_DTYPE)
        src = columns.slots(key["src"].astype(np.int64))
        dst = columns.slots(key["dst"].astype(np.int64))
        keep = (src >= 0) & (dst >= 0)
        parts.append(
            (src[keep], dst[keep], key["type"][keep], np.frombuffer(values, rec.EDGE_VALUE_DTYPE)[keep])
        )
    if not parts:
        return compress(EdgeArrays.empty(0), columns.count)
    src, dst = (np.concatenate([part[side] for part in parts]) for side in (0, 1))
    types = np.concatenate([part[2] for part in parts])
    weight = np.concatenate([part[3]["weight"].astype(np.float32) for part in parts])
    reinforced = np.concatenate([part[3]["reinforced"] for part in parts])
    edges = EdgeArrays(src, dst, types, weight, reinforced, rates_of(memory, src, dst, types))
    return compress(edges, columns.count)


def count_associations(memory: Memory) -> None:
    """Fill the column that holds how many ASSOCIATION edges leave each node."""
    view = memory.topology.view
    base, fresh, count = view.base.edges, view.fresh, view.fresh_count
    counts = np.bincount(base.src[base.type == EdgeType.ASSOCIATION], minlength=memory.columns.count)
    counts += np.bincount(
        fresh.src[:count][fresh.type[:count] == EdgeType.ASSOCIATION], minlength=memory.columns.count
    )
    memory.columns.associations[: memory.columns.count] = np.minimum(counts, 255)


def apply(memory: Memory, tx: Transaction) -> None:
    """Show a durable transaction to readers."""
    columns, topology, symbols = memory.columns, memory.topology, memory.symbols
    for number, text in tx.new_symbols.items():
        symbols.add(number, text)
    for number in tx.dropped_symbols:
        symbols.drop(number)
    columns.append(sorted(tx.added.items()))
    columns.revive({uid: tx.states[uid] for uid in tx.revived})
    columns.overwrite(
        {uid: state for uid, state in tx.states.items() if uid not in tx.added and uid not in tx.revived}
    )
    if tx.edges:
        _apply_edges(memory, tx)
    for uid, delta in tx.association_delta.items():
        slot = int(columns.slots(np.array([uid], np.int64))[0])
        if slot >= 0:
            columns.associations[slot] = min(max(int(columns.associations[slot]) + delta, 0), 255)
    columns.remove(tx.removed)
    topology.publish()


def _apply_edges(memory: Memory, tx: Transaction) -> None:
    topology = memory.topology
    keys = list(tx.edges)
    ends = np.array([(src, dst) for src, dst, _ in keys], np.int64)
    src, dst = memory.columns.slots(ends[:, 0]), memory.columns.slots(ends[:, 1])
    types = np.array([type for _, _, type in keys], np.uint8)
    rates = rates_of(memory, src, dst, types).tolist()
    new: list[EdgeRow] = []
    for key, one, other, rate in zip(keys, src.tolist(), dst.tolist(), rates, strict=True):
        if one < 0 or other < 0:
            continue
        value = tx.edges[key]
        if value is None:
            topology.remove(one, other, key[2])
        elif key in tx.new_edges:
            new.append((one, other, key[2], value[0], value[1], rate))
        else:
            topology.put(one, other, key[2], value[0], value[1], rate)
    topology.add(new)
