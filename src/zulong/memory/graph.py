"""MemoryGraph: the front door of the memory engine."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from concurrent.futures import Future
from pathlib import Path
from types import TracebackType
from typing import Any

from zulong.memory import backup, erasure, exchange, journal, plasticity, remembering, statistics
from zulong.memory.config import MemoryConfig
from zulong.memory.engine import WRITE_TIMEOUT_S, Engine, wait_for
from zulong.memory.erasure import ForgetResult
from zulong.memory.errors import InvalidMemoryError, UnknownNodeError
from zulong.memory.exchange import Transferred
from zulong.memory.finding import open_door, open_retriever
from zulong.memory.journal import JournalEntry
from zulong.memory.lifecycle import Lifecycle
from zulong.memory.model import (
    Draft,
    Edge,
    EdgeType,
    Importance,
    Link,
    Node,
    NodeType,
    Place,
    RecallQuery,
    RecallResult,
    RememberResult,
)
from zulong.memory.reader import Admission, Door, Retriever
from zulong.memory.review import Reviewer, ReviewReport
from zulong.memory.statistics import MemoryStats
from zulong.memory.transaction import Transaction

_BLOCK = 512


class MemoryGraph:
    """A durable graph of memories; open it with :meth:`open`, use it from any thread.

    A write returns only once it is on disk. Recall never waits for a write.
    """

    def __init__(self, engine: Engine, retriever: Retriever, door: Door | None) -> None:
        self.engine = engine
        self.retriever = retriever
        self._door = door
        self._closed = False
        self.lifecycle = Lifecycle(engine, retriever)

    # -- life -------------------------------------------------------------------------------------------

    @classmethod
    def open(
        cls,
        path: str | Path,
        *,
        embedder: Any = None,
        clock: Callable[[], float] = time.time,
        config: MemoryConfig | None = None,
    ) -> MemoryGraph:
        """Open or create the store in the folder ``path``.

        Args:
            path: the store's own folder; made if it is not there.
            embedder: an :class:`zulong.embedding.Embedder`; None takes the offline default.
            clock: seconds since the epoch; the node's clock, or a test's.
            config: every adjustable number.

        Raises:
            StoreLockedError: another process has the store open.
            StoreReadOnlyError: the folder cannot be written.
            StoreDamagedError: the file is not a memory store.
            SchemaVersionError: a newer version wrote it.
        """
        config = config or MemoryConfig()
        engine = Engine(Path(path), clock, config)
        try:
            retriever = open_retriever(
                engine, embedder=embedder, cache_dir=engine.cache_dir, config=config.retrieval
            )
            door = open_door(engine, embedder=embedder, config=config.door)
            erasure.resume(engine, retriever)
        except BaseException:
            engine.close()
            raise
        return cls(engine, retriever, door)

    def close(self) -> None:
        """Write what is pending, save caches, release the store; harmless when called twice."""
        if self._closed:
            return
        self._closed = True
        self.lifecycle.stop()
        try:
            self.retriever.close()
        finally:
            self.engine.close()

    def __enter__(self) -> MemoryGraph:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __len__(self) -> int:
        return len(self.engine)

    # -- remembering ------------------------------------------------------------------------------------

    def remember(
        self,
        text: str,
        type: NodeType = NodeType.EPISODE,
        *,
        id: str | None = None,
        importance: Importance | None = None,
        tags: Sequence[str] = (),
        meta: Mapping[str, Any] | None = None,
        stamp: float | None = None,
        place: Place | None = None,
        robot: str = "",
        person: str = "",
        session: str = "",
        source_ids: Sequence[str] = (),
        links: Sequence[Link] = (),
        timeout_s: float = WRITE_TIMEOUT_S,
    ) -> RememberResult:
        """Store one memory; returns once it is durable.

        What the memory already knows is strengthened instead of stored twice; junk is refused with the
        reason. ``source_ids`` name the memories this one was derived from.

        Raises:
            InvalidMemoryError: something about it cannot be stored.
            UnknownNodeError: a link names a memory that is not there.
            StoreFullError: the disk is full; nothing was stored.
        """
        draft = Draft(
            text,
            NodeType(type),
            id,
            importance,
            tuple(tags),
            dict(meta or {}),
            stamp,
            place,
            robot,
            person,
            session,
            tuple(source_ids),
            tuple(links),
        )
        result: RememberResult = wait_for(self.remember_async(draft), timeout_s)
        return result

    def remember_async(self, draft: Draft) -> Future[RememberResult]:
        """Store one memory; the future completes once it is durable."""
        prepared = remembering.prepare(draft, self._inspect([draft])[0])
        return self.engine.writer.submit(lambda tx: remembering.remember(tx, prepared))

    def remember_many(
        self, drafts: Iterable[Draft], *, timeout_s: float = 10 * WRITE_TIMEOUT_S
    ) -> list[RememberResult]:
        """Store many memories, some hundred a transaction; a draft that cannot be stored is ``refused``."""
        wanted = list(drafts)
        futures: list[Future[list[RememberResult]]] = []
        for start in range(0, len(wanted), _BLOCK):
            block = wanted[start : start + _BLOCK]
            prepared: list[remembering.Prepared | RememberResult] = []
            for draft, admission in zip(block, self._inspect(block), strict=True):
                try:
                    prepared.append(remembering.prepare(draft, admission))
                except InvalidMemoryError as error:
                    prepared.append(RememberResult("", "refused", str(error)))
            futures.append(self.engine.writer.submit(_remember_block(prepared), weight=len(block)))
        return [result for future in futures for result in wait_for(future, timeout_s)]

    def _inspect(self, drafts: Sequence[Draft]) -> list[Admission | None]:
        if self._door is None:
            return [None] * len(drafts)
        return list(self._door.inspect(drafts))

    def link(
        self, src: str, dst: str, type: EdgeType, weight: float = 0.5, meta: Mapping[str, Any] | None = None
    ) -> Edge:
        """Join two memories; an edge of that type that is there keeps the greater weight and is reinforced.

        Raises:
            UnknownNodeError: one end is not there.
            InvalidMemoryError: the weight is not above 0 and at most 1, or both ends are one.
        """
        edge = self.engine.write(self._link_operation(src, dst, type, weight, meta))
        found = self.engine.edges([edge])
        if not found:
            raise UnknownNodeError(src)
        return found[0]

    def link_async(
        self, src: str, dst: str, type: EdgeType, weight: float = 0.5, meta: Mapping[str, Any] | None = None
    ) -> Future[Any]:
        """Join two memories; the future completes once it is durable."""
        return self.engine.writer.submit(self._link_operation(src, dst, type, weight, meta))

    def _link_operation(
        self, src: str, dst: str, type: EdgeType, weight: float, meta: Mapping[str, Any] | None
    ) -> Callable[[Transaction], tuple[int, int, int]]:
        weight, type = remembering.check_weight(weight), EdgeType(type)
        remembering.pack_meta(meta)
        if src == dst:
            raise InvalidMemoryError(f"A memory cannot be joined to itself ({src!r}).")

        def operation(tx: Transaction) -> tuple[int, int, int]:
            ends = tx.known_uid(src), tx.known_uid(dst)
            remembering.join(tx, *ends, type, weight, meta)
            return (*ends, int(type))

        return operation

    def update(self, id: str, **changes: Any) -> Node:
        """Change text, tags, meta, importance, activation, stamp, place, valid_from or valid_to of a memory.

        Raises:
            UnknownNodeError: there is no such memory.
            InvalidMemoryError: a field is unknown or its value cannot be stored.
        """
        return self.engine.update(id, **changes)

    def reinforce(self, ids: Sequence[str]) -> int:
        """Count one co-activation of these memories; returns how many edges became stronger or new.

        Each is touched; edges between them grow by Hebb's rule; a pair seen together for the third time is
        joined. Unknown ids are passed over.
        """
        wanted = list(ids)

        def operation(tx: Transaction) -> int:
            uids = [uid for uid in map(tx.uid, wanted) if uid is not None]
            return plasticity.reinforce(tx, uids)

        return int(self.engine.write(operation))

    # -- forgetting -------------------------------------------------------------------------------------

    def forget(
        self,
        *,
        person: str | None = None,
        ids: Collection[str] | None = None,
        permanent: bool | None = None,
        reason: str = "asked to",
    ) -> ForgetResult:
        """Remove everything about a person, or the memories with these ids; says what it removed.

        A person's data goes for good by default: text, vectors, summaries, index entries, journal, and the
        free pages of the file. Ids can be brought back by :meth:`undo` unless ``permanent``. Backups made
        before still hold what they held.

        Raises:
            InvalidMemoryError: neither or both of ``person`` and ``ids`` are given.
        """
        return erasure.forget(
            self.engine, self.retriever, person=person, ids=ids, permanent=permanent, reason=reason
        )

    def journal(self) -> list[JournalEntry]:
        """Return the acts of forgetting and review that can still be undone, oldest first."""
        store = self.engine.memory.store
        with store.reading() as txn:
            return journal.entries(txn, store)

    def review(self, limit: int = 16, reviewer: Reviewer | None = None) -> ReviewReport:
        """Review at most ``limit`` memories that are fading or alone.

        Args:
            reviewer: decides instead of the rules, for example with a model.
        """
        return self.lifecycle.review(limit, reviewer)

    def undo(self, journal_id: int) -> int:
        """Take back one act of forgetting or review; returns how many memories and edges are back.

        Raises:
            UndoError: the entry is unknown, too old, or its id has been used again.
        """
        return int(self.engine.write(lambda tx: journal.undo(tx, journal_id)))

    # -- moving house -----------------------------------------------------------------------------------

    def export(self, path: str | Path) -> Transferred:
        """Write the whole memory to ``path``: GraphML if it ends so, JSON lines otherwise.

        Raises:
            InvalidMemoryError: the file cannot be written there.
        """
        graphml = Path(path).suffix.lower() == ".graphml"
        try:
            return (exchange.export_graphml if graphml else exchange.export_jsonl)(self.engine, path)
        except OSError as error:
            raise InvalidMemoryError(
                f"The export cannot be written to {path} ({error.strerror}); choose a writable place."
            ) from error

    def import_from(self, path: str | Path) -> Transferred:
        """Add what an export holds; memories whose id is there already are left as they are.

        Raises:
            InvalidMemoryError: the file is not such an export; the place is named.
        """
        graphml = Path(path).suffix.lower() == ".graphml"
        try:
            return (exchange.import_graphml if graphml else exchange.import_jsonl)(self.engine, path)
        except OSError as error:
            raise InvalidMemoryError(f"The import {path} cannot be read ({error.strerror}).") from error
        except UnicodeDecodeError as error:
            raise InvalidMemoryError(f"The import {path} is no text in UTF-8, so it is no export.") from error

    def backup(self, folder: str | Path) -> Path:
        """Copy the store into ``folder`` as it is at one moment, while it is in use; see ``restore``.

        Raises:
            InvalidMemoryError: the folder is not empty or lies inside the store.
            StoreFullError: the target disk is full.
        """
        return backup.backup(self.engine, folder)

    # -- reading ----------------------------------------------------------------------------------------

    def get(self, id: str) -> Node | None:
        """Return the memory with this id, or None."""
        return self.engine.node(id)

    def stats(self) -> MemoryStats:
        """Return sizes and counters, for diagnostics and the dashboard."""
        return statistics.collect(self.engine, self.lifecycle)

    def edges_of(self, id: str, types: Collection[EdgeType] | None = None) -> list[Edge]:
        """Return the edges out of and into a memory that have not faded away."""
        return self.engine.neighbours(id, types)

    def recall(
        self,
        text: str,
        *,
        k: int = 10,
        types: Collection[NodeType] | None = None,
        since: float | None = None,
        until: float | None = None,
        near: Place | None = None,
        radius_m: float | None = None,
        person: str | None = None,
        robot: str | None = None,
        session: str | None = None,
        focus: Sequence[str] = (),
        as_of: float | None = None,
        hot_deadline_s: float = 0.05,
        cold_deadline_s: float = 0.2,
    ) -> RecallResult:
        """Find what the memory knows about ``text``.

        Args:
            k: at most so many hits.
            types, since, until, near, radius_m, person, robot, session: filters; times in seconds since the
                epoch (``since`` included, ``until`` not), distances in metres.
            focus: ids of what the conversation is about, for the focus path.
            as_of: what was valid at that moment; by default what is valid now.
            hot_deadline_s, cold_deadline_s: what is late is left out and named in ``late``.
        """
        query = RecallQuery(
            text,
            k,
            None if types is None else frozenset(NodeType(type) for type in types),
            since,
            until,
            near,
            radius_m,
            person,
            robot,
            session,
            tuple(focus),
            as_of,
            hot_deadline_s,
            cold_deadline_s,
        )
        found = self.retriever.recall(query)
        self.lifecycle.recalled([hit.node.uid for hit in found.hits])
        return found


def _remember_block(
    prepared: Sequence[remembering.Prepared | RememberResult],
) -> Callable[[Transaction], Any]:
    def operation(tx: Transaction) -> list[RememberResult]:
        results: list[RememberResult] = []
        for one in prepared:
            if isinstance(one, RememberResult):
                results.append(one)
                continue
            try:
                results.append(remembering.remember(tx, one))
            except UnknownNodeError as error:  # raised before the first write of this draft
                results.append(RememberResult("", "refused", str(error)))
        return results

    return operation
