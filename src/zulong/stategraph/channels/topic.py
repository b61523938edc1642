"""A channel that collects everything written to it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Generic

from zulong.stategraph._keys import MISSING
from zulong.stategraph.channels.base import BaseChannel, Value
from zulong.stategraph.errors import EmptyChannelError

__all__ = ("Topic",)


class Topic(BaseChannel[Sequence[Value], Any, list[Value]], Generic[Value]):
    """A list of all values of the last step, or with `accumulate` of all steps. Lists are flattened once."""

    __slots__ = ("accumulate", "values")
    waits_for_finish = False

    def __init__(self, typ: Any, accumulate: bool = False) -> None:
        super().__init__(typ)
        self.accumulate = accumulate
        self.values: list[Value] = []

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Topic) and other.accumulate == self.accumulate

    __hash__ = None  # type: ignore[assignment]

    @property
    def ValueType(self) -> Any:
        return Sequence[self.typ]  # type: ignore[name-defined]

    @property
    def UpdateType(self) -> Any:
        return self.typ | list[self.typ]  # type: ignore[name-defined]

    def checkpoint(self) -> list[Value]:
        return self.values

    def from_checkpoint(self, checkpoint: Any) -> Topic[Value]:
        new = self.__class__(self.typ, self.accumulate)
        new.key = self.key
        if checkpoint is not MISSING:
            # Checkpoints of LangGraph before 0.3 hold (seen, values).
            new.values = list(checkpoint[1] if isinstance(checkpoint, tuple) else checkpoint)
        return new

    def update(self, values: Sequence[Any]) -> bool:
        flat: list[Value] = []
        for value in values:
            if isinstance(value, list):
                flat.extend(value)
            else:
                flat.append(value)
        if self.accumulate:
            # A new list, so that a checkpoint that is still being written keeps the old one.
            if flat:
                self.values = [*self.values, *flat]
            return bool(flat)
        changed = bool(self.values) or bool(flat)
        self.values = flat
        return changed

    def get(self) -> Sequence[Value]:
        if not self.values:
            raise EmptyChannelError(f"Channel '{self.key}' is empty.")
        return list(self.values)

    def is_available(self) -> bool:
        return bool(self.values)
