"""What can go wrong with a memory store. Each message says what, where, and what to do about it."""

from __future__ import annotations


class MemoryGraphError(RuntimeError):
    """Base of every error the memory raises on purpose."""


class StoreLockedError(MemoryGraphError):
    """Another process has the store open; ``pid`` is who (0 if it did not say)."""

    def __init__(self, path: str, pid: int) -> None:
        super().__init__(
            f"The memory store {path} is open in process {pid or 'unknown'}; "
            "stop that process or open a backup of the store."
        )
        self.pid = pid


class StoreFullError(MemoryGraphError):
    """The disk (or the configured ``max_map_size``) is full; nothing of the write was stored."""


class StoreReadOnlyError(MemoryGraphError):
    """The folder of the store cannot be written; nothing was stored."""


class StoreDamagedError(MemoryGraphError):
    """The store's file is not readable as a memory store."""


class SchemaVersionError(MemoryGraphError):
    """The store was written by a newer version of the memory than this one."""


class StoreClosedError(MemoryGraphError):
    """The store was closed, or its writer stopped; open it again."""


class UnknownNodeError(MemoryGraphError, KeyError):
    """No live node has this id."""

    def __init__(self, id: str) -> None:
        super().__init__(f"No memory has the id {id!r}; it was never stored or has been forgotten.")

    def __str__(self) -> str:
        return str(self.args[0])


class InvalidMemoryError(MemoryGraphError, ValueError):
    """Something offered to the memory cannot be stored as it is."""


class UndoError(MemoryGraphError):
    """A journal entry cannot be undone: unknown, undone before, or older than the set time."""


class WriteTimeoutError(MemoryGraphError, TimeoutError):
    """A write was not durable in time; it may still become so."""
