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


@pytest.fixture
def server():
    """A scripted OpenAI-compatible server on a real socket."""
    from scripted_server import ScriptedServer

    running = ScriptedServer()
    yield running
    running.close()


@pytest.fixture
def make_model(server):
    """Make a model at the scripted server, impatient so that tests are quick."""
    from zulong.agent.chat import OpenAIModel, OpenAISettings

    def make(**settings: Any) -> OpenAIModel:
        quick = {"first_s": 2.0, "idle_s": 0.5, "total_s": 5.0, "pause_s": 0.01, "longest_pause_s": 0.5}
        named = {"model": "scripted", "base_url": server.url}
        return OpenAIModel(OpenAISettings(**(named | quick | settings)))

    return make
