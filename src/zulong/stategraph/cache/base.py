"""The cache's protocol: values under (namespace, key), each with an optional time to live."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Generic, TypeVar

from zulong.stategraph.checkpoint.serde.base import SerializerProtocol
from zulong.stategraph.checkpoint.serde.msgpack import MsgpackSerializer

ValueT = TypeVar("ValueT")
Namespace = tuple[str, ...]
FullKey = tuple[Namespace, str]


class BaseCache(ABC, Generic[ValueT]):
    """Keeps values until their time to live is over; a missing, expired or unreadable value is a miss."""

    serde: SerializerProtocol = MsgpackSerializer()

    def __init__(self, *, serde: SerializerProtocol | None = None) -> None:
        if serde is not None:
            self.serde = serde

    @abstractmethod
    def get(self, keys: Sequence[FullKey]) -> dict[FullKey, ValueT]:
        """Return the values of those keys that are there and fresh."""

    @abstractmethod
    def set(self, pairs: Mapping[FullKey, tuple[ValueT, int | None]]) -> None:
        """Store values, each with its time to live in seconds (None: for good).

        Raises:
            SerializationError: a value cannot be stored; none of the pairs is.
        """

    @abstractmethod
    def clear(self, namespaces: Sequence[Namespace] | None = None) -> None:
        """Forget all values of these namespaces, or of all."""

    async def aget(self, keys: Sequence[FullKey]) -> dict[FullKey, ValueT]:
        """Asynchronous twin of `get`."""
        return self.get(keys)

    async def aset(self, pairs: Mapping[FullKey, tuple[ValueT, int | None]]) -> None:
        """Asynchronous twin of `set`."""
        self.set(pairs)

    async def aclear(self, namespaces: Sequence[Namespace] | None = None) -> None:
        """Asynchronous twin of `clear`."""
        self.clear(namespaces)
