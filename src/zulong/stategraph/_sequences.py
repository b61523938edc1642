"""The sequence type that the engine makes and that states, writes and checkpoints then hold."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, overload


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
