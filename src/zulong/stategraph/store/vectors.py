"""Vectors of stored values, and how near they are to a query."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal

from zulong.stategraph.store.base import IndexConfig, PutOp
from zulong.stategraph.store.embed import aembed_documents, aembed_query, ensure_embeddings
from zulong.stategraph.store.paths import get_text_at_path, tokenize_path

if TYPE_CHECKING:
    import numpy
    import numpy.typing

    Matrix = numpy.typing.NDArray[numpy.float32]


class VectorIndex:
    """Embeds texts of values as an `IndexConfig` says.

    Raises:
        TypeError: the config's `embed` is nothing that embeds.
    """

    def __init__(self, config: IndexConfig) -> None:
        self._embeddings = ensure_embeddings(config.get("embed"))
        self._dims = config.get("dims")
        self.space = _space_of(config.get("embed"))
        self._fields = [tokenize_path(path) if path != "$" else [] for path in config.get("fields") or ["$"]]

    def texts(self, op: PutOp) -> list[str]:
        """Return the texts of a value that get a vector each."""
        if op.value is None or op.index is False:
            return []
        paths: Sequence[str | list[str]] = self._fields if op.index is None else _given(op.index)
        value = dict(op.value)
        return [text for path in paths for text in get_text_at_path(value, path)]

    def embed(self, texts: Sequence[str]) -> Matrix:
        """Return float32 `[len(texts), dims]`, rows of length 1 (or 0)."""
        return self._checked(self._embeddings.embed_documents(list(texts)), len(texts))

    def embed_query(self, query: str) -> Matrix:
        """Return float32 `[dims]` of length 1 (or 0)."""
        vector: Matrix = self._checked([self._embeddings.embed_query(query)], 1)[0]
        return vector

    async def aembed(self, texts: Sequence[str]) -> Matrix:
        """Asynchronous twin of `embed`."""
        return self._checked(await aembed_documents(self._embeddings, list(texts)), len(texts))

    async def aembed_query(self, query: str) -> Matrix:
        """Asynchronous twin of `embed_query`."""
        vector: Matrix = self._checked([await aembed_query(self._embeddings, query)], 1)[0]
        return vector

    def _checked(self, vectors: Any, count: int) -> Matrix:
        import numpy

        matrix = numpy.asarray(vectors, dtype=numpy.float32)
        if matrix.ndim != 2 or matrix.shape[0] != count:
            raise ValueError(
                f"The embed function returned shape {matrix.shape} for {count} texts; one vector a text is due."
            )
        if self._dims is not None and matrix.shape[1] != self._dims:
            raise ValueError(
                f"The embed function returned {matrix.shape[1]} dimensions; the index has dims={self._dims}."
            )
        lengths = numpy.linalg.norm(matrix, axis=1, keepdims=True)
        scaled: Matrix = (matrix / numpy.where(lengths > 0, lengths, 1)).astype(numpy.float32)
        return scaled


def _space_of(embed: Any) -> str:
    """Return the name of the vector space; vectors of two spaces are never compared."""
    if embed is None:
        return "default"
    name = getattr(embed, "name", None)
    if isinstance(name, str):
        return name
    owner = embed if hasattr(embed, "__qualname__") else type(embed)
    return f"{owner.__module__}:{owner.__qualname__}"


def _given(paths: Literal[True] | list[str]) -> list[list[str]]:
    if isinstance(paths, bool):
        raise ValueError("index=True is not known; leave index out for the store's fields, or name paths.")
    return [tokenize_path(path) if path != "$" else [] for path in paths]


def nearest(query: Matrix, vectors: Mapping[int, Matrix]) -> list[tuple[float, int]]:
    """Return (cosine, candidate) of every candidate, best first; of several vectors the nearest counts."""
    import numpy

    if not vectors:
        return []
    owners = list(vectors)
    counts = [len(vectors[owner]) for owner in owners]
    scores = numpy.concatenate([vectors[owner] for owner in owners]) @ query
    starts = numpy.concatenate([[0], numpy.cumsum(counts)[:-1]])
    best = numpy.maximum.reduceat(scores, starts)
    order = numpy.argsort(-best, kind="stable")
    return [(float(best[i]), owners[i]) for i in order]
