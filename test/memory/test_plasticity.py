"""Hebb's rule, its caps, and promotion, against their formulas."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from zulong.memory import Draft, EdgeType, Importance, MemoryConfig, MemoryGraph
from zulong.memory.config import HALF_LIFE_S, HebbConfig, StorageConfig


def nodes(graph: MemoryGraph, count: int, importance: Importance = Importance.NORMAL) -> list[str]:
    names = [f"n{index}" for index in range(count)]
    graph.remember_many([Draft(name, id=name, importance=importance) for name in names])
    return names


@pytest.mark.feature("MG-03")
@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    weight=st.floats(0.2, 1.0),
    pauses=st.lists(st.floats(0.0, 2 * 86400), min_size=1, max_size=6),
    importance=st.sampled_from([Importance.FACT, Importance.IMPORTANT, Importance.MUST_REMEMBER]),
)
def test_reinforcement_follows_the_formula_at_any_times(
    tmp_path_factory: pytest.TempPathFactory,
    new_clock: Callable[[], Any],
    weight: float,
    pauses: list[float],
    importance: Importance,
) -> None:
    clock = new_clock()
    config = MemoryConfig(
        retrieval={"direct": True}, door={"open": True}, storage=StorageConfig(commit_interval_s=0.0)
    )
    with MemoryGraph.open(tmp_path_factory.mktemp("hebb"), clock=clock, config=config) as graph:
        a, b = nodes(graph, 2, importance)
        graph.link(a, b, EdgeType.SEMANTIC, weight)
        expected = weight
        for pause in pauses:
            clock.advance(pause)
            expected *= 2.0 ** (-pause / HALF_LIFE_S[importance])
            if expected < 0.05:
                return  # it has faded away: nothing is there to reinforce
            expected += 0.1 * (1.0 - expected)
            graph.reinforce([a, b])
        assert graph.edges_of(a)[0].weight == pytest.approx(expected, rel=1e-9)


@pytest.mark.feature("MG-03")
def test_edges_in_both_directions_and_of_every_type_between_the_pair_grow(graph: MemoryGraph) -> None:
    a, b, c = nodes(graph, 3)
    graph.link(a, b, EdgeType.SEMANTIC, 0.5)
    graph.link(b, a, EdgeType.CAUSAL, 0.5)
    graph.link(a, c, EdgeType.SEMANTIC, 0.5)

    assert graph.reinforce([a, b]) == 2

    weights = {(edge.src, edge.dst): edge.weight for edge in graph.edges_of(a)}
    assert weights == {(a, b): pytest.approx(0.55), (b, a): pytest.approx(0.55), (a, c): pytest.approx(0.5)}


@pytest.mark.feature("MG-03")
def test_the_third_co_activation_of_an_unjoined_pair_makes_an_association(graph: MemoryGraph) -> None:
    a, b = nodes(graph, 2)

    graph.reinforce([a, b])
    graph.reinforce([b, a])  # the order does not matter: both directions count for the pair
    assert graph.edges_of(a) == []
    graph.reinforce([a, b])

    (edge,) = graph.edges_of(a)
    assert (edge.type, edge.weight) == (EdgeType.ASSOCIATION, pytest.approx(0.3))


@pytest.mark.feature("MG-03")
def test_counts_survive_a_restart(open_store: Callable[..., MemoryGraph]) -> None:
    graph = open_store()
    a, b = nodes(graph, 2)
    graph.reinforce([a, b])
    graph.reinforce([a, b])
    graph.close()

    graph = open_store()
    graph.reinforce([a, b])

    assert len(graph.edges_of(a)) == 1


@pytest.mark.feature("MG-03")
def test_no_node_gets_more_than_ten_associations_out(graph: MemoryGraph) -> None:
    names = nodes(graph, 30)
    for _ in range(5):
        graph.reinforce(names)

    outgoing = [
        sum(edge.src == name for edge in graph.edges_of(name, [EdgeType.ASSOCIATION])) for name in names
    ]
    assert max(outgoing) == 10
    assert sum(outgoing) == 300


@pytest.mark.feature("MG-03")
def test_at_most_so_many_pairs_are_counted_and_the_oldest_gives_way(
    open_store: Callable[..., MemoryGraph], plain_config: MemoryConfig, clock: Any
) -> None:
    graph = open_store(config=replace(plain_config, hebb=HebbConfig(max_pairs=20)))
    names = nodes(graph, 9)
    graph.reinforce(["n0", "n1"])
    clock.advance(1)
    graph.reinforce(names[2:])  # 21 pairs
    with graph.engine.memory.store.reading() as txn:
        assert txn.stat(graph.engine.memory.store.table("pairs"))["entries"] <= 20
    clock.advance(1)

    graph.reinforce(["n0", "n1"])
    graph.reinforce(["n0", "n1"])
    assert graph.edges_of("n0") == []  # its first count was the oldest and is forgotten
    graph.reinforce(["n0", "n1"])
    assert len(graph.edges_of("n0")) == 1


@pytest.mark.feature("MG-08")
def test_the_third_access_promotes_what_is_normal_and_nothing_else(graph: MemoryGraph) -> None:
    graph.remember("normal", id="normal", importance=Importance.NORMAL)
    graph.remember("trivial", id="trivial", importance=Importance.TRIVIAL)
    graph.remember("fact", id="fact", importance=Importance.FACT)
    for count in range(3):
        node = graph.get("normal")
        assert node is not None
        assert (node.access_count, node.importance) == (count, Importance.NORMAL)
        for name in ("normal", "trivial", "fact"):
            graph.reinforce([name])

    levels = {name: graph.get(name).importance for name in ("normal", "trivial", "fact")}  # type: ignore[union-attr]
    assert levels == {"normal": Importance.IMPORTANT, "trivial": Importance.TRIVIAL, "fact": Importance.FACT}


@pytest.mark.feature("MG-04", "MG-08")
def test_a_promotion_does_not_rewrite_what_has_faded_before(graph: MemoryGraph, clock: Any) -> None:
    a, b = nodes(graph, 2)
    graph.link(a, b, EdgeType.SEMANTIC, 0.8)
    clock.advance(24 * 3600)  # one half-life of NORMAL: 0.4 is left

    graph.update(a, importance=Importance.IMPORTANT)
    assert graph.edges_of(a)[0].weight == pytest.approx(0.4)
    clock.advance(7 * 24 * 3600)  # one half-life of IMPORTANT
    assert graph.edges_of(a)[0].weight == pytest.approx(0.2)


@pytest.mark.feature("MG-03")
def test_the_truth_on_disk_and_the_image_agree_after_a_restart(
    open_store: Callable[..., MemoryGraph], tmp_path: Path
) -> None:
    graph = open_store()
    names = nodes(graph, 12)
    for _ in range(4):
        graph.reinforce(names)
    before = {name: sorted(map(repr, graph.edges_of(name))) for name in names}
    graph.close()

    graph = open_store()

    assert {name: sorted(map(repr, graph.edges_of(name))) for name in names} == before
