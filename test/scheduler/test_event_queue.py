from __future__ import annotations

import threading
import time
from collections import deque

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zulong.scheduler import Event, EventQueue, Priority


def event(number: int, priority: Priority = Priority.NORMAL, expires: float = float("inf")) -> Event:
    return Event(str(number), "test", "thing", priority, expires_s=expires)


@pytest.mark.feature("RB-04")
@given(
    st.lists(st.tuples(st.sampled_from(["put", "take"]), st.sampled_from(list(Priority)), st.integers(1, 20)))
)
def test_queue_behaves_like_four_lanes(steps) -> None:
    queue = EventQueue(capacity=10_000, critical_capacity=10_000)
    lanes: dict[Priority, deque[Event]] = {p: deque() for p in Priority}
    now = 0.0
    for number, (what, priority, ttl) in enumerate(steps):
        now += 1.0
        if what == "put":
            made = event(number, priority, now + ttl)
            assert queue.put(made, now)
            lanes[priority].append(made)
            continue
        expected = None
        for lane in (lanes[p] for p in sorted(Priority, reverse=True)):
            while lane and expected is None:
                head = lane.popleft()
                expected = head if head.expires_s > now else None
            if expected:
                break
        assert queue.take(now) == expected


@pytest.mark.feature("RB-04")
def test_full_queue_displaces_the_oldest_lowest_and_never_its_own_rank() -> None:
    queue = EventQueue(capacity=2)
    assert queue.put(event(1, Priority.LOW), 0.0)
    assert queue.put(event(2, Priority.NORMAL), 0.0)
    assert queue.put(event(3, Priority.HIGH), 0.0)
    assert not queue.put(event(4, Priority.LOW), 0.0)
    assert queue.put(event(5, Priority.HIGH), 0.0)
    assert not queue.put(event(6, Priority.HIGH), 0.0)
    assert queue.put(event(7, Priority.CRITICAL), 0.0), "a stop has a place of its own"
    assert [queue.take(0.0).id for _ in range(3)] == ["7", "3", "5"]
    assert (queue.counts.displaced, queue.counts.refused) == (2, 2)


@pytest.mark.feature("RB-04")
def test_expired_events_make_room_before_live_ones_are_displaced() -> None:
    queue = EventQueue(capacity=2)
    queue.put(event(1, Priority.NORMAL, expires=1.0), 0.0)
    queue.put(event(2, Priority.LOW), 0.0)
    assert queue.put(event(3, Priority.NORMAL), 2.0)
    assert [queue.take(2.0).id for _ in range(2)] == ["3", "2"]


def test_wait_returns_at_once_on_an_event_and_in_time_without() -> None:
    queue = EventQueue()
    started = time.monotonic()
    assert not queue.wait(0.2)
    assert 0.15 < time.monotonic() - started < 5.0
    threading.Timer(0.05, lambda: queue.put(event(1), 0.0)).start()
    assert queue.wait(10.0)
    queue.take(0.0)
    threading.Timer(0.05, queue.close).start()
    assert not queue.wait(10.0)
    assert time.monotonic() - started < 9.0
