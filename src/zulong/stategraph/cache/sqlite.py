"""A cache in an SQLite file, shared by processes and kept over restarts."""

from __future__ import annotations

import asyncio
import json
import os
import sqlite3
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager

from zulong.stategraph.cache.base import BaseCache, FullKey, Namespace, ValueT
from zulong.stategraph.checkpoint.errors import (
    SerializationError,
    StorageBusyError,
    StorageClosedError,
    StorageError,
    StorageFormatError,
    StorageFullError,
    StorageReadOnlyError,
)
from zulong.stategraph.checkpoint.serde.base import SerializerProtocol

_BUSY_TIMEOUT_S = 5.0


class SqliteCache(BaseCache[ValueT]):
    """Keeps values in the file `path` (`":memory:"` for none). Safe to use from several threads.

    Raises:
        StorageError: the file cannot be opened, is no cache, is read-only, or the disk is full.
    """

    def __init__(self, *, path: str | os.PathLike[str], serde: SerializerProtocol | None = None) -> None:
        super().__init__(serde=serde)
        self.path = os.fspath(path)
        self._lock = threading.Lock()
        self._connection: sqlite3.Connection | None = None
        with self._told():
            connection = sqlite3.connect(self.path, timeout=_BUSY_TIMEOUT_S, check_same_thread=False)
            try:
                # A cache may lose its last entries in a power cut; it must not wait for the disk.
                connection.execute("PRAGMA journal_mode=WAL")
                connection.execute("PRAGMA synchronous=NORMAL")
                with connection:
                    connection.execute(
                        "CREATE TABLE IF NOT EXISTS entries (namespace TEXT NOT NULL, key TEXT NOT NULL, "
                        "expiry REAL, kind TEXT NOT NULL, value BLOB NOT NULL, PRIMARY KEY (namespace, key)) "
                        "WITHOUT ROWID"
                    )
                    connection.execute("DELETE FROM entries WHERE expiry <= ?", (time.time(),))
            except sqlite3.Error:
                connection.close()
                raise
            self._connection = connection

    def close(self) -> None:
        """Close the file; closing twice is no error."""
        with self._lock:
            if self._connection is not None:
                self._connection.close()
                self._connection = None

    def __enter__(self) -> SqliteCache[ValueT]:
        return self

    def __exit__(self, *exc_info: object) -> None:
        self.close()

    def __del__(self) -> None:
        connection = getattr(self, "_connection", None)
        if connection is not None:
            connection.close()

    def get(self, keys: Sequence[FullKey]) -> dict[FullKey, ValueT]:
        """Return the values of those keys that are there and fresh."""
        now = time.time()  # the file outlives the process, and with it any steady clock
        found: dict[FullKey, ValueT] = {}
        for namespace, key in keys:
            with self._cursor() as connection:
                row = connection.execute(
                    "SELECT kind, value FROM entries WHERE namespace = ? AND key = ? "
                    "AND (expiry IS NULL OR expiry > ?)",
                    (_text(namespace), key, now),
                ).fetchone()
            if row is None:
                continue
            try:
                found[(tuple(namespace), key)] = self.serde.loads_typed((row[0], row[1]))
            except SerializationError:
                continue  # written with types that are not registered here: a miss, computed anew
        return found

    def set(self, pairs: Mapping[FullKey, tuple[ValueT, int | None]]) -> None:
        """Store values, each with its time to live in seconds (None: for good), all or none."""
        now = time.time()
        rows = [
            (_text(namespace), key, None if ttl is None else now + ttl, *self.serde.dumps_typed(value))
            for (namespace, key), (value, ttl) in pairs.items()
        ]
        with self._cursor() as connection:
            connection.executemany("INSERT OR REPLACE INTO entries VALUES (?, ?, ?, ?, ?)", rows)
            connection.execute("DELETE FROM entries WHERE expiry <= ?", (now,))

    def clear(self, namespaces: Sequence[Namespace] | None = None) -> None:
        """Forget all values of these namespaces, or of all."""
        with self._cursor() as connection:
            if namespaces is None:
                connection.execute("DELETE FROM entries")
            else:
                gone = [(_text(namespace),) for namespace in namespaces]
                connection.executemany("DELETE FROM entries WHERE namespace = ?", gone)

    async def aget(self, keys: Sequence[FullKey]) -> dict[FullKey, ValueT]:
        """Asynchronous twin of `get`, off the event loop."""
        return await asyncio.to_thread(self.get, keys)

    async def aset(self, pairs: Mapping[FullKey, tuple[ValueT, int | None]]) -> None:
        """Asynchronous twin of `set`, off the event loop."""
        await asyncio.to_thread(self.set, pairs)

    async def aclear(self, namespaces: Sequence[Namespace] | None = None) -> None:
        """Asynchronous twin of `clear`, off the event loop."""
        await asyncio.to_thread(self.clear, namespaces)

    @contextmanager
    def _cursor(self) -> Iterator[sqlite3.Connection]:
        with self._told(), self._lock:
            if self._connection is None:
                raise StorageClosedError(f"The cache {self.path} is closed; open it again.")
            with self._connection as connection:
                yield connection

    @contextmanager
    def _told(self) -> Iterator[None]:
        """Turn an error of SQLite into one that says what to do."""
        try:
            yield
        except sqlite3.Error as error:
            raise _meaning(error, self.path) from error


def _text(namespace: Namespace) -> str:
    return json.dumps(list(namespace), ensure_ascii=False, separators=(",", ":"))


def _meaning(error: sqlite3.Error, path: str) -> StorageError:
    text = str(error)
    if "full" in text:
        return StorageFullError(f"The disk under the cache {path} is full; free space and try again.")
    if "locked" in text or "busy" in text:
        return StorageBusyError(
            f"Another process has been writing the cache {path} for more than {_BUSY_TIMEOUT_S:g} s; try again."
        )
    if "readonly" in text or "read-only" in text or "unable to open" in text:
        return StorageReadOnlyError(
            f"The cache {path} cannot be written; check that its folder exists and is writable."
        )
    if isinstance(error, sqlite3.DatabaseError) and ("not a database" in text or "malformed" in text):
        return StorageFormatError(
            f"The file {path} is no cache or is damaged; delete it, it only holds copies."
        )
    return StorageError(f"The cache {path} failed: {text}.")
