"""Caches: what was computed comes back until its time is over."""

from __future__ import annotations

import dataclasses
import sqlite3
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from zulong.stategraph.cache.memory import InMemoryCache
from zulong.stategraph.cache.sqlite import SqliteCache
from zulong.stategraph.checkpoint.errors import (
    StorageClosedError,
    StorageFormatError,
    StorageReadOnlyError,
    UnregisteredTypeError,
)
from zulong.stategraph.checkpoint.serde.msgpack import MsgpackSerializer
from zulong.stategraph.checkpoint.serde.registry import TypeRegistry

pytestmark = pytest.mark.feature("SG-20")
A, B, C = (("n", "x"), "a"), (("n", "x"), "b"), (("n,x",), "a")


@pytest.fixture(params=["memory", "sqlite", "sqlite in memory"])
def cache(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Any]:
    if request.param == "memory":
        yield InMemoryCache()
        return
    with SqliteCache(path=tmp_path / "c.db" if request.param == "sqlite" else ":memory:") as made:
        yield made


def test_values_come_back_under_their_own_namespace(cache: Any) -> None:
    cache.set({A: ({"v": (1, 2)}, None), B: (None, None)})
    assert cache.get([A, B, C]) == {A: {"v": (1, 2)}, B: None}
    assert cache.get([]) == {}
    cache.set({A: ("new", None)})
    assert cache.get([A]) == {A: "new"}


def test_a_value_leaves_when_its_time_is_over(cache: Any) -> None:
    cache.set({A: (1, 0), B: (2, 3600), C: (3, None)})
    assert cache.get([A, B, C]) == {B: 2, C: 3}


def test_namespaces_are_cleared_one_by_one_or_all(cache: Any) -> None:
    cache.set({A: (1, None), C: (2, None)})
    cache.clear([("n",)])
    assert len(cache.get([A, C])) == 2
    cache.clear([("n", "x")])
    assert cache.get([A, C]) == {C: 2}
    cache.clear()
    assert cache.get([A, C]) == {}


def test_a_cached_object_is_not_shared(cache: Any) -> None:
    value = [1]
    cache.set({A: (value, None)})
    value.append(2)
    cache.get([A])[A].append(3)
    assert cache.get([A]) == {A: [1]}


def test_what_cannot_be_stored_is_an_error_and_stores_nothing(cache: Any) -> None:
    with pytest.raises(UnregisteredTypeError):
        cache.set({A: (1, None), B: (object(), None)})
    assert cache.get([A, B]) == {}


async def test_asynchronous_twins_do_the_same(cache: Any) -> None:
    await cache.aset({A: (1, None), B: (2, 0)})
    assert await cache.aget([A, B]) == {A: 1}
    await cache.aclear()
    assert await cache.aget([A]) == {}


def test_the_oldest_entries_leave_a_full_cache() -> None:
    cache: InMemoryCache[int] = InMemoryCache(max_entries=2)
    for number, key in enumerate("abc"):
        cache.set({(("n",), key): (number, None)})
    assert cache.get([(("n",), key) for key in "abc"]) == {(("n",), "b"): 1, (("n",), "c"): 2}


def test_a_file_keeps_its_values_over_a_restart_and_drops_ended_ones(tmp_path: Path) -> None:
    with SqliteCache(path=tmp_path / "c.db") as cache:
        cache.set({A: (1, None), B: (2, 1)})
    with sqlite3.connect(tmp_path / "c.db") as connection:
        connection.execute("UPDATE entries SET expiry = ? WHERE expiry IS NOT NULL", (time.time() - 1,))
    with SqliteCache(path=tmp_path / "c.db") as cache:
        assert cache.get([A, B]) == {A: 1}
    with sqlite3.connect(tmp_path / "c.db") as connection:
        assert connection.execute("SELECT count(*) FROM entries").fetchone() == (1,)


def test_a_value_of_a_type_that_is_gone_is_a_miss(tmp_path: Path) -> None:
    @dataclasses.dataclass
    class Gone:
        a: int

    registry = TypeRegistry()
    registry.register(Gone)
    with SqliteCache(path=tmp_path / "c.db", serde=MsgpackSerializer(registry)) as cache:
        cache.set({A: (Gone(1), None), B: (2, None)})
    with SqliteCache(path=tmp_path / "c.db") as cache:
        assert cache.get([A, B]) == {B: 2}


def test_files_that_cannot_be_used_are_named(tmp_path: Path) -> None:
    with pytest.raises(StorageReadOnlyError, match="missing"):
        SqliteCache(path=tmp_path / "missing" / "c.db")
    (tmp_path / "notes").write_text("these are notes, not a database " * 100)
    with pytest.raises(StorageFormatError, match="notes"):
        SqliteCache(path=tmp_path / "notes")


def test_a_closed_cache_says_so(tmp_path: Path) -> None:
    cache: SqliteCache[int] = SqliteCache(path=tmp_path / "c.db")
    cache.close()
    cache.close()
    with pytest.raises(StorageClosedError, match="closed"):
        cache.get([A])
