"""Opens what finds things in a memory: the retrieval and door packages."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from zulong.memory.direct import DirectRetriever
from zulong.memory.reader import Door, Retriever, Store


def open_retriever(store: Store, *, embedder: Any, cache_dir: Path, config: Mapping[str, Any]) -> Retriever:
    """Return the retriever of the retrieval package; ``direct`` in its settings asks for the plain one."""
    package = None if config.get("direct") else _package("retrieval", "open_retriever")
    if package is None:
        return DirectRetriever(store)
    retriever: Retriever = package.open_retriever(
        store, embedder=embedder, cache_dir=cache_dir, config=config
    )
    return retriever


def open_door(store: Store, *, embedder: Any, config: Mapping[str, Any]) -> Door | None:
    """Return the door of the door package; ``open`` in its settings lets everything in."""
    package = None if config.get("open") else _package("door", "open_door")
    if package is None:
        return None
    door: Door = package.open_door(store, embedder=embedder, config=config)
    return door


def _package(name: str, opener: str) -> Any:
    name = f"zulong.memory.{name}"
    if find_spec(name) is None:
        return None
    package = import_module(name)
    return package if hasattr(package, opener) else None
