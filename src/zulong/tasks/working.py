"""The working side of a task graph: its leaves go from status to status, and what follows from that happens."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Any

from zulong.tasks import events as ev
from zulong.tasks.dead_ends import chain, dead_end, leaf_records, to_skip, to_wake
from zulong.tasks.errors import InvalidTransitionError, NotExecutableError
from zulong.tasks.reading import TaskReading
from zulong.tasks.record import Record
from zulong.tasks.status import (
    BLOCKED,
    COMPLETED,
    IN_PROGRESS,
    NEEDS_ADJUST,
    PENDING,
    SKIPPED,
    TRANSITIONS,
    WAITING_INPUT,
    TaskStatus,
)
from zulong.tasks.turns import in_turn
from zulong.tasks.values import plain

# Why a leaf may be skipped by a call; "dependency" is the graph's own reason.
SKIP_CAUSES = ("requested", "condition", "replanned")


class TaskWorking(TaskReading):
    """The statuses of a :class:`~zulong.tasks.graph.TaskGraph`."""

    def command(self) -> AbstractContextManager[None]:
        """Make the changes of a ``with`` block one command: all or nothing, undone and told together."""
        return self._journal.command()

    @in_turn
    def start(self, node_id: str) -> None:
        """pending, blocked or needs_adjust -> in_progress; counts an attempt.

        Raises:
            NotExecutableError: a dependency of it or of an ancestor is not finished; they are named.
            InvalidTransitionError: the status does not allow it, or the node is a parent.
        """
        record = self._leaf(node_id)
        gates = record.open_gates() if record.own_status is not WAITING_INPUT else []
        if gates:
            raise NotExecutableError(f"{node_id!r} cannot start: it waits for {', '.join(map(repr, gates))}.")
        new: dict[str, Any] = {"permanent": False, "reason": ""}
        if record.own_status is not WAITING_INPUT:
            new |= {"attempts": record.attempts + 1, "started_at": self._journal.clock()}
        self._transition(record, IN_PROGRESS, new)

    @in_turn
    def complete(self, node_id: str, result: Any = None, *, reason: str = "") -> None:
        """in_progress -> completed, with what the work gave."""
        done = {"result": plain(result, "result"), "reason": reason, "has_effect": True}
        self._finish(self._leaf(node_id), COMPLETED, done)

    @in_turn
    def block(self, node_id: str, reason: str, *, permanent: bool = False) -> None:
        """pending or in_progress -> blocked.

        With ``permanent`` it is blocked for good and everything that depends on it is skipped; when it leaves
        the status again those skips are taken back. A blocked node may be made permanent later.
        """
        record = self._leaf(node_id)
        new = {"reason": reason, "permanent": permanent}
        if record.own_status is BLOCKED and permanent and not record.permanent:
            with self.command():
                self._emit_status(record, new)
            return
        self._transition(record, BLOCKED, new)

    @in_turn
    def skip(self, node_id: str, reason: str = "", *, cause: str = "requested") -> None:
        """pending or blocked -> skipped; what depends on it may start. On a parent: all such leaves below.

        Args:
            node_id: a leaf or a parent.
            reason: a sentence for people.
            cause: ``requested``, ``condition`` or ``replanned``.
        """
        if cause not in SKIP_CAUSES:
            raise ValueError(
                f"There is no cause {cause!r} to skip a task; use one of {', '.join(SKIP_CAUSES)}."
            )
        found = self._leaves_in(node_id, (PENDING, BLOCKED), "skip")
        new = {"reason": reason, "cause": cause, "permanent": False}
        with self.command():
            while found:
                for record in found:
                    if record.own_status in (PENDING, BLOCKED):
                        self._finish(record, SKIPPED, new)
                # Skipping one that was blocked for good may have woken others here that had waited for it.
                found = [r for r in leaf_records(self._fold.record(node_id)) if r.own_status is PENDING]

    @in_turn
    def wait_for_input(self, node_id: str, question: str) -> None:
        """in_progress -> waiting_input; :meth:`start` continues it without counting an attempt."""
        self._transition(self._leaf(node_id), WAITING_INPUT, {"reason": question})

    @in_turn
    def needs_adjust(self, node_id: str, reason: str) -> None:
        """in_progress or completed -> needs_adjust. On a parent: all such leaves below it."""
        with self.command():
            for record in self._leaves_in(node_id, (IN_PROGRESS, COMPLETED), "adjust"):
                self._transition(record, NEEDS_ADJUST, {"reason": reason, "finished_at": None})

    @in_turn
    def reopen(self, node_id: str, reason: str = "") -> None:
        """blocked or needs_adjust -> pending, to be tried again."""
        self._transition(self._leaf(node_id), PENDING, {"reason": reason, "permanent": False})

    @in_turn
    def mark_rolled_back(self, node_id: str) -> None:
        """Return one leaf to pending from any status, its effect undone by whoever calls this."""
        record = self._leaf(node_id)
        self._emit_status(
            record,
            {
                "status": PENDING.value,
                "permanent": False,
                "cause": "",
                "reason": "rolled back",
                "result": None,
                "has_effect": False,
                "started_at": None,
                "finished_at": None,
                "finish_order": 0,
            },
        )

    # -- what follows ----------------------------------------------------------------------------------------

    def _leaf(self, node_id: str) -> Record:
        record = self._fold.record(node_id)
        if record.children:
            raise InvalidTransitionError(
                f"The status of {node_id!r} follows from its children; change theirs: "
                f"{', '.join(record.children)}."
            )
        return record

    def _leaves_in(self, node_id: str, statuses: tuple[TaskStatus, ...], verb: str) -> list[Record]:
        found = [r for r in leaf_records(self._fold.record(node_id)) if r.own_status in statuses]
        if not found:
            raise InvalidTransitionError(
                f"Nothing to {verb} at {node_id!r} ({self.status(node_id)}): that takes a leaf which is "
                f"{' or '.join(statuses)}."
            )
        return found

    def _finish(self, record: Record, status: TaskStatus, new: dict[str, Any]) -> None:
        ended = {"finished_at": self._journal.clock(), "finish_order": self._fold.finishes + 1}
        self._transition(record, status, {**new, **ended})

    def _transition(self, record: Record, status: TaskStatus, new: dict[str, Any]) -> None:
        if status not in TRANSITIONS[record.own_status]:
            allowed = ", ".join(sorted(TRANSITIONS[record.own_status])) or "none; roll it back"
            raise InvalidTransitionError(
                f"{record.id!r} is {record.own_status} and cannot become {status}; allowed: {allowed}."
            )
        self._emit_status(record, {"status": status.value, **new})

    def _emit_status(self, record: Record, new: dict[str, Any]) -> None:
        """Record a leaf's new own state, with the skips of dependents that follow from it or end with it."""
        old: dict[str, Any] = {
            name: record.own_status.value if name == "status" else getattr(record, name) for name in new
        }
        will_be_dead = (
            new.get("permanent", record.permanent) or new.get("cause", record.cause) == "dependency"
        )
        data = {"id": record.id, "new": new, "old": old}
        with self.command():
            if will_be_dead == record.dead:
                self._journal.emit(ev.STATUS_CHANGED, data)
            else:
                with self._dead_ends_followed(record):
                    self._journal.emit(ev.STATUS_CHANGED, data)
            if record.own_status in (PENDING, BLOCKED) and not record.dead:
                self._skip_at_dead_end(record)

    @contextmanager
    def _dead_ends_followed(self, *changing: Record | None) -> Iterator[None]:
        """Skip what comes to wait for a dead node by the changes of the block, and wake what waits no more.

        Args:
            changing: nodes whose being dead, or whose ancestors' being dead, may change.
        """
        before = {node: node.dead for record in changing if record is not None for node in chain(record)}
        yield
        for node, was_dead in before.items():
            if node.dead and not was_dead:
                for leaf in to_skip(node):
                    self._skip_with(leaf, node)
        for node, was_dead in before.items():
            if was_dead and not node.dead:
                for leaf in to_wake(node):
                    self._wake(leaf)

    def _skip_at_dead_end(self, leaf: Record) -> None:
        dead = dead_end(leaf) if self._fold.dead_edges else None
        if dead is not None:
            self._skip_with(leaf, dead)

    def _follow_gates(self, top: Record) -> None:
        """Skip or wake the leaves at and below a node after the dependencies above them have changed."""
        for leaf in list(leaf_records(top)):
            if leaf.own_status in (PENDING, BLOCKED) and not leaf.dead:
                self._skip_at_dead_end(leaf)
            elif leaf.cause == "dependency" and dead_end(leaf) is None:
                self._wake(leaf)

    def _skip_with(self, leaf: Record, dead: Record) -> None:
        self._emit_status(
            leaf,
            {
                "status": SKIPPED.value,
                "cause": "dependency",
                "reason": f"{dead.id} is blocked for good",
                "permanent": False,
                "finished_at": self._journal.clock(),
                "finish_order": self._fold.finishes + 1,
            },
        )

    def _wake(self, leaf: Record) -> None:
        self._emit_status(
            leaf,
            {
                "status": PENDING.value,
                "cause": "",
                "reason": "",
                "finished_at": None,
                "finish_order": 0,
            },
        )
