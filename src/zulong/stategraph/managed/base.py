"""The protocol of managed values: state keys that are computed, never stored."""

from __future__ import annotations

from abc import ABC, abstractmethod
from inspect import isclass
from typing import Any, Generic, Protocol, TypeVar

V = TypeVar("V")

__all__ = ("ManagedValue", "ManagedValueMapping", "ManagedValueSpec", "is_managed_value")


class StepBounds(Protocol):
    """What a managed value may look at."""

    step: int
    stop: int


class ManagedValue(ABC, Generic[V]):
    """A state key whose value is computed when a node reads it."""

    @staticmethod
    @abstractmethod
    def get(scratchpad: StepBounds) -> Any:
        """The value for the step `scratchpad.step` of a run that must stop before `scratchpad.stop`."""


ManagedValueSpec = type[ManagedValue[Any]]
ManagedValueMapping = dict[str, ManagedValueSpec]


def is_managed_value(value: Any) -> bool:
    """Whether `value` is a class of managed values."""
    return isclass(value) and issubclass(value, ManagedValue)
