"""Random graphs, random failures, against a model of ten lines."""

from __future__ import annotations

import asyncio
import operator
import threading
from collections import Counter
from typing import Annotated, Any, TypedDict

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from zulong.stategraph import START, StateGraph
from zulong.stategraph.checkpoint.memory import InMemorySaver

QUICK = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])


class Log(TypedDict):
    log: Annotated[list[str], operator.add]
    seen: Annotated[int, operator.add]


@st.composite
def shapes(draw: Any) -> dict[int, list[int]]:
    """Edges of an acyclic graph: node -> later nodes; node 0 is START."""
    size = draw(st.integers(1, 6))
    edges = {0: draw(st.lists(st.integers(1, size), min_size=1, max_size=3, unique=True))}
    for node in range(1, size):
        edges[node] = draw(st.lists(st.integers(node + 1, size), max_size=3, unique=True))
    edges[size] = []
    return edges


def model(edges: dict[int, list[int]]) -> list[str]:
    """The log of a run: step after step, the woken nodes in the order of their names."""
    log, woken = [], set(edges[0])
    while woken:
        log += sorted(f"n{n}" for n in woken)
        woken = {after for n in woken for after in edges[n]}
    return log


class Failing:
    """Counts runs, and lets a node fail its first few times."""

    def __init__(self, failures: dict[int, int]) -> None:
        self.left = dict(failures)
        self.succeeded: Counter[int] = Counter()
        self.lock = threading.Lock()

    def run(self, n: int) -> dict[str, Any]:
        with self.lock:
            if self.left.get(n, 0) > 0:
                self.left[n] -= 1
                raise ConnectionError(f"n{n}")
            self.succeeded[n] += 1
        return {"log": [f"n{n}"], "seen": 1}


def build(edges: dict[int, list[int]], failing: Failing, saver: Any, *, as_coroutines: bool) -> Any:
    graph = StateGraph(Log)
    for n in range(1, len(edges)):

        def node(s: Any, n: int = n) -> Any:
            return failing.run(n)

        async def anode(s: Any, n: int = n) -> Any:
            await asyncio.sleep(0)
            return failing.run(n)

        graph.add_node(f"n{n}", anode if as_coroutines else node)
    for n, following in edges.items():
        for after in following:
            graph.add_edge(START if n == 0 else f"n{n}", f"n{after}")
    return graph.compile(checkpointer=saver)


@pytest.mark.feature("SG-05", "SG-09")
@given(shapes(), st.booleans())
@QUICK
def test_any_graph_runs_as_the_model_says(edges: dict[int, list[int]], as_coroutines: bool) -> None:
    graph = build(edges, Failing({}), None, as_coroutines=as_coroutines)
    given_log: dict[str, Any] = {"log": [], "seen": 0}
    out = asyncio.run(graph.ainvoke(given_log)) if as_coroutines else graph.invoke(given_log)
    assert out["log"] == model(edges)
    assert out["seen"] == len(out["log"])


@pytest.mark.feature("SG-09", "SG-10", "SG-11")
@given(
    shapes(),
    st.dictionaries(st.integers(1, 6), st.integers(1, 3), max_size=4),
    st.sampled_from(["sync", "async", "exit"]),
    st.booleans(),
)
@QUICK
def test_failures_cost_only_the_nodes_that_failed(
    edges: dict[int, list[int]], failures: dict[int, int], durability: str, as_coroutines: bool
) -> None:
    failing = Failing({n: k for n, k in failures.items() if n in edges})
    graph = build(edges, failing, InMemorySaver(), as_coroutines=as_coroutines)
    config = {"configurable": {"thread_id": "1"}}
    given_log: Any = {"log": [], "seen": 0}
    for _ in range(20):
        try:
            if as_coroutines:
                out = asyncio.run(graph.ainvoke(given_log, config, durability=durability))
            else:
                out = graph.invoke(given_log, config, durability=durability)
            break
        except ConnectionError:
            given_log = None
            assert graph.get_state(config).next, "what failed is listed as pending"
    assert out["log"] == model(edges)
    expected = Counter(int(name[1:]) for name in model(edges))
    if as_coroutines:  # a coroutine that is cancelled because its sibling failed starts again
        assert all(failing.succeeded[n] >= k for n, k in expected.items())
    else:
        assert failing.succeeded == expected, "what had finished did not run again"


@pytest.mark.feature("SG-12")
@given(shapes(), st.data())
@QUICK
def test_replay_from_any_checkpoint_ends_where_the_run_ended(edges: dict[int, list[int]], data: Any) -> None:
    graph = build(edges, Failing({}), InMemorySaver(), as_coroutines=False)
    config = {"configurable": {"thread_id": "1"}}
    end = graph.invoke({"log": [], "seen": 0}, config)
    history = list(graph.get_state_history(config))
    chosen = data.draw(st.sampled_from(history))
    assert graph.invoke(None, chosen.config) == end
    for old in history:
        assert graph.get_state(old.config).values == old.values
