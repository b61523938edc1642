"""The plain parts under the node base: watchdog, worker, figures, parameters, table of nodes."""

from __future__ import annotations

import threading
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zulong.nodes.diagnostics import Latency, Period
from zulong.nodes.parameters import Parameter, documentation
from zulong.nodes.table import NODES, UnknownNodeError, selection
from zulong.nodes.watchdog import Watchdog
from zulong.nodes.workers import Worker, WorkerClosedError, WorkerFullError


class Clock:
    now = 100.0

    def __call__(self) -> float:
        return self.now


def test_a_watchdog_expires_when_nothing_ever_came():
    clock = Clock()
    dog = Watchdog(0.2, clock)
    assert not dog.expired()
    clock.now += 0.21
    assert dog.expired()
    assert not dog.ever_fed


@given(st.lists(st.floats(min_value=0.0, max_value=1.0), min_size=1, max_size=20))
def test_a_watchdog_is_expired_exactly_when_the_newest_gap_is_too_long(gaps):
    clock = Clock()
    dog = Watchdog(0.5, clock)
    for gap in gaps:
        clock.now += gap
        assert dog.expired() == (dog.silence_s() > 0.5)
        dog.feed()
        assert not dog.expired()


def test_an_armed_watchdog_counts_anew_and_a_timeout_of_zero_is_refused():
    clock = Clock()
    dog = Watchdog(1.0, clock)
    dog.feed()
    clock.now += 5.0
    dog.arm()
    assert not dog.expired()
    with pytest.raises(ValueError, match="above 0"):
        Watchdog(0.0)


def test_a_worker_runs_in_order_and_hands_back_results_and_errors():
    worker = Worker("test")
    order: list[int] = []
    futures = [worker.submit(order.append, number) for number in range(20)]
    broken = worker.submit(lambda: 1 / 0)
    for future in futures:
        future.result(5.0)
    assert order == list(range(20))
    with pytest.raises(ZeroDivisionError):
        broken.result(5.0)
    assert worker.close()
    with pytest.raises(WorkerClosedError):
        worker.submit(print)


def test_a_full_worker_refuses_or_drops_its_oldest():
    gate = threading.Event()
    strict = Worker("strict", depth=1)
    strict.submit(gate.wait, 5.0)
    time.sleep(0.05)
    strict.submit(print)
    with pytest.raises(WorkerFullError):
        strict.submit(print)
    newest = Worker("newest", depth=1, newest_only=True)
    newest.submit(gate.wait, 5.0)
    time.sleep(0.05)
    old = newest.submit(lambda: "old")
    new = newest.submit(lambda: "new")
    gate.set()
    assert new.result(5.0) == "new"
    assert old.cancelled()
    assert strict.close()
    assert newest.close()


def test_closing_a_worker_does_not_wait_for_a_call_that_hangs():
    worker = Worker("hangs")
    release = threading.Event()
    begins = threading.Event()
    worker.submit(lambda: (begins.set(), release.wait(30.0)))
    waiting = worker.submit(print)
    assert begins.wait(5.0)
    begun = time.monotonic()
    assert not worker.close(timeout_s=0.2)
    assert time.monotonic() - begun < 2.0
    assert waiting.cancelled()
    release.set()


def test_a_period_counts_late_ticks_and_forgives_a_pause_on_purpose():
    rhythm = Period(0.1)
    for now in (0.0, 0.1, 0.2, 0.5, 0.6):
        rhythm.tick(now)
    assert rhythm.misses == 1
    rhythm.reset()
    rhythm.tick(10.0)
    rhythm.tick(10.1)
    assert rhythm.misses == 1
    assert rhythm.figures()["max_ms"] == pytest.approx(300.0)


def test_latency_figures_are_those_of_the_window_and_the_worst_ever():
    latency = Latency()
    assert latency.figures() == {"count": 0}
    for number in range(1000):
        latency.note(number * 1e-3)
    figures = latency.figures()
    assert figures["count"] == 1000
    assert figures["max_ms"] == 999.0
    assert 744.0 <= figures["p50_ms"] <= 999.0


@pytest.mark.parametrize(
    ("parameter", "good", "bad"),
    [
        (Parameter("a", 1.0, "x", minimum=0.0, maximum=2.0), 2.0, 2.1),
        (Parameter("a", 1, "x", minimum=1), 5, 0),
        (Parameter("a", "u", "x", choices=("u", "v")), "v", "w"),
        (Parameter("a", [1.0], "x", maximum=3.0), [1.0, 3.0], [1.0, 4.0]),
        (Parameter("a", 1.0, "x"), -1e9, float("inf")),
        (Parameter("a", "", "x", check=lambda v: None if len(v) < 3 else "too long"), "ab", "abc"),
    ],
)
def test_a_parameter_judges_its_values(parameter, good, bad):
    assert parameter.problem(good) is None
    assert parameter.problem(bad)


def test_the_documentation_of_parameters_comes_from_the_table():
    text = documentation(
        [Parameter("stop_m", 0.3, "Stops nearer than this.", unit="m", minimum=0.0, read_only=True)]
    )
    assert "| `stop_m` | float | `0.3` m | 0 to inf m | Stops nearer than this. (fixed at start) |" in text


def test_the_table_brings_reflex_and_safety_up_before_all_that_moves():
    order = [spec.name for spec in selection()]
    assert order.index("reflex") < order.index("experts")
    assert order.index("safety") < order.index("planner")
    assert len(set(order)) == len(NODES)
    assert "sim" not in [spec.name for spec in selection(simulated=False)]
    assert [spec.name for spec in selection(only=("planner", "reflex"))] == ["reflex", "planner"]
    with pytest.raises(UnknownNodeError, match="planer"):
        selection(only=("planer",))
