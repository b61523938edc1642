"""The LMDB saver under kill -9: nothing acknowledged is lost, nothing half written is seen."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.feature("SG-10", "SG-11")
PROGRAM = Path(__file__).with_name("crash_rounds.py")


def run_rounds(path: Path, rounds: int, keep_last: int, seed: int, timeout_s: float) -> dict[str, int]:
    done = subprocess.run(
        [sys.executable, str(PROGRAM), str(path), str(rounds), str(keep_last), str(seed)],
        capture_output=True,
        text=True,
        timeout=timeout_s,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    result: dict[str, int] = json.loads(done.stdout)
    return result


@pytest.mark.parametrize("keep_last", [0, 12], ids=["whole history", "history cut while dying"])
def test_a_killed_writer_loses_nothing_acknowledged_and_leaves_nothing_half(
    tmp_path: Path, keep_last: int
) -> None:
    result = run_rounds(tmp_path / "s", rounds=30, keep_last=keep_last, seed=keep_last, timeout_s=120)
    assert result["steps"] >= 30


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(10))
def test_hundreds_of_kills(tmp_path: Path, seed: int) -> None:
    run_rounds(tmp_path / "s", rounds=100, keep_last=20 if seed % 2 else 0, seed=seed, timeout_s=900)
