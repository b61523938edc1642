"""One process per store: an advisory lock on a file that names its holder."""

from __future__ import annotations

import errno
import fcntl
import os
from pathlib import Path

from zulong.memory.errors import StoreLockedError, StoreReadOnlyError


class FolderLock:
    """Holds ``<folder>/lock`` with ``flock`` until released; the kernel drops it when the process dies.

    The file itself stays: deleting it would let two processes lock two files of one name.
    """

    def __init__(self, folder: Path) -> None:
        """Take the lock.

        Raises:
            StoreLockedError: another process, or this one before, holds it; carries the holder's pid.
            StoreReadOnlyError: the lock file cannot be made.
        """
        path = folder / "lock"
        try:
            self._fd = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
        except OSError as error:
            raise StoreReadOnlyError(
                f"The memory store {folder} cannot be locked ({error.strerror}); make the folder writable."
            ) from error
        try:
            fcntl.flock(self._fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            text = os.pread(self._fd, 32, 0).decode("ascii", "replace").strip()
            os.close(self._fd)
            if error.errno not in (errno.EWOULDBLOCK, errno.EACCES):
                raise
            raise StoreLockedError(str(folder), int(text) if text.isdigit() else 0) from error
        try:
            os.ftruncate(self._fd, 0)
            os.pwrite(self._fd, f"{os.getpid()}\n".encode("ascii"), 0)
        except OSError:
            pass  # On a full disk the lock still holds; only the holder's name is missing.

    def release(self) -> None:
        """Give the lock back; harmless when called twice."""
        if self._fd >= 0:
            os.close(self._fd)
            self._fd = -1
