"""Missions: an instruction or a plan carried out by skills, as a thread that survives a power cut."""

from zulong.agent.chat.errors import ModelUnavailableError
from zulong.agent.mission.driver import Mission
from zulong.agent.mission.engine import MissionEngine, MissionError
from zulong.agent.mission.state import (
    BlankWorld,
    Failure,
    MissionConfig,
    Outcome,
    Planner,
    Replanner,
    Update,
    World,
)

__all__ = [
    "BlankWorld",
    "Failure",
    "Mission",
    "MissionConfig",
    "MissionEngine",
    "MissionError",
    "ModelUnavailableError",
    "Outcome",
    "Planner",
    "Replanner",
    "Update",
    "World",
]
