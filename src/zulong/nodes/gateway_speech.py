"""Speech out of the gateway: the action ``say``, the words that are to be spoken aloud, and the emergency's words."""

from __future__ import annotations

import array
import math
import queue
import threading
from collections import OrderedDict
from collections.abc import Callable
from typing import Any

from zulong.action import Say
from zulong.msg import AudioChunk, TextChunk
from zulong.nodes import names, qos
from zulong.nodes.actions import Goal
from zulong.nodes.stamps import to_duration
from zulong.output import Ending, OutputGate, Speaker, Utterance
from zulong.output.playback import AlsaPlayer, PlaybackError
from zulong.output.speech import (
    FASTEST,
    SLOWEST,
    NoVoiceError,
    SpeechEngine,
    SpeechError,
    sentences,
    speakable,
    spoken_language,
)

_MOST_GOALS = 32
_MOST_SENTENCES = 200
_MOST_STREAMS = 1000
_FEEDBACK_SHARE = 0.02
_FRAME = "loudspeaker"
_RESULT = Say.Result
_ENDINGS = {
    Ending.SPOKEN: (_RESULT.SUCCEEDED, ""),
    Ending.CANCELED: (_RESULT.CANCELED, "The speech was canceled."),
    Ending.STOPPED: (
        _RESULT.CANCELED,
        "The output was stopped; control_output RESUME lets new streams speak again.",
    ),
    Ending.INTERRUPTED: (_RESULT.INTERRUPTED, "Somebody or something more urgent cut the speech off."),
}


class _Out:
    """The topic ``audio/output``, and the sound device where one is named."""

    def __init__(self, node: Any, device: str) -> None:
        self._node = node
        self._topic = node.create_publisher(AudioChunk, names.AUDIO_OUT, qos.stream())
        self._player = AlsaPlayer(device) if device else None
        self._sequence = 0

    @property
    def audible(self) -> bool:
        """Whether anybody can hear it."""
        return self._player is not None or self._topic.get_subscription_count() > 0

    def play(self, pcm: bytes, rate_hz: int) -> None:
        chunk = AudioChunk(sequence=self._sequence, sample_rate=rate_hz, data=array.array("B", pcm))
        chunk.header.stamp = self._node.get_clock().now().to_msg()
        chunk.header.frame_id = _FRAME
        self._sequence = (self._sequence + 1) % 2**32
        self._topic.publish(chunk)
        if self._player is not None:
            self._player.play(pcm, rate_hz)

    def hush(self) -> None:
        if self._player is not None:
            self._player.hush()

    def finish(self) -> None:
        if self._player is not None:
            self._player.finish()


class Speech:
    """Everything that the gateway speaks.

    Args:
        node: offers the action.
        gate: the gate of all words.
        put_out: sends a chunk of text through the gate.
        engine: makes the sound.
        device: ALSA device; empty: the topic alone.
        longest_text: most characters of a goal.
        aloud: whether words that ask for it are spoken without a goal.
    """

    def __init__(
        self,
        node: Any,
        gate: OutputGate,
        put_out: Callable[[TextChunk], None],
        engine: SpeechEngine,
        *,
        device: str,
        longest_text: int,
        aloud: bool,
    ) -> None:
        self._node = node
        self._put_out = put_out
        self._engine = engine
        self._longest_text = longest_text
        self._aloud = aloud
        self._out = _Out(node, device)
        self.speaker = Speaker(gate, engine, self._out)
        self.fault = ""
        self._announced = 0
        self._pending: OrderedDict[str, str] = OrderedDict()
        self._sentences: queue.Queue[Utterance | None] = queue.Queue(_MOST_SENTENCES)
        self._reader = threading.Thread(target=self._read_out, name="gateway.reader", daemon=True)
        self._reader.start()
        node.serve_goals(Say, names.SAY, self._say, max_goals=_MOST_GOALS)

    def close(self) -> None:
        """Fall silent and end the thread."""
        self.stop()
        try:
            self._sentences.put_nowait(None)
        except queue.Full:  # words still come in; the thread is a daemon and has nothing to lose
            pass
        self._reader.join(0.5)

    def stop(self, stream_id: str = "") -> None:
        """End what is spoken and what waits, of one stream or of all; the gate is to be stopped before."""
        if stream_id:
            self._pending.pop(stream_id, None)
        else:
            self._pending.clear()
            self._drop_waiting()
        self.speaker.cut_all(Ending.STOPPED, stream_id)

    def barge_in(self) -> None:
        """A person speaks: be silent."""
        if self.speaker.cut_current(Ending.INTERRUPTED):
            self._drop_waiting()

    def emergency(self, text: str) -> None:
        """Cut off what is spoken; these words go out and are spoken before all others."""
        self.speaker.cut_current(Ending.INTERRUPTED)
        self._announced += 1
        stream_id = f"emergency-{self._announced}"
        self._put_out(self._chunk(stream_id, 0, text, "", kind=TextChunk.KIND_ERROR, is_final=True))
        if self._aloud and self._out.audible:
            spoken = Utterance(text, stream_id, urgent=True)
            threading.Thread(target=self._speak_aside, args=(spoken,), name=stream_id, daemon=True).start()

    # --- words that are to be spoken aloud ------------------------------------------------------------------

    def on_words(self, chunk: TextChunk) -> None:
        """Take words that have just gone out; must not wait, for it is called under the gate's lock."""
        if not (self._aloud and chunk.speak) or chunk.kind == TextChunk.KIND_STATUS:
            return
        if not self._out.audible:
            self._pending.clear()
            return
        text = self._pending.pop(chunk.stream_id, "") + chunk.text
        found = sentences(text)
        if not chunk.is_final:
            # The last sentence may go on in the next chunk.
            rest = found.pop() if found else text
            self._pending[chunk.stream_id] = rest + (" " if text[-1:].isspace() else "")
            while len(self._pending) > _MOST_STREAMS:
                self._pending.popitem(last=False)
        for sentence in found:
            try:
                self._sentences.put_nowait(Utterance(sentence, chunk.stream_id, language=chunk.language))
            except queue.Full:
                self.fault = "More words come than can be spoken; some are only written."
                return

    def _read_out(self) -> None:
        while (utterance := self._sentences.get()) is not None:
            self._speak_aside(utterance)

    def _speak_aside(self, utterance: Utterance) -> None:
        """Speak what nobody waits for; what fails is told in the diagnostics."""
        try:
            self.speaker.speak(utterance)
            self.fault = ""
        except (SpeechError, PlaybackError) as error:
            self.fault = str(error)
        except Exception as error:
            self._node.note_fault("speech", error)

    def _drop_waiting(self) -> None:
        try:
            while self._sentences.get_nowait() is not None:
                pass
            self._sentences.put_nowait(None)  # the sign to end was among them
        except queue.Empty:
            return

    # --- the action -----------------------------------------------------------------------------------------

    def _say(self, goal: Goal) -> Say.Result:
        request: Say.Goal = goal.request
        problem = self._problem(request)
        if problem:
            return _RESULT(error_code=_RESULT.INVALID_TEXT, error_msg=problem)
        teller = _Teller(self, goal)
        utterance = Utterance(
            request.text,
            teller.stream_id,
            language=request.language.strip(),
            voice=request.voice.strip(),
            rate=float(request.rate),
            urgent=bool(request.interrupt),
        )
        goal.on_cancel(lambda: utterance.cut(Ending.CANCELED))
        try:
            self._engine.voice_for(utterance.language or spoken_language(request.text), utterance.voice)
            if request.interrupt:
                self.speaker.cut_current(Ending.INTERRUPTED)
            spoken = self.speaker.speak(utterance, teller.sentence, teller.progress)
        except (SpeechError, PlaybackError) as error:
            teller.write_rest()
            code = _RESULT.UNAVAILABLE if isinstance(error, PlaybackError) else _RESULT.INTERNAL
            code = _RESULT.NO_VOICE if isinstance(error, NoVoiceError) else code
            return _RESULT(error_code=code, error_msg=f"{error} The words went out as text.")
        teller.end()
        code, sentence = _ENDINGS[spoken.ending]
        return _RESULT(
            error_code=code,
            error_msg=sentence,
            spoken_text=spoken.text,
            duration=to_duration(spoken.duration_s),
        )

    def _problem(self, request: Say.Goal) -> str:
        if len(request.text) > self._longest_text:
            return (
                f"text has {len(request.text)} characters; at most {self._longest_text} are spoken at once."
            )
        if not speakable(request.text):
            return "text holds nothing that can be spoken."
        if not math.isfinite(request.rate) or not SLOWEST <= request.rate <= FASTEST:
            return f"rate {request.rate:g} is outside {SLOWEST:g} to {FASTEST:g}."
        return ""

    def _chunk(
        self, stream_id: str, sequence: int, text: str, language: str, *, kind: int, is_final: bool
    ) -> TextChunk:
        return TextChunk(
            stamp=self._node.get_clock().now().to_msg(),
            stream_id=stream_id,
            sequence=sequence,
            text=text,
            language=language or spoken_language(text),
            kind=kind,
            speak=False,  # it is spoken already
            is_final=is_final,
        )


class _Teller:
    """A goal's feedback, and its words as text unless they belong to a stream that wrote them already."""

    def __init__(self, speech: Speech, goal: Goal) -> None:
        self._speech = speech
        self._goal = goal
        self._writes = not goal.request.stream_id
        self.stream_id: str = goal.request.stream_id or f"say-{goal.id}"
        self._rest = sentences(goal.request.text)
        self._sequence = 0
        self._told = -1.0

    def sentence(self, sentence: str, language: str) -> None:
        """Write the sentence that is spoken next."""
        self._rest = self._rest[1:]
        gap = " " if self._rest and sentence[-1:].isascii() else ""
        self._write(sentence + gap, language, is_final=not self._rest)

    def progress(self, text: str, share: float) -> None:
        """Send feedback, at most fifty times an utterance."""
        if share >= 1.0 or share - self._told >= _FEEDBACK_SHARE:
            self._told = share
            self._goal.publish(Say.Feedback(spoken_text=text, progress=share))

    def write_rest(self) -> None:
        """Write what could not be spoken."""
        if self._rest:
            self._write(" ".join(self._rest), "", is_final=True)
            self._rest = []

    def end(self) -> None:
        """End the stream where the speech was cut off."""
        if self._rest and self._sequence:
            self._write("", "", is_final=True)

    def _write(self, text: str, language: str, *, is_final: bool) -> None:
        if not self._writes:
            return
        chunk = self._speech._chunk(
            self.stream_id, self._sequence, text, language, kind=TextChunk.KIND_TOKEN, is_final=is_final
        )
        self._sequence += 1
        self._speech._put_out(chunk)
