import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from zulong.memory.retrieval import RetrievalConfig, fusion

SCORES = st.lists(
    st.tuples(st.floats(0, 1, width=32), st.floats(0, 2, width=32), st.booleans()), min_size=1, max_size=30
)


@pytest.mark.feature("MG-07")
@given(SCORES)
def test_sharing_out_moves_connected_memories_among_their_own_ranks_only(rows):
    before, after = (np.array(column, np.float32) for column in list(zip(*rows, strict=True))[:2])
    connected = np.array([row[2] for row in rows])
    result = fusion.share_out(before, after, connected)
    assert np.array_equal(result[~connected], before[~connected])
    assert np.allclose(np.sort(result[connected]), np.sort(before[connected]), atol=3e-4)
    members = np.flatnonzero(connected)
    order = members[np.argsort(-after[members], kind="stable")]
    assert np.all(np.diff(result[order]) <= 1e-6)


def test_a_memory_without_a_vector_is_judged_by_its_words():
    config = RetrievalConfig()
    keyword, vector = np.array([0.6, 0.6], np.float32), np.array([0.9, 0.0], np.float32)
    hot, cold = fusion.path_scores(keyword, vector, np.array([True, False]), config)
    assert hot[0] == pytest.approx((0.8 * 0.6 + 0.4 * 0.9) / 1.2)
    assert cold[0] == pytest.approx(0.3 * 0.6 + 0.7 * 0.9)
    assert hot[1] == cold[1] == pytest.approx(0.6)


def test_a_long_memory_takes_less_from_its_neighbour_than_a_short_one():
    chain = fusion.Chain(
        np.array([0, 1]), np.array([2, 2]), np.zeros(2, np.float32), np.ones(2, bool)
    )  # fmt: skip
    base = np.array([0.0, 0.0, 1.0], np.float32)
    session = np.array([5, 5, 5])
    gain, via = fusion.neighbour_gain(
        base, chain, np.array([3, 300, 50], np.float32), session, RetrievalConfig()
    )
    assert gain[0] > 3 * gain[1] > 0
    assert gain[2] == 0
    assert via.tolist() == [0, 1, -1]
    gain, _ = fusion.neighbour_gain(
        base, chain, np.ones(3, np.float32), np.array([5, 6, 7]), RetrievalConfig()
    )
    assert not gain.any()
