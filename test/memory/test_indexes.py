"""Time and place indexes against looking at every node, and graph algorithms on a snapshot."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

from zulong.memory import Draft, EdgeType, MemoryGraph, Place, RecallQuery
from zulong.memory.algorithms import centrality, communities, freeze, layout, strongest_path
from zulong.memory.errors import InvalidMemoryError


def brute(graph: MemoryGraph, query: RecallQuery) -> list[str]:
    found = []
    for node in graph.engine.documents():
        if query.since is not None and node.stamp < query.since:
            continue
        if query.until is not None and node.stamp >= query.until:
            continue
        far = query.near is not None and (
            node.place is None or node.place.distance_m(query.near) > (query.radius_m or 0.0)
        )
        if far:
            continue
        found.append(node.id)
    return found


def indexed(graph: MemoryGraph, query: RecallQuery) -> list[str]:
    return [node.id for node in graph.engine.nodes(graph.engine.select(query)) if node is not None]


def scattered(rng: random.Random, name: str) -> Draft:
    frame = rng.choice(["map", "odom"])
    spread = rng.choice([3.0, 50.0, 5e6])
    place = Place(rng.uniform(-spread, spread), rng.uniform(-spread, spread), rng.uniform(0, 2), frame)
    return Draft(name, id=name, stamp=rng.uniform(0, 1000), place=place if rng.random() < 0.7 else None)


@pytest.mark.feature("MG-14")
def test_the_indexes_find_what_a_look_at_every_node_finds(graph: MemoryGraph) -> None:
    rng = random.Random(3)
    names: list[str] = []
    for step in range(4):
        fresh = [f"{step}.{index}" for index in range(60)]
        graph.remember_many([scattered(rng, name) for name in fresh])
        names += fresh
        graph.update(rng.choice(names), stamp=rng.uniform(0, 1000), place=Place(rng.uniform(-3, 3), 0.0))
        graph.forget(ids=rng.sample(names, 3))
        for _ in range(5):
            since, until = sorted(rng.uniform(-50, 1050) for _ in range(2))
            near = Place(rng.uniform(-60, 60), rng.uniform(-60, 60), 1.0, rng.choice(["map", "odom", "none"]))
            radius = rng.choice([0.0, 0.5, 5.0, 40.0, 1e7])
            for query in (
                RecallQuery("", since=since),
                RecallQuery("", since=since, until=until),
                RecallQuery("", until=until),
                RecallQuery("", near=near, radius_m=radius),
                RecallQuery("", near=near, radius_m=radius, since=since, until=until),
            ):
                assert indexed(graph, query) == brute(graph, query), query


@pytest.mark.feature("MG-14")
def test_an_undone_removal_is_found_by_time_and_place_again(graph: MemoryGraph) -> None:
    graph.remember("here", id="here", place=Place(1, 1), stamp=5.0)
    query = RecallQuery("", near=Place(1, 1), radius_m=0.1)
    assert indexed(graph, query) == ["here"]
    done = graph.forget(ids=["here"])
    assert indexed(graph, query) == []
    graph.undo(done.journal_ids[0])
    assert indexed(graph, query) == ["here"]
    assert indexed(graph, RecallQuery("", since=5.0, until=5.1)) == ["here"]


@pytest.fixture
def two_rings(graph: MemoryGraph) -> MemoryGraph:
    """Two rings of six, joined by one weak edge between a0 and b0."""
    graph.remember_many([Draft(f"{ring}{i}", id=f"{ring}{i}") for ring in "ab" for i in range(6)])
    for ring in "ab":
        graph.engine.link_many(
            (f"{ring}{i}", f"{ring}{(i + 1) % 6}", EdgeType.SEMANTIC, 0.9) for i in range(6)
        )
    graph.link("a0", "b0", EdgeType.CAUSAL, 0.1)
    return graph


def uid(graph: MemoryGraph, id: str) -> int:
    found = graph.engine.uid(id)
    assert found is not None
    return found


def test_communities_are_what_belongs_together(two_rings: MemoryGraph) -> None:
    groups = communities(freeze(two_rings.engine))
    names = [{node.id[0] for node in two_rings.engine.nodes(group) if node} for group in groups]
    assert sorted(map(sorted, names)) == [["a"], ["b"]]


def test_the_strongest_path_prefers_two_strong_edges_to_one_weak(two_rings: MemoryGraph, clock: Any) -> None:
    two_rings.link("a0", "a2", EdgeType.SEMANTIC, 0.5)
    frozen = freeze(two_rings.engine)
    a0, a1, a2, b0 = (uid(two_rings, name) for name in ("a0", "a1", "a2", "b0"))
    assert strongest_path(frozen, a2, a0) == [a2, a1, a0]
    only = freeze(two_rings.engine, types=[EdgeType.SEMANTIC])
    assert strongest_path(only, a0, b0) == []
    clock.advance(3 * 86400)  # 0.1 has faded away by now
    assert strongest_path(freeze(two_rings.engine), a0, b0) == []


def test_centrality_and_layout_cover_the_nodes_asked_for(two_rings: MemoryGraph) -> None:
    part = np.array([uid(two_rings, f"a{index}") for index in range(6)])
    frozen = freeze(two_rings.engine, uids=part)
    assert frozen.graph.ecount() == 6
    for by in ("pagerank", "betweenness", "degree"):
        assert set(centrality(frozen, by=by)) == set(part.tolist())
    assert set(layout(frozen)) == set(part.tolist())
    assert layout(frozen) == layout(frozen), "the same seed gives the same picture"
    with pytest.raises(InvalidMemoryError, match="fame"):
        centrality(frozen, by="fame")
