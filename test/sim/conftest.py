"""A fresh simulated home for each test; nobody walks unless a test lets them."""

from __future__ import annotations

import importlib.util

import pytest

if importlib.util.find_spec("mujoco") is None:  # pip install 'zulong[sim]'
    collect_ignore_glob = ["test_*.py"]
else:
    from zulong.apartment import Apartment, load_apartment
    from zulong.sim.simulator import Simulator, SimulatorConfig

    @pytest.fixture(scope="session")
    def home() -> Apartment:
        return load_apartment()

    @pytest.fixture
    def sim(home: Apartment) -> Simulator:
        return Simulator(home, SimulatorConfig(seed=7, walk_routes=False))
