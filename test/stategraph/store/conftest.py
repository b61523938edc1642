"""Stores of every kind, each fresh, with a clock that the test moves."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest


class Clock:
    """Seconds since 1970, as the test says."""

    def __init__(self) -> None:
        self.now = 1_900_000_000.0

    def __call__(self) -> float:
        return self.now

    def pass_minutes(self, minutes: float) -> None:
        self.now += minutes * 60


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def memory_disk(tmp_path: Path) -> Iterator[Path]:
    """A folder on a file system in memory, where there is one: what these tests ask does not need a slow disk."""
    shared = Path("/dev/shm")
    if not os.access(shared, os.W_OK):
        yield tmp_path
        return
    with tempfile.TemporaryDirectory(prefix="zulong-test-", dir=shared) as name:
        yield Path(name)


@pytest.fixture(params=["memory", "lmdb"])
def make_store(request: pytest.FixtureRequest, memory_disk: Path, clock: Clock) -> Iterator[Any]:
    made: list[Any] = []

    def make(**options: Any) -> Any:
        options.setdefault("clock", clock)
        if request.param == "memory":
            from zulong.stategraph.store.memory import InMemoryStore

            store: Any = InMemoryStore(**options)
        else:
            from zulong.stategraph.store.lmdb import LmdbStore

            store = LmdbStore(memory_disk / f"store{len(made)}", **options)
        made.append(store)
        return store

    yield make
    for store in made:
        store.close()


@pytest.fixture
def store(make_store: Any) -> Any:
    return make_store()
