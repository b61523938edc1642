"""A channel that is never saved."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Generic

from zulong.stategraph._keys import MISSING
from zulong.stategraph.channels.base import BaseChannel, Value
from zulong.stategraph.errors import EmptyChannelError, InvalidUpdateError

__all__ = ("UntrackedValue",)


class UntrackedValue(BaseChannel[Value, Value, Value], Generic[Value]):
    """Keeps the last value within a run, and never in a checkpoint.

    Args:
        guard: whether several values in one step are refused (else the last one is kept).
    """

    __slots__ = ("guard", "value")
    cleared_each_step = False
    waits_for_finish = False

    def __init__(self, typ: Any, guard: bool = True) -> None:
        super().__init__(typ)
        self.guard = guard
        self.value: Any = MISSING

    def __eq__(self, other: object) -> bool:
        return isinstance(other, UntrackedValue) and other.guard == self.guard

    __hash__ = None  # type: ignore[assignment]

    def copy(self) -> UntrackedValue[Value]:
        new = self.from_checkpoint(MISSING)
        new.value = self.value
        return new

    def checkpoint(self) -> Any:
        return MISSING

    def from_checkpoint(self, checkpoint: Any) -> UntrackedValue[Value]:
        new = self.__class__(self.typ, self.guard)
        new.key = self.key
        return new

    def update(self, values: Sequence[Value]) -> bool:
        if not values:
            return False
        if len(values) != 1 and self.guard:
            raise InvalidUpdateError(
                f"At key '{self.key}': UntrackedValue(guard=True) can receive only one value per step. "
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
