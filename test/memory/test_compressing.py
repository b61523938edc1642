"""What compression leaves: summaries that stay few and short, stubs that no search finds, ways back to both."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from zulong.memory import Draft, EdgeType, Importance, Link, MemoryConfig, MemoryGraph, NodeType
from zulong.memory.model import COMPRESSED_INTO, SUMMARY_OF, ReviewVerdict
from zulong.memory.retrieval.indexing import indexer_of
from zulong.memory.review import Decision, apply

DAY = 86_400.0
Open = Callable[..., MemoryGraph]
FOUND = {"hot_deadline_s": 10.0, "cold_deadline_s": 10.0}


@pytest.fixture
def searched(open_store: Open) -> MemoryGraph:
    """A memory with the real indexes, filled in the calling thread."""
    return open_store(
        "searched",
        MemoryConfig(retrieval={"background": False, "semantic_edges": 0}, door={"open": True}),
    )


def talk(graph: MemoryGraph, session: str, *turns: str, person: str = "") -> list[str]:
    """Remember a conversation whose turns hang together in time."""
    ids: list[str] = []
    for number, text in enumerate(turns):
        links = (Link(ids[-1], EdgeType.TEMPORAL, 0.8, incoming=True),) if ids else ()
        ids.append(f"{session}:{number}")
        graph.remember_many(
            [
                Draft(
                    text,
                    NodeType.DIALOGUE,
                    ids[-1],
                    Importance.NORMAL,
                    person=person,
                    session=session,
                    links=links,
                )
            ]
        )
    return ids


def compress(graph: MemoryGraph, ids: list[str], label: str = "talk") -> str:
    return apply(graph.engine, [Decision(id, ReviewVerdict.COMPRESS, "old", label) for id in ids]).summaries[
        0
    ]


def settle(graph: MemoryGraph) -> None:
    while graph.retriever.maintain(1.0):
        pass


def found(graph: MemoryGraph, question: str, **options: Any) -> list[str]:
    return [hit.id for hit in graph.recall(question, **FOUND, **options).hits]


@pytest.mark.feature("MG-05", "MG-10")
def test_a_stub_is_in_no_index_and_its_summary_is_found_in_its_place(searched: MemoryGraph) -> None:
    ids = talk(searched, "s", "the gardener planted tulips", "and roses by the pond", "ok")
    settle(searched)
    assert found(searched, "who planted tulips?")[0] == ids[0]

    summary = compress(searched, ids)
    settle(searched)

    for question in ("who planted tulips?", "what happened today?", "ok"):
        hits = found(searched, question, focus=[summary])
        assert not set(hits) & set(ids), question
    assert found(searched, "who planted tulips?")[0] == summary
    indexer = indexer_of(searched.engine)
    assert indexer is not None
    assert (len(indexer.keyword), len(indexer.vectors), indexer.waiting) == (1, 1, 0)
    assert [edge.type for edge in searched.edges_of(ids[2], [EdgeType.TEMPORAL])] == [EdgeType.TEMPORAL]

    searched.undo(searched.journal()[-1].number)
    settle(searched)
    assert found(searched, "who planted tulips?")[0] == ids[0]
    assert len(indexer.keyword) == 3


@pytest.mark.feature("MG-05", "MG-11")
def test_indexes_made_anew_leave_stubs_out_as_well(open_store: Open) -> None:
    config = MemoryConfig(retrieval={"background": False, "semantic_edges": 0}, door={"open": True})
    graph = open_store("searched", config)
    compress(graph, talk(graph, "s", "the gardener planted tulips", "and roses by the pond"))
    graph.close()
    graph = open_store("searched", config)
    settle(graph)
    indexer = indexer_of(graph.engine)
    assert indexer is not None
    assert (len(indexer.keyword), len(indexer.vectors), indexer.waiting) == (1, 1, 0)


@pytest.mark.feature("MG-05", "MG-16")
def test_what_is_said_again_after_it_was_compressed_is_remembered_again(searched: MemoryGraph) -> None:
    ids = talk(searched, "s", "where is my phone?", "on the desk")
    compress(searched, ids)

    again = searched.remember("where is my phone?", NodeType.DIALOGUE, session="s")

    assert again.verdict == "added"
    assert found(searched, "where is my phone?")[0] == again.id
    assert searched.remember("Where is my  phone?", NodeType.DIALOGUE, session="s").id == again.id
    known = searched.remember("on the desk", NodeType.DIALOGUE, id=ids[1], session="s")
    assert (known.id, known.verdict) == (ids[1], "strengthened")
    assert searched.remember("under the desk", NodeType.DIALOGUE, id=ids[1]).verdict == "refused"


@pytest.mark.feature("MG-05")
def test_nothing_is_merged_into_a_stub(graph: MemoryGraph, clock: Any) -> None:
    for id in ("one", "two"):
        graph.remember("the bell rang", NodeType.EPISODE, id=id, importance=Importance.NORMAL)
    graph.link("one", "two", EdgeType.TEMPORAL, 0.8)
    compress(graph, ["one"])
    clock.advance(60 * DAY)
    verdicts = {decision.id: decision.verdict for decision in graph.review().decisions}
    assert verdicts["two"] is ReviewVerdict.COMPRESS


@pytest.mark.feature("MG-05", "MG-10")
def test_the_summaries_of_a_week_become_one_of_bounded_length_that_leads_to_what_is_left(
    searched: MemoryGraph, clock: Any
) -> None:
    ids: list[str] = []
    for session in range(20):
        turns = [f"session {session} turn {turn} " + "about this and that " * 8 for turn in range(4)]
        ids += talk(searched, f"s{session}", *turns, person="bob")
    clock.advance(31 * DAY)
    first = searched.review(limit=100).summaries
    assert len(first) == 20
    clock.advance(20 * DAY)
    assert searched.review(limit=100).decisions == ()
    clock.advance(20 * DAY)

    (day,) = searched.review(limit=100).summaries

    summary = searched.get(day)
    assert summary is not None
    assert len(summary.text) <= 2_400
    assert all(f"session {session} turn 0" in summary.text for session in range(12))
    assert summary.person == "bob"
    assert all(searched.get(one) is None for one in first)
    assert summary.meta[SUMMARY_OF] == ids
    assert {searched.get(id).meta[COMPRESSED_INTO] for id in ids} == {day}  # type: ignore[union-attr]
    settle(searched)
    hit = searched.retriever.summaries.search("session 7")[0]  # type: ignore[attr-defined]
    assert hit.node.id == day
    assert [node.id for node in hit.originals] == ids

    searched.undo(searched.journal()[-1].number)
    assert searched.get(day) is None
    assert {searched.get(id).meta[COMPRESSED_INTO] for id in ids} == set(first)  # type: ignore[union-attr]


@pytest.mark.feature("MG-05", "MG-10")
def test_a_summary_of_summaries_counts_what_is_gone(searched: MemoryGraph) -> None:
    first = compress(searched, talk(searched, "one", "tomatoes were watered"), "one")
    second = compress(searched, talk(searched, "two", "tea was served", "it was green"), "two")
    top = compress(searched, [first, second], "both")
    settle(searched)
    originals, gone = searched.retriever.summaries.originals(top)  # type: ignore[attr-defined]
    assert [node.id for node in originals] == ["two:0", "two:1"]
    assert gone == 1
    assert searched.get(top).text.splitlines() == [  # type: ignore[union-attr]
        "tomatoes were watered",
        "tea was served",
        "it was green",
    ]


@pytest.mark.feature("MG-21")
def test_a_person_is_forgotten_in_summaries_that_hold_words_of_several(
    graph: MemoryGraph, clock: Any
) -> None:
    graph.remember("the secret is plugh", NodeType.EPISODE, id="b", person="bob")
    graph.remember("tea at four", NodeType.EPISODE, id="a", person="alice")
    summary = compress(graph, ["a", "b"])
    assert graph.get("b") is None
    clock.advance(40 * DAY)
    graph.lifecycle.run_once(["decay"])

    graph.forget(person="bob")

    assert graph.get(summary) is None
    assert not any("plugh" in node.text for node in graph.engine.documents())


@pytest.mark.feature("MG-21")
def test_what_was_derived_from_a_person_goes_though_the_edge_to_it_has_faded(
    graph: MemoryGraph, clock: Any
) -> None:
    graph.remember("likes tea", NodeType.KNOWLEDGE, id="tea", person="bob")
    graph.remember("warm drinks at four", NodeType.KNOWLEDGE, id="plan", source_ids=("tea",))
    clock.advance(90 * DAY)
    graph.lifecycle.run_once(["decay"])
    assert graph.edges_of("plan") == []
    assert sorted(graph.forget(person="bob").ids) == ["plan", "tea"]
