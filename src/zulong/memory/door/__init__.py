"""The door of the memory: junk refused, known things strengthened, importance, tags, contradictions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from zulong.embedding import Embedder, default_embedder
from zulong.memory.door.gate import DoorConfig, Gate
from zulong.memory.door.provenance import Origin, origins
from zulong.memory.reader import Door, Store
from zulong.memory.retrieval.indexing import indexer_of

__all__ = ["DoorConfig", "Gate", "Origin", "open_door", "origins"]


def open_door(store: Store, *, embedder: Embedder | None, config: Mapping[str, Any]) -> Door:
    """Open the door of ``store``; it uses the indexes of the retriever that was opened on the same store.

    Raises:
        ValueError: ``config`` has an unknown name.
    """
    settings = DoorConfig.from_mapping(config)
    return Gate(store, indexer_of(store), embedder or default_embedder(), settings)
