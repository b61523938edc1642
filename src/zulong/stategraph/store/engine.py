"""What every store does with operations; a subclass keeps entries and nothing else."""

from __future__ import annotations

import asyncio
import threading
import time
from abc import abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timezone
from typing import Any

from zulong.stategraph.store.base import (
    BaseStore,
    GetOp,
    IndexConfig,
    Item,
    ListNamespacesOp,
    Namespace,
    Op,
    PutOp,
    Result,
    SearchItem,
    SearchOp,
    TTLConfig,
    validate_labels,
)
from zulong.stategraph.store.match import matches, passes
from zulong.stategraph.store.vectors import VectorIndex, nearest

Address = tuple[Namespace, str]
_MINUTE_S = 60.0


@dataclass(slots=True, frozen=True)
class Entry:
    """One stored value. Times are seconds since 1970 (UTC); `vectors` is float32 `[texts, dims]` or None."""

    value: dict[str, Any]
    created: float
    updated: float
    ttl_s: float | None
    expires: float | None
    vectors: Any = None

    def fresh(self, now: float) -> bool:
        """Whether the entry's time is not over."""
        return self.expires is None or now < self.expires


class EntryStore(BaseStore):
    """A store over entries. A subclass provides `_read`, `_scan`, `_namespaces` and `_apply`.

    `clock` gives seconds since 1970; entries outlive the process, so no steady clock can do.
    """

    supports_ttl = True
    __slots__ = ("_clock", "_sweeper", "index", "ttl_config")

    def __init__(
        self,
        *,
        index: IndexConfig | None = None,
        ttl: TTLConfig | None = None,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self.index = VectorIndex(index) if index else None
        self.ttl_config = ttl
        self._clock = clock
        self._sweeper: _Sweeper | None = None
        minutes = ttl.get("sweep_interval_minutes") if ttl else None
        if minutes:
            self._sweeper = _Sweeper(self.sweep, minutes * _MINUTE_S)

    # -- what a subclass keeps ----------------------------------------------------------------------

    @abstractmethod
    def _read(self, address: Address) -> Entry | None:
        """Return an entry, expired or not."""

    @abstractmethod
    def _scan(self, prefix: Namespace, *, vectors: bool = False) -> Iterable[tuple[Address, Entry]]:
        """Return the entries under a namespace prefix; with their vectors when these are asked for."""

    @abstractmethod
    def _namespaces(self) -> Iterable[Namespace]:
        """Return the namespaces that hold entries, at least each once."""

    @abstractmethod
    def _apply(self, changes: Mapping[Address, Callable[[Entry | None], Entry | None]]) -> None:
        """Change entries together: each function gets what is stored and returns what shall be (None: nothing)."""

    def _out(self, value: dict[str, Any]) -> dict[str, Any]:
        """Return a value that the caller may change; overridden where `_read` gives out what is kept."""
        return value

    # -- operations ---------------------------------------------------------------------------------

    def batch(self, ops: Iterable[Op]) -> list[Result]:
        """Run operations together; reads see the state before the batch's writes, of two writes the last stays.

        Raises:
            InvalidNamespaceError, ValueError: an operation is wrong; none was run.
            StorageError, SerializationError: nothing was written.
        """
        listed = _checked(ops)
        queries = (
            {op.query for op in listed if isinstance(op, SearchOp) and op.query} if self.index else set()
        )
        vectors = {query: self.index.embed_query(query) for query in queries} if self.index else {}
        puts, texts = self._texts(listed)
        embedded = self.index.embed(texts) if self.index and texts else None
        return self._run(listed, vectors, puts, embedded)

    async def abatch(self, ops: Iterable[Op]) -> list[Result]:
        """Asynchronous twin of `batch`."""
        listed = _checked(ops)
        queries = (
            {op.query for op in listed if isinstance(op, SearchOp) and op.query} if self.index else set()
        )
        vectors = {query: await self.index.aembed_query(query) for query in queries} if self.index else {}
        puts, texts = self._texts(listed)
        embedded = await self.index.aembed(texts) if self.index and texts else None
        return await self._arun(listed, vectors, puts, embedded)

    async def _arun(self, *args: Any) -> list[Result]:
        return self._run(*args)

    def sweep(self) -> int:
        """Remove the entries whose time is over; return how many."""
        now = self._clock()
        over = [address for address, entry in self._scan(()) if not entry.fresh(now)]
        gone = 0

        def drop(entry: Entry | None) -> Entry | None:
            nonlocal gone
            if entry is None or entry.fresh(now):
                return entry
            gone += 1
            return None

        if over:
            self._apply(dict.fromkeys(over, drop))
        return gone

    def close(self) -> None:
        """End the sweep in the background."""
        sweeper, self._sweeper = self._sweeper, None
        if sweeper is not None:
            sweeper.stop()

    def _texts(self, ops: Sequence[Op]) -> tuple[dict[Address, tuple[PutOp, slice]], list[str]]:
        """Return the last write to each address, and the texts to embed for all of them."""
        puts: dict[Address, tuple[PutOp, slice]] = {}
        texts: list[str] = []
        for address, op in {(tuple(op.namespace), op.key): op for op in ops if isinstance(op, PutOp)}.items():
            start = len(texts)
            if self.index is not None:
                texts.extend(self.index.texts(op))
            puts[address] = (op, slice(start, len(texts)))
        return puts, texts

    def _run(
        self,
        ops: Sequence[Op],
        queries: Mapping[str, Any],
        puts: Mapping[Address, tuple[PutOp, slice]],
        embedded: Any,
    ) -> list[Result]:
        now = self._clock()
        touched: set[Address] = set()
        results: list[Result] = []
        for op in ops:
            if isinstance(op, GetOp):
                results.append(self._get(op, now, touched))
            elif isinstance(op, SearchOp):
                results.append(self._search(op, now, queries, touched))
            elif isinstance(op, ListNamespacesOp):
                results.append(self._list(op))
            else:
                results.append(None)
        changes: dict[Address, Callable[[Entry | None], Entry | None]] = {
            address: _refresher(now) for address in touched
        }
        for address, (op, part) in puts.items():
            changes[address] = _writer(op, now, embedded[part] if embedded is not None else None)
        if changes:
            self._apply(changes)
        return results

    def _visible(self, entry: Entry, now: float) -> bool:
        return entry.fresh(now) or not (self.ttl_config or {}).get("omit_expired", True)

    def _get(self, op: GetOp, now: float, touched: set[Address]) -> Item | None:
        address = (tuple(op.namespace), op.key)
        entry = self._read(address)
        if entry is None or not self._visible(entry, now):
            return None
        if op.refresh_ttl and entry.ttl_s is not None:
            touched.add(address)
        return Item(
            value=self._out(entry.value),
            key=op.key,
            namespace=address[0],
            created_at=_moment(entry.created),
            updated_at=_moment(entry.updated),
        )

    def _search(
        self, op: SearchOp, now: float, queries: Mapping[str, Any], touched: set[Address]
    ) -> list[SearchItem]:
        query = queries.get(op.query) if op.query else None
        found: list[tuple[Address, Entry]] = []
        # Without a query the order is that of the scan, so it can end with the page.
        enough = op.offset + op.limit if query is None else None
        for address, entry in self._scan(tuple(op.namespace_prefix), vectors=query is not None):
            if enough is not None and len(found) >= enough:
                break
            if self._visible(entry, now) and passes(entry.value, op.filter):
                found.append((address, entry))
        ranked: list[tuple[float | None, int]] = [(None, i) for i in range(len(found))]
        if query is not None:
            vectors = {i: entry.vectors for i, (_, entry) in enumerate(found) if _has(entry.vectors, query)}
            # What has no vectors in this space cannot be ranked and comes last.
            ranked = [*nearest(query, vectors), *((None, i) for i in range(len(found)) if i not in vectors)]
        page = ranked[op.offset : op.offset + op.limit]
        items = []
        for score, i in page:
            address, entry = found[i]
            if op.refresh_ttl and entry.ttl_s is not None:
                touched.add(address)
            items.append(
                SearchItem(
                    *address, self._out(entry.value), _moment(entry.created), _moment(entry.updated), score
                )
            )
        return items

    def _list(self, op: ListNamespacesOp) -> list[Namespace]:
        found = {
            namespace[: op.max_depth] if op.max_depth is not None else namespace
            for namespace in self._namespaces()
            if all(matches(condition, namespace) for condition in op.match_conditions or ())
        }
        return sorted(found)[op.offset : op.offset + op.limit]

    def __enter__(self) -> EntryStore:
        return self

    def __exit__(self, *exc_info: object) -> None:
        self.close()


def _has(vectors: Any, query: Any) -> bool:
    return vectors is not None and len(vectors) > 0 and vectors.shape[1] == len(query)


def _moment(seconds: float) -> datetime:
    return datetime.fromtimestamp(seconds, timezone.utc)


def _refresher(now: float) -> Callable[[Entry | None], Entry | None]:
    def refresh(entry: Entry | None) -> Entry | None:
        if entry is None or entry.ttl_s is None or not entry.fresh(now):
            return entry
        return replace(entry, expires=now + entry.ttl_s)

    return refresh


def _writer(op: PutOp, now: float, vectors: Any) -> Callable[[Entry | None], Entry | None]:
    if op.value is None:
        return lambda _: None
    value = dict(op.value)
    ttl_s = None if op.ttl is None else op.ttl * _MINUTE_S
    expires = None if ttl_s is None else now + ttl_s

    def write(entry: Entry | None) -> Entry:
        created = entry.created if entry is not None and entry.fresh(now) else now
        return Entry(value, created, now, ttl_s, expires, vectors)

    return write


def _checked(ops: Iterable[Op]) -> list[Op]:
    listed = list(ops)
    for op in listed:
        if isinstance(op, GetOp | PutOp):
            validate_labels(op.namespace)
        elif isinstance(op, SearchOp):
            validate_labels(op.namespace_prefix)
            if op.limit < 0 or op.offset < 0:
                raise ValueError(f"limit={op.limit} and offset={op.offset} must not be negative.")
        elif isinstance(op, ListNamespacesOp):
            for condition in op.match_conditions or ():
                validate_labels(condition.path)
        else:
            raise ValueError(f"{type(op).__name__} is no operation of a store.")
    return listed


class _Sweeper:
    """Calls a function again and again in a thread of its own until it is stopped."""

    def __init__(self, sweep: Callable[[], int], interval_s: float) -> None:
        self._sweep = sweep
        self._interval_s = interval_s
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="store-sweep", daemon=True)
        self._thread.start()

    def _run(self) -> None:
        while not self._stop.wait(self._interval_s):
            self._sweep()

    def stop(self) -> None:
        self._stop.set()
        if self._thread is not threading.current_thread():
            self._thread.join(timeout=5.0)


async def off_loop(function: Callable[..., list[Result]], *args: Any) -> list[Result]:
    """Run a store's work beside the event loop, for stores that wait for a disk."""
    return await asyncio.to_thread(function, *args)
