from __future__ import annotations

import threading

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zulong.output import GateState, OutputGate, Words
from zulong.output.gate import UnknownStreamError


def gate() -> tuple[OutputGate, list[str]]:
    out: list[str] = []
    return OutputGate(lambda words: out.append(f"{words.stream_id}{words.sequence}")), out


@pytest.mark.feature("RB-14")
def test_after_stop_not_one_more_token_leaves_from_any_thread() -> None:
    out: list[int] = []
    built = OutputGate(lambda words: out.append(words.sequence))
    started = threading.Event()

    def speak() -> None:
        for number in range(200_000):
            built.push(Words("a", number, "x"))
            if number == 100:
                started.set()

    speaker = threading.Thread(target=speak)
    speaker.start()
    started.wait(10.0)
    built.stop()
    left = len(out)
    speaker.join()
    assert len(out) == left


@pytest.mark.feature("RB-14")
def test_stop_is_latched_for_new_streams_until_resume_and_old_ones_stay_stopped() -> None:
    built, out = gate()
    built.push(Words("a", 0, ""))
    built.stop()
    assert built.state is GateState.STOPPED
    assert not built.push(Words("b", 0, ""))
    built.pause()
    assert built.state is GateState.STOPPED
    built.resume()
    assert not built.push(Words("a", 1, ""))
    assert not built.push(Words("b", 1, ""))
    assert built.push(Words("c", 0, ""))
    assert out == ["a0", "c0"]


@pytest.mark.feature("RB-14")
def test_pause_loses_nothing_and_resume_replays_nothing_twice() -> None:
    built, out = gate()
    built.push(Words("a", 0, ""))
    built.pause()
    built.push(Words("a", 1, ""))
    built.push(Words("a", 1, ""))
    built.push(Words("b", 0, ""))
    assert out == ["a0"]
    built.resume()
    built.resume()
    assert not built.push(Words("a", 1, ""))
    built.push(Words("a", 2, ""))
    assert out == ["a0", "a1", "b0", "a2"]


@pytest.mark.feature("RB-14")
def test_one_stream_alone_can_be_held_or_stopped() -> None:
    built, out = gate()
    for name in "ab":
        built.push(Words(name, 0, ""))
    built.pause("a")
    built.push(Words("a", 1, ""))
    built.push(Words("b", 1, ""))
    assert built.stop("a") == 1
    assert built.state is GateState.FLOWING
    built.resume("a")
    assert out == ["a0", "b0", "b1"]
    with pytest.raises(UnknownStreamError, match="No stream 'zz'"):
        built.stop("zz")


def test_a_pause_that_overflows_stops_the_stream_instead_of_cutting_its_middle() -> None:
    out: list[int] = []
    built = OutputGate(lambda words: out.append(words.sequence), most_held=2)
    built.pause()
    assert [built.push(Words("a", n, "")) for n in range(4)] == [True, True, False, False]
    built.resume()
    assert out == []


@given(st.lists(st.sampled_from(["push", "stop", "pause", "resume"]), max_size=40))
def test_emitted_is_always_ordered_and_once(steps) -> None:
    out: list[int] = []
    built = OutputGate(lambda words: out.append(words.sequence))
    number = 0
    for step in steps:
        if step == "push":
            built.push(Words("a", number, ""))
            number += 1
        else:
            getattr(built, step)()
    assert out == sorted(set(out))
