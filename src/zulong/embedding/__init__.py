"""Embedders: texts to vectors, for the memory and for the StateGraph's store.

``default_embedder()`` works offline with no model file; models join behind the same protocol.
"""

from zulong.embedding.hashing import HashingEmbedder, default_embedder
from zulong.embedding.protocol import Embedder, EmbeddingError, Vectors

__all__ = ["Embedder", "EmbeddingError", "HashingEmbedder", "Vectors", "default_embedder"]
