"""The measurement itself, run on a small set in the documented format."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]


def lines(store):
    turns = [
        "Shall we paint the boat?",
        "Yes, in green.",
        "The oars are in the shed.",
        "Then let us row on Sunday.",
    ]
    for number, text in enumerate(turns):
        yield {
            "store": store,
            "id": f"t{number}",
            "time": f"2024-05-04T10:0{number}:00",
            "kind": "dialogue",
            "text": text,
        }
    report = "# Boats\n\n" + "Planks and nails. " * 120 + "\n\n## Colours\n\nThe hull is painted green twice."
    yield {"store": store, "id": "report.md", "time": None, "kind": "file", "text": report}
    yield {"store": store, "id": "---.md", "time": None, "kind": "file", "text": "---\nNothing about ships"}
    yield {
        "store": store,
        "id": "m1",
        "time": 1714820000,
        "kind": "mail",
        "text": "Subject: rent\nThe rent is due.",
    }
    yield {"store": store, "question": "Where are the oars?", "gold": ["t2"], "type": "fact"}
    yield {
        "store": store,
        "question": "What does the report say about the colour of the hull?",
        "gold": ["report.md"],
        "type": "file",
    }
    yield {"store": store, "question": "Not answered by anything", "gold": ["absent"], "type": "none"}


@pytest.mark.feature("MG-06")
def test_the_bench_measures_every_system_on_json_lines(tmp_path):
    data = tmp_path / "set.jsonl"
    data.write_text("\n".join(json.dumps(line) for store in ("a", "b") for line in lines(store)))
    run = run_on(data, tmp_path)
    assert run.returncode == 0, run.stderr
    found = {line["figure"]: line for line in map(json.loads, run.stdout.splitlines())}
    assert set(found) == {"recall_at_10", "recall_at_10:fact", "recall_at_10:file"}
    assert all({"figure", "ours", "peer", "ratio", "unit"} <= line.keys() for line in found.values())
    assert found["recall_at_10"]["ours"] == 1.0
    assert "refused" not in run.stderr
    assert "nDCG@10" in run.stderr


def run_on(path, cache):
    return subprocess.run(
        [
            sys.executable,
            str(ROOT / "bench" / "recall_quality.py"),
            str(path),
            "--embedder",
            "hashing",
            "--cache",
            str(cache),
        ],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
        env={"PYTHONPATH": str(ROOT / "src"), "PATH": "", "OMP_NUM_THREADS": "1"},
    )


@pytest.mark.feature("MG-06")
def test_documents_and_questions_in_files_of_their_own_are_read_with_all_that_sets_in_the_wild_hold(tmp_path):
    documents = [
        ["t1", "2024-05-04T10:00:00Z", "dialogue", "红色的杯子放在厨房的桌子上"],
        ["t2", 1714817000000, "dialogue", "..."],
        ["t3", 1714817060.5, "dialogue", "Then I put the oars into the shed."],
        {"id": 7, "text": "The rent is due on Friday."},
        {"id": "note", "time": None, "kind": "", "text": "The password of the boat house is heron."},
        {"id": "part", "kind": "document", "text": "The harbour opens at six."},
        {"id": "part", "kind": "document", "text": "The harbour master is called Lund."},
        {"id": "empty", "kind": "document", "text": "  "},
    ]
    questions = [
        {"question": "红色杯子在哪里？", "gold": "t1", "type": "zh"},
        ["Where are the oars?", ["t3", "nowhere"]],
        {"question": "When is the rent due?", "gold_ids": [7]},
        {"question": "What is the password of the boat house?", "gold": ["note", "note"]},
        {"question": "What is the harbour master called?", "gold": ["part"]},
        {"question": "Who knows?", "gold": ["nobody"]},
    ]
    folder = tmp_path / "set"
    folder.mkdir()
    for name, lines in (("documents", documents), ("questions", questions)):
        text = "\n".join(json.dumps(line, ensure_ascii=False) for line in lines) + "\n\n"
        (folder / f"{name}.jsonl").write_text(text, encoding="utf-8-sig" if name == "questions" else "utf-8")
    run = run_on(folder, tmp_path)
    assert run.returncode == 0, run.stderr
    found = {line["figure"]: line for line in map(json.loads, run.stdout.splitlines())}
    assert set(found) == {"recall_at_10", "recall_at_10:all", "recall_at_10:zh"}
    assert found["recall_at_10"]["ours"] == 1.0
    assert "2 gold ids name no document ('nobody'); 1 questions have no other gold" in run.stderr
    assert "1 ids are shared by several texts ('part'), which are joined" in run.stderr
    assert "1 documents have no text ('empty')" in run.stderr
    assert "set: 6 documents, 5 questions" in run.stderr


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ('{"question": 3}', "'gold' must be a list"),
        ('{"question": "", "gold": ["a"]}', "'question' must be a text"),
        ('{"id": "b"}', "there is no 'text'"),
        ('{"id": "b", "text": null}', "'text' must be a text"),
        ('{"id": "b", "text": "x", "time": "yesterday"}', "yesterday"),
        ("[1, 2, 3, 4, 5]", "expected an object"),
        ('"text"', "expected an object"),
        ("{", "Expecting property name"),
    ],
)
def test_a_damaged_line_is_named(tmp_path, line, told):
    (tmp_path / "set.jsonl").write_text('{"id": "a", "text": "x"}\n' + line + "\n")
    sys.path.insert(0, str(ROOT / "bench"))
    try:
        from recall_data import DataError, load
    finally:
        sys.path.remove(str(ROOT / "bench"))
    with pytest.raises(DataError, match=r"set\.jsonl:2") as caught:
        load(tmp_path)
    assert told in str(caught.value)


def test_what_cannot_be_read_is_told_in_one_sentence(tmp_path):
    (tmp_path / "set.jsonl").write_text('{"id": "a", "text": "x"}\n{"question": "x?", "gold": ["b"]}\n')
    run = run_on(tmp_path, tmp_path)
    assert run.returncode == 1
    assert "holds no question whose gold documents are there" in run.stderr
    assert "Traceback" not in run.stderr
    assert "is not there" in run_on(tmp_path / "absent.jsonl", tmp_path).stderr
