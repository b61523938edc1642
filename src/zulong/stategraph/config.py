"""What a node can ask about the run it is part of, without being handed it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from zulong.stategraph._context import CURRENT_TASK
from zulong.stategraph.types import RunnableConfig, StreamWriter

if TYPE_CHECKING:
    from zulong.stategraph.store.base import BaseStore

__all__ = ("get_config", "get_store", "get_stream_writer")


def get_config() -> RunnableConfig:
    """The config of the node that is running.

    Raises:
        RuntimeError: no node is running in this context.
    """
    task = CURRENT_TASK.get()
    if task is None:
        raise RuntimeError("Called get_config outside of a runnable context: no node is running here.")
    config: RunnableConfig = task.config
    return config


def get_store() -> BaseStore:
    """The store that the graph was compiled with (None without one)."""
    return _runtime().store  # type: ignore[no-any-return]


def get_stream_writer() -> StreamWriter:
    """A function that sends its argument to the stream mode "custom"."""
    return _runtime().stream_writer  # type: ignore[no-any-return]


def _runtime() -> Any:
    task = CURRENT_TASK.get()
    if task is None:
        raise RuntimeError("Called outside of a runnable context: no node is running here.")
    return task.runtime
