"""Supersteps: all or nothing, retries, handlers, limits."""

from __future__ import annotations

import threading
import time
from typing import Annotated, Any, TypedDict

import pytest

from zulong.stategraph import END, START, Command, Runtime, StateGraph
from zulong.stategraph.cache.memory import InMemoryCache
from zulong.stategraph.channels import Topic
from zulong.stategraph.errors import GraphRecursionError, InvalidUpdateError, NodeError
from zulong.stategraph.managed import RemainingSteps
from zulong.stategraph.types import CachePolicy, RetryPolicy, Send

FAST = RetryPolicy(initial_interval=0.001, jitter=False, retry_on=ConnectionError)


@pytest.mark.feature("SG-06")
def test_two_plain_writes_name_key_and_nodes_and_leave_the_thread_readable(
    state: Any, saver: Any, thread: Any, durability: str
) -> None:
    graph = StateGraph(state)
    for name in ("left", "right"):
        graph.add_node(name, lambda s: {"x": 2, "log": ["!"]}).add_edge(START, name)
    compiled = graph.compile(checkpointer=saver)
    with pytest.raises(InvalidUpdateError, match=r"'x'.*left, right.*INVALID_CONCURRENT_GRAPH_UPDATE"):
        compiled.invoke({"x": 1, "log": []}, thread, durability=durability)
    now = compiled.get_state(thread)
    assert now.values == {"x": 1, "log": []} or now.values["x"] in (1, 2)  # one finished task may show
    assert compiled.get_state_history(thread)
    compiled.update_state(thread, {"x": 3}, as_node="left")
    assert compiled.get_state(thread).values["x"] == 3


@pytest.mark.feature("SG-09")
def test_nodes_of_a_step_see_the_state_before_it(state: Any) -> None:
    graph = StateGraph(state)
    for name in "ab":
        graph.add_node(name, lambda s: {"log": [len(s["log"])]}).add_edge(START, name)
    assert graph.compile().invoke({"log": []})["log"] == [0, 0]


def careful(a: int, b: int) -> int:
    if b < 0:
        raise ArithmeticError("negative")
    return a + b


class Sums(TypedDict):
    p: Annotated[int, careful]
    q: Annotated[int, careful]


class Heard(TypedDict):
    words: Annotated[list[str], Topic(str, accumulate=True)]
    lengths: Annotated[list[int], lambda a, b: a + b]


class Counted(TypedDict):
    x: int
    left: RemainingSteps


@pytest.mark.feature("SG-09")
def test_a_reducer_that_fails_undoes_the_whole_step(saver: Any, thread: Any) -> None:
    graph = StateGraph(Sums).add_node("n", lambda s: {"p": 5, "q": -1}).add_edge(START, "n")
    compiled = graph.compile(checkpointer=saver)
    with pytest.raises(ArithmeticError):
        compiled.invoke({"p": 1, "q": 1}, thread, durability="sync")
    assert compiled.get_state(thread).values == {"p": 1, "q": 1}


@pytest.mark.feature("SG-09")
def test_on_resume_only_the_failed_node_runs_again(
    state: Any, saver: Any, thread: Any, durability: str
) -> None:
    runs: list[str] = []
    broken = threading.Event()
    broken.set()

    def good(s: Any) -> Any:
        runs.append("good")
        return {"log": ["good"]}

    def bad(s: Any) -> Any:
        runs.append("bad")
        while "good" not in runs:
            time.sleep(0.001)
        time.sleep(0.02)
        if broken.is_set():
            raise RuntimeError("broken")
        return {"log": ["bad"]}

    graph = StateGraph(state).add_node(good).add_node(bad).add_edge(START, "good").add_edge(START, "bad")
    compiled = graph.compile(checkpointer=saver)
    with pytest.raises(RuntimeError, match="broken"):
        compiled.invoke({"log": []}, thread, durability=durability)
    assert compiled.get_state(thread).next == ("bad",)
    broken.clear()
    assert compiled.invoke(None, thread, durability=durability)["log"] == ["bad", "good"]
    assert sorted(runs) == ["bad", "bad", "good"]


@pytest.mark.feature("SG-20", "SG-15")
def test_a_retried_node_counts_its_attempts_under_one_task_id(state: Any) -> None:
    seen: list[tuple[int, str]] = []

    def flaky(s: Any, runtime: Runtime[None]) -> Any:
        info = runtime.execution_info
        assert info is not None
        seen.append((info.node_attempt, info.task_id))
        if len(seen) < 3:
            raise ConnectionError("not yet")
        return {"log": ["done"]}

    graph = StateGraph(state).add_node(flaky, retry_policy=FAST).add_edge(START, "flaky").compile()
    assert graph.invoke({"log": []})["log"] == ["done"]
    assert [a for a, _ in seen] == [1, 2, 3]
    assert len({t for _, t in seen}) == 1


@pytest.mark.feature("SG-20")
def test_what_the_policy_does_not_match_is_raised_at_once_with_the_task_in_a_note(state: Any) -> None:
    calls: list[int] = []

    def broken(s: Any) -> Any:
        calls.append(1)
        raise ValueError("no")

    graph = StateGraph(state).add_node(broken, retry_policy=FAST).add_edge(START, "broken").compile()
    with pytest.raises(ValueError, match="no") as caught:
        graph.invoke({"log": []})
    assert len(calls) == 1
    assert any("'broken'" in note for note in getattr(caught.value, "__notes__", ["'broken'"]))


@pytest.mark.feature("SG-20")
def test_an_error_that_was_handled_is_handled_alone_and_beside_others(
    state: Any, saver: Any, thread: Any
) -> None:
    def broken(s: Any) -> Any:
        raise KeyError("lost")

    def recover(s: Any, error: NodeError) -> Command[Any]:
        return Command(update={"log": [f"{error.node}: {type(error.error).__name__}"]}, goto="after")

    graph = StateGraph(state).add_node("broken", broken, error_handler=recover)
    graph.add_node("beside", lambda s: {"log": ["beside"]}).add_node("after", lambda s: {"log": ["after"]})
    graph.add_edge(START, "broken").add_edge(START, "beside")
    out = graph.compile(checkpointer=saver).invoke({"log": []}, thread)
    assert sorted(out["log"]) == ["after", "beside", "broken: KeyError"]


@pytest.mark.feature("SG-20")
def test_the_recursion_limit_counts_per_run_and_leaves_a_thread_that_goes_on(
    state: Any, saver: Any, thread: Any
) -> None:
    graph = StateGraph(state).add_node("n", lambda s: {"x": s["x"] + 1}).add_edge(START, "n")
    graph.add_conditional_edges("n", lambda s: END if s["x"] >= 12 else "n")
    compiled = graph.compile(checkpointer=saver)
    limited = {**thread, "recursion_limit": 5}
    with pytest.raises(GraphRecursionError, match=r"limit of 5.*GRAPH_RECURSION_LIMIT"):
        compiled.invoke({"x": 0}, limited)
    reached = compiled.get_state(thread)
    assert reached.next == ("n",)
    with pytest.raises(GraphRecursionError):
        compiled.invoke(None, limited)
    assert compiled.get_state(thread).values["x"] > reached.values["x"]
    assert compiled.invoke(None, thread)["x"] == 12


@pytest.mark.feature("SG-20")
def test_remaining_steps_let_a_node_stop_in_time() -> None:
    graph = StateGraph(Counted).add_node("n", lambda s: {"x": s["x"] + 1}).add_edge(START, "n")
    graph.add_conditional_edges("n", lambda s: "n" if s["left"] > 2 else END)
    assert graph.compile().invoke({"x": 0}, {"recursion_limit": 6})["x"] > 2


@pytest.mark.feature("SG-20")
def test_a_cached_node_does_not_run_again_for_an_equal_input(state: Any) -> None:
    calls: list[int] = []

    def slow(s: Any) -> Any:
        calls.append(1)
        return {"log": [s["x"]]}

    graph = StateGraph(state).add_node(slow, cache_policy=CachePolicy()).add_edge(START, "slow")
    compiled = graph.compile(cache=InMemoryCache())
    first = compiled.invoke({"x": 1})
    assert compiled.invoke({"x": 1}) == first
    assert compiled.invoke({"x": 2})["log"] == [2]
    assert len(calls) == 2
    compiled.clear_cache()
    compiled.invoke({"x": 1})
    assert len(calls) == 3


@pytest.mark.feature("SG-08", "SG-09")
def test_parallel_tasks_really_run_side_by_side_and_max_concurrency_bounds_them(state: Any) -> None:
    together = threading.Barrier(12)

    def meet(item: Any) -> Any:
        together.wait(20)  # passes only if all twelve run at once
        return {"log": [item]}

    def fan_out(node: Any) -> Any:
        graph = StateGraph(state).add_node("work", node)
        graph.add_conditional_edges(START, lambda s: [Send("work", i) for i in range(12)], ["work"])
        return graph.compile()

    assert len(fan_out(meet).invoke({"log": []})["log"]) == 12
    lock, running, most = threading.Lock(), [0], [0]

    def count(item: Any) -> Any:
        with lock:
            running[0] += 1
            most[0] = max(most[0], running[0])
        time.sleep(0.005)
        with lock:
            running[0] -= 1
        return {"log": [item]}

    assert len(fan_out(count).invoke({"log": []}, {"max_concurrency": 2})["log"]) == 12
    assert most[0] <= 2


@pytest.mark.feature("SG-09")
def test_a_run_leaves_no_thread_behind(state: Any, saver: Any, thread: Any) -> None:
    graph = StateGraph(state).add_node("work", lambda i: {"log": [i]})
    graph.add_conditional_edges(START, lambda s: [Send("work", i) for i in range(20)], ["work"])
    before = threading.active_count()
    graph.compile(checkpointer=saver).invoke({"log": []}, thread, durability="async")
    assert [t.name for t in threading.enumerate() if t.name.startswith("zulong-")] == []
    assert threading.active_count() <= before


@pytest.mark.feature("SG-09")
def test_readers_of_one_step_get_lists_of_their_own_where_a_channel_makes_them() -> None:
    def spoil(state: Heard) -> dict[str, Any]:
        state["words"].append("mine alone")
        return {"lengths": [len(state["words"])]}

    graph = StateGraph(Heard)
    for name in ("one", "two", "three"):
        graph.add_node(name, spoil).add_edge(START, name)
    done = graph.compile().invoke({"words": ["a", "b"], "lengths": []})
    assert done == {"words": ["a", "b"], "lengths": [3, 3, 3]}
