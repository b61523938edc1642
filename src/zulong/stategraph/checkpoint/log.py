"""The value of an append-log channel: an immutable chain of segments that forks share.

Agreement between the engine and the savers:

- An append-log channel's `checkpoint()` returns a `LogValue`; `from_checkpoint()` receives one.
- `value.append(items)` makes one new segment whose parent is the old head; nothing else is touched, so the
  old value stays what it was and two forks of one value never see each other's items.
- A saver stores each segment once, under its id, and of a checkpoint only the head's id. What it has
  stored already (the parent, nearly always) it does not write again: a step costs what it adds.
- A saver gives back a `LogValue` whose items are read when they are first asked for.
- Where the items of a pending write are the very objects of a new segment, a saver may store a reference
  in place of a second copy; a channel that keeps the written objects gets this for nothing.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, overload

SEGMENT_ID_BYTES = 12
_lock = threading.Lock()
_last_ns = 0
_salt = os.urandom(4)
_salt_pid = os.getpid()


def new_segment_id() -> bytes:
    """Return 12 bytes that are unique over processes and sort by time within one process."""
    global _last_ns, _salt, _salt_pid
    ns = time.time_ns()
    with _lock:
        if _salt_pid != os.getpid():  # a forked child must not continue its parent's series
            _salt, _salt_pid = os.urandom(4), os.getpid()
        if ns <= _last_ns:
            ns = _last_ns + 1
        _last_ns = ns
        return ns.to_bytes(8, "big") + _salt


LoadChain = Callable[[bytes], "Sequence[tuple[bytes, Sequence[Any]]]"]
"""Given the id of a head, return (id, items) of every segment from the first to that head."""


class LogSegment:
    """One link: the items of one append, and the link before it. Immutable once made.

    `count` is the number of items up to and including this segment.
    """

    __slots__ = ("_items", "_load", "_parent", "count", "id")

    def __init__(
        self,
        items: Sequence[Any] | None,
        parent: LogSegment | None,
        *,
        segment_id: bytes | None = None,
        count: int | None = None,
        load: LoadChain | None = None,
    ) -> None:
        self.id = new_segment_id() if segment_id is None else segment_id
        self._items = items
        self._parent = parent
        self._load = load
        before = parent.count if parent is not None else 0
        self.count: int = before + len(items or ()) if count is None else count

    @property
    def loaded(self) -> bool:
        """Whether the items are in memory."""
        return self._load is None

    @property
    def items(self) -> Sequence[Any]:
        """The items of this segment alone (read from the saver on first use)."""
        if self._load is not None:
            self._resolve()
        return self._items or ()

    @property
    def parent(self) -> LogSegment | None:
        """The segment before this one, None for the first."""
        if self._load is not None:
            self._resolve()
        return self._parent

    def _resolve(self) -> None:
        load = self._load
        if load is None:
            return
        parent: LogSegment | None = None
        chain = load(self.id)
        for segment_id, items in chain[:-1]:
            parent = LogSegment(items, parent, segment_id=segment_id)
        self._items, self._parent = chain[-1][1], parent
        self._load = None  # last: a second thread that still sees the loader only reads once more


class LogValue:
    """An immutable sequence made of shared segments; equal to a list or another log of equal items.

    A plain class registered as a Sequence: savers ask `isinstance` of every value of every step, which for
    a subclass of an abstract one is ten times dearer.
    """

    __slots__ = ("head",)
    __hash__ = None  # type: ignore[assignment]

    def __init__(self, items: Iterable[Any] = (), *, head: LogSegment | None = None) -> None:
        first = tuple(items)
        self.head = LogSegment(first, head) if first else head

    @classmethod
    def stored(cls, segment_id: bytes, count: int, load: LoadChain) -> LogValue:
        """Return the value that a saver keeps under `segment_id`, read on first use through `load`."""
        return cls(head=LogSegment(None, None, segment_id=segment_id, count=count, load=load))

    def append(self, items: Sequence[Any]) -> LogValue:
        """Return a value with `items` behind this one's; the cost does not depend on the length."""
        return LogValue(items, head=self.head) if items else self

    def segments(self) -> Iterator[LogSegment]:
        """Yield the segments from the newest to the first."""
        segment = self.head
        while segment is not None:
            yield segment
            segment = segment.parent

    def to_list(self) -> list[Any]:
        """Return all items, oldest first, as a new list."""
        return [item for segment in reversed(list(self.segments())) for item in segment.items]

    def __len__(self) -> int:
        return self.head.count if self.head is not None else 0

    def __iter__(self) -> Iterator[Any]:
        return iter(self.to_list())

    def __reversed__(self) -> Iterator[Any]:
        return iter(self.to_list()[::-1])

    def __contains__(self, item: object) -> bool:
        return item in self.to_list()

    def index(self, item: Any, *bounds: int) -> int:
        """Return the first place of an item; see `list.index`."""
        return self.to_list().index(item, *bounds)

    def count(self, item: Any) -> int:
        """Return how often an item occurs."""
        return self.to_list().count(item)

    @overload
    def __getitem__(self, index: int) -> Any: ...
    @overload
    def __getitem__(self, index: slice) -> list[Any]: ...
    def __getitem__(self, index: int | slice) -> Any:
        return self.to_list()[index]

    def __eq__(self, other: object) -> bool:
        if isinstance(other, LogValue):
            return self.head is other.head or (len(self) == len(other) and self.to_list() == other.to_list())
        if isinstance(other, list | tuple):
            return self.to_list() == list(other)
        return NotImplemented

    def __repr__(self) -> str:
        return f"LogValue({len(self)} items)"


Sequence.register(LogValue)
