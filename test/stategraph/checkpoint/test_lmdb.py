"""What is special to the LMDB saver: size, growth, sharing between processes, and a disk that says no."""

from __future__ import annotations

import fcntl
import os
import random
import shutil
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from zulong.stategraph.checkpoint import lmdb_environment
from zulong.stategraph.checkpoint.base import Checkpoint, LogValue, create_checkpoint_id
from zulong.stategraph.checkpoint.errors import (
    SerializationError,
    StorageBusyError,
    StorageClosedError,
    StorageError,
    StorageFormatError,
    StorageFullError,
)
from zulong.stategraph.checkpoint.lmdb import LmdbSaver

pytestmark = pytest.mark.feature("SG-10", "SG-23")
ADDRESS = {"configurable": {"thread_id": "t", "checkpoint_ns": ""}}


def put(
    saver: LmdbSaver, parent: dict[str, Any], values: dict[str, Any], new: dict[str, int], step: int = 0
) -> Any:
    versions = {**dict.fromkeys(values, 1), **new}
    checkpoint = Checkpoint(
        v=4,
        id=create_checkpoint_id(step, after=parent["configurable"].get("checkpoint_id")),
        ts="2030-01-01T00:00:00+00:00",
        channel_values=values,
        channel_versions=versions,  # type: ignore[typeddict-item]
        versions_seen={},
        updated_channels=None,
    )
    return saver.put(parent, checkpoint, {"source": "loop", "step": step}, new)  # type: ignore[arg-type]


def size(path: Path) -> int:
    return (path / "data.mdb").stat().st_size


def values_of(saver: LmdbSaver) -> dict[str, Any]:
    found = saver.get_tuple(ADDRESS)
    assert found is not None
    return found.checkpoint["channel_values"]


def run(script: str, *arguments: str, check: bool = True) -> str:
    done = subprocess.run(
        [sys.executable, "-c", HELPERS + script, *arguments],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert not check or done.returncode == 0, done.stderr[-2000:]
    return done.stdout.strip()


HELPERS = """
import os, sys
from zulong.stategraph.checkpoint.base import Checkpoint, create_checkpoint_id
from zulong.stategraph.checkpoint.errors import *
from zulong.stategraph.checkpoint.lmdb import LmdbSaver
ADDRESS = {"configurable": {"thread_id": "t", "checkpoint_ns": ""}}
def put(saver, text, thread="t"):
    values = {"a": text}
    checkpoint = Checkpoint(v=4, id=create_checkpoint_id(), ts="", channel_values=values,
        channel_versions={"a": 1}, versions_seen={}, updated_channels=None)
    return saver.put({"configurable": {"thread_id": thread, "checkpoint_ns": ""}}, checkpoint, {}, {"a": 1})
def noise(n): return os.urandom(n // 2).hex()
"""


# -- size ---------------------------------------------------------------------------------------------


def test_a_channel_that_does_not_change_is_written_once(tmp_path: Path) -> None:
    ballast = random.Random(1).randbytes(200_000)
    with LmdbSaver(tmp_path / "s") as saver:
        address = put(saver, ADDRESS, {"ballast": ballast, "n": 0}, {"ballast": 1, "n": 1})
        for step in range(2, 60):
            address = put(saver, address, {"ballast": ballast, "n": step}, {"n": step}, step)
        assert values_of(saver)["ballast"] == ballast
    assert size(tmp_path / "s") < 600_000


def test_a_log_costs_what_is_added_and_its_writes_nothing_more(tmp_path: Path) -> None:
    chance = random.Random(2)
    items = ["".join(chance.choices("abcdefghijklmnopqrstuvwxyz ", k=1000)) for _ in range(400)]
    log, address = LogValue(), ADDRESS
    with LmdbSaver(tmp_path / "s") as saver:
        for step, item in enumerate(items, 1):
            log = log.append([item])
            checkpoint = Checkpoint(
                v=4,
                id=create_checkpoint_id(step),
                ts="2030-01-01T00:00:00+00:00",
                channel_values={"log": log},
                channel_versions={"log": step},
                versions_seen={"a": {"log": step - 1}},
                updated_channels=["log"],
            )
            writes = [(f"task-{step}", "~pull, a", [("log", [item])])] if step > 1 else []
            address = saver.put_step(address, checkpoint, {"step": step}, {"log": step}, writes, address)  # type: ignore[arg-type, assignment]
        assert values_of(saver)["log"] == items
        written = [write for found in saver.list(ADDRESS) for write in found.pending_writes or ()]
        assert [value for _, _, value in reversed(written)] == [[item] for item in items[1:]]
    assert size(tmp_path / "s") <= 2 * 400 * 1000


def test_pruning_gives_room_back_to_new_steps(tmp_path: Path) -> None:
    with LmdbSaver(tmp_path / "s", keep_last=5) as saver:
        address: Any = ADDRESS
        sizes = []
        for step in range(1, 201):
            address = put(saver, address, {"n": os.urandom(5000)}, {"n": step}, step)
            sizes.append(size(tmp_path / "s"))
    assert sizes[-1] < 1_000_000
    assert sizes[-1] == sizes[100], "the file must stop growing"


# -- growth -------------------------------------------------------------------------------------------


def test_the_map_grows_by_itself_while_threads_read(tmp_path: Path) -> None:
    with LmdbSaver(tmp_path / "s", map_bytes=65536) as saver:
        put(saver, ADDRESS, {"a": 0}, {"a": 1})
        stop, errors, seen = threading.Event(), [], []

        def look() -> None:
            while not stop.is_set():
                try:
                    seen.append(len(values_of(saver)))
                    time.sleep(0.001)
                except BaseException as error:
                    errors.append(error)
                    return

        readers = [threading.Thread(target=look) for _ in range(3)]
        for reader in readers:
            reader.start()
        address: Any = ADDRESS
        for step in range(2, 40):
            address = put(saver, address, {"a": os.urandom(40_000)}, {"a": step}, step)
        stop.set()
        for reader in readers:
            reader.join(timeout=30)
        assert errors == [] and seen
        assert len(list(saver.list(ADDRESS))) == 39


def test_one_value_larger_than_the_whole_map_fits(tmp_path: Path) -> None:
    value = os.urandom(3_000_000)
    with LmdbSaver(tmp_path / "s", map_bytes=65536) as saver:
        put(saver, ADDRESS, {"a": value}, {"a": 1})
        assert values_of(saver)["a"] == value


def test_a_map_that_another_process_made_larger_is_followed(tmp_path: Path) -> None:
    with LmdbSaver(tmp_path / "s", map_bytes=65536) as saver:
        put(saver, ADDRESS, {"a": 0}, {"a": 1})
        script = "s = LmdbSaver(sys.argv[1]); [put(s, noise(100000)) for _ in range(20)]; put(s, 'from outside'); s.close()"
        run(script, str(tmp_path / "s"))
        assert values_of(saver)["a"] == "from outside"
        run(script, str(tmp_path / "s"))
        put(saver, ADDRESS, {"a": "mine"}, {"a": 1})
        assert values_of(saver)["a"] == "mine"


# -- sharing ------------------------------------------------------------------------------------------


def test_processes_write_the_same_folder_at_once(tmp_path: Path) -> None:
    script = "s = LmdbSaver(sys.argv[1], map_bytes=65536); [put(s, noise(9000), sys.argv[2]) for _ in range(25)]; s.close()"
    workers = [
        subprocess.Popen(
            [sys.executable, "-c", HELPERS + script, str(tmp_path / "s"), f"w{i}"], stderr=subprocess.PIPE
        )
        for i in range(4)
    ]
    for worker in workers:
        _, errors = worker.communicate(timeout=60)
        assert worker.returncode == 0, errors.decode()[-2000:]
    with LmdbSaver(tmp_path / "s") as saver:
        for i in range(4):
            assert len(list(saver.list({"configurable": {"thread_id": f"w{i}"}}))) == 25


def test_two_savers_of_a_process_share_a_folder_and_close_apart(tmp_path: Path) -> None:
    first, second = LmdbSaver(tmp_path / "s"), LmdbSaver(tmp_path / "s")
    put(first, ADDRESS, {"a": 1}, {"a": 1})
    first.close()
    assert values_of(second)["a"] == 1
    view = second.with_allowlist([Path])
    view.close()
    second.close()
    with pytest.raises(StorageClosedError):
        second.get_tuple(ADDRESS)
    with LmdbSaver(tmp_path / "s") as again:
        assert values_of(again)["a"] == 1


def test_a_forked_child_is_told_to_open_its_own(tmp_path: Path) -> None:
    script = """
saver = LmdbSaver(sys.argv[1])
put(saver, "parent")
child = os.fork()
if child == 0:
    try:
        saver.get_tuple(ADDRESS)
    except StorageClosedError as error:
        own = LmdbSaver(sys.argv[1])
        put(own, "child")
        own.close()
        os._exit(0 if "fork" in str(error) else 2)
    os._exit(1)
status = os.waitpid(child, 0)[1]
put(saver, "parent again")
print(os.waitstatus_to_exitcode(status), len(list(saver.list(ADDRESS))))
"""
    assert run(script, str(tmp_path / "s")) == "0 3"


def test_a_writer_that_holds_the_lock_for_ever_is_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lmdb_environment, "WAIT_S", 0.2)
    with LmdbSaver(tmp_path / "s") as saver:
        put(saver, ADDRESS, {"a": 1}, {"a": 1})
        lock = os.open(tmp_path / "s" / "writer.lock", os.O_RDWR)
        fcntl.flock(lock, fcntl.LOCK_EX)  # what a stopped process would do
        with pytest.raises(StorageBusyError, match="Another process"):
            put(saver, ADDRESS, {"a": 2}, {"a": 2})
        assert values_of(saver)["a"] == 1, "readers never wait"
        os.close(lock)
        put(saver, ADDRESS, {"a": 3}, {"a": 3})
        assert values_of(saver)["a"] == 3


# -- a disk that says no ------------------------------------------------------------------------------


def test_a_full_disk_is_one_clear_error_and_the_store_stays_whole(tmp_path: Path) -> None:
    script = """
import resource
saver = LmdbSaver(sys.argv[1])
for i in range(5): put(saver, f"kept {i}")
limit = os.path.getsize(sys.argv[1] + "/data.mdb") + 20000
resource.setrlimit(resource.RLIMIT_FSIZE, (limit, resource.RLIM_INFINITY))
refused = 0
for i in range(3):
    try:
        put(saver, noise(500000))
    except StorageFullError as error:
        refused += "free space" in str(error) and sys.argv[1] in str(error)
print(refused, len(list(saver.list(ADDRESS))))
resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
put(saver, "after")
print(saver.get_tuple(ADDRESS).checkpoint["channel_values"]["a"], len(list(saver.list(ADDRESS))))
saver.close()
"""
    assert run(script, str(tmp_path / "s")).split("\n") == ["3 5", "after 6"]
    with LmdbSaver(tmp_path / "s") as saver:
        assert len(list(saver.list(ADDRESS))) == 6


def test_a_full_file_system_is_one_clear_error(tmp_path: Path) -> None:
    mount = tmp_path / "small"
    mount.mkdir()
    made = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=600k", "tmpfs", str(mount)], capture_output=True, check=False
    )
    if made.returncode:
        pytest.skip(f"cannot mount a small file system: {made.stderr.decode().strip()}")
    try:
        saver = LmdbSaver(mount / "s")
        kept = 0
        try:
            while kept < 200:
                put(saver, ADDRESS, {"a": os.urandom(20_000)}, {"a": kept}, kept)
                kept += 1
        except StorageFullError:
            pass
        assert 3 < kept < 200
        assert len(list(saver.list(ADDRESS))) == kept
        saver.prune(["t"])
        put(saver, ADDRESS, {"a": b"fits again"}, {"a": 1})
        assert values_of(saver)["a"] == b"fits again"
        saver.close()
    finally:
        subprocess.run(["umount", str(mount)], check=True)


def _as_nobody() -> str:
    return "os.setegid(65534); os.seteuid(65534)\n" if os.geteuid() == 0 else ""


def test_a_folder_without_permission_is_one_clear_error_and_can_be_read(tmp_path: Path) -> None:
    folder = tmp_path / "s"
    for parent in (tmp_path, *tmp_path.parents[:2]):
        parent.chmod(0o755)
    with LmdbSaver(folder) as saver:
        put(saver, ADDRESS, {"a": "kept"}, {"a": 1})
    for file in folder.iterdir():
        file.chmod(0o444)
    folder.chmod(0o555)
    script = _as_nobody() + (
        "try: LmdbSaver(sys.argv[1])\n"
        "except StorageReadOnlyError as error: print('refused', sys.argv[1] in str(error))\n"
        "saver = LmdbSaver(sys.argv[1], readonly=True)\n"
        "print(saver.get_tuple(ADDRESS).checkpoint['channel_values']['a'])\n"
        "try: put(saver, 'x')\n"
        "except StorageReadOnlyError as error: print('refused')\n"
        "try: LmdbSaver(os.path.join(os.path.dirname(sys.argv[1]), 'new'))\n"
        "except StorageReadOnlyError as error: print('refused')\n"
    )
    try:
        assert run(script, str(folder)).split("\n") == ["refused True", "kept", "refused", "refused"]
    finally:
        folder.chmod(0o755)


def test_a_read_only_saver_of_a_folder_that_is_not_there_says_so(tmp_path: Path) -> None:
    with pytest.raises(StorageFormatError, match="no folder"):
        LmdbSaver(tmp_path / "none", readonly=True)
    assert not (tmp_path / "none").exists()


@pytest.mark.parametrize("damage", ["other data", "cut", "a file in place of the folder"])
def test_what_is_no_store_is_refused_and_left_as_it_is(tmp_path: Path, damage: str) -> None:
    folder = tmp_path / "s"
    if damage == "a file in place of the folder":
        folder.write_bytes(b"notes")
    else:
        with LmdbSaver(folder) as saver:
            put(saver, ADDRESS, {"a": os.urandom(100_000)}, {"a": 1})
        data = folder / "data.mdb"
        data.write_bytes(b"not a store" * 2000 if damage == "other data" else data.read_bytes()[:20_000])
    before = folder.read_bytes() if folder.is_file() else (folder / "data.mdb").read_bytes()
    with pytest.raises(StorageFormatError, match=str(tmp_path)):
        LmdbSaver(folder)
    assert before == (folder.read_bytes() if folder.is_file() else (folder / "data.mdb").read_bytes())


def test_a_store_of_a_newer_version_is_refused(tmp_path: Path) -> None:
    import msgpack

    from zulong.stategraph.checkpoint.lmdb_environment import LmdbEnvironment

    LmdbSaver(tmp_path / "s").close()
    environment = LmdbEnvironment.open(tmp_path / "s")
    environment.open_tables("checkpoint.index")
    environment.write(
        lambda txn: txn.put(b"m", msgpack.packb([99, 1]), db=environment.table("checkpoint.index"))
    )
    environment.close()
    with pytest.raises(StorageFormatError, match=r"newer version.*upgrade"):
        LmdbSaver(tmp_path / "s")


def test_a_backup_of_a_store_in_use_opens_by_itself(tmp_path: Path) -> None:
    with LmdbSaver(tmp_path / "s") as saver:
        put(saver, ADDRESS, {"a": "kept"}, {"a": 1})
        saver.backup(tmp_path / "copy")
        put(saver, ADDRESS, {"a": "later"}, {"a": 2})
    with LmdbSaver(tmp_path / "copy") as copy:
        assert values_of(copy)["a"] == "kept"


def test_a_checkpoint_id_that_cannot_be_a_key_is_refused(tmp_path: Path) -> None:
    with LmdbSaver(tmp_path / "s") as saver, pytest.raises(ValueError, match="at most 200 bytes"):
        saver.put_writes({"configurable": {"thread_id": "t", "checkpoint_id": "x" * 500}}, [("a", 1)], "task")


async def test_cancelling_an_awaited_step_stores_it_whole_or_not_at_all(tmp_path: Path) -> None:
    import asyncio

    async with LmdbSaver(tmp_path / "s") as saver:
        for attempt in range(20):
            checkpoint = Checkpoint(
                v=4,
                id=create_checkpoint_id(),
                ts="",
                channel_values={"a": attempt},
                channel_versions={"a": attempt + 1},
                versions_seen={},
                updated_channels=None,
            )
            newest = await saver.aget_tuple(ADDRESS)
            parent = newest.config if newest else ADDRESS
            writes = [("task", "", [("a", attempt)])] if newest else []
            step = asyncio.ensure_future(
                saver.aput_step(parent, checkpoint, {"step": attempt}, {"a": attempt + 1}, writes, parent)  # type: ignore[arg-type]
            )
            await asyncio.sleep(0.001 * (attempt % 4))
            step.cancel()
            await asyncio.wait([step])
            now = await saver.aget_tuple(ADDRESS)
            stored = now is not None and now.checkpoint["id"] == checkpoint["id"]
            if newest is not None:
                before = await saver.aget_tuple(newest.config)
                assert before is not None and bool(before.pending_writes) == stored


@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_damaged_rows_are_refused_by_name_and_never_crash(memory_disk: Path, data: st.DataObject) -> None:
    tables = ("checkpoint.index", "checkpoint.steps", "checkpoint.data")
    shutil.rmtree(memory_disk / "s", ignore_errors=True)
    with LmdbSaver(memory_disk / "s") as saver:
        log = LogValue([1]).append([2])
        first = put(
            saver, ADDRESS, {"log": log, "big": "x" * 400, "small": 1}, {"log": 1, "big": 1, "small": 1}
        )
        saver.put_writes(first, [("a", "y" * 400), ("log", [3])], "task")
        put(saver, first, {"log": log.append([3]), "big": "x" * 400, "small": 1}, {"log": 2}, 1)
        environment = saver._handle.get()
        assert environment is not None
        table = environment.table(data.draw(st.sampled_from(tables)))

        def damage(txn: Any) -> None:
            with txn.cursor(table) as cursor:
                rows = list(cursor)
            key, row = rows[data.draw(st.integers(0, len(rows) - 1))]
            changed = bytearray(row)
            at = data.draw(st.integers(0, len(changed) - 1))
            if data.draw(st.booleans()):
                changed[at] = data.draw(st.integers(0, 255))
            else:
                del changed[at:]
            txn.put(key, bytes(changed), db=table)

        environment.write(damage)
        for look in (
            lambda: [found.checkpoint["channel_values"]["log"].to_list() for found in saver.list(ADDRESS)],
            lambda: saver.get_tuple(first),
            lambda: saver.named_checkpoints("t"),
            lambda: saver.prune(["t"]),
        ):
            try:
                look()
            except (StorageError, SerializationError, KeyError):
                pass  # KeyError: the damage took the channel's name
