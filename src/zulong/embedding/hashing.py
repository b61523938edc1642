"""The offline default: a hashed projection of stems, character n-grams and CJK bigrams.

No model file, no training, no network. It is honest lexical similarity: it sees shared words, shared stems,
shared spelling (typing errors, compounds, names) and shared Chinese characters. It knows no synonyms, and a
Chinese text and its English translation are strangers to it; whoever needs meaning configures a model.
"""

from __future__ import annotations

import zlib
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from zulong.embedding.protocol import Vectors, normalise_rows
from zulong.embedding.tokens import (
    CHINESE_STOP_CHARACTERS,
    ENGLISH_STOP_WORDS,
    cjk_bigrams,
    is_cjk,
    pieces,
    stem,
)

# Weight of one occurrence of each kind of feature. A whole stem says more than one of its n-grams; the
# n-grams of a word together weigh about as much as the stem. Function words hardly matter.
_STEM, _NGRAM, _BIGRAM, _CHARACTER, _STOP = 1.0, 0.3, 1.0, 0.4, 0.05
_PROBES = 4  # coordinates one feature touches; several random signs keep collisions from looking alike


def _word_features(word: str) -> Iterator[tuple[str, float]]:
    if word in ENGLISH_STOP_WORDS:
        yield f"w:{word}", _STOP
        return
    yield f"w:{stem(word)}", _STEM
    if len(word) < 4:
        return
    marked = f"<{word}>"
    for size in (3, 4):
        for start in range(len(marked) - size + 1):
            yield f"g:{marked[start : start + size]}", _NGRAM


def _cjk_features(run: str) -> Iterator[tuple[str, float]]:
    for gram in cjk_bigrams(run):
        if len(gram) == 2:
            stop = all(character in CHINESE_STOP_CHARACTERS for character in gram)
            yield f"b:{gram}", _STOP if stop else _BIGRAM
    for character in run:
        yield f"c:{character}", _STOP if character in CHINESE_STOP_CHARACTERS else _CHARACTER


def _features(text: str) -> Counter[str]:
    weights: Counter[str] = Counter()
    for piece in pieces(text):
        for feature, weight in _cjk_features(piece) if is_cjk(piece) else _word_features(piece):
            weights[feature] += weight  # type: ignore[assignment]
    return weights


@lru_cache(maxsize=500_000)
def _coordinates(feature: str, dim: int) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.float32]]:
    # CRC-32 and not hash(): stored vectors must be the same in every process and on every machine.
    seed = zlib.crc32(feature.encode())
    state = (seed * 0x9E3779B97F4A7C15 + 0xD1B54A32D192ED03) & 0xFFFFFFFFFFFFFFFF
    places, signs = [], []
    for _ in range(_PROBES):
        state ^= state >> 29
        state = (state * 0xBF58476D1CE4E5B9) & 0xFFFFFFFFFFFFFFFF
        state ^= state >> 32
        places.append((state >> 1) % dim)
        signs.append(1.0 if state & 1 else -1.0)
    return np.array(places), np.array(signs, dtype=np.float32)


class HashingEmbedder:
    """Offline embedder for Chinese and English; see the module's text for what it can and cannot see.

    Args:
        dim: length of a vector, 16 or more.

    Raises:
        ValueError: ``dim`` is too small to tell texts apart.
    """

    lexical = True
    """It sees words, not meaning: whoever mixes its scores with keyword scores gives it less weight."""

    def __init__(self, dim: int = 512) -> None:
        if dim < 16:
            raise ValueError(f"HashingEmbedder needs dim >= 16 to tell texts apart, got {dim}.")
        self._dim = dim

    @property
    def name(self) -> str:
        return f"zulong-hashing-1/{self._dim}"

    @property
    def dim(self) -> int:
        return self._dim

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Return float32 ``[len(texts), dim]``, rows of length 1, or zeros for a text without words."""
        vectors = np.zeros((len(texts), self._dim), dtype=np.float32)
        for row, text in zip(vectors, texts, strict=True):
            for feature, weight in _features(text).items():
                places, signs = _coordinates(feature, self._dim)
                # The square root keeps one word said ten times from drowning the others.
                np.add.at(row, places, signs * np.float32(weight**0.5))
        return normalise_rows(vectors)

    def embed_query(self, text: str) -> Vectors:
        """Return float32 ``[dim]``: a question is embedded like any text."""
        vector: Vectors = self.embed([text])[0]
        return vector


def default_embedder() -> HashingEmbedder:
    """Return the embedder that works with no model file and no network."""
    return HashingEmbedder()
