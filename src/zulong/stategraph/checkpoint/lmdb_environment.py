"""One LMDB environment a folder and process, with what LMDB leaves to its user.

LMDB wants a file opened once a process, a map that is resized while no transaction runs, and patience
with other processes. This module gives that once, for checkpoints and for the store: environments are
shared by path, the map grows by itself, every wait has a limit, and every failure is one clear error.
"""

from __future__ import annotations

import errno
import fcntl
import os
import resource
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

import lmdb

from zulong.stategraph.checkpoint.errors import (
    StorageBusyError,
    StorageClosedError,
    StorageError,
    StorageFormatError,
    StorageFullError,
    StorageReadOnlyError,
)

T = TypeVar("T")
INITIAL_MAP_BYTES = 64 * 1024 * 1024
WAIT_S = 30.0
_POLL_S = 0.002
_SCARCE_BYTES = 256 * 1024
_FULL = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}
_READ_ONLY = {errno.EROFS, errno.EACCES, errno.EPERM}

_registry_lock = threading.Lock()
_registry: dict[tuple[int, int], LmdbEnvironment] = {}
_inherited: list[
    LmdbEnvironment
] = []  # kept alive: closing a parent's environment in a child harms the parent


class LmdbEnvironment:
    """An open environment. Use `open`; pair every `open` with one `close`. Safe to use from several threads."""

    def __init__(self, path: Path, *, readonly: bool, map_bytes: int) -> None:
        self.path = path
        self.readonly = readonly
        self._pid = os.getpid()
        self._users = 0
        self._writer = threading.Lock()
        self._gate = threading.Condition(threading.Lock())
        self._active = 0
        self._resizing = False
        self._lock_fd = -1
        self._tables: dict[str, Any] = {}
        self._env: Any = self._open(map_bytes)
        self._inode = (path / "data.mdb").stat().st_ino

    # -- opening and closing ------------------------------------------------------------------------

    @classmethod
    def open(
        cls, path: str | os.PathLike[str], *, readonly: bool = False, map_bytes: int = INITIAL_MAP_BYTES
    ) -> LmdbEnvironment:
        """Return the environment in folder `path`, made if it is missing.

        Raises:
            StorageReadOnlyError: the folder cannot be written (open with `readonly=True` to look at it).
            StorageFullError: no room for the first pages.
            StorageFormatError: what lies there is no LMDB environment, or one of another version.
            StorageBusyError: another process holds it.
        """
        folder = Path(path)
        if not readonly:
            with _told(folder):
                folder.mkdir(parents=True, exist_ok=True)
        with _told(folder):
            status = folder.stat()
        key = (status.st_dev, status.st_ino)
        with _registry_lock:
            known = _registry.get(key)
            if known is not None and known._pid != os.getpid():
                # A fork's copy. Closing it here does not touch the parent: LMDB clears its own process's slots only.
                _registry.pop(key)._release()
                known = None
            if known is not None and not known._is_in(folder):
                del _registry[
                    key
                ]  # the folder was removed and another got its number; users of the old keep it
                known = None
            if known is None or (known.readonly and not readonly):
                if known is not None:
                    raise StorageBusyError(
                        f"{folder} is open read-only in this process; close it before opening it for writing."
                    )
                known = _registry[key] = cls(folder, readonly=readonly, map_bytes=map_bytes)
            known._users += 1
            return known

    def _is_in(self, folder: Path) -> bool:
        try:
            return (folder / "data.mdb").stat().st_ino == self._inode
        except OSError:
            return False

    def close(self) -> None:
        """Give the environment up; the last user closes the file."""
        with _registry_lock:
            if self._pid != os.getpid() or self._users == 0:
                return
            self._users -= 1
            if self._users:
                return
            for key in [key for key, known in _registry.items() if known is self]:
                del _registry[key]
        with self._writer, self._exclusive():
            self._release()

    def _release(self) -> None:
        env, self._env = self._env, None
        env.close()
        if self._lock_fd >= 0:
            os.close(self._lock_fd)
            self._lock_fd = -1

    def _open(self, map_bytes: int) -> Any:
        with _told(self.path):
            if not self.readonly and self._lock_fd < 0:
                flags = os.O_RDWR | os.O_CREAT | os.O_CLOEXEC
                self._lock_fd = os.open(self.path / "writer.lock", flags, 0o644)
            try:
                return self._open_map(map_bytes, lock=True)
            except lmdb.Error as error:
                denied = isinstance(error, lmdb.ReadonlyError) or _errno(error) in _READ_ONLY
                if not (self.readonly and denied):
                    raise
                # On read-only media the lock file cannot be made, and nobody can write there either.
                return self._open_map(map_bytes, lock=False)

    def _open_map(self, map_bytes: int, *, lock: bool) -> Any:
        env = lmdb.open(
            os.fspath(self.path),
            map_size=map_bytes,
            readonly=self.readonly,
            create=not self.readonly,
            lock=lock,
            max_readers=512,
            max_dbs=32,
            readahead=False,  # rows of one thread lie scattered over the file
            meminit=False,
        )
        # Reading behind the end of a file that was cut would end the process with a bus error.
        needed = (env.info()["last_pgno"] + 1) * env.stat()["psize"]
        present = (self.path / "data.mdb").stat().st_size
        if present < needed:
            env.close()
            raise StorageFormatError(
                f"{self.path}/data.mdb was cut: {present} of {needed} bytes are there; restore it from a copy."
            )
        return env

    def open_tables(self, *names: str) -> None:
        """Open named tables, made if they are missing; `table` gives them to a transaction."""
        missing = [name for name in names if name not in self._tables]

        if self.readonly:
            with self._entered(), _told(self.path):
                self._tables.update(
                    {name: self._env.open_db(name.encode(), create=False) for name in missing}
                )
        elif missing:
            self._tables.update(
                self.write(lambda txn: {name: self._env.open_db(name.encode(), txn=txn) for name in missing})
            )

    def table(self, name: str) -> Any:
        """Return the handle of an open table; ask anew in every transaction."""
        return self._tables[name]

    # -- transactions -------------------------------------------------------------------------------

    @contextmanager
    def read(self) -> Iterator[Any]:
        """Open a read transaction over one unchanging state; keep it short."""
        self._enter()
        try:
            with _told(self.path):
                txn = self._begin_read()
                try:
                    yield txn
                finally:
                    txn.abort()
        finally:
            self._leave()

    def write(self, work: Callable[[Any], T]) -> T:
        """Run `work(transaction)` and commit durably; whatever it raises undoes all of it.

        `work` runs again from the start when the map had to grow, so it must only touch the transaction.

        Raises:
            StorageError: see `open`; the state is what it was before.
        """
        if self.readonly:
            raise StorageReadOnlyError(
                f"{self.path} was opened read-only; open it without readonly=True to write."
            )
        self._check_usable()  # first: in a fork the lock below may have been copied while it was held
        deadline = time.monotonic() + WAIT_S
        if not self._writer.acquire(timeout=WAIT_S):
            raise StorageBusyError(f"Another thread has been writing {self.path} for more than {WAIT_S:g} s.")
        try:
            self._lock_out_other_processes(deadline)
            try:
                return self._write(work)
            finally:
                if self._lock_fd >= 0:
                    fcntl.flock(self._lock_fd, fcntl.LOCK_UN)
        finally:
            self._writer.release()

    def _write(self, work: Callable[[Any], T]) -> T:
        # Whoever resizes or closes holds the writers' lock, so a writer need not pass the gate of the readers.
        self._check_usable()
        while True:
            try:
                with self._env.begin(write=True) as txn:
                    return work(txn)
            except (lmdb.Error, OSError) as error:
                failure = _translated(error, self.path)
            if not isinstance(failure, _RetryError):
                raise failure from failure.__cause__
            with self._exclusive(), _told(self.path):
                if isinstance(failure, _BrokenError):
                    self._reopen()
                    raise StorageError(f"Writing {self.path} failed; the last complete state is kept.")
                grow = isinstance(failure, _MustGrowError)
                self._env.set_mapsize(self._env.info()["map_size"] * 2 if grow else 0)

    def _reopen(self) -> None:
        """Start again after a failed write of LMDB's own meta page, which blocks the environment for good."""
        size = self._env.info()["map_size"]
        self._env.close()
        self._env = self._open(size)
        self._tables = {name: self._env.open_db(name.encode(), create=False) for name in self._tables}

    def _begin_read(self) -> Any:
        try:
            return self._env.begin()
        except lmdb.MapResizedError:
            pass  # another process made the map larger
        self._leave()
        try:
            if not self._writer.acquire(timeout=WAIT_S):
                raise StorageBusyError(
                    f"Another thread has been writing {self.path} for more than {WAIT_S:g} s."
                )
            try:
                with self._exclusive():
                    self._check_usable()
                    self._env.set_mapsize(0)
            finally:
                self._writer.release()
        finally:
            self._enter()
        return self._env.begin()

    def used_bytes(self) -> int:
        """Return the size of the file up to its last used page."""
        with self._entered():
            return int((self._env.info()["last_pgno"] + 1) * self._env.stat()["psize"])

    def copy(self, path: str | os.PathLike[str]) -> None:
        """Write a compact copy into folder `path`; writers may go on meanwhile."""
        folder = Path(path)
        with _told(folder):
            folder.mkdir(parents=True, exist_ok=True)
        with self._entered(), _told(folder):
            self._env.copy(os.fspath(folder), compact=True)

    def clear_dead_readers(self) -> int:
        """Free the slots of readers whose process died; return how many."""
        with self._entered():
            return int(self._env.reader_check())

    # -- locks --------------------------------------------------------------------------------------

    def _lock_out_other_processes(self, deadline: float) -> None:
        """Take the writers' lock with a limit; LMDB's own would wait for ever for a stopped process."""
        while self._lock_fd >= 0:
            try:
                fcntl.flock(self._lock_fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
                return
            except BlockingIOError:
                if time.monotonic() >= deadline:
                    raise StorageBusyError(
                        f"Another process has been writing {self.path} for more than {WAIT_S:g} s; "
                        "see which with: fuser -v writer.lock"
                    ) from None
                time.sleep(_POLL_S)

    def _check_usable(self) -> None:
        if self._pid != os.getpid():
            raise StorageClosedError(f"{self.path} was opened before a fork; open it again in this process.")
        if self._env is None:
            raise StorageClosedError(f"{self.path} is closed; open it again.")

    def _enter(self) -> None:
        with self._gate:
            if self._resizing and not self._gate.wait_for(lambda: not self._resizing, WAIT_S):
                raise StorageBusyError(f"{self.path} has been growing for more than {WAIT_S:g} s; try again.")
            self._check_usable()
            self._active += 1

    def _leave(self) -> None:
        with self._gate:
            self._active -= 1
            if self._resizing:
                self._gate.notify_all()

    @contextmanager
    def _entered(self) -> Iterator[None]:
        self._enter()
        try:
            yield
        finally:
            self._leave()

    @contextmanager
    def _exclusive(self) -> Iterator[None]:
        """Wait until no transaction of this process runs, and keep new ones out."""
        with self._gate:
            idle = self._gate.wait_for(lambda: not self._resizing, WAIT_S)
            self._resizing = True
            idle = idle and self._gate.wait_for(lambda: self._active == 0, WAIT_S)
            if not idle:
                self._resizing = False
                self._gate.notify_all()
                raise StorageBusyError(
                    f"A reader of {self.path} has not finished for {WAIT_S:g} s; try again."
                )
        try:
            yield
        finally:
            with self._gate:
                self._resizing = False
                self._gate.notify_all()


class _RetryError(Exception):
    """The transaction can run again after something was done to the environment."""


class _MustGrowError(_RetryError):
    """The map is full."""


class _MustAdoptError(_RetryError):
    """Another process made the map larger."""


class _BrokenError(_RetryError):
    """LMDB refuses to go on before the environment is opened again."""


def _errno(error: BaseException) -> int:
    """Return the operating system's error number behind an error; py-lmdb keeps only its text."""
    number = getattr(error, "errno", None)
    if isinstance(number, int):
        return number
    text = str(error)
    known = [*_FULL, *_READ_ONLY, errno.EIO, errno.EAGAIN, errno.EBUSY]
    return next((number for number in known if os.strerror(number) in text), 0)


def _no_room(path: Path) -> bool:
    """Whether the disk is full: LMDB calls a write that found room for a part of it an input/output error."""
    try:
        space = os.statvfs(path)
        size = (path / "data.mdb").stat().st_size
    except OSError:
        return False
    limit = resource.getrlimit(resource.RLIMIT_FSIZE)[0]
    return space.f_bavail * space.f_frsize < _SCARCE_BYTES or (
        limit != resource.RLIM_INFINITY and size >= limit
    )


@contextmanager
def _told(path: Path) -> Iterator[None]:
    """Turn what LMDB and the operating system report into errors that say what to do."""
    try:
        yield
    except (lmdb.Error, OSError) as error:
        told = _translated(error, path)
        if isinstance(told, _RetryError):
            told = StorageError(f"{path} cannot be used as it is open now; close it and open it again.")
        raise told from error


def _translated(error: BaseException, path: Path) -> Exception:
    """Return the error to raise, with `error` as its cause."""
    told = _meaning(error, path)
    told.__cause__ = error
    return told


def _meaning(error: BaseException, path: Path) -> Exception:
    if isinstance(error, lmdb.MapFullError):
        return _MustGrowError()
    if isinstance(error, lmdb.MapResizedError):
        return _MustAdoptError()
    if isinstance(error, lmdb.PanicError):
        return _BrokenError()
    if isinstance(error, lmdb.NotFoundError):
        return StorageFormatError(f"{path} holds other data than was looked for; check the path.")
    if isinstance(error, lmdb.InvalidError | lmdb.CorruptedError | lmdb.PageNotFoundError):
        return StorageFormatError(
            f"{path} holds no LMDB environment, or a damaged one; restore it from a copy or move it away."
        )
    if isinstance(error, lmdb.VersionMismatchError | lmdb.IncompatibleError):
        return StorageFormatError(f"{path} was made by another version of LMDB; open it with that version.")
    number = _errno(error)
    if number in _FULL or (number == errno.EIO and _no_room(path)):
        return StorageFullError(
            f"No room for {path} (disk, quota or file size limit); free space and try again. Nothing of this write "
            "was kept, everything before it was."
        )
    if number == errno.EIO:
        return StorageError(
            f"{path} could not be written: input/output error, the disk is failing. Nothing was kept."
        )
    if number in _READ_ONLY or isinstance(error, lmdb.ReadonlyError):
        return StorageReadOnlyError(
            f"{path} cannot be written by this user; check its owner, mode and mount."
        )
    if number in (errno.EAGAIN, errno.EBUSY) or isinstance(error, lmdb.LockError):
        return StorageBusyError(
            f"{path} is held by another process in a way that cannot be shared; stop it first."
        )
    if isinstance(error, FileNotFoundError | NotADirectoryError | FileExistsError):
        return StorageFormatError(f"{path} is no folder with stored state; check the path.")
    return StorageError(f"{path} failed: {error}.")
