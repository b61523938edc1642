"""Threads take turns at a task graph: its public methods hold the journal's lock."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec, Protocol, TypeVar

from zulong.tasks.journal import Journal


class _Keeper(Protocol):
    _journal: Journal


Self = TypeVar("Self", bound=_Keeper)
P = ParamSpec("P")
R = TypeVar("R")


def in_turn(method: Callable[Concatenate[Self, P], R]) -> Callable[Concatenate[Self, P], R]:
    """Let a method run while no other thread is at the graph."""

    @wraps(method)
    def call(self: Self, /, *args: P.args, **named: P.kwargs) -> R:
        with self._journal.lock:
            return method(self, *args, **named)

    return call
