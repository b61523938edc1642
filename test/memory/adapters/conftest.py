"""A real memory with the real retriever and the real door, on a clock that moves a second a look."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from zulong.memory import MemoryConfig, MemoryGraph


class Clock:
    def __init__(self) -> None:
        self.time = 1_750_000_000.0

    def __call__(self) -> float:
        self.time += 0.001
        return self.time

    def advance(self, seconds: float) -> float:
        self.time += seconds
        return self.time


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def reopen(tmp_path: Path, clock: Clock) -> Iterator[Callable[[], MemoryGraph]]:
    """Opens the one store of a test, closing it first if it is open."""
    opened: list[MemoryGraph] = []

    def again() -> MemoryGraph:
        for graph in opened:
            graph.close()
        graph = MemoryGraph.open(
            tmp_path / "store", clock=clock, config=MemoryConfig(retrieval={"background": False})
        )
        opened.append(graph)
        return graph

    yield again
    for graph in opened:
        graph.close()


@pytest.fixture
def graph(reopen: Callable[[], MemoryGraph]) -> MemoryGraph:
    return reopen()
