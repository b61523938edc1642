"""One durable change of the memory: reads its own writes, and remembers what readers must be shown after it.

Everything here runs on the writer's thread inside one LMDB transaction. A body may be run again when the map
had to grow, so nothing outside the transaction is touched before the commit.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import lmdb
import numpy as np

from zulong.memory import records as rec
from zulong.memory.columns import Columns
from zulong.memory.config import MemoryConfig
from zulong.memory.errors import UnknownNodeError
from zulong.memory.model import STRUCTURAL_EDGES, EdgeType, Importance
from zulong.memory.records import EDGE_KEY, EDGE_VALUE, STATE, UID, StateTuple
from zulong.memory.store import Store, fetch
from zulong.memory.symbols import Symbols
from zulong.memory.topology import Topology

EdgeKey = tuple[int, int, int]
"""Source uid, target uid, EdgeType value."""
EdgeValue = tuple[float, float, float]
"""Base weight, time it was last reinforced, time of creation."""

_ASSOCIATION = int(EdgeType.ASSOCIATION)
_STRUCTURAL = frozenset(int(type) for type in STRUCTURAL_EDGES)


@dataclass(slots=True, frozen=True)
class Memory:
    """What the parts of the engine share: the truth on disk, its image in memory, and the settings."""

    store: Store
    columns: Columns
    topology: Topology
    symbols: Symbols
    config: MemoryConfig

    def rate(self, type: int, importance_src: int, importance_dst: int) -> float:
        """Return 1 / half-life in 1/s of an edge; 0 if it never fades."""
        if type in _STRUCTURAL:
            return 0.0
        half_life = self.config.forgetting.half_life_s[Importance(max(importance_src, importance_dst))]
        return 0.0 if math.isinf(half_life) else 1.0 / half_life


class Transaction:
    """Reads and writes of one commit."""

    def __init__(self, memory: Memory, txn: lmdb.Transaction, now: float) -> None:
        self.memory = memory
        self.txn = txn
        self.now = now
        table = memory.store.table
        self._nodes, self._states, self._ids = table("nodes"), table("states"), table("ids")
        self._texts, self._edges, self._edge_meta = table("texts"), table("edges"), table("edge_meta")
        self._symbols, self._meta = table("symbols"), table("meta")
        self.states: dict[int, StateTuple] = {}
        self.added: dict[int, bytes] = {}
        self.revived: set[int] = set()
        self.changed: set[int] = set()
        self.removed: dict[int, str] = {}
        self.unnamed: set[int] = set()
        """Removed nodes whose ids must not stay in the change log."""
        self.edges: dict[EdgeKey, EdgeValue | None] = {}
        self.new_edges: set[EdgeKey] = set()
        """Edges that were neither stored nor touched before this transaction: no reader's image has them."""
        self.new_symbols: dict[int, str] = {}
        self.dropped_symbols: set[int] = set()
        self.pairs: dict[tuple[int, int], tuple[int, float] | None] = {}
        self.association_delta: dict[int, int] = {}
        self._next_uid = self._counter(b"next_uid", 1)
        self._first_uid = self._next_uid
        self._last_added = 0
        self._next_symbol = memory.symbols.next_number
        self.number = self._counter(b"txn", 0) + 1

    # -- nodes ------------------------------------------------------------------------------------------

    def uid(self, id: str) -> int | None:
        """Return the uid of a live node, None if there is none."""
        raw = fetch(self.txn, self._ids, id.encode())
        return None if raw is None else int(UID.unpack(raw)[0])

    def known_uid(self, id: str) -> int:
        """Return the uid of a live node.

        Raises:
            UnknownNodeError: there is none.
        """
        uid = self.uid(id)
        if uid is None:
            raise UnknownNodeError(id)
        return uid

    def take_uid(self) -> int:
        """Return a uid that no node ever had."""
        uid = self._next_uid
        self._next_uid += 1
        return uid

    def state(self, uid: int) -> StateTuple | None:
        """Return the state of a live node."""
        known = self.states.get(uid)
        if known is not None:
            return known
        raw = fetch(self.txn, self._states, UID.pack(uid))
        return None if raw is None else STATE.unpack(raw)

    def set_state(self, uid: int, state: StateTuple) -> None:
        """Store the state of a node that is there or being added."""
        raw = STATE.pack(*state)
        self.txn.put(UID.pack(uid), raw, db=self._states)
        self.states[uid] = state
        if uid in self.added:
            self.added[uid] = raw

    def change_state(self, uid: int, changes: Mapping[int, Any]) -> StateTuple | None:
        """Replace fields (by position) of a node's state; returns it, None if the node is gone."""
        state = self.state(uid)
        if state is None:
            return None
        fields = list(state)
        for position, value in changes.items():
            fields[position] = value
        new = tuple(fields)
        self.set_state(uid, new)
        return new

    def document(self, uid: int) -> tuple[str, str, list[str], dict[str, Any], list[str]] | None:
        """Return (id, text, tags, meta, sources) of a live node."""
        raw = fetch(self.txn, self._nodes, UID.pack(uid))
        return None if raw is None else rec.unpack_document(raw)

    def put_node(self, uid: int, document: bytes, state: StateTuple, id: str, text_key: bytes) -> None:
        """Store a node that is not there; an existing owner of the text key keeps it."""
        key = UID.pack(uid)
        new = uid >= self._first_uid and uid > self._last_added
        raw = STATE.pack(*state)
        self.txn.put(key, document, db=self._nodes, append=new)
        self.txn.put(key, raw, db=self._states, append=new)
        self.txn.put(id.encode(), key, db=self._ids)
        self.txn.put(text_key, key, db=self._texts, overwrite=False)
        self._last_added = max(self._last_added, uid)
        self.states[uid] = state
        if uid >= self._first_uid:
            self.added[uid] = raw
        else:
            self.revived.add(uid)
            self.removed.pop(uid, None)

    def put_document(self, uid: int, document: bytes) -> None:
        """Replace text, tags and meta of a live node."""
        self.txn.put(UID.pack(uid), document, db=self._nodes)
        self.changed.add(uid)

    def text_owner(self, key: bytes) -> int | None:
        """Return the uid of the live node known under this text key."""
        raw = fetch(self.txn, self._texts, key)
        return None if raw is None else int(UID.unpack(raw)[0])

    def move_text_key(self, uid: int, old: bytes | None, new: bytes | None) -> None:
        """Give up the old text key if this node owns it, and take the new one if it is free."""
        if old is not None and self.text_owner(old) == uid:
            self.txn.delete(old, db=self._texts)
        if new is not None:
            self.txn.put(new, UID.pack(uid), db=self._texts, overwrite=False)

    def text_key_of(self, uid: int) -> bytes | None:
        """Return the text key that a live node's content has."""
        document, state = self.document(uid), self.state(uid)
        if document is None or state is None:
            return None
        return rec.text_key(
            document[1],
            state[rec.F_TYPE],
            self.symbol_text(state[rec.F_PERSON]),
            self.symbol_text(state[rec.F_SESSION]),
        )

    def delete_node(self, uid: int) -> None:
        """Remove a node with all its edges and its vector."""
        document = self.document(uid)
        if document is None:
            return
        for key in self.edges_touching(uid):
            self.remove_edge(key)
        self.move_text_key(uid, self.text_key_of(uid), None)
        raw = UID.pack(uid)
        self.txn.delete(document[0].encode(), db=self._ids)
        for name in ("nodes", "states", "vectors"):
            self.txn.delete(raw, db=self.memory.store.table(name))
        self.states.pop(uid, None)  # a node added in this very transaction keeps its row, as a dead one
        self.changed.discard(uid)
        self.revived.discard(uid)
        self.removed[uid] = document[0]

    # -- edges ------------------------------------------------------------------------------------------

    def edge(self, key: EdgeKey) -> EdgeValue | None:
        """Return the stored value of an edge, faded or not."""
        if key in self.edges:
            return self.edges[key]
        raw = fetch(self.txn, self._edges, EDGE_KEY.pack(*key))
        return None if raw is None else EDGE_VALUE.unpack(raw)

    def rate_of(self, key: EdgeKey) -> float:
        """Return how fast an edge fades, from the importance of its ends as this transaction sees them."""
        src, dst = self.state(key[0]), self.state(key[1])
        if src is None or dst is None:
            return 0.0
        return self.memory.rate(key[2], src[rec.F_IMPORTANCE], dst[rec.F_IMPORTANCE])

    def weight_of(self, key: EdgeKey) -> float | None:
        """Return the weight of an edge now; None if there is none or it has faded away."""
        value = self.edge(key)
        if value is None:
            return None
        rate = self.rate_of(key)
        if rate == 0.0:
            return value[0]
        weight: float = value[0] * 2.0 ** (-max(self.now - value[1], 0.0) * rate)
        return weight if weight >= self.memory.config.forgetting.prune_below else None

    def put_edge(self, key: EdgeKey, value: EdgeValue, meta: Mapping[str, Any] | None = None) -> None:
        """Store an edge between live nodes."""
        if not self.put_new_edge(key, value, meta):
            self.txn.put(EDGE_KEY.pack(*key), EDGE_VALUE.pack(*value), db=self._edges)
            self._note_edge(key, value, meta)

    def put_new_edge(self, key: EdgeKey, value: EdgeValue, meta: Mapping[str, Any] | None = None) -> bool:
        """Store an edge between live nodes unless it is there; returns whether it was stored."""
        if not self.txn.put(EDGE_KEY.pack(*key), EDGE_VALUE.pack(*value), db=self._edges, overwrite=False):
            return False
        if key not in self.edges:
            self.new_edges.add(key)
        if key[2] == _ASSOCIATION:
            self.association_delta[key[0]] = self.association_delta.get(key[0], 0) + 1
        self._note_edge(key, value, meta)
        return True

    def _note_edge(self, key: EdgeKey, value: EdgeValue, meta: Mapping[str, Any] | None) -> None:
        if meta:
            self.txn.put(EDGE_KEY.pack(*key), rec.pack(dict(meta)), db=self._edge_meta)
        self.edges[key] = value

    def remove_edge(self, key: EdgeKey) -> bool:
        """Remove an edge; returns whether it was there."""
        raw = EDGE_KEY.pack(*key)
        if not self.txn.delete(raw, db=self._edges):
            return False
        self.txn.delete(raw, db=self._edge_meta)
        self.edges[key] = None
        if key[2] == EdgeType.ASSOCIATION:
            self.association_delta[key[0]] = self.association_delta.get(key[0], 0) - 1
        return True

    def edge_meta(self, key: EdgeKey) -> dict[str, Any]:
        """Return the meta of an edge."""
        raw = fetch(self.txn, self._edge_meta, EDGE_KEY.pack(*key))
        return {} if raw is None else dict(rec.unpack(raw))

    def edges_between(self, src: int, dst: int) -> Iterator[EdgeKey]:
        """Iterate the keys of the stored edges from ``src`` to ``dst``."""
        prefix = EDGE_KEY.pack(src, dst, 0)
        with self.txn.cursor(db=self._edges) as cursor:
            found = cursor.set_range(prefix)
            while found:
                raw = cursor.key()
                if raw[:16] != prefix[:16]:
                    return
                yield EDGE_KEY.unpack(raw)
                found = cursor.next()

    def edges_touching(self, uid: int) -> list[EdgeKey]:
        """Return the keys of all stored edges out of and into a node."""
        columns = self.memory.columns
        slot = int(columns.slots(np.array([uid], np.int64))[0])
        found: dict[EdgeKey, None] = {}
        if slot >= 0:
            known = columns.uid
            for src, dst, type in self.memory.topology.touching(slot):
                found[int(known[src]), int(known[dst]), type] = None
        for key in self.edges:
            if key[0] == uid or key[1] == uid:
                found[key] = None
        return [key for key in found if self.edge(key) is not None]

    def associations_of(self, uid: int) -> int:
        """Return how many ASSOCIATION edges leave a node."""
        columns = self.memory.columns
        slot = int(columns.slots(np.array([uid], np.int64))[0])
        stored = int(columns.associations[slot]) if slot >= 0 else 0
        return stored + self.association_delta.get(uid, 0)

    # -- symbols and counters ---------------------------------------------------------------------------

    def symbol(self, text: str) -> int:
        """Return the number of a shared text, storing it if it is new."""
        if not text:
            return 0
        known = self.memory.symbols.number(text)
        if known is not None and known not in self.dropped_symbols:
            return known
        for number, new in self.new_symbols.items():
            if new == text:
                return number
        number = self._next_symbol
        self._next_symbol += 1
        self.txn.put(UID.pack(number), text.encode(), db=self._symbols)
        self.new_symbols[number] = text
        return number

    def symbol_text(self, number: int) -> str:
        """Return the text of a number, new ones included."""
        return self.new_symbols.get(number) or self.memory.symbols.text(number)

    def drop_symbol(self, number: int) -> None:
        """Remove a shared text for good."""
        self.txn.delete(UID.pack(number), db=self._symbols)
        self.dropped_symbols.add(number)

    def _counter(self, name: bytes, default: int) -> int:
        raw = fetch(self.txn, self._meta, name)
        return default if raw is None else int(raw)

    def next_number(self, name: str) -> int:
        """Return the next value of a stored counter, starting at 1."""
        number = self._counter(name.encode(), 0) + 1
        self.txn.put(name.encode(), str(number).encode(), db=self._meta)
        return number

    def set_note(self, name: bytes, value: bytes | None) -> None:
        """Keep a note in the meta table, or remove it."""
        if value is None:
            self.txn.delete(name, db=self._meta)
        else:
            self.txn.put(name, value, db=self._meta)

    # -- end --------------------------------------------------------------------------------------------

    def finish(self) -> None:
        """Write counters and the entry of the change log."""
        if self._next_uid != self._first_uid:
            self.txn.put(b"next_uid", str(self._next_uid).encode(), db=self._meta)
        self.txn.put(b"txn", str(self.number).encode(), db=self._meta)
        entry = {
            "a": rec.pack_uids([uid for uid in (*self.added, *self.revived) if uid not in self.removed]),
            "c": rec.pack_uids(sorted(self.changed - self.added.keys())),
            "r": [[uid, "" if uid in self.unnamed else id] for uid, id in self.removed.items()],
            "e": b"".join(EDGE_KEY.pack(*key) for key in self.edges),
            "n": rec.pack_uids([uid for uid in self.states if uid not in self.added]),
        }
        log = self.memory.store.table("log")
        self.txn.put(UID.pack(self.number), rec.pack(entry), db=log, append=True)
        old = self.number - self.memory.config.storage.change_log_commits
        if old > 0:
            self.txn.delete(UID.pack(old), db=log)
