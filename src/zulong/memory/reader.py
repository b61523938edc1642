"""The seam between the memory engine and what finds things in it.

The engine (graph, storage, topology) implements :class:`MemoryReader`. Retrieval and the door are written
against it and nothing else, so that both sides can be tested alone. Integer ``uid`` numbers identify nodes
on this seam because index structures keep them in arrays: a uid is stable for ever, never reused, and grows
with the order of insertion.

What the engine looks for at open:

- ``zulong.memory.retrieval.open_retriever(reader, *, embedder, cache_dir, config) -> Retriever``
- ``zulong.memory.door.open_door(reader, *, embedder, config) -> Door``

Division of work: the engine stores vectors (LMDB) when :meth:`MemoryWriter.put_vectors` is called and keeps
them per month shard; the retriever owns the keyword and vector *indexes* (caches under ``cache_dir`` that
carry :attr:`MemoryReader.txn_id`) and catches them up with :meth:`MemoryReader.changes`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from zulong.memory.model import (
    Draft,
    Edge,
    EdgeType,
    Importance,
    Node,
    RecallQuery,
    RecallResult,
)

Uids = NDArray[np.int64]
Mask = NDArray[np.bool_]


@dataclass(slots=True, frozen=True)
class Commit:
    """What one durable transaction changed. ``changed`` are nodes whose text, tags, meta or validity differ."""

    txn_id: int
    added: tuple[Node, ...] = ()
    changed: tuple[Node, ...] = ()
    removed: tuple[tuple[int, str], ...] = ()
    """(uid, id) of each node that is gone."""


@dataclass(slots=True, frozen=True)
class Activation:
    """Result of a spread: aligned arrays, strongest first.

    ``parents[i]`` is the uid from which ``uids[i]`` got its value (-1 for a seed), ``edge_types[i]`` the type
    of the edge walked (255 for a seed), ``hops[i]`` the distance.
    """

    uids: Uids
    values: NDArray[np.float32]
    parents: Uids
    edge_types: NDArray[np.uint8]
    hops: NDArray[np.uint8]


@dataclass(slots=True, frozen=True)
class NodeColumns:
    """Aligned read-only arrays over some nodes, for scoring and filtering without one object a node."""

    uids: Uids
    type: NDArray[np.uint8]
    importance: NDArray[np.uint8]
    stamp: NDArray[np.float64]
    last_access: NDArray[np.float64]
    access_count: NDArray[np.uint32]
    activation: NDArray[np.float32]
    degree: NDArray[np.int32]
    alive: Mask


class MemoryReader(Protocol):
    """Reading side of the memory; every method is safe from any thread and sees only durable data."""

    @property
    def txn_id(self) -> int:
        """The last durable transaction that readers see."""
        ...

    def now(self) -> float:
        """The memory's clock, seconds since the epoch."""
        ...

    def __len__(self) -> int: ...

    def uid(self, id: str) -> int | None:
        """Return the number of the live node ``id``, or None."""
        ...

    def node(self, id: str) -> Node | None:
        """Return the live node ``id``, or None."""
        ...

    def nodes(self, uids: Sequence[int] | Uids) -> list[Node | None]:
        """Return the nodes with these numbers, None where a node is gone."""
        ...

    def documents(self, *, shard: int | None = None) -> Iterator[Node]:
        """Iterate live nodes in order of uid; only those of one month shard if given."""
        ...

    def uids(self) -> Uids:
        """Return the numbers of all live nodes, ascending; those that have been superseded as well."""
        ...

    def shards(self) -> dict[int, int]:
        """Return {shard number: live nodes}; the number is ``year * 12 + month - 1`` (UTC) of ``stamp``."""
        ...

    def columns(self, uids: Sequence[int] | Uids) -> NodeColumns:
        """Return the columns of these nodes, aligned with ``uids``."""
        ...

    def matching(self, uids: Uids, query: RecallQuery) -> Mask:
        """Tell which of ``uids`` are alive and pass every filter of ``query`` (type, time, place, ...)."""
        ...

    def select(self, query: RecallQuery) -> Uids:
        """Return the uids of all live nodes that pass the filters of ``query``, using time and place indexes."""
        ...

    def neighbours(self, id: str, types: Collection[EdgeType] | None = None) -> list[Edge]:
        """Return the edges out of and into ``id``, of the given types only."""
        ...

    def between(self, one: str, other: str) -> list[Edge]:
        """Return the edges that join two nodes, in either direction."""
        ...

    def adjacent(
        self, uids: Uids, types: Collection[EdgeType] | None = None
    ) -> tuple[NDArray[np.int64], Uids, NDArray[np.uint8], NDArray[np.float32]]:
        """Return (position in ``uids``, neighbour uid, edge type, weight now) of every edge in both directions."""
        ...

    def spread(
        self,
        seeds: Mapping[int, float],
        *,
        depth: int | None = None,
        type_factors: Mapping[EdgeType, float] | None = None,
        direction: str = "both",
        limit: int | None = None,
    ) -> Activation:
        """Spread activation from ``seeds`` (uid -> strength); ``type_factors`` scale weights (0 shuts a type)."""
        ...

    def vectors(
        self, *, shard: int | None = None, embedder: str | None = None
    ) -> Iterator[tuple[str, Uids, Any]]:
        """Iterate stored vectors as (embedder name, uids, float32 matrix [n, dim]) blocks."""
        ...

    def vectors_of(self, uids: Uids, embedder: str) -> tuple[NDArray[np.float32], Mask]:
        """Return the stored vectors of these nodes by one embedder (zeros where there is none), and which have one."""
        ...

    def shards_of(self, uids: Uids) -> NDArray[np.int32]:
        """Return the month shard of each node, 0 where the store never had it."""
        ...

    def changes(self, since_txn: int) -> Iterator[Commit] | None:
        """Iterate commits after ``since_txn``; None when the log no longer reaches back that far (rebuild)."""
        ...

    def on_commit(self, callback: Callable[[Commit], None]) -> Callable[[], None]:
        """Call ``callback`` on the writer's thread after each commit (keep it short); return an unsubscriber."""
        ...


class MemoryWriter(Protocol):
    """The few writes that retrieval and the door need; each returns once durable unless it says otherwise."""

    def put_vectors(self, uids: Uids, matrix: NDArray[np.float32], embedder: str) -> None:
        """Store vectors (rows L2-normalised) for nodes; nodes that are gone meanwhile are skipped."""
        ...

    def link_many(self, edges: Iterable[tuple[str, str, EdgeType, float]]) -> int:
        """Create or strengthen edges in one transaction; returns how many joined live nodes."""
        ...

    def update(self, id: str, **changes: Any) -> Node:
        """Change tags, meta, importance, valid_from, valid_to or text of a node."""
        ...


class Store(MemoryReader, MemoryWriter, Protocol):
    """Both sides; what :func:`open_retriever` and :func:`open_door` are handed."""


class Retriever(Protocol):
    """What answers :meth:`MemoryGraph.recall`."""

    def holds(self, uids: Sequence[int]) -> dict[str, int]:
        """Return how many entries the indexes hold for these nodes, by kind."""
        ...

    def recall(self, query: RecallQuery) -> RecallResult:
        """Answer one query inside its deadlines."""
        ...

    def maintain(self, budget_s: float) -> bool:
        """Do background work (embedding, rebuilding) for at most ``budget_s``; True while work is left."""
        ...

    def forget(self, uids: Sequence[int]) -> dict[str, int]:
        """Remove every trace of these nodes from indexes, summaries and files; returns counts by kind."""
        ...

    def close(self) -> None:
        """Save caches with the transaction id they reflect."""
        ...


@dataclass(slots=True, frozen=True)
class Admission:
    """The door's answer to one draft.

    ``verdict``: ``add``, ``strengthen`` (``duplicate_of`` names the node) or ``refuse`` (``reason`` says why).
    ``importance`` and ``tags`` are what to store. ``contradicts`` are ids of live nodes the draft disagrees
    with: they are kept, closed at the draft's stamp and joined by CONTRADICTS.
    """

    verdict: str
    importance: Importance = Importance.NORMAL
    tags: tuple[str, ...] = ()
    reason: str = ""
    duplicate_of: str = ""
    contradicts: tuple[str, ...] = ()


class Door(Protocol):
    """What looks at every draft before it is stored, on the caller's thread.

    Exact duplicates (same text, type, person) are caught by the engine in the transaction itself; the door
    finds the near ones.
    """

    def inspect(self, drafts: Sequence[Draft]) -> list[Admission]:
        """Return one admission per draft."""
        ...
