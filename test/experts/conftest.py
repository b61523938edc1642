"""Skills over the simulator in the same process: simulated time passes only while a skill waits."""

from __future__ import annotations

import importlib.util
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from zulong.apartment import Apartment, load_apartment

if importlib.util.find_spec("mujoco") is not None:
    from zulong.experts.ledger import Ledger
    from zulong.experts.navigation.navigator import Navigator
    from zulong.experts.runner import Outcome, SkillRunner
    from zulong.experts.skill import CancelLatch
    from zulong.experts.skills import all_skills
    from zulong.experts.skills.toolbox import Toolbox
    from zulong.sim.inline_robot import InlineRobot
    from zulong.sim.simulator import Simulator, SimulatorConfig

    class Bench:
        """A robot in its home with a runner: ``do`` is one goal."""

        def __init__(self, home: Apartment, folder: Path, walk_routes: bool = False, seed: int = 5) -> None:
            self.sim = Simulator(home, SimulatorConfig(seed=seed, walk_routes=walk_routes))
            self.robot = InlineRobot(self.sim)
            self.ledger = Ledger(folder)
            self.faults: list[BaseException] = []
            self.tools = Toolbox(home, Navigator(home))
            self.runner = SkillRunner(
                all_skills(self.tools),
                self.robot,
                self.ledger,
                lambda where, error: self.faults.append(error),
            )
            self.latch = CancelLatch()
            self.reports: list[tuple[float, str]] = []

        def do(self, skill: str, key: str = "", limit_s: float = 0.0, **arguments: Any) -> Outcome:
            self.latch = CancelLatch()
            self.reports = []
            return self.runner.execute(
                skill,
                json.dumps(arguments),
                key,
                limit_s,
                self.latch,
                lambda progress, message, state: self.reports.append((progress, message)),
            )

        def cancel_after(self, seconds: float) -> None:
            """Cancel the goal that runs then, ``seconds`` of simulated time from now."""
            due = self.sim.time_s + seconds

            def step() -> None:
                if self.sim.time_s >= due:
                    self.latch.set()

            self.robot.each_step = step

        def at_rest(self) -> bool:
            return self.robot.at_rest()

    @pytest.fixture
    def bench(home: Apartment, tmp_path: Path) -> Bench:
        return Bench(home, tmp_path / "ledger")

    @pytest.fixture
    def make_bench(home: Apartment, tmp_path: Path) -> Callable[..., Bench]:
        return lambda **options: Bench(home, tmp_path / "ledger", **options)
else:  # pip install 'zulong[sim]'
    collect_ignore_glob = ["test_skills*.py", "test_navigator.py", "test_runner.py"]


@pytest.fixture(scope="session")
def home() -> Apartment:
    return load_apartment()
