"""forget, export_memory and review_memory as a client sees them."""

from __future__ import annotations

import hashlib
import json
import threading
from pathlib import Path

import pytest
from zulong.msg import MemoryEdge, MemoryNode
from zulong.srv import (
    ExportMemory,
    Forget,
    GetMemory,
    LinkMemories,
    Recall,
    Reinforce,
    Remember,
    ReviewMemory,
)

from zulong.memory import MemoryGraph
from zulong.nodes import names
from zulong.nodes.memory import MemoryNode as MemoryProcess
from zulong.nodes.memory_export import MemoryExporter
from zulong.nodes.workers import WorkerFullError

PARAMETERS = {"memory.chronicle": "false", "memory.lifecycle_period_s": "86400.0"}


@pytest.fixture(scope="module")
def memory(live):
    return live.start(MemoryProcess())


def remember(live, id: str, text: str, **fields) -> None:
    links = fields.pop("links", [])
    node = MemoryNode(id=id, text=text, **{"type": MemoryNode.TYPE_KNOWLEDGE, **fields})
    answer = live.call(Remember, names.REMEMBER, node=node, links=links)
    assert answer.error_code == 0, answer.error_msg


def known(live, *ids: str) -> list[str]:
    answer = live.call(GetMemory, names.GET_MEMORY, ids=list(ids))
    return [node.id for node in answer.nodes]


@pytest.mark.feature("MG-21")
def test_forgetting_ids_removes_them_for_good_and_a_dry_run_only_counts(live, memory) -> None:
    remember(live, "lamp", "The lamp in the hall flickers at night.")
    link = MemoryEdge(target_id="lamp", type=MemoryEdge.TYPE_CAUSAL, weight=0.5)
    remember(live, "fuse", "The old fuse makes the light unsteady.", links=[link])
    counted = live.call(Forget, names.FORGET, ids=["lamp"], dry_run=True)
    assert (counted.error_code, counted.forgotten, counted.edges) == (0, 1, 1)
    assert known(live, "lamp", "fuse") == ["lamp", "fuse"]
    done = live.call(Forget, names.FORGET, ids=["lamp", "never"], reason="the lamp is gone")
    assert (done.error_code, done.forgotten, done.edges, list(done.unknown)) == (0, 1, 1, ["never"])
    receipt = json.loads(done.receipt_json)
    assert receipt["memories"] == {"removed": 1, "remain": 0}
    assert known(live, "lamp", "fuse") == ["fuse"]
    hits = live.call(
        Recall, names.RECALL, text="lamp flickers", limit=10, hot_deadline_s=30.0, cold_deadline_s=30.0
    )
    assert "lamp" not in [hit.node.id for hit in hits.hits]
    again = live.call(Forget, names.FORGET, ids=["lamp"])
    assert again.error_code == Forget.Response.NOT_FOUND
    assert "lamp" in again.error_msg


@pytest.mark.feature("MG-21")
def test_forgetting_a_person_takes_what_names_the_person_and_leaves_the_rest(live, memory) -> None:
    remember(live, "likes", "Wilhelmina likes her tea without sugar.", person="wilhelmina")
    remember(live, "mention", "The green umbrella belongs to Wilhelmina.")
    remember(live, "other", "The blue umbrella belongs to nobody.")
    done = live.call(Forget, names.FORGET, person="wilhelmina")
    assert (done.error_code, done.forgotten) == (0, 2)
    assert known(live, "likes", "mention", "other") == ["other"]
    assert json.loads(done.receipt_json)["memories"]["remain"] == 0


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({}, "nothing to forget"),
        ({"person": "   "}, "blank"),
        ({"person": "x" * 1_000_000}, "at most 200"),
    ],
)
def test_a_request_to_forget_that_says_nothing_sensible_is_refused(live, memory, fields, words) -> None:
    answer = live.call(Forget, names.FORGET, **fields)
    assert answer.error_code == Forget.Response.INVALID_REQUEST
    assert words in answer.error_msg


@pytest.mark.feature("MG-11")
def test_an_export_can_be_narrowed_and_read_back_elsewhere(live, memory, tmp_path: Path) -> None:
    remember(live, "cellar", "The key to the cellar hangs by the door.")
    remember(live, "rhubarb", "Rhubarb grows behind the shed.", type=MemoryNode.TYPE_CONCEPT)
    done = live.call(ExportMemory, names.EXPORT_MEMORY, name="facts", types=[MemoryNode.TYPE_KNOWLEDGE])
    assert done.error_code == 0, done.error_msg
    file = Path(done.path)
    assert (file.name, file.parent.name) == ("facts.jsonl", "exports")
    assert hashlib.sha256(file.read_bytes()).hexdigest() == done.sha256
    with MemoryGraph.open(tmp_path / "other") as other:
        assert other.import_from(file).nodes == done.nodes
        assert other.get("cellar") is not None
        assert other.get("rhubarb") is None


@pytest.mark.feature("MG-11")
def test_graphml_picture_and_backup_are_written_and_never_over_what_is_there(
    live, memory, tmp_path: Path
) -> None:
    remember(live, "nasty", 'A label with "quotes", ] and <tags>; all of it text.')
    graphml = live.call(ExportMemory, names.EXPORT_MEMORY, format=ExportMemory.Request.FORMAT_GRAPHML)
    assert graphml.path.endswith(".graphml")
    picture = live.call(
        ExportMemory, names.EXPORT_MEMORY, format=ExportMemory.Request.FORMAT_MERMAID, name="picture"
    )
    text = Path(picture.path).read_text()
    assert text.startswith("graph LR\n")
    assert '"quotes"' not in text
    assert "#34;quotes#34;" in text
    backup = live.call(
        ExportMemory, names.EXPORT_MEMORY, format=ExportMemory.Request.FORMAT_BACKUP, name="whole"
    )
    assert backup.error_code == 0, backup.error_msg
    with MemoryGraph.open(backup.path) as copy:
        assert copy.get("nasty") is not None
    for format, name in ((ExportMemory.Request.FORMAT_MERMAID, "picture"), (2, "whole")):
        again = live.call(ExportMemory, names.EXPORT_MEMORY, format=format, name=name)
        assert again.error_code == ExportMemory.Response.INVALID_REQUEST
        assert "already" in again.error_msg


@pytest.mark.parametrize(
    "fields",
    [
        {"name": "../escape"},
        {"name": "/etc/passwd"},
        {"name": ".hidden"},
        {"name": "a/b"},
        {"name": "line\nbreak"},
        {"name": "x" * 1000},
        {"format": 9},
        {"types": [250]},
        {"format": 2, "person": "somebody"},
    ],
)
def test_an_export_that_leaves_its_folder_or_makes_no_sense_is_refused(live, memory, fields) -> None:
    answer = live.call(ExportMemory, names.EXPORT_MEMORY, **fields)
    assert answer.error_code == ExportMemory.Response.INVALID_REQUEST
    assert answer.error_msg
    assert len(answer.error_msg) < 300


def test_a_link_in_the_export_folder_is_not_followed(live, memory, tmp_path: Path) -> None:
    outside = tmp_path / "outside.jsonl"
    made = live.call(ExportMemory, names.EXPORT_MEMORY, name="first")
    (Path(made.path).parent / "trap.jsonl").symlink_to(outside)
    answer = live.call(ExportMemory, names.EXPORT_MEMORY, name="trap")
    assert answer.error_code == ExportMemory.Response.INVALID_REQUEST
    assert not outside.exists()


@pytest.mark.feature("MG-05")
def test_a_review_previews_runs_is_listed_and_can_be_undone(live, memory) -> None:
    old = MemoryNode().stamp
    old.sec = 1_000_000
    for number in range(3):
        remember(
            live,
            f"dull{number}",
            f"Nothing happened on patrol number {number}.",
            type=MemoryNode.TYPE_EPISODE,
            stamp=old,
        )
    graph = memory._memory
    later = graph.engine.now() + 400 * 86400.0
    clock, graph.engine.now = graph.engine.now, lambda: later  # the reviews of a year from now
    try:
        preview = live.call(ReviewMemory, names.REVIEW_MEMORY, command=ReviewMemory.Request.COMMAND_PREVIEW)
        assert preview.error_code == 0, preview.error_msg
        assert preview.verdicts
        assert not any(each.applied or each.journal_id for each in preview.verdicts)
        run = live.call(ReviewMemory, names.REVIEW_MEMORY, command=ReviewMemory.Request.COMMAND_RUN)
        assert {each.node_id for each in run.verdicts} == {each.node_id for each in preview.verdicts}
        undoable = [each for each in run.verdicts if each.journal_id]
        assert undoable
        listed = live.call(ReviewMemory, names.REVIEW_MEMORY, command=ReviewMemory.Request.COMMAND_LIST)
        assert {each.journal_id for each in undoable} <= {each.journal_id for each in listed.verdicts}
        number = undoable[0].journal_id
        undone = live.call(
            ReviewMemory, names.REVIEW_MEMORY, command=ReviewMemory.Request.COMMAND_UNDO, journal_id=number
        )
        assert undone.error_code == 0, undone.error_msg
        assert all(not each.applied for each in undone.verdicts)
        again = live.call(
            ReviewMemory, names.REVIEW_MEMORY, command=ReviewMemory.Request.COMMAND_UNDO, journal_id=number
        )
        assert again.error_code == ReviewMemory.Response.NOT_FOUND
    finally:
        graph.engine.now = clock


@pytest.mark.parametrize(
    "fields",
    [{"command": 9}, {"limit": 0}, {"limit": 4_000_000_000}]
    + [
        {"command": ReviewMemory.Request.COMMAND_UNDO, "journal_id": id}
        for id in ("", "-1", "١٢", "9" * 40, "x")
    ],
)
def test_a_review_that_makes_no_sense_is_refused(live, memory, fields) -> None:
    answer = live.call(ReviewMemory, names.REVIEW_MEMORY, **fields)
    assert answer.error_code == ReviewMemory.Response.INVALID_REQUEST
    assert answer.error_msg


def test_a_long_export_keeps_no_recall_waiting_and_ends_when_the_node_rests(
    live, memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun, go_on = threading.Event(), threading.Event()
    write = MemoryExporter.write

    def slow(self, *args):
        begun.set()
        assert go_on.wait(60.0)
        return write(self, *args)

    monkeypatch.setattr(MemoryExporter, "write", slow)
    ended: list = []
    asking = threading.Thread(
        target=lambda: ended.append(live.call(ExportMemory, names.EXPORT_MEMORY, name="slow"))
    )
    asking.start()
    assert begun.wait(60.0)
    found = live.call(
        Recall, names.RECALL, text="rhubarb", limit=5, hot_deadline_s=30.0, cold_deadline_s=30.0
    )
    assert found.error_code == 0
    memory._keeping._exporter.stop()
    go_on.set()
    asking.join(60.0)
    assert ended[0].error_code == ExportMemory.Response.UNAVAILABLE
    assert not list(Path(memory._keeping._exporter._folder).glob("slow*"))
    memory._keeping._exporter._stopped.clear()


MILLION = "x" * 1_000_000


@pytest.mark.parametrize(
    ("kind", "name", "fields"),
    [
        (Remember, names.REMEMBER, {"node": MemoryNode(text="words", id=MILLION)}),
        (Remember, names.REMEMBER, {"node": MemoryNode(text=MILLION)}),
        (Remember, names.REMEMBER, {"node": MemoryNode(text="words", room=MILLION)}),
        (Remember, names.REMEMBER, {"node": MemoryNode(text="words", session=MILLION)}),
        (Remember, names.REMEMBER, {"node": MemoryNode(text="words", source_ids=[""])}),
        (Remember, names.REMEMBER, {"node": MemoryNode(text="words", tags=["t"] * 20_000)}),
        (Remember, names.REMEMBER, {"node": MemoryNode(text="words", meta_json='{"a": NaN}')}),
        (Remember, names.REMEMBER, {"node": MemoryNode(text="words", type=255)}),
        (Recall, names.RECALL, {"text": "cup", "hot_deadline_s": float("inf")}),
        (Recall, names.RECALL, {"text": "cup", "cold_deadline_s": 1e38}),
        (Recall, names.RECALL, {"text": MILLION}),
        (Recall, names.RECALL, {"text": "cup", "limit": 0}),
        (Recall, names.RECALL, {"text": "cup", "person": MILLION}),
        (Recall, names.RECALL, {"text": "cup", "use_place": True, "radius_m": float("nan")}),
        (GetMemory, names.GET_MEMORY, {"ids": [""]}),
        (GetMemory, names.GET_MEMORY, {"ids": [MILLION]}),
        (Reinforce, names.REINFORCE, {"ids": [""]}),
        (LinkMemories, names.LINK_MEMORIES, {"edges": [MemoryEdge(type=4, weight=0.5)]}),
        (
            LinkMemories,
            names.LINK_MEMORIES,
            {"edges": [MemoryEdge(source_id="fuse", target_id="other", type=4, weight=float("nan"))]},
        ),
        (Forget, names.FORGET, {"ids": [""]}),
    ],
    ids=lambda each: str(each)[:60],
)
def test_a_request_with_a_malformed_field_is_refused_and_does_no_harm(
    live, memory, kind, name, fields
) -> None:
    answer = live.call(kind, name, **fields)
    assert answer.error_code == kind.Response.INVALID_REQUEST, (answer.error_code, answer.error_msg)
    assert 0 < len(answer.error_msg) <= 400
    assert memory.faults == 0


def test_a_memory_that_cannot_keep_up_says_so_and_goes_on(
    live, memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise WorkerFullError("Worker memory.reader has 256 calls waiting; drop or retry later.")

    with monkeypatch.context() as patch:
        patch.setattr(memory._reader, "submit", full)
        answer = live.call(GetMemory, names.GET_MEMORY, ids=["a"])
    assert answer.error_code == GetMemory.Response.UNAVAILABLE
    assert "retry" in answer.error_msg
    assert live.call(GetMemory, names.GET_MEMORY, ids=["a"]).error_code == GetMemory.Response.NOT_FOUND
