"""A store in LMDB: values that outlive the process, durable when `put` returns."""

from __future__ import annotations

import hashlib
import os
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgpack

from zulong.stategraph.checkpoint.errors import StorageClosedError, StorageFormatError
from zulong.stategraph.checkpoint.lmdb_environment import INITIAL_MAP_BYTES, LmdbEnvironment
from zulong.stategraph.checkpoint.rows import pack_typed, unpack_typed
from zulong.stategraph.checkpoint.serde.base import SerializerProtocol
from zulong.stategraph.checkpoint.serde.msgpack import MsgpackSerializer
from zulong.stategraph.store.base import (
    IndexConfig,
    InvalidNamespaceError,
    Namespace,
    PutOp,
    Result,
    TTLConfig,
)
from zulong.stategraph.store.engine import Address, Entry, EntryStore, off_loop

_ITEMS, _VECTORS = "store.items", "store.vectors"
_LABEL_END, _KEY_START = b"\x01", b"\x00"
_MAX_LABEL, _MAX_KEY = 60, 150
_MAX_NAMESPACE = 340
_PAGE = 256
_STORED = object()  # stands for vectors that stay as they are


class LmdbStore(EntryStore):
    """Keeps values in folder `path` (made if missing), which threads and processes may share.

    A row is keyed by the labels of its namespace and its key, so a search under a prefix reads that prefix
    only. Vectors lie beside the values with the name of the space they belong to; after a change of the
    embedder the old ones are not compared with new queries, and `reindex` makes them anew. See
    `EntryStore` for `index`, `ttl` and `clock`.

    Raises:
        StorageError: the folder cannot be used; the message says why.
    """

    __slots__ = ("_environment", "path", "serde")

    def __init__(
        self,
        path: str | os.PathLike[str],
        *,
        index: IndexConfig | None = None,
        ttl: TTLConfig | None = None,
        serde: SerializerProtocol | None = None,
        clock: Callable[[], float] = time.time,
        map_bytes: int = INITIAL_MAP_BYTES,
    ) -> None:
        self.path = Path(path)
        self.serde: SerializerProtocol = MsgpackSerializer() if serde is None else serde
        environment = LmdbEnvironment.open(path, map_bytes=map_bytes)
        self._environment: LmdbEnvironment | None = environment
        try:
            environment.open_tables(_ITEMS, _VECTORS)
            super().__init__(index=index, ttl=ttl, clock=clock)
        except BaseException:
            environment.close()
            raise

    def close(self) -> None:
        """End the sweep and close the folder; closing twice is no error."""
        super().close()
        environment, self._environment = self._environment, None
        if environment is not None:
            environment.close()

    def reindex(self) -> int:
        """Embed every value that has vectors of another space again; return how many."""
        if self.index is None:
            return 0
        done = 0
        for address, entry in self._scan((), vectors=True, any_space=True):
            if entry.vectors is None or entry.vectors[0] == self.index.space:
                continue
            texts = self.index.texts(PutOp(*address, entry.value))
            vectors = self.index.embed(texts) if texts else None
            self._apply({address: _with_vectors(entry.updated, vectors)})
            done += 1
        return done

    async def _arun(self, *args: Any) -> list[Result]:
        return await off_loop(self._run, *args)

    # -- entries ------------------------------------------------------------------------------------

    def _open(self) -> LmdbEnvironment:
        if self._environment is None:
            raise StorageClosedError(f"The store {self.path} is closed; open it again.")
        return self._environment

    def _read(self, address: Address) -> Entry | None:
        environment = self._open()
        with environment.read() as txn:
            row = txn.get(_key(address), db=environment.table(_ITEMS))
        return None if row is None else self._entry(row)[1]

    def _scan(
        self, prefix: Namespace, *, vectors: bool = False, any_space: bool = False
    ) -> Iterator[tuple[Address, Entry]]:
        start = _namespace_key(prefix)
        last: bytes | None = None
        while True:
            page = self._page(start, last, vectors)
            for _, row, vector_row in page:
                address, entry = self._entry(row)
                if vector_row is not None:
                    entry = _with(entry, self._vectors(vector_row, any_space))
                yield address, entry
            if len(page) < _PAGE:
                return
            last = page[-1][0]

    def _page(
        self, prefix: bytes, last: bytes | None, vectors: bool
    ) -> Sequence[tuple[bytes, bytes, bytes | None]]:
        environment = self._open()
        page: list[tuple[bytes, bytes, bytes | None]] = []
        with environment.read() as txn, txn.cursor(environment.table(_ITEMS)) as cursor:
            found = cursor.set_range(prefix if last is None else last)
            if found and last is not None and cursor.key() == last:
                found = cursor.next()
            while found and len(page) < _PAGE and cursor.key().startswith(prefix):
                key = cursor.key()
                vector_row = txn.get(key, db=environment.table(_VECTORS)) if vectors else None
                page.append((key, cursor.value(), vector_row))
                found = cursor.next()
        return page

    def _namespaces(self) -> Iterable[Namespace]:
        environment = self._open()
        found: list[Namespace] = []
        with environment.read() as txn, txn.cursor(environment.table(_ITEMS)) as cursor:
            more = cursor.first()
            while more:
                namespace = self._entry(cursor.value())[0][0]
                found.append(namespace)
                # The items of one namespace lie together, those of its children behind them.
                more = cursor.set_range(_namespace_key(namespace) + _LABEL_END)
        return found

    def _apply(self, changes: Mapping[Address, Callable[[Entry | None], Entry | None]]) -> None:
        environment = self._open()

        def work(txn: Any) -> None:
            items, vectors = environment.table(_ITEMS), environment.table(_VECTORS)
            for address, change in changes.items():
                key = _key(address)
                row = txn.get(key, db=items)
                old = None if row is None else _with(self._entry(row)[1], _STORED)
                entry = change(old)
                if entry is None:
                    txn.delete(key, db=items)
                    txn.delete(key, db=vectors)
                elif entry is not old:
                    txn.put(key, self._row(address, entry), db=items)
                    if entry.vectors is None:
                        txn.delete(key, db=vectors)
                    elif entry.vectors is not _STORED:
                        txn.put(key, self._vector_row(entry.vectors), db=vectors)

        environment.write(work)

    # -- rows ---------------------------------------------------------------------------------------

    def _row(self, address: Address, entry: Entry) -> bytes:
        value = pack_typed(self.serde.dumps_typed(entry.value))
        row: bytes = msgpack.packb(
            [*address, entry.created, entry.updated, entry.ttl_s, entry.expires, value],
            unicode_errors="surrogatepass",
        )
        return row

    def _entry(self, row: bytes) -> tuple[Address, Entry]:
        try:
            namespace, key, created, updated, ttl_s, expires, value = msgpack.unpackb(
                row, use_list=False, unicode_errors="surrogatepass"
            )
        except ValueError as error:
            raise StorageFormatError(f"A row of the store {self.path} is damaged: {error}.") from error
        entry = Entry(self.serde.loads_typed(unpack_typed(value)), created, updated, ttl_s, expires)
        return (tuple(namespace), key), entry

    def _vector_row(self, vectors: Any) -> bytes:
        space = self.index.space if self.index is not None else ""
        row: bytes = msgpack.packb([space, vectors.shape[1], vectors.astype("<f4").tobytes()])
        return row

    def _vectors(self, row: bytes, any_space: bool) -> Any:
        import numpy

        space, dims, raw = msgpack.unpackb(row)
        if any_space:
            return (space,)
        if self.index is None or space != self.index.space:
            return None
        return numpy.frombuffer(raw, dtype="<f4").reshape(-1, dims)


def _with(entry: Entry, vectors: Any) -> Entry:
    return Entry(entry.value, entry.created, entry.updated, entry.ttl_s, entry.expires, vectors)


def _with_vectors(updated: float, vectors: Any) -> Callable[[Entry | None], Entry | None]:
    """Change the vectors of an entry, unless it was written again in between."""

    def change(entry: Entry | None) -> Entry | None:
        return _with(entry, vectors) if entry is not None and entry.updated == updated else entry

    return change


def _namespace_key(namespace: Namespace) -> bytes:
    key = b"".join(_part(label, _MAX_LABEL) + _LABEL_END for label in namespace)
    if len(key) > _MAX_NAMESPACE:
        raise InvalidNamespaceError(
            f"Namespace {namespace[:3]}... is too long: its labels come to {len(key)} bytes, {_MAX_NAMESPACE} fit."
        )
    return key


def _key(address: Address) -> bytes:
    return _namespace_key(address[0]) + _KEY_START + _part(address[1], _MAX_KEY)


def _part(text: str, longest: int) -> bytes:
    """Return a text as part of a key; long ones, and those with control bytes, are hashed (the row holds them)."""
    raw = text.encode("utf-8", "surrogatepass")
    if len(raw) > longest or min(raw, default=2) < 2:
        return b"\x02" + hashlib.sha256(raw).digest()[:24].hex().encode()
    return raw
