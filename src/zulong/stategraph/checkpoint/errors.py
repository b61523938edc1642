"""What can go wrong with stored state, as types a caller can catch.

Every message says what happened, where (path or connection), and what to do about it.
"""

from __future__ import annotations


class StorageError(Exception):
    """Stored state could not be read or written; the store itself is intact."""


class StorageFullError(StorageError):
    """The disk (or quota) is full: nothing of the refused write was kept, earlier writes are all there."""


class StorageReadOnlyError(StorageError):
    """The folder, file or database does not allow writing."""


class StorageBusyError(StorageError):
    """Another process holds the store in a way that does not allow this one to use it now."""


class StorageFormatError(StorageError):
    """The file is not a store of this product, is damaged, or was written by a newer version."""


class StorageClosedError(StorageError):
    """The store was closed, or inherited through a fork, and cannot be used by this process."""


class SerializationError(ValueError):
    """A value could not be turned into bytes, or bytes are not a value that this serializer wrote."""


class UnregisteredTypeError(SerializationError, TypeError):
    """A value's type is neither plain nor registered; the message names the type and how to register it."""
