"""What is special to the PostgreSQL saver: a server that goes away, and many writers. Uses a real server."""

from __future__ import annotations

import subprocess
import sys
import threading
from typing import Any

import pytest

from zulong.stategraph.checkpoint.base import LogValue, empty_checkpoint
from zulong.stategraph.checkpoint.errors import StorageError

pytestmark = pytest.mark.feature("SG-10")
pytest.importorskip("psycopg")
ADDRESS = {"configurable": {"thread_id": "t", "checkpoint_ns": ""}}


@pytest.fixture
def open_saver(postgres_url: str) -> Any:
    from zulong.stategraph.checkpoint.postgres import PostgresSaver

    opened: list[Any] = []

    def make(**options: Any) -> Any:
        opened.append(PostgresSaver(postgres_url, **options))
        return opened[-1]

    yield make
    for saver in opened:
        saver.close()


def put(saver: Any, value: Any, thread: str = "t") -> Any:
    checkpoint = empty_checkpoint()
    checkpoint["channel_values"], checkpoint["channel_versions"] = {"a": value}, {"a": 1}
    address = {"configurable": {"thread_id": thread, "checkpoint_ns": ""}}
    return saver.put(address, checkpoint, {"source": "loop", "step": 0}, {"a": 1})


def test_another_robot_reads_what_one_wrote(open_saver: Any) -> None:
    writer, reader = open_saver(), open_saver()
    stored = put(writer, LogValue(["a"]).append(["b"]))
    found = reader.get_tuple(ADDRESS)
    assert found.config == stored
    assert found.checkpoint["channel_values"]["a"] == ["a", "b"]


def test_a_dropped_connection_is_opened_again(open_saver: Any, postgres_url: str) -> None:
    import psycopg

    saver = open_saver()
    put(saver, 1)
    kill = (
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
        "WHERE datname = current_database() AND application_name = 'zulong'"
    )
    with psycopg.connect(postgres_url, autocommit=True) as admin:
        admin.execute(kill)
    assert saver.get_tuple(ADDRESS).checkpoint["channel_values"] == {"a": 1}
    with psycopg.connect(postgres_url, autocommit=True) as admin:
        admin.execute(kill)
    put(saver, 2)
    assert saver.get_tuple(ADDRESS).checkpoint["channel_values"] == {"a": 2}


def test_what_was_acknowledged_is_there_after_the_server_was_killed(open_saver: Any, postgres: Any) -> None:
    saver = open_saver()
    for number in range(20):
        put(saver, number)
    postgres.stop("immediate")
    with pytest.raises(StorageError):
        put(saver, "while the server is down")
    postgres.start()
    assert len(list(saver.list(ADDRESS))) == 20
    put(saver, "after")
    assert saver.get_tuple(ADDRESS).checkpoint["channel_values"] == {"a": "after"}


def test_writers_of_one_task_from_several_processes_lose_nothing(open_saver: Any, postgres_url: str) -> None:
    saver = open_saver()
    stored = put(saver, 0)
    script = (
        "import sys, json\n"
        "from zulong.stategraph.checkpoint.postgres import PostgresSaver\n"
        "with PostgresSaver(sys.argv[1]) as saver:\n"
        "    for i in range(20):\n"
        "        writes = [('__skip', 0)] * int(sys.argv[3]) + [('a', f'{sys.argv[3]}-{i}')]\n"
        "        saver.put_writes(json.loads(sys.argv[2]), [('a', i)], f'{sys.argv[3]}-{i}')\n"
        "        saver.put_writes(json.loads(sys.argv[2]), writes, f'shared-{i}')\n"
    )
    import json

    workers = [
        subprocess.Popen(
            [sys.executable, "-c", script, postgres_url, json.dumps(stored), str(i)], stderr=subprocess.PIPE
        )
        for i in range(3)
    ]
    for worker in workers:
        _, errors = worker.communicate(timeout=60)
        assert worker.returncode == 0, errors.decode()[-2000:]
    writes = saver.get_tuple(stored).pending_writes
    assert len([write for write in writes if not write[0].startswith("shared")]) == 60
    for i in range(20):
        # place 0 goes to whoever came first; places 1 and 2 exist exactly once
        assert len([write for write in writes if write[0] == f"shared-{i}"]) == 3


def test_savers_that_start_at_once_make_the_tables_once(open_saver: Any) -> None:
    errors: list[BaseException] = []

    def start(number: int) -> None:
        try:
            put(open_saver(), number, thread=f"t{number}")
        except BaseException as error:
            errors.append(error)

    starts = [threading.Thread(target=start, args=(i,)) for i in range(5)]
    for one in starts:
        one.start()
    for one in starts:
        one.join(timeout=60)
    assert errors == []
    assert len(open_saver().threads()) == 5


def test_a_server_that_cannot_be_reached_is_one_clear_error() -> None:
    from zulong.stategraph.checkpoint.postgres import PostgresSaver

    with pytest.raises(StorageError, match="database failed"):
        PostgresSaver("host=/nowhere port=1 dbname=x connect_timeout=2")


def test_without_the_driver_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    from zulong.stategraph.checkpoint import postgres

    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(ImportError, match=r"pip install 'zulong\[postgres\]'"):
        postgres.PostgresSaver("dbname=x")
