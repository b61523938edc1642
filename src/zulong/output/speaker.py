"""Speech on its way out: one utterance at a time, in real time, under the gate of the words."""

from __future__ import annotations

import itertools
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from enum import Enum
from typing import Protocol

from zulong.output.gate import GateState, OutputGate
from zulong.output.speech import Sound, SpeechEngine, sentences, spoken_language

PIECE_S = 0.05
LEAD_S = 0.15  # sound that is handed out before its time, so that a late thread makes no gap
_PAUSE_POLL_S = 0.05


class Ending(Enum):
    """How an utterance ended."""

    SPOKEN = "spoken"
    CANCELED = "canceled"
    STOPPED = "stopped"  # by the gate
    INTERRUPTED = "interrupted"  # by another utterance, an emergency, or a person who spoke


class Loudspeaker(Protocol):
    """Where sound goes. ``play`` is called under the gate's lock and must not wait."""

    def play(self, pcm: bytes, rate_hz: int) -> None:
        """Take signed 16-bit little-endian mono samples."""
        ...

    def hush(self) -> None:
        """Be silent at once."""
        ...

    def finish(self) -> None:
        """Play to the end what was taken."""
        ...


class Utterance:
    """What is to be spoken, with the latch that cuts it off. The first cut counts.

    Args:
        text: the words.
        language: ISO 639-1 code; empty: found sentence by sentence.
        voice: name of a voice; empty: the default of the language.
        rate: speed, 1.0 is the voice's own.
        stream_id: stream of the gate that it belongs to.
        urgent: goes before all that wait.
    """

    def __init__(
        self,
        text: str,
        stream_id: str,
        *,
        language: str = "",
        voice: str = "",
        rate: float = 1.0,
        urgent: bool = False,
    ) -> None:
        self.text = text
        self.stream_id = stream_id
        self.language = language
        self.voice = voice
        self.rate = rate
        self.urgent = urgent
        self._lock = threading.Lock()
        self._cut = threading.Event()
        self._ending = Ending.SPOKEN
        self._waker: Callable[[], None] | None = None

    @property
    def ending(self) -> Ending:
        """How it ended; SPOKEN as long as nothing cut it off."""
        return self._ending

    @property
    def is_cut(self) -> bool:
        """Whether it was cut off."""
        return self._cut.is_set()

    def cut(self, ending: Ending) -> None:
        """Cut it off; at any moment, also before it begins."""
        with self._lock:
            if self._cut.is_set():
                return
            self._ending = ending
            self._cut.set()
            waker = self._waker
        if waker is not None:
            waker()

    def wait(self, seconds: float) -> bool:
        """Wait until it is cut, at most so long; returns whether it is."""
        return self._cut.wait(max(0.0, seconds))

    def on_cut(self, waker: Callable[[], None]) -> None:
        """Call ``waker`` at the cut, or now if that was before."""
        with self._lock:
            if not self._cut.is_set():
                self._waker = waker
                return
        waker()


@dataclass(slots=True, frozen=True)
class Spoken:
    """What became of an utterance: the words that were spoken and the length of their sound in seconds."""

    ending: Ending
    text: str
    duration_s: float


class Speaker:
    """Gives the floor to one utterance after the other; urgent ones first, else in the order they came.

    Args:
        gate: STOP ends what is spoken, PAUSE holds it where it is, RESUME lets it go on.
        engine: makes the sound.
        loudspeaker: takes the sound.
    """

    def __init__(self, gate: OutputGate, engine: SpeechEngine, loudspeaker: Loudspeaker) -> None:
        self._gate = gate
        self._engine = engine
        self._loudspeaker = loudspeaker
        self._floor = threading.Condition()
        self._waiting: list[tuple[bool, int, Utterance]] = []
        self._numbers = itertools.count()
        self._current: Utterance | None = None

    def speak(
        self,
        utterance: Utterance,
        on_sentence: Callable[[str, str], None] = lambda sentence, language: None,
        on_progress: Callable[[str, float], None] = lambda text, share: None,
    ) -> Spoken:
        """Speak to the end or until it is cut; blocks the calling thread for as long as the sound lasts.

        Args:
            on_sentence: called with each sentence and its language right before its sound.
            on_progress: called with the words spoken so far (about) and the share of the whole, 0 to 1.

        Raises:
            SpeechError: the engine failed, or has no such voice.
            PlaybackError: the loudspeaker failed.
        """
        parts = sentences(utterance.text)
        said: list[str] = []
        played_s = 0.0
        whole = max(1, sum(map(len, parts)))
        with self._turn(utterance):
            try:
                for part in parts:
                    if not self._await_flow(utterance):
                        break
                    language = utterance.language or spoken_language(part)
                    voice = self._engine.voice_for(language, utterance.voice)
                    sound = self._engine.synthesise(part, voice, utterance.rate, lambda: utterance.is_cut)
                    if sound is None:
                        break
                    on_sentence(part, language)
                    before = sum(map(len, said))

                    def progress(share: float, part: str = part, before: int = before) -> None:
                        words = _share_of(part, share)
                        on_progress(_joined([*said, words]), (before + share * len(part)) / whole)

                    share, seconds = self._play(utterance, sound, progress)
                    played_s += seconds
                    said.append(part if share >= 1.0 else _share_of(part, share))
                    if utterance.is_cut:
                        break
            finally:
                self._loudspeaker.hush() if utterance.is_cut else self._loudspeaker.finish()
        return Spoken(utterance.ending, _joined(said), played_s)

    def cut_current(self, ending: Ending) -> bool:
        """Cut off what is being spoken; returns whether something was."""
        with self._floor:
            current = self._current
        if current is None:
            return False
        current.cut(ending)
        return True

    def cut_all(self, ending: Ending, stream_id: str = "") -> None:
        """Cut off what is spoken and what waits, of one stream or of all."""
        with self._floor:
            chosen = [each for _, _, each in self._waiting]
            if self._current is not None:
                chosen.append(self._current)
        for each in chosen:
            if not stream_id or each.stream_id == stream_id:
                each.cut(ending)

    @property
    def speaking(self) -> bool:
        """Whether something is being spoken."""
        return self._current is not None

    @contextmanager
    def _turn(self, utterance: Utterance) -> Iterator[None]:
        utterance.on_cut(self._wake)
        with self._floor:
            entry = (not utterance.urgent, next(self._numbers), utterance)
            self._waiting.append(entry)
            self._floor.wait_for(
                lambda: utterance.is_cut or (self._current is None and min(self._waiting)[:2] == entry[:2])
            )
            self._waiting.remove(entry)
            if not utterance.is_cut:
                self._current = utterance
            self._floor.notify_all()
        try:
            yield
        finally:
            with self._floor:
                if self._current is utterance:
                    self._current = None
                self._floor.notify_all()

    def _wake(self) -> None:
        with self._floor:
            self._floor.notify_all()

    def _await_flow(self, utterance: Utterance) -> bool:
        while not utterance.is_cut:
            state = self._gate.through(utterance.stream_id, lambda: None)
            if state is GateState.FLOWING:
                return True
            if state is GateState.STOPPED:
                utterance.cut(Ending.STOPPED)
            else:
                utterance.wait(_PAUSE_POLL_S)
        return False

    def _play(
        self, utterance: Utterance, sound: Sound, progress: Callable[[float], None]
    ) -> tuple[float, float]:
        """Hand the sound out in real time; returns the share (0 to 1) and the seconds of it that went out."""
        begun, sent_s, total_s, paused_at = time.monotonic(), 0.0, sound.duration_s, -1.0
        for piece in sound.pieces(PIECE_S):
            while (state := self._offer(utterance, piece, sound.rate_hz)) is GateState.PAUSED:
                paused_at = sent_s
                if utterance.wait(_PAUSE_POLL_S):
                    break
            if utterance.is_cut or state is not GateState.FLOWING:
                break
            if paused_at == sent_s:  # the clock of this sound stood still
                begun = time.monotonic() - sent_s
            sent_s = min(total_s, sent_s + PIECE_S)
            progress(sent_s / total_s)
            if utterance.wait(sent_s - (time.monotonic() - begun) - LEAD_S):
                break
        else:
            utterance.wait(total_s - (time.monotonic() - begun))
        return (sent_s / total_s if total_s else 1.0), sent_s

    def _offer(self, utterance: Utterance, piece: bytes, rate_hz: int) -> GateState:
        def out() -> None:
            if not utterance.is_cut:
                self._loudspeaker.play(piece, rate_hz)

        state = self._gate.through(utterance.stream_id, out)
        if state is GateState.STOPPED:
            utterance.cut(Ending.STOPPED)
        return state


def _share_of(text: str, share: float) -> str:
    """Return about the first ``share`` of a text, whole words only."""
    if share >= 1.0:
        return text
    end = int(share * len(text))
    if text.isascii() and end < len(text) and text[end] != " ":
        end = max(text.rfind(" ", 0, end), 0)
    return text[:end].rstrip()


def _joined(parts: list[str]) -> str:
    """Join sentences; Chinese ones stand together without a space."""
    text = ""
    for part in parts:
        gap = " " if text and part and text[-1].isascii() else ""
        text += gap + part
    return text
