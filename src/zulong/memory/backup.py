"""Backups of a store in use, and bringing one back."""

from __future__ import annotations

import os
import shutil
import time
from pathlib import Path

from zulong.memory.config import StorageConfig
from zulong.memory.engine import Engine
from zulong.memory.errors import InvalidMemoryError, StoreDamagedError
from zulong.memory.lockfile import FolderLock
from zulong.memory.store import Store

_DATA_FILE = "data.mdb"


def backup(engine: Engine, folder: str | Path) -> Path:
    """Copy the store of ``engine`` into ``folder`` (new or empty) as it is at one moment, while it is in use.

    Caches are not copied: they are made again where the backup is opened.

    Raises:
        InvalidMemoryError: the folder holds something already, or lies inside the store.
        StoreFullError: the target disk is full; the partial copy is removed.
    """
    target = Path(folder)
    if target.exists() and any(target.iterdir()):
        raise InvalidMemoryError(f"The backup folder {target} is not empty; choose a new one.")
    if engine.folder.resolve() in (target.resolve(), *target.resolve().parents):
        raise InvalidMemoryError(f"The backup folder {target} lies inside the store it is to be a copy of.")
    engine.memory.store.copy_to(target)
    return target


def restore(source: str | Path, path: str | Path) -> Path | None:
    """Put the backup ``source`` in the place of the store ``path``, which no process may have open.

    The store that was there is kept beside it; its folder is returned (None if there was none).

    Raises:
        StoreLockedError: a process has the store open.
        StoreDamagedError: ``source`` is no readable backup; nothing was changed.
    """
    source, path = Path(source), Path(path)
    if not (source / _DATA_FILE).is_file():
        raise StoreDamagedError(f"There is no backup in {source}: it holds no {_DATA_FILE}.")
    fresh = path.with_name(f"{path.name}.restoring")
    shutil.rmtree(fresh, ignore_errors=True)
    fresh.mkdir(parents=True)
    shutil.copy2(source / _DATA_FILE, fresh / _DATA_FILE)
    try:
        Store(fresh, StorageConfig()).close()  # reads the schema and every table's root
    except Exception:
        shutil.rmtree(fresh, ignore_errors=True)
        raise
    kept: Path | None = None
    if path.exists() and any(path.iterdir()):
        lock = FolderLock(path)
        try:
            kept = path.with_name(f"{path.name}.before-restore-{int(time.time())}")
            os.rename(path, kept)
        finally:
            lock.release()
    elif path.exists():
        path.rmdir()
    (fresh / "lock.mdb").unlink(missing_ok=True)
    os.rename(fresh, path)
    return kept
