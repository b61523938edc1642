"""kill -9 at random moments of the loop: no effect twice, remote calls exactly once, every call answered."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest


def run_harness(folder: Path, kills: int, seed: int, seconds: float, limit_s: float) -> int:
    environment = os.environ | {"PYTHONPATH": str(Path(__file__).parents[3] / "src")}
    harness = [
        sys.executable,
        str(Path(__file__).with_name("kill_harness.py")),
        str(folder),
        str(kills),
        str(seed),
        str(seconds),
    ]
    done = subprocess.run(harness, env=environment, capture_output=True, text=True, timeout=limit_s)
    assert done.returncode == 0, done.stderr[-3000:]
    report = json.loads(done.stdout.splitlines()[-1])
    # On a machine that has no time for so many, fewer must do: every one of them was checked.
    assert report["kills"] >= kills or (report["out_of_time"] and report["kills"] > 0)
    return report["kills"]


@pytest.mark.feature("FC-01", "FC-06", "SG-10")
def test_a_loop_killed_at_random_moments_does_nothing_twice(tmp_path: Path) -> None:
    assert run_harness(tmp_path, kills=20, seed=1, seconds=45, limit_s=280) > 0


@pytest.mark.slow
@pytest.mark.timeout(1800)
@pytest.mark.feature("FC-01", "FC-06", "SG-10")
def test_a_loop_killed_three_hundred_times_does_nothing_twice(tmp_path: Path) -> None:
    assert run_harness(tmp_path, kills=300, seed=5000, seconds=1500, limit_s=1700) >= 300
