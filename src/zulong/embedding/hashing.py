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


def _gram_features(gram: str) -> Iterator[tuple[str, float]]:
    stop = all(character in CHINESE_STOP_CHARACTERS for character in gram)
    if len(gram) == 2:
        yield f"b:{gram}", _STOP if stop else _BIGRAM
    else:
        yield f"c:{gram}", _STOP if stop else _CHARACTER


def _units(text: str) -> Counter[str]:
    """Count the words of a text; a CJK run gives its bigrams and its characters."""
    units: Counter[str] = Counter()
    for piece in pieces(text):
        if not is_cjk(piece):
            units[piece] += 1
            continue
        units.update(piece)
        if len(piece) > 1:
            units.update(cjk_bigrams(piece))
    return units


def _coordinates(feature: str, dim: int) -> Iterator[tuple[int, float]]:
    # CRC-32 and not hash(): stored vectors must be the same in every process and on every machine.
    state = (zlib.crc32(feature.encode()) * 0x9E3779B97F4A7C15 + 0xD1B54A32D192ED03) & 0xFFFFFFFFFFFFFFFF
    for _ in range(_PROBES):
        state ^= state >> 29
        state = (state * 0xBF58476D1CE4E5B9) & 0xFFFFFFFFFFFFFFFF
        state ^= state >> 32
        yield (state >> 1) % dim, 1.0 if state & 1 else -1.0


@lru_cache(maxsize=100_000)
def _projection(unit: str, dim: int) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.float64]]:
    """Return coordinates and values of one word, CJK bigram or CJK character."""
    places: list[int] = []
    values: list[float] = []
    for feature, weight in _gram_features(unit) if is_cjk(unit) else _word_features(unit):
        for place, sign in _coordinates(feature, dim):
            places.append(place)
            values.append(sign * weight**0.5)
    return np.array(places, np.int64), np.array(values)


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
            units = _units(text)
            if not units:
                continue
            parts = [_projection(unit, self._dim) for unit in units]
            # The square root keeps one word said ten times from drowning the others.
            repeated = np.repeat(np.sqrt(list(units.values())), [len(places) for places, _ in parts])
            values = np.concatenate([values for _, values in parts]) * repeated
            places = np.concatenate([places for places, _ in parts])
            row[:] = np.bincount(places, values, minlength=self._dim)
        return normalise_rows(vectors)

    def embed_query(self, text: str) -> Vectors:
        """Return float32 ``[dim]``: a question is embedded like any text."""
        vector: Vectors = self.embed([text])[0]
        return vector


def default_embedder() -> HashingEmbedder:
    """Return the embedder that works with no model file and no network."""
    return HashingEmbedder()
