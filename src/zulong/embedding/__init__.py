"""Embedders: texts to vectors, for the memory and for the StateGraph's store.

``default_embedder()`` works offline with no model file; ``open_embedder(setting)`` opens a model folder
(sentence-transformers weights or ONNX) or an OpenAI-compatible endpoint behind the same protocol.
"""

from zulong.embedding.cache import CachedEmbedder
from zulong.embedding.hashing import HashingEmbedder, default_embedder
from zulong.embedding.opening import open_embedder
from zulong.embedding.protocol import Embedder, EmbeddingError, Vectors

__all__ = [
    "CachedEmbedder",
    "Embedder",
    "EmbeddingError",
    "HashingEmbedder",
    "Vectors",
    "default_embedder",
    "open_embedder",
]
