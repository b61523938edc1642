"""Finding: keyword and vector indexes, hot and cold recall, fusion with type-aware spreading, explanations."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from zulong.embedding import Embedder, default_embedder
from zulong.memory.reader import Retriever, Store
from zulong.memory.retrieval.config import RetrievalConfig
from zulong.memory.retrieval.engine import GraphRetriever
from zulong.memory.retrieval.indexing import Indexer

__all__ = ["GraphRetriever", "Indexer", "RetrievalConfig", "open_retriever"]


def open_retriever(
    store: Store, *, embedder: Embedder | None, cache_dir: Path, config: Mapping[str, Any]
) -> Retriever:
    """Open what answers recalls over ``store``; ``None`` takes the offline default embedder.

    Raises:
        ValueError: ``config`` has an unknown name or a negative number.
    """
    settings = RetrievalConfig.from_mapping(config)
    indexer = Indexer(store, embedder or default_embedder(), cache_dir, settings)
    indexer.start()
    return GraphRetriever(store, indexer, settings)
