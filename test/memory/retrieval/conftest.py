"""Stores with the real retriever, indexed on demand so that tests need not wait for a thread."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from zulong.memory import MemoryConfig, MemoryGraph

START = 1_750_000_000.0


class Clock:
    def __init__(self) -> None:
        self.time = START

    def __call__(self) -> float:
        return self.time


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def open_graph(tmp_path: Path, clock: Clock) -> Iterator[Callable[..., MemoryGraph]]:
    opened: list[MemoryGraph] = []

    def open_one(name: str = "store", *, embedder: Any = None, **retrieval: Any) -> MemoryGraph:
        settings = {"background": False, "utc_offset_h": 0.0, **retrieval}
        config = MemoryConfig(retrieval=settings, door={"open": True})
        graph = MemoryGraph.open(tmp_path / name, embedder=embedder, clock=clock, config=config)
        opened.append(graph)
        return graph

    yield open_one
    for graph in opened:
        graph.close()


@pytest.fixture
def settle() -> Callable[[MemoryGraph], None]:
    """Embeds everything that waits."""

    def run(graph: MemoryGraph) -> None:
        while graph.lifecycle.run_once(["auto_embed"])["auto_embed"]:
            pass

    return run
