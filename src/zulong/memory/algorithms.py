"""Graph algorithms on a snapshot of the memory, by python-igraph.

This is the only module that uses igraph, which is licensed under GPL-2 or later: who may not combine with it
removes the package, and everything but this module works on. igraph is never used on the live write path,
where one edge costs it tenths of a second at a million edges.
"""

from __future__ import annotations

import warnings
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from zulong.memory.engine import Engine
from zulong.memory.errors import InvalidMemoryError, MemoryGraphError, UnknownNodeError
from zulong.memory.model import EdgeType
from zulong.memory.reader import Uids
from zulong.memory.topology import DEAD


class AlgorithmsUnavailableError(MemoryGraphError):
    """python-igraph is not installed."""


@dataclass(slots=True, frozen=True)
class Frozen:
    """The graph at one moment: igraph's object (vertex ``i`` is node ``uids[i]``) and its transaction."""

    graph: Any
    uids: Uids
    txn_id: int

    def vertex(self, uid: int) -> int:
        """Return the vertex of a node.

        Raises:
            UnknownNodeError: the snapshot has no such node.
        """
        found = int(np.searchsorted(self.uids, uid))
        if found == len(self.uids) or self.uids[found] != uid:
            raise UnknownNodeError(f"uid {uid}")
        return found


def freeze(engine: Engine, *, types: Collection[EdgeType] | None = None, uids: Uids | None = None) -> Frozen:
    """Copy the live graph into igraph; faded edges are left out, ``weight`` is what is left of each.

    Args:
        types: only edges of these types.
        uids: only these nodes and what joins them.

    Raises:
        AlgorithmsUnavailableError: igraph is not installed.
    """
    try:
        import igraph
    except ImportError as error:
        raise AlgorithmsUnavailableError(
            "Graph algorithms need python-igraph; install it with pip install igraph."
        ) from error
    columns, view, now = engine.memory.columns, engine.memory.topology.view, engine.now()
    count = columns.count
    chosen = columns.alive[:count].copy()
    if uids is not None:
        slots = columns.slots(np.asarray(uids, np.int64))
        wanted = np.zeros(count, np.bool_)
        wanted[slots[slots >= 0]] = True
        chosen &= wanted
    vertex = np.cumsum(chosen) - 1
    ends: list[NDArray[np.int64]] = []
    weights: list[NDArray[np.float32]] = []
    kinds: list[NDArray[np.uint8]] = []
    for edges, size in ((view.base.edges, len(view.base)), (view.fresh, view.fresh_count)):
        part = slice(0, size)
        weight = edges.weight_now(part, now)
        keep = (edges.type[part] != DEAD) & (
            (edges.rate[part] == 0) | (weight >= engine.memory.topology.floor)
        )
        if types is not None:
            keep &= np.isin(edges.type[part], [int(type) for type in types])
        keep &= chosen[edges.src[part]] & chosen[edges.dst[part]]
        ends.append(np.stack([vertex[edges.src[part][keep]], vertex[edges.dst[part][keep]]], axis=1))
        weights.append(weight[keep])
        kinds.append(edges.type[part][keep])
    graph = igraph.Graph(n=int(chosen.sum()), edges=np.concatenate(ends), directed=True)
    graph.es["weight"] = np.concatenate(weights).tolist()
    graph.es["type"] = np.concatenate(kinds).tolist()
    return Frozen(graph, columns.uid[:count][chosen], engine.txn_id)


def communities(frozen: Frozen, *, resolution: float = 1.0, seed: int = 0) -> list[Uids]:
    """Return groups of nodes that belong together, largest first (Leiden, modularity; Traag et al. 2019)."""
    import random

    import igraph

    state = random.Random(seed)
    igraph.set_random_number_generator(state)
    try:
        undirected = frozen.graph.as_undirected(
            mode="collapse", combine_edges={"weight": "max", "type": "ignore"}
        )
        found = undirected.community_leiden("modularity", weights="weight", resolution=resolution)
    finally:
        igraph.set_random_number_generator(random)
    return sorted((frozen.uids[np.array(group, np.int64)] for group in found), key=len, reverse=True)


def centrality(frozen: Frozen, *, by: str = "pagerank") -> dict[int, float]:
    """Return {uid: how central}; ``by`` is ``pagerank`` (weighted), ``betweenness`` (3 hops) or ``degree``.

    Raises:
        InvalidMemoryError: there is no such measure.
    """
    graph = frozen.graph
    if by == "pagerank":
        values = graph.pagerank(weights="weight")
    elif by == "betweenness":
        values = graph.betweenness(directed=False, cutoff=3)
    elif by == "degree":
        values = graph.degree()
    else:
        raise InvalidMemoryError(f"There is no centrality {by!r}; choose pagerank, betweenness or degree.")
    return dict(zip(frozen.uids.tolist(), map(float, values), strict=True))


def strongest_path(frozen: Frozen, src: int, dst: int) -> list[int]:
    """Return the uids along the path whose product of weights is greatest, empty if the two are not joined.

    Direction is not minded. The product is greatest where the sum of ``-log(weight)`` is least (Dijkstra).
    """
    weights = np.array(frozen.graph.es["weight"], np.float64)
    costs = -np.log(np.clip(weights, 1e-9, 1.0))
    with warnings.catch_warnings():
        warnings.simplefilter(
            "ignore", RuntimeWarning
        )  # igraph warns when there is no path; the answer says so
        (path,) = frozen.graph.get_shortest_paths(
            frozen.vertex(src), to=frozen.vertex(dst), weights=costs.tolist(), mode="all", output="vpath"
        )
    found: list[int] = frozen.uids[np.array(path, np.int64)].tolist()
    return found


def layout(frozen: Frozen, *, seed: int = 0) -> Mapping[int, tuple[float, float]]:
    """Return a place in the plane for each node (Fruchterman and Reingold 1991; DrL for large graphs)."""
    import random

    import igraph

    igraph.set_random_number_generator(random.Random(seed))
    try:
        large = frozen.graph.vcount() > 2000
        points = (
            frozen.graph.layout_drl() if large else frozen.graph.layout_fruchterman_reingold(weights="weight")
        )
    finally:
        igraph.set_random_number_generator(random)
    return {uid: (float(x), float(y)) for uid, (x, y) in zip(frozen.uids.tolist(), points, strict=True)}
