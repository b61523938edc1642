"""Checkpoint ids that always sort forward, and log values that never share what they should not."""

from __future__ import annotations

import subprocess
import sys
import threading
import time
import uuid
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zulong.stategraph.checkpoint.base import LogValue, create_checkpoint_id, uuid6
from zulong.stategraph.checkpoint.base import id as id_module


def test_ids_are_version_six_and_sort_in_the_order_of_their_making() -> None:
    made = [create_checkpoint_id(step) for step in range(-2, 2000)]
    assert made == sorted(made) and len(set(made)) == len(made)
    assert uuid.UUID(made[0]).version == 6 and uuid.UUID(made[0]).variant == uuid.RFC_4122
    assert uuid6(clock_seq=3).version == 6
    assert str(uuid6()) > made[-1]


def test_ids_of_several_threads_are_distinct() -> None:
    made: list[str] = []
    workers = [
        threading.Thread(target=lambda: made.extend([create_checkpoint_id() for _ in range(500)]))
        for _ in range(4)
    ]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join(timeout=30)
    assert len(set(made)) == 2000


def test_a_clock_that_was_set_back_makes_no_older_id(monkeypatch: pytest.MonkeyPatch) -> None:
    before = create_checkpoint_id()
    now = time.time_ns()
    monkeypatch.setattr(id_module.time, "time_ns", lambda: now - 10**18)
    assert create_checkpoint_id() > before
    # after a restart the process itself knows nothing of earlier ids
    monkeypatch.setattr(id_module, "_last_ticks", 0)
    assert create_checkpoint_id() < before
    assert create_checkpoint_id(after=before) > before
    assert create_checkpoint_id() > before


@pytest.mark.parametrize(
    "after", [None, "", "1", "not a version six id, but of 36 chars.", str(uuid.uuid4())]
)
def test_an_id_of_another_kind_is_no_hindrance(after: str | None) -> None:
    assert uuid.UUID(create_checkpoint_id(after=after)).version == 6


@given(st.lists(st.tuples(st.integers(0, 5), st.lists(st.integers(), max_size=3)), max_size=20))
def test_every_branch_of_a_log_is_the_list_of_its_own_appends(appends: list[tuple[int, list[int]]]) -> None:
    logs, lists = [LogValue()], [[]]
    for base, items in appends:
        index = base % len(logs)
        logs.append(logs[index].append(items))
        lists.append(lists[index] + items)
    for log, expected in zip(logs, lists, strict=True):
        assert log == expected and list(log) == expected and len(log) == len(expected)
        assert log.to_list() == expected
        assert list(reversed(log)) == expected[::-1] and (0 in log) == (0 in expected)
        assert log.count(0) == expected.count(0) and (0 not in log or log.index(0) == expected.index(0))
        assert isinstance(log, Sequence)
        assert not expected or (log[-1] == expected[-1] and log[:2] == expected[:2])


def test_a_very_long_log_is_made_and_dropped_without_deep_recursion() -> None:
    log = LogValue()
    for number in range(200_000):
        log = log.append([number])
    assert len(log) == 200_000
    del log


def test_engine_modules_load_without_heavy_ones() -> None:
    script = (
        "import sys\n"
        "import zulong.stategraph.checkpoint.base, zulong.stategraph.checkpoint.memory\n"
        "import zulong.stategraph.store.memory, zulong.stategraph.cache.memory\n"
        "heavy = {'numpy', 'lmdb', 'psycopg', 'cryptography', 'pydantic', 'sqlite3', 'langgraph'}\n"
        "print(sorted(heavy & set(sys.modules)))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, timeout=60, check=True
    )
    assert done.stdout.strip() == "[]"
