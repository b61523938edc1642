"""kill -9 at random moments of the loop: no effect twice, remote calls exactly once, every call answered."""

from __future__ import annotations

from pathlib import Path

import pytest
from killing import run_harness

HARNESS = Path(__file__).with_name("kill_harness.py")


@pytest.mark.feature("FC-01", "FC-06", "SG-10")
def test_a_loop_killed_at_random_moments_does_nothing_twice(tmp_path: Path) -> None:
    assert run_harness(HARNESS, tmp_path, kills=20, seed=1, seconds=45, limit_s=280) > 0


@pytest.mark.slow
@pytest.mark.timeout(1800)
@pytest.mark.feature("FC-01", "FC-06", "SG-10")
def test_a_loop_killed_three_hundred_times_does_nothing_twice(tmp_path: Path) -> None:
    assert run_harness(HARNESS, tmp_path, kills=300, seed=5000, seconds=1500, limit_s=1700) >= 300
