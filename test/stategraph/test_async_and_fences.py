"""The event loop's twin of everything, and limits that bound real time whatever a node does."""

from __future__ import annotations

import asyncio
import threading
import time
from typing import Any

import pytest

from zulong.stategraph import START, Command, Runtime, StateGraph, interrupt
from zulong.stategraph.errors import GraphDrained, NodeTimeoutError, RunCancelledError
from zulong.stategraph.runtime import RunControl
from zulong.stategraph.types import RetryPolicy, Send, TimeoutPolicy

FENCE = TimeoutPolicy(run_timeout=0.1, sync="fence")


async def either(graph: Any, use_async: bool, *args: Any, **kwargs: Any) -> Any:
    """Run a graph in the event loop or in this thread."""
    return await graph.ainvoke(*args, **kwargs) if use_async else graph.invoke(*args, **kwargs)


@pytest.mark.feature("SG-21")
async def test_sync_and_async_nodes_mix_and_agree_with_the_sync_run(
    state: Any, saver: Any, thread: Any
) -> None:
    async def a(s: Any) -> Any:
        await asyncio.sleep(0.001)
        return {"log": ["a"]}

    def b(s: Any) -> Any:
        assert threading.current_thread() is not threading.main_thread()
        return {"log": ["b"]}

    async def choose(s: Any) -> Any:
        return [Send("c", i) for i in range(3)]

    graph = StateGraph(state).add_node(a).add_node(b).add_node("c", lambda i: {"log": [i]})
    graph.add_edge(START, "a").add_edge("a", "b").add_conditional_edges("b", choose, ["c"])
    compiled = graph.compile(checkpointer=saver)
    out = await compiled.ainvoke({"log": []}, thread)
    assert out["log"] == ["a", "b", 0, 1, 2]
    assert (await compiled.aget_state(thread)).values == out
    history = [h async for h in compiled.aget_state_history(thread)]
    assert len(history) == 5
    with pytest.raises(TypeError, match="No synchronous function"):
        compiled.invoke({"log": []}, {"configurable": {"thread_id": "2"}})


@pytest.mark.feature("SG-21", "SG-13")
async def test_interrupts_work_the_same_in_the_event_loop(
    state: Any, saver: Any, thread: Any, durability: str
) -> None:
    async def ask(s: Any) -> Any:
        return {"log": [interrupt("?")]}

    graph = StateGraph(state).add_node(ask).add_edge(START, "ask").compile(checkpointer=saver)
    out = await graph.ainvoke({"log": []}, thread, durability=durability)
    assert out["__interrupt__"][0].value == "?"
    assert (await graph.ainvoke(Command(resume=1), thread, durability=durability))["log"] == [1]


@pytest.mark.feature("SG-21")
async def test_cancelling_mid_step_records_the_same_in_every_mode_and_can_be_resumed(
    state: Any, saver: Any, thread: Any, durability: str
) -> None:
    started = asyncio.Event()
    block = True

    async def slow(s: Any) -> Any:
        started.set()
        if block:
            await asyncio.sleep(60)
        return {"log": ["slow"]}

    async def quick(s: Any) -> Any:
        return {"log": ["quick"]}

    graph = StateGraph(state).add_node(slow).add_node(quick).add_edge(START, "slow").add_edge(START, "quick")
    compiled = graph.compile(checkpointer=saver)
    running = asyncio.ensure_future(compiled.ainvoke({"log": []}, thread, durability=durability))
    await started.wait()
    await asyncio.sleep(0.05)
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running
    now = await compiled.aget_state(thread)
    assert now.next == ("slow",)
    errors = {t.name: t.error for t in now.tasks}
    assert "CancelledError" in str(errors["slow"])
    assert errors["quick"] is None
    block = False
    assert sorted((await compiled.ainvoke(None, thread, durability=durability))["log"]) == ["quick", "slow"]


@pytest.mark.feature("SG-20", "SG-21")
async def test_an_async_node_is_ended_at_its_limit_and_an_idle_one_only_without_progress(state: Any) -> None:
    async def stuck(s: Any) -> Any:
        await asyncio.sleep(60)

    async def busy(s: Any, runtime: Runtime[None]) -> Any:
        for _ in range(6):
            await asyncio.sleep(0.3)
            runtime.heartbeat()
        return {"log": ["busy"]}

    graph = StateGraph(state).add_node(stuck, timeout=0.05).add_edge(START, "stuck").compile()
    began = time.monotonic()
    with pytest.raises(NodeTimeoutError, match="'stuck' exceeded its run timeout"):
        await graph.ainvoke({"x": 1})
    assert time.monotonic() - began < 5
    idle = TimeoutPolicy(idle_timeout=1.5)
    graph = StateGraph(state).add_node(busy, timeout=idle).add_edge(START, "busy").compile()
    assert (await graph.ainvoke({"log": []}))["log"] == ["busy"]


@pytest.mark.feature("SG-20")
@pytest.mark.parametrize("use_async", [False, True])
async def test_a_sync_node_is_left_at_its_limit_told_to_stop_and_its_late_write_never_lands(
    state: Any, saver: Any, thread: Any, use_async: bool
) -> None:
    release, told = threading.Event(), threading.Event()
    late: list[str] = []

    def stubborn(s: Any, runtime: Runtime[None]) -> Any:
        release.wait(10)
        if runtime.cancelled:
            told.set()
        runtime.stream_writer("late chunk")
        late.append("ended")
        return {"log": ["late write"]}

    graph = StateGraph(state).add_node(stubborn, timeout=FENCE).add_edge(START, "stubborn")
    compiled = graph.compile(checkpointer=saver)
    began = time.monotonic()
    with pytest.raises(NodeTimeoutError):
        await either(compiled, use_async, {"log": []}, thread)
    assert time.monotonic() - began < 5, "the caller gets its answer while the node still runs"
    assert late == []
    release.set()
    assert told.wait(5)
    deadline = time.monotonic() + 5
    while not late and time.monotonic() < deadline:
        time.sleep(0.005)
    assert late == ["ended"]
    assert compiled.get_state(thread).values["log"] == []
    assert compiled.get_state(thread).next == ("stubborn",)


@pytest.mark.feature("SG-20", "SG-17")
def test_a_subgraph_inside_a_fenced_node_writes_nothing_more(state: Any, saver: Any, thread: Any) -> None:
    release, done = threading.Event(), threading.Event()

    def wait(s: Any) -> Any:
        release.wait(10)
        return {"log": ["inner"]}

    inner = StateGraph(state).add_node(wait).add_node("more", lambda s: {"log": ["more"]})
    sub = inner.add_edge(START, "wait").add_edge("wait", "more").compile(checkpointer=True)

    def call(s: Any) -> Any:
        try:
            return sub.invoke({"log": []})
        finally:
            done.set()

    graph = (
        StateGraph(state).add_node(call, timeout=FENCE).add_edge(START, "call").compile(checkpointer=saver)
    )
    with pytest.raises(NodeTimeoutError):
        graph.invoke({"log": []}, thread, durability="sync")
    before = len(list(saver.list(thread)))
    release.set()
    assert done.wait(5)
    assert len(list(saver.list(thread))) == before


@pytest.mark.feature("SG-20")
def test_a_fenced_node_can_be_retried_and_siblings_keep_their_writes(
    state: Any, saver: Any, thread: Any
) -> None:
    release, ended = threading.Event(), threading.Event()
    attempts: list[int] = []

    def first_slow(s: Any) -> Any:
        attempts.append(1)
        if len(attempts) == 1:
            release.wait(20)
            ended.set()
            return {"log": ["must not land"]}
        return {"log": ["second attempt"]}

    limit = TimeoutPolicy(run_timeout=1.0, sync="fence")
    policy = RetryPolicy(initial_interval=0.01, jitter=False, retry_on=NodeTimeoutError)
    graph = StateGraph(state).add_node(first_slow, timeout=limit, retry_policy=policy)
    graph.add_node("beside", lambda s: {"log": ["beside"]})
    graph.add_edge(START, "first_slow").add_edge(START, "beside")
    compiled = graph.compile(checkpointer=saver)
    assert compiled.invoke({"log": []}, thread)["log"] == ["beside", "second attempt"]
    release.set()
    assert ended.wait(20)
    assert compiled.get_state(thread).values["log"] == ["beside", "second attempt"]


@pytest.mark.feature("SG-21", "SG-20")
@pytest.mark.parametrize("use_async", [False, True])
async def test_a_run_is_cancelled_from_outside_at_once_and_resumed_later(
    state: Any, saver: Any, thread: Any, use_async: bool
) -> None:
    release, running = threading.Event(), threading.Event()

    def slow(s: Any) -> Any:
        running.set()
        release.wait(10)
        return {"log": ["slow"]}

    graph = StateGraph(state).add_node(slow).add_edge(START, "slow").compile(checkpointer=saver)
    control = RunControl()

    def cancel_once_it_runs() -> None:
        running.wait(5)
        control.cancel("enough")
        control.cancel("a latch keeps its first reason")

    helper = threading.Thread(target=cancel_once_it_runs)
    helper.start()
    began = time.monotonic()
    with pytest.raises(RunCancelledError, match="enough"):
        await either(graph, use_async, {"log": []}, thread, control=control)
    assert time.monotonic() - began < 5
    helper.join(5)
    release.set()
    time.sleep(0.05)
    assert graph.get_state(thread).values["log"] == []
    assert graph.invoke(None, thread)["log"] == ["slow"]


@pytest.mark.feature("SG-21")
def test_a_drained_run_stops_between_steps(state: Any, saver: Any, thread: Any) -> None:
    control = RunControl()

    def first(s: Any) -> Any:
        control.request_drain("maintenance")
        return {"log": ["first"]}

    graph = (
        StateGraph(state)
        .add_sequence([first, ("second", lambda s: {"log": ["second"]})])
        .add_edge(START, "first")
    )
    compiled = graph.compile(checkpointer=saver)
    with pytest.raises(GraphDrained, match="maintenance"):
        compiled.invoke({"log": []}, thread, control=control)
    assert compiled.get_state(thread).next == ("second",)
    assert compiled.invoke(None, thread)["log"] == ["first", "second"]


@pytest.mark.feature("SG-20")
def test_a_step_has_a_limit_of_its_own(state: Any, saver: Any, thread: Any) -> None:
    release = threading.Event()
    graph = StateGraph(state).add_node("slow", lambda s: release.wait(10) and {"log": ["slow"]})
    graph.add_edge(START, "slow")
    compiled = graph.compile(checkpointer=saver)
    compiled.step_timeout = 0.1
    with pytest.raises(TimeoutError):
        compiled.invoke({"log": []}, thread)
    release.set()
    assert compiled.get_state(thread).next == ("slow",)


@pytest.mark.feature("SG-20")
def test_a_limit_on_a_sync_node_must_say_what_it_means(state: Any) -> None:
    graph = StateGraph(state).add_node("n", lambda s: {}, timeout=1.0).add_edge(START, "n")
    with pytest.raises(ValueError, match=r"'n' is sync.*sync='fence'"):
        graph.compile()
