"""The planner for the default home."""

from __future__ import annotations

import pytest

from zulong.agent.htn import MapWorld, OfflinePlanner


@pytest.fixture(scope="session")
def planner() -> OfflinePlanner:
    """Return the planner with the shipped lexicon, domain and map, and no beliefs."""
    return OfflinePlanner()


@pytest.fixture(scope="session")
def world(planner: OfflinePlanner) -> MapWorld:
    """Return the shipped map without beliefs."""
    assert isinstance(planner.world, MapWorld)
    return planner.world
