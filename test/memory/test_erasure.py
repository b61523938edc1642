"""Forgetting a person: gone from every table, from the file itself, and told in numbers."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from zulong.memory import Draft, EdgeType, Importance, MemoryGraph, NodeType
from zulong.memory.erasure import trace_of
from zulong.memory.errors import InvalidMemoryError, UndoError

Open = Callable[..., MemoryGraph]


def household(graph: MemoryGraph) -> None:
    graph.remember_many(
        [
            Draft(
                "Alicia, 62, lives upstairs",
                NodeType.PERSON,
                id="p1",
                person="alicia",
                meta={"name": "Alicia", "aliases": ["李阿姨"]},
            ),
            Draft("likes green tea zyxw", NodeType.KNOWLEDGE, id="tea", person="alicia"),
            Draft("prefers warm drinks zyxw", NodeType.KNOWLEDGE, id="derived", source_ids=("tea",)),
            Draft(
                "warm drinks are served at four zyxw",
                NodeType.KNOWLEDGE,
                id="second",
                source_ids=("derived",),
            ),
            Draft("Bob gave the cup to alicia.", NodeType.EPISODE, id="named", person="bob"),
            Draft("李阿姨喜欢花", NodeType.DIALOGUE, id="chinese"),
            Draft("malicially is another word", NodeType.EPISODE, id="word"),
            Draft("Bob likes coffee", NodeType.KNOWLEDGE, id="bob", person="bob"),
        ]
    )
    graph.link("tea", "bob", EdgeType.SEMANTIC, 0.5)
    for _ in range(2):
        graph.reinforce(["tea", "word"])
    uid = graph.engine.uid("tea")
    assert uid is not None
    graph.engine.put_vectors(np.array([uid]), np.ones((1, 4), np.float32), "e")


@pytest.mark.feature("MG-21")
def test_everything_of_a_person_goes_and_nothing_else(graph: MemoryGraph) -> None:
    household(graph)

    done = graph.forget(person="alicia")

    assert sorted(done.ids) == ["chinese", "derived", "named", "p1", "second", "tea"]
    assert {node.id for node in graph.engine.documents()} == {"word", "bob"}
    assert (done.nodes, done.vectors, done.permanent) == (6, 1, True)
    assert done.edges == 3
    assert done.pairs == 1
    assert done.journal_ids == ()
    assert graph.edges_of("bob") == []


@pytest.mark.feature("MG-21")
def test_no_byte_of_it_is_left_in_the_store(open_store: Open, tmp_path: Path) -> None:
    graph = open_store()
    household(graph)
    assert trace_of(graph.engine, "alicia")
    graph.forget(ids=["word"], permanent=True)  # another word, with the name's letters inside
    graph.forget(person="alicia")
    for needle in ("alicia", "Alicia", "zyxw", "李阿姨"):
        assert trace_of(graph.engine, needle) == []
    graph.close()
    for path in (tmp_path / "store").rglob("*"):
        if path.is_file():
            data = path.read_bytes()
            for needle in ("alicia", "Alicia", "zyxw", "李阿姨"):
                assert needle.encode() not in data, (path, needle)
    assert len(open_store()) == 1


@pytest.mark.feature("MG-21")
def test_the_journal_cannot_bring_it_back(graph: MemoryGraph) -> None:
    household(graph)
    before = graph.forget(ids=["tea", "bob"])
    (number,) = before.journal_ids

    done = graph.forget(person="alicia")

    assert done.journal_entries == 1
    assert graph.undo(number) == 1, "bob's part of the entry is still there"
    assert graph.get("bob") is not None
    assert graph.get("tea") is None
    with pytest.raises(UndoError):
        graph.undo(number)


@pytest.mark.feature("MG-21")
def test_the_person_can_be_met_again_afterwards(open_store: Open) -> None:
    graph = open_store()
    household(graph)
    graph.forget(person="alicia")
    graph.remember("alicia is back", id="back", person="alicia", importance=Importance.FACT)
    graph.close()
    graph = open_store()
    assert graph.get("back").person == "alicia"  # type: ignore[union-attr]
    assert graph.get("bob").person == "bob"  # type: ignore[union-attr]
    assert [hit.id for hit in graph.recall("alicia", person="alicia").hits] == ["back"]


@pytest.mark.feature("MG-21")
def test_ids_are_forgotten_with_an_undo_or_for_good(graph: MemoryGraph) -> None:
    household(graph)
    done = graph.forget(ids=["word", "unknown"])
    assert (done.ids, done.permanent) == (("word",), False)
    graph.undo(done.journal_ids[0])
    assert graph.get("word") is not None
    done = graph.forget(ids=["word"], permanent=True)
    assert (done.journal_ids, graph.journal()) == ((), [])
    assert trace_of(graph.engine, "malicially") == []


@pytest.mark.feature("MG-21")
def test_forgetting_nobody_or_everything_at_once_is_refused(graph: MemoryGraph) -> None:
    for wrong in ({}, {"person": ""}, {"person": "a", "ids": ["b"]}, {"ids": "tea"}):
        with pytest.raises(InvalidMemoryError, match="forget"):
            graph.forget(**wrong)  # type: ignore[arg-type]
    assert graph.forget(person="stranger").nodes == 0


@pytest.mark.feature("MG-21")
def test_a_request_that_was_cut_short_is_finished_when_the_store_is_opened_again(
    open_store: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    from zulong.memory import erasure

    graph = open_store()
    household(graph)
    monkeypatch.setattr(erasure, "_BLOCK", 2)
    calls = 0
    whole = erasure._remove

    def breaks(*arguments: object) -> object:
        nonlocal calls
        calls += 1
        if calls == 2:
            raise RuntimeError("the end of the process")
        return whole(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(erasure, "_removal", lambda *rest: lambda tx: breaks(tx, *rest))
    with pytest.raises(RuntimeError, match="end of the process"):
        graph.forget(person="alicia")
    assert 2 < len(graph) < 8
    monkeypatch.undo()
    graph.close()

    graph = open_store()

    assert {node.id for node in graph.engine.documents()} == {"word", "bob"}
    assert trace_of(graph.engine, "zyxw") == []
    graph.close()
    assert len(open_store()) == 2
