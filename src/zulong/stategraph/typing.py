"""Type variables of graphs, states and contexts."""

from __future__ import annotations

from typing import TypeVar

__all__ = ("ContextT", "InputT", "NodeInputT", "OutputT", "StateT", "StateT_co", "StateT_contra")

StateT = TypeVar("StateT")
StateT_co = TypeVar("StateT_co", covariant=True)
StateT_contra = TypeVar("StateT_contra", contravariant=True)
ContextT = TypeVar("ContextT")
ContextT_contra = TypeVar("ContextT_contra", contravariant=True)
InputT = TypeVar("InputT")
OutputT = TypeVar("OutputT")
NodeInputT = TypeVar("NodeInputT")
NodeInputT_contra = TypeVar("NodeInputT_contra", contravariant=True)
