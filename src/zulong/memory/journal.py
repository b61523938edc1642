"""What forgetting and review take away is written down first, so that it can be undone for a set time.

An entry holds removed nodes whole (document, state, vector), removed edges, the former content of changed
nodes, and what the same act created. Undoing it writes all that back and removes what was created. What was
put back counts as reinforced at that moment; otherwise the next run of forgetting would take it again.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from zulong.memory import records as rec
from zulong.memory.errors import UndoError
from zulong.memory.records import EDGE_KEY, EDGE_ROW, EDGE_VALUE, STATE, UID
from zulong.memory.store import fetch
from zulong.memory.transaction import EdgeKey, Transaction


@dataclass(slots=True, frozen=True)
class JournalEntry:
    """One undoable act, as listed for people."""

    number: int
    time: float
    kind: str
    reason: str
    nodes: tuple[str, ...]
    edges: int


class Act:
    """Collects one undoable act inside a transaction; nothing is stored until :meth:`record`."""

    def __init__(self, tx: Transaction, kind: str, reason: str) -> None:
        self._tx = tx
        self._kind = kind
        self._reason = reason
        self._nodes: list[tuple[int, bytes, bytes, bytes]] = []
        self._edges: list[bytes] = []
        self._edge_meta: list[tuple[bytes, bytes]] = []
        self._before: list[tuple[int, bytes, bytes]] = []
        self._created_nodes: list[int] = []
        self._created_edges: list[EdgeKey] = []

    @property
    def empty(self) -> bool:
        """True if nothing has been done."""
        return not (self._nodes or self._edges or self._before or self._created_nodes or self._created_edges)

    def remove_node(self, uid: int) -> bool:
        """Remove a node with its edges; returns whether it was there."""
        tx, key = self._tx, UID.pack(uid)
        table = tx.memory.store.table
        document, state = fetch(tx.txn, table("nodes"), key), fetch(tx.txn, table("states"), key)
        if document is None or state is None:
            return False
        for edge in tx.edges_touching(uid):
            self.remove_edge(edge)
        self._nodes.append((uid, document, state, fetch(tx.txn, table("vectors"), key) or b""))
        tx.delete_node(uid)
        return True

    def remove_edge(self, key: EdgeKey) -> bool:
        """Remove an edge; returns whether it was there."""
        value = self._tx.edge(key)
        if value is None:
            return False
        meta = self._tx.edge_meta(key)
        if meta:
            self._edge_meta.append((EDGE_KEY.pack(*key), rec.pack(meta)))
        self._edges.append(EDGE_ROW.pack(*key, *value))
        self._tx.remove_edge(key)
        return True

    def remove_faded(self, keys: Sequence[EdgeKey]) -> int:
        """Remove those of these edges that have faded away by now; returns how many."""
        tx = self._tx
        table = tx.memory.store.table("edges")
        with_meta = tx.txn.stat(tx.memory.store.table("edge_meta"))["entries"] > 0
        limit, removed = tx.memory.config.forgetting.prune_below, 0
        for key, rate in zip(keys, _rates(tx, keys), strict=True):
            raw = fetch(tx.txn, table, EDGE_KEY.pack(*key))
            if raw is None or rate == 0.0:
                continue
            value = EDGE_VALUE.unpack(raw)
            if value[0] * 2.0 ** (-max(tx.now - value[1], 0.0) * rate) >= limit:
                continue
            if with_meta:
                removed += self.remove_edge(key)
            else:
                self._edges.append(EDGE_ROW.pack(*key, *value))
                removed += tx.remove_edge(key)
        return removed

    def changing(self, uid: int, *, content: bool = True) -> None:
        """Keep the present state of a node that is about to change, and its text unless that stays."""
        tx, key = self._tx, UID.pack(uid)
        table = tx.memory.store.table
        document, state = fetch(tx.txn, table("nodes"), key), fetch(tx.txn, table("states"), key)
        if document is not None and state is not None and all(uid != known for known, _, _ in self._before):
            self._before.append((uid, document if content else b"", state))

    def created(self, uid: int) -> None:
        """Note a node that this act made."""
        self._created_nodes.append(uid)

    def created_edge(self, key: EdgeKey) -> None:
        """Note an edge that this act made."""
        self._created_edges.append(key)

    def record(self) -> int:
        """Store the entry; returns its number, 0 if there was nothing to note."""
        if self.empty:
            return 0
        number = self._tx.next_number("journal")
        entry = {
            "time": self._tx.now,
            "kind": self._kind,
            "reason": self._reason,
            "nodes": self._nodes,
            "edges": b"".join(self._edges),
            "edge_meta": self._edge_meta,
            "before": self._before,
            "created_nodes": self._created_nodes,
            "created_edges": [EDGE_KEY.pack(*key) for key in self._created_edges],
        }
        self._tx.txn.put(UID.pack(number), rec.pack(entry), db=self._tx.memory.store.table("journal"))
        return number


def _rates(tx: Transaction, keys: Sequence[EdgeKey]) -> list[float]:
    """Return how fast each edge fades; from the image where this transaction has not changed an end."""
    ends = np.array([key[:2] for key in keys], np.int64).reshape(-1, 2)
    columns = tx.memory.columns
    src, dst = columns.slots(ends[:, 0]), columns.slots(ends[:, 1])
    importance = np.maximum(columns.importance[src], columns.importance[dst]).tolist()
    return [
        tx.rate_of(key)
        if key[0] in tx.states or key[1] in tx.states
        else tx.memory.rate(key[2], level, level)
        for key, level in zip(keys, importance, strict=True)
    ]


def undo(tx: Transaction, number: int) -> int:
    """Take back one act; returns how many nodes and edges are back.

    Raises:
        UndoError: the entry is unknown (or was undone), too old, or the id of a removed node is taken.
    """
    table = tx.memory.store.table("journal")
    raw = fetch(tx.txn, table, UID.pack(number))
    if raw is None:
        raise UndoError(f"The journal has no entry {number}; it was undone, has expired, or never was.")
    entry = rec.unpack(raw)
    allowed = tx.memory.config.forgetting.undo_for_s
    if tx.now - entry["time"] > allowed:
        raise UndoError(
            f"Journal entry {number} is {(tx.now - entry['time']) / 86400:.1f} days old; "
            f"acts can be undone for {allowed / 86400:.1f} days."
        )
    for _, document, _, _ in entry["nodes"]:
        id = rec.unpack_document(document)[0]
        if tx.uid(id) is not None:
            raise UndoError(f"Journal entry {number} cannot be undone: the id {id!r} has been used again.")
    for created in entry["created_edges"]:
        tx.remove_edge(EDGE_KEY.unpack(created))
    for uid in entry["created_nodes"]:
        tx.delete_node(uid)
    back = sum(_restore_node(tx, *node) for node in entry["nodes"])
    for uid, document, state in entry["before"]:
        back += _restore_content(tx, uid, document, state)
    back += _restore_edges(tx, entry)
    tx.txn.delete(UID.pack(number), db=table)
    return back


def _restore_node(tx: Transaction, uid: int, document: bytes, state: bytes, vector: bytes) -> int:
    fields = list(STATE.unpack(state))
    fields[rec.F_ACCESSED] = max(fields[rec.F_ACCESSED], tx.now)
    id, text, _, _, _ = rec.unpack_document(document)
    person, session = tx.symbol_text(fields[rec.F_PERSON]), tx.symbol_text(fields[rec.F_SESSION])
    tx.put_node(uid, document, tuple(fields), id, rec.text_key(text, fields[rec.F_TYPE], person, session))
    if vector:
        tx.txn.put(UID.pack(uid), vector, db=tx.memory.store.table("vectors"))
    return 1


def _restore_content(tx: Transaction, uid: int, document: bytes, state: bytes) -> int:
    if tx.state(uid) is None:
        return 0
    if not document:
        tx.set_state(uid, STATE.unpack(state))
        return 1
    old_key = tx.text_key_of(uid)
    tx.put_document(uid, document)
    tx.set_state(uid, STATE.unpack(state))
    tx.move_text_key(uid, old_key, tx.text_key_of(uid))
    return 1


def _restore_edges(tx: Transaction, entry: dict[str, Any]) -> int:
    config = tx.memory.config.forgetting
    metas = {bytes(key): meta for key, meta in entry["edge_meta"]}
    back = 0
    for src, dst, type, weight, reinforced, created in EDGE_ROW.iter_unpack(entry["edges"]):
        key = (src, dst, type)
        if tx.state(src) is None or tx.state(dst) is None or tx.edge(key) is not None:
            continue
        meta = metas.get(EDGE_KEY.pack(*key))
        tx.put_edge(key, (weight, reinforced, created), None if meta is None else rec.unpack(meta))
        if tx.weight_of(key) is None:
            tx.put_edge(key, (max(weight, config.review_below), tx.now, created))
        back += 1
    return back


def entries(tx_or_reader: Any, store: Any) -> list[JournalEntry]:
    """Return every act that can still be listed, oldest first."""
    found: list[JournalEntry] = []
    for key, value in tx_or_reader.cursor(db=store.table("journal")):
        entry = rec.unpack(bytes(value))
        documents = [node[1] for node in (*entry["nodes"], *entry["before"])]
        names = tuple(rec.unpack_document(document)[0] for document in documents if document)
        found.append(
            JournalEntry(
                int(UID.unpack(key)[0]),
                entry["time"],
                entry["kind"],
                entry["reason"],
                names,
                len(entry["edges"]) // EDGE_ROW.size,
            )
        )
    return found


def expire(tx: Transaction) -> int:
    """Drop entries that can no longer be undone; returns how many."""
    table = tx.memory.store.table("journal")
    limit = tx.now - tx.memory.config.forgetting.undo_for_s
    old: list[bytes] = []
    with tx.txn.cursor(db=table) as cursor:
        for key, value in cursor:
            if rec.unpack(bytes(value))["time"] >= limit:
                break
            old.append(bytes(key))
    for key in old:
        tx.txn.delete(key, db=table)
    return len(old)


def scrub(tx: Transaction, uids: set[int]) -> int:
    """Remove every trace of these nodes from the journal; returns how many entries changed or went."""
    table = tx.memory.store.table("journal")
    touched = 0
    with tx.txn.cursor(db=table) as cursor:
        found = [(bytes(key), bytes(value)) for key, value in cursor]
    for key, value in found:
        entry = rec.unpack(value)
        nodes = [node for node in entry["nodes"] if node[0] not in uids]
        before = [node for node in entry["before"] if node[0] not in uids]
        rows = [
            row for row in EDGE_ROW.iter_unpack(entry["edges"]) if row[0] not in uids and row[1] not in uids
        ]
        metas = [pair for pair in entry["edge_meta"] if not uids & set(EDGE_KEY.unpack(pair[0])[:2])]
        edges = b"".join(EDGE_ROW.pack(*row) for row in rows)
        if (len(nodes), len(before), edges) == (len(entry["nodes"]), len(entry["before"]), entry["edges"]):
            continue
        touched += 1
        entry |= {"nodes": nodes, "before": before, "edges": edges, "edge_meta": metas}
        if nodes or before or edges or entry["created_nodes"] or entry["created_edges"]:
            tx.txn.put(key, rec.pack(entry), db=table)
        else:
            tx.txn.delete(key, db=table)
    return touched
