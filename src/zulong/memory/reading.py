"""The reading side of the engine: implements :class:`zulong.memory.reader.MemoryReader` over the image."""

from __future__ import annotations

import math
import threading
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

import lmdb
import numpy as np
from numpy.typing import NDArray

from zulong.memory import records as rec
from zulong.memory import vectorcode
from zulong.memory.activation import spread
from zulong.memory.filters import Mask, passing
from zulong.memory.image import current_txn
from zulong.memory.indexes import PlaceIndex, TimeIndex
from zulong.memory.model import Edge, EdgeType, Importance, Node, NodeType, Place, RecallQuery
from zulong.memory.reader import Activation, Commit, NodeColumns, Uids
from zulong.memory.store import fetch
from zulong.memory.topology import DEAD, rows
from zulong.memory.transaction import EdgeKey, Memory

_CHUNK = 1024
VECTOR_HEADER = 4
"""Bytes before a stored vector: the symbol number of its embedder, little-endian."""


class Reading:
    """Answers every question about what is durable; safe from any thread."""

    def __init__(self, memory: Memory, clock: Callable[[], float]) -> None:
        self.memory = memory
        self._clock = clock
        self._txn_id = current_txn(memory.store)
        self._times = TimeIndex(memory.columns)
        self._places = PlaceIndex(memory.columns)
        self._listeners: list[Callable[[Commit], None]] = []
        self._listeners_lock = threading.Lock()

    # -- the whole --------------------------------------------------------------------------------------

    @property
    def txn_id(self) -> int:
        """The last durable transaction that readers see."""
        return self._txn_id

    def now(self) -> float:
        """The memory's clock, seconds since the epoch."""
        return self._clock()

    def __len__(self) -> int:
        return self.memory.columns.live

    def uids(self) -> Uids:
        """Return the numbers of all live nodes, ascending; those that have been superseded as well."""
        columns = self.memory.columns
        count = columns.count
        return columns.uid[:count][columns.alive[:count]]

    def shards(self) -> dict[int, int]:
        """Return {month shard: live nodes}."""
        columns = self.memory.columns
        count = columns.count
        numbers, sizes = np.unique(columns.shard[:count][columns.alive[:count]], return_counts=True)
        return dict(zip(numbers.tolist(), sizes.tolist(), strict=True))

    # -- nodes ------------------------------------------------------------------------------------------

    def uid(self, id: str) -> int | None:
        """Return the number of the live node ``id``, or None."""
        with self.memory.store.reading() as txn:
            raw = _id_lookup(txn, self.memory, id)
        return None if raw is None else int(rec.UID.unpack(raw)[0])

    def node(self, id: str) -> Node | None:
        """Return the live node ``id``, or None."""
        with self.memory.store.reading() as txn:
            raw = _id_lookup(txn, self.memory, id)
            return None if raw is None else self._node(txn, raw)

    def nodes(self, uids: Sequence[int] | Uids) -> list[Node | None]:
        """Return the nodes with these numbers, None where a node is gone."""
        with self.memory.store.reading() as txn:
            return [self._node(txn, rec.UID.pack(int(uid))) for uid in uids]

    def documents(self, *, shard: int | None = None) -> Iterator[Node]:
        """Iterate live nodes in order of uid; only those of one month shard if given."""
        for block in self._live_blocks(shard, _CHUNK):
            for node in self.nodes(block):
                if node is not None:
                    yield node

    def _live_blocks(self, shard: int | None, size: int) -> Iterator[Uids]:
        columns = self.memory.columns
        count = columns.count
        wanted = columns.alive[:count]
        if shard is not None:
            wanted = wanted & (columns.shard[:count] == shard)
        uids = columns.uid[:count][wanted]
        for start in range(0, len(uids), size):
            yield uids[start : start + size]

    def _node(self, txn: lmdb.Transaction, key: bytes) -> Node | None:
        store = self.memory.store
        document = fetch(txn, store.table("nodes"), key)
        state = fetch(txn, store.table("states"), key)
        if document is None or state is None:
            return None
        return build_node(self.memory, key, document, state)

    # -- columns and filters ----------------------------------------------------------------------------

    def columns(self, uids: Sequence[int] | Uids) -> NodeColumns:
        """Return the columns of these nodes, aligned with ``uids``."""
        columns = self.memory.columns
        wanted = np.asarray(uids, np.int64)
        slots = columns.slots(wanted)
        known = np.maximum(slots, 0)
        field = columns.field
        return NodeColumns(
            wanted,
            columns.type[known],
            columns.importance[known],
            columns.stamp[known],
            columns.accessed[known],
            field["accesses"][known],  # type: ignore[arg-type]
            field["activation"][known],  # type: ignore[arg-type]
            self.memory.topology.degree(known),
            columns.alive[known] & (slots >= 0),
        )

    def matching(self, uids: Uids, query: RecallQuery) -> Mask:
        """Tell which of ``uids`` are alive and pass every filter of ``query``."""
        columns = self.memory.columns
        slots = columns.slots(np.asarray(uids, np.int64))
        mask = passing(columns, self.memory.symbols, np.maximum(slots, 0), query, self.now())
        return mask & (slots >= 0)

    def select(self, query: RecallQuery) -> Uids:
        """Return the uids of all live nodes that pass the filters of ``query``, ascending.

        A place or a span of time is looked up in its index; the other filters are applied to what is left.
        """
        columns, symbols = self.memory.columns, self.memory.symbols
        if query.near is not None and query.radius_m is not None:
            near = query.near
            rows = self._places.around(symbols.number(near.frame) or 0, near.x, near.y, query.radius_m)
        elif query.since is not None or query.until is not None:
            rows = self._times.between(query.since, query.until)
        else:
            count = columns.count
            everything = passing(columns, symbols, slice(0, count), query, self.now())
            return columns.uid[:count][everything]
        rows = np.sort(rows)
        return columns.uid[rows[passing(columns, symbols, rows, query, self.now())]]

    # -- edges ------------------------------------------------------------------------------------------

    def neighbours(self, id: str, types: Collection[EdgeType] | None = None) -> list[Edge]:
        """Return the edges out of and into ``id``, of the given types only; faded ones do not exist."""
        uid = self.uid(id)
        if uid is None:
            return []
        memory = self.memory
        slot = memory.columns.slot(uid)
        if slot < 0:
            return []
        known = memory.columns.uid
        keys = [
            (int(known[src]), int(known[dst]), type)
            for src, dst, type in memory.topology.touching(slot)
            if types is None or type in types
        ]
        return self.edges(keys)

    def between(self, one: str, other: str) -> list[Edge]:
        """Return the edges that join two nodes, in either direction; faded ones do not exist."""
        uids = self.uid(one), self.uid(other)
        if uids[0] is None or uids[1] is None:
            return []
        memory = self.memory
        slots = memory.columns.slots(np.array(uids, np.int64)).tolist()
        numbers = dict(zip(slots, uids, strict=True))
        return self.edges(
            [
                (numbers[src], numbers[dst], type)
                for src, dst, type in memory.topology.touching(slots[0])
                if src in numbers and dst in numbers
            ]
        )

    def edges(self, keys: Sequence[EdgeKey]) -> list[Edge]:
        """Return the edges with these keys that exist now."""
        ids: dict[int, str] = {}
        with self.memory.store.reading() as txn:
            found = [self._edge(txn, key, ids) for key in keys]
        return [edge for edge in found if edge is not None]

    def _id(self, txn: lmdb.Transaction, uid: int, ids: dict[int, str]) -> str | None:
        id = ids.get(uid)
        if id is None:
            raw = fetch(txn, self.memory.store.table("nodes"), rec.UID.pack(uid))
            if raw is None:
                return None
            id = ids[uid] = rec.unpack_document(raw)[0]
        return id

    def _edge(self, txn: lmdb.Transaction, key: EdgeKey, ids: dict[int, str]) -> Edge | None:
        memory = self.memory
        table = memory.store.table
        raw_key = rec.EDGE_KEY.pack(*key)
        raw = fetch(txn, table("edges"), raw_key)
        src, dst = self._id(txn, key[0], ids), self._id(txn, key[1], ids)
        if raw is None or src is None or dst is None:
            return None
        base, reinforced, created = rec.EDGE_VALUE.unpack(raw)
        slots = memory.columns.slots(np.array(key[:2], np.int64))
        importance = memory.columns.importance
        rate = memory.rate(key[2], int(importance[slots[0]]), int(importance[slots[1]]))
        weight = base * 2.0 ** (-max(self.now() - reinforced, 0.0) * rate)
        if rate and weight < memory.config.forgetting.prune_below:
            return None
        meta = fetch(txn, table("edge_meta"), raw_key)
        return Edge(
            src,
            dst,
            EdgeType(key[2]),
            weight,
            base,
            reinforced,
            created,
            {} if meta is None else rec.unpack(meta),
        )

    def adjacent(
        self, uids: Uids, types: Collection[EdgeType] | None = None
    ) -> tuple[NDArray[np.int64], Uids, NDArray[np.uint8], NDArray[np.float32]]:
        """Return (position in ``uids``, neighbour uid, edge type, weight now) of every edge, both directions."""
        columns, view = self.memory.columns, self.memory.topology.view
        now, floor = self.now(), self.memory.config.forgetting.prune_below
        slots = columns.slots(np.asarray(uids, np.int64))
        positions = np.arange(len(slots))
        parts: list[tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.uint8], NDArray[np.float32]]] = []

        def take(edges: object, position: object, picked: object, far: object) -> None:
            weight = edges.weight_now(picked, now)  # type: ignore[attr-defined]
            type = edges.type[picked]  # type: ignore[attr-defined]
            keep = (type != DEAD) & ((weight >= floor) | (edges.rate[picked] == 0))  # type: ignore[attr-defined]
            if types is not None:
                keep &= np.isin(type, [int(one) for one in types])
            parts.append((position[keep], far[picked][keep], type[keep], weight[keep]))  # type: ignore[index]

        base = view.base
        inside = (slots >= 0) & (slots < base.slots)
        known = slots[inside].astype(np.int64)
        position, picked = rows(base.out_start, known)
        take(base.edges, positions[inside][position], picked, base.edges.dst)
        position, entries = rows(base.in_start, known)
        take(base.edges, positions[inside][position], base.in_edges[entries], base.edges.src)
        fresh, count = view.fresh, view.fresh_count
        if count:
            where = np.full(columns.count, -1, np.int64)
            where[slots[slots >= 0]] = positions[slots >= 0]
            for near_end, far_end in ((fresh.src, fresh.dst), (fresh.dst, fresh.src)):
                at = where[near_end[:count]]
                hit = np.flatnonzero(at >= 0)
                take(fresh, at[hit], hit, far_end)
        position, far, type, weight = (np.concatenate(column) for column in zip(*parts, strict=True))
        return position, columns.uid[far], type, weight

    def spread(
        self,
        seeds: Mapping[int, float],
        *,
        depth: int | None = None,
        type_factors: Mapping[EdgeType, float] | None = None,
        direction: str = "both",
        limit: int | None = None,
    ) -> Activation:
        """Spread activation from ``seeds`` (uid -> strength); see :mod:`zulong.memory.activation`."""
        # The view first: nodes are added before the edges that need them, so every slot in it is below count.
        view = self.memory.topology.view
        columns, config = self.memory.columns, self.memory.config.activation
        wanted = np.fromiter(seeds.keys(), np.int64, len(seeds))
        strengths = np.fromiter(seeds.values(), np.float32, len(seeds))
        count = columns.count
        slots = columns.slots(wanted)
        live = slots >= 0
        live[live] = columns.alive[slots[live]]
        factors = None
        if type_factors is not None:
            factors = np.ones(len(EdgeType), np.float32)
            for type, factor in type_factors.items():
                factors[type] = factor
        found = spread(
            view,
            count,
            slots[live],
            strengths[live],
            now=self.now(),
            decay=config.decay,
            depth=config.depth if depth is None else depth,
            cut=config.cut,
            floor=self.memory.config.forgetting.prune_below,
            type_factors=factors,
            direction=direction,
        )
        uids, alive = columns.uid, columns.alive[found.slots]
        keep: slice | NDArray[np.int64] = slice(0, limit)
        if not alive.all():
            keep = np.flatnonzero(alive)[:limit]
        parents = found.parents[keep]
        parent_uids = uids[parents]
        parent_uids[parents < 0] = -1
        return Activation(
            uids[found.slots[keep]], found.values[keep], parent_uids, found.types[keep], found.hops[keep]
        )

    # -- vectors ----------------------------------------------------------------------------------------

    def vectors(
        self, *, shard: int | None = None, embedder: str | None = None
    ) -> Iterator[tuple[str, Uids, NDArray[np.float32]]]:
        """Iterate stored vectors as (embedder name, uids, float32 matrix [n, dim]) blocks."""
        symbols, table = self.memory.symbols, self.memory.store.table("vectors")
        for block in self._live_blocks(shard, 4096):
            groups: dict[tuple[int, int], tuple[list[int], list[bytes]]] = {}  # by embedder and dimension
            with self.memory.store.reading() as txn:
                for uid in block.tolist():
                    raw = fetch(txn, table, rec.UID.pack(uid))
                    if raw is not None:
                        number, body = int.from_bytes(raw[:VECTOR_HEADER], "little"), raw[VECTOR_HEADER:]
                        uids, data = groups.setdefault((number, vectorcode.dimension(body)), ([], []))
                        uids.append(uid)
                        data.append(body)
            for (number, dim), (uids, data) in groups.items():
                name = symbols.text(number)
                if embedder is None or name == embedder:
                    yield name, np.array(uids, np.int64), vectorcode.decode(data, dim)

    def vectors_of(self, uids: Uids, embedder: str) -> tuple[NDArray[np.float32], Mask]:
        """Return the stored vectors of these nodes by one embedder (zeros where there is none), and which have one."""
        number = self.memory.symbols.number(embedder)
        found: dict[int, bytes] = {}
        table = self.memory.store.table("vectors")
        with self.memory.store.reading() as txn:
            for row, uid in enumerate(uids.tolist()):
                raw = fetch(txn, table, rec.UID.pack(uid))
                if raw is not None and int.from_bytes(raw[:VECTOR_HEADER], "little") == number:
                    found[row] = raw[VECTOR_HEADER:]
        known = np.zeros(len(uids), np.bool_)
        dim = vectorcode.dimension(next(iter(found.values()))) if found else 0
        matrix = np.zeros((len(uids), dim), np.float32)
        at = np.fromiter(found, np.int64, len(found))
        matrix[at], known[at] = vectorcode.decode(list(found.values()), dim), True
        return matrix, known

    def shards_of(self, uids: Uids) -> NDArray[np.int32]:
        """Return the month shard of each node, 0 where the store never had it."""
        columns = self.memory.columns
        slots = columns.slots(np.asarray(uids, np.int64))
        return np.where(slots >= 0, columns.shard[np.maximum(slots, 0)], 0).astype(np.int32)

    # -- changes ----------------------------------------------------------------------------------------

    def changes(self, since_txn: int) -> Iterator[Commit] | None:
        """Iterate commits after ``since_txn``; None when the log no longer reaches back that far."""
        if since_txn > self._txn_id:
            return None  # the cache is of another store, or of a later state than a restored backup
        log = self.memory.store.table("log")
        if since_txn < self._txn_id:
            with self.memory.store.reading() as txn:
                if fetch(txn, log, rec.UID.pack(since_txn + 1)) is None:
                    return None
        return self._changes(since_txn, self._txn_id)

    def _changes(self, since: int, until: int) -> Iterator[Commit]:
        log = self.memory.store.table("log")
        for number in range(since + 1, until + 1):
            with self.memory.store.reading() as txn:
                raw = fetch(txn, log, rec.UID.pack(number))
            if raw is None:
                continue
            entry = rec.unpack(raw)
            yield self.commit_of(number, rec.unpack_uids(entry["a"]), rec.unpack_uids(entry["c"]), entry["r"])

    def commit_of(
        self, number: int, added: Uids, changed: Uids, removed: Sequence[Sequence[object]]
    ) -> Commit:
        """Return a Commit with the nodes as they are now; those that are gone again are left out."""
        return Commit(
            number,
            tuple(node for node in self.nodes(added) if node is not None),
            tuple(node for node in self.nodes(changed) if node is not None),
            tuple((int(uid), str(id)) for uid, id in removed),  # type: ignore[call-overload]
        )

    def on_commit(self, callback: Callable[[Commit], None]) -> Callable[[], None]:
        """Call ``callback`` on the writer's thread after each commit; return an unsubscriber."""
        with self._listeners_lock:
            self._listeners = [*self._listeners, callback]

        def unsubscribe() -> None:
            with self._listeners_lock:
                self._listeners = [other for other in self._listeners if other is not callback]

        return unsubscribe


def _id_lookup(txn: lmdb.Transaction, memory: Memory, id: str) -> bytes | None:
    try:
        key = id.encode()
    except UnicodeEncodeError:
        return None
    if not key or len(key) > 500:
        return None
    return fetch(txn, memory.store.table("ids"), key)


def build_node(memory: Memory, key: bytes, document: bytes, state: bytes) -> Node:
    """Make the public record from what is stored."""
    id, text, tags, meta, sources = rec.unpack_document(document)
    (
        stamp,
        created,
        accessed,
        valid_from,
        valid_to,
        x,
        y,
        z,
        activation,
        accesses,
        frame,
        room,
        robot,
        person,
        session,
        type,
        importance,
        _reviewed,
    ) = rec.STATE.unpack(state)
    symbol = memory.symbols.text
    return Node(
        id,
        int(rec.UID.unpack(key)[0]),
        NodeType(type),
        text,
        Importance(importance),
        stamp,
        created,
        accessed,
        accesses,
        activation,
        tuple(tags),
        meta,
        None if math.isnan(x) else Place(x, y, z, symbol(frame), symbol(room)),
        symbol(robot),
        symbol(person),
        symbol(session),
        tuple(sources),
        valid_from,
        valid_to,
    )
