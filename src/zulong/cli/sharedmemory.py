"""Remove the shared-memory files that a killed DDS participant left behind.

Fast DDS keeps a lock file (``..._el``) locked while its owner lives. A lock that can be taken has no owner, and
then the lock file and the segment beside it are dead.
"""

from __future__ import annotations

import fcntl
import os
from pathlib import Path

_FOLDER = Path("/dev/shm")  # noqa: S108 - where POSIX shared memory lives
_LOCK_SUFFIX = "_el"


def clean_dead_segments(folder: Path = _FOLDER) -> int:
    """Remove dead Fast DDS segments of this user; return how many."""
    removed = 0
    for lock in folder.glob(f"fastrtps_*{_LOCK_SUFFIX}"):
        try:
            if lock.stat().st_uid != os.getuid():
                continue
            with lock.open("r") as handle:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
                name = lock.name.removesuffix(_LOCK_SUFFIX)
                (folder / name).unlink(missing_ok=True)
                lock.unlink(missing_ok=True)
                removed += 1
        except OSError:  # locked by a living owner, or gone meanwhile
            continue
    return removed
