"""The protocol of a channel."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, ClassVar, Generic, TypeVar

from zulong.stategraph._keys import MISSING
from zulong.stategraph.errors import EmptyChannelError

Value = TypeVar("Value")
Update = TypeVar("Update")
Checkpoint = TypeVar("Checkpoint")
Self = TypeVar("Self", bound="BaseChannel[Any, Any, Any]")

__all__ = ("BaseChannel", "EmptyChannelError")


class BaseChannel(Generic[Value, Update, Checkpoint], ABC):
    """One piece of state.

    Attributes:
        key: the channel's name in its graph.
        typ: the declared type of its value.
        cleared_each_step: whether a step that writes nothing to the channel changes it. The engine calls
            `update(())` only on such channels; the default is the safe answer for a channel it does not know.
        waits_for_finish: whether `finish` does anything; the engine calls it only then.
    """

    __slots__ = ("key", "typ")
    cleared_each_step: ClassVar[bool] = True
    waits_for_finish: ClassVar[bool] = True

    def __init__(self, typ: Any, key: str = "") -> None:
        self.typ = typ
        self.key = key

    @property
    def ValueType(self) -> Any:
        """The type of the value that `get` returns."""
        return self.typ

    @property
    def UpdateType(self) -> Any:
        """The type of one update."""
        return self.typ

    def copy(self: Self) -> Self:
        """An independent channel with the same content."""
        return self.from_checkpoint(self.checkpoint())

    def checkpoint(self) -> Any:
        """What has to be saved, `MISSING` if nothing."""
        try:
            return self.get()
        except EmptyChannelError:
            return MISSING

    @abstractmethod
    def from_checkpoint(self: Self, checkpoint: Any) -> Self:
        """A new channel of this kind with the saved content, empty for `MISSING`."""

    @abstractmethod
    def get(self) -> Any:
        """The value.

        Raises:
            EmptyChannelError: nothing was written yet.
        """

    def is_available(self) -> bool:
        """Whether `get` has a value."""
        try:
            self.get()
        except EmptyChannelError:
            return False
        return True

    @abstractmethod
    def update(self, values: Sequence[Any]) -> bool:
        """Take the updates of one step, in task order; say whether the channel changed.

        Raises:
            InvalidUpdateError: the updates cannot be taken together; the channel is unchanged.
        """

    def consume(self) -> bool:
        """A task that this channel triggered is done; say whether the channel changed."""
        return False

    def finish(self) -> bool:
        """The run would end now; say whether the channel changed."""
        return False
