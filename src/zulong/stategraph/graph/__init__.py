"""Graphs as people write them: nodes, edges and a shared state."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from zulong.stategraph.constants import END, START
from zulong.stategraph.graph.state import StateGraph

if TYPE_CHECKING:
    from zulong.stategraph.graph.message import MessageGraph, MessagesState, add_messages

__all__ = ("END", "START", "MessageGraph", "MessagesState", "StateGraph", "add_messages")


def __getattr__(name: str) -> Any:
    if name in ("MessageGraph", "MessagesState", "add_messages"):
        from zulong.stategraph.graph import message

        return getattr(message, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
