"""What the engine's tests share."""

from __future__ import annotations

import operator
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any, TypedDict

import pytest

from zulong.stategraph.checkpoint.lmdb import LmdbSaver
from zulong.stategraph.checkpoint.memory import InMemorySaver


class Log(TypedDict, total=False):
    """A state with one plain key and one that adds up."""

    x: int
    log: Annotated[list[Any], operator.add]


@pytest.fixture
def thread() -> dict[str, Any]:
    return {"configurable": {"thread_id": "1"}}


@pytest.fixture(params=["memory", "lmdb"])
def saver(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Any]:
    if request.param == "memory":
        yield InMemorySaver()
        return
    kept = LmdbSaver(tmp_path / "checkpoints")
    yield kept
    kept.close()


@pytest.fixture(params=["sync", "async", "exit"])
def durability(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def state() -> type[Log]:
    return Log
