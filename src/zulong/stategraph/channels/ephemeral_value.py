"""A channel whose value lives for one step."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Generic

from zulong.stategraph._keys import MISSING
from zulong.stategraph.channels.base import BaseChannel, Value
from zulong.stategraph.errors import EmptyChannelError, InvalidUpdateError

__all__ = ("EphemeralValue",)


class EphemeralValue(BaseChannel[Value, Value, Value], Generic[Value]):
    """Keeps what the step before wrote, and nothing longer.

    Args:
        guard: whether several values in one step are refused (else the last one is kept).
    """

    __slots__ = ("guard", "value")
    waits_for_finish = False

    def __init__(self, typ: Any, guard: bool = True) -> None:
        super().__init__(typ)
        self.guard = guard
        self.value: Any = MISSING

    def __eq__(self, other: object) -> bool:
        return isinstance(other, EphemeralValue) and other.guard == self.guard

    __hash__ = None  # type: ignore[assignment]

    def from_checkpoint(self, checkpoint: Any) -> EphemeralValue[Value]:
        new = self.__class__.__new__(self.__class__)
        new.typ = self.typ
        new.key = self.key
        new.guard = self.guard
        new.value = checkpoint
        return new

    def update(self, values: Sequence[Value]) -> bool:
        if not values:
            if self.value is MISSING:
                return False
            self.value = MISSING
            return True
        if len(values) != 1 and self.guard:
            raise InvalidUpdateError(
                f"At key '{self.key}': EphemeralValue(guard=True) can receive only one value per step. "
                "Use guard=False if you want to store any one of multiple values."
            )
        self.value = values[-1]
        return True

    def get(self) -> Any:
        if self.value is MISSING:
            raise EmptyChannelError(f"Channel '{self.key}' is empty.")
        return self.value

    def is_available(self) -> bool:
        return self.value is not MISSING

    def checkpoint(self) -> Any:
        return self.value
