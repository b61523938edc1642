"""An embedder that remembers what it has embedded, and asks for the rest in batches."""

from __future__ import annotations

import hashlib
import threading
from collections import OrderedDict
from collections.abc import Sequence

import numpy as np

from zulong.embedding.protocol import Embedder, Vectors


class CachedEmbedder:
    """Wraps another embedder with an LRU cache and batching; safe from any thread.

    Texts are kept as digests only, so that the cache holds no words of anybody.

    Args:
        inner: does the work.
        capacity: vectors kept, least recently used ones go first.
        batch: texts handed to ``inner`` at a time.

    Raises:
        ValueError: ``capacity`` or ``batch`` is below 1.
    """

    def __init__(self, inner: Embedder, capacity: int = 4096, batch: int = 64) -> None:
        if capacity < 1 or batch < 1:
            raise ValueError(
                f"CachedEmbedder needs capacity >= 1 and batch >= 1, got {capacity} and {batch}."
            )
        self._inner = inner
        self._capacity = capacity
        self._batch = batch
        self._known: OrderedDict[bytes, Vectors] = OrderedDict()
        self._lock = threading.Lock()
        self.hits = 0
        self.misses = 0

    @property
    def name(self) -> str:
        return self._inner.name

    @property
    def dim(self) -> int:
        return self._inner.dim

    @property
    def lexical(self) -> bool:
        """Whether the inner embedder sees words only, not meaning."""
        return bool(getattr(self._inner, "lexical", False))

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Return float32 ``[len(texts), dim]``; every distinct text is embedded once.

        Raises:
            EmbeddingError: as the inner embedder does.
        """
        keys = [_key("t", text) for text in texts]
        found = self._look_up(keys)
        missing = {key: text for key, text in zip(keys, texts, strict=True) if key not in found}
        wanted = list(missing.items())
        for start in range(0, len(wanted), self._batch):
            part = wanted[start : start + self._batch]
            vectors = self._inner.embed([text for _, text in part])
            found.update(zip((key for key, _ in part), vectors, strict=True))
        self._keep({key: found[key] for key in missing})
        if not keys:
            return np.zeros((0, self.dim), np.float32)
        return np.stack([found[key] for key in keys])

    def embed_query(self, text: str) -> Vectors:
        """Return float32 ``[dim]`` for a question; cached apart from texts, which a model may embed otherwise."""
        key = _key("q", text)
        found = self._look_up([key])
        if key not in found:
            found[key] = self._inner.embed_query(text)
            self._keep(found)
        return found[key]

    def clear(self) -> None:
        """Forget every cached vector."""
        with self._lock:
            self._known.clear()

    def _look_up(self, keys: Sequence[bytes]) -> dict[bytes, Vectors]:
        with self._lock:
            found = {}
            for key in keys:
                vector = self._known.get(key)
                if vector is not None:
                    self._known.move_to_end(key)
                    found[key] = vector
            self.hits += len(found)
            self.misses += len(set(keys)) - len(found)
            return found

    def _keep(self, vectors: dict[bytes, Vectors]) -> None:
        with self._lock:
            self._known.update(vectors)
            while len(self._known) > self._capacity:
                self._known.popitem(last=False)


def _key(sort: str, text: str) -> bytes:
    return hashlib.blake2b(f"{sort}:{text}".encode(errors="surrogatepass"), digest_size=16).digest()
