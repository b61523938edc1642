"""Steps from each older schema to the next, run in one transaction when a store is opened."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import lmdb
import numpy as np

from zulong.memory import vectorcode
from zulong.memory.records import EDGE_VALUE

Step = Callable[[lmdb.Transaction, dict[str, Any]], None]


def _edges_get_a_creation_time(txn: lmdb.Transaction, tables: dict[str, Any]) -> None:
    """Schema 1 kept weight and reinforcement only (16 bytes); the reinforcement is the best guess there is."""
    cursor = txn.cursor(db=tables["edges"])
    old = [(bytes(key), bytes(value)) for key, value in cursor if len(value) == 16]
    for key, value in old:
        txn.put(key, value + value[8:16], db=tables["edges"])


def _vectors_get_eight_bits(txn: lmdb.Transaction, tables: dict[str, Any]) -> None:
    """Schema 2 kept half-precision rows behind the embedder's number."""
    old = [(bytes(key), bytes(value)) for key, value in txn.cursor(db=tables["vectors"])]
    for key, value in old:
        row = np.frombuffer(value[4:], "<f2").astype(np.float32)
        txn.put(key, value[:4] + vectorcode.encode(row[None, :])[0], db=tables["vectors"])


STEPS: dict[int, Step] = {1: _edges_get_a_creation_time, 2: _vectors_get_eight_bits}


def migrate(txn: lmdb.Transaction, tables: dict[str, Any], version: int) -> None:
    """Bring a store of schema ``version`` up to the present one."""
    while version in STEPS:
        STEPS[version](txn, tables)
        version += 1


assert EDGE_VALUE.size == 24  # noqa: S101 - the last step above writes this layout
