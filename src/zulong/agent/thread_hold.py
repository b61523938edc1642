"""One runner a thread, also among processes: two that drove one thread would answer for each other's calls.

A runner holds one byte of the file ``threads.lock`` beside the checkpoints, at a place that follows from the
thread's id. The system gives it up when the process ends, however it ends, so nothing is left over after a kill.
"""

from __future__ import annotations

import errno
import fcntl
import logging
import os
import threading
from dataclasses import dataclass, field
from hashlib import blake2b
from pathlib import Path
from typing import Any

logger = logging.getLogger(__name__)

_TAKEN = (errno.EACCES, errno.EAGAIN)


@dataclass(slots=True)
class _LockFile:
    """The open file of one folder, and the threads that this process holds by it."""

    descriptor: int
    pid: int
    held: set[str] = field(default_factory=set)


# Closing a file anywhere in a process gives up all that the process holds of it: so each is opened once, and stays
# open as long as something is held.
_files: dict[tuple[int, int], _LockFile] = {}
_lock = threading.Lock()


class ThreadHolds:
    """The threads of one checkpointer that are being run on this machine. Safe from any thread.

    Only a checkpointer with a folder (``path``) is shared by processes; of any other every thread is free.

    Args:
        checkpointer: where the threads live.
    """

    def __init__(self, checkpointer: Any) -> None:
        path = getattr(checkpointer, "path", None)
        self._folder = Path(path) if isinstance(path, (str, os.PathLike)) else None
        self._mine: dict[str, tuple[int, int]] = {}

    def take(self, thread_id: str) -> bool:
        """Hold a thread until :meth:`release`; returns False when another runner, here or elsewhere, holds it."""
        if self._folder is None:
            return True
        try:
            with _lock:
                return self._take(self._folder, thread_id)
        except OSError as error:
            logger.warning("Threads in %s are not guarded against other processes: %s", self._folder, error)
            return True

    def _take(self, folder: Path, thread_id: str) -> bool:
        status = folder.stat()
        key = (status.st_dev, status.st_ino)
        file = _files.get(key)
        if file is None or file.pid != os.getpid():  # after a fork the copy is the parent's
            flags = os.O_RDWR | os.O_CREAT | os.O_CLOEXEC
            file = _LockFile(os.open(folder / "threads.lock", flags, 0o644), os.getpid())
        if thread_id in file.held:
            return False
        try:
            fcntl.lockf(file.descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, _place(thread_id))
        except OSError as error:
            if not file.held:
                os.close(file.descriptor)
            if error.errno in _TAKEN:
                return False
            raise
        file.held.add(thread_id)
        _files[key] = file
        self._mine[thread_id] = key
        return True

    def release(self, thread_id: str) -> None:
        """Give up a thread that was taken here; any other is let be."""
        with _lock:
            key = self._mine.pop(thread_id, None)
            file = _files.get(key) if key is not None else None
            if key is None or file is None or file.pid != os.getpid() or thread_id not in file.held:
                return
            file.held.discard(thread_id)
            if file.held:
                fcntl.lockf(file.descriptor, fcntl.LOCK_UN, 1, _place(thread_id))
            else:
                del _files[key]
                os.close(file.descriptor)


def _place(thread_id: str) -> int:
    """Return the byte that stands for a thread; two threads meet at one with odds of 2 to the 62."""
    raw = thread_id.encode("utf-8", "surrogatepass")
    return int.from_bytes(blake2b(raw, digest_size=8).digest(), "big") >> 2
