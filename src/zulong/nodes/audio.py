"""L1-D as a node: AudioChunk in, voice activity out; the utterances that it cuts are what a recogniser gets."""

from __future__ import annotations

import json
import time
from typing import ClassVar

from std_msgs.msg import Bool

from zulong.audio import (
    AudioFormatError,
    FrameStream,
    UtteranceSegmenter,
    VoiceActivityUnavailableError,
    VoiceEvent,
    silero_scorer,
)
from zulong.msg import AudioChunk, Event
from zulong.nodes import names, qos
from zulong.nodes.base import ConfigurationError, Health, Level, Parameter, ZulongNode
from zulong.nodes.base import main as run_node


class AudioNode(ZulongNode):
    """Publishes ``voice_activity`` (Bool) and the events speech.started and speech.ended."""

    parameters: ClassVar[tuple[Parameter, ...]] = (
        Parameter(
            "begin_probability",
            0.5,
            "Speech probability that begins an utterance.",
            "",
            0.05,
            0.99,
            read_only=True,
        ),
        Parameter(
            "end_probability",
            0.35,
            "Speech probability below which silence counts.",
            "",
            0.01,
            0.98,
            read_only=True,
        ),
        Parameter("hang_s", 0.6, "Silence that ends an utterance.", "s", 0.1, 5.0, read_only=True),
        Parameter(
            "silence_s",
            1.0,
            "Without any sound for so long, an open utterance ends.",
            "s",
            0.2,
            10.0,
            read_only=True,
        ),
    )

    def __init__(self) -> None:
        super().__init__("audio")

    def setup(self) -> None:
        """Load the voice activity model."""
        try:
            scorer = silero_scorer()
            self._segmenter = UtteranceSegmenter(
                scorer,
                self.param("begin_probability"),
                self.param("end_probability"),
                hang_s=self.param("hang_s"),
            )
        except (VoiceActivityUnavailableError, ValueError) as error:
            raise ConfigurationError(str(error)) from error
        self._frames = FrameStream()
        self._sequence: int | None = None
        self._heard_s = float("-inf")
        self._lost = 0
        self._utterances = 0
        self._refused = ""
        self._voice = self.create_publisher(Bool, names.VOICE_ACTIVITY, qos.latched())
        self._bus = self.create_publisher(Event, names.EVENTS, qos.event())
        self.subscribe(AudioChunk, names.AUDIO_IN, self._on_sound, qos.stream())
        self.every(0.2, self._end_at_silence, "silence")

    def start(self) -> None:
        """Say that nobody speaks yet."""
        self._voice.publish(Bool(data=False))

    def health(self) -> Health:
        """Tell what is heard."""
        values: dict[str, str | float | int | bool] = {
            "speech_probability": round(self._segmenter.probability, 3),
            "utterances": self._utterances,
            "lost_chunks": self._lost,
        }
        if self._refused:
            return Health(Level.ERROR, self._refused, values)
        if time.monotonic() - self._heard_s > 5.0:
            return Health(Level.OK, "No sound comes.", values)
        return Health(Level.OK, "Speech." if self._segmenter.speaking else "Listening.", values)

    def _on_sound(self, chunk: AudioChunk) -> None:
        if self._sequence is not None and chunk.sequence != (self._sequence + 1) % 2**32:
            self._lost += 1
            self._frames.reset()
        self._sequence = chunk.sequence
        self._heard_s = time.monotonic()
        try:
            frames = list(
                self._frames.push(bytes(chunk.data), chunk.encoding, chunk.sample_rate, chunk.channels)
            )
        except AudioFormatError as error:
            self._refused = str(error)
            return
        self._refused = ""
        for frame in frames:
            event = self._segmenter.push(frame)
            if event is not None:
                self._tell(event)

    def _end_at_silence(self) -> None:
        if self._segmenter.speaking and time.monotonic() - self._heard_s > self.param("silence_s"):
            event = self._segmenter.flush()
            if event is not None:
                self._tell(event)

    def _tell(self, event: VoiceEvent) -> None:
        self._voice.publish(Bool(data=event.speaking))
        stamp = self.get_clock().now().to_msg()
        self._utterances += not event.speaking
        self._bus.publish(
            Event(
                stamp=stamp,
                id=f"speech-{stamp.sec}.{stamp.nanosec:09d}",
                source=self.get_fully_qualified_name(),
                type="speech.started" if event.speaking else "speech.ended",
                priority=Event.PRIORITY_HIGH,
                payload_json=json.dumps({"duration_s": round(event.duration_s, 3)}),
            )
        )


def main(argv: list[str] | None = None) -> int:
    """Run the node."""
    return run_node(AudioNode, argv)


if __name__ == "__main__":
    raise SystemExit(main())
