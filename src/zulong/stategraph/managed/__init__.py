"""Values that the engine computes for a node: how many steps remain."""

from zulong.stategraph.managed.is_last_step import IsLastStep, RemainingSteps

__all__ = ("IsLastStep", "RemainingSteps")
