"""MemoryGraph: the front door of the memory engine."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from concurrent.futures import Future
from pathlib import Path
from types import TracebackType
from typing import Any

from zulong.memory.config import MemoryConfig
from zulong.memory.model import (
    Draft,
    Edge,
    EdgeType,
    Importance,
    Link,
    Node,
    NodeType,
    Place,
    RecallResult,
    RememberResult,
)


class MemoryGraph:
    """A durable graph of memories. Skeleton of the final signatures; bodies follow."""

    @classmethod
    def open(
        cls,
        path: str | Path,
        *,
        embedder: Any = None,
        clock: Callable[[], float] = time.time,
        config: MemoryConfig | None = None,
    ) -> MemoryGraph:
        """Open or create the store in the folder ``path``."""
        raise NotImplementedError

    def remember(
        self,
        text: str,
        type: NodeType = NodeType.EPISODE,
        *,
        id: str | None = None,
        importance: Importance | None = None,
        tags: Sequence[str] = (),
        meta: Mapping[str, Any] | None = None,
        stamp: float | None = None,
        place: Place | None = None,
        robot: str = "",
        person: str = "",
        session: str = "",
        source_ids: Sequence[str] = (),
        links: Sequence[Link] = (),
    ) -> RememberResult:
        """Store one memory; returns once it is durable."""
        raise NotImplementedError

    def remember_many(self, drafts: Iterable[Draft]) -> list[RememberResult]:
        """Store many memories in as few transactions as possible."""
        raise NotImplementedError

    def remember_async(self, draft: Draft) -> Future[RememberResult]:
        """Store one memory; the future completes once it is durable."""
        raise NotImplementedError

    def link(
        self, src: str, dst: str, type: EdgeType, weight: float = 0.5, meta: Mapping[str, Any] | None = None
    ) -> Edge:
        """Join two nodes; an existing edge of that type takes the greater weight and is reinforced."""
        raise NotImplementedError

    def get(self, id: str) -> Node | None:
        """Return the node, or None."""
        raise NotImplementedError

    def edges_of(self, id: str, types: Collection[EdgeType] | None = None) -> list[Edge]:
        """Return the edges out of and into a node."""
        raise NotImplementedError

    def reinforce(self, ids: Sequence[str]) -> int:
        """Count one co-activation of these nodes (Hebb)."""
        raise NotImplementedError

    def recall(
        self,
        text: str,
        *,
        k: int = 10,
        types: Collection[NodeType] | None = None,
        since: float | None = None,
        until: float | None = None,
        near: Place | None = None,
        radius_m: float | None = None,
        person: str | None = None,
        robot: str | None = None,
        session: str | None = None,
        focus: Sequence[str] = (),
        as_of: float | None = None,
        hot_deadline_s: float = 0.05,
        cold_deadline_s: float = 0.2,
    ) -> RecallResult:
        """Find what the memory knows about ``text``."""
        raise NotImplementedError

    def close(self) -> None:
        """Write what is pending, save caches, release the store."""
        raise NotImplementedError

    def __enter__(self) -> MemoryGraph:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
