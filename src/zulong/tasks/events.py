"""The changes of a task graph as data: what happened, what followed from it, and how to take it back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from zulong.tasks.errors import SerializationError
from zulong.tasks.status import ACTIVATION, TaskStatus
from zulong.tasks.values import copied, plain

NODE_ADDED = "node_added"
NODE_REMOVED = "node_removed"
NODE_MOVED = "node_moved"
DEPENDENCY_ADDED = "dependency_added"
DEPENDENCY_REMOVED = "dependency_removed"
STATUS_CHANGED = "status_changed"
NODE_UPDATED = "node_updated"
ARCHIVED = "archived"
UNARCHIVED = "unarchived"

KINDS = frozenset(
    {
        NODE_ADDED,
        NODE_REMOVED,
        NODE_MOVED,
        DEPENDENCY_ADDED,
        DEPENDENCY_REMOVED,
        STATUS_CHANGED,
        NODE_UPDATED,
        ARCHIVED,
        UNARCHIVED,
    }
)


@dataclass(slots=True, frozen=True)
class TaskEvent:
    """One recorded change.

    Attributes:
        seq: position in the history, from 1; the graph's version is the last one.
        command: the events of one call share this number; undo takes back whole commands.
        kind: one of :data:`KINDS`.
        stamp: seconds on the graph's clock.
        data: plain values; holds what was before as well, so that every event has an inverse.
        undoes: the command this event takes back, 0 for an ordinary change. To redo is to take an undo back.
    """

    seq: int
    command: int
    kind: str
    stamp: float
    data: Mapping[str, Any]
    undoes: int = 0

    def to_dict(self) -> dict[str, Any]:
        """Return plain data; :meth:`from_dict` reads it back."""
        plain: dict[str, Any] = {
            "seq": self.seq,
            "command": self.command,
            "kind": self.kind,
            "stamp": self.stamp,
            "data": copied(self.data),
        }
        if self.undoes:
            plain["undoes"] = self.undoes
        return plain

    @classmethod
    def from_dict(cls, saved: Mapping[str, Any]) -> TaskEvent:
        """Read what :meth:`to_dict` wrote.

        Raises:
            SerializationError: a part is missing or of the wrong kind.
        """
        try:
            event = cls(
                seq=int(saved["seq"]),
                command=int(saved["command"]),
                kind=str(saved["kind"]),
                stamp=float(saved["stamp"]),
                data=dict(plain(saved["data"], "data")),
                undoes=int(saved.get("undoes", 0)),
            )
        except (AttributeError, KeyError, TypeError, ValueError, OverflowError) as error:
            raise SerializationError(
                f"A saved task event is damaged ({error!r}): {repr(saved)[:200]}."
            ) from error
        if event.kind not in KINDS:
            raise SerializationError(
                f"Task event {event.seq} has the unknown kind {event.kind!r}; a newer version wrote it."
            )
        return event


@dataclass(slots=True, frozen=True)
class Effect:
    """What an event did to one node: itself, or a parent whose status follows from its children.

    ``before`` is None for a node that appeared, ``after`` is None for one that is gone.
    """

    node_id: str
    before: TaskStatus | None
    after: TaskStatus | None

    @property
    def activation(self) -> float | None:
        """The activation its memory node takes, None where the status says nothing about it."""
        return None if self.after is None else ACTIVATION.get(self.after)


@dataclass(slots=True, frozen=True)
class Change:
    """An event together with its effects, as listeners get it."""

    event: TaskEvent
    effects: tuple[Effect, ...] = field(default=())


def inverse(event: TaskEvent) -> tuple[str, dict[str, Any]]:
    """Return kind and data of the event that takes ``event`` back."""
    data = event.data
    if event.kind == NODE_ADDED:
        return NODE_REMOVED, dict(data)
    if event.kind == NODE_REMOVED:
        return NODE_ADDED, dict(data)
    if event.kind == DEPENDENCY_ADDED:
        return DEPENDENCY_REMOVED, dict(data)
    if event.kind == DEPENDENCY_REMOVED:
        return DEPENDENCY_ADDED, dict(data)
    if event.kind == NODE_MOVED:
        return NODE_MOVED, {
            "id": data["id"],
            "parent": data["old_parent"],
            "position": data["old_position"],
            "old_parent": data["parent"],
            "old_position": data["position"],
        }
    if event.kind == STATUS_CHANGED:
        return STATUS_CHANGED, {"id": data["id"], "new": data["old"], "old": data["new"]}
    if event.kind == NODE_UPDATED:
        return NODE_UPDATED, {"id": data["id"], "new": data["old"], "old": data["new"]}
    return (UNARCHIVED if event.kind == ARCHIVED else ARCHIVED), dict(data)
