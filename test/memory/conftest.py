"""Stores in a temporary folder on a clock that tests move."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from zulong.memory import MemoryConfig, MemoryGraph
from zulong.memory.config import StorageConfig

START = 1_750_000_000.0


class Clock:
    """A clock in seconds since the epoch that moves only when told."""

    def __init__(self, start: float = START) -> None:
        self.time = start

    def __call__(self) -> float:
        return self.time

    def advance(self, seconds: float) -> float:
        self.time += seconds
        return self.time


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def new_clock() -> type[Clock]:
    """For property tests, which need a clock an example."""
    return Clock


@pytest.fixture
def plain_config() -> MemoryConfig:
    """The engine alone: recall by plain word overlap, a door that lets everything in, no gathering."""
    return MemoryConfig(
        retrieval={"direct": True}, door={"open": True}, storage=StorageConfig(commit_interval_s=0.0)
    )


@pytest.fixture
def open_store(
    tmp_path: Path, clock: Clock, plain_config: MemoryConfig
) -> Iterator[Callable[..., MemoryGraph]]:
    """Opens stores under the test's folder and closes what is still open at its end."""
    opened: list[MemoryGraph] = []

    def open_one(name: str = "store", config: MemoryConfig | None = None) -> MemoryGraph:
        graph = MemoryGraph.open(tmp_path / name, clock=clock, config=config or plain_config)
        opened.append(graph)
        return graph

    yield open_one
    for graph in opened:
        graph.close()


@pytest.fixture
def graph(open_store: Callable[..., MemoryGraph]) -> MemoryGraph:
    return open_store()
