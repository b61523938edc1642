"""Use strengthens: access counts, promotion, and Hebb's rule on what is active together.

    w += rate * (1 - w)     for every edge, in either direction, between two nodes that are active together

where ``w`` is what forgetting has left of the weight at that moment. A pair with no edge is counted instead;
its third co-activation joins it by an ASSOCIATION of weight 0.3. At most 5,000 pairs are counted (the pair
not seen for longest gives way) and at most 10 associations leave one node.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from itertools import combinations

from zulong.memory import records as rec
from zulong.memory.model import EdgeType, Importance
from zulong.memory.transaction import EdgeKey, Transaction

_PAIR_KEY = struct.Struct(">QQ")
_PAIR_VALUE = struct.Struct("<Id")
PROMOTE_AT = 3
"""Accesses that make a NORMAL memory IMPORTANT."""


def touch(tx: Transaction, uid: int, *, count: int = 1) -> None:
    """Note that a node was used ``count`` times just now, and promote it if that makes it important."""
    state = tx.state(uid)
    if state is None:
        return
    accesses = min(state[rec.F_ACCESSES] + count, 0xFFFFFFFF)
    tx.change_state(uid, {rec.F_ACCESSED: max(state[rec.F_ACCESSED], tx.now), rec.F_ACCESSES: accesses})
    if accesses >= PROMOTE_AT and state[rec.F_IMPORTANCE] == Importance.NORMAL:
        set_importance(tx, uid, Importance.IMPORTANT)


def set_importance(tx: Transaction, uid: int, importance: Importance) -> None:
    """Change how much a node matters from now on.

    Its edges fade at another rate afterwards, so what is left of each is written down first: the past is
    not judged by the new importance, and an edge that had faded away does not come back.
    """
    state = tx.state(uid)
    if state is None or state[rec.F_IMPORTANCE] == importance:
        return
    for key in tx.edges_touching(uid):
        if EdgeType(key[2]).structural:
            continue
        left, value = tx.weight_of(key), tx.edge(key)
        if left is None or value is None:
            tx.remove_edge(key)
        else:
            tx.put_edge(key, (left, tx.now, value[2]))
    tx.change_state(uid, {rec.F_IMPORTANCE: int(importance)})


def reinforce(tx: Transaction, uids: Sequence[int]) -> int:
    """Apply one co-activation of these nodes; returns how many edges became stronger or new."""
    live = [uid for uid in dict.fromkeys(uids) if tx.state(uid) is not None]
    for uid in live:
        touch(tx, uid)
    strengthened = 0
    for one, other in combinations(sorted(live), 2):
        keys = [
            key
            for key in (*tx.edges_between(one, other), *tx.edges_between(other, one))
            if tx.weight_of(key) is not None
        ]
        if keys:
            for key in keys:
                _strengthen(tx, key)
            strengthened += len(keys)
        elif _count(tx, one, other) >= tx.memory.config.hebb.create_at:
            strengthened += _associate(tx, one, other)
    return strengthened


def _strengthen(tx: Transaction, key: EdgeKey) -> None:
    left, value = tx.weight_of(key), tx.edge(key)
    if left is not None and value is not None:
        tx.put_edge(key, (left + tx.memory.config.hebb.rate * (1.0 - left), tx.now, value[2]))


def _count(tx: Transaction, one: int, other: int) -> int:
    table = tx.memory.store.table("pairs")
    key = _PAIR_KEY.pack(one, other)
    raw = tx.txn.get(key, db=table)
    count = (_PAIR_VALUE.unpack(raw)[0] if raw is not None else 0) + 1
    if raw is None and tx.txn.stat(table)["entries"] >= tx.memory.config.hebb.max_pairs:
        _drop_oldest(tx)
    tx.txn.put(key, _PAIR_VALUE.pack(count, tx.now), db=table)
    return int(count)


def _drop_oldest(tx: Transaction) -> None:
    """Make room by a tenth at once, so that a full table is not searched for every new pair."""
    table = tx.memory.store.table("pairs")
    with tx.txn.cursor(db=table) as cursor:
        seen = sorted((_PAIR_VALUE.unpack(value)[1], bytes(key)) for key, value in cursor)
    for _, key in seen[: max(1, len(seen) // 10)]:
        tx.txn.delete(key, db=table)


def _associate(tx: Transaction, one: int, other: int) -> int:
    """Join the pair, from whichever end still has room; returns 1 if that was possible."""
    hebb = tx.memory.config.hebb
    for src, dst in ((one, other), (other, one)):
        key = (src, dst, int(EdgeType.ASSOCIATION))
        if tx.edge(key) is not None:  # faded away, not yet pruned: its place is taken again
            tx.remove_edge(key)
        if tx.associations_of(src) < hebb.max_out:
            tx.put_edge(key, (hebb.initial_weight, tx.now, tx.now))
            tx.txn.delete(_PAIR_KEY.pack(one, other), db=tx.memory.store.table("pairs"))
            return 1
    return 0


def forget_pairs(tx: Transaction, uids: set[int]) -> int:
    """Drop the counted pairs that name one of these nodes; returns how many there were."""
    table = tx.memory.store.table("pairs")
    with tx.txn.cursor(db=table) as cursor:
        gone = [bytes(key) for key in cursor.iternext(values=False) if uids & set(_PAIR_KEY.unpack(key))]
    for key in gone:
        tx.txn.delete(key, db=table)
    return len(gone)
