"""The rows of checkpoints in a relational database; what differs between databases is in a `Dialect`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from zulong.stategraph.checkpoint.errors import StorageFormatError
from zulong.stategraph.checkpoint.row_table import Place, RowTable
from zulong.stategraph.checkpoint.rows import LAYOUT

_MANY = 500


@dataclass(slots=True, frozen=True)
class Dialect:
    """How one database spells what the table needs.

    `mark` stands for a parameter; `serial`, `blob` and `text` are column types (`text` compares bytewise).
    """

    mark: str
    serial: str
    blob: str
    text: str


class Cursor(Protocol):
    """The part of a DB-API cursor that is used."""

    def execute(self, query: Any, parameters: Sequence[Any] = ...) -> Any:
        """Run a statement."""
        ...

    def fetchone(self) -> Any:
        """Return the next row, or None."""
        ...

    def fetchall(self) -> Any:
        """Return all rows."""
        ...


def schema(dialect: Dialect) -> list[str]:
    """Return the statements that make the tables unless they are there."""
    serial, blob, text = dialect.serial, dialect.blob, dialect.text
    number = "BIGINT NOT NULL"
    return [
        f"CREATE TABLE IF NOT EXISTS zulong_layout (version {number})",
        f"CREATE TABLE IF NOT EXISTS zulong_threads (number {serial}, thread_id {text} NOT NULL UNIQUE)",
        f"CREATE TABLE IF NOT EXISTS zulong_namespaces (number {serial}, thread {number}, namespace {text} NOT NULL, "
        "UNIQUE (thread, namespace))",
        f"CREATE TABLE IF NOT EXISTS zulong_names (thread {number}, name {text} NOT NULL, namespace {number}, "
        f"checkpoint_id {text} NOT NULL, PRIMARY KEY (thread, name))",
        f"CREATE TABLE IF NOT EXISTS zulong_heads (thread {number}, namespace {number}, checkpoint_id {text} NOT NULL, "
        f"head {blob} NOT NULL, PRIMARY KEY (thread, namespace, checkpoint_id))",
        f"CREATE TABLE IF NOT EXISTS zulong_writes (thread {number}, namespace {number}, checkpoint_id {text} NOT NULL, "
        f"task_id {text} NOT NULL, task {blob} NOT NULL, PRIMARY KEY (thread, namespace, checkpoint_id, task_id))",
        f"CREATE TABLE IF NOT EXISTS zulong_data (thread {number}, row_id {blob} NOT NULL, content {blob} NOT NULL, "
        "PRIMARY KEY (thread, row_id))",
    ]


def initialise(cursor: Cursor, dialect: Dialect, where: str) -> None:
    """Make the tables, or check that an earlier version made them.

    Raises:
        StorageFormatError: a newer version did.
    """
    for statement in schema(dialect):
        cursor.execute(statement)
    cursor.execute("SELECT version FROM zulong_layout")
    row = cursor.fetchone()
    if row is None:
        cursor.execute(f"INSERT INTO zulong_layout (version) VALUES ({dialect.mark})", (LAYOUT,))  # noqa: S608
    elif row[0] > LAYOUT:
        raise StorageFormatError(
            f"{where} was written by a newer version (layout {row[0]}, this one knows {LAYOUT}); upgrade zulong."
        )


class SqlTable(RowTable):
    """The rows as one transaction of a database sees them."""

    def __init__(self, cursor: Cursor, dialect: Dialect) -> None:
        self._cursor = cursor
        self._dialect = dialect

    def _run(self, statement: str, *parameters: Any) -> None:
        self._cursor.execute(statement.replace("?", self._dialect.mark), parameters)

    def _one(self, statement: str, *parameters: Any) -> Any:
        self._run(statement, *parameters)
        row = self._cursor.fetchone()
        return None if row is None else row[0]

    def _all(self, statement: str, *parameters: Any) -> list[Any]:
        self._run(statement, *parameters)
        return list(self._cursor.fetchall())

    # -- threads, namespaces, names -----------------------------------------------------------------

    def find(self, thread_id: str, namespace: str) -> Place | None:
        rows = self._all(
            "SELECT s.thread, s.number FROM zulong_threads t JOIN zulong_namespaces s ON s.thread = t.number "
            "WHERE t.thread_id = ? AND s.namespace = ?",
            thread_id,
            namespace,
        )
        return Place(*rows[0]) if rows else None

    def find_thread(self, thread_id: str) -> int | None:
        number: int | None = self._one("SELECT number FROM zulong_threads WHERE thread_id = ?", thread_id)
        return number

    def make(self, thread_id: str, namespace: str) -> Place:
        place = self.find(thread_id, namespace)
        if place is None:
            self._run("INSERT INTO zulong_threads (thread_id) VALUES (?) ON CONFLICT DO NOTHING", thread_id)
            thread = self.find_thread(thread_id)
            if thread is None:
                raise StorageFormatError(f"Thread {thread_id!r} could not be made.")
            self._run(
                "INSERT INTO zulong_namespaces (thread, namespace) VALUES (?, ?) ON CONFLICT DO NOTHING",
                thread,
                namespace,
            )
            place = self.find(thread_id, namespace)
            if place is None:
                raise StorageFormatError(
                    f"Namespace {namespace!r} of thread {thread_id!r} could not be made."
                )
        self.lock(place)
        return place

    def threads(self) -> list[str]:
        return [row[0] for row in self._all("SELECT thread_id FROM zulong_threads ORDER BY thread_id")]

    def namespaces(self, thread: int) -> list[tuple[str, Place]]:
        rows = self._all(
            "SELECT namespace, number FROM zulong_namespaces WHERE thread = ? ORDER BY namespace", thread
        )
        return [(namespace, Place(thread, number)) for namespace, number in rows]

    def set_name(self, place: Place, checkpoint_id: str, name: str) -> None:
        self._run(
            "INSERT INTO zulong_names (thread, name, namespace, checkpoint_id) VALUES (?, ?, ?, ?) "
            "ON CONFLICT (thread, name) DO UPDATE SET namespace = excluded.namespace, "
            "checkpoint_id = excluded.checkpoint_id",
            place.thread,
            name,
            place.namespace,
            checkpoint_id,
        )

    def drop_name(self, thread: int, name: str) -> bool:
        known = (
            self._one("SELECT 1 FROM zulong_names WHERE thread = ? AND name = ?", thread, name) is not None
        )
        self._run("DELETE FROM zulong_names WHERE thread = ? AND name = ?", thread, name)
        return known

    def names(self, thread: int) -> list[tuple[str, int, str]]:
        rows = self._all("SELECT name, namespace, checkpoint_id FROM zulong_names WHERE thread = ?", thread)
        return [(name, namespace, checkpoint_id) for name, namespace, checkpoint_id in rows]

    # -- heads, writes, data ------------------------------------------------------------------------

    def head(self, place: Place, checkpoint_id: str) -> bytes | None:
        return _bytes(
            self._one(
                "SELECT head FROM zulong_heads WHERE thread = ? AND namespace = ? AND checkpoint_id = ?",
                *place,
                checkpoint_id,
            )
        )

    def heads(
        self, place: Place, *, before: str | None = None, limit: int | None = None
    ) -> Iterator[tuple[str, bytes]]:
        statement = "SELECT checkpoint_id, head FROM zulong_heads WHERE thread = ? AND namespace = ?"
        parameters: list[Any] = [*place]
        if before is not None:
            statement += " AND checkpoint_id < ?"
            parameters.append(before)
        statement += " ORDER BY checkpoint_id DESC"
        if limit is not None:
            statement += " LIMIT ?"
            parameters.append(limit)
        for checkpoint_id, head in self._all(statement, *parameters):
            yield checkpoint_id, bytes(head)

    def put_head(self, place: Place, checkpoint_id: str, row: bytes) -> None:
        self._run(
            "INSERT INTO zulong_heads (thread, namespace, checkpoint_id, head) VALUES (?, ?, ?, ?) "
            "ON CONFLICT (thread, namespace, checkpoint_id) DO UPDATE SET head = excluded.head",
            *place,
            checkpoint_id,
            row,
        )

    def writes(self, place: Place, checkpoint_id: str) -> list[bytes]:
        rows = self._all(
            "SELECT task FROM zulong_writes WHERE thread = ? AND namespace = ? AND checkpoint_id = ?",
            *place,
            checkpoint_id,
        )
        return [bytes(row[0]) for row in rows]

    def task_writes(self, place: Place, checkpoint_id: str, task_id: str) -> bytes | None:
        return _bytes(
            self._one(
                "SELECT task FROM zulong_writes WHERE thread = ? AND namespace = ? AND checkpoint_id = ? "
                "AND task_id = ?",
                *place,
                checkpoint_id,
                task_id,
            )
        )

    def put_task_writes(self, place: Place, checkpoint_id: str, task_id: str, row: bytes) -> None:
        self._run(
            "INSERT INTO zulong_writes (thread, namespace, checkpoint_id, task_id, task) VALUES (?, ?, ?, ?, ?) "
            "ON CONFLICT (thread, namespace, checkpoint_id, task_id) DO UPDATE SET task = excluded.task",
            *place,
            checkpoint_id,
            task_id,
            row,
        )

    def find_data(self, thread: int, row_id: bytes) -> bytes | None:
        return _bytes(
            self._one("SELECT content FROM zulong_data WHERE thread = ? AND row_id = ?", thread, row_id)
        )

    def put_data(self, thread: int, row_id: bytes, row: bytes) -> None:
        self._run(
            "INSERT INTO zulong_data (thread, row_id, content) VALUES (?, ?, ?) "
            "ON CONFLICT (thread, row_id) DO UPDATE SET content = excluded.content",
            thread,
            row_id,
            row,
        )

    # -- removing and copying -----------------------------------------------------------------------

    def delete_thread(self, thread_id: str) -> None:
        thread = self.find_thread(thread_id)
        if thread is None:
            return
        self.lock(Place(thread, 0))
        for table in ("heads", "writes", "data", "names", "namespaces"):
            self._run(f"DELETE FROM zulong_{table} WHERE thread = ?", thread)  # noqa: S608 - table names are ours
        self._run("DELETE FROM zulong_threads WHERE number = ?", thread)

    def delete_head(self, place: Place, checkpoint_id: str) -> None:
        for table in ("heads", "writes"):
            self._run(
                f"DELETE FROM zulong_{table} WHERE thread = ? AND namespace = ? AND checkpoint_id = ?",  # noqa: S608
                *place,
                checkpoint_id,
            )

    def delete_data(self, thread: int, row_ids: Iterable[bytes]) -> None:
        left = list(row_ids)
        while left:
            part, left = left[:_MANY], left[_MANY:]
            marks = ", ".join("?" for _ in part)
            self._run(f"DELETE FROM zulong_data WHERE thread = ? AND row_id IN ({marks})", thread, *part)  # noqa: S608

    def delete_namespace(self, place: Place, namespace: str) -> None:
        for table in ("heads", "writes"):
            self._run(f"DELETE FROM zulong_{table} WHERE thread = ? AND namespace = ?", *place)  # noqa: S608
        self._run("DELETE FROM zulong_namespaces WHERE number = ?", place.namespace)

    def copy_rows(self, source: int, target_id: str) -> None:
        for namespace, place in self.namespaces(source):
            target = self.make(target_id, namespace)
            self._run(
                "INSERT INTO zulong_heads (thread, namespace, checkpoint_id, head) "
                "SELECT CAST(? AS BIGINT), CAST(? AS BIGINT), checkpoint_id, head FROM zulong_heads "
                "WHERE thread = ? AND namespace = ?",
                *target,
                *place,
            )
            self._run(
                "INSERT INTO zulong_writes (thread, namespace, checkpoint_id, task_id, task) "
                "SELECT CAST(? AS BIGINT), CAST(? AS BIGINT), checkpoint_id, task_id, task FROM zulong_writes "
                "WHERE thread = ? AND namespace = ?",
                *target,
                *place,
            )
            self._run(
                "INSERT INTO zulong_names (thread, name, namespace, checkpoint_id) "
                "SELECT CAST(? AS BIGINT), name, CAST(? AS BIGINT), checkpoint_id FROM zulong_names "
                "WHERE thread = ? AND namespace = ?",
                *target,
                *place,
            )
        thread = self.find_thread(target_id)
        if thread is not None:
            self._run(
                "INSERT INTO zulong_data (thread, row_id, content) "
                "SELECT CAST(? AS BIGINT), row_id, content FROM zulong_data WHERE thread = ?",
                thread,
                source,
            )


def _bytes(value: Any) -> bytes | None:
    return None if value is None else bytes(value)
