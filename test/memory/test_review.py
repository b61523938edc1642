"""Review: each verdict is applied, journaled and undoable; rules decide where no model does."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from zulong.memory import Draft, EdgeType, Importance, Link, MemoryGraph, NodeType
from zulong.memory.model import COMPRESSED_INTO, SUMMARY_OF, ReviewVerdict
from zulong.memory.review import Candidate, Decision, ReviewReport, apply

DAY = 86400.0


def decide(graph: MemoryGraph, *decisions: Decision) -> ReviewReport:
    return apply(graph.engine, decisions)


def story(graph: MemoryGraph) -> list[str]:
    """Every node, edge and state, for comparing before and after."""
    nodes = [repr(node) for node in graph.engine.documents()]
    edges = {repr(edge) for node in graph.engine.documents() for edge in graph.edges_of(node.id)}
    return nodes + sorted(edges)


@pytest.fixture
def fading(graph: MemoryGraph, clock: Any) -> MemoryGraph:
    """a -SEMANTIC-> b has faded to 0.1; c hangs on a by structure."""
    for name in "abc":
        graph.remember(f"{name} " + "words " * 30, id=name, importance=Importance.NORMAL)
    graph.link("a", "b", EdgeType.SEMANTIC, 0.2)
    graph.link("a", "c", EdgeType.HIERARCHY, 0.9)
    clock.advance(DAY)
    return graph


@pytest.mark.feature("MG-05")
def test_keep_strengthens_what_was_fading_and_deletes_nothing(fading: MemoryGraph) -> None:
    report = decide(fading, Decision("b", ReviewVerdict.KEEP))
    assert len(fading) == 3
    assert fading.edges_of("b")[0].weight == pytest.approx(0.1 + 0.1 * 0.9)
    assert len(report.journal_ids) == 1


@pytest.mark.feature("MG-05")
def test_discard_removes_the_node_and_undo_brings_it_back_as_it_was(fading: MemoryGraph) -> None:
    before = story(fading)
    report = decide(fading, Decision("b", ReviewVerdict.DISCARD, "junk"))
    assert fading.get("b") is None
    assert fading.journal()[0].reason == "junk"

    fading.undo(report.journal_ids[0])

    after = story(fading)
    assert len(after) == len(before)
    assert fading.get("b").text == "b " + "words " * 30  # type: ignore[union-attr]
    assert fading.edges_of("b")[0].weight == pytest.approx(0.1)


@pytest.mark.feature("MG-01", "MG-05")
def test_discarding_what_holds_structure_leaves_it_in_its_place_as_a_stub(fading: MemoryGraph) -> None:
    report = decide(fading, Decision("c", ReviewVerdict.DISCARD))
    node = fading.get("c")
    assert node is not None
    assert len(node.text) <= 48
    assert [edge.type for edge in fading.edges_of("c")] == [EdgeType.HIERARCHY]
    fading.undo(report.journal_ids[0])
    assert fading.get("c").text == "c " + "words " * 30  # type: ignore[union-attr]


@pytest.mark.feature("MG-05", "MG-08")
def test_promote_raises_importance_and_undo_lowers_it_again(fading: MemoryGraph) -> None:
    report = decide(fading, Decision("b", ReviewVerdict.PROMOTE))
    assert fading.get("b").importance is Importance.IMPORTANT  # type: ignore[union-attr]
    fading.undo(report.journal_ids[0])
    assert fading.get("b").importance is Importance.NORMAL  # type: ignore[union-attr]


@pytest.mark.feature("MG-05")
def test_merge_moves_relations_and_use_to_the_other_node(fading: MemoryGraph) -> None:
    fading.remember("twin", id="twin")
    fading.remember("d", id="d")
    fading.link("twin", "d", EdgeType.CAUSAL, 0.6)
    report = decide(fading, Decision("twin", ReviewVerdict.MERGE, into="b"))
    assert fading.get("twin") is None
    moved = fading.edges_of("d")[0]
    assert (moved.src, moved.dst, moved.type) == ("b", "d", EdgeType.CAUSAL)
    assert moved.weight == pytest.approx(0.6)
    assert fading.get("b").access_count == 1  # type: ignore[union-attr]

    fading.undo(report.journal_ids[0])

    assert [edge.src for edge in fading.edges_of("d")] == ["twin"]
    assert fading.get("b").access_count == 0  # type: ignore[union-attr]


@pytest.mark.feature("MG-05", "MG-10")
def test_compress_leaves_one_summary_that_leads_back_to_what_stays(graph: MemoryGraph) -> None:
    drafts = [
        Draft(f"turn {i} about the blue cup", NodeType.DIALOGUE, id=f"t{i}", session="s") for i in range(4)
    ]
    graph.remember_many(drafts)
    graph.link("t0", "t1", EdgeType.TEMPORAL, 0.9)
    graph.remember("the cup", id="cup")
    graph.link("t3", "cup", EdgeType.REFERENCE, 0.8)
    before = story(graph)

    report = decide(graph, *[Decision(f"t{i}", ReviewVerdict.COMPRESS, into="s") for i in range(4)])

    (summary_id,) = report.summaries
    summary = graph.get(summary_id)
    assert summary is not None
    assert summary.type is NodeType.EPISODE
    assert summary.meta[SUMMARY_OF] == ["t0", "t1", "t2", "t3"]
    assert all(f"turn {i} about the blue cup" in summary.text for i in range(4))
    assert graph.get("t2") is None
    assert graph.get("t0").meta[COMPRESSED_INTO] == summary_id  # type: ignore[union-attr]
    relations = {(edge.src, edge.dst, edge.type) for edge in graph.edges_of(summary_id)}
    assert relations == {
        (summary_id, "t0", EdgeType.DERIVED_FROM),
        (summary_id, "t1", EdgeType.DERIVED_FROM),
        (summary_id, "cup", EdgeType.REFERENCE),
    }
    assert graph.edges_of("t0", [EdgeType.TEMPORAL])

    graph.undo(report.journal_ids[0])
    assert graph.get(summary_id) is None
    assert [line for line in story(graph) if "last_access" not in line] == [
        line for line in before if "last_access" not in line
    ]
    assert len(graph) == 5


@pytest.mark.feature("MG-05")
def test_a_model_decides_when_one_is_given_and_what_it_invents_is_dropped(fading: MemoryGraph) -> None:
    asked: list[str] = []

    def model(candidates: Sequence[Candidate]) -> list[Decision]:
        asked.extend(candidate.node.id for candidate in candidates)
        return [Decision("a", ReviewVerdict.PROMOTE), Decision("nobody", ReviewVerdict.DISCARD)]

    report = fading.review(reviewer=model)

    assert sorted(asked) == ["a", "b"]
    verdicts = {decision.id: decision.verdict for decision in report.decisions}
    assert verdicts == {"a": ReviewVerdict.PROMOTE, "b": ReviewVerdict.KEEP}
    assert fading.get("a").importance is Importance.IMPORTANT  # type: ignore[union-attr]


@pytest.mark.feature("MG-05")
def test_what_was_reviewed_is_left_alone_for_a_week(fading: MemoryGraph, clock: Any) -> None:
    assert len(fading.review().decisions) == 2
    assert fading.review().decisions == ()
    clock.advance(6 * DAY)
    fading.lifecycle.run_once(["decay"])
    assert fading.review().decisions == ()


@pytest.mark.feature("MG-05")
@pytest.mark.parametrize(
    ("draft", "uses", "verdict"),
    [
        (
            Draft("ok", NodeType.DIALOGUE, importance=Importance.TRIVIAL),
            0,
            None,
        ),  # forgotten by its own stage
        (Draft("talk", NodeType.DIALOGUE, importance=Importance.NORMAL), 0, ReviewVerdict.COMPRESS),
        (Draft("used", NodeType.DIALOGUE, importance=Importance.NORMAL), 1, ReviewVerdict.KEEP),
        (Draft("water boils", NodeType.KNOWLEDGE, importance=Importance.NORMAL), 0, ReviewVerdict.KEEP),
        (Draft("name", NodeType.EPISODE, importance=Importance.IDENTITY), 0, ReviewVerdict.KEEP),
        (Draft("promise", NodeType.EPISODE, importance=Importance.IMPORTANT), 0, ReviewVerdict.KEEP),
    ],
)
def test_the_rules_decide_by_importance_use_and_kind(
    graph: MemoryGraph, clock: Any, draft: Draft, uses: int, verdict: ReviewVerdict | None
) -> None:
    name = graph.remember_many([draft])[0].id
    for _ in range(uses):
        graph.reinforce([name])
    clock.advance(60 * DAY)
    decisions = graph.review().decisions
    assert [decision.verdict for decision in decisions] == ([verdict] if verdict else [])


@pytest.mark.feature("MG-05", "MG-16")
def test_the_rules_merge_what_says_the_same(graph: MemoryGraph, clock: Any) -> None:
    graph.remember("The door is open", NodeType.KNOWLEDGE, id="one", importance=Importance.NORMAL)
    graph.remember(
        "the door  is OPEN",
        NodeType.KNOWLEDGE,
        id="two",
        importance=Importance.NORMAL,
        links=[Link("one", EdgeType.SEMANTIC)],
    )
    clock.advance(1.5 * DAY)
    graph.review()
    clock.advance(30 * DAY)
    graph.review()
    assert len(graph) == 1
    assert graph.get("one") is not None


@pytest.mark.feature("MG-05")
def test_young_events_are_not_compressed(graph: MemoryGraph, clock: Any) -> None:
    graph.remember("talk", NodeType.DIALOGUE, id="talk", importance=Importance.NORMAL)
    clock.advance(2 * DAY)
    (decision,) = graph.review().decisions
    assert decision.verdict is ReviewVerdict.KEEP
    assert graph.get("talk").text == "talk"  # type: ignore[union-attr]


@pytest.mark.feature("MG-05", "MG-10")
def test_an_old_conversation_nobody_came_back_to_keeps_its_order_and_a_summary(
    graph: MemoryGraph, clock: Any
) -> None:
    turns = [f"turn {index} about the garden and its many flowers in spring" for index in range(4)]
    for index, text in enumerate(turns):
        links = [Link(f"t{index - 1}", EdgeType.TEMPORAL, 0.9, incoming=True)] if index else []
        graph.remember(
            text, NodeType.DIALOGUE, id=f"t{index}", session="s", importance=Importance.NORMAL, links=links
        )
    clock.advance(29 * DAY)
    assert graph.review().decisions == ()
    clock.advance(2 * DAY)

    (summary,) = graph.review().summaries

    assert all(text in graph.get(summary).text for text in turns)  # type: ignore[union-attr]
    assert len(graph.get("t2").text) <= 48  # type: ignore[union-attr]
    assert len(graph.edges_of("t1", [EdgeType.TEMPORAL])) == 2
    assert {edge.src for edge in graph.edges_of("t1", [EdgeType.DERIVED_FROM])} == {summary}
    before = graph.get(summary).text  # type: ignore[union-attr]
    clock.advance(90 * DAY)
    graph.review()
    clock.advance(90 * DAY)
    assert graph.review().decisions == (), "what review left comes to rest"
    assert graph.get(summary).text == before  # type: ignore[union-attr]


@pytest.mark.feature("MG-05")
@pytest.mark.parametrize("stamp", [-5e11, 9e11])
def test_what_a_clock_gone_wrong_has_stamped_is_reviewed_like_the_rest(
    graph: MemoryGraph, clock: Any, stamp: float
) -> None:
    clock.time = max(clock.time, stamp)
    graph.remember("talk", NodeType.EPISODE, id="talk", importance=Importance.NORMAL, stamp=stamp)
    clock.advance(60 * DAY)
    assert [decision.verdict for decision in graph.review().decisions] == [ReviewVerdict.COMPRESS]
