"""Statuses, the transitions between them, and how a parent's status follows from its children."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import Enum


class TaskStatus(str, Enum):
    """Where a task stands. The value is the wire form (messages, JSON)."""

    PENDING = "pending"
    IN_PROGRESS = "in_progress"
    COMPLETED = "completed"
    BLOCKED = "blocked"
    SKIPPED = "skipped"
    NEEDS_ADJUST = "needs_adjust"
    WAITING_INPUT = "waiting_input"

    def __str__(self) -> str:
        return self.value


PENDING = TaskStatus.PENDING
IN_PROGRESS = TaskStatus.IN_PROGRESS
COMPLETED = TaskStatus.COMPLETED
BLOCKED = TaskStatus.BLOCKED
SKIPPED = TaskStatus.SKIPPED
NEEDS_ADJUST = TaskStatus.NEEDS_ADJUST
WAITING_INPUT = TaskStatus.WAITING_INPUT

# A rollback may also return any status to pending; that way is `TaskGraph.rollback`, not a transition.
TRANSITIONS: Mapping[TaskStatus, frozenset[TaskStatus]] = {
    PENDING: frozenset({IN_PROGRESS, BLOCKED, SKIPPED}),
    IN_PROGRESS: frozenset({COMPLETED, BLOCKED, NEEDS_ADJUST, WAITING_INPUT}),
    BLOCKED: frozenset({PENDING, IN_PROGRESS, SKIPPED}),
    NEEDS_ADJUST: frozenset({PENDING, IN_PROGRESS}),
    WAITING_INPUT: frozenset({IN_PROGRESS}),
    COMPLETED: frozenset({NEEDS_ADJUST}),
    SKIPPED: frozenset(),
}

# How strongly the memory node that mirrors a task is activated when the task enters the status.
ACTIVATION: Mapping[TaskStatus, float] = {COMPLETED: 0.1, IN_PROGRESS: 0.9, BLOCKED: 0.5}

DEPTH_TYPES = ("requirement", "analysis", "outline", "task", "subtask", "micro_task")


def depth_to_type(depth: int) -> str:
    """Return the type of a node ``depth`` levels below its root (0 = root); from 6 on ``step_<depth>``."""
    if depth < 0:
        raise ValueError(f"depth must be >= 0, got {depth}.")
    return DEPTH_TYPES[depth] if depth < len(DEPTH_TYPES) else f"step_{depth}"


def aggregate_counts(total: int, counts: Mapping[TaskStatus, int]) -> TaskStatus:
    """Return a parent's status from how many of its ``total`` children (> 0) have each status.

    A child that waits for input counts as in progress: its parent is being worked on.
    """
    if counts[COMPLETED] + counts[SKIPPED] == total:
        return COMPLETED
    if counts[IN_PROGRESS] or counts[WAITING_INPUT]:
        return IN_PROGRESS
    if counts[BLOCKED]:
        return BLOCKED
    if counts[NEEDS_ADJUST]:
        return NEEDS_ADJUST
    if counts[COMPLETED]:
        return IN_PROGRESS
    return PENDING


def aggregate(children: Iterable[TaskStatus]) -> TaskStatus:
    """Return a parent's status from those of its children (pending when there are none)."""
    counts = dict.fromkeys(TaskStatus, 0)
    total = 0
    for status in children:
        counts[status] += 1
        total += 1
    return aggregate_counts(total, counts) if total else PENDING
