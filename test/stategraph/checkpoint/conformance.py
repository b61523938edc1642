"""What every checkpointer must do. Subclass `CheckpointerConformance` where a fixture `saver` gives a fresh one."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterable, Sequence
from typing import Any

import pytest

from zulong.stategraph.checkpoint.base import (
    ERROR,
    INTERRUPT,
    BaseCheckpointSaver,
    Checkpoint,
    LogValue,
    create_checkpoint_id,
)
from zulong.stategraph.checkpoint.errors import UnregisteredTypeError

Saver = BaseCheckpointSaver[Any]


def config(thread: str = "t", namespace: str = "", checkpoint_id: str | None = None) -> dict[str, Any]:
    configurable = {"thread_id": thread, "checkpoint_ns": namespace}
    if checkpoint_id is not None:
        configurable["checkpoint_id"] = checkpoint_id
    return {"configurable": configurable}


def checkpoint(
    values: dict[str, Any] | None = None, versions: dict[str, Any] | None = None, after: str | None = None
) -> Checkpoint:
    values = values or {}
    return Checkpoint(
        v=4,
        id=create_checkpoint_id(after=after),
        ts="2030-01-01T00:00:00+00:00",
        channel_values=values,
        channel_versions=versions if versions is not None else dict.fromkeys(values, 1),
        versions_seen={"node": {"a": 1}},
        updated_channels=sorted(values),
    )


def metadata(step: int = 0, **more: Any) -> Any:
    return {"source": "loop", "step": step, "parents": {}, **more}


def grow(
    saver: Saver, parent: dict[str, Any], values: dict[str, Any], version: int, **more: Any
) -> dict[str, Any]:
    """Put a checkpoint in which every given channel is new."""
    versions = dict.fromkeys(values, version)
    return saver.put(parent, checkpoint(values, versions), metadata(version, **more), versions)


def chain(
    saver: Saver, steps: int, thread: str = "t", namespace: str = "", **more: Any
) -> list[dict[str, Any]]:
    configs = []
    cursor = config(thread, namespace)
    for step in range(1, steps + 1):
        cursor = grow(saver, cursor, {"a": step}, step, **more)
        configs.append(cursor)
    return configs


def ids(found: Iterable[Any]) -> list[str]:
    return [item.checkpoint["id"] for item in found]


def id_of(address: dict[str, Any]) -> str:
    return str(address["configurable"]["checkpoint_id"])


def read(saver: Saver, address: dict[str, Any]) -> Any:
    found = saver.get_tuple(address)
    assert found is not None
    return found


class CheckpointerConformance:
    """The suite."""

    # -- put and get --------------------------------------------------------------------------------

    def test_a_checkpoint_comes_back_as_it_was_put(self, saver: Saver) -> None:
        put = checkpoint(
            {"a": "text", "b": [1, {"deep": (1, 2)}], "c": None, "d": b"\x00\xff", "e": "x" * 5000}
        )
        address = saver.put(config(), put, metadata(3, run_id="r"), put["channel_versions"])
        found = read(saver, address)
        assert found.checkpoint == put
        assert found.config == address == config(checkpoint_id=put["id"])
        assert found.metadata == metadata(3, run_id="r")
        assert found.parent_config is None
        assert found.pending_writes == []

    def test_without_an_id_the_newest_checkpoint_is_meant(self, saver: Saver) -> None:
        configs = chain(saver, 3)
        assert read(saver, config()).config == configs[-1]
        assert read(saver, configs[0]).checkpoint["channel_values"] == {"a": 1}

    def test_what_is_not_there_is_none(self, saver: Saver) -> None:
        assert saver.get_tuple(config("nobody")) is None
        chain(saver, 1)
        assert saver.get_tuple(config(checkpoint_id="no such id")) is None
        assert saver.get_tuple(config(namespace="other")) is None
        assert list(saver.list(config("nobody"))) == []

    def test_a_checkpoint_names_its_parent(self, saver: Saver) -> None:
        first, second = chain(saver, 2)
        assert read(saver, second).parent_config == first

    def test_a_missing_namespace_means_the_root(self, saver: Saver) -> None:
        bare = {"configurable": {"thread_id": "t"}}
        put = checkpoint({"a": 1})
        saver.put(bare, put, metadata(), {"a": 1})
        assert read(saver, bare).checkpoint["id"] == put["id"]
        assert read(saver, config()).config == config(checkpoint_id=put["id"])

    def test_unchanged_channels_come_from_the_parent(self, saver: Saver) -> None:
        first = saver.put(config(), checkpoint({"a": 1, "b": "kept" * 50}), metadata(), {"a": 1, "b": 1})
        second = saver.put(
            first, checkpoint({"a": 2, "b": "kept" * 50}, {"a": 2, "b": 1}), metadata(1), {"a": 2}
        )
        assert read(saver, second).checkpoint["channel_values"] == {"a": 2, "b": "kept" * 50}
        assert read(saver, first).checkpoint["channel_values"] == {"a": 1, "b": "kept" * 50}

    def test_a_channel_without_value_stays_without_value(self, saver: Saver) -> None:
        first = saver.put(config(), checkpoint({"a": 1, "b": 1}), metadata(), {"a": 1, "b": 1})
        second = saver.put(first, checkpoint({"a": 1}, {"a": 1, "b": 2}), metadata(1), {"b": 2})
        assert read(saver, second).checkpoint["channel_values"] == {"a": 1}
        third = saver.put(second, checkpoint({"a": 1}, {"a": 1, "b": 2}), metadata(2), {})
        assert read(saver, third).checkpoint["channel_values"] == {"a": 1}

    def test_a_channel_is_kept_whole_when_the_parent_was_never_stored(self, saver: Saver) -> None:
        orphan = config(checkpoint_id=create_checkpoint_id())
        address = saver.put(orphan, checkpoint({"a": 1, "b": 2}, {"a": 5, "b": 4}), metadata(), {"a": 5})
        assert read(saver, address).checkpoint["channel_values"] == {"a": 1, "b": 2}

    def test_forks_with_equal_versions_do_not_see_each_other(self, saver: Saver) -> None:
        root = chain(saver, 1)[0]
        left = grow(saver, root, {"a": "left" * 30}, 2)
        right = grow(saver, root, {"a": "right" * 30}, 2)
        assert read(saver, left).checkpoint["channel_values"] == {"a": "left" * 30}
        assert read(saver, right).checkpoint["channel_values"] == {"a": "right" * 30}

    def test_a_later_change_of_a_put_object_does_not_change_history(self, saver: Saver) -> None:
        value = [1]
        address = grow(saver, config(), {"a": value}, 1)
        value.append(2)
        found = read(saver, address).checkpoint["channel_values"]["a"]
        assert found == [1]
        found.append(3)
        assert read(saver, address).checkpoint["channel_values"]["a"] == [1]

    def test_putting_an_id_again_replaces_the_checkpoint(self, saver: Saver) -> None:
        put = checkpoint({"a": 1})
        saver.put(config(), put, metadata(), {"a": 1})
        address = saver.put(config(), {**put, "channel_values": {"a": 2}}, metadata(9), {"a": 1})
        assert read(saver, address).checkpoint["channel_values"] == {"a": 2}
        assert read(saver, address).metadata["step"] == 9
        assert len(list(saver.list(config()))) == 1

    @pytest.mark.parametrize("version", [7, 2.5, "00000003.0.5"])
    def test_versions_may_be_numbers_or_text(self, saver: Saver, version: Any) -> None:
        address = grow(saver, config(), {"a": 1}, version)
        assert read(saver, address).checkpoint["channel_versions"] == {"a": version}

    def test_scalars_of_the_config_join_the_metadata(self, saver: Saver) -> None:
        address = {**config(), "metadata": {"robot": "r1", "list": [1]}}
        address["configurable"] = {**address["configurable"], "user": "anna", "__secret": 1}
        stored = saver.put(address, checkpoint({"a": 1}), metadata(), {"a": 1})
        assert read(saver, stored).metadata == metadata(robot="r1", user="anna")

    def test_thread_ids_may_be_long_or_strange(self, saver: Saver) -> None:
        for thread in ("x" * 3000, "祖龙/%_ '\"", "a.b|c", "t1", "t"):
            stored = grow(saver, config(thread), {"a": thread}, 1)
            assert read(saver, config(thread)).config == stored
            assert read(saver, config(thread)).checkpoint["channel_values"] == {"a": thread}
        assert len(list(saver.list(None))) == 5

    def test_an_unregistered_type_is_refused_and_nothing_is_kept(self, saver: Saver) -> None:
        class Unknown:
            pass

        first = chain(saver, 1)[0]
        with pytest.raises(UnregisteredTypeError, match="Unknown"):
            saver.put(first, checkpoint({"a": 2, "b": Unknown()}), metadata(), {"a": 1, "b": 1})
        with pytest.raises(UnregisteredTypeError, match="Unknown"):
            saver.put_writes(first, [("a", 1), ("b", Unknown())], "task")
        assert read(saver, config()).config == first
        assert read(saver, config()).pending_writes == []

    # -- pending writes -----------------------------------------------------------------------------

    def test_writes_wait_on_their_checkpoint_alone(self, saver: Saver) -> None:
        first = chain(saver, 1)[0]
        saver.put_writes(first, [("a", "one"), ("b", {"two": 2})], "task-1")
        assert read(saver, first).pending_writes == [("task-1", "a", "one"), ("task-1", "b", {"two": 2})]
        second = grow(saver, first, {"a": 2}, 2)
        assert read(saver, second).pending_writes == []
        other = chain(saver, 1, namespace="child:1")[0]
        assert read(saver, other).pending_writes == []

    def test_a_repeated_write_is_kept_once_and_a_special_one_is_replaced(self, saver: Saver) -> None:
        first = chain(saver, 1)[0]
        saver.put_writes(first, [("a", 1), (INTERRUPT, "old")], "task")
        saver.put_writes(first, [("a", "ignored"), (INTERRUPT, "new")], "task")
        assert sorted(read(saver, first).pending_writes, key=str) == [
            ("task", INTERRUPT, "new"),
            ("task", "a", 1),
        ]

    def test_writes_come_in_the_order_of_the_task_path(self, saver: Saver) -> None:
        first = chain(saver, 1)[0]
        saver.put_writes(first, [("a", "second")], "task-a", task_path="~2")
        saver.put_writes(first, [("a", "first"), ("a", "first again")], "task-z", task_path="~1")
        saver.put_writes(first, [("a", "no path")], "task-m")
        assert [value for _, _, value in read(saver, first).pending_writes] == [
            "no path",
            "first",
            "first again",
            "second",
        ]

    def test_many_writes_of_a_task_keep_their_order(self, saver: Saver) -> None:
        first = chain(saver, 1)[0]
        saver.put_writes(first, [("a", i) for i in range(300)], "task")
        assert [value for _, _, value in read(saver, first).pending_writes] == list(range(300))

    def test_an_exception_is_stored_as_its_text(self, saver: Saver) -> None:
        first = chain(saver, 1)[0]
        saver.put_writes(first, [(ERROR, ValueError("no grip"))], "task")
        assert read(saver, first).pending_writes == [("task", ERROR, "ValueError('no grip')")]

    def test_writes_may_come_before_their_checkpoint(self, saver: Saver) -> None:
        put = checkpoint({"a": 1})
        saver.put_writes(config(checkpoint_id=put["id"]), [("a", 2)], "task")
        assert saver.get_tuple(config(checkpoint_id=put["id"])) is None
        stored = saver.put(config(), put, metadata(), {"a": 1})
        assert read(saver, stored).pending_writes == [("task", "a", 2)]

    def test_writes_whose_checkpoint_never_came_hide_no_other(self, saver: Saver) -> None:
        first = chain(saver, 1)[0]
        for _ in range(3):
            saver.put_writes(
                config(checkpoint_id=create_checkpoint_id(after=id_of(first))), [("a", 1)], "task"
            )
        second = grow(saver, first, {"a": 2}, 2)
        for number in range(40):
            saver.put_writes(
                config(checkpoint_id=create_checkpoint_id(after=id_of(second))), [("a", 1)], f"t{number}"
            )
        assert read(saver, config()).config == second
        assert ids(saver.list(config())) == [id_of(second), id_of(first)]
        saver.prune(["t"])
        assert ids(saver.list(config())) == [id_of(second)]

    # -- supersteps ---------------------------------------------------------------------------------

    def test_a_superstep_stores_writes_and_checkpoint(self, saver: Saver) -> None:
        first = chain(saver, 1)[0]
        value = {"shared": "object" * 20}
        put = checkpoint({"a": value}, {"a": 2})
        writes = [("task-1", "~1", [("a", value), ("branch", None)]), ("task-2", "~2", [("b", "x")])]
        second = saver.put_step(first, put, metadata(2), {"a": 2}, writes, first)
        assert read(saver, second).checkpoint == put
        assert read(saver, second).parent_config == first
        assert read(saver, first).pending_writes == [
            ("task-1", "a", value),
            ("task-1", "branch", None),
            ("task-2", "b", "x"),
        ]

    def test_a_refused_superstep_leaves_no_writes(self, saver: Saver) -> None:
        first = chain(saver, 1)[0]
        with pytest.raises(UnregisteredTypeError):
            saver.put_step(
                first,
                checkpoint({"a": object()}, {"a": 2}),
                metadata(2),
                {"a": 2},
                [("t", "", [("a", object())])],
                first,
            )
        assert read(saver, config()).config == first
        assert read(saver, first).pending_writes == []

    # -- append-logs --------------------------------------------------------------------------------

    def test_a_log_grows_by_segments_and_reads_as_a_list(self, saver: Saver) -> None:
        log, cursor, configs = LogValue(), config(), []
        for step in range(1, 8):
            log = log.append([f"{step}a", f"{step}b"])
            cursor = grow(saver, cursor, {"log": log}, step)
            configs.append(cursor)
        for step, address in enumerate(configs, 1):
            found = read(saver, address).checkpoint["channel_values"]["log"]
            assert isinstance(found, LogValue) and len(found) == 2 * step
            assert found == [f"{i}{letter}" for i in range(1, step + 1) for letter in "ab"]

    def test_a_log_that_was_read_back_goes_on_growing(self, saver: Saver) -> None:
        cursor = grow(saver, config(), {"log": LogValue([1])}, 1)
        for step in range(2, 6):
            log = read(saver, config()).checkpoint["channel_values"]["log"]
            cursor = grow(saver, cursor, {"log": log.append([step])}, step)
        assert read(saver, cursor).checkpoint["channel_values"]["log"] == [1, 2, 3, 4, 5]

    def test_forks_of_a_log_see_their_own_branch(self, saver: Saver) -> None:
        base = LogValue(["root"])
        root = grow(saver, config(), {"log": base}, 1)
        left = grow(saver, root, {"log": base.append(["left"])}, 2)
        right = grow(saver, root, {"log": base.append(["right"])}, 2)
        assert read(saver, left).checkpoint["channel_values"]["log"] == ["root", "left"]
        assert read(saver, right).checkpoint["channel_values"]["log"] == ["root", "right"]
        assert read(saver, root).checkpoint["channel_values"]["log"] == ["root"]

    def test_an_empty_log_and_a_log_of_another_thread_are_stored(self, saver: Saver) -> None:
        empty = grow(saver, config(), {"log": LogValue()}, 1)
        assert read(saver, empty).checkpoint["channel_values"]["log"] == []
        grow(saver, config("one"), {"log": LogValue([1]).append([2])}, 1)
        log = read(saver, config("one")).checkpoint["channel_values"]["log"]
        grow(saver, config("two"), {"log": log.append([3])}, 1)
        saver.delete_thread("one")
        assert read(saver, config("two")).checkpoint["channel_values"]["log"] == [1, 2, 3]

    @pytest.mark.parametrize("form", ["list", "tuple", "item"])
    def test_written_items_that_a_log_holds_come_back_in_their_form(self, saver: Saver, form: str) -> None:
        items = [{"id": "1"}, {"id": "2"}]
        written: Any = {"list": items, "tuple": tuple(items), "item": items[1]}[form]
        root = grow(saver, config(), {"log": LogValue([{"id": "0"}])}, 1)
        log = read(saver, root).checkpoint["channel_values"]["log"].append([{"id": "x"}, *items])
        saver.put_step(
            root,
            checkpoint({"log": log}, {"log": 2}),
            metadata(2),
            {"log": 2},
            [("t", "", [("log", written)])],
            root,
        )
        assert read(saver, root).pending_writes == [("t", "log", written)]
        assert read(saver, config()).checkpoint["channel_values"]["log"] == [{"id": "0"}, {"id": "x"}, *items]

    # -- list ---------------------------------------------------------------------------------------

    def test_the_list_is_newest_first_and_can_be_paged(self, saver: Saver) -> None:
        configs = chain(saver, 40)
        newest_first = [id_of(c) for c in reversed(configs)]
        assert ids(saver.list(config())) == newest_first
        assert ids(saver.list(config(), limit=3)) == newest_first[:3]
        assert ids(saver.list(config(), before=configs[5])) == newest_first[35:]
        assert ids(saver.list(config(), before=configs[5], limit=2)) == newest_first[35:37]
        assert ids(saver.list(configs[7])) == [id_of(configs[7])]
        assert ids(saver.list(config(), limit=0)) == []

    def test_the_list_filters_by_metadata(self, saver: Saver) -> None:
        configs = chain(saver, 5, kind="x")
        assert ids(saver.list(config(), filter={"step": 2, "kind": "x"})) == [id_of(configs[1])]
        assert ids(saver.list(config(), filter={"kind": "y"})) == []
        assert ids(saver.list(config(), filter={"absent": None})) == []

    def test_the_list_covers_namespaces_and_threads(self, saver: Saver) -> None:
        chain(saver, 2)
        chain(saver, 1, namespace="child:1")
        chain(saver, 1, thread="other")
        assert len(list(saver.list(config()))) == 2
        assert len(list(saver.list({"configurable": {"thread_id": "t"}}))) == 3
        assert len(list(saver.list(None))) == 4

    def test_a_thread_may_be_written_while_it_is_listed(self, saver: Saver) -> None:
        configs = chain(saver, 50)
        seen = []
        for found in saver.list(config()):
            seen.append(found.checkpoint["id"])
            if len(seen) < 3:
                grow(saver, configs[-1], {"a": 0}, 99)
        assert seen == [id_of(c) for c in reversed(configs)]

    # -- housekeeping -------------------------------------------------------------------------------

    def test_a_deleted_thread_is_gone_and_its_id_can_be_used_again(self, saver: Saver) -> None:
        first = chain(saver, 3)[0]
        saver.put_writes(first, [("a", 1)], "task")
        chain(saver, 1, thread="other")
        saver.delete_thread("t")
        saver.delete_thread("t")
        assert list(saver.list(config())) == []
        assert len(list(saver.list(config("other")))) == 1
        put = checkpoint({"a": 9})
        stored = saver.put(first, put, metadata(), {})
        assert read(saver, stored).checkpoint["channel_values"] == {"a": 9}

    def test_a_copied_thread_is_independent(self, saver: Saver) -> None:
        log = LogValue(["a"])
        first = grow(saver, config(), {"log": log, "big": "b" * 500}, 1)
        saver.put_writes(first, [("log", ["x"])], "task")
        grow(saver, config(namespace="child:1"), {"a": 1}, 1)
        saver.copy_thread("t", "copy")
        saver.delete_thread("t")
        copied = read(saver, config("copy"))
        assert copied.checkpoint["id"] == id_of(first)
        assert copied.checkpoint["channel_values"] == {"log": ["a"], "big": "b" * 500}
        assert copied.pending_writes == [("task", "log", ["x"])]
        assert read(saver, config("copy", "child:1")).checkpoint["channel_values"] == {"a": 1}
        saver.copy_thread("nobody", "nowhere")
        assert saver.get_tuple(config("nowhere")) is None

    def test_deleting_runs_leaves_other_runs_whole(self, saver: Saver) -> None:
        log = LogValue(["kept"])
        first = grow(saver, config(), {"log": log, "big": "b" * 500}, 1, run_id="r1")
        second = saver.put(
            first,
            checkpoint({"log": log.append(["more"]), "big": "b" * 500}, {"log": 2, "big": 1}),
            metadata(2, run_id="r2"),
            {"log": 2},
        )
        saver.put_writes(first, [("log", 1)], "task")
        saver.delete_for_runs(["r1", "unknown"])
        saver.delete_for_runs([])
        assert ids(saver.list(config())) == [id_of(second)]
        assert read(saver, second).checkpoint["channel_values"] == {"log": ["kept", "more"], "big": "b" * 500}

    def test_pruning_keeps_the_newest_of_each_namespace_whole(self, saver: Saver) -> None:
        log, cursor = LogValue(), config()
        for step in range(1, 6):
            log = log.append([step])
            big = "kept" * 100
            new = {"log": step} if step > 1 else {"log": 1, "big": 1}
            cursor = saver.put(
                cursor, checkpoint({"log": log, "big": big}, {"log": step, "big": 1}), metadata(step), new
            )
        saver.put_writes(cursor, [("a", "waiting")], "task")
        chain(saver, 3, namespace="child")
        others = chain(saver, 2, thread="other")
        saver.prune(["t", "unknown"])
        assert ids(saver.list(config())) == [id_of(cursor)]
        found = read(saver, cursor)
        assert found.checkpoint["channel_values"] == {"log": [1, 2, 3, 4, 5], "big": "kept" * 100}
        assert found.pending_writes == [("task", "a", "waiting")]
        assert len(list(saver.list(config(namespace="child")))) == 1
        assert ids(saver.list(config("other"))) == [id_of(c) for c in reversed(others)]
        saver.prune(["t"], strategy="delete")
        assert list(saver.list({"configurable": {"thread_id": "t"}})) == []
        with pytest.raises(ValueError, match="keep_everything"):
            saver.prune(["t"], strategy="keep_everything")

    def test_pruning_keeps_a_branch_on_which_an_answer_waits(self, saver: Saver) -> None:
        root, main = chain(saver, 2)
        fork = grow(saver, root, {"a": "fork"}, 2)
        saver.put_writes(fork, [(INTERRUPT, "may I?")], "task")
        saver.put_writes(root, [("a", "done long ago")], "task")
        newest = grow(saver, main, {"a": 3}, 3)
        saver.prune(["t"])
        assert ids(saver.list(config())) == [id_of(newest), id_of(fork)]
        assert read(saver, fork).pending_writes == [("task", INTERRUPT, "may I?")]

    def test_pruning_drops_the_segments_of_a_dead_branch_only(self, saver: Saver) -> None:
        base = LogValue(["root"])
        root = grow(saver, config(), {"log": base}, 1)
        dead = base
        cursor = root
        for step in range(2, 6):
            dead = dead.append([f"dead {step}"])
            cursor = grow(saver, cursor, {"log": dead}, step)
        alive = grow(saver, root, {"log": base.append(["alive"])}, 2)
        saver.prune(["t"])
        assert read(saver, alive).checkpoint["channel_values"]["log"] == ["root", "alive"]
        # the dead branch can be stored again from memory
        again = grow(saver, alive, {"log": dead}, 9)
        assert read(saver, again).checkpoint["channel_values"]["log"] == [
            "root",
            *(f"dead {i}" for i in range(2, 6)),
        ]

    # -- together -----------------------------------------------------------------------------------

    def test_threads_may_use_a_saver_at_once(self, saver: Saver) -> None:
        errors: list[BaseException] = []

        def work(name: str) -> None:
            try:
                cursor = config(name)
                for step in range(1, 11):
                    cursor = grow(saver, cursor, {"a": f"{name}-{step}"}, step)
                    saver.put_writes(cursor, [("a", step)], f"task-{name}")
                    saver.put_writes(shared, [("a", name)], f"{name}-{step}")
                    assert read(saver, config(name)).checkpoint["channel_values"] == {"a": f"{name}-{step}"}
            except BaseException as error:
                errors.append(error)

        shared = chain(saver, 1, thread="shared")[0]
        workers = [threading.Thread(target=work, args=(f"w{i}",)) for i in range(4)]
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join(timeout=60)
        assert errors == []
        assert len(read(saver, shared).pending_writes) == 40
        assert all(len(list(saver.list(config(f"w{i}")))) == 10 for i in range(4))

    async def test_asynchronous_twins_do_the_same(self, saver: Saver) -> None:
        first = await saver.aput(config(), checkpoint({"a": 1}), metadata(run_id="r"), {"a": 1})
        await saver.aput_writes(first, [("a", 2)], "task", "~1")
        put = checkpoint({"a": 2}, {"a": 2})
        second = await saver.aput_step(first, put, metadata(2), {"a": 2}, [("t2", "~2", [("a", 2)])], first)
        assert (await saver.aget(second)) == put
        found = await saver.aget_tuple(first)
        assert found is not None and found.pending_writes == [("task", "a", 2), ("t2", "a", 2)]
        assert [item.config async for item in saver.alist(config(), limit=5)] == [second, first]
        await asyncio.gather(*(saver.aput_writes(second, [("a", i)], f"task-{i}") for i in range(8)))
        assert len(read(saver, second).pending_writes) == 8
        await saver.acopy_thread("t", "u")
        await saver.aprune(["u"])
        assert [item.checkpoint["id"] async for item in saver.alist(config("u"))] == [id_of(second)]
        await saver.adelete_for_runs(["r"])
        await saver.adelete_thread("u")
        assert [item.config async for item in saver.alist(None)] == [second]

    def test_the_next_version_is_higher(self, saver: Saver) -> None:
        first = saver.get_next_version(None, None)
        assert saver.get_next_version(first, None) > first

    def test_what_a_channel_received_is_found_along_its_branch(self, saver: Saver) -> None:
        first = saver.put(config(), checkpoint({"d": 0, "x": 1}), metadata(), {"d": 1, "x": 1})
        saver.put_writes(first, [("d", "one")], "t1")
        second = saver.put(first, checkpoint({"x": 1}, {"d": 2, "x": 1}), metadata(1), {"d": 2})
        saver.put_writes(second, [("d", "two"), ("x", 5)], "t2")
        third = saver.put(second, checkpoint({"x": 1}, {"d": 3, "x": 1}), metadata(2), {"d": 3})
        saver.put_writes(third, [("d", "pending")], "t3")
        history = saver.get_delta_channel_history(config=third, channels=["d", "none"])
        assert history["d"] == {"writes": [("t1", "d", "one"), ("t2", "d", "two")], "seed": 0}
        assert history["none"] == {"writes": []}

    def test_types_can_be_allowed_for_a_view(self, saver: Saver) -> None:
        from dataclasses import dataclass

        @dataclass
        class Pose:
            x: float

        address: Sequence[dict[str, Any]] = chain(saver, 1)
        view = saver.with_allowlist([Pose])
        stored = grow(view, address[0], {"a": Pose(1.5)}, 2)
        assert read(view, stored).checkpoint["channel_values"] == {"a": Pose(1.5)}
        with pytest.raises(UnregisteredTypeError):
            grow(saver, address[0], {"a": Pose(2.5)}, 3)
