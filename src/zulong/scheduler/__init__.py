"""L1-B scheduler: which event comes first, who may interrupt whom, and how much of the robot is awake. No ROS in here."""

from zulong.scheduler.event_queue import Event, EventQueue, Priority
from zulong.scheduler.gatekeeper import Attention, Gatekeeper, Intent, Ruling
from zulong.scheduler.power import PowerMode, PowerPolicy
from zulong.scheduler.tool_prediction import ToolPredictor, ToolSummary

__all__ = [
    "Attention",
    "Event",
    "EventQueue",
    "Gatekeeper",
    "Intent",
    "PowerMode",
    "PowerPolicy",
    "Priority",
    "Ruling",
    "ToolPredictor",
    "ToolSummary",
]
