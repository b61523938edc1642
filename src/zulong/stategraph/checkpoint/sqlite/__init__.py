"""Checkpoints in an SQLite file: for places where one plain file is wanted. `LmdbSaver` is the faster default."""

from __future__ import annotations

import os
import sqlite3
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeVar

from zulong.stategraph.checkpoint.errors import (
    StorageBusyError,
    StorageClosedError,
    StorageError,
    StorageFormatError,
    StorageFullError,
    StorageReadOnlyError,
)
from zulong.stategraph.checkpoint.off_loop import OwnThread
from zulong.stategraph.checkpoint.row_saver import RowSaver
from zulong.stategraph.checkpoint.row_table import RowTable
from zulong.stategraph.checkpoint.serde.base import SerializerProtocol
from zulong.stategraph.checkpoint.sql_table import Dialect, SqlTable, initialise

T = TypeVar("T")
_BUSY_TIMEOUT_S = 10.0
_DIALECT = Dialect(mark="?", serial="INTEGER PRIMARY KEY AUTOINCREMENT", blob="BLOB", text="TEXT")


class SqliteSaver(RowSaver):
    """Keeps checkpoints over a connection to SQLite, durable when a call returns.

    Give a connection made with `check_same_thread=False` (it is used under a lock, in its own
    transactions, and closed with the saver), or use `from_conn_string` with a path or `":memory:"`.

    Raises:
        StorageError: the file cannot be used; the message says why.
    """

    def __init__(
        self,
        connection: sqlite3.Connection,
        *,
        serde: SerializerProtocol | None = None,
        keep_last: int | None = None,
    ) -> None:
        super().__init__(serde=serde, keep_last=keep_last)
        self._connection = connection
        self._lock = threading.RLock()
        self._closed = [False]  # shared by the views that with_allowlist makes
        self._own_thread = OwnThread("sqlite-saver")
        with _told():
            connection.isolation_level = None  # transactions are begun here, by hand
            connection.execute("PRAGMA journal_mode=WAL")
            connection.execute("PRAGMA synchronous=FULL")
            connection.execute(f"PRAGMA busy_timeout={int(_BUSY_TIMEOUT_S * 1000)}")
            with self._transaction("IMMEDIATE") as cursor:
                initialise(cursor, _DIALECT, "The SQLite file")

    @classmethod
    @contextmanager
    def from_conn_string(cls, conn_string: str | os.PathLike[str]) -> Iterator[SqliteSaver]:
        """Open a saver on a file (or `":memory:"`) and close it at the end of the block."""
        with _told():
            connection = sqlite3.connect(os.fspath(conn_string), check_same_thread=False)
        try:
            saver = cls(connection)
        except BaseException:
            connection.close()
            raise
        with saver:
            yield saver

    def close(self) -> None:
        """Wait for calls under way and close the connection; closing twice is no error."""
        self._own_thread.close()
        with self._lock:
            self._closed[0] = True
            self._connection.close()

    @contextmanager
    def _transaction(self, kind: str) -> Iterator[sqlite3.Cursor]:
        with self._lock, _told():
            if self._closed[0]:
                raise StorageClosedError("The SQLite saver is closed; open a new one.")
            cursor = self._connection.cursor()
            cursor.execute(f"BEGIN {kind}")
            try:
                yield cursor
                cursor.execute("COMMIT")
            except BaseException:
                if self._connection.in_transaction:
                    cursor.execute("ROLLBACK")
                raise

    @contextmanager
    def _read(self) -> Iterator[RowTable]:
        with self._transaction("DEFERRED") as cursor:
            yield SqlTable(cursor, _DIALECT)

    def _write(self, work: Callable[[RowTable], T]) -> T:
        with self._transaction("IMMEDIATE") as cursor:
            return work(SqlTable(cursor, _DIALECT))


@contextmanager
def _told() -> Iterator[None]:
    """Turn an error of SQLite into one that says what to do."""
    try:
        yield
    except sqlite3.Error as error:
        raise _meaning(error) from error


def _meaning(error: sqlite3.Error) -> StorageError:
    text = str(error)
    if "full" in text:
        return StorageFullError(
            "No room for the SQLite file; free space and try again. Nothing of this write was kept."
        )
    if "locked" in text or "busy" in text:
        return StorageBusyError(
            f"Another process has been writing the SQLite file for more than {_BUSY_TIMEOUT_S:g} s; try again."
        )
    if "readonly" in text or "unable to open" in text:
        return StorageReadOnlyError(
            "The SQLite file cannot be written; check that its folder exists and is writable."
        )
    if "not a database" in text or "malformed" in text:
        return StorageFormatError("The file is no SQLite database, or is damaged; restore it from a copy.")
    return StorageError(f"The SQLite file failed: {text}.")
