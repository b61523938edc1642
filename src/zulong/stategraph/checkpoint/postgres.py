"""Checkpoints in PostgreSQL: many robots, one history. Needs `pip install 'zulong[postgres]'`."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TypeVar

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
from zulong.stategraph.checkpoint.row_table import Place, RowTable
from zulong.stategraph.checkpoint.serde.base import SerializerProtocol
from zulong.stategraph.checkpoint.sql_table import Dialect, SqlTable, initialise

if TYPE_CHECKING:
    import psycopg

T = TypeVar("T")
_DIALECT = Dialect(
    mark="%s",
    serial="BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY",
    blob="BYTEA",
    text='TEXT COLLATE "C"',  # ids sort by their bytes whatever the server's language is
)
_SCHEMA_LOCK = (
    0x5A554C4F  # any number; taken while the tables are made, which is no atomic step in PostgreSQL
)
_THREAD_LOCK = 0x5A54
_CONNECT_S = 10
_STATEMENT_S = 30
_RETRIES = 3


class PostgresSaver(RowSaver):
    """Keeps checkpoints in the database that `conn_string` names (`postgresql://user@host/database`, or
    key=value pairs; a password belongs into PGPASSWORD or a pgpass file).

    A step is one transaction and is durable when the call returns. Writers of different threads do not
    wait for each other. A connection that the server dropped is opened again, and the call that met it is
    repeated unless its commit may have got through. `application_name` shows in `pg_stat_activity`.

    Raises:
        ImportError: psycopg is missing.
        StorageError: the database cannot be reached or used; the message says why.
    """

    def __init__(
        self,
        conn_string: str,
        *,
        serde: SerializerProtocol | None = None,
        keep_last: int | None = None,
        application_name: str = "zulong",
    ) -> None:
        super().__init__(serde=serde, keep_last=keep_last)
        self._psycopg = _driver()
        self._conn_string = conn_string
        self._application_name = application_name
        self._link = _Link()
        self._own_thread = OwnThread("postgres-saver")
        with self._link.lock:
            self._repeat(self._prepare)

    @classmethod
    @contextmanager
    def from_conn_string(cls, conn_string: str) -> Iterator[PostgresSaver]:
        """Open a saver and close it at the end of the block."""
        with cls(conn_string) as saver:
            yield saver

    def setup(self) -> None:
        """Make the tables. Opening a saver does it; the name is there for code that calls it."""

    def close(self) -> None:
        """Wait for calls under way and close the connection; closing twice is no error."""
        self._own_thread.close()
        with self._link.lock:
            self._link.closed = True
            self._drop()

    def _prepare(self) -> None:
        with self._connection().transaction(), self._cursor() as cursor:
            cursor.execute("SELECT pg_advisory_xact_lock(%s)", (_SCHEMA_LOCK,))
            initialise(cursor, _DIALECT, "The database")

    def _connection(self) -> psycopg.Connection[Any]:
        if self._link.closed:
            raise StorageClosedError("The PostgreSQL saver is closed; open a new one.")
        if self._link.connection is None or self._link.connection.closed:
            # Limits for every wait, unless the application set its own.
            limits = f"-c statement_timeout={_STATEMENT_S}s -c lock_timeout={_STATEMENT_S}s"
            given = self._psycopg.conninfo.conninfo_to_dict(self._conn_string)
            own = {"connect_timeout": _CONNECT_S, "application_name": self._application_name}
            options = f"{limits} {given.get('options') or ''}".strip()
            # autocommit, because transactions are opened by hand
            self._link.connection = self._psycopg.connect(
                **{**own, **given, "options": options}, autocommit=True
            )
        return self._link.connection

    def _cursor(self) -> psycopg.Cursor[Any]:
        return self._connection().cursor(binary=True)

    def _drop(self) -> None:
        connection, self._link.connection = self._link.connection, None
        if connection is not None:
            connection.close()

    @contextmanager
    def _read(self) -> Iterator[RowTable]:
        with self._link.lock:
            # The first statement finds a connection that died; nothing was read yet, so it is simply replaced.
            self._repeat(self._ping)
            try:
                with self._connection().transaction(), self._cursor() as cursor:
                    cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY")
                    yield _PostgresTable(cursor, _DIALECT)
            except self._psycopg.Error as error:
                raise self._meaning(error) from error

    def _ping(self) -> None:
        self._connection().execute("SELECT 1")

    def _write(self, work: Callable[[RowTable], T]) -> T:
        def transaction() -> T:
            with self._connection().transaction(), self._cursor() as cursor:
                return work(_PostgresTable(cursor, _DIALECT))

        with self._link.lock:
            return self._repeat(transaction)

    def _repeat(self, call: Callable[[], T]) -> T:
        """Run a call; again when a lost connection or a clash of transactions undid it.

        What is stored is stored under keys, so that repeating a call whose commit got through changes nothing.
        """
        pause_s = 0.05
        for attempt in range(_RETRIES):
            try:
                return call()
            except (
                self._psycopg.errors.SerializationFailure,
                self._psycopg.errors.DeadlockDetected,
                self._psycopg.OperationalError,
            ) as error:
                lost = self._link.connection is None or self._link.connection.closed
                clash = isinstance(
                    error, self._psycopg.errors.SerializationFailure | self._psycopg.errors.DeadlockDetected
                )
                if attempt + 1 == _RETRIES or not (clash or lost):
                    raise self._meaning(error) from error
                self._drop()
                time.sleep(pause_s)
                pause_s *= 4
            except self._psycopg.Error as error:
                raise self._meaning(error) from error
        raise AssertionError("unreachable: the last attempt returns or raises")

    def _meaning(self, error: Exception) -> StorageError:
        errors = self._psycopg.errors
        if isinstance(error, errors.DiskFull | errors.OutOfMemory):
            return StorageFullError("The database server has no room left; free space there and try again.")
        if isinstance(error, errors.ReadOnlySqlTransaction | errors.InsufficientPrivilege):
            return StorageReadOnlyError(
                f"The database user may not write here ({error}); grant it, or use the primary."
            )
        if isinstance(error, errors.LockNotAvailable | errors.QueryCanceled):
            return StorageBusyError(
                f"The database did not answer within {_STATEMENT_S} s; look for a blocking session."
            )
        if isinstance(error, self._psycopg.DataError):
            return StorageFormatError(f"The database refused the data: {error}")
        return StorageError(f"The database failed: {error}")


class _Link:
    """The one connection of a saver and of its views."""

    def __init__(self) -> None:
        self.lock = threading.RLock()
        self.connection: psycopg.Connection[Any] | None = None
        self.closed = False


class _PostgresTable(SqlTable):
    def lock(self, place: Place) -> None:
        # One transaction at a time writes a thread, so that writes of one task are joined, not lost.
        self._run("SELECT pg_advisory_xact_lock(?, ?)", _THREAD_LOCK, place.thread % 2**31)


def _driver() -> Any:
    try:
        import psycopg
    except ImportError as error:
        raise ImportError(
            "Checkpoints in PostgreSQL need psycopg: pip install 'zulong[postgres]'."
        ) from error
    return psycopg
