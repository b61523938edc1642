"""The rows of checkpoints in LMDB.

Numbers are big-endian, so that keys sort as they should.

| table  | key                                             | value                                   |
|--------|-------------------------------------------------|-----------------------------------------|
| index  | `m`                                             | layout version, next free number        |
|        | `t` thread id                                   | thread number, thread id                |
|        | `s` thread number, namespace                    | namespace number, namespace             |
|        | `k` thread number, name                         | namespace number, checkpoint id, name   |
| steps  | thread number, namespace number, checkpoint id  | `Head`                                  |
|        | the same, NUL, task id                          | `TaskWrites`                            |
| data   | thread number, row id                           | a channel's value, or one `Segment`     |

What waits on a checkpoint stands right behind it and before the next one, so a superstep adds its rows to
one page, at the end: few pages to write are few pages to wait for.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from typing import Any

import msgpack

from zulong.stategraph.checkpoint.errors import StorageFormatError
from zulong.stategraph.checkpoint.lmdb_environment import LmdbEnvironment
from zulong.stategraph.checkpoint.row_table import Place, RowTable
from zulong.stategraph.checkpoint.rows import LAYOUT, TaskWrites

INDEX, STEPS, DATA = "checkpoint.index", "checkpoint.steps", "checkpoint.data"
_META_KEY = b"m"
_NUL = b"\0"  # in no checkpoint id, so it ends one
_MAX_TEXT = 200  # LMDB's keys have at most 511 bytes, and up to two texts stand in one


def initialise(env: LmdbEnvironment) -> None:
    """Make the tables, or check that an earlier version made them.

    Raises:
        StorageFormatError: a newer version did.
    """
    env.open_tables(INDEX, STEPS, DATA)
    with env.read() as txn:
        row = txn.get(_META_KEY, db=env.table(INDEX))
    if row is not None:
        layout = msgpack.unpackb(row)[0]
        if layout > LAYOUT:
            raise StorageFormatError(
                f"{env.path} was written by a newer version (layout {layout}, this one knows {LAYOUT}); upgrade zulong."
            )
    elif not env.readonly:
        fresh = msgpack.packb([LAYOUT, 1])
        env.write(lambda txn: txn.put(_META_KEY, fresh, db=env.table(INDEX), overwrite=False))


class LmdbTable(RowTable):
    """The rows as one LMDB transaction sees them."""

    def __init__(self, env: LmdbEnvironment, txn: Any) -> None:
        self._txn = txn
        self._index = env.table(INDEX)
        self._steps = env.table(STEPS)
        self._data = env.table(DATA)

    # -- threads, namespaces, names -----------------------------------------------------------------

    def find(self, thread_id: str, namespace: str) -> Place | None:
        thread = self.find_thread(thread_id)
        if thread is None:
            return None
        row = self._txn.get(b"s" + _number(thread) + _text_key(namespace), db=self._index)
        return None if row is None else Place(thread, int.from_bytes(row[:4], "big"))

    def find_thread(self, thread_id: str) -> int | None:
        row = self._txn.get(b"t" + _text_key(thread_id), db=self._index)
        return None if row is None else int.from_bytes(row[:4], "big")

    def make(self, thread_id: str, namespace: str) -> Place:
        thread = self._number_of(b"t" + _text_key(thread_id), thread_id)
        return Place(thread, self._number_of(b"s" + _number(thread) + _text_key(namespace), namespace))

    def _number_of(self, key: bytes, text: str) -> int:
        row = self._txn.get(key, db=self._index)
        if row is not None:
            return int.from_bytes(row[:4], "big")
        layout, free = msgpack.unpackb(self._txn.get(_META_KEY, db=self._index))
        self._txn.put(_META_KEY, msgpack.packb([layout, free + 1]), db=self._index)
        self._txn.put(key, _number(free) + text.encode("utf-8", "surrogatepass"), db=self._index)
        return int(free)

    def threads(self) -> list[str]:
        return [text for _, text in self._numbered(b"t")]

    def namespaces(self, thread: int) -> list[tuple[str, Place]]:
        return [(text, Place(thread, value)) for value, text in self._numbered(b"s" + _number(thread))]

    def _numbered(self, prefix: bytes) -> list[tuple[int, str]]:
        return [
            (int.from_bytes(row[:4], "big"), row[4:].decode("utf-8", "surrogatepass"))
            for _, row in self._range(self._index, prefix)
        ]

    def set_name(self, place: Place, checkpoint_id: str, name: str) -> None:
        row = msgpack.packb([place.namespace, checkpoint_id, name])
        self._txn.put(b"k" + _number(place.thread) + _text_key(name), row, db=self._index)

    def drop_name(self, thread: int, name: str) -> bool:
        return bool(self._txn.delete(b"k" + _number(thread) + _text_key(name), db=self._index))

    def names(self, thread: int) -> list[tuple[str, int, str]]:
        rows = (msgpack.unpackb(row) for _, row in self._range(self._index, b"k" + _number(thread)))
        return [(name, namespace, checkpoint_id) for namespace, checkpoint_id, name in rows]

    # -- heads, writes, data ------------------------------------------------------------------------

    def head(self, place: Place, checkpoint_id: str) -> bytes | None:
        row: bytes | None = self._txn.get(_prefix(place) + _sortable_key(checkpoint_id), db=self._steps)
        return row

    def heads(
        self, place: Place, *, before: str | None = None, limit: int | None = None
    ) -> Iterator[tuple[str, bytes]]:
        prefix = _prefix(place)
        start = len(prefix)
        with self._txn.cursor(self._steps) as cursor:
            end = _after(prefix) if before is None else prefix + _sortable_key(before)
            found = cursor.prev() if cursor.set_range(end) else cursor.last()
            left = -1 if limit is None else limit
            while found and left != 0:
                key = cursor.key()
                if not key.startswith(prefix):
                    return
                nul = key.find(_NUL, start)
                if nul >= 0:
                    # Writes: jump over all of them to their checkpoint, which may not be stored yet.
                    key = key[:nul]
                    if not cursor.set_key(key):
                        found = cursor.prev() if cursor.set_range(key) else cursor.last()
                        continue
                yield key[start:].decode("utf-8", "surrogatepass"), cursor.value()
                left -= 1
                found = cursor.prev()

    def put_head(self, place: Place, checkpoint_id: str, row: bytes) -> None:
        self._append(self._steps, _prefix(place) + _sortable_key(checkpoint_id), row)

    def writes(self, place: Place, checkpoint_id: str) -> list[bytes]:
        prefix = _prefix(place) + _sortable_key(checkpoint_id) + _NUL
        return [row for _, row in self._range(self._steps, prefix)]

    def task_writes(self, place: Place, checkpoint_id: str, task_id: str) -> bytes | None:
        key = _prefix(place) + _sortable_key(checkpoint_id) + _NUL + _text_key(task_id)
        row: bytes | None = self._txn.get(key, db=self._steps)
        return row

    def put_task_writes(self, place: Place, checkpoint_id: str, task_id: str, row: bytes) -> None:
        key = _prefix(place) + _sortable_key(checkpoint_id) + _NUL + _text_key(task_id)
        self._append(self._steps, key, row)

    def add_writes(self, place: Place, checkpoint_id: str, writes: TaskWrites) -> None:
        key = _prefix(place) + _sortable_key(checkpoint_id) + _NUL + _text_key(writes.task_id)
        with self._txn.cursor(self._steps) as cursor:
            if not cursor.last() or cursor.key() < key:
                cursor.put(key, writes.pack(), append=True)  # the usual case, without a look for earlier ones
                return
        super().add_writes(place, checkpoint_id, writes)

    def find_data(self, thread: int, row_id: bytes) -> bytes | None:
        row: bytes | None = self._txn.get(_number(thread) + row_id, db=self._data)
        return row

    def put_data(self, thread: int, row_id: bytes, row: bytes) -> None:
        self._append(self._data, _number(thread) + row_id, row)

    # -- removing and copying -----------------------------------------------------------------------

    def delete_thread(self, thread_id: str) -> None:
        thread = self.find_thread(thread_id)
        if thread is None:
            return
        prefix = _number(thread)
        for table in (self._steps, self._data):
            self._delete_range(table, prefix)
        for kind in (b"s", b"k"):
            self._delete_range(self._index, kind + prefix)
        self._txn.delete(b"t" + _text_key(thread_id), db=self._index)

    def delete_head(self, place: Place, checkpoint_id: str) -> None:
        key = _prefix(place) + _sortable_key(checkpoint_id)
        self._txn.delete(key, db=self._steps)
        self._delete_range(self._steps, key + _NUL)

    def delete_data(self, thread: int, row_ids: Iterable[bytes]) -> None:
        for row_id in row_ids:
            self._txn.delete(_number(thread) + row_id, db=self._data)

    def delete_namespace(self, place: Place, namespace: str) -> None:
        self._delete_range(self._steps, _prefix(place))
        self._txn.delete(b"s" + _number(place.thread) + _text_key(namespace), db=self._index)

    def copy_rows(self, source: int, target_id: str) -> None:
        target = self._number_of(b"t" + _text_key(target_id), target_id)
        namespaces = {
            place.namespace: self._number_of(b"s" + _number(target) + _text_key(text), text)
            for text, place in self.namespaces(source)
        }
        for key, row in list(self._range(self._steps, _number(source))):
            namespace = namespaces[int.from_bytes(key[4:8], "big")]
            self._append(self._steps, _number(target) + _number(namespace) + key[8:], row)
        for key, row in list(self._range(self._data, _number(source))):
            self._append(self._data, _number(target) + key[4:], row)
        for name, namespace, checkpoint_id in self.names(source):
            self.set_name(Place(target, namespaces[namespace]), checkpoint_id, name)

    # -- ranges -------------------------------------------------------------------------------------

    def _range(self, table: Any, prefix: bytes) -> Iterator[tuple[bytes, bytes]]:
        with self._txn.cursor(table) as cursor:
            found = cursor.set_range(prefix)
            while found and cursor.key().startswith(prefix):
                yield cursor.item()
                found = cursor.next()

    def _delete_range(self, table: Any, prefix: bytes) -> None:
        with self._txn.cursor(table) as cursor:
            found = cursor.set_range(prefix)
            while found and cursor.key().startswith(prefix):
                found = cursor.delete()  # moves to the next key

    def _append(self, table: Any, key: bytes, row: bytes) -> None:
        """Store a row; at the end of its table without splitting the last page in half."""
        with self._txn.cursor(table) as cursor:
            at_end = not cursor.last() or cursor.key() < key
            cursor.put(key, row, append=at_end)


def _number(value: int) -> bytes:
    return value.to_bytes(4, "big")


def _prefix(place: Place) -> bytes:
    return _number(place.thread) + _number(place.namespace)


def _after(prefix: bytes) -> bytes:
    """Return the first key behind all keys with this prefix (numbers never come near the last one)."""
    return (int.from_bytes(prefix, "big") + 1).to_bytes(len(prefix), "big")


def _text_key(text: str) -> bytes:
    """Return the part of a key that stands for a text; long texts are hashed (the row holds the text itself)."""
    raw = text.encode("utf-8", "surrogatepass")
    if len(raw) > _MAX_TEXT or b"\0" in raw:
        return b"\0#" + hashlib.sha256(raw).digest()
    return raw


def _sortable_key(checkpoint_id: str) -> bytes:
    raw = checkpoint_id.encode("utf-8", "surrogatepass")
    if len(raw) > _MAX_TEXT or b"\0" in raw:
        # Ids are looked up in their order, so they cannot be hashed.
        raise ValueError(
            f"Checkpoint id {checkpoint_id[:40]!r}... must have at most {_MAX_TEXT} bytes and no NUL."
        )
    return raw
