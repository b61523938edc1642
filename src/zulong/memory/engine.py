"""The engine: the reading side plus the writer, and what retrieval and the door may write."""

from __future__ import annotations

import logging
import threading
from collections import deque
from collections.abc import Callable, Iterable
from concurrent.futures import Future, TimeoutError
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from zulong.memory import image, remembering, snapshot, vectorcode
from zulong.memory import records as rec
from zulong.memory.config import MemoryConfig
from zulong.memory.errors import (
    InvalidMemoryError,
    MemoryGraphError,
    StoreReadOnlyError,
    UnknownNodeError,
    WriteTimeoutError,
)
from zulong.memory.lockfile import FolderLock
from zulong.memory.model import EdgeType, Node
from zulong.memory.reader import Uids
from zulong.memory.reading import VECTOR_HEADER, Reading
from zulong.memory.store import Store
from zulong.memory.transaction import Transaction
from zulong.memory.writer import Operation, Writer

_LOG = logging.getLogger(__name__)
WRITE_TIMEOUT_S = 30.0
_BLOCK = 512
_QUEUED_BLOCKS = 32


class Engine(Reading):
    """One open store. Implements :class:`zulong.memory.reader.Store`."""

    def __init__(self, folder: Path, clock: Callable[[], float], config: MemoryConfig) -> None:
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise StoreReadOnlyError(
                f"The folder {folder} of the memory cannot be made ({error.strerror}); choose a writable one."
            ) from error
        self.folder = folder
        self._lock = FolderLock(folder)
        try:
            store = Store(folder, config.storage)
            super().__init__(image.load(store, config), clock)
            self.writer = Writer(self.memory, clock, self._applied)
        except BaseException:
            self._lock.release()
            raise
        self._snapshot_txn = -1
        self._merging = threading.Lock()
        self._merge_thread: threading.Thread | None = None

    @property
    def cache_dir(self) -> Path:
        """The folder of files that can be made again from the truth."""
        path = self.folder / "cache"
        path.mkdir(exist_ok=True)
        return path

    # -- life -------------------------------------------------------------------------------------------

    def close(self) -> None:
        """Commit what is queued, save the snapshot and release the store; harmless when called twice."""
        if not self.writer.closed:
            try:
                self.save_snapshot()
            except (OSError, MemoryGraphError) as error:  # a cache: without it the next open takes longer
                _LOG.warning("The topology snapshot of %s could not be written: %s", self.folder, error)
        self.writer.close()
        if self._merge_thread is not None:
            self._merge_thread.join(30.0)
        self.memory.store.close()
        self._lock.release()

    # -- writing ----------------------------------------------------------------------------------------

    def write(
        self,
        operation: Operation,
        *,
        weight: int = 1,
        removal: bool = False,
        timeout_s: float = WRITE_TIMEOUT_S,
    ) -> Any:
        """Run an operation and return its result once it is durable.

        Raises:
            WriteTimeoutError: it was not durable within ``timeout_s``.
        """
        return wait_for(self.writer.submit(operation, weight=weight, removal=removal), timeout_s)

    def _applied(self, tx: Transaction) -> None:
        image.apply(self.memory, tx)
        self._txn_id = tx.number
        listeners = self._listeners
        if listeners:
            added = [uid for uid in (*tx.added, *tx.revived) if uid not in tx.removed]
            changed = sorted(tx.changed - tx.added.keys())
            commit = self.commit_of(
                tx.number, np.array(added, np.int64), np.array(changed, np.int64), list(tx.removed.items())
            )
            for listener in listeners:
                try:
                    listener(commit)
                except Exception:  # one listener's trouble is not the next one's, nor the writer's
                    _LOG.exception("A listener of the memory failed on commit %d.", commit.txn_id)
        topology = self.memory.topology
        # A merge costs as much as there are edges: a share of them between two merges keeps that in proportion.
        if topology.overlay_size > max(
            self.memory.config.storage.overlay_edges, len(topology.view.base) // 16
        ):
            self._merge_in_background()

    def _merge_in_background(self) -> None:
        if not self._merging.acquire(blocking=False):
            return

        def merge() -> None:
            try:
                self.memory.topology.merge(self.memory.columns.count)
            finally:
                self._merging.release()

        self._merge_thread = threading.Thread(target=merge, name="memory-merge", daemon=True)
        self._merge_thread.start()

    def compact(self) -> int:
        """Rewrite the file without free pages, on the writer's thread; returns the bytes freed."""
        return int(wait_for(self.writer.alone(self.memory.store.compact), 10 * WRITE_TIMEOUT_S))

    def drop_snapshots(self) -> None:
        """Delete the topology snapshot; the next one is written by the persist stage or at close."""
        snapshot.path_in(self.folder).unlink(missing_ok=True)

    def save_snapshot(self) -> bool:
        """Write the topology snapshot if edges or nodes changed since the last; False if it was up to date."""
        taken = wait_for(self.writer.alone(lambda: snapshot.take(self.memory, self._txn_id)), WRITE_TIMEOUT_S)
        if taken.txn_id == self._snapshot_txn:
            return False
        snapshot.save(self.folder, self.memory.store.store_id, taken)
        self._snapshot_txn = taken.txn_id
        return True

    def put_vectors(self, uids: Uids, matrix: NDArray[np.float32], embedder: str) -> None:
        """Store vectors (rows L2-normalised) for nodes; nodes that are gone meanwhile are skipped.

        Raises:
            InvalidMemoryError: the matrix does not fit, or the embedder has no name.
        """
        if matrix.ndim != 2 or len(matrix) != len(uids) or not embedder:
            raise InvalidMemoryError(
                f"Vectors must be one row a node with an embedder's name, not {matrix.shape} for {len(uids)} nodes."
            )
        data = vectorcode.encode(np.asarray(matrix, np.float32))
        numbers = [int(uid) for uid in uids]

        def operation(tx: Transaction) -> None:
            table = tx.memory.store.table("vectors")
            header = tx.symbol(embedder).to_bytes(VECTOR_HEADER, "little")
            with tx.txn.cursor(db=table) as cursor:
                last = rec.UID.unpack(bytes(cursor.key()))[0] if cursor.last() else 0
            for uid, row in zip(numbers, data, strict=True):
                if tx.state(uid) is not None:
                    # Appended rows fill their pages; rows put in between leave them half empty.
                    tx.txn.put(rec.UID.pack(uid), header + row, db=table, append=uid > last)
                    last = max(last, uid)

        self.write(operation, weight=len(numbers))

    def link_many(self, edges: Iterable[tuple[str, str, EdgeType, float]]) -> int:
        """Create or strengthen edges, some hundred a transaction; returns how many joined live nodes.

        Raises:
            InvalidMemoryError: a weight is not above 0 and at most 1.
        """
        joined, waiting = 0, deque[Future[int]]()
        rest = iter(edges)
        while block := [
            (src, dst, EdgeType(type), remembering.check_weight(weight))
            for src, dst, type, weight in islice(rest, _BLOCK)
        ]:
            waiting.append(self.writer.submit(_link_block(block), weight=len(block)))
            if len(waiting) > _QUEUED_BLOCKS:  # millions of edges must not stand in the queue at once
                joined += int(wait_for(waiting.popleft(), WRITE_TIMEOUT_S))
        return joined + sum(int(wait_for(future, WRITE_TIMEOUT_S)) for future in waiting)

    def update(self, id: str, **changes: Any) -> Node:
        """Change text, tags, meta, importance, activation, stamp, place, valid_from or valid_to of a node.

        Raises:
            UnknownNodeError: there is no such node.
            InvalidMemoryError: a field is unknown or its value cannot be stored.
        """
        remembering.check_update(id, changes)
        uid = self.write(lambda tx: remembering.update(tx, id, changes))
        node = self.nodes([uid])[0]
        if node is None:
            raise UnknownNodeError(id)
        return node


def _link_block(edges: list[tuple[str, str, EdgeType, float]]) -> Operation:
    def operation(tx: Transaction) -> int:
        joined = 0
        for src_id, dst_id, type, weight in edges:
            src, dst = tx.uid(src_id), tx.uid(dst_id)
            if src is not None and dst is not None and src != dst:
                remembering.join(tx, src, dst, type, weight)
                joined += 1
        return joined

    return operation


def wait_for(future: Future[Any], timeout_s: float) -> Any:
    """Return a future's result.

    Raises:
        WriteTimeoutError: it did not complete in time.
    """
    try:
        return future.result(timeout_s)
    except TimeoutError as error:
        raise WriteTimeoutError(
            f"The memory did not make a write durable within {timeout_s:.0f} s; the disk may be stalled."
        ) from error
