"""Hierarchical task networks: from a meaning to a plan whose leaves are skills."""

from zulong.agent.htn.domain import Domain, DomainError
from zulong.agent.htn.planner import OfflinePlanner, Understood
from zulong.agent.htn.step import (
    Plan,
    PlanResult,
    Question,
    Refusal,
    Step,
    UnresolvedReferenceError,
    WorldView,
    clock,
    condition_holds,
    resolve,
)
from zulong.agent.htn.world import MapWorld, WorldError

__all__ = [
    "Domain",
    "DomainError",
    "MapWorld",
    "OfflinePlanner",
    "Plan",
    "PlanResult",
    "Question",
    "Refusal",
    "Step",
    "Understood",
    "UnresolvedReferenceError",
    "WorldError",
    "WorldView",
    "clock",
    "condition_holds",
    "resolve",
]
