"""kill -9 at hundreds of numbered points: after resume the state is that of a run without failure, and with
durability "sync" each side effect with its idempotency key happened once."""

from __future__ import annotations

import importlib.util
import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

_spec = importlib.util.spec_from_file_location(
    "zulong_kill_rounds", Path(__file__).with_name("kill_rounds.py")
)
assert _spec is not None
assert _spec.loader is not None
rounds: Any = importlib.util.module_from_spec(_spec)
import sys  # noqa: E402

sys.modules[_spec.name] = rounds  # its TypedDict looks its annotations up there
_spec.loader.exec_module(rounds)

#: (graph, durability) -> kill points in CI; together more than 500.
PLAN = {
    ("loop", "sync"): 130,
    ("loop", "async"): 90,
    ("parallel", "sync"): 120,
    ("nested", "sync"): 90,
    ("functional", "sync"): 90,
    ("loop", "exit"): 20,
}


@pytest.fixture
def memory_folder() -> Iterator[Path]:
    """A folder on a disk in memory: what is tested is the order of writes, not the disk."""
    base = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    folder = Path(tempfile.mkdtemp(prefix="zulong-kill-", dir=base))
    yield folder
    shutil.rmtree(folder, ignore_errors=True)


def run_rounds(name: str, durability: str, folder: Path, count: int) -> int:
    whole = folder / "whole"
    whole.mkdir()
    points = rounds.run_and_die(name, whole, durability, 10**9)
    expected, done = rounds.resume(name, whole)
    step = max(1, points // count)
    killed = 0
    for limit in range(1, points + 1, step):
        output, happened = rounds.round_of(name, folder / "round", durability, limit)
        assert output == expected, f"killed at point {limit} of {points}"
        if durability == "sync":
            assert happened == done, f"killed at point {limit} of {points}"
        elif durability == "async":
            # What was ahead of the disk runs again, under new keys: at most the two steps that may be in flight.
            assert happened.keys() == done.keys()
            assert all(happened[what] >= times for what, times in done.items())
            assert sum(happened.values()) - sum(done.values()) <= 2, f"killed at point {limit} of {points}"
        killed += 1
    return killed


@pytest.mark.feature("SG-09", "SG-10", "SG-11", "SG-19", "SG-23")
@pytest.mark.parametrize(("name", "durability"), PLAN)
def test_a_run_that_was_killed_anywhere_resumes_to_the_same_end(
    name: str, durability: str, memory_folder: Path
) -> None:
    wanted = PLAN[name, durability]
    assert run_rounds(name, durability, memory_folder, wanted) >= wanted


def test_the_plan_has_at_least_five_hundred_points() -> None:
    assert sum(PLAN.values()) >= 500


@pytest.mark.slow
@pytest.mark.parametrize("durability", ["sync", "async"])
@pytest.mark.parametrize("name", ["loop", "parallel", "nested", "functional"])
def test_soak_at_thousands_of_points(name: str, durability: str, memory_folder: Path) -> None:
    assert run_rounds(name, durability, memory_folder, 2000) >= 1000
