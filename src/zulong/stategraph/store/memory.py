"""A store in this process's memory."""

from __future__ import annotations

import copy
import threading
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any

from zulong.stategraph.store.base import IndexConfig, Namespace, TTLConfig
from zulong.stategraph.store.engine import Address, Entry, EntryStore


class InMemoryStore(EntryStore):
    """Keeps values in memory, copied in and out, so that nobody changes them from outside.

    Safe to use from several threads. See `EntryStore` for `index`, `ttl` and `clock`.
    """

    __slots__ = ("_entries", "_lock")

    def __init__(
        self,
        *,
        index: IndexConfig | None = None,
        ttl: TTLConfig | None = None,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._entries: dict[Namespace, dict[str, Entry]] = {}
        self._lock = threading.RLock()
        super().__init__(index=index, ttl=ttl, clock=clock)

    def _read(self, address: Address) -> Entry | None:
        with self._lock:
            return self._entries.get(address[0], {}).get(address[1])

    def _scan(self, prefix: Namespace, *, vectors: bool = False) -> Iterable[tuple[Address, Entry]]:
        with self._lock:
            return [
                ((namespace, key), entry)
                for namespace in self._entries
                if namespace[: len(prefix)] == prefix
                for key, entry in self._entries[namespace].items()
            ]

    def _out(self, value: dict[str, Any]) -> dict[str, Any]:
        return copy.deepcopy(value)

    def _namespaces(self) -> Iterable[Namespace]:
        with self._lock:
            return list(self._entries)

    def _apply(self, changes: Mapping[Address, Callable[[Entry | None], Entry | None]]) -> None:
        with self._lock:
            for (namespace, key), change in changes.items():
                keys = self._entries.setdefault(namespace, {})
                old = keys.get(key)
                entry = change(old)
                if entry is None:
                    keys.pop(key, None)
                elif entry is not old:
                    own = (
                        entry.value
                        if old is not None and entry.value is old.value
                        else copy.deepcopy(entry.value)
                    )
                    keys[key] = replace(entry, value=own)
                if not keys:
                    del self._entries[namespace]
