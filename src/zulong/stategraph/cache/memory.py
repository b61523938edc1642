"""A cache in this process's memory."""

from __future__ import annotations

import threading
import time
from collections.abc import Mapping, Sequence

from zulong.stategraph.cache.base import BaseCache, FullKey, Namespace, ValueT
from zulong.stategraph.checkpoint.errors import SerializationError
from zulong.stategraph.checkpoint.serde.base import SerializerProtocol


class InMemoryCache(BaseCache[ValueT]):
    """Keeps values as bytes, so that a caller that changes a result does not change the cache.

    Holds at most `max_entries`; beyond that the oldest entry leaves. Safe to use from several threads.
    """

    def __init__(self, *, serde: SerializerProtocol | None = None, max_entries: int = 100_000) -> None:
        super().__init__(serde=serde)
        self._max_entries = max_entries
        # (type, bytes, end of life on the steady clock); dictionaries keep the order of insertion
        self._entries: dict[FullKey, tuple[str, bytes, float | None]] = {}
        self._lock = threading.Lock()

    def get(self, keys: Sequence[FullKey]) -> dict[FullKey, ValueT]:
        """Return the values of those keys that are there and fresh."""
        now = time.monotonic()
        found: dict[FullKey, ValueT] = {}
        for namespace, key in keys:
            full = (tuple(namespace), key)
            with self._lock:
                entry = self._entries.get(full)
                if entry is not None and entry[2] is not None and now >= entry[2]:
                    del self._entries[full]
                    entry = None
            if entry is None:
                continue
            try:
                found[full] = self.serde.loads_typed(entry[:2])
            except SerializationError:
                continue  # written with types that are no longer registered: a miss, computed anew
        return found

    def set(self, pairs: Mapping[FullKey, tuple[ValueT, int | None]]) -> None:
        """Store values, each with its time to live in seconds (None: for good)."""
        now = time.monotonic()
        fresh = {
            (tuple(namespace), key): (*self.serde.dumps_typed(value), None if ttl is None else now + ttl)
            for (namespace, key), (value, ttl) in pairs.items()
        }
        with self._lock:
            for full, entry in fresh.items():
                self._entries.pop(full, None)
                self._entries[full] = entry
            while len(self._entries) > self._max_entries:
                del self._entries[next(iter(self._entries))]

    def clear(self, namespaces: Sequence[Namespace] | None = None) -> None:
        """Forget all values of these namespaces, or of all."""
        with self._lock:
            if namespaces is None:
                self._entries.clear()
                return
            gone = {tuple(namespace) for namespace in namespaces}
            for full in [full for full in self._entries if full[0] in gone]:
                del self._entries[full]
