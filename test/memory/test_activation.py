"""Spreading activation against its plain definition: the best product over all paths."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from zulong.memory import Draft, EdgeType, Importance, MemoryGraph
from zulong.memory.activation import dynamic_depth, spread
from zulong.memory.topology import EdgeArrays, Topology, View, compress

FLOOR = 0.05
Row = tuple[int, int, float, float]
"""source, target, weight, age in half-lives (negative: never fades)"""

edge_lists = st.lists(
    st.tuples(
        st.integers(0, 11),
        st.integers(0, 11),
        st.floats(0.0078125, 1.0, width=32),
        st.one_of(st.just(-1.0), st.floats(0.0, 4.0)),
    ),
    max_size=40,
)


def by_definition(
    rows: list[Row], seeds: dict[int, float], decay: float, depth: int, cut: float, direction: str
) -> dict[int, float]:
    """a[v] = max over paths of seed * prod(weight) * decay^hops, following no path whose value is below cut."""
    steps: list[tuple[int, int, float]] = []
    for src, dst, weight, age in rows:
        left = weight if age < 0 else weight * 2.0**-age
        if age >= 0 and left < FLOOR:
            continue
        if direction != "in":
            steps.append((src, dst, left))
        if direction != "out":
            steps.append((dst, src, left))
    best: dict[int, float] = {}

    def walk(node: int, value: float, hops: int) -> None:
        if value < cut:
            return
        best[node] = max(best.get(node, 0.0), value)
        if hops < depth:
            for src, dst, weight in steps:
                if src == node:
                    walk(dst, value * weight * decay, hops + 1)

    for node, strength in seeds.items():
        walk(node, strength, 0)
    return best


def arrays_of(rows: list[Row], now: float) -> EdgeArrays:
    edges = EdgeArrays.empty(len(rows))
    for index, (src, dst, weight, age) in enumerate(rows):
        edges.src[index], edges.dst[index], edges.weight[index] = src, dst, weight
        edges.type[index] = index % 14
        edges.rate[index] = 0.0 if age < 0 else 1.0
        edges.reinforced[index] = now - max(age, 0.0)
    return edges


@pytest.mark.feature("MG-02")
@settings(max_examples=200, deadline=None)
@given(
    rows=edge_lists,
    split=st.integers(0, 40),
    seeds=st.dictionaries(st.integers(0, 11), st.floats(0.015625, 1.0, width=32), min_size=1, max_size=4),
    depth=st.integers(1, 4),
    direction=st.sampled_from(["out", "in", "both"]),
)
def test_spreading_equals_the_best_path_of_the_definition(
    rows: list[Row], split: int, seeds: dict[int, float], depth: int, direction: str
) -> None:
    now, decay, cut = 100.0, 0.5, 0.01
    old, new = sorted(rows[:split]), rows[split:]
    base = compress(arrays_of(old, now), 12)
    view = View(base, arrays_of(new, now), len(new))

    found = spread(
        view,
        12,
        np.fromiter(seeds, np.int32),
        np.fromiter(seeds.values(), np.float32),
        now=now,
        decay=decay,
        depth=depth,
        cut=cut,
        floor=FLOOR,
        direction=direction,
    )

    expected = by_definition(rows, seeds, decay, depth, cut, direction)
    reached = dict(zip(found.slots.tolist(), found.values.tolist(), strict=True))
    for node, value in expected.items():
        if value > cut * 1.0001:  # at the cut itself float32 and float64 may disagree
            assert reached[node] == pytest.approx(value, rel=1e-4)
    assert all(expected.get(node, 0.0) >= cut * 0.9999 for node in reached)
    assert list(found.values) == sorted(found.values, reverse=True)


@pytest.mark.feature("MG-02")
@settings(max_examples=60, deadline=None)
@given(rows=edge_lists, operations=st.lists(st.tuples(st.integers(0, 39), st.booleans()), max_size=20))
def test_merging_the_overlay_changes_no_answer(rows: list[Row], operations: list[tuple[int, bool]]) -> None:
    topology = Topology(FLOOR)
    for src, dst, weight, _ in rows:
        topology.put(src, dst, 4, weight, 0.0, 0.0)
    for index, again in operations:
        if index < len(rows):
            src, dst, weight, _ = rows[index]
            if again:
                topology.put(src, dst, 4, weight / 2, 0.0, 0.0)
            else:
                topology.remove(src, dst, 4)
    topology.publish()
    seed, strength = np.zeros(1, np.int32), np.ones(1, np.float32)

    def answer() -> list[tuple[int, float]]:
        found = spread(topology.view, 12, seed, strength, now=0.0, decay=0.5, depth=3, cut=0.01, floor=FLOOR)
        return sorted(zip(found.slots.tolist(), found.values.tolist(), strict=True))

    before, edges = answer(), sorted(edge for slot in range(12) for edge in topology.touching(slot))
    topology.merge(12)

    assert answer() == before
    assert sorted(edge for slot in range(12) for edge in topology.touching(slot)) == edges


@pytest.mark.feature("MG-02")
@pytest.mark.parametrize(
    ("window", "used", "depth"),
    [
        (128_000, 10_000, 5),  # wide and less than half used
        (128_000, 64_000, 3),  # half used is not less than half
        (128_000, 110_000, 2),  # more than 80 % used
        (64_000, 1_000, 3),  # 64k is not above 64k
        (32_000, 1_000, 3),
        (31_000, 1_000, 2),  # narrow, however empty
        (48_000, 40_000, 2),
    ],
)
def test_depth_follows_the_window_and_its_use(window: int, used: int, depth: int) -> None:
    assert dynamic_depth(3, window, used) == depth


@pytest.mark.feature("MG-02")
@given(window=st.integers(1, 300_000), use=st.floats(0, 1.2), more=st.floats(0, 0.5))
def test_more_pressure_never_spreads_wider(window: int, use: float, more: float) -> None:
    calm = dynamic_depth(3, window, int(window * use))
    pressed = dynamic_depth(3, window, int(window * (use + more)))
    assert pressed <= calm


@pytest.mark.feature("MG-02")
def test_a_spread_names_the_parent_edge_and_hops_of_each_node(graph: MemoryGraph) -> None:
    for name in "abc":
        graph.remember(name, id=name)
    graph.link("a", "b", EdgeType.CAUSAL, 0.8)
    graph.link("b", "c", EdgeType.SEMANTIC, 0.5)
    uid = {name: graph.engine.uid(name) for name in "abc"}

    found = graph.engine.spread({uid["a"]: 1.0})

    assert found.uids.tolist() == [uid["a"], uid["b"], uid["c"]]
    assert found.values.tolist() == pytest.approx([1.0, 0.4, 0.1])
    assert found.parents.tolist() == [-1, uid["a"], uid["b"]]
    assert found.edge_types.tolist() == [255, EdgeType.CAUSAL, EdgeType.SEMANTIC]
    assert found.hops.tolist() == [0, 1, 2]


@pytest.mark.feature("MG-02")
def test_a_type_whose_factor_is_zero_is_not_walked(graph: MemoryGraph) -> None:
    graph.remember_many([Draft("a", id="a"), Draft("b", id="b"), Draft("c", id="c")])
    graph.link("a", "b", EdgeType.TEMPORAL, 0.9)
    graph.link("a", "c", EdgeType.SEMANTIC, 0.9)
    a, c = graph.engine.uid("a"), graph.engine.uid("c")
    assert a is not None

    found = graph.engine.spread({a: 1.0}, type_factors={EdgeType.TEMPORAL: 0.0})

    assert found.uids.tolist() == [a, c]


@pytest.mark.feature("MG-02", "MG-04")
def test_spreading_uses_what_forgetting_has_left_of_a_weight(graph: MemoryGraph, clock: Any) -> None:
    graph.remember("a", id="a", importance=Importance.NORMAL)
    graph.remember("b", id="b", importance=Importance.NORMAL)
    graph.link("a", "b", EdgeType.SEMANTIC, 0.8)
    a = graph.engine.uid("a")
    assert a is not None

    clock.advance(24 * 3600)

    assert graph.engine.spread({a: 1.0}).values.tolist() == pytest.approx([1.0, 0.5 * 0.8 / 2])
