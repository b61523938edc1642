"""The list types that the engine makes and that states, writes and checkpoints then hold."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, overload


def message_id(message: Any) -> Any:
    """The message's id, None if it has none."""
    if type(message) is dict:
        return message.get("id")
    return message.get("id") if isinstance(message, Mapping) else getattr(message, "id", None)


def _places(messages: Sequence[Any]) -> dict[Any, int]:
    return {message_id(m): i for i, m in enumerate(messages)}


class MessageList(list[Any]):
    """A list of messages that remembers where each id is, and shares that index with the lists made from it.

    The index is only ever extended; a list checks what it finds there, so sharing is safe, and adding one
    message costs one copy of the list's pointers and nothing else.
    """

    __slots__ = ("places",)

    def __init__(self, items: Sequence[Any] = (), places: dict[Any, int] | None = None) -> None:
        super().__init__(items)
        self.places: dict[Any, int] = places if places is not None else _places(self)

    def place(self, identity: Any) -> int | None:
        """Where the message with this id is, None if it is not here."""
        at = self.places.get(identity)
        if at is not None and at < len(self) and message_id(self[at]) == identity:
            return at
        return None

    def __reduce__(self) -> tuple[Any, ...]:
        return (list, (list(self),))


class LogView(Sequence[Any]):
    """An immutable sequence that shares its items with the longer sequences made from it.

    Appending is amortised O(items added): the newest view extends the shared buffer in place, and any older
    one copies it first, so that branches never see each other's items.
    """

    __slots__ = ("_buffer", "_length")
    __hash__ = None  # type: ignore[assignment]

    def __init__(self, items: Sequence[Any] = ()) -> None:
        self._buffer = list(items)
        self._length = len(self._buffer)

    def appended(self, items: Sequence[Any]) -> LogView:
        """A view of this one's items and `items` behind them."""
        new = LogView.__new__(LogView)
        buffer = self._buffer
        if len(buffer) != self._length:
            buffer = buffer[: self._length]
        buffer.extend(items)
        new._buffer = buffer
        new._length = self._length + len(items)
        return new

    def __len__(self) -> int:
        return self._length

    @overload
    def __getitem__(self, index: int) -> Any: ...
    @overload
    def __getitem__(self, index: slice) -> list[Any]: ...
    def __getitem__(self, index: int | slice) -> Any:
        if isinstance(index, slice):
            start, stop, step = index.indices(self._length)
            if step == 1:
                return self._buffer[start:stop]
            return [self._buffer[i] for i in range(start, stop, step)]
        if index < 0:
            index += self._length
        if not 0 <= index < self._length:
            raise IndexError("index out of range")
        return self._buffer[index]

    def __iter__(self) -> Iterator[Any]:
        return iter(self._buffer[: self._length])

    def __eq__(self, other: object) -> bool:
        if isinstance(other, (list, tuple, LogView)):
            return len(self) == len(other) and all(a == b for a, b in zip(self, other, strict=True))
        return NotImplemented

    def __add__(self, other: Sequence[Any]) -> list[Any]:
        return [*self, *other]

    def __radd__(self, other: Sequence[Any]) -> list[Any]:
        return [*other, *self]

    def __repr__(self) -> str:
        return repr(list(self))
