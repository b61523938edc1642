import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from zulong.embedding import Embedder, HashingEmbedder, default_embedder


def likeness(a: str, b: str) -> float:
    left, right = default_embedder().embed([a, b])
    return float(left @ right)


def test_the_default_keeps_the_protocol():
    embedder = default_embedder()
    assert isinstance(embedder, Embedder)
    vectors = embedder.embed(["the red cup", "红色的杯子"])
    assert vectors.shape == (2, embedder.dim)
    assert vectors.dtype == np.float32
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1.0, atol=1e-5)


@pytest.mark.feature("MG-17")
@pytest.mark.parametrize(
    ("text", "alike", "other"),
    [
        ("bring the red cup", "he brought red cups", "the battery is charging slowly"),
        ("kitchen lights", "the light in the kitchens", "a walk along the river"),
        ("把红色的杯子拿到厨房", "厨房里的红杯子", "明天的天气怎么样"),
        ("navigation failed", "navigaton failure", "tea with milk"),
    ],
)
def test_texts_that_share_words_or_spelling_are_nearer_than_strangers(text, alike, other):
    assert likeness(text, alike) > likeness(text, other) + 0.2


@given(st.lists(st.text(max_size=60), max_size=5))
def test_any_text_gives_a_unit_vector_or_zeros(texts):
    vectors = HashingEmbedder(64).embed(texts)
    assert vectors.shape == (len(texts), 64)
    lengths = np.linalg.norm(vectors, axis=1)
    assert np.all((np.abs(lengths - 1) < 1e-4) | (lengths == 0))


def test_vectors_are_the_same_in_another_process():
    program = (
        "from zulong.embedding import HashingEmbedder;"
        "print(HashingEmbedder(32).embed(['red cup 杯子']).tobytes().hex())"
    )
    other = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=60
    )
    assert other.stdout.strip() == HashingEmbedder(32).embed(["red cup 杯子"]).tobytes().hex()


def test_a_dimension_that_cannot_tell_texts_apart_is_refused():
    with pytest.raises(ValueError, match="dim >= 16"):
        HashingEmbedder(4)
