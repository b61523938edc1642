"""What a run asks its driver to do."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any


class Effect:
    """Something that may wait."""

    __slots__ = ()


class Load(Effect):
    """Call a reading method of the saver; answer with its result (`list` as a list)."""

    __slots__ = ("args", "kwargs", "method")

    def __init__(self, method: str, *args: Any, **kwargs: Any) -> None:
        self.method = method
        self.args = args
        self.kwargs = kwargs


class Save(Effect):
    """Call writing methods of the saver, in order, after all that was asked before.

    Attributes:
        ends_step: whether this is the checkpoint of a step. "sync" waits for it; "async" waits only for the
            one before it, so that never more than one step is in flight.
    """

    __slots__ = ("calls", "ends_step")

    def __init__(self, calls: Sequence[tuple[str, tuple[Any, ...]]], *, ends_step: bool = False) -> None:
        self.calls = calls
        self.ends_step = ends_step


class Execute(Effect):
    """Run these tasks, and those they call; commit each as it ends."""

    __slots__ = ("tasks",)

    def __init__(self, tasks: Sequence[Any]) -> None:
        self.tasks = tasks


class CacheGet(Effect):
    """Look up writes in the cache; answer with a mapping of the keys that were found."""

    __slots__ = ("keys",)

    def __init__(self, keys: Sequence[Any]) -> None:
        self.keys = keys


class CachePut(Effect):
    """Store writes in the cache."""

    __slots__ = ("entries",)

    def __init__(self, entries: Mapping[Any, Any]) -> None:
        self.entries = entries


class Act(Effect):
    """Run one action outside of any step (a branch's path in `update_state`)."""

    __slots__ = ("action", "argument", "task")

    def __init__(self, action: Any, argument: Any, task: Any) -> None:
        self.action = action
        self.argument = argument
        self.task = task
