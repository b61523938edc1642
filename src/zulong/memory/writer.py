"""Group commit: many threads ask, one thread writes, one disk flush answers them all.

A lone write is committed at once. While commits follow each other, what arrives is gathered for
``commit_interval_s``, so that the number of flushes a second is bounded and the cost of one is shared.
"""

from __future__ import annotations

import logging
import queue
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any

import lmdb

from zulong.memory.errors import MemoryGraphError, StoreClosedError
from zulong.memory.transaction import Memory, Transaction

_LOG = logging.getLogger(__name__)
_MAX_WEIGHT = 4096

Operation = Callable[[Transaction], Any]
"""Validates first and raises MemoryGraphError before its first write, or writes completely."""


class Writer:
    """The only thread that changes a store. ``applied`` is called after each commit, before the answers."""

    def __init__(
        self,
        memory: Memory,
        clock: Callable[[], float],
        applied: Callable[[Transaction], None],
    ) -> None:
        self._memory = memory
        self._clock = clock
        self._applied = applied
        self._queue: queue.SimpleQueue[tuple[Any, Future[Any], int] | None] = queue.SimpleQueue()
        self._closed = threading.Event()
        self._submit_lock = threading.Lock()
        self.commits = 0
        self.operations = 0
        self._thread = threading.Thread(target=self._run, name="memory-writer", daemon=True)
        self._thread.start()

    def submit(self, operation: Operation, *, weight: int = 1, removal: bool = False) -> Future[Any]:
        """Queue an operation; the future completes once it is durable. ``weight`` is its size in records.

        A ``removal`` gets a transaction of its own, which may go a little beyond the store's size limit.

        Raises:
            StoreClosedError: the writer has been closed.
        """
        return self._enqueue(_Removal(operation) if removal else operation, weight)

    def alone(self, work: Callable[[], Any]) -> Future[Any]:
        """Run ``work`` on the writer's thread between two commits, with no transaction open."""
        return self._enqueue(_Alone(work), 1)

    def _enqueue(self, item: Any, weight: int) -> Future[Any]:
        future: Future[Any] = Future()
        with self._submit_lock:
            if self._closed.is_set():
                raise StoreClosedError("The memory store is closed; open it again.")
            self._queue.put((item, future, weight))
        return future

    @property
    def closed(self) -> bool:
        """True once :meth:`close` was called."""
        return self._closed.is_set()

    def close(self, timeout_s: float = 30.0) -> None:
        """Commit what is queued and stop; later submissions raise StoreClosedError."""
        with self._submit_lock:
            if self._closed.is_set():
                return
            self._closed.set()
            self._queue.put(None)
        self._thread.join(timeout_s)
        if self._thread.is_alive():
            raise MemoryGraphError(f"The memory's writer did not finish within {timeout_s:.0f} s.")

    # -- the writer's thread ----------------------------------------------------------------------------

    def _run(self) -> None:
        try:
            self._write_until_closed()
        except BaseException as error:
            _LOG.exception(
                "The memory's writer ended; nothing more can be stored until the store is opened again."
            )
            self._refuse_the_rest(error)

    def _refuse_the_rest(self, cause: BaseException) -> None:
        with self._submit_lock:
            self._closed.set()
        while True:
            try:
                item = self._queue.get_nowait()
            except queue.Empty:
                return
            if item is not None and item[1].set_running_or_notify_cancel():
                item[1].set_exception(
                    StoreClosedError(f"The memory's writer ended ({cause!r}); open the store again.")
                )

    def _write_until_closed(self) -> None:
        interval = self._memory.config.storage.commit_interval_s
        last_commit = -interval
        while True:
            first = self._queue.get()
            if first is None:
                return
            batch, stop = [first], False
            weight = first[2]
            until = last_commit + interval
            while weight < _MAX_WEIGHT:
                wait = until - time.monotonic()
                try:
                    item = self._queue.get(timeout=wait) if wait > 0 else self._queue.get_nowait()
                except queue.Empty:
                    break
                if item is None:
                    stop = True
                    break
                batch.append(item)
                weight += item[2]
            self._serve(batch)
            last_commit = time.monotonic()
            if stop:
                return

    def _serve(self, batch: list[tuple[Any, Future[Any], int]]) -> None:
        pending: list[tuple[Operation, Future[Any]]] = []
        for item, future, _ in batch:
            if not future.set_running_or_notify_cancel():
                continue
            if isinstance(item, _Alone):
                self._commit(pending)
                pending = []
                _settle(future, item.work)
            elif isinstance(item, _Removal):
                self._commit(pending)
                pending = []
                self._commit([(item.operation, future)], reserve=True)
            else:
                pending.append((item, future))
        self._commit(pending)

    def _commit(self, batch: list[tuple[Operation, Future[Any]]], *, reserve: bool = False) -> None:
        if not batch:
            return
        try:
            tx, outcomes = self._attempt([operation for operation, _ in batch], reserve)
        except BaseException as error:  # every caller must get an answer, whatever happened
            if len(batch) == 1 or isinstance(error, MemoryGraphError):
                for _, future in batch:
                    future.set_exception(error)
                if not isinstance(error, (MemoryGraphError, Exception)):
                    raise
                return
            for single in batch:  # find the one that failed; the others are not to suffer for it
                self._commit([single])
            return
        try:
            self._applied(tx)
        except Exception:
            _LOG.exception("The memory could not show a durable write to its readers.")
        self.commits += 1
        self.operations += len(batch)
        for (_, future), (failed, value) in zip(batch, outcomes, strict=True):
            if failed:
                future.set_exception(value)
            else:
                future.set_result(value)

    def _attempt(
        self, operations: list[Operation], reserve: bool
    ) -> tuple[Transaction, list[tuple[bool, Any]]]:
        def body(txn: lmdb.Transaction) -> tuple[Transaction, list[tuple[bool, Any]]]:
            tx = Transaction(self._memory, txn, self._clock())
            outcomes: list[tuple[bool, Any]] = []
            for operation in operations:
                try:
                    outcomes.append((False, operation(tx)))
                except MemoryGraphError as error:
                    outcomes.append((True, error))
            tx.finish()
            return tx, outcomes

        result: tuple[Transaction, list[tuple[bool, Any]]] = self._memory.store.write(body, reserve=reserve)
        return result


class _Alone:
    """Marks work that needs the writer's thread but no transaction."""

    __slots__ = ("work",)

    def __init__(self, work: Callable[[], Any]) -> None:
        self.work = work


class _Removal:
    """Marks an operation that only takes away."""

    __slots__ = ("operation",)

    def __init__(self, operation: Operation) -> None:
        self.operation = operation


def _settle(future: Future[Any], work: Callable[[], Any]) -> None:
    try:
        future.set_result(work())
    except Exception as error:
        future.set_exception(error)
