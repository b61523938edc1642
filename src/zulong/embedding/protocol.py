"""What every embedder promises."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt

Vectors = npt.NDArray[np.float32]


class EmbeddingError(RuntimeError):
    """An embedder could not be opened, or could not embed; the message names the cause and the cure."""


@runtime_checkable
class Embedder(Protocol):
    """Turns texts into vectors whose cosine says how alike two texts are.

    Attributes:
        name: identity of the vector space; two embedders of one name give comparable vectors. It is stored
            with every vector, so that a store knows which to make anew when the embedder changes.
        dim: length of a vector.
    """

    @property
    def name(self) -> str: ...

    @property
    def dim(self) -> int: ...

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Return float32 ``[len(texts), dim]``, each row of length 1 (all zero where a text says nothing).

        Raises:
            EmbeddingError: the texts could not be embedded.
        """
        ...

    def embed_query(self, text: str) -> Vectors:
        """Return float32 ``[dim]`` for a question; differs from :meth:`embed` where a model asks for it."""
        ...


def normalise_rows(vectors: Vectors) -> Vectors:
    """Return ``vectors`` scaled to length 1 along the last axis; rows of zeros stay zeros."""
    lengths = np.linalg.norm(vectors, axis=-1, keepdims=True)
    scaled: Vectors = (vectors / np.where(lengths > 0, lengths, 1)).astype(np.float32)
    return scaled
