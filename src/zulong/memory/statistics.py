"""What a memory looks like from outside: sizes and counters for diagnostics and the dashboard."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from zulong.memory.engine import Engine
from zulong.memory.lifecycle import Lifecycle, StageCounters
from zulong.memory.model import HOT_WITHIN_S, WARM_WITHIN_S, Importance, NodeType, Temperature


@dataclass(slots=True, frozen=True)
class MemoryStats:
    """One moment of a memory.

    Attributes:
        nodes, edges: how many are live; faded edges count until they are pruned.
        types, importances, temperatures: nodes by tag.
        months: nodes by month shard (year * 12 + month - 1).
        store_bytes: size of the data file.
        txn_id: the last durable transaction; ``commits`` and ``operations`` since the store was opened.
        waiting_edges: edges in the overlay that wait for the next merge.
        undoable: acts in the journal.
        stages: the counters of the lifecycle.
    """

    nodes: int
    edges: int
    types: Mapping[NodeType, int]
    importances: Mapping[Importance, int]
    temperatures: Mapping[Temperature, int]
    months: Mapping[int, int]
    store_bytes: int
    txn_id: int
    commits: int
    operations: int
    waiting_edges: int
    undoable: int
    stages: Mapping[str, StageCounters]


def collect(engine: Engine, lifecycle: Lifecycle) -> MemoryStats:
    """Count everything; takes some milliseconds for a million nodes."""
    columns, store = engine.memory.columns, engine.memory.store
    count = columns.count
    alive = columns.alive[:count]
    types = np.bincount(columns.type[:count][alive], minlength=len(NodeType))
    importances = np.bincount(columns.importance[:count][alive], minlength=len(Importance))
    age_s = engine.now() - columns.accessed[:count][alive]
    hot, warm = int((age_s < HOT_WITHIN_S).sum()), int((age_s < WARM_WITHIN_S).sum())
    with store.reading() as txn:
        undoable = txn.stat(store.table("journal"))["entries"]
    return MemoryStats(
        len(engine),
        len(engine.memory.topology),
        {type: int(types[type]) for type in NodeType if types[type]},
        {level: int(importances[level]) for level in Importance if importances[level]},
        {Temperature.HOT: hot, Temperature.WARM: warm - hot, Temperature.COLD: len(age_s) - warm},
        engine.shards(),
        store.size_bytes(),
        engine.txn_id,
        engine.writer.commits,
        engine.writer.operations,
        engine.memory.topology.overlay_size,
        undoable,
        lifecycle.counters(),
    )
