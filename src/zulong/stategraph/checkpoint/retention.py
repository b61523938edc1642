"""Which checkpoints of one namespace a clean-up keeps."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass


@dataclass(slots=True, frozen=True)
class Outline:
    """What retention needs to know of one checkpoint."""

    checkpoint_id: str
    parent_id: str | None
    has_writes: bool
    named: bool


def kept_by_latest(outlines: Iterable[Outline], count: int) -> Collection[str]:
    """Return the ids that stay when the newest `count` are kept.

    Besides these stay named checkpoints, and the tips of branches on which writes wait: an answer to a
    question, or a finished sibling of a failed task, would otherwise be lost with a branch that someone
    means to resume.
    """
    rows = sorted(outlines, key=lambda row: row.checkpoint_id, reverse=True)
    parents = {row.parent_id for row in rows}
    kept = {row.checkpoint_id for row in rows[:count]}
    kept.update(
        row.checkpoint_id
        for row in rows
        if row.named or (row.has_writes and row.checkpoint_id not in parents)
    )
    return kept
