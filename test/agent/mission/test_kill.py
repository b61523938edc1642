"""kill -9 at random moments of random plans: every effect happens once, and the end state is right."""

from __future__ import annotations

from pathlib import Path

import pytest
from killing import run_harness

HARNESS = Path(__file__).with_name("kill_harness.py")


@pytest.mark.feature("FC-06", "SG-10", "RB-09", "RB-10")
def test_missions_killed_at_random_moments_do_each_thing_once(tmp_path: Path) -> None:
    assert run_harness(HARNESS, tmp_path, kills=40, seed=1, seconds=45, limit_s=280) > 0


@pytest.mark.slow
@pytest.mark.timeout(1800)
@pytest.mark.feature("FC-06", "SG-10", "RB-09", "RB-10")
def test_missions_killed_three_hundred_times_do_each_thing_once(tmp_path: Path) -> None:
    assert run_harness(HARNESS, tmp_path, kills=300, seed=1000, seconds=1500, limit_s=1700) >= 300
