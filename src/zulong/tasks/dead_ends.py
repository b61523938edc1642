"""What waits for a node that is blocked for good is skipped, and comes back when that node does."""

from __future__ import annotations

from collections.abc import Iterator

from zulong.tasks.record import Record
from zulong.tasks.status import BLOCKED, PENDING


def to_skip(dead: Record) -> Iterator[Record]:
    """Yield the leaves that depend on a dead node and have not been started."""
    for dependent in tuple(dead.dependents.values()):
        for leaf in tuple(leaf_records(dependent)):
            if leaf.own_status in (PENDING, BLOCKED) and not leaf.dead:
                yield leaf


def to_wake(revived: Record) -> Iterator[Record]:
    """Yield the leaves that were skipped because of a node that is dead no more and of no other."""
    for dependent in tuple(revived.dependents.values()):
        for leaf in tuple(leaf_records(dependent)):
            if leaf.cause == "dependency" and dead_end(leaf) is None:
                yield leaf


def chain(record: Record) -> list[Record]:
    """Return a node and its ancestors, nearest first."""
    found = [record]
    while (parent := found[-1].parent) is not None:
        found.append(parent)
    return found


def leaf_records(record: Record) -> Iterator[Record]:
    """Yield the leaves at and below a node in the order of the tree."""
    stack = [record]
    while stack:
        node = stack.pop()
        if node.children:
            stack.extend(reversed(node.children.values()))
        else:
            yield node


def dead_end(record: Record) -> Record | None:
    """Return a dead node that a node waits for, directly or through its ancestors."""
    return next((d for node in chain(record) for d in node.dependencies.values() if d.dead), None)
