"""Checkpoints in LMDB: the default for a robot. One folder, no server, durable after every step."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

from zulong.resources import zulong_home
from zulong.stategraph.checkpoint.errors import StorageClosedError
from zulong.stategraph.checkpoint.lmdb_environment import INITIAL_MAP_BYTES, LmdbEnvironment
from zulong.stategraph.checkpoint.lmdb_table import LmdbTable, initialise
from zulong.stategraph.checkpoint.off_loop import OwnThread
from zulong.stategraph.checkpoint.row_saver import RowSaver
from zulong.stategraph.checkpoint.row_table import RowTable
from zulong.stategraph.checkpoint.serde.base import SerializerProtocol

T = TypeVar("T")


class _Handle:
    """One use of an environment; views of a saver share it, so that it is given up once."""

    def __init__(self, environment: LmdbEnvironment) -> None:
        self._environment: LmdbEnvironment | None = environment
        self._lock = threading.Lock()

    def get(self) -> LmdbEnvironment | None:
        return self._environment

    def close(self) -> None:
        with self._lock:
            environment, self._environment = self._environment, None
        if environment is not None:
            environment.close()


class LmdbSaver(RowSaver):
    """Keeps checkpoints in folder `path` (made if missing; default `$ZULONG_HOME/checkpoints`).

    Every `put`, `put_writes` and `put_step` is one transaction that is on the disk when the call returns.
    The map grows by itself, starting from `map_bytes`. Threads and processes may share the folder; one
    writes at a time, readers never wait. `keep_last` cuts history (see `RowSaver`); `readonly` opens a
    folder that this process must not or cannot write.

    Raises:
        StorageReadOnlyError, StorageFullError, StorageFormatError, StorageBusyError: the folder cannot be
            used; the message says why and what to do. A write that raises one of these kept nothing.
    """

    def __init__(
        self,
        path: str | os.PathLike[str] | None = None,
        *,
        serde: SerializerProtocol | None = None,
        keep_last: int | None = None,
        readonly: bool = False,
        map_bytes: int = INITIAL_MAP_BYTES,
    ) -> None:
        super().__init__(serde=serde, keep_last=keep_last)
        self.path = zulong_home() / "checkpoints" if path is None else Path(path)
        environment = LmdbEnvironment.open(self.path, readonly=readonly, map_bytes=map_bytes)
        try:
            initialise(environment)
        except BaseException:
            environment.close()
            raise
        self._handle = _Handle(environment)
        self._own_thread = OwnThread("lmdb-saver")

    @classmethod
    @contextmanager
    def from_conn_string(cls, conn_string: str) -> Iterator[LmdbSaver]:
        """Open a saver on a folder and close it at the end of the block."""
        with cls(conn_string) as saver:
            yield saver

    def close(self) -> None:
        """Wait for calls under way and close the folder; closing twice is no error."""
        self._own_thread.close()
        self._handle.close()

    def backup(self, path: str | os.PathLike[str]) -> None:
        """Write a compact copy of the whole store into folder `path`, while it is in use."""
        self._open_environment().copy(path)

    def _open_environment(self) -> LmdbEnvironment:
        environment = self._handle.get()
        if environment is None:
            raise StorageClosedError(f"The saver on {self.path} is closed; open a new one.")
        return environment

    @contextmanager
    def _read(self) -> Iterator[RowTable]:
        environment = self._open_environment()
        with environment.read() as txn:
            yield LmdbTable(environment, txn)

    def _write(self, work: Callable[[RowTable], T]) -> T:
        environment = self._open_environment()
        return environment.write(lambda txn: work(LmdbTable(environment, txn)))
