"""Hierarchical task networks: from a meaning to a plan whose leaves are skills."""

from zulong.agent.htn.step import (
    Plan,
    PlanResult,
    Question,
    Refusal,
    Step,
    UnresolvedReferenceError,
    WorldView,
    condition_holds,
    resolve,
)

__all__ = [
    "Plan",
    "PlanResult",
    "Question",
    "Refusal",
    "Step",
    "UnresolvedReferenceError",
    "WorldView",
    "condition_holds",
    "resolve",
]
