"""Channels that keep the last value written."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Generic

from zulong.stategraph._keys import MISSING
from zulong.stategraph.channels.base import BaseChannel, Value
from zulong.stategraph.errors import EmptyChannelError, ErrorCode, InvalidUpdateError, create_error_message

__all__ = ("LastValue", "LastValueAfterFinish")


class LastValue(BaseChannel[Value, Value, Value], Generic[Value]):
    """Keeps the value of the last step that wrote one; a step may write only one."""

    __slots__ = ("value",)
    cleared_each_step = False
    waits_for_finish = False

    def __init__(self, typ: Any, key: str = "") -> None:
        super().__init__(typ, key)
        self.value: Any = MISSING

    def __eq__(self, other: object) -> bool:
        return isinstance(other, LastValue)

    __hash__ = None  # type: ignore[assignment]

    def from_checkpoint(self, checkpoint: Any) -> LastValue[Value]:
        new = self.__class__.__new__(self.__class__)
        new.typ = self.typ
        new.key = self.key
        new.value = checkpoint
        return new

    def update(self, values: Sequence[Value]) -> bool:
        if len(values) != 1:
            if not values:
                return False
            raise InvalidUpdateError(
                create_error_message(
                    message=f"At key '{self.key}': Can receive only one value per step. "
                    "Use an Annotated key to handle multiple values.",
                    error_code=ErrorCode.INVALID_CONCURRENT_GRAPH_UPDATE,
                )
            )
        self.value = values[0]
        return True

    def get(self) -> Any:
        if self.value is MISSING:
            raise EmptyChannelError(f"Channel '{self.key}' is empty.")
        return self.value

    def is_available(self) -> bool:
        return self.value is not MISSING

    def checkpoint(self) -> Any:
        return self.value


class LastValueAfterFinish(BaseChannel[Value, Value, Any], Generic[Value]):
    """Keeps the last value, but shows it only once the run has nothing else to do; then only once."""

    __slots__ = ("finished", "value")
    cleared_each_step = False

    def __init__(self, typ: Any, key: str = "") -> None:
        super().__init__(typ, key)
        self.value: Any = MISSING
        self.finished = False

    def __eq__(self, other: object) -> bool:
        return isinstance(other, LastValueAfterFinish)

    __hash__ = None  # type: ignore[assignment]

    def checkpoint(self) -> Any:
        return MISSING if self.value is MISSING else (self.value, self.finished)

    def from_checkpoint(self, checkpoint: Any) -> LastValueAfterFinish[Value]:
        new = self.__class__(self.typ, self.key)
        if checkpoint is not MISSING:
            new.value, new.finished = checkpoint
        return new

    def update(self, values: Sequence[Any]) -> bool:
        if not values:
            return False
        self.finished = False
        self.value = values[-1]
        return True

    def consume(self) -> bool:
        if not self.finished:
            return False
        self.finished = False
        self.value = MISSING
        return True

    def finish(self) -> bool:
        if self.finished or self.value is MISSING:
            return False
        self.finished = True
        return True

    def get(self) -> Any:
        if not self.is_available():
            raise EmptyChannelError(f"Channel '{self.key}' is empty.")
        return self.value

    def is_available(self) -> bool:
        return self.finished and self.value is not MISSING
