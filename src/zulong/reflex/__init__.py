"""L1-A reflex: decides in microseconds whether the base may move as asked. No ROS, no waiting, no allocation that grows."""

from zulong.reflex.clearance import ScanGeometry, free_distance
from zulong.reflex.guard import Cause, GuardLimits, Motion, ReflexGuard, Trigger

__all__ = ["Cause", "GuardLimits", "Motion", "ReflexGuard", "ScanGeometry", "Trigger", "free_distance"]
