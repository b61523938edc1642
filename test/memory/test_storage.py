"""The store on disk: durable, exclusive, growing, repaired, caught up; full and read-only disks."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import lmdb
import numpy as np
import pytest

from zulong.memory import (
    Draft,
    EdgeType,
    Importance,
    Link,
    MemoryConfig,
    MemoryGraph,
    NodeType,
    Place,
    vectorcode,
)
from zulong.memory.backup import restore
from zulong.memory.config import StorageConfig
from zulong.memory.errors import (
    InvalidMemoryError,
    SchemaVersionError,
    StoreClosedError,
    StoreDamagedError,
    StoreFullError,
    StoreLockedError,
    UnknownNodeError,
)
from zulong.memory.records import EDGE_KEY, EDGE_VALUE, UID
from zulong.memory.snapshot import path_in
from zulong.memory.store import SCHEMA_VERSION
from zulong.memory.verification import verify

Open = Callable[..., MemoryGraph]
ENVIRONMENT = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}


def fill(graph: MemoryGraph, count: int = 30) -> None:
    graph.remember_many(
        [
            Draft(
                f"event {index} 事件",
                NodeType(index % 14),
                id=f"n{index}",
                importance=Importance.FACT,
                tags=("kitchen",),
                meta={"number": index, "list": [1, 2.5, None, True], "raw": b"\x00\xff"},
                place=Place(index, -index, 0.5, "map", "kitchen") if index % 2 else None,
                robot="r1",
                person="alice" if index % 3 else "",
                session=f"s{index // 10}",
                source_ids=("n0",) if index else (),
                links=(Link(f"n{index - 1}", EdgeType.TEMPORAL, 0.9),) if index else (),
            )
            for index in range(count)
        ]
    )


def content(graph: MemoryGraph) -> tuple[list[str], list[str]]:
    nodes = [repr(node) for node in graph.engine.documents()]
    edges = {repr(edge) for node in graph.engine.documents() for edge in graph.edges_of(node.id)}
    return nodes, sorted(edges)


@pytest.mark.feature("MG-11")
def test_everything_is_there_after_a_restart(open_store: Open) -> None:
    graph = open_store()
    fill(graph)
    before = content(graph)
    assert len(before[0]) == 30
    assert len(before[1]) == 29 + 29
    graph.close()
    assert content(open_store()) == before


@pytest.mark.feature("MG-11")
def test_the_second_process_is_told_who_has_the_store(graph: MemoryGraph, tmp_path: Path) -> None:
    code = (
        "import sys\nfrom zulong.memory import MemoryGraph\nfrom zulong.memory.errors import StoreLockedError\n"
        "try:\n    MemoryGraph.open(sys.argv[1])\nexcept StoreLockedError as error:\n"
        "    print(error.pid, error)\n"
    )
    command = [sys.executable, "-c", code, str(tmp_path / "store")]
    told = subprocess.run(command, capture_output=True, text=True, env=ENVIRONMENT, timeout=60, check=True)
    assert told.stdout.startswith(f"{os.getpid()} The memory store")
    assert "stop that process" in told.stdout


@pytest.mark.feature("MG-11")
def test_the_same_process_cannot_open_a_store_twice(graph: MemoryGraph, open_store: Open) -> None:
    with pytest.raises(StoreLockedError):
        open_store()


@pytest.mark.feature("MG-11")
def test_many_threads_share_a_commit(graph: MemoryGraph) -> None:
    start = threading.Barrier(16)

    def write(number: int) -> None:
        start.wait(10)
        for index in range(5):
            graph.remember(f"thread {number} event {index}", id=f"{number}.{index}")

    threads = [threading.Thread(target=write, args=(number,)) for number in range(16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert len(graph) == 80
    assert graph.engine.writer.operations == 80
    assert graph.engine.writer.commits < 40


@pytest.mark.feature("MG-11")
def test_one_bad_write_of_a_batch_fails_alone(graph: MemoryGraph) -> None:
    graph.remember("a", id="a")
    gate = threading.Event()
    graph.engine.writer.alone(lambda: gate.wait(10))  # lets the next ones gather in one batch
    good = graph.remember_async(Draft("b", id="b"))
    bad = graph.link_async("a", "nowhere", EdgeType.SEMANTIC)
    also_good = graph.link_async("a", "b", EdgeType.SEMANTIC)
    gate.set()
    assert good.result(10).verdict == "added"
    with pytest.raises(UnknownNodeError, match="nowhere"):
        bad.result(10)
    also_good.result(10)
    assert len(graph.edges_of("a")) == 1


@pytest.mark.feature("MG-11")
def test_an_unforeseen_failure_of_one_write_does_not_touch_the_others_of_its_batch(
    graph: MemoryGraph,
) -> None:
    def breaks(tx: Any) -> None:
        tx.txn.put(b"half", b"written", db=tx.memory.store.table("ids"))
        raise ZeroDivisionError

    gate = threading.Event()
    graph.engine.writer.alone(lambda: gate.wait(10))
    good = graph.remember_async(Draft("b", id="b"))
    bad = graph.engine.writer.submit(breaks)
    gate.set()
    assert good.result(10).verdict == "added"
    with pytest.raises(ZeroDivisionError):
        bad.result(10)
    with graph.engine.memory.store.reading() as txn:
        assert txn.get(b"half", db=graph.engine.memory.store.table("ids")) is None


@pytest.mark.feature("MG-11")
def test_the_map_grows_when_it_is_too_small(open_store: Open, plain_config: MemoryConfig) -> None:
    config = replace(plain_config, storage=StorageConfig(map_size=1 << 20))
    graph = open_store(config=config)
    graph.remember_many([Draft(f"{index} " + "x" * 2000, id=f"n{index}") for index in range(2000)])
    assert len(graph) == 2000
    assert graph.get("n1999") is not None


@pytest.mark.feature("MG-11")
def test_at_its_limit_the_store_says_so_once_and_works_on(
    open_store: Open, plain_config: MemoryConfig
) -> None:
    config = replace(plain_config, storage=StorageConfig(map_size=1 << 20, max_map_size=1 << 20))
    graph = open_store(config=config)
    graph.remember("kept", id="kept")
    with pytest.raises(StoreFullError, match="max_map_size"):
        graph.remember_many([Draft("x" * 3000 + str(index), id=f"n{index}") for index in range(1000)])
    assert graph.get("kept") is not None
    graph.forget(ids=[node.id for node in graph.engine.documents() if node.id != "kept"], permanent=True)
    assert graph.remember("after").verdict == "added"


FULL_DISK = """
import resource, sys
from zulong.memory import Draft, MemoryConfig, MemoryGraph
from zulong.memory.errors import StoreFullError
config = MemoryConfig(retrieval={"direct": True}, door={"open": True})
graph = MemoryGraph.open(sys.argv[1], config=config)
graph.remember("before", id="before")
_, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
resource.setrlimit(resource.RLIMIT_FSIZE, (400_000, hard))
stored = 0
try:
    for block in range(1000):
        graph.remember_many([Draft(f"{block}.{i} " + "x" * 500, id=f"{block}.{i}") for i in range(20)])
        stored += 20
except StoreFullError as error:
    print(error)
assert len(graph) == stored + 1, (len(graph), stored)
assert graph.get("before") is not None
resource.setrlimit(resource.RLIMIT_FSIZE, (hard, hard))
assert graph.remember("after", id="after").verdict == "added"
graph.close()
graph = MemoryGraph.open(sys.argv[1], config=config)
assert len(graph) == stored + 2
graph.close()
print("intact", stored)
"""


@pytest.mark.feature("MG-11")
def test_a_full_disk_is_one_clear_error_and_the_store_works_again_when_space_returns(tmp_path: Path) -> None:
    command = [sys.executable, "-c", FULL_DISK, str(tmp_path / "store")]
    done = subprocess.run(command, capture_output=True, text=True, env=ENVIRONMENT, timeout=60, check=False)
    assert done.returncode == 0, done.stderr
    message, intact = done.stdout.splitlines()
    assert message.startswith("The disk of")
    assert "the store is intact" in message
    assert int(intact.split()[1]) > 0
    assert verify(tmp_path / "store").problems == []


def _allow(folder: str, mode: int) -> None:
    """Let the other user get as far as the store."""
    Path(folder).chmod(mode)


READ_ONLY = """
import os, sys
from zulong.memory import MemoryGraph
from zulong.memory.errors import StoreReadOnlyError
if os.getuid() == 0:  # root may write everywhere
    os.setgid(65534); os.setuid(65534)
for path in sys.argv[1:]:
    try:
        MemoryGraph.open(path)
    except StoreReadOnlyError as error:
        print(error)
"""


@pytest.mark.feature("MG-11")
def test_a_folder_that_cannot_be_written_is_one_clear_error() -> None:
    with tempfile.TemporaryDirectory(dir="/tmp") as base:
        _allow(base, 0o755)
        store = Path(base, "store")
        config = MemoryConfig(retrieval={"direct": True}, door={"open": True})
        MemoryGraph.open(store, config=config).close()
        for path in (*store.iterdir(), store):
            path.chmod(0o555 if path.is_dir() else 0o444)
        command = [sys.executable, "-c", READ_ONLY, str(store), str(Path(base, "new"))]
        _allow(base, 0o555)
        done = subprocess.run(
            command, capture_output=True, text=True, env=ENVIRONMENT, timeout=60, check=False
        )
        _allow(base, 0o755)
        store.chmod(0o755)
        assert done.returncode == 0, done.stderr
        assert len(done.stdout.splitlines()) == 2
        assert all("writable" in line for line in done.stdout.splitlines())


@pytest.mark.feature("MG-11")
def test_a_file_that_is_no_store_is_named(tmp_path: Path, open_store: Open) -> None:
    (tmp_path / "store").mkdir()
    (tmp_path / "store" / "data.mdb").write_bytes(b"not a store" * 2000)
    with pytest.raises(StoreDamagedError, match="restore a backup"):
        open_store()


@pytest.mark.feature("MG-11")
def test_a_store_of_a_newer_schema_is_refused_untouched(tmp_path: Path, open_store: Open) -> None:
    open_store().close()
    with lmdb.open(str(tmp_path / "store"), max_dbs=16) as env, env.begin(write=True) as txn:
        txn.put(b"schema", str(SCHEMA_VERSION + 1).encode(), db=env.open_db(b"meta", txn))
    with pytest.raises(SchemaVersionError, match=f"schema {SCHEMA_VERSION + 1}"):
        open_store()


@pytest.mark.feature("MG-11")
def test_a_store_of_schema_1_is_brought_up_to_date_when_opened(tmp_path: Path, open_store: Open) -> None:
    graph = open_store()
    fill(graph, 3)
    uid = graph.engine.uid("n1")
    graph.engine.put_vectors(np.array([uid]), np.full((1, 100), 0.1, np.float32), "e")
    before = content(graph)
    graph.close()
    with lmdb.open(str(tmp_path / "store"), max_dbs=16) as env, env.begin(write=True) as txn:
        vectors = env.open_db(b"vectors", txn)
        ((key, value),) = list(txn.cursor(db=vectors))
        txn.put(key, value[:4] + np.full(100, 0.1, "<f2").tobytes(), db=vectors)
        edges = env.open_db(b"edges", txn)
        for key, value in list(txn.cursor(db=edges)):
            txn.put(key, value[:16], db=edges)  # schema 1 had no time of creation
        txn.put(b"schema", b"1", db=env.open_db(b"meta", txn))
    path_in(tmp_path / "store").unlink()

    graph = open_store()

    assert content(graph) == before
    ((_, uids, matrix),) = graph.engine.vectors()
    assert uids.tolist() == [uid]
    assert matrix[0] == pytest.approx(np.full(100, 0.1), abs=1e-3)
    graph.close()
    assert verify(tmp_path / "store").problems == []


@pytest.mark.feature("MG-11")
@pytest.mark.parametrize("damage", ["missing", "cut", "flipped", "empty", "foreign"])
def test_a_damaged_snapshot_costs_time_and_no_data(open_store: Open, tmp_path: Path, damage: str) -> None:
    graph = open_store()
    fill(graph)
    before = content(graph)
    graph.close()
    path = path_in(tmp_path / "store")
    data = path.read_bytes()
    if damage == "missing":
        path.unlink()
    elif damage == "cut":
        path.write_bytes(data[: len(data) // 2])
    elif damage == "flipped":
        middle = len(data) - 300
        path.write_bytes(data[:middle] + bytes([data[middle] ^ 1]) + data[middle + 1 :])
    elif damage == "empty":
        path.write_bytes(b"")
    else:
        other = open_store("other")
        other.remember("x")
        other.close()
        path.write_bytes(path_in(tmp_path / "other").read_bytes())
    assert content(open_store()) == before


@pytest.mark.feature("MG-11")
def test_an_old_snapshot_is_caught_up_with_what_was_written_since(open_store: Open, tmp_path: Path) -> None:
    graph = open_store()
    fill(graph)
    assert graph.engine.save_snapshot()
    assert not graph.engine.save_snapshot(), "nothing changed since"
    old = path_in(tmp_path / "store").read_bytes()
    graph.link("n1", "n5", EdgeType.CAUSAL, 0.7)
    graph.reinforce(["n1", "n2", "n3"])
    graph.forget(ids=["n7"])
    graph.remember("new", id="new", links=[Link("n9", EdgeType.REFERENCE)])
    graph.update("n3", importance=Importance.IMPORTANT)
    before = content(graph)
    uid = graph.engine.uid("n1")
    assert uid is not None
    spread = graph.engine.spread({uid: 1.0})
    graph.close()
    path_in(tmp_path / "store").write_bytes(old)

    graph = open_store()

    assert content(graph) == before
    again = graph.engine.spread({uid: 1.0})
    assert sorted(zip(again.uids, again.values, strict=True)) == sorted(
        zip(spread.uids, spread.values, strict=True)
    )
    graph.close()
    assert verify(tmp_path / "store").problems == []


@pytest.mark.feature("MG-11")
def test_a_snapshot_of_a_later_state_than_a_restored_backup_is_not_used(
    open_store: Open, tmp_path: Path
) -> None:
    graph = open_store()
    fill(graph, 10)
    graph.backup(tmp_path / "backup")
    before = content(graph)
    graph.link("n1", "n5", EdgeType.CAUSAL, 0.7)
    graph.close()
    (tmp_path / "store" / "data.mdb").write_bytes((tmp_path / "backup" / "data.mdb").read_bytes())
    assert content(open_store()) == before


@pytest.mark.feature("MG-11")
def test_a_backup_taken_while_writing_is_one_consistent_state_and_restores(
    open_store: Open, tmp_path: Path
) -> None:
    graph = open_store()
    fill(graph)
    stop = threading.Event()

    def write() -> None:
        number = 0
        while not stop.is_set():
            block = [
                Draft(f"w{number}.{i}", id=f"w{number}.{i}", links=(Link("n0", EdgeType.REFERENCE),))
                for i in range(8)
            ]
            graph.remember_many(block)
            number += 1

    thread = threading.Thread(target=write)
    thread.start()
    try:
        graph.backup(tmp_path / "backup")
    finally:
        stop.set()
        thread.join(30)
    graph.close()
    assert verify(tmp_path / "backup").problems == []

    kept = restore(tmp_path / "backup", tmp_path / "store")

    assert kept is not None
    graph = open_store()
    assert {f"n{index}" for index in range(30)} <= {node.id for node in graph.engine.documents()}
    assert (len(graph) - 30) % 8 == 0
    with pytest.raises(StoreLockedError):
        restore(tmp_path / "backup", tmp_path / "store")
    with pytest.raises(InvalidMemoryError, match="not empty"):
        graph.backup(tmp_path / "backup")
    with pytest.raises(InvalidMemoryError, match="inside"):
        graph.backup(tmp_path / "store" / "deep")


@pytest.mark.feature("MG-11")
def test_restoring_what_is_no_backup_changes_nothing(open_store: Open, tmp_path: Path) -> None:
    graph = open_store()
    fill(graph, 3)
    before = content(graph)
    graph.close()
    (tmp_path / "junk").mkdir()
    with pytest.raises(StoreDamagedError, match="no backup"):
        restore(tmp_path / "junk", tmp_path / "store")
    (tmp_path / "junk" / "data.mdb").write_bytes(b"?" * 20_000)
    with pytest.raises(StoreDamagedError):
        restore(tmp_path / "junk", tmp_path / "store")
    assert content(open_store()) == before


def damage_tables(store: Path) -> None:
    with lmdb.open(str(store), max_dbs=16) as env, env.begin(write=True) as txn:
        table = {
            name: env.open_db(name.encode(), txn)
            for name in ("nodes", "ids", "states", "edges", "vectors", "meta")
        }
        one = txn.get(b"n1", db=table["ids"])
        two = txn.get(b"n2", db=table["ids"])
        txn.delete(b"n3", db=table["ids"])  # a node that its id does not lead to
        txn.put(b"ghost", UID.pack(9999), db=table["ids"])  # an id that leads nowhere
        txn.delete(two, db=table["states"])  # a node without a state
        txn.put(EDGE_KEY.pack(UID.unpack(one)[0], 9999, 4), EDGE_VALUE.pack(0.5, 1, 1), db=table["edges"])
        txn.put(EDGE_KEY.pack(1, 2, 99), EDGE_VALUE.pack(0.5, 1, 1), db=table["edges"])
        txn.put(UID.pack(8888), b"\0" * 12, db=table["vectors"])
        txn.put(b"next_uid", b"2", db=table["meta"])


@pytest.mark.feature("MG-11")
def test_verify_finds_and_repairs_what_disagrees(open_store: Open, tmp_path: Path) -> None:
    graph = open_store()
    fill(graph, 10)
    graph.close()
    assert verify(tmp_path / "store").problems == []
    damage_tables(tmp_path / "store")

    found = verify(tmp_path / "store")
    assert sorted({problem.table for problem in found.problems} - {"cache"}) == [
        "edges",
        "ids",
        "meta",
        "states",
        "vectors",
    ]
    command = [sys.executable, "-m", "zulong.memory", "verify", str(tmp_path / "store")]
    run = subprocess.run(
        [*command, "--check-only"], capture_output=True, text=True, env=ENVIRONMENT, check=False
    )
    assert run.returncode == 1
    assert "the id 'n3' does not lead to its node" in run.stdout
    run = subprocess.run(command, capture_output=True, text=True, env=ENVIRONMENT, check=True)
    assert "7 problems repaired" in run.stdout

    assert verify(tmp_path / "store").problems == []
    graph = open_store()
    assert len(graph) == 10
    assert graph.get("n3") is not None
    assert graph.get("n2").text == "event 2 事件"  # type: ignore[union-attr]
    assert graph.remember("new", id="new").verdict == "added"
    assert graph.engine.uid("new") == 11


@pytest.mark.feature("MG-11")
def test_a_snapshot_that_lies_is_found_by_verify(open_store: Open, tmp_path: Path) -> None:
    graph = open_store()
    fill(graph, 10)
    graph.close()
    with lmdb.open(str(tmp_path / "store"), max_dbs=16) as env, env.begin(write=True) as txn:
        edges = env.open_db(b"edges", txn)
        key = next(iter(txn.cursor(db=edges)))[0]
        txn.delete(key, db=edges)  # behind the change log's back
    (problem,) = verify(tmp_path / "store", repair=True).problems
    assert (problem.table, problem.what) == ("cache", "the topology snapshot differs from the edges")
    assert verify(tmp_path / "store").problems == []


@pytest.mark.feature("MG-11")
def test_a_closed_memory_says_so(open_store: Open) -> None:
    graph = open_store()
    graph.close()
    graph.close()
    with pytest.raises(StoreClosedError, match="open it again"):
        graph.remember("late")
    with pytest.raises(StoreClosedError):
        graph.get("x")


@pytest.mark.feature("MG-11")
def test_what_was_acknowledged_before_close_is_durable_and_pending_writes_are_finished(
    open_store: Open,
) -> None:
    graph = open_store()
    futures = [graph.remember_async(Draft(f"n{index}", id=f"n{index}")) for index in range(50)]
    graph.close()
    assert all(future.result(0).verdict == "added" for future in futures)
    assert len(open_store()) == 50


@pytest.mark.feature("MG-11")
def test_the_change_log_tells_what_happened_since_a_transaction(graph: MemoryGraph) -> None:
    graph.remember("a", id="a")
    since = graph.engine.txn_id
    seen: list[Any] = []
    stop = graph.engine.on_commit(seen.append)
    graph.remember("b", id="b")
    graph.update("a", text="a new text")
    graph.forget(ids=["b"])
    stop()
    graph.remember("c", id="c")

    changes = list(graph.engine.changes(since) or ())

    assert [sorted(node.id for node in one.added) for one in seen] == [["b"], [], []]
    assert [[node.text for node in one.changed] for one in seen] == [[], ["a new text"], []]
    assert [[id for _, id in one.removed] for one in seen] == [[], [], ["b"]]
    assert [one.txn_id for one in changes] == list(range(since + 1, graph.engine.txn_id + 1))
    assert [[node.id for node in one.added] for one in changes] == [[], [], [], ["c"]], "b is gone again"
    assert list(graph.engine.changes(graph.engine.txn_id) or ()) == []
    assert graph.engine.changes(graph.engine.txn_id + 5) is None


@pytest.mark.feature("MG-11")
def test_a_log_that_does_not_reach_back_says_so(open_store: Open, plain_config: MemoryConfig) -> None:
    graph = open_store(config=replace(plain_config, storage=StorageConfig(change_log_commits=3)))
    for index in range(6):
        graph.remember(f"n{index}")
    assert graph.engine.changes(1) is None
    assert graph.engine.changes(graph.engine.txn_id - 2) is not None


@pytest.mark.feature("MG-11")
def test_vectors_are_kept_by_embedder_and_month(graph: MemoryGraph, clock: Any) -> None:
    graph.remember("june", id="june", stamp=1_750_000_000.0)
    graph.remember("july", id="july", stamp=1_752_500_000.0)
    june, july = graph.engine.uid("june"), graph.engine.uid("july")
    graph.engine.put_vectors(np.array([june, july, 777]), np.eye(3, 4, dtype=np.float32), "one")
    assert graph.engine.shards() == {2025 * 12 + 5: 1, 2025 * 12 + 6: 1}
    blocks = list(graph.engine.vectors(shard=2025 * 12 + 6))
    assert [(name, uids.tolist(), matrix.tolist()) for name, uids, matrix in blocks] == [
        ("one", [july], [[0.0, 1.0, 0.0, 0.0]])
    ]
    assert [uids.tolist() for _, uids, _ in graph.engine.vectors(embedder="one")] == [[june, july]]
    assert list(graph.engine.vectors(embedder="two")) == []
    graph.update("june", text="another text")
    assert [uids.tolist() for _, uids, _ in graph.engine.vectors()] == [[july]], (
        "its vector was of the old text"
    )
    with pytest.raises(InvalidMemoryError, match="one row a node"):
        graph.engine.put_vectors(np.array([june]), np.zeros((2, 4), np.float32), "one")


@pytest.mark.feature("MG-11")
def test_stored_vectors_keep_their_cosines() -> None:
    rng = np.random.default_rng(4)
    for dim, share in ((32, 1.0), (384, 1.0), (512, 0.3), (70, 0.05)):
        rows = rng.normal(size=(50, dim)).astype(np.float32) * (rng.random((50, dim)) < share)
        rows[0] = 0.0
        rows[1:] /= np.maximum(np.linalg.norm(rows[1:], axis=1, keepdims=True), 1e-9)
        packed = vectorcode.encode(rows)
        back = vectorcode.decode(packed, dim)
        assert np.abs(back @ rows.T - rows @ rows.T).max() < 3e-3
        assert not back[0].any()
        assert max(map(len, packed)) <= 7 + max(
            2 * dim if dim < 64 else dim, dim // 8 + 1 + int(dim * share * 1.5)
        )
    with pytest.raises(ValueError, match="cut"):
        vectorcode.decode([packed[1][:-1]], 70)
    with pytest.raises(ValueError, match="components"):
        vectorcode.decode(packed, 71)
