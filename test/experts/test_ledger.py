"""The ledger through kills and torn writes."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from zulong.experts.ledger import Ledger, LedgerConflictError, LedgerError

pytestmark = pytest.mark.feature("RB-10")

WRITER = """
import sys
from pathlib import Path
from zulong.experts.ledger import Ledger
ledger = Ledger(Path(sys.argv[1]))
for i in range(100000):
    ledger.begin(f"k{i}", "pick", "{}")
    print("begun", i, flush=True)
    ledger.finish(f"k{i}", {"n": i})
    print("done", i, flush=True)
"""


def test_what_was_begun_and_done_is_known_after_opening_again(tmp_path: Path) -> None:
    ledger = Ledger(tmp_path)
    ledger.begin("a", "pick", "{}")
    ledger.finish("a", {"object": "杯子"})
    ledger.begin("b", "place", "{}")
    ledger.begin("c", "place", "{}")
    ledger.drop("c")
    ledger.close()
    again = Ledger(tmp_path)
    assert again.get("a").result == {"object": "杯子"}
    assert again.get("b").result is None and again.get("b").skill == "place"
    assert again.get("c") is None and again.get("never") is None


@pytest.mark.parametrize("round_", range(3))
def test_a_kill_at_any_instant_loses_nothing_that_was_acknowledged(tmp_path: Path, round_: int) -> None:
    process = subprocess.Popen(
        [sys.executable, "-c", WRITER, str(tmp_path)], stdout=subprocess.PIPE, text=True
    )
    lines = [process.stdout.readline().split() for _ in range(40 + round_)]
    time.sleep(0.003 * round_)
    os.kill(process.pid, signal.SIGKILL)
    lines += [line.split() for line in process.stdout.read().splitlines()]
    process.wait(timeout=10)
    ledger = Ledger(tmp_path)
    for word, number in (line for line in lines if len(line) == 2):
        entry = ledger.get(f"k{number}")
        assert entry is not None
        if word == "done":
            assert entry.result == {"n": int(number)}


@pytest.mark.parametrize("cut", [1, 7, 20])
def test_a_torn_last_line_costs_only_itself(tmp_path: Path, cut: int) -> None:
    ledger = Ledger(tmp_path)
    ledger.begin("a", "pick", "{}")
    ledger.finish("a", {})
    ledger.begin("b", "pick", "{}")
    ledger.close()
    file = tmp_path / "skills.jsonl"
    file.write_bytes(file.read_bytes()[:-cut])
    again = Ledger(tmp_path)
    assert again.get("a").result == {}
    again.begin("c", "pick", "{}")
    again.close()
    assert Ledger(tmp_path).get("c") is not None


def test_rubbish_in_the_file_is_left_out(tmp_path: Path) -> None:
    records = [
        "nonsense",
        "[]",
        '{"key": 1}',
        json.dumps({"key": "x", "begin": "pick", "arguments": "{}"}),
        "\x00\x00",
    ]
    (tmp_path / "skills.jsonl").write_text("\n".join(records))
    assert Ledger(tmp_path).get("x").skill == "pick"


def test_a_key_cannot_change_its_goal(tmp_path: Path) -> None:
    ledger = Ledger(tmp_path)
    ledger.begin("a", "pick", '{"object": "cup"}')
    with pytest.raises(LedgerConflictError, match="'a'"):
        ledger.begin("a", "pick", '{"object": "bowl"}')


def test_a_folder_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    blocker = tmp_path / "file"
    blocker.write_text("not a folder")
    with pytest.raises(LedgerError, match="ZULONG_HOME"):
        Ledger(blocker / "ledger")
