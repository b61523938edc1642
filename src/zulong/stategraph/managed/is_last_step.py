"""How close a run is to its recursion limit."""

from __future__ import annotations

from typing import Annotated

from zulong.stategraph.managed.base import ManagedValue, StepBounds

__all__ = ("IsLastStep", "RemainingSteps", "RemainingStepsManager")


class IsLastStepManager(ManagedValue[bool]):
    """True in the last step that the recursion limit allows."""

    @staticmethod
    def get(scratchpad: StepBounds) -> bool:
        return scratchpad.step == scratchpad.stop - 1


class RemainingStepsManager(ManagedValue[int]):
    """How many steps the recursion limit still allows, this one included."""

    @staticmethod
    def get(scratchpad: StepBounds) -> int:
        return scratchpad.stop - scratchpad.step


IsLastStep = Annotated[bool, IsLastStepManager]
RemainingSteps = Annotated[int, RemainingStepsManager]
