"""Who speaks when, and that a stop, a pause and a cut hold for sound as they do for words."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

import pytest

from zulong.output import Ending, GateState, OutputGate, Speaker, Spoken, Utterance
from zulong.output.speech import NoVoiceError, Sound

LIMIT_S = 30.0


class Tone:
    """An engine whose sound is a tenth of a second a word, and a loudspeaker that keeps what it plays."""

    def __init__(self) -> None:
        self.played: list[bytes] = []
        self.hushes = 0
        self.heard = threading.Condition()
        self.synthesised: list[str] = []

    def voice_for(self, language: str, voice: str) -> str:
        if voice == "none":
            raise NoVoiceError("no such voice")
        return language

    def synthesise(self, text: str, voice: str, rate: float, canceled: Callable[[], bool]) -> Sound | None:
        if canceled():
            return None
        self.synthesised.append(text)
        return Sound(bytes([len(self.synthesised)]) * (2 * 100 * len(text.split())), 1000)

    def play(self, pcm: bytes, rate_hz: int) -> None:
        with self.heard:
            self.played.append(pcm)
            self.heard.notify_all()

    def hush(self) -> None:
        self.hushes += 1

    def finish(self) -> None:
        pass

    def wait_for(self, pieces: int) -> None:
        with self.heard:
            assert self.heard.wait_for(lambda: len(self.played) >= pieces, LIMIT_S)


class Bench:
    def __init__(self) -> None:
        self.gate = OutputGate(lambda words: None)
        self.tone = Tone()
        self.speaker = Speaker(self.gate, self.tone, self.tone)

    def begin(self, utterance: Utterance) -> Callable[[], Spoken]:
        """Speak in a thread; the return value waits for the end."""
        ended: list[Spoken] = []
        thread = threading.Thread(target=lambda: ended.append(self.speaker.speak(utterance)), daemon=True)
        thread.start()

        def wait() -> Spoken:
            thread.join(LIMIT_S)
            assert ended, "the speech did not end"
            return ended[0]

        return wait

    def until(self, condition: Callable[[], object]) -> None:
        deadline = time.monotonic() + LIMIT_S
        while not condition():
            assert time.monotonic() < deadline
            time.sleep(0.005)


@pytest.fixture
def bench() -> Bench:
    return Bench()


def long(stream: str = "a", **options) -> Utterance:
    return Utterance("word " * 200, stream, **options)


@pytest.mark.feature("RB-08")
def test_everything_is_spoken_in_its_order_and_progress_never_falls(bench: Bench) -> None:
    told: list[tuple[str, float]] = []
    begun: list[str] = []
    spoken = bench.speaker.speak(
        Utterance("I go now. 我回来了。Good.", "a"),
        lambda sentence, language: begun.append(f"{language}:{sentence}"),
        lambda text, share: told.append((text, share)),
    )
    assert spoken.ending is Ending.SPOKEN
    assert spoken.text == "I go now. 我回来了。Good."
    assert begun == ["en:I go now.", "zh:我回来了。", "en:Good."]
    shares = [share for _, share in told]
    assert shares == sorted(shares)
    assert told[-1] == ("I go now. 我回来了。Good.", 1.0)
    assert spoken.duration_s == pytest.approx(0.5)
    assert sum(map(len, bench.tone.played)) == 2 * 100 * 5


def test_speech_takes_as_long_as_its_sound(bench: Bench) -> None:
    begun = time.monotonic()
    bench.speaker.speak(Utterance("one two three four", "a"))
    assert time.monotonic() - begun >= 0.39


@pytest.mark.parametrize(
    ("ending", "cut"),
    [
        (Ending.CANCELED, lambda bench, utterance: utterance.cut(Ending.CANCELED)),
        (Ending.STOPPED, lambda bench, utterance: bench.gate.stop()),
        (Ending.STOPPED, lambda bench, utterance: bench.gate.stop("a")),
        (Ending.INTERRUPTED, lambda bench, utterance: bench.speaker.cut_current(Ending.INTERRUPTED)),
    ],
)
def test_speech_is_cut_in_the_middle_of_a_sentence_and_no_sound_follows(bench: Bench, ending, cut) -> None:
    utterance = long()
    wait = bench.begin(utterance)
    bench.tone.wait_for(3)
    cut(bench, utterance)
    after = len(bench.tone.played)
    spoken = wait()
    assert spoken.ending is ending
    assert len(bench.tone.played) <= after + (
        ending is not Ending.STOPPED
    )  # under the gate's lock: none at all
    assert bench.tone.hushes == 1
    assert 0 < len(spoken.text) < len(utterance.text)
    assert spoken.duration_s < 20.0


def test_a_pause_holds_the_sound_and_resume_goes_on_where_it_was(bench: Bench) -> None:
    wait = bench.begin(Utterance("one two three four five six seven eight", "a"))
    bench.tone.wait_for(2)
    bench.gate.pause("a")
    held = len(bench.tone.played)
    time.sleep(0.3)
    assert len(bench.tone.played) == held
    bench.gate.resume("a")
    assert wait().ending is Ending.SPOKEN
    assert b"".join(bench.tone.played) == b"\x01" * 1600


def test_a_pause_can_be_canceled_and_stopped(bench: Bench) -> None:
    for end in ("cancel", "stop"):
        utterance = long(end)
        wait = bench.begin(utterance)
        bench.until(lambda: bench.speaker.speaking)
        bench.gate.pause(end) if end in bench.gate._streams else bench.gate.pause()
        utterance.cut(Ending.CANCELED) if end == "cancel" else bench.gate.stop(end)
        assert wait().ending is (Ending.CANCELED if end == "cancel" else Ending.STOPPED)
        bench.gate.resume()


def test_one_speaks_at_a_time_and_the_urgent_go_first(bench: Bench) -> None:
    first = long()
    waits = [bench.begin(first)]
    bench.tone.wait_for(1)
    for number, (words, urgent) in enumerate((("second", False), ("third", False), ("urgent", True))):
        waits.append(bench.begin(Utterance(words, words, urgent=urgent)))
        bench.until(lambda number=number: len(bench.speaker._waiting) == number + 1)
    gone = Utterance("gone", "gone", urgent=True)
    wait_gone = bench.begin(gone)
    gone.cut(Ending.CANCELED)
    assert wait_gone().ending is Ending.CANCELED
    first.cut(Ending.INTERRUPTED)
    assert [wait().ending for wait in waits] == [Ending.INTERRUPTED] + [Ending.SPOKEN] * 3
    assert bench.tone.synthesised[1:] == ["urgent", "second", "third"]


def test_what_was_cut_or_stopped_before_it_began_says_nothing(bench: Bench) -> None:
    early = long()
    early.cut(Ending.CANCELED)
    assert bench.speaker.speak(early) == Spoken(Ending.CANCELED, "", 0.0)
    bench.gate.stop()
    assert bench.speaker.speak(long("late")).ending is Ending.STOPPED
    assert bench.tone.played == []
    bench.gate.resume()
    assert bench.speaker.speak(Utterance("new", "new")).ending is Ending.SPOKEN


def test_a_stop_of_all_reaches_those_that_wait(bench: Bench) -> None:
    waits = [bench.begin(long(str(number))) for number in range(4)]
    bench.until(lambda: len(bench.speaker._waiting) == 3 and bench.speaker.speaking)
    bench.speaker.cut_all(Ending.STOPPED)
    assert [wait().ending for wait in waits] == [Ending.STOPPED] * 4
    assert not bench.speaker.speaking


def test_a_failure_gives_the_floor_back(bench: Bench) -> None:
    with pytest.raises(NoVoiceError):
        bench.speaker.speak(Utterance("words", "a", voice="none"))
    assert bench.speaker.speak(Utterance("words", "a")).ending is Ending.SPOKEN


def test_no_sound_passes_a_gate_that_is_being_stopped() -> None:
    gate = OutputGate(lambda words: None)
    passed: list[int] = []
    running = threading.Event()

    def pour() -> None:
        while gate.through("a", lambda: passed.append(1)) is GateState.FLOWING:
            running.set()

    thread = threading.Thread(target=pour, daemon=True)
    thread.start()
    assert running.wait(LIMIT_S)
    gate.stop()
    count = len(passed)
    thread.join(LIMIT_S)
    assert len(passed) == count
