"""The topology snapshot: a cache that spares reading every edge at open, caught up from the change log."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import lmdb
import numpy as np
from numpy.typing import NDArray

from zulong.memory import cachefile
from zulong.memory import records as rec
from zulong.memory.columns import Columns
from zulong.memory.image import rates_of
from zulong.memory.store import Store, fetch
from zulong.memory.topology import DEAD, Base, EdgeArrays, View, compress
from zulong.memory.transaction import Memory

_NAMES = ("src", "dst", "type", "weight", "reinforced")


@dataclass(slots=True, frozen=True)
class Snapshot:
    """Copies of the arrays at one transaction, ready to be written by any thread."""

    txn_id: int
    arrays: dict[str, NDArray[Any]]


def path_in(folder: Path) -> Path:
    """Return where the topology snapshot of a store lies."""
    return folder / "cache" / "topology.zc"


def take(memory: Memory, txn_id: int) -> Snapshot:
    """Copy the topology; must run on the writer's thread, between two commits."""
    view: View = memory.topology.view
    base, fresh, count = view.base.edges, view.fresh, view.fresh_count
    arrays: dict[str, NDArray[Any]] = {
        name: np.concatenate([getattr(base, name), getattr(fresh, name)[:count]]) for name in _NAMES
    }
    arrays["uid"] = memory.columns.uid[: memory.columns.count].copy()
    return Snapshot(txn_id, arrays)


def save(folder: Path, store_id: str, snapshot: Snapshot) -> None:
    """Write the snapshot in place of the one before."""
    arrays = dict(snapshot.arrays)
    keep = arrays["type"] != DEAD
    order = np.argsort(arrays["src"][keep], kind="stable")
    for name in _NAMES:
        arrays[name] = arrays[name][keep][order]
    cachefile.save(path_in(folder), store_id=store_id, txn_id=snapshot.txn_id, arrays=arrays)


def load(store: Store, memory: Memory, txn_id: int) -> bool:
    """Fill the topology from the snapshot and the changes since; False if it must be read from the truth."""
    cached = cachefile.load(path_in(store.folder), store_id=store.store_id)
    if cached is None or cached.txn_id > txn_id:
        return False
    with store.reading() as txn:
        changed = _changed_edges(txn, store, cached.txn_id, txn_id)
        if changed is None or len(changed) > max(10_000, len(cached.arrays["src"]) // 4):
            return False
        memory.topology.load(_base(cached.arrays, memory))
        _catch_up(txn, memory, changed)
    return True


def _base(arrays: dict[str, NDArray[Any]], memory: Memory) -> Base:
    columns: Columns = memory.columns
    moved = columns.slots(arrays["uid"])
    src, dst = moved[arrays["src"]], moved[arrays["dst"]]
    keep = (src >= 0) & (dst >= 0)
    keep[keep] = columns.alive[src[keep]] & columns.alive[dst[keep]]
    src, dst, types = src[keep], dst[keep], arrays["type"][keep]
    edges = EdgeArrays(
        src,
        dst,
        types,
        arrays["weight"][keep],
        arrays["reinforced"][keep],
        rates_of(memory, src, dst, types),
    )
    return compress(edges, columns.count)


def _changed_edges(txn: lmdb.Transaction, store: Store, since: int, until: int) -> set[bytes] | None:
    changed: set[bytes] = set()
    size = rec.EDGE_KEY.size
    for number in range(since + 1, until + 1):
        raw = fetch(txn, store.table("log"), rec.UID.pack(number))
        if raw is None:
            return None
        keys: bytes = rec.unpack(raw)["e"]
        changed.update(keys[start : start + size] for start in range(0, len(keys), size))
    return changed


def _catch_up(txn: lmdb.Transaction, memory: Memory, changed: set[bytes]) -> None:
    if not changed:
        return
    keys = sorted(changed)
    parsed = np.frombuffer(b"".join(keys), rec.EDGE_KEY_DTYPE)
    src = memory.columns.slots(parsed["src"].astype(np.int64))
    dst = memory.columns.slots(parsed["dst"].astype(np.int64))
    types = parsed["type"]
    rates = rates_of(memory, src, dst, types)
    table = memory.store.table("edges")
    for index, key in enumerate(keys):
        if src[index] < 0 or dst[index] < 0:
            continue
        one, other, type = int(src[index]), int(dst[index]), int(types[index])
        raw = fetch(txn, table, key)
        if raw is None:
            memory.topology.remove(one, other, type)
        else:
            weight, reinforced, _ = rec.EDGE_VALUE.unpack(raw)
            memory.topology.put(one, other, type, weight, reinforced, float(rates[index]))
    memory.topology.publish()
