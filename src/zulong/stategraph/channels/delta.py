"""Append-log channels: a step costs, in time and on disk, what it adds, however long the history is.

What is saved is the chain of writes (`LogValue`, shared by forks); the value is folded from it once, when a
thread is loaded, and then kept up to date write by write.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from copy import copy
from typing import Any, Generic

from zulong.stategraph._keys import MISSING
from zulong.stategraph._sequences import LogView
from zulong.stategraph.channels.base import BaseChannel, Value
from zulong.stategraph.channels.binop import concrete_type, same_reducer, two_overwrites, unwrap_overwrite
from zulong.stategraph.errors import EmptyChannelError
from zulong.stategraph.types import Overwrite

__all__ = ("AppendLog", "DeltaChannel", "LogView")


def replay(writes: Sequence[Any], operator: Callable[[Any, Any], Any], typ: Any) -> Any:
    """The value that a pairwise reducer makes of the writes of a log."""
    value: Any = MISSING
    for write in writes:
        is_overwrite, replacement = unwrap_overwrite(write)
        if is_overwrite:
            value = replacement
        else:
            value = operator(concrete_type(typ)() if value is MISSING else value, write)
    return value


class DeltaChannel(BaseChannel[Any, Any, Any], Generic[Value]):
    """Folds writes by `reducer(value, writes)` and saves the writes, not the value.

    Args:
        reducer: takes the value and the list of a step's writes. Folding writes in one call or in several
            must come to the same.
        typ: type of the value; its empty instance is where folding starts.
        snapshot_frequency: after this many writes the value itself is saved once, if it is much smaller than
            its log (updates that replace or remove would else let the log grow for ever).
    """

    __slots__ = ("_log", "_since", "reducer", "snapshot_frequency", "value")
    cleared_each_step = False
    waits_for_finish = False

    def __init__(
        self,
        reducer: Callable[[Any, Sequence[Any]], Any],
        typ: Any = None,
        *,
        snapshot_frequency: int = 100,
    ) -> None:
        if snapshot_frequency <= 0:
            raise ValueError(f"snapshot_frequency must be a positive int, got {snapshot_frequency}")
        super().__init__(list if typ is None else concrete_type(typ))
        self.reducer = reducer
        self.snapshot_frequency = snapshot_frequency
        self.value: Any = MISSING
        self._log: Any = None
        self._since = 0

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, DeltaChannel)
            and self.snapshot_frequency == other.snapshot_frequency
            and same_reducer(self.reducer, other.reducer)
        )

    __hash__ = None  # type: ignore[assignment]

    def _empty_twin(self) -> DeltaChannel[Value]:
        new = self.__class__.__new__(self.__class__)
        new.typ, new.key = self.typ, self.key
        new.reducer, new.snapshot_frequency = self.reducer, self.snapshot_frequency
        new.value, new._log, new._since = MISSING, None, 0
        return new

    def copy(self) -> DeltaChannel[Value]:
        new = self._empty_twin()
        new.value = copy(self.value)
        new._log, new._since = self._log, self._since
        return new

    def checkpoint(self) -> Any:
        return MISSING if self._log is None else self._log

    def from_checkpoint(self, checkpoint: Any) -> DeltaChannel[Value]:
        new = self._empty_twin()
        if checkpoint is MISSING or checkpoint is None:
            new.value = self.typ()
        elif hasattr(checkpoint, "to_list"):
            new._log = checkpoint
            new._fold(checkpoint.to_list())
        else:  # the key was an ordinary channel before: its value is where the log starts
            new._rebase(checkpoint)
        return new

    def _fold(self, writes: Sequence[Any]) -> None:
        start, value = 0, self.typ()
        for i, write in enumerate(writes):
            is_overwrite, replacement = unwrap_overwrite(write)
            if is_overwrite:
                start, value = i + 1, self.typ() if replacement is None else copy(replacement)
        rest = list(writes[start:])
        self._since = len(rest)
        self.value = self.reducer(value, rest) if rest else value

    def _rebase(self, value: Any) -> None:
        from zulong.stategraph.checkpoint.log import LogValue

        self.value = value
        # The log must not see later changes of the value, and stores no view of it.
        self._log = LogValue((Overwrite(list(value) if isinstance(value, LogView) else value),))
        self._since = 0

    def update(self, values: Sequence[Any]) -> bool:
        if not values:
            return False
        overwritten: Any = MISSING
        for value in values:
            is_overwrite, replacement = unwrap_overwrite(value)
            if is_overwrite:
                if overwritten is not MISSING:
                    raise two_overwrites()
                overwritten = replacement
        if overwritten is not MISSING:
            self._rebase(self.typ() if overwritten is None else copy(overwritten))
            return True
        writes = list(values)
        self.value = self.reducer(self.typ() if self.value is MISSING else self.value, writes)
        self._record(writes)
        return True

    def _record(self, writes: list[Any]) -> None:
        from zulong.stategraph.checkpoint.log import LogValue

        self._log = LogValue(writes) if self._log is None else self._log.append(writes)
        self._since += len(writes)
        if self._since > self.snapshot_frequency and self._since > 2 * _size(self.value):
            self._rebase(self.value)

    def get(self) -> Any:
        if self.value is MISSING:
            raise EmptyChannelError(f"Channel '{self.key}' is empty.")
        return self.value

    def is_available(self) -> bool:
        return self.value is not MISSING


def _size(value: Any) -> int:
    try:
        return len(value)
    except TypeError:
        return 1


class AppendLog(DeltaChannel[Value], Generic[Value]):
    """A list that only grows: `Annotated[list, AppendLog]`. A node returns the items to add.

    Reading gives an immutable sequence that equals a list; neither reading nor adding depends on its length.
    """

    __slots__ = ()

    def __init__(self, typ: Any = list, *, snapshot_frequency: int = 100) -> None:
        super().__init__(_not_called, typ, snapshot_frequency=snapshot_frequency)

    def copy(self) -> AppendLog[Value]:
        new = self._empty_twin()
        new.value, new._log, new._since = self.value, self._log, self._since  # a view is immutable
        return new  # type: ignore[return-value]

    def _fold(self, writes: Sequence[Any]) -> None:
        start, value = 0, LogView()
        for i, item in enumerate(writes):
            if isinstance(item, Overwrite):
                start, value = i + 1, LogView(item.value or ())
        rest = writes[start:]
        self._since = len(rest)
        self.value = value.appended(rest)

    def update(self, values: Sequence[Any]) -> bool:
        if not values:
            return False
        items: list[Any] = []
        overwritten: Any = MISSING
        for value in values:
            is_overwrite, replacement = unwrap_overwrite(value)
            if is_overwrite:
                if overwritten is not MISSING:
                    raise two_overwrites()
                overwritten = replacement
            elif isinstance(value, (list, tuple, LogView)):
                items.extend(value)
            else:
                items.append(value)
        if overwritten is not MISSING:
            self._rebase(LogView(overwritten or ()))
            return True
        if not items:
            return False
        view = (
            self.value
            if isinstance(self.value, LogView)
            else LogView(() if self.value is MISSING else self.value)
        )
        self.value = view.appended(items)
        self._record(items)
        return True

    def from_checkpoint(self, checkpoint: Any) -> AppendLog[Value]:
        new = super().from_checkpoint(checkpoint)
        if not isinstance(new.value, LogView):
            new.value = LogView(new.value)
        return new  # type: ignore[return-value]


def _not_called(value: Any, writes: Sequence[Any]) -> Any:
    raise NotImplementedError("AppendLog folds by itself.")
