"""The LMDB environment that is the only truth of a memory: tables, schema version, growth, errors.

Tables (key -> value):
    nodes    uid -> id, text, tags, meta, sources       states   uid -> fixed struct, see records
    ids      id -> uid                                  texts    hash of text, type, person -> uid
    edges    src, dst, type -> weight, times            edge_meta   the same key -> msgpack
    vectors  uid -> embedder, row (see vectorcode)               symbols  number -> text of robots, persons, sessions
    pairs    uid, uid -> co-activations counted         journal  number -> what was removed, for undo
    log      transaction -> what it changed             meta     schema, counters, identity
"""

from __future__ import annotations

import errno
import os
import resource
import threading
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import lmdb

from zulong.memory.config import StorageConfig
from zulong.memory.errors import (
    MemoryGraphError,
    SchemaVersionError,
    StoreClosedError,
    StoreDamagedError,
    StoreFullError,
    StoreReadOnlyError,
)

SCHEMA_VERSION = 3
TABLES = (
    "nodes",
    "states",
    "ids",
    "texts",
    "edges",
    "edge_meta",
    "vectors",
    "symbols",
    "pairs",
    "journal",
    "log",
    "meta",
)
_DATA_FILE = "data.mdb"


class Store:
    """The environment and its tables.

    Readers enter :meth:`reading`; the single writer thread enters :meth:`writing`. Compaction replaces the
    file under a gate that waits for both.
    """

    def __init__(self, folder: Path, config: StorageConfig) -> None:
        self.folder = folder
        self._config = config
        self._gate = threading.Condition()
        self._readers = 0
        self._closed_for_swap = False
        self._env: lmdb.Environment | None = None
        self._tables: dict[str, Any] = {}
        self._open()
        self._prepare_schema()

    # -- life -------------------------------------------------------------------------------------------

    def _open(self) -> None:
        path = self.folder / _DATA_FILE
        size = max(self._config.map_size, path.stat().st_size if path.exists() else 0)
        try:
            self._env = lmdb.open(
                str(self.folder),
                map_size=_round_up(size),
                max_dbs=len(TABLES) + 4,
                max_readers=256,
                metasync=True,
                sync=True,
                readahead=False,
            )
            self._tables = {name: self._env.open_db(name.encode()) for name in TABLES}
        except lmdb.Error as error:
            self.close()
            raise translate(error, self.folder) from error

    def _prepare_schema(self) -> None:
        from zulong.memory.migration import migrate

        with self.reading() as txn:
            raw = txn.get(b"schema", db=self._tables["meta"])
        version = int(raw) if raw is not None else 0
        if version > SCHEMA_VERSION:
            raise SchemaVersionError(
                f"The memory store {self.folder} has schema {version}, this version knows up to "
                f"{SCHEMA_VERSION}; install the newer ZULONG that wrote it."
            )
        if version == SCHEMA_VERSION:
            return

        def upgrade(txn: lmdb.Transaction) -> None:
            meta = self._tables["meta"]
            if version == 0:
                txn.put(b"store", uuid.uuid4().hex.encode(), db=meta)
            else:
                migrate(txn, self._tables, version)
            txn.put(b"schema", str(SCHEMA_VERSION).encode(), db=meta)

        self.write(upgrade)

    @property
    def store_id(self) -> str:
        """The identity given to this store when it was made; its caches carry it."""
        with self.reading() as txn:
            return (fetch(txn, self._tables["meta"], b"store") or b"").decode()

    def close(self) -> None:
        """Close the environment; later use raises StoreClosedError."""
        if self._env is not None:
            self._env.close()
            self._env = None

    @property
    def env(self) -> lmdb.Environment:
        """The open environment.

        Raises:
            StoreClosedError: it is closed.
        """
        if self._env is None:
            raise StoreClosedError(f"The memory store {self.folder} is closed; open it again.")
        return self._env

    def table(self, name: str) -> Any:
        """Return the handle of a table."""
        return self._tables[name]

    # -- transactions -----------------------------------------------------------------------------------

    @contextmanager
    def reading(self) -> Iterator[lmdb.Transaction]:
        """Enter a read transaction: one consistent state, whatever is written meanwhile."""
        with self._gate:
            while self._closed_for_swap:
                self._gate.wait(0.5)
            self._readers += 1
        try:
            with self.env.begin(buffers=False) as txn:
                yield txn
        except lmdb.Error as error:
            raise translate(error, self.folder) from error
        finally:
            with self._gate:
                self._readers -= 1
                if self._closed_for_swap:
                    self._gate.notify_all()

    def write(self, body: Callable[[lmdb.Transaction], Any], *, reserve: bool = False) -> Any:
        """Run ``body`` in one durable transaction; the map grows and ``body`` runs again if it was too small.

        ``reserve`` lets the map grow a little beyond ``max_map_size``: a removal needs pages before it can
        give any back, and a full store must still be able to forget.

        Raises:
            StoreFullError: the disk or ``max_map_size`` is full; nothing was stored.
            StoreReadOnlyError: the folder cannot be written.
        """
        while True:
            try:
                with self.env.begin(write=True, buffers=False) as txn:
                    return body(txn)
            except lmdb.MapFullError as error:
                self._grow(error, reserve)
            except lmdb.MapResizedError:
                self.env.set_mapsize(0)
            except lmdb.PanicError as error:
                # Writing the root page failed; the file still has the one before, which a new handle reads.
                with self._exclusive():
                    self.close()
                    self._open()
                raise translate(error, self.folder) from error
            except lmdb.Error as error:
                raise translate(error, self.folder) from error
            except OSError as error:
                raise translate(error, self.folder) from error

    def _grow(self, cause: Exception, reserve: bool) -> None:
        size = int(self.env.info()["map_size"])
        limit = self._config.max_map_size
        wanted = min(size * 2, limit)
        if reserve and size >= limit:
            wanted = size + (1 << 20)
            limit += max(limit // 4, 64 << 20)
        if wanted <= size or wanted > limit:
            raise StoreFullError(
                f"The memory store {self.folder} reached its limit of {self._config.max_map_size} bytes; "
                "raise storage.max_map_size or forget something. Nothing of this write was stored."
            ) from cause
        with self._exclusive():  # set_mapsize needs that no transaction is open in this process
            self.env.set_mapsize(wanted)

    @contextmanager
    def _exclusive(self) -> Iterator[None]:
        with self._gate:
            self._closed_for_swap = True
            if not self._gate.wait_for(lambda: self._readers == 0, timeout=30.0):
                self._closed_for_swap = False
                self._gate.notify_all()
                raise MemoryGraphError(
                    f"A reader of {self.folder} did not finish within 30 s; close long iterations first."
                )
        try:
            yield
        finally:
            with self._gate:
                self._closed_for_swap = False
                self._gate.notify_all()

    # -- whole-file work --------------------------------------------------------------------------------

    def copy_to(self, folder: Path, *, compact: bool = True) -> None:
        """Copy the environment into an empty ``folder`` while it is in use (one consistent state).

        Raises:
            StoreFullError: the target disk is full; the partial copy is removed.
        """
        folder.mkdir(parents=True, exist_ok=True)
        try:
            self.env.copy(str(folder), compact=compact)
            _sync(folder / _DATA_FILE)
        except (lmdb.Error, OSError) as error:
            (folder / _DATA_FILE).unlink(missing_ok=True)
            raise translate(error, folder) from error

    def compact(self) -> int:
        """Rewrite the file without its free pages, so that removed text is gone from disk; returns bytes freed.

        Must be called on the writer's thread: it waits for readers and holds new ones for the swap alone.
        """
        path = self.folder / _DATA_FILE
        before = path.stat().st_size
        fresh = self.folder / "compacting"
        fresh.mkdir(exist_ok=True)
        (fresh / _DATA_FILE).unlink(missing_ok=True)
        self.copy_to(fresh)
        with self._exclusive():
            self.close()
            os.replace(fresh / _DATA_FILE, path)
            _sync(self.folder)
            self._open()
        for leftover in fresh.iterdir():
            leftover.unlink()
        fresh.rmdir()
        return before - path.stat().st_size

    def size_bytes(self) -> int:
        """Return the size of the data file."""
        return (self.folder / _DATA_FILE).stat().st_size


def fetch(txn: lmdb.Transaction, table: Any, key: bytes) -> bytes | None:
    """Return the value of a key, None if there is none."""
    raw: Any = txn.get(key, db=table)
    return raw  # type: ignore[no-any-return]


def _round_up(size: int) -> int:
    page = 1 << 20
    return -(-size // page) * page


def _sync(path: Path) -> None:
    fd = os.open(path, os.O_RDONLY)
    try:
        os.fsync(fd)
    finally:
        os.close(fd)


_LITTLE_SPACE = 8 << 20
_FULL = tuple(os.strerror(code) for code in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG))


def _is_full(error: Exception, folder: Path) -> bool:
    if isinstance(error, lmdb.DiskError) or any(text in str(error) for text in _FULL):
        return True
    # A write that fits only in part comes back as an I/O error; the disk itself tells which it was.
    if os.strerror(errno.EIO) not in str(error):
        return False
    try:
        space = os.statvfs(folder)
        limit = resource.getrlimit(resource.RLIMIT_FSIZE)[0]
        if limit != resource.RLIM_INFINITY and (folder / _DATA_FILE).stat().st_size + _LITTLE_SPACE > limit:
            return True
    except OSError:
        return False
    return space.f_bavail * space.f_frsize < _LITTLE_SPACE


def translate(error: Exception, folder: Path) -> MemoryGraphError:
    """Return the typed error for what LMDB or the system reported."""
    text = str(error)
    code = getattr(error, "errno", None)
    if _is_full(error, folder):
        return StoreFullError(
            f"The disk of {folder} is full; nothing of this write was stored and the store is intact. "
            "Free some space and try again."
        )
    if (
        isinstance(error, (lmdb.ReadonlyError, PermissionError))
        or code in (errno.EROFS, errno.EACCES)
        or os.strerror(errno.EACCES) in text
        or os.strerror(errno.EROFS) in text
    ):
        return StoreReadOnlyError(
            f"The memory store {folder} cannot be written; make the folder writable for this user."
        )
    if isinstance(
        error, (lmdb.InvalidError, lmdb.CorruptedError, lmdb.VersionMismatchError, lmdb.PanicError)
    ):
        return StoreDamagedError(
            f"The file {folder / _DATA_FILE} is not a readable memory store ({text}); restore a backup."
        )
    if isinstance(error, MemoryGraphError):
        return error
    return MemoryGraphError(f"The memory store {folder} failed: {text}")
