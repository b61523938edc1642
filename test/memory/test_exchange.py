"""Export and import: what comes back is what went out."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import networkx
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from zulong.memory import Draft, EdgeType, Importance, MemoryConfig, MemoryGraph, NodeType, Place
from zulong.memory.config import StorageConfig
from zulong.memory.errors import InvalidMemoryError

CONFIG = MemoryConfig(
    retrieval={"direct": True}, door={"open": True}, storage=StorageConfig(commit_interval_s=0.0)
)
text = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=30)
plain = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**53), 2**53)
    | st.floats(allow_nan=False, allow_infinity=False)
    | text
    | st.binary(max_size=4),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(text.filter(lambda key: key != "__bytes__"), inner, max_size=3)
    ),
    max_leaves=6,
)
times = st.floats(0, 4e9)
drafts = st.lists(
    st.builds(
        Draft,
        text=text.filter(str.strip),
        type=st.sampled_from(NodeType),
        id=st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=12),
        importance=st.sampled_from(Importance),
        tags=st.lists(text, max_size=3).map(tuple),
        meta=st.dictionaries(text, plain, max_size=3),
        stamp=times,
        place=st.none()
        | st.builds(
            Place, st.floats(-1e6, 1e6), st.floats(-1e6, 1e6), st.floats(-9, 9), st.just("map"), text
        ),
        robot=text,
        person=text,
        session=text,
        source_ids=st.lists(text, max_size=2).map(tuple),
        valid_from=st.none() | times,
        valid_to=st.none() | times,
    ),
    min_size=1,
    max_size=6,
    unique_by=lambda draft: draft.id,
)
edges = st.lists(
    st.tuples(st.integers(0, 5), st.integers(0, 5), st.sampled_from(EdgeType), st.floats(0.06, 1.0)),
    max_size=8,
)


def content(graph: MemoryGraph) -> tuple[list[dict[str, Any]], list[str]]:
    from dataclasses import asdict

    nodes = []
    for node in graph.engine.documents():
        fields = asdict(node)
        del fields["uid"]
        nodes.append(fields)
    found = {repr(edge) for node in graph.engine.documents() for edge in graph.edges_of(node.id)}
    return sorted(nodes, key=lambda fields: str(fields["id"])), sorted(found)


@pytest.mark.feature("MG-11")
@pytest.mark.parametrize("suffix", ["jsonl", "graphml"])
@settings(
    max_examples=8,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(drafts=drafts, edges=edges)
def test_import_gives_back_exactly_what_was_exported(
    tmp_path_factory: pytest.TempPathFactory,
    new_clock: Callable[[], Any],
    suffix: str,
    drafts: list[Draft],
    edges: list[tuple[int, int, EdgeType, float]],
) -> None:
    folder = tmp_path_factory.mktemp("exchange")
    clock = new_clock()
    with MemoryGraph.open(folder / "one", clock=clock, config=CONFIG) as graph:
        results = graph.remember_many(drafts)
        assert all(result.verdict == "added" for result in results), results
        for src, dst, type, weight in edges:
            if src != dst and max(src, dst) < len(drafts):
                meta = {"why": drafts[src].text}
                graph.link(str(drafts[src].id), str(drafts[dst].id), type, weight, meta)
        before = content(graph)
        sent = graph.export(folder / f"all.{suffix}")
    assert sent.nodes == len(drafts)
    with MemoryGraph.open(folder / "two", clock=clock, config=CONFIG) as graph:
        got = graph.import_from(folder / f"all.{suffix}")
        assert (got.nodes, got.edges, got.skipped) == (sent.nodes, sent.edges, 0)
        assert content(graph) == before
        again = graph.import_from(folder / f"all.{suffix}")
        assert (again.nodes, again.edges, again.skipped) == (0, 0, sent.nodes + sent.edges)
        assert content(graph) == before


@pytest.mark.feature("MG-11")
def test_other_tools_read_the_graphml(graph: MemoryGraph, tmp_path: Path) -> None:
    graph.remember("the <red> cup & saucer", id="a")
    graph.remember("桌子", id="b")
    graph.link("a", "b", EdgeType.SEMANTIC, 0.75)
    graph.link("a", "b", EdgeType.CAUSAL, 0.5)
    graph.export(tmp_path / "all.graphml")
    read = networkx.read_graphml(tmp_path / "all.graphml")
    assert read.nodes["a"]["text"] == "the <red> cup & saucer"
    assert read.number_of_edges("a", "b") == 2


@pytest.mark.feature("MG-11")
@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("{", "line 2 of the import: not JSON"),
        ("[]", "an object is expected"),
        ('{"thing": 1}', "neither a node nor an edge"),
        ('{"node": {"id": "a"}}', "this node cannot be read"),
        ('{"edge": {"src": "a", "dst": "b", "type": "NEVER"}}', "this edge cannot be read"),
    ],
)
def test_a_line_that_is_wrong_is_named(graph: MemoryGraph, tmp_path: Path, line: str, message: str) -> None:
    path = tmp_path / "in.jsonl"
    path.write_text(json.dumps({"format": "zulong-memory", "version": 1}) + "\n" + line + "\n")
    with pytest.raises(InvalidMemoryError, match=message):
        graph.import_from(path)
    assert len(graph) == 0


@pytest.mark.feature("MG-11")
def test_graphml_with_entities_is_refused(graph: MemoryGraph, tmp_path: Path) -> None:
    path = tmp_path / "in.graphml"
    path.write_text('<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "aaaa">]><graphml>&a;</graphml>')
    with pytest.raises(InvalidMemoryError, match="entities"):
        graph.import_from(path)
    path.write_text("<graphml><graph><node></graph>")
    with pytest.raises(InvalidMemoryError, match="cannot be read"):
        graph.import_from(path)


@pytest.mark.feature("MG-11")
def test_files_that_cannot_be_read_or_written_are_named(graph: MemoryGraph, tmp_path: Path) -> None:
    graph.remember("a cup", id="cup")
    (tmp_path / "binary.jsonl").write_bytes(b"\xde\xad\xbe\xef" * 100)
    (tmp_path / "binary.graphml").write_bytes(b"\xde\xad\xbe\xef" * 100)
    for name in ("binary.jsonl", "binary.graphml", "absent.jsonl", "absent.graphml", ""):
        with pytest.raises(InvalidMemoryError, match=re.escape(str(tmp_path / name))):
            graph.import_from(tmp_path / name)
    for name in ("no/folder/out.jsonl", "no/folder/out.graphml"):
        with pytest.raises(InvalidMemoryError, match="choose a writable place"):
            graph.export(tmp_path / name)
    assert len(graph) == 1
