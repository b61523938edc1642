"""The forgetting curve, pruning, orphans: functions of time, whatever the schedule of runs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from zulong.memory import Draft, EdgeType, Importance, MemoryConfig, MemoryGraph
from zulong.memory.config import HALF_LIFE_S, ORPHAN_AFTER_S, StorageConfig
from zulong.memory.errors import UndoError
from zulong.memory.forgetting import prune, scan
from zulong.memory.model import STRUCTURAL_EDGES

HOUR = 3600.0
DAY = 24 * HOUR
CONFIG = MemoryConfig(
    retrieval={"direct": True}, door={"open": True}, storage=StorageConfig(commit_interval_s=0.0)
)


def pair(graph: MemoryGraph, one: Importance, other: Importance, type: EdgeType, weight: float) -> None:
    graph.remember("a", id="a", importance=one)
    graph.remember("b", id="b", importance=other)
    graph.link("a", "b", type, weight)


@pytest.mark.feature("MG-04")
@pytest.mark.parametrize(
    ("importance", "half_life_s"),
    [
        (Importance.TRIVIAL, 6 * HOUR),
        (Importance.NORMAL, 24 * HOUR),
        (Importance.IDENTITY, 30 * DAY),
        (Importance.FACT, 15 * DAY),
        (Importance.IMPORTANT, 7 * DAY),
    ],
)
def test_half_of_a_weight_is_left_after_the_half_life_of_its_importance(
    graph: MemoryGraph, clock: Any, importance: Importance, half_life_s: float
) -> None:
    pair(graph, importance, Importance.TRIVIAL, EdgeType.SEMANTIC, 0.8)
    clock.advance(half_life_s)
    assert graph.edges_of("a")[0].weight == pytest.approx(0.4)
    clock.advance(half_life_s)
    assert graph.edges_of("b")[0].weight == pytest.approx(0.2)


@pytest.mark.feature("MG-04")
def test_what_must_be_remembered_never_fades(graph: MemoryGraph, clock: Any) -> None:
    pair(graph, Importance.TRIVIAL, Importance.MUST_REMEMBER, EdgeType.SEMANTIC, 0.8)
    clock.advance(50 * 365 * DAY)
    assert prune(graph.engine).pruned == 0
    assert graph.edges_of("a")[0].weight == pytest.approx(0.8)


@pytest.mark.feature("MG-04")
@settings(max_examples=10, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    edges=st.lists(
        st.tuples(
            st.integers(0, 5),
            st.integers(0, 5),
            st.sampled_from([EdgeType.SEMANTIC, EdgeType.CAUSAL, EdgeType.TEMPORAL]),
            st.floats(0.06, 1.0),
        ),
        min_size=1,
        max_size=12,
    ),
    levels=st.lists(st.sampled_from(list(Importance)), min_size=6, max_size=6),
    pauses=st.lists(st.floats(0, 10 * DAY), min_size=1, max_size=5),
    reinforced=st.lists(st.lists(st.integers(0, 5), max_size=3), min_size=5, max_size=5),
)
def test_any_schedule_of_runs_gives_the_same_memory(
    tmp_path_factory: pytest.TempPathFactory,
    new_clock: Callable[[], Any],
    edges: list[tuple[int, int, EdgeType, float]],
    levels: list[Importance],
    pauses: list[float],
    reinforced: list[list[int]],
) -> None:
    """The same life twice: once pruned at every step, twice in a row, once never until the end."""
    outcomes = []
    for runs in (2, 0):
        clock = new_clock()
        with MemoryGraph.open(tmp_path_factory.mktemp("life"), clock=clock, config=CONFIG) as graph:
            drafts = [Draft(f"n{i}", id=f"n{i}", importance=level) for i, level in enumerate(levels)]
            graph.remember_many(drafts)
            for src, dst, type, weight in edges:
                if src != dst:
                    graph.link(f"n{src}", f"n{dst}", type, weight)
            for pause, together in zip(pauses, reinforced, strict=False):
                clock.advance(pause)
                for _ in range(runs):
                    prune(graph.engine)
                graph.reinforce([f"n{index}" for index in together])
            prune(graph.engine)
            outcomes.append(
                sorted(
                    (edge.src, edge.dst, edge.type, round(edge.weight, 9), round(edge.base_weight, 9))
                    for index in range(6)
                    for edge in graph.edges_of(f"n{index}")
                )
            )
    assert outcomes[0] == outcomes[1]


@pytest.mark.feature("MG-04")
def test_edges_below_the_limit_go_and_those_in_the_band_are_named_for_review(
    graph: MemoryGraph, clock: Any
) -> None:
    graph.remember_many([Draft(name, id=name, importance=Importance.NORMAL) for name in "abcd"])
    graph.link("a", "b", EdgeType.SEMANTIC, 0.09)  # 0.045 after a day
    graph.link("b", "c", EdgeType.SEMANTIC, 0.2)  # 0.1: in the band
    graph.link("c", "d", EdgeType.SEMANTIC, 0.4)  # 0.2: safe
    clock.advance(DAY)

    report = prune(graph.engine)

    assert report.pruned == 1
    assert graph.edges_of("a") == []
    named = {node.id for node in graph.engine.nodes(report.found.fading) if node}
    assert named == {"b", "c"}


@pytest.mark.feature("MG-04")
def test_a_faded_edge_does_not_exist_for_any_reader_even_before_it_is_pruned(
    graph: MemoryGraph, clock: Any
) -> None:
    pair(graph, Importance.NORMAL, Importance.NORMAL, EdgeType.SEMANTIC, 0.5)
    a = graph.engine.uid("a")
    assert a is not None
    clock.advance(4 * DAY)

    assert graph.edges_of("a") == []
    assert graph.engine.spread({a: 1.0}).uids.tolist() == [a]
    assert len(graph.engine.adjacent(graph.engine.select(_everything()))[1]) == 0
    assert graph.reinforce(["a", "b"]) == 0, "what is gone is not brought back by use"


def _everything() -> Any:
    from zulong.memory import RecallQuery

    return RecallQuery("")


@pytest.mark.feature("MG-01", "MG-04")
def test_no_structural_edge_is_ever_removed(graph: MemoryGraph, clock: Any) -> None:
    drafts = [Draft(f"n{i}", id=f"n{i}", importance=Importance.TRIVIAL) for i in range(20)]
    graph.remember_many(drafts)
    graph.engine.link_many((f"n{i}", f"n{i + 1}", type, 0.06) for i in range(19) for type in EdgeType)
    for _ in range(4):
        clock.advance(400 * DAY)
        graph.lifecycle.run_once(["decay", "review", "forget"])
        graph.review(limit=100)

    for index in range(19):
        types = {edge.type for edge in graph.edges_of(f"n{index}") if edge.src == f"n{index}"}
        assert types == STRUCTURAL_EDGES
    assert len(graph) == 20


@pytest.mark.feature("MG-04")
@pytest.mark.parametrize("importance", list(Importance))
def test_a_node_with_no_edge_is_an_orphan_after_its_time(
    graph: MemoryGraph, clock: Any, importance: Importance
) -> None:
    graph.remember("alone", id="alone", importance=importance)
    limit = ORPHAN_AFTER_S[importance]
    if limit == float("inf"):
        clock.advance(100 * 365 * DAY)
        assert scan(graph.engine).orphans.tolist() == []
        return
    clock.advance(limit - 1)
    assert scan(graph.engine).orphans.tolist() == []
    clock.advance(2)
    assert scan(graph.engine).orphans.tolist() == [graph.engine.uid("alone")]


@pytest.mark.feature("MG-04")
def test_a_linked_node_is_no_orphan_and_a_trivial_orphan_is_forgotten_and_can_come_back(
    graph: MemoryGraph, clock: Any
) -> None:
    pair(graph, Importance.TRIVIAL, Importance.TRIVIAL, EdgeType.TEMPORAL, 0.5)
    graph.remember("嗯", id="alone", importance=Importance.TRIVIAL, tags=["chat"])
    clock.advance(6 * HOUR + 1)
    graph.lifecycle.run_once(["decay", "forget"])
    assert graph.get("alone") is None
    assert graph.get("a") is not None
    assert graph.get("b") is not None

    (entry,) = graph.journal()
    assert (entry.kind, entry.nodes) == ("orphan", ("alone",))
    graph.undo(entry.number)

    node = graph.get("alone")
    assert node is not None
    assert (node.text, node.tags) == ("嗯", ("chat",))
    assert graph.recall("嗯").hits[0].id == "alone"
    graph.lifecycle.run_once(["decay", "forget"])
    assert graph.get("alone") is not None, "an undo counts as a use: it is not taken again at once"


@pytest.mark.feature("MG-04")
def test_a_pruned_edge_comes_back_visible_on_undo(graph: MemoryGraph, clock: Any) -> None:
    pair(graph, Importance.NORMAL, Importance.NORMAL, EdgeType.SEMANTIC, 0.6)
    clock.advance(10 * DAY)
    prune(graph.engine)
    (entry,) = graph.journal()
    assert entry.edges == 1

    assert graph.undo(entry.number) == 1

    assert graph.edges_of("a")[0].weight == pytest.approx(0.6)
    with pytest.raises(UndoError, match="was undone"):
        graph.undo(entry.number)


@pytest.mark.feature("MG-04")
def test_an_act_cannot_be_undone_after_the_set_time_and_leaves_the_journal(
    graph: MemoryGraph, clock: Any
) -> None:
    graph.remember("old", id="old")
    graph.forget(ids=["old"])
    (entry,) = graph.journal()
    clock.advance(7 * DAY + 1)

    with pytest.raises(UndoError, match=r"7\.0 days old"):
        graph.undo(entry.number)
    graph.lifecycle.run_once(["forget"])
    assert graph.journal() == []


@pytest.mark.feature("MG-04")
@pytest.mark.parametrize("restart", [False, True])
def test_removed_nodes_come_back_with_edges_and_vectors(
    open_store: Callable[..., MemoryGraph], restart: bool
) -> None:
    import numpy as np

    graph = open_store()
    pair(graph, Importance.FACT, Importance.FACT, EdgeType.CAUSAL, 0.7)
    graph.remember("c", id="c")
    uid = graph.engine.uid("a")
    assert uid is not None
    graph.engine.put_vectors(np.array([uid]), np.array([[0.6, 0.8]], np.float32), "test")
    done = graph.forget(ids=["a"])
    assert (done.nodes, done.edges, done.vectors) == (1, 1, 1)
    assert graph.edges_of("b") == []
    if restart:
        graph.close()
        graph = open_store()
    graph.remember("later", id="later")

    graph.undo(done.journal_ids[0])

    assert graph.edges_of("b")[0].weight == pytest.approx(0.7)
    assert graph.engine.uid("a") == uid
    ((name, uids, matrix),) = graph.engine.vectors()
    assert (name, uids.tolist()) == ("test", [uid])
    assert matrix[0].tolist() == pytest.approx([0.6, 0.8], abs=1e-3)
    assert graph.engine.spread({uid: 1.0}).uids.tolist() == [uid, graph.engine.uid("b")]


@pytest.mark.feature("MG-04")
def test_an_undo_is_refused_when_the_id_was_used_again(graph: MemoryGraph) -> None:
    graph.remember("first", id="x")
    done = graph.forget(ids=["x"])
    graph.remember("second", id="x")
    with pytest.raises(UndoError, match="used again"):
        graph.undo(done.journal_ids[0])
    assert graph.get("x").text == "second"  # type: ignore[union-attr]


@pytest.mark.feature("MG-04")
def test_half_lives_are_those_of_the_design() -> None:
    assert HALF_LIFE_S[Importance.MUST_REMEMBER] == float("inf")
    assert ORPHAN_AFTER_S[Importance.TRIVIAL] == 6 * HOUR
    assert max(value for value in ORPHAN_AFTER_S.values() if value != float("inf")) == 7 * DAY
