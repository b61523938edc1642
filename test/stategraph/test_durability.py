"""What is on disk when: the guarantee of each mode, and the order of what is written."""

from __future__ import annotations

import threading
import time
from typing import Any

import pytest

from zulong.stategraph import END, START, StateGraph
from zulong.stategraph.checkpoint.memory import InMemorySaver


class Recording(InMemorySaver):
    """A saver that notes the order of calls, and may take its time or fail."""

    def __init__(self, *, pause_s: float = 0.0) -> None:
        super().__init__()
        self.calls: list[tuple[str, Any]] = []
        self.pause_s = pause_s
        self.fail_at: int | None = None

    def put(self, config: Any, checkpoint: Any, metadata: Any, new_versions: Any) -> Any:
        time.sleep(self.pause_s)
        if metadata["step"] == self.fail_at:
            raise OSError("disk full")
        result = super().put(config, checkpoint, metadata, new_versions)
        self.calls.append(("put", metadata["step"]))
        return result

    def put_writes(self, config: Any, writes: Any, task_id: str, task_path: str = "") -> None:
        super().put_writes(config, writes, task_id, task_path)
        self.calls.append(("writes", len(writes)))

    async def aput(self, *args: Any) -> Any:
        return self.put(*args)

    async def aput_writes(self, *args: Any) -> None:
        self.put_writes(*args)


def counting(state: Any, saver: Any, watch: Any = None) -> Any:
    def n(s: Any) -> Any:
        if watch is not None:
            watch(s["x"])
        return {"x": s["x"] + 1}

    graph = StateGraph(state).add_node(n).add_edge(START, "n")
    return graph.add_conditional_edges("n", lambda s: "n" if s["x"] < 6 else END).compile(checkpointer=saver)


async def either(graph: Any, use_async: bool, *args: Any, **kwargs: Any) -> Any:
    """Run a graph in the event loop or in this thread."""
    return await graph.ainvoke(*args, **kwargs) if use_async else graph.invoke(*args, **kwargs)


@pytest.mark.feature("SG-11")
@pytest.mark.parametrize("use_async", [False, True])
async def test_sync_has_every_step_saved_before_the_next_one_starts(
    state: Any, thread: Any, use_async: bool
) -> None:
    saver = Recording()
    steps_at_start: list[int] = []
    graph = counting(
        state, saver, lambda _: steps_at_start.append(max(s for k, s in saver.calls if k == "put"))
    )
    if use_async:
        await graph.ainvoke({"x": 0}, thread, durability="sync")
    else:
        graph.invoke({"x": 0}, thread, durability="sync")
    assert steps_at_start == [0, 1, 2, 3, 4, 5]


@pytest.mark.feature("SG-11")
@pytest.mark.parametrize("use_async", [False, True])
async def test_async_is_never_more_than_one_step_behind(state: Any, thread: Any, use_async: bool) -> None:
    saver = Recording(pause_s=0.02)
    behind: list[int] = []

    def watch(x: int) -> None:
        saved = max((s for k, s in saver.calls if k == "put"), default=-2)
        behind.append(x - saved)

    graph = counting(state, saver, watch)
    if use_async:
        await graph.ainvoke({"x": 0}, thread, durability="async")
    else:
        graph.invoke({"x": 0}, thread, durability="async")
    assert max(behind) <= 1
    assert [s for k, s in saver.calls if k == "put"] == [-1, 0, 1, 2, 3, 4, 5, 6]


@pytest.mark.feature("SG-11")
def test_exit_saves_once_and_still_leaves_a_failed_run_resumable(state: Any, thread: Any) -> None:
    saver = Recording()
    broken = [True]

    def fragile(x: int) -> None:
        if x == 4 and broken[0]:
            raise RuntimeError("at four")

    graph = counting(state, saver, fragile)
    with pytest.raises(RuntimeError):
        graph.invoke({"x": 0}, thread, durability="exit")
    assert [k for k, _ in saver.calls].count("put") == 1
    broken[0] = False
    assert graph.invoke(None, thread, durability="exit")["x"] == 6


@pytest.mark.feature("SG-11", "SG-10")
@pytest.mark.parametrize("durability", ["sync", "async"])
def test_writes_are_stored_before_the_checkpoint_that_depends_on_them(
    state: Any, thread: Any, durability: str
) -> None:
    saver = Recording(pause_s=0.001)
    counting(state, saver).invoke({"x": 0}, thread, durability=durability)
    kinds = [k for k, _ in saver.calls]
    assert kinds[0] == "put", "the input is saved before anything runs"
    for index in range(1, len(kinds) - 1, 2):
        assert kinds[index : index + 2] == ["writes", "put"]


@pytest.mark.feature("SG-11")
@pytest.mark.parametrize("durability", ["sync", "async", "exit"])
@pytest.mark.parametrize("use_async", [False, True])
async def test_a_saver_that_fails_fails_the_run_and_nothing_is_saved_after_the_gap(
    state: Any, thread: Any, durability: str, use_async: bool
) -> None:
    saver = Recording(pause_s=0.002)
    saver.fail_at = 6 if durability == "exit" else 3
    graph = counting(state, saver)
    with pytest.raises(OSError, match="disk full"):
        await either(graph, use_async, {"x": 0}, thread, durability=durability)
    assert max((s for k, s in saver.calls if k == "put"), default=-2) < 3
    saver.fail_at = None
    if durability != "exit":
        assert graph.invoke(None, thread)["x"] == 6


@pytest.mark.feature("SG-09", "SG-10")
def test_a_sibling_that_finished_is_on_disk_while_the_others_still_run(state: Any, thread: Any) -> None:
    saver = Recording()
    quick_saved = threading.Event()

    def slow(s: Any) -> Any:
        deadline = time.monotonic() + 5
        while time.monotonic() < deadline and not any(k == "writes" for k, _ in saver.calls[2:]):
            time.sleep(0.002)
        if any(k == "writes" for k, _ in saver.calls[2:]):
            quick_saved.set()
        return {"log": ["slow"]}

    graph = StateGraph(state).add_node(slow).add_node("quick", lambda s: {"log": ["quick"]})
    graph.add_edge(START, "slow").add_edge(START, "quick")
    graph.compile(checkpointer=saver).invoke({"log": []}, thread, durability="sync")
    assert quick_saved.is_set()


@pytest.mark.feature("SG-10")
def test_a_subclass_that_overrides_put_is_always_asked(state: Any, thread: Any, tmp_path: Any) -> None:
    saver = Recording()
    counting(state, saver).invoke({"x": 0}, thread, durability="sync")
    assert [s for k, s in saver.calls if k == "put"] == [-1, 0, 1, 2, 3, 4, 5, 6]
