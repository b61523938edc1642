"""Workflows as functions: every finished task comes from the checkpoint."""

from __future__ import annotations

import threading
from typing import Any

import pytest

from zulong.stategraph import Command, entrypoint, interrupt, task
from zulong.stategraph.types import RetryPolicy


@pytest.mark.feature("SG-19")
def test_tasks_run_side_by_side_and_previous_and_final_carry_over(saver: Any, thread: Any) -> None:
    together = threading.Barrier(10)

    @task
    def square(n: int, wait: bool) -> int:
        if wait:
            together.wait(20)  # passes only if all ten run at once
        return n * n

    @entrypoint(checkpointer=saver)
    def total(n: int, previous: Any) -> Any:
        result = sum(f.result() for f in [square(i, n == 10) for i in range(n)])
        return entrypoint.final(value=result + (previous or 0), save=result)

    assert total.invoke(10, thread) == 285
    assert total.invoke(3, thread) == 5 + 285
    assert total.invoke(1, thread) == 0 + 5


@pytest.mark.feature("SG-19", "SG-13")
def test_finished_tasks_at_any_depth_run_exactly_once(saver: Any, thread: Any, durability: str) -> None:
    runs: list[str] = []

    @task
    def leaf(name: str) -> str:
        runs.append(name)
        return name.upper()

    @task
    def branch(name: str) -> list[str]:
        runs.append(name)
        return [leaf(f"{name}{i}").result() for i in range(2)]

    @entrypoint(checkpointer=saver)
    def flow(names: list[str]) -> Any:
        found = [branch(n) for n in names]
        results = [f.result() for f in found]
        return [results, interrupt("one?"), leaf("late").result(), interrupt("two?")]

    flow.invoke(["a", "b"], thread, durability=durability)
    flow.invoke(Command(resume=1), thread, durability=durability)
    out = flow.invoke(Command(resume=2), thread, durability=durability)
    assert out == [[["A0", "A1"], ["B0", "B1"]], 1, "LATE", 2]
    assert sorted(runs) == ["a", "a0", "a1", "b", "b0", "b1", "late"]


@pytest.mark.feature("SG-19")
def test_a_failed_workflow_repeats_only_what_had_not_finished(saver: Any, thread: Any) -> None:
    runs: list[str] = []

    @task
    def good() -> str:
        runs.append("good")
        return "good"

    @task(retry_policy=RetryPolicy(max_attempts=2, initial_interval=0.001, jitter=False, retry_on=OSError))
    def bad() -> str:
        runs.append("bad")
        if runs.count("bad") < 3:
            raise OSError("not yet")
        return "bad"

    @entrypoint(checkpointer=saver)
    def flow(_: int) -> list[str]:
        return [good().result(), bad().result()]

    with pytest.raises(OSError, match="not yet"):
        flow.invoke(0, thread)
    assert flow.invoke(None, thread) == ["good", "bad"]
    assert runs == ["good", "bad", "bad", "bad"]


@pytest.mark.feature("SG-19", "SG-21")
async def test_async_workflows_await_their_tasks(saver: Any, thread: Any) -> None:
    @task
    async def one(n: int) -> int:
        return n + 1

    @task
    def two(n: int) -> int:
        return n * 2

    @entrypoint(checkpointer=saver)
    async def flow(n: int) -> int:
        return await two(await one(n))  # type: ignore[no-any-return]

    assert await flow.ainvoke(3, thread) == 8


@pytest.mark.feature("SG-19")
def test_misuse_is_told_in_a_sentence() -> None:
    @task
    def lonely() -> None: ...

    with pytest.raises(RuntimeError, match="outside of a runnable context"):
        lonely()
    with pytest.raises(ValueError, match="at least one parameter"):
        entrypoint()(lambda: None)
    with pytest.raises(ValueError, match="is sync"):
        task(timeout=1.0)(lambda: None)

    @entrypoint()
    def flow(_: int) -> Any:
        @task
        async def later() -> None: ...

        return later()

    with pytest.raises(RuntimeError, match="async tasks cannot be called"):
        flow.invoke(1)
