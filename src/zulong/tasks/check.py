"""A look at saved events before they are applied: a damaged or forged history is refused, not half believed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from zulong.tasks import events as ev
from zulong.tasks.errors import DuplicateTaskError, SerializationError
from zulong.tasks.events import TaskEvent
from zulong.tasks.record import OWN_FIELDS, WORK_FIELDS, Record
from zulong.tasks.status import NEEDS_ADJUST, PENDING, TRANSITIONS, TaskStatus

if TYPE_CHECKING:
    from zulong.tasks.fold import Fold

_KINDS_OF_FIELDS: Mapping[str, tuple[type, ...]] = {
    "title": (str,),
    "skill": (str, type(None)),
    "arguments": (dict,),
    "condition": (dict, type(None)),
    "compensation": (dict, type(None)),
    "alternatives": (list,),
    "meta": (dict,),
    "permanent": (bool,),
    "cause": (str,),
    "reason": (str,),
    "attempts": (int,),
    "started_at": (int, float, type(None)),
    "finished_at": (int, float, type(None)),
    "finish_order": (int,),
    "status": (str,),
    "has_effect": (bool,),
    "result": (object,),
}


def check_event(fold: Fold, event: TaskEvent) -> None:
    """Look at an event against the state it comes upon.

    Raises:
        SerializationError: it has parts that no such event has.
        ValueError, KeyError: it does not fit the state.
    """
    data = event.data
    if event.kind in (ev.ARCHIVED, ev.UNARCHIVED):
        return
    if not isinstance(data.get("id"), str) or not data["id"]:
        raise SerializationError(f"Saved task event {event.seq} names no node: {repr(data)[:200]}.")
    if event.kind == ev.NODE_ADDED:
        _check_new_node(fold, event)
        return
    record = fold.record(data["id"])
    if event.kind == ev.STATUS_CHANGED:
        _check_status(record, event)
    elif event.kind == ev.NODE_UPDATED:
        _check_change(event, record, WORK_FIELDS)
    elif event.kind == ev.NODE_REMOVED:
        _check_removal(record, event)
    elif event.kind == ev.DEPENDENCY_ADDED:
        if data["on"] in record.dependencies:
            raise ValueError(f"{record.id!r} depends on {data['on']!r} already")
        if "at" in data and data["at"] not in range(len(record.dependencies) + 1):
            raise ValueError(f"{data['at']!r} is no place among the dependencies of {record.id!r}")
    elif event.kind == ev.DEPENDENCY_REMOVED:
        if "at" in data and dict(enumerate(record.dependencies)).get(data["at"]) != data["on"]:
            raise ValueError(f"{data['on']!r} is not dependency {data['at']!r} of {record.id!r}")
    elif event.kind == ev.NODE_MOVED:
        _check_place(record, data["old_parent"], data["old_position"])
        _check_position(event, data["position"])
        _check_free(fold, data["parent"], data["position"])


def _check_new_node(fold: Fold, event: TaskEvent) -> None:
    data = event.data
    if data["id"] in fold.records:
        raise DuplicateTaskError(f"{data['id']!r} is there already")
    if not isinstance(data["parent"], (str, type(None))) or "title" not in data:
        raise SerializationError(f"Saved task event {event.seq} adds no whole node: {repr(data)[:200]}.")
    _check_fields(event, {name: data[name] for name in WORK_FIELDS if name in data}, WORK_FIELDS)
    for name in ("position", "serial", "number"):
        if name in data:
            _check_position(event, data[name])
    if "position" in data:
        _check_free(fold, data["parent"], data["position"])


def _check_removal(record: Record, event: TaskEvent) -> None:
    """An undo adds the node as the event describes it, so that must be what it is."""
    data = event.data
    if record.children or record.dependencies or record.dependents or record.own_status is not PENDING:
        raise ValueError(f"{record.id!r} still has children, dependencies or a status")
    _check_place(record, data["parent"], data.get("position", record.position))
    untouched = Record(record.id, None, 0, record.start.slot, record.end.slot)
    for name in WORK_FIELDS:
        if not _same(data.get(name, getattr(untouched, name)), getattr(record, name)):
            raise ValueError(f"the {name} of {record.id!r} is another one")
    if data.get("serial", record.serial) != record.serial:
        raise ValueError(f"{record.id!r} has another place among the nodes")


def _check_status(record: Record, event: TaskEvent) -> None:
    _check_change(event, record, OWN_FIELDS)
    if record.children:
        raise ValueError(f"{record.id!r} has children; its status follows from them")
    status, before = TaskStatus(event.data["new"].get("status", record.own_status)), record.own_status
    # A rollback returns to pending from anywhere, and marks what it could not undo.
    allowed = TRANSITIONS[before] | {before, PENDING, NEEDS_ADJUST}
    if status not in allowed and not event.undoes:
        raise ValueError(f"{record.id!r} is {before} and cannot become {status}")


def _check_change(event: TaskEvent, record: Record, known: tuple[str, ...]) -> None:
    """The fields must exist, and what stood in them before must be what stands in them now."""
    new, old = event.data["new"], event.data["old"]
    _check_fields(event, new, known)
    _check_fields(event, old, known)
    if new.keys() != old.keys():
        raise ValueError("it does not say what stood there before")
    for name, value in old.items():
        present = record.own_status.value if name == "status" else getattr(record, name)
        if not _same(value, present):
            raise ValueError(f"the {name} of {record.id!r} is {repr(present)[:80]}, not {repr(value)[:80]}")


def _same(a: Any, b: Any) -> bool:
    # NaN is not equal to itself, but it is written the same. A task without alternatives has an empty tuple.
    return bool(a == b) or repr(a) == repr(b) or (a == [] and b == ()) or (a == () and b == [])


def _check_place(record: Record, parent: Any, position: Any) -> None:
    if parent != (record.parent.id if record.parent else None) or position != record.position:
        raise ValueError(f"{record.id!r} is not number {position!r} below {parent!r}")


def _check_fields(event: TaskEvent, fields: Any, known: tuple[str, ...]) -> None:
    if not isinstance(fields, dict):
        raise SerializationError(f"Saved task event {event.seq} ({event.kind}) has no fields.")
    for name, value in fields.items():
        if name not in known or not isinstance(value, _KINDS_OF_FIELDS[name]):
            raise SerializationError(
                f"Saved task event {event.seq} ({event.kind}) sets {name!r} to {repr(value)[:80]}, "
                f"which no task can have."
            )


def _check_position(event: TaskEvent, position: Any) -> None:
    if not isinstance(position, int) or isinstance(position, bool) or position < 1:
        raise SerializationError(
            f"Saved task event {event.seq} puts a node at {position!r}; a position is a number from 1 on."
        )


def _check_free(fold: Fold, parent: str | None, position: int) -> None:
    """Nobody else may be at a position among the children of a parent."""
    if position >= fold.next_position:
        return
    siblings = fold.roots if parent is None else fold.record(parent).children
    if any(record.position == position for record in siblings.values()):
        raise ValueError(f"position {position} below {parent!r} is taken")
