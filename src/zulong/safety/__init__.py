"""L1-E safety: turns readings and heartbeats into hazards and a latched emergency stop. No ROS in here."""

from zulong.safety.heartbeats import Heartbeats
from zulong.safety.monitor import Hazard, HazardKind, Level, SafetyLimits, SafetyMonitor, Verdict

__all__ = ["Hazard", "HazardKind", "Heartbeats", "Level", "SafetyLimits", "SafetyMonitor", "Verdict"]
