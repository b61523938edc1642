"""What the tests of the agent share; ``scripted_parts`` next to this file is made importable for them."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from zulong.agent.mission import MissionConfig, MissionEngine
from zulong.stategraph.checkpoint.memory import InMemorySaver

sys.path.insert(0, str(Path(__file__).parent))

from scripted_parts import RecordingSkills, TablePlanner


@pytest.fixture
def planner() -> TablePlanner:
    return TablePlanner()


@pytest.fixture
def skills() -> RecordingSkills:
    return RecordingSkills()


@pytest.fixture
def make_engine(planner, skills) -> Callable[..., MissionEngine]:
    saver = InMemorySaver()

    def make(**options: Any) -> MissionEngine:
        config = {"retry_pause_s": 0.01, "cancel_time_limit_s": 1.0} | options.pop("config", {})
        options = {"planner": planner, "skills": skills, "checkpointer": saver} | options
        return MissionEngine(**options, config=MissionConfig(**config))

    return make
