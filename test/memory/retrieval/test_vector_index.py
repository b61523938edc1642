import threading

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from zulong.memory.retrieval.vectors import VectorIndex

DIM = 16


def unit(seed: int, count: int) -> np.ndarray:
    rows = np.random.default_rng(seed).normal(size=(count, DIM)).astype(np.float32)
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


@settings(max_examples=40, deadline=None)
@given(
    st.lists(st.tuples(st.sampled_from("ard"), st.integers(0, 30), st.integers(0, 50)), max_size=60),
    st.integers(0, 9),
)
def test_whatever_came_and_went_it_finds_exactly_what_is_left(steps, seed):
    index, expected = VectorIndex(DIM, flat_limit=8), {}
    for action, uid, row in steps:
        if action == "a":
            vector = unit(row, 1)
            index.add(np.array([uid]), vector)
            expected[uid] = vector[0]
        elif action == "r":
            assert index.remove(np.array([uid])) == int(expected.pop(uid, None) is not None)
        else:
            index.maintain()
    question = unit(seed, 1)[0]
    found = index.search(question, 100)
    assert set(found.uids.tolist()) == set(expected)
    assert np.all(np.diff(found.cosines) <= 1e-6)
    for uid, cosine in zip(found.uids.tolist(), found.cosines, strict=True):
        assert cosine == pytest.approx(float(expected[uid] @ question), abs=2e-3)
    cosines, known = index.cosines(question, np.arange(31))
    assert set(np.flatnonzero(known).tolist()) == set(expected)
    assert len(index) == len(expected)
    for uid, vector in expected.items():
        assert cosines[uid] == pytest.approx(float(vector @ question), abs=2e-3)


def test_a_large_index_finds_nearly_all_true_neighbours():
    matrix = unit(1, 6000)
    index = VectorIndex(DIM, flat_limit=2000)
    for start in range(0, 6000, 1000):
        index.add(np.arange(start, start + 1000), matrix[start : start + 1000])
        index.maintain()
    hits = 0
    for question in unit(2, 20):
        true = set(np.argsort(-(matrix @ question))[:10].tolist())
        hits += len(true & set(index.search(question, 10).uids.tolist()))
    assert hits >= 190


def test_the_graphs_come_back_from_the_cache_and_a_damaged_file_is_no_error(tmp_path):
    matrix = unit(3, 50)
    index = VectorIndex(DIM, flat_limit=20)
    index.add(np.arange(50), matrix)
    assert index.maintain()
    index.remove(np.array([7]))
    index.save(tmp_path, 11, "me")
    again = VectorIndex(DIM, flat_limit=20)
    assert again.load(tmp_path, "other") is None
    assert again.load(tmp_path, "me") == 11
    assert set(again.search(matrix[0], 50).uids.tolist()) == set(range(50)) - {7}
    (tmp_path / "graph-0.faiss").write_bytes(b"junk")
    assert VectorIndex(DIM).load(tmp_path, "me") is None


def test_purging_leaves_no_trace_of_a_removed_vector():
    matrix = unit(4, 30)
    index = VectorIndex(DIM, flat_limit=10)
    index.add(np.arange(30), matrix)
    index.maintain()
    index.remove(np.array([5, 6]))
    assert index.purge() == 2
    assert sum(len(uids) for uids, _ in index.blocks()) == 28
    assert all(len(graph.uids) == 28 for graph in index._graphs)


def test_searches_are_right_while_graphs_are_frozen():
    matrix = unit(5, 3000)
    index, wrong, done = VectorIndex(DIM, flat_limit=400), [], threading.Event()
    index.add(np.array([0]), matrix[:1])

    def search() -> None:
        while not done.is_set():
            if index.search(matrix[0], 1).uids.tolist() != [0]:
                wrong.append(1)

    readers = [threading.Thread(target=search) for _ in range(2)]
    for reader in readers:
        reader.start()
    for start in range(1, 3000, 100):
        index.add(np.arange(start, min(start + 100, 3000)), matrix[start : start + 100])
        index.maintain()
    done.set()
    for reader in readers:
        reader.join(30)
    assert not wrong


def test_rows_that_were_struck_out_leave_the_part_that_is_searched():
    index, matrix = VectorIndex(16), unit(1, 5000)
    index.add(np.arange(5000), matrix)
    index.remove(np.arange(100, 5000))
    while index.maintain():
        pass
    assert len(index) == 100
    assert len(index._tail.uids) == 1024
    assert index.search(matrix[7], 3).uids[0] == 7
    found = index.alike(matrix[[7, 200]], 3, 0.999)
    assert [hits.uids.tolist() for hits in found] == [[7], []]


def test_many_at_once_find_what_each_finds_alone():
    index, matrix = VectorIndex(16, flat_limit=600), unit(2, 1000)
    index.add(np.arange(700), matrix[:700])
    while index.maintain():
        pass
    index.add(np.arange(700, 1000), matrix[700:])
    index.remove(np.array([3, 800]))
    together = index.alike(matrix[:20], 4, 0.3)
    for row, hits in enumerate(together):
        alone = index.search(matrix[row], 4)
        wanted = alone.uids[alone.cosines >= 0.3]
        assert hits.uids.tolist() == wanted.tolist()
