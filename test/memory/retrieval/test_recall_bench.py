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
    run = subprocess.run(
        [
            sys.executable,
            str(ROOT / "bench" / "recall_quality.py"),
            str(data),
            "--embedder",
            "hashing",
            "--cache",
            str(tmp_path),
        ],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
        env={"PYTHONPATH": str(ROOT / "src"), "PATH": "", "OMP_NUM_THREADS": "1"},
    )
    assert run.returncode == 0, run.stderr
    found = {line["figure"]: line for line in map(json.loads, run.stdout.splitlines())}
    assert set(found) == {"recall_at_10", "recall_at_10:fact", "recall_at_10:file"}
    assert all({"figure", "ours", "peer", "ratio", "unit"} <= line.keys() for line in found.values())
    assert found["recall_at_10"]["ours"] == 1.0
    assert "refused" not in run.stderr
    assert "nDCG@10" in run.stderr


def test_a_damaged_line_is_named(tmp_path):
    (tmp_path / "set.jsonl").write_text('{"id": "a", "text": "x"}\n{"question": 3}\n')
    run = subprocess.run(
        [sys.executable, str(ROOT / "bench" / "recall_quality.py"), str(tmp_path), "--embedder", "hashing"],
        capture_output=True, text=True, timeout=120, check=False, env={"PYTHONPATH": str(ROOT / "src"), "PATH": ""},
    )  # fmt: skip
    assert run.returncode != 0
    assert "set.jsonl:2" in run.stderr
