"""Channels that wait for a set of names: the join of several branches."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Generic

from zulong.stategraph._keys import MISSING
from zulong.stategraph.channels.base import BaseChannel, Value
from zulong.stategraph.errors import EmptyChannelError, InvalidUpdateError

__all__ = ("NamedBarrierValue", "NamedBarrierValueAfterFinish")


class NamedBarrierValue(BaseChannel[Value, Value, set[Value]], Generic[Value]):
    """Has the value None once every one of `names` was written, in whatever steps."""

    __slots__ = ("names", "seen")
    cleared_each_step = False
    waits_for_finish = False

    def __init__(self, typ: Any, names: set[Value]) -> None:
        super().__init__(typ)
        self.names = names
        self.seen: set[Value] = set()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, NamedBarrierValue) and other.names == self.names

    __hash__ = None  # type: ignore[assignment]

    def checkpoint(self) -> set[Value]:
        return self.seen

    def from_checkpoint(self, checkpoint: Any) -> NamedBarrierValue[Value]:
        new = self.__class__(self.typ, self.names)
        new.key = self.key
        if checkpoint is not MISSING:
            new.seen = set(checkpoint)
        return new

    def update(self, values: Sequence[Value]) -> bool:
        for value in values:
            if value not in self.names:
                raise InvalidUpdateError(f"At key '{self.key}': Value {value} not in {self.names}")
        if self.seen.issuperset(values):
            return False
        # A new set, so that a checkpoint that is still being written keeps the old one.
        self.seen = self.seen.union(values)
        return True

    def get(self) -> Any:
        if self.seen != self.names:
            raise EmptyChannelError(
                f"Channel '{self.key}' still waits for {sorted(map(str, self.names - self.seen))}."
            )
        return None

    def is_available(self) -> bool:
        return self.seen == self.names

    def consume(self) -> bool:
        if self.seen != self.names:
            return False
        self.seen = set()
        return True


class NamedBarrierValueAfterFinish(NamedBarrierValue[Value], Generic[Value]):
    """A `NamedBarrierValue` that opens only once the run has nothing else to do."""

    __slots__ = ("finished",)
    waits_for_finish = True

    def __init__(self, typ: Any, names: set[Value]) -> None:
        super().__init__(typ, names)
        self.finished = False

    def __eq__(self, other: object) -> bool:
        return isinstance(other, NamedBarrierValueAfterFinish) and other.names == self.names

    __hash__ = None

    def checkpoint(self) -> Any:
        return (self.seen, self.finished)

    def from_checkpoint(self, checkpoint: Any) -> NamedBarrierValueAfterFinish[Value]:
        new = self.__class__(self.typ, self.names)
        new.key = self.key
        if checkpoint is not MISSING:
            seen, new.finished = checkpoint
            new.seen = set(seen)
        return new

    def get(self) -> Any:
        if not self.finished:
            raise EmptyChannelError(f"Channel '{self.key}' waits for the end of the run.")
        return super().get()

    def is_available(self) -> bool:
        return self.finished and self.seen == self.names

    def consume(self) -> bool:
        if not self.is_available():
            return False
        self.finished = False
        self.seen = set()
        return True

    def finish(self) -> bool:
        if self.finished or self.seen != self.names:
            return False
        self.finished = True
        return True
