"""Stores with the real retriever and the real door."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from zulong.memory import MemoryConfig, MemoryGraph


class Clock:
    def __init__(self) -> None:
        self.time = 1_750_000_000.0

    def __call__(self) -> float:
        self.time += 1.0
        return self.time


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def open_graph(tmp_path: Path, clock: Clock) -> Iterator[Callable[..., MemoryGraph]]:
    opened: list[MemoryGraph] = []

    def open_one(**door: Any) -> MemoryGraph:
        config = MemoryConfig(retrieval={"background": False}, door=door)
        graph = MemoryGraph.open(tmp_path / "store", clock=clock, config=config)
        opened.append(graph)
        return graph

    yield open_one
    for graph in opened:
        graph.close()
