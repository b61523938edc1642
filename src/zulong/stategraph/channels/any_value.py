"""A channel for values that are equal whoever writes them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Generic

from zulong.stategraph._keys import MISSING
from zulong.stategraph.channels.base import BaseChannel, Value
from zulong.stategraph.errors import EmptyChannelError

__all__ = ("AnyValue",)


class AnyValue(BaseChannel[Value, Value, Value], Generic[Value]):
    """Keeps one of the values of the last step; a step that writes none empties it."""

    __slots__ = ("value",)
    waits_for_finish = False

    def __init__(self, typ: Any, key: str = "") -> None:
        super().__init__(typ, key)
        self.value: Any = MISSING

    def __eq__(self, other: object) -> bool:
        return isinstance(other, AnyValue)

    __hash__ = None  # type: ignore[assignment]

    def from_checkpoint(self, checkpoint: Any) -> AnyValue[Value]:
        new = self.__class__(self.typ, self.key)
        new.value = checkpoint
        return new

    def update(self, values: Sequence[Value]) -> bool:
        before = self.value
        self.value = values[-1] if values else MISSING
        return bool(values) or before is not MISSING

    def get(self) -> Any:
        if self.value is MISSING:
            raise EmptyChannelError(f"Channel '{self.key}' is empty.")
        return self.value

    def is_available(self) -> bool:
        return self.value is not MISSING

    def checkpoint(self) -> Any:
        return self.value
