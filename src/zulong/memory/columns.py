"""The hot part of every node in numpy columns, in order of uid: about 110 bytes a node, a million in 0.1 GB.

A slot is a row of these arrays. Slots live only in memory and never leave the engine; uids do. Because uids
grow, the column of uids is sorted and a slot is found by bisection.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from zulong.memory.records import (
    STATE,
    STATE_DTYPE,
    StateTuple,
)

Slots = NDArray[np.int32]

# Columns that recall and the lifecycle scan in bulk; everything else of a state is read from LMDB.
_FIELDS = (
    "stamp",
    "accessed",
    "valid_from",
    "valid_to",
    "x",
    "y",
    "z",
    "activation",
    "accesses",
    "frame",
    "robot",
    "person",
    "session",
    "type",
    "importance",
    "reviewed",
)


class Columns:
    """Growable node columns. One thread writes; readers take ``count`` first and look below it."""

    def __init__(self) -> None:
        self.count = 0
        self.live = 0
        self.times_changed = 0
        self.places_changed = 0
        self._capacity = 1024
        self.uid: NDArray[np.int64] = np.zeros(self._capacity, np.int64)
        self.alive: NDArray[np.bool_] = np.zeros(self._capacity, np.bool_)
        self.shard: NDArray[np.int32] = np.zeros(self._capacity, np.int32)
        self.associations: NDArray[np.uint8] = np.zeros(self._capacity, np.uint8)
        self.field: dict[str, NDArray[np.generic]] = {
            name: np.zeros(self._capacity, STATE_DTYPE[name]) for name in _FIELDS
        }

    # Typed views of the columns that code reads most.
    @property
    def stamp(self) -> NDArray[np.float64]:
        """When each node happened."""
        return self.field["stamp"]  # type: ignore[return-value]

    @property
    def accessed(self) -> NDArray[np.float64]:
        """When each node was last reinforced."""
        return self.field["accessed"]  # type: ignore[return-value]

    @property
    def type(self) -> NDArray[np.uint8]:
        """NodeType value of each node."""
        return self.field["type"]  # type: ignore[return-value]

    @property
    def importance(self) -> NDArray[np.uint8]:
        """Importance value of each node."""
        return self.field["importance"]  # type: ignore[return-value]

    def load(self, uids: NDArray[np.int64], states: NDArray[np.void]) -> None:
        """Replace everything by these rows (``uids`` ascending)."""
        self.count = 0
        self._reserve(len(uids))
        count = len(uids)
        self.uid[:count] = uids
        self.alive[:count] = True
        self.associations[:count] = 0
        for name in _FIELDS:
            self.field[name][:count] = states[name]
        self.shard[:count] = shard_of(self.stamp[:count])
        self.live = self.count = count
        self.times_changed += 1
        self.places_changed += 1

    def append(self, rows: list[tuple[int, bytes]]) -> None:
        """Add new nodes given as (uid, packed STATE), uids ascending and above all present ones."""
        if not rows:
            return
        states = np.frombuffer(b"".join(state for _, state in rows), STATE_DTYPE)
        start, end = self.count, self.count + len(rows)
        self._reserve(end)
        self.uid[start:end] = [uid for uid, _ in rows]
        self.alive[start:end] = True
        self.associations[start:end] = 0
        for name in _FIELDS:
            self.field[name][start:end] = states[name]
        self.shard[start:end] = shard_of(states["stamp"])
        self.live += len(rows)
        self.count = end

    def overwrite(self, rows: dict[int, StateTuple]) -> None:
        """Put new states of present nodes into their rows."""
        if not rows:
            return
        uids = np.fromiter(rows, np.int64, len(rows))
        slots = self.slots(uids)
        states = np.frombuffer(b"".join(STATE.pack(*rows[int(uid)]) for uid in uids), STATE_DTYPE)
        known = slots >= 0
        self.times_changed += bool(np.any(self.stamp[slots[known]] != states["stamp"][known]))
        self.places_changed += any(
            not np.array_equal(self.field[name][slots[known]], states[name][known], equal_nan=True)
            for name in ("x", "y", "frame")
        )
        for name in _FIELDS:
            self.field[name][slots[known]] = states[name][known]
        self.shard[slots[known]] = shard_of(states["stamp"][known])

    def remove(self, uids: Iterable[int]) -> None:
        """Mark nodes as gone; their rows stay until the next load."""
        for slot in self.slots(np.fromiter(uids, np.int64)):
            if slot >= 0 and self.alive[slot]:
                self.alive[slot] = False
                self.live -= 1

    def revive(self, rows: dict[int, StateTuple]) -> None:
        """Bring back nodes whose row is still here; the caller appends none twice."""
        self.overwrite(rows)
        for slot in self.slots(np.fromiter(rows, np.int64, len(rows))):
            if slot >= 0 and not self.alive[slot]:
                self.alive[slot] = True
                self.live += 1

    def slots(self, uids: NDArray[np.int64]) -> Slots:
        """Return the row of each uid, -1 where there is none (a row may belong to a removed node)."""
        count = self.count
        if count == 0 or len(uids) == 0:
            return np.full(len(uids), -1, np.int32)
        known = self.uid[:count]
        found = np.searchsorted(known, uids)
        found[found == count] = 0
        return np.where(known[found] == uids, found, -1).astype(np.int32)

    def slot(self, uid: int) -> int:
        """Return the row of a live node, -1 if there is none."""
        count = self.count
        found = int(np.searchsorted(self.uid[:count], uid))
        return found if found < count and self.uid[found] == uid and self.alive[found] else -1

    def _reserve(self, rows: int) -> None:
        if rows <= self._capacity:
            return
        capacity = max(rows, self._capacity + self._capacity // 2)
        keep = self.count

        def grown(old: NDArray[np.generic]) -> NDArray[np.generic]:
            new = np.zeros(capacity, old.dtype)
            new[:keep] = old[:keep]
            return new

        # Each attribute is replaced in one step, so a reader holds either the old or the new array whole.
        self.uid = grown(self.uid)  # type: ignore[assignment]
        self.alive = grown(self.alive)  # type: ignore[assignment]
        self.shard = grown(self.shard)  # type: ignore[assignment]
        self.associations = grown(self.associations)  # type: ignore[assignment]
        self.field = {name: grown(column) for name, column in self.field.items()}
        self._capacity = capacity


def shard_of(stamps: NDArray[np.float64]) -> NDArray[np.int32]:
    """Return the month shard (year * 12 + month - 1, UTC) of times in seconds since the epoch."""
    months = np.asarray(stamps, np.float64).astype("datetime64[s]").astype("datetime64[M]")
    return (months.astype(np.int64) + 1970 * 12).astype(np.int32)
