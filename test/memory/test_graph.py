"""The front door: what is stored, joined, tagged, found by time and place, and refused."""

from __future__ import annotations

import math
import threading
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from zulong.memory import (
    Draft,
    EdgeType,
    Importance,
    Link,
    MemoryConfig,
    MemoryGraph,
    NodeType,
    Place,
    RecallQuery,
)
from zulong.memory.config import StorageConfig
from zulong.memory.errors import InvalidMemoryError, UnknownNodeError
from zulong.memory.forgetting import scan
from zulong.memory.lifecycle import STAGES
from zulong.memory.model import STRUCTURAL_EDGES, Temperature, TimeScope

HOUR = 3600.0


def ids_of(graph: MemoryGraph, query: RecallQuery) -> list[str]:
    return [node.id for node in graph.engine.nodes(graph.engine.select(query)) if node is not None]


@pytest.mark.feature("MG-01")
def test_there_are_fourteen_node_types_and_fourteen_edge_types_three_of_them_structural() -> None:
    assert len(NodeType) == len(EdgeType) == 14
    assert {type.name for type in STRUCTURAL_EDGES} == {"HIERARCHY", "DEPENDENCY", "TEMPORAL"}


@pytest.mark.feature("MG-01")
def test_every_edge_type_may_join_one_pair_in_both_directions(graph: MemoryGraph) -> None:
    graph.remember_many([Draft("a", id="a"), Draft("b", id="b")])
    for type in EdgeType:
        graph.link("a", "b", type, 0.5)
        graph.link("b", "a", type, 0.6)
    edges = graph.edges_of("a")
    assert len(edges) == 28
    assert {(edge.src, edge.type) for edge in edges} == {(src, type) for src in "ab" for type in EdgeType}
    assert {edge.dst for edge in graph.edges_of("b", [EdgeType.CAUSAL])} == {"a", "b"}


@pytest.mark.feature("MG-01")
def test_every_field_of_a_memory_comes_back(graph: MemoryGraph, clock: Any) -> None:
    graph.remember("source", id="s")
    result = graph.remember(
        "红色的杯子在厨房",
        NodeType.KNOWLEDGE,
        id="cup",
        importance=Importance.FACT,
        tags=["kitchen", "cup", "kitchen"],
        meta={"colour": "red", "深": [1, {"a": None}]},
        stamp=123.5,
        place=Place(1.5, -2.25, 0.75, "odom", "kitchen"),
        robot="r2",
        person="alice",
        session="s1",
        source_ids=["s"],
        links=[Link("s", EdgeType.REFERENCE, 0.7, {"page": 3}, incoming=True)],
    )
    assert (result.id, result.verdict) == ("cup", "added")
    node = graph.get("cup")
    assert node is not None
    assert (node.text, node.type, node.importance) == (
        "红色的杯子在厨房",
        NodeType.KNOWLEDGE,
        Importance.FACT,
    )
    assert (node.tags, dict(node.meta)) == (("kitchen", "cup"), {"colour": "red", "深": [1, {"a": None}]})
    assert (node.stamp, node.created_at, node.last_access) == (123.5, clock.time, clock.time)
    assert node.place == Place(1.5, -2.25, 0.75, "odom", "kitchen")
    assert (node.robot, node.person, node.session) == ("r2", "alice", "s1")
    assert (node.valid_from, node.valid_to) == (123.5, math.inf)
    edges = {(edge.src, edge.dst, edge.type): dict(edge.meta) for edge in graph.edges_of("cup")}
    assert edges == {("cup", "s", EdgeType.DERIVED_FROM): {}, ("s", "cup", EdgeType.REFERENCE): {"page": 3}}


@pytest.mark.feature("MG-15")
def test_a_derived_fact_keeps_its_sources_even_when_one_is_not_known(graph: MemoryGraph) -> None:
    graph.remember("seen", id="seen")
    graph.remember("so", id="so", source_ids=["seen", "elsewhere"])
    assert graph.get("so").source_ids == ("seen", "elsewhere")  # type: ignore[union-attr]
    assert [edge.dst for edge in graph.edges_of("so")] == ["seen"]


@pytest.mark.feature("MG-16")
def test_the_same_text_of_the_same_person_strengthens_what_is_there(graph: MemoryGraph) -> None:
    first = graph.remember("The cup is red", NodeType.KNOWLEDGE, person="alice")
    again = graph.remember(
        "  the CUP is red ", NodeType.KNOWLEDGE, person="alice", importance=Importance.FACT
    )
    other = graph.remember("The cup is red", NodeType.KNOWLEDGE, person="bob")
    assert (again.id, again.verdict) == (first.id, "strengthened")
    assert other.verdict == "added"
    node = graph.get(first.id)
    assert node is not None
    assert (node.access_count, node.importance) == (1, Importance.FACT)


@pytest.mark.feature("MG-16")
def test_turns_of_a_dialogue_are_the_same_only_within_one_session(graph: MemoryGraph) -> None:
    verdicts = [
        graph.remember("yes", NodeType.DIALOGUE, session=session).verdict for session in ("one", "two", "one")
    ]
    assert verdicts == ["added", "added", "strengthened"]


@pytest.mark.feature("MG-16")
def test_an_id_that_is_taken_by_another_text_is_refused_with_the_reason(graph: MemoryGraph) -> None:
    graph.remember("one", id="x")
    result = graph.remember("two", id="x")
    assert result.verdict == "refused"
    assert "update()" in result.reason
    assert graph.remember("one", id="x").verdict == "strengthened"


@pytest.mark.feature("MG-16")
def test_an_empty_text_is_refused(graph: MemoryGraph) -> None:
    assert graph.remember(" \n ").verdict == "refused"
    assert len(graph) == 0


def test_what_cannot_be_stored_is_a_typed_error_before_anything_is_written(graph: MemoryGraph) -> None:
    graph.remember("a", id="a")
    for wrong in (
        {"text": 5},
        {"text": "\ud800"},
        {"text": "x" * (2 << 20)},
        {"text": "x", "id": ""},
        {"text": "x", "id": "y" * 500},
        {"text": "x", "stamp": math.nan},
        {"text": "x", "stamp": 1e15},
        {"text": "x", "place": Place(math.inf, 0)},
        {"text": "x", "meta": {"object": object()}},
        {"text": "x", "links": [Link("a", EdgeType.SEMANTIC, 1.5)]},
    ):
        with pytest.raises(InvalidMemoryError):
            graph.remember(**wrong)  # type: ignore[arg-type]
    for weight in (0.0, -1.0, 1.01, math.nan):
        with pytest.raises(InvalidMemoryError, match="above 0 and at most 1"):
            graph.link("a", "a2", EdgeType.SEMANTIC, weight)
    with pytest.raises(InvalidMemoryError, match="itself"):
        graph.link("a", "a", EdgeType.SEMANTIC)
    with pytest.raises(UnknownNodeError, match="'b'"):
        graph.link("a", "b", EdgeType.SEMANTIC)
    with pytest.raises(UnknownNodeError):
        graph.remember("x", links=[Link("b", EdgeType.SEMANTIC)])
    assert len(graph) == 1


def test_a_batch_refuses_only_what_is_wrong(graph: MemoryGraph) -> None:
    results = graph.remember_many(
        [Draft("good", id="g"), Draft("bad", id=""), Draft("lost", links=(Link("nowhere", EdgeType.CAUSAL),))]
    )
    assert [result.verdict for result in results] == ["added", "refused", "refused"]
    assert "nowhere" in results[2].reason


@pytest.mark.feature("MG-08")
def test_temperature_and_time_scope_follow_the_last_use(graph: MemoryGraph, clock: Any) -> None:
    graph.remember("a", id="a")
    seen = []
    for pause in (0, 29 * 60, 60, 29 * 60, 60, 22 * HOUR + 59 * 60, 60):
        clock.advance(pause)
        node = graph.get("a")
        assert node is not None
        seen.append((node.temperature(clock.time), node.time_scope(clock.time)))
    hot, warm, cold = Temperature.HOT, Temperature.WARM, Temperature.COLD
    recent, older = TimeScope.RECENT, TimeScope.NON_RECENT
    assert seen == [
        (hot, recent),
        (hot, recent),
        (hot, older),
        (hot, older),
        (warm, older),
        (warm, older),
        (cold, older),
    ]
    graph.reinforce(["a"])
    assert graph.get("a").temperature(clock.time) is hot  # type: ignore[union-attr]


@pytest.mark.feature("MG-14")
def test_time_and_place_and_who_select(graph: MemoryGraph) -> None:
    graph.remember_many(
        [
            Draft("one", id="one", stamp=100.0, place=Place(0, 0), robot="r1", person="alice", session="s1"),
            Draft("two", id="two", stamp=200.0, place=Place(3, 4), robot="r2", person="bob", session="s2"),
            Draft("six", NodeType.FILE, id="six", stamp=300.0, place=Place(0, 0, 0, "odom"), robot="r1"),
        ]
    )
    assert ids_of(graph, RecallQuery("")) == ["one", "two", "six"]
    assert ids_of(graph, RecallQuery("", since=200.0)) == ["two", "six"]
    assert ids_of(graph, RecallQuery("", since=100.0, until=200.0)) == ["one"]
    assert ids_of(graph, RecallQuery("", near=Place(0, 0), radius_m=4.9)) == ["one"]
    assert ids_of(graph, RecallQuery("", near=Place(0, 0), radius_m=5.0)) == ["one", "two"]
    assert ids_of(graph, RecallQuery("", near=Place(0, 0, 0, "odom"), radius_m=9.0)) == ["six"]
    assert ids_of(graph, RecallQuery("", robot="r1")) == ["one", "six"]
    assert ids_of(graph, RecallQuery("", person="bob")) == ["two"]
    assert ids_of(graph, RecallQuery("", person="nobody")) == []
    assert ids_of(graph, RecallQuery("", session="s2")) == ["two"]
    assert ids_of(graph, RecallQuery("", types=frozenset({NodeType.FILE}))) == ["six"]
    uids = np.array([graph.engine.uid("six"), graph.engine.uid("one"), 12345])
    assert graph.engine.matching(uids, RecallQuery("", robot="r1", until=250.0)).tolist() == [
        False,
        True,
        False,
    ]


@pytest.mark.feature("MG-14", "MG-15")
def test_what_was_true_then_is_found_as_of_then(graph: MemoryGraph, clock: Any) -> None:
    now = clock.time
    graph.remember("Alice lives in Paris", NodeType.KNOWLEDGE, id="old", stamp=now - 1000)
    graph.remember("Alice lives in Rome", NodeType.KNOWLEDGE, id="new", stamp=now - 10)
    graph.update("old", valid_to=now - 10)
    assert ids_of(graph, RecallQuery("")) == ["new"]
    assert ids_of(graph, RecallQuery("", as_of=now - 500)) == ["old"]
    assert ids_of(graph, RecallQuery("", as_of=now - 10)) == ["new"]
    assert ids_of(graph, RecallQuery("", as_of=now - 2000)) == []
    assert [hit.id for hit in graph.recall("where does Alice live", as_of=now - 500).hits] == ["old"]


def test_an_update_changes_what_it_names_and_nothing_else(graph: MemoryGraph) -> None:
    graph.remember("before", id="a", tags=["t"], meta={"m": 1}, place=Place(1, 1), importance=Importance.FACT)
    node = graph.update("a", text="after", activation=0.9)
    assert (node.text, node.tags, dict(node.meta), node.place) == ("after", ("t",), {"m": 1}, Place(1, 1))
    assert node.activation == pytest.approx(0.9)
    assert graph.update("a", place=None).place is None
    assert graph.update("a", meta={"m": 2}, tags=["u"]).tags == ("u",)
    assert graph.remember("after", importance=Importance.FACT).verdict == "strengthened"
    assert graph.remember("before").verdict == "added", "the old text is free again"
    with pytest.raises(UnknownNodeError):
        graph.update("nobody", text="x")
    with pytest.raises(InvalidMemoryError, match="colour"):
        graph.update("a", colour="red")
    with pytest.raises(InvalidMemoryError, match="empty"):
        graph.update("a", text=" ")
    with pytest.raises(InvalidMemoryError, match="activation"):
        graph.update("a", activation=1.5)


def test_linking_again_keeps_the_greater_weight(graph: MemoryGraph) -> None:
    graph.remember_many([Draft("a", id="a"), Draft("b", id="b")])
    assert graph.link("a", "b", EdgeType.SEMANTIC, 0.6).weight == pytest.approx(0.6)
    assert graph.link("a", "b", EdgeType.SEMANTIC, 0.3).weight == pytest.approx(0.6)
    assert graph.link("a", "b", EdgeType.SEMANTIC, 0.9, {"why": "seen"}).weight == pytest.approx(0.9)
    assert len(graph.edges_of("a")) == 1
    assert graph.engine.link_many([("a", "b", EdgeType.CAUSAL, 0.4), ("a", "zz", EdgeType.CAUSAL, 0.4)]) == 1


def test_columns_and_neighbours_speak_of_the_same_graph(graph: MemoryGraph) -> None:
    graph.remember_many([Draft(name, id=name) for name in "abcd"])
    graph.link("a", "b", EdgeType.SEMANTIC, 0.6)
    graph.link("c", "a", EdgeType.CAUSAL, 0.4)
    uid = {name: graph.engine.uid(name) for name in "abcd"}
    uids = np.array([uid["a"], uid["d"], 999])
    for _ in range(2):  # once with the overlay, once merged
        columns = graph.engine.columns(uids)
        assert columns.degree.tolist()[:2] == [2, 0]
        assert columns.alive.tolist() == [True, True, False]
        position, others, types, weights = graph.engine.adjacent(np.array([uid["a"], uid["d"]]))
        found = sorted(zip(position.tolist(), others.tolist(), types.tolist(), strict=True))
        assert found == [(0, uid["b"], EdgeType.SEMANTIC), (0, uid["c"], EdgeType.CAUSAL)]
        assert sorted(weights.tolist()) == pytest.approx([0.4, 0.6])
        only = graph.engine.adjacent(np.array([uid["a"]]), [EdgeType.CAUSAL])
        assert only[1].tolist() == [uid["c"]]
        graph.engine.memory.topology.merge(graph.engine.memory.columns.count)


@pytest.mark.feature("MG-13")
def test_the_nine_stages_run_in_order_and_are_counted(
    open_store: Callable[..., MemoryGraph], clock: Any
) -> None:
    graph = open_store()
    graph.remember_many([Draft(f"cup {name}", id=name, importance=Importance.NORMAL) for name in "abc"])
    graph.remember("嗯", id="trivial", importance=Importance.TRIVIAL)
    for _ in range(3):
        graph.recall("cup")
        graph.lifecycle.run_once(["hebb"])
    graph.recall("cup")
    clock.advance(7 * HOUR)

    done = graph.lifecycle.run_once()

    assert list(done) == [
        "bootstrap",
        "activate",
        "hebb",
        "auto_embed",
        "consolidate",
        "decay",
        "review",
        "forget",
        "persist",
    ]
    assert done["bootstrap"] == 4
    assert done["activate"] == 3
    assert done["hebb"] == 3, "three edges between the three hits"
    assert (done["forget"], done["persist"]) == (1, 1)
    assert graph.get("trivial") is None
    assert graph.get("a").activation > 0.2  # type: ignore[union-attr]
    counters = graph.lifecycle.counters()
    assert counters["hebb"].runs == 4
    assert all(one.failures == 0 for one in counters.values())
    assert counters["decay"].total_s > 0
    for _ in range(8):
        graph.lifecycle.run_once(["activate"])
    assert graph.get("a").activation == 0.0  # type: ignore[union-attr]
    with pytest.raises(ValueError, match="no lifecycle stage"):
        graph.lifecycle.run_once(["dream"])


@pytest.mark.feature("MG-13")
def test_review_waits_while_somebody_asks(graph: MemoryGraph, clock: Any) -> None:
    graph.remember("talk", NodeType.DIALOGUE, id="talk", importance=Importance.NORMAL)
    clock.advance(60 * 24 * HOUR)
    graph.recall("talk")
    graph.lifecycle.run_once(["decay"])
    assert graph.lifecycle.run_once(["review"]) == {"review": 0}
    assert graph.get("talk") is not None


@pytest.mark.feature("MG-13")
def test_the_runner_works_in_its_own_thread_and_stops(graph: MemoryGraph) -> None:
    import time

    graph.lifecycle.start(period_s=0.01)
    deadline = time.monotonic() + 10
    while graph.lifecycle.counters()["persist"].runs < 3 and time.monotonic() < deadline:
        threading.Event().wait(0.01)
    graph.lifecycle.stop()
    runs = graph.lifecycle.counters()["persist"].runs
    assert runs >= 3
    assert not any(thread.name == "memory-lifecycle" for thread in threading.enumerate())


@pytest.mark.feature("MG-13")
def test_a_stage_that_fails_is_counted_and_the_next_one_runs(graph: MemoryGraph, monkeypatch: Any) -> None:
    def fails(self: Any) -> int:
        raise RuntimeError("no luck")

    monkeypatch.setattr(type(graph.lifecycle), "_hebb", fails)
    done = graph.lifecycle.run_once()
    counters = graph.lifecycle.counters()["hebb"]
    assert (counters.failures, counters.last_error) == (1, "no luck")
    assert "persist" in done


@pytest.mark.feature("MG-11")
def test_readers_see_whole_graphs_while_nodes_edges_and_merges_go_on(
    open_store: Callable[..., MemoryGraph], plain_config: MemoryConfig
) -> None:
    """Spreading, neighbours and scans run against a writer and constant merges; none may ever fail."""
    graph = open_store(
        config=replace(plain_config, storage=StorageConfig(commit_interval_s=0.0, overlay_edges=40))
    )
    graph.remember("root", id="n0")
    stop, failures = threading.Event(), []

    def read() -> None:
        root = graph.engine.uid("n0")
        assert root is not None
        while not stop.is_set():
            try:
                found = graph.engine.spread({root: 1.0}, depth=5)
                assert found.uids[0] == root
                graph.engine.adjacent(found.uids)
                graph.engine.columns(found.uids)
                scan(graph.engine)
                for edge in graph.edges_of("n0"):
                    assert edge.weight > 0
            except Exception as error:  # a thread has no other way to tell
                failures.append(repr(error))
                return

    threads = [threading.Thread(target=read) for _ in range(3)]
    for thread in threads:
        thread.start()
    for block in range(25):
        first = 1 + block * 60
        graph.remember_many(
            [
                Draft(f"n{index}", id=f"n{index}", links=(Link(f"n{index // 2}", EdgeType.SEMANTIC, 0.9),))
                for index in range(first, first + 60)
            ]
        )
    stop.set()
    for thread in threads:
        thread.join(30)
    assert failures == []
    assert len(graph) == 1501
    assert sum(edge.src == "n1500" for edge in graph.edges_of("n1500")) == 1
    assert len(graph.engine.memory.topology) == 1500


@pytest.mark.feature("MG-08", "MG-13")
def test_the_statistics_count_what_is_there(graph: MemoryGraph, clock: Any) -> None:
    graph.remember("old", NodeType.FILE, id="old", importance=Importance.FACT)
    clock.advance(25 * HOUR)
    graph.remember("warm", id="warm", importance=Importance.FACT)
    clock.advance(2 * HOUR)
    graph.remember("hot", id="hot", importance=Importance.NORMAL)
    graph.link("hot", "warm", EdgeType.CAUSAL)
    graph.remember("gone", id="gone")
    graph.forget(ids=["gone"])
    stats = graph.stats()
    assert (stats.nodes, stats.edges, stats.undoable, stats.waiting_edges) == (3, 1, 1, 1)
    assert stats.types == {NodeType.FILE: 1, NodeType.EPISODE: 2}
    assert stats.importances == {Importance.FACT: 2, Importance.NORMAL: 1}
    assert stats.temperatures == {Temperature.HOT: 1, Temperature.WARM: 1, Temperature.COLD: 1}
    assert sum(stats.months.values()) == 3
    assert stats.operations == 6
    assert stats.store_bytes > 0
    assert set(stats.stages) == set(STAGES)


@pytest.mark.feature("MG-01")
def test_the_edges_between_two_memories_are_read_in_both_directions(graph: MemoryGraph) -> None:
    for name in "abc":
        graph.remember(f"this is {name}", id=name)
    graph.link("a", "b", EdgeType.SEMANTIC, 0.5)
    graph.link("b", "a", EdgeType.CAUSAL, 0.6)
    graph.link("a", "c", EdgeType.SEMANTIC, 0.7)
    found = {(edge.src, edge.dst, edge.type) for edge in graph.engine.between("a", "b")}
    assert found == {("a", "b", EdgeType.SEMANTIC), ("b", "a", EdgeType.CAUSAL)}
    assert graph.engine.between("b", "c") == graph.engine.between("a", "nobody") == []
