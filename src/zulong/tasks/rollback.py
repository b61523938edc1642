"""Rolling back: which leaves, in which order, and their compensations."""

from __future__ import annotations

from zulong.tasks.dead_ends import leaf_records
from zulong.tasks.record import Record
from zulong.tasks.status import BLOCKED, IN_PROGRESS, PENDING, WAITING_INPUT

_UNDER_WAY = (IN_PROGRESS, BLOCKED, WAITING_INPUT)


def rollback_records(top: Record, finishes: int) -> list[Record]:
    """Return what a rollback of ``top`` takes back: the last one finished comes first.

    That is every leaf at or below it that was begun, and every such leaf that depends on one of those. A leaf that
    another way took the place of stays skipped, unless it is ``top`` itself.

    Args:
        top: a leaf or a parent.
        finishes: how often a leaf of the graph was finished so far.
    """
    seen: dict[str, Record] = {}
    stack = list(leaf_records(top))
    while stack:
        record = stack.pop()
        if record.id in seen:
            continue
        seen[record.id] = record
        above: Record | None = record
        while above is not None:
            for dependent in above.dependents.values():
                stack.extend(leaf_records(dependent))
            above = above.parent
    touched = [r for r in seen.values() if _is_touched(r) and (r is top or r.cause != "replanned")]

    def when(record: Record) -> tuple[int, int]:
        # What is under way is the most recent work, so it is taken back before anything that was finished.
        under_way = record.own_status in _UNDER_WAY
        return (finishes + record.position if under_way else record.finish_order), record.position

    return sorted(touched, key=when, reverse=True)


def _is_touched(record: Record) -> bool:
    return record.own_status is not PENDING or record.has_effect


def was_begun(record: Record) -> bool:
    """Return whether a leaf may have done something since it was last rolled back."""
    return record.has_effect or record.started_at is not None
