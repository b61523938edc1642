from __future__ import annotations

import threading
import time

from zulong.agent.body_queue import BodyQueue

LIMIT_S = 10.0


def never() -> bool:
    return False


def test_one_holder_at_a_time_the_urgent_first_then_first_come() -> None:
    queue, order = BodyQueue(), []
    entered, release = threading.Event(), threading.Event()

    def hold() -> None:
        with queue.turn("first", 1, never):
            entered.set()
            release.wait(LIMIT_S)

    def use(name: str, priority: int) -> None:
        with queue.turn(name, priority, never) as taken:
            assert taken
            assert queue.holder == name
            order.append(name)

    holder = threading.Thread(target=hold)
    holder.start()
    assert entered.wait(LIMIT_S)
    waiters = []
    for number, (name, priority) in enumerate((("normal-1", 1), ("normal-2", 1), ("urgent", 3)), start=1):
        waiters.append(threading.Thread(target=use, args=(name, priority)))
        waiters[-1].start()
        deadline = time.monotonic() + LIMIT_S
        while len(queue._waiting) < number and time.monotonic() < deadline:
            time.sleep(0.001)
    assert queue.position("urgent") == 0
    assert queue.position("normal-2") == 2
    release.set()
    for thread in (holder, *waiters):
        thread.join(LIMIT_S)
    assert order == ["urgent", "normal-1", "normal-2"]
    assert queue.holder is None


def test_a_canceled_waiter_leaves_at_once_and_blocks_nobody() -> None:
    queue, canceled, left = BodyQueue(), threading.Event(), []

    def wait() -> None:
        with queue.turn("waiter", 1, canceled.is_set) as taken:
            left.append(taken)

    with queue.turn("holder", 1, never):
        waiter = threading.Thread(target=wait)
        waiter.start()
        begun = time.monotonic()
        canceled.set()
        queue.wake()
        waiter.join(LIMIT_S)
        assert time.monotonic() - begun < 5.0
        assert left == [False]
        assert queue.holder == "holder"
    with queue.turn("next", 1, never) as taken:
        assert taken


def test_an_error_inside_the_turn_gives_the_body_back() -> None:
    queue = BodyQueue()
    try:
        with queue.turn("a", 1, never):
            raise RuntimeError("the mission failed")
    except RuntimeError:
        pass
    assert queue.holder is None
