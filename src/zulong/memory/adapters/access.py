"""What adapters need of a memory graph beyond its public verbs: every node of some types, in order of time."""

from __future__ import annotations

from collections.abc import Collection

import numpy as np

from zulong.memory.graph import MemoryGraph
from zulong.memory.model import Draft, Node, NodeType, RecallQuery, RememberResult

PATIENCE_S = 2.0
"""Deadline of both recall paths where an adapter searches: it plans or answers, it does not brake."""


class AdapterError(RuntimeError):
    """An adapter could not store or read its part; the message names the record and the cause."""


def nodes_of(
    graph: MemoryGraph,
    types: Collection[NodeType],
    *,
    session: str | None = None,
    person: str | None = None,
    since: float | None = None,
    until: float | None = None,
    as_of: float | None = None,
) -> list[Node]:
    """Return every valid node of these types that passes, oldest first (by stamp, then by order of storing)."""
    query = RecallQuery(
        "", types=frozenset(types), session=session, person=person, since=since, until=until, as_of=as_of
    )
    uids = graph.engine.select(query)
    stamp = graph.engine.columns(uids).stamp
    ordered = uids[np.lexsort((uids, stamp))]
    return [node for node in graph.engine.nodes(ordered) if node is not None]


def store(graph: MemoryGraph, drafts: list[Draft]) -> list[RememberResult]:
    """Store drafts in as few transactions as possible.

    Raises:
        AdapterError: one of them was refused.
    """
    results = graph.remember_many(drafts)
    for draft, result in zip(drafts, results, strict=True):
        if result.verdict == "refused":
            raise AdapterError(f"The memory refused {draft.id or draft.text[:60]!r}: {result.reason}")
    return results


def put(graph: MemoryGraph, draft: Draft) -> Node:
    """Store a draft under its id, or bring the node that has this id up to date with it.

    Raises:
        AdapterError: the draft has no id, or was refused.
    """
    if draft.id is None:
        raise AdapterError("Only a draft with an id can be put.")
    present = graph.get(draft.id)
    if present is None:
        store(graph, [draft])
    else:
        changes: dict[str, object] = {}
        for name in ("text", "tags", "meta"):
            if getattr(draft, name) != getattr(present, name):
                changes[name] = getattr(draft, name)
        if draft.stamp is not None and draft.stamp != present.stamp:
            changes["stamp"] = draft.stamp
        if changes:
            graph.update(draft.id, **changes)
        for link in draft.links:
            ends = (link.dst, draft.id) if link.incoming else (draft.id, link.dst)
            graph.link(*ends, link.type, link.weight, link.meta)
    node = graph.get(draft.id)
    if node is None:
        raise AdapterError(f"The memory {draft.id!r} was removed while it was being stored.")
    return node
