"""The StateGraph: LangGraph's names and meaning on an engine of its own.

Names are imported when they are first used, so that importing this package costs next to nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from zulong.stategraph.constants import END, START
    from zulong.stategraph.func import entrypoint, task
    from zulong.stategraph.graph.message import MessagesState, add_messages
    from zulong.stategraph.graph.state import StateGraph
    from zulong.stategraph.runtime import Runtime
    from zulong.stategraph.types import Command, Send, interrupt

__all__ = (
    "END",
    "START",
    "Command",
    "MessagesState",
    "Runtime",
    "Send",
    "StateGraph",
    "add_messages",
    "entrypoint",
    "interrupt",
    "task",
)

_HOME = {
    "END": "constants",
    "START": "constants",
    "Command": "types",
    "MessagesState": "graph.message",
    "Runtime": "runtime",
    "Send": "types",
    "StateGraph": "graph.state",
    "add_messages": "graph.message",
    "entrypoint": "func",
    "interrupt": "types",
    "task": "func",
}


def __getattr__(name: str) -> Any:
    home = _HOME.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    value = getattr(import_module(f"{__name__}.{home}"), name)
    globals()[name] = value
    return value
