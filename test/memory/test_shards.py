"""Month shards of vectors: the answer of one big index, in the memory of a small one."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from zulong.memory import Draft, MemoryGraph
from zulong.memory.retrieval.vectors import VectorIndex
from zulong.memory.shards import ShardedVectors

DIM, MONTHS, EACH = 16, 6, 40
MONTH_S = 2_629_800.0
ONE_SHARD = EACH * (DIM * 4 + 300)


def unit_rows(rng: np.random.Generator, count: int) -> np.ndarray:
    rows = rng.normal(size=(count, DIM)).astype(np.float32)
    return (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float16).astype(np.float32)


@pytest.fixture
def stored(graph: MemoryGraph) -> tuple[MemoryGraph, np.ndarray, np.ndarray]:
    """Half a year of memories with vectors in the store: (graph, uids, matrix)."""
    graph.remember_many(
        [
            Draft(f"{month}.{index}", id=f"{month}.{index}", stamp=1.7e9 + month * MONTH_S)
            for month in range(MONTHS)
            for index in range(EACH)
        ]
    )
    uids = np.array([node.uid for node in graph.engine.documents()], np.int64)
    matrix = unit_rows(np.random.default_rng(1), len(uids))
    graph.engine.put_vectors(uids, matrix, "e")
    return graph, uids, matrix


@pytest.fixture
def open_shards(
    stored: tuple[MemoryGraph, np.ndarray, np.ndarray], tmp_path: Path
) -> Callable[..., ShardedVectors]:
    def open_one(
        budget: int = 3 * ONE_SHARD, flat_limit: int = 1000, seconds: float = 60.0
    ) -> ShardedVectors:
        return ShardedVectors(
            stored[0].engine,
            "e",
            DIM,
            lambda: VectorIndex(DIM, flat_limit),
            tmp_path / "shards",
            budget_bytes=budget,
            search_budget_s=seconds,
        )

    return open_one


def best(uids: np.ndarray, matrix: np.ndarray, vector: np.ndarray, n: int) -> list[int]:
    return uids[np.argsort(-(matrix @ vector), kind="stable")[:n]].tolist()


@pytest.mark.feature("MG-11")
@pytest.mark.parametrize("flat_limit", [1000, 20])
def test_the_answer_is_that_of_one_index_while_memory_stays_in_the_budget(
    stored: tuple[MemoryGraph, np.ndarray, np.ndarray],
    open_shards: Callable[..., ShardedVectors],
    flat_limit: int,
) -> None:
    _, uids, matrix = stored
    shards = open_shards(flat_limit=flat_limit)
    shards.add(uids, matrix)
    while shards.maintain():
        pass
    assert len(shards) == len(uids)
    rng = np.random.default_rng(2)
    for vector in unit_rows(rng, 10):
        assert shards.search(vector, 5).uids.tolist() == best(uids, matrix, vector, 5)
        assert shards.resident_bytes <= 3 * ONE_SHARD
        assert len(shards.resident) <= 3
        asked = rng.permutation(uids)[:50]
        cosines, known = shards.cosines(vector, np.append(asked, 99_999))
        assert known.tolist() == [True] * 50 + [False]
        assert cosines[:50] == pytest.approx(matrix[np.searchsorted(uids, asked)] @ vector, abs=2e-3)
    assert shards.drops > 0
    assert shards.loads > MONTHS


@pytest.mark.feature("MG-11")
def test_the_newest_months_are_never_dropped(
    stored: tuple[MemoryGraph, np.ndarray, np.ndarray], open_shards: Callable[..., ShardedVectors]
) -> None:
    graph, uids, matrix = stored
    shards = open_shards(budget=0)
    shards.add(uids, matrix)
    shards.maintain()
    assert shards.resident == sorted(graph.engine.shards(), reverse=True)[:2]


@pytest.mark.feature("MG-11")
def test_a_search_without_time_for_cold_months_answers_from_the_hot_ones(
    stored: tuple[MemoryGraph, np.ndarray, np.ndarray], open_shards: Callable[..., ShardedVectors]
) -> None:
    _, uids, matrix = stored
    shards = open_shards(budget=0, seconds=0.0)
    shards.add(uids, matrix)
    shards.maintain()
    hot = slice((MONTHS - 2) * EACH, None)
    assert shards.search(matrix[0], 3).uids.tolist() == best(uids[hot], matrix[hot], matrix[0], 3)


@pytest.mark.feature("MG-11")
def test_a_filter_that_no_memory_of_a_cold_month_passes_does_not_load_it(
    stored: tuple[MemoryGraph, np.ndarray, np.ndarray], open_shards: Callable[..., ShardedVectors]
) -> None:
    _, uids, matrix = stored
    shards = open_shards(budget=0)
    shards.add(uids, matrix)
    shards.maintain()
    loads = shards.loads
    found = shards.search(matrix[0], 3, passes=lambda some: some <= uids[EACH - 1])  # the first month
    assert found.uids[0] == uids[0]
    assert shards.loads == loads + 1


@pytest.mark.feature("MG-11", "MG-21")
@pytest.mark.parametrize("flat_limit", [1000, 20])
def test_what_was_removed_or_replaced_while_its_month_was_away_stays_so(
    stored: tuple[MemoryGraph, np.ndarray, np.ndarray],
    open_shards: Callable[..., ShardedVectors],
    flat_limit: int,
    tmp_path: Path,
) -> None:
    graph, uids, matrix = stored
    shards = open_shards(budget=0, flat_limit=flat_limit)
    shards.add(uids, matrix)
    while shards.maintain():
        pass
    assert len(shards.resident) == 2

    graph.forget(ids=["0.0"])
    assert shards.remove(uids[:1]) == 1
    opposite = -matrix[1:2]
    graph.engine.put_vectors(uids[1:2], opposite, "e")
    shards.add(uids[1:2], opposite)
    while shards.maintain():
        pass

    assert uids[0] not in shards.search(matrix[0], 200).uids
    assert shards.search(opposite[0], 1).uids.tolist() == [uids[1]]
    assert shards.holds(uids[:3]).tolist() == [False, True, True]
    shards.save(tmp_path / "shards", 7, "e")
    again = open_shards(budget=0, flat_limit=flat_limit)
    assert again.load(tmp_path / "shards", "e") == 7
    assert len(again) == len(uids) - 1
    assert uids[0] not in again.search(matrix[0], 200).uids
    assert again.search(opposite[0], 1).uids.tolist() == [uids[1]]
    again.purge()
    assert again.search(opposite[0], 1).uids.tolist() == [uids[1]]


@pytest.mark.feature("MG-11")
def test_a_damaged_shard_file_costs_time_and_no_vector(
    stored: tuple[MemoryGraph, np.ndarray, np.ndarray],
    open_shards: Callable[..., ShardedVectors],
    tmp_path: Path,
) -> None:
    _, uids, matrix = stored
    shards = open_shards(flat_limit=20)
    shards.add(uids, matrix)
    while shards.maintain():
        pass
    shards.save(tmp_path / "shards", 3, "e")
    damaged = list((tmp_path / "shards").rglob("*.faiss"))
    assert damaged
    for path in damaged:
        path.write_bytes(path.read_bytes()[:100])

    again = open_shards(budget=10**9, flat_limit=20)
    assert again.load(tmp_path / "shards", "e") == 3
    for vector in matrix[::37]:
        assert again.search(vector, 3).uids.tolist() == best(uids, matrix, vector, 3)
    (tmp_path / "shards" / "shards.zc").write_bytes(b"?")
    assert open_shards().load(tmp_path / "shards", "e") is None
    assert open_shards().load(tmp_path / "shards", "another") is None
