"""Kahn's tiers over the leaves, with what the tree implies: a parent's dependencies bind all below it."""

from __future__ import annotations

from collections.abc import Iterable

from zulong.tasks.order import Vertex
from zulong.tasks.record import Record
from zulong.tasks.status import COMPLETED, SKIPPED


def execution_tiers(records: Iterable[Record], *, open_only: bool = False) -> list[list[str]]:
    """Return the leaves in tiers, each tier depending on earlier ones only; costs nodes plus edges.

    Args:
        records: all nodes of a graph.
        open_only: leave completed and skipped leaves out; they hold nothing up.
    """
    leaf_of: dict[Vertex, Record] = {}
    waiting: dict[Vertex, int] = {}
    tier_of: dict[Vertex, int] = {}
    for record in records:
        moments: tuple[Vertex, Vertex] = (record.start, record.end)
        for vertex in moments:
            waiting[vertex] = sum(1 for _ in vertex.inward())
            tier_of[vertex] = 0
        if not record.children:
            leaf_of[record.start] = record
    free = [vertex for vertex, count in waiting.items() if count == 0]
    tiers: dict[int, list[Record]] = {}
    while free:
        vertex = free.pop()
        tier = tier_of[vertex]
        leaf = leaf_of.get(vertex)
        counted = leaf is not None and not (open_only and leaf.status in (COMPLETED, SKIPPED))
        if leaf is not None and counted:
            tiers.setdefault(tier, []).append(leaf)
        for after in vertex.outward():
            # Only passing through a leaf takes a tier; everything else costs no time of its own.
            step = 1 if counted and leaf is not None and after is leaf.end else 0
            tier_of[after] = max(tier_of[after], tier + step)
            waiting[after] -= 1
            if waiting[after] == 0:
                free.append(after)
    return [[r.id for r in sorted(tiers[tier], key=lambda r: r.position)] for tier in sorted(tiers)]
