"""Reading a stream that may stall, drip or never end, within limits that hold whatever the server does."""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from typing import Any, Generic, TypeVar

from zulong.agent.chat.errors import ChatCanceledError, ModelTimeoutError
from zulong.agent.latch import CancelLatch

T = TypeVar("T")
_END = object()
_CANCELED = object()


class BoundedStream(Generic[T]):
    """Iterates over what ``open_stream()`` yields, read in a thread of its own.

    A blocked read cannot hold the caller up: at a limit or a cancel the caller leaves, the source is closed,
    and the reading thread ends by its own socket time-out.

    Args:
        open_stream: begins the request and returns what is iterated, called in the reading thread; closed by its ``close``.
        cancel: ends the iteration with :class:`ChatCanceledError`.
        first_s: longest wait for the first item.
        idle_s: longest wait between two items.
        total_s: longest time for all.
        name: of the model, for messages.
    """

    def __init__(
        self,
        open_stream: Callable[[], Iterable[T]],
        cancel: CancelLatch,
        *,
        first_s: float,
        idle_s: float,
        total_s: float,
        name: str,
    ) -> None:
        self._open = open_stream
        self._cancel = cancel
        self._first_s = first_s
        self._idle_s = idle_s
        self._total_s = total_s
        self._name = name
        self._items: queue.Queue[Any] = queue.Queue()
        self._source: Any = None
        self._left = threading.Event()

    def __iter__(self) -> Iterator[T]:
        withdraw = self._cancel.on_set(lambda: self._items.put(_CANCELED))
        thread = threading.Thread(target=self._read, name="chat-stream", daemon=True)
        thread.start()
        deadline = time.monotonic() + self._total_s
        limit_s, what = self._first_s, "said nothing"
        try:
            while True:
                wait = min(limit_s, deadline - time.monotonic())
                if wait <= 0:
                    raise ModelTimeoutError(f"{self._name} did not finish within {self._total_s:g} s.")
                try:
                    item = self._items.get(timeout=wait)
                except queue.Empty:
                    if time.monotonic() >= deadline:
                        continue
                    raise ModelTimeoutError(f"{self._name} {what} for {limit_s:g} s.") from None
                if item is _CANCELED or self._cancel.is_set:
                    raise ChatCanceledError(f"Canceled while {self._name} spoke: {self._cancel.reason}")
                if item is _END:
                    return
                if isinstance(item, BaseException):
                    raise item
                yield item
                limit_s, what = self._idle_s, "fell silent"
        finally:
            withdraw()
            self._left.set()
            self._close()

    def _read(self) -> None:
        try:
            source = self._source = self._open()
            if self._left.is_set():
                self._close()
            for item in source:
                self._items.put(item)
                if self._left.is_set():
                    return
            self._items.put(_END)
        except BaseException as error:
            self._items.put(error)

    def _close(self) -> None:
        close = getattr(self._source, "close", None)
        if close is None:
            return
        # Closing may block on a dead connection, and a generator that runs in the other thread refuses it.
        threading.Thread(target=_quietly, args=(close,), daemon=True).start()


def _quietly(close: Callable[[], object]) -> None:
    try:
        close()
    except Exception:  # noqa: S110 - the stream is given up; nothing is left to be done about it
        pass
