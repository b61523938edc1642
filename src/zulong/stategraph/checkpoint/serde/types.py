"""Channel names with a meaning of their own among pending writes, and what a saver expects of a channel."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple, Protocol, TypeVar, runtime_checkable

ERROR = "__error__"
SCHEDULED = "__scheduled__"
INTERRUPT = "__interrupt__"
RESUME = "__resume__"
TASKS = "__pregel_tasks"

Value = TypeVar("Value", covariant=True)
Update = TypeVar("Update", contravariant=True)
C = TypeVar("C")


class _DeltaSnapshot(NamedTuple):
    """The whole value of a delta channel at one checkpoint; a walk over its ancestors ends here."""

    value: Any


class ChannelProtocol(Protocol[Value, Update, C]):
    """The part of a channel that checkpoints touch."""

    def checkpoint(self) -> C | None:
        """Return the value to store."""
        ...

    def from_checkpoint(self, checkpoint: C | None) -> Any:
        """Return a new channel that holds a stored value."""
        ...

    def update(self, values: Sequence[Update]) -> bool:
        """Apply the writes of one superstep; True when the value changed."""
        ...

    def get(self) -> Value:
        """Return the value."""
        ...


@runtime_checkable
class SendProtocol(Protocol):
    """A task to run next: a node and its argument."""

    node: str
    arg: Any
