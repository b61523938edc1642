"""The output gateway as a node: every word and sound that leaves the robot passes here; a stop closes it at once."""

from __future__ import annotations

import time
from typing import ClassVar

from std_msgs.msg import Bool

from zulong.msg import Event, SafetyState, TextChunk
from zulong.nodes import names, qos
from zulong.nodes.base import Health, Level, Parameter, ZulongNode
from zulong.nodes.base import main as run_node
from zulong.nodes.gateway_speech import Speech
from zulong.output import GateState, OutputGate, Words
from zulong.output.gate import UnknownStreamError
from zulong.output.speech import EspeakEngine
from zulong.srv import ControlOutput


class GatewayNode(ZulongNode):
    """TextChunk in on ``output/input``, out on ``output/text`` and as sound, under the service ``control_output``."""

    parameters: ClassVar[tuple[Parameter, ...]] = (
        Parameter(
            "most_held",
            10_000,
            "Pieces that a pause holds back per stream.",
            "",
            1,
            1_000_000,
            read_only=True,
        ),
        Parameter(
            "speak",
            True,
            "Whether words that ask for it are spoken aloud, where somebody can hear it.",
            read_only=True,
        ),
        Parameter(
            "sound_device",
            "",
            "ALSA device that plays the speech (aplay -L lists them); empty: the topic audio/output alone.",
            read_only=True,
        ),
        Parameter("longest_text", 5000, "Most characters of one say goal.", "", 1, 100_000, read_only=True),
        Parameter(
            "barge_in",
            False,
            "Whether a voice that is heard cuts the speech off; the microphone must not hear the loudspeaker.",
        ),
    )

    def __init__(self) -> None:
        super().__init__("gateway")

    def setup(self) -> None:
        """Make the gate between the topics, and the voice behind it."""
        self._emitted = 0
        self._dropped = 0
        self._latched = False
        self._gate = OutputGate(self._emit, most_held=self.param("most_held"))
        self._out = self.create_publisher(TextChunk, names.TEXT_OUT, qos.stream())
        self._speech = Speech(
            self,
            self._gate,
            self._on_text,
            EspeakEngine(),
            device=self.param("sound_device"),
            longest_text=self.param("longest_text"),
            aloud=self.param("speak"),
        )
        self.subscribe(TextChunk, names.TEXT_IN, self._on_text, qos.stream())
        self.subscribe(Event, names.EVENTS_ORDERED, self._on_event, qos.event())
        self.subscribe(SafetyState, names.SAFETY_STATE, self._on_safety, qos.latched())
        self.subscribe(Bool, names.VOICE_ACTIVITY, self._on_voice, qos.latched())
        self.serve(ControlOutput, names.CONTROL_OUTPUT, self._control)

    def stop(self) -> None:
        """No word leaves while the node is not active."""
        self._stop("")

    def start(self) -> None:
        """Words flow again."""
        self._gate.resume()

    def teardown(self) -> None:
        """End the voice's thread."""
        speech = getattr(self, "_speech", None)
        if speech is not None:
            speech.close()

    def health(self) -> Health:
        """Tell what holds."""
        values: dict[str, str | float | int | bool] = {
            "emitted": self._emitted,
            "dropped": self._dropped,
            "held": self._gate.held,
            "speaking": self._speech.speaker.speaking,
        }
        if self._speech.fault:
            return Health(Level.WARN, self._speech.fault, values)
        return Health(message=f"Words are {self._gate.state.name.lower()}.", values=values)

    def _on_text(self, chunk: TextChunk) -> None:
        words = Words(chunk.stream_id, chunk.sequence, chunk.text, chunk.is_final, chunk)
        if not self._gate.push(words):
            self._dropped += 1

    def _emit(self, words: Words) -> None:
        self._out.publish(words.source)
        self._emitted += 1
        self._speech.on_words(words.source)

    def _on_event(self, event: Event) -> None:
        if event.type == "control.stop":
            self._stop("")

    def _on_safety(self, state: SafetyState) -> None:
        begins = state.latched and not self._latched
        self._latched = state.latched
        if begins:
            causes = "; ".join(state.causes)
            self._speech.emergency(f"Emergency stop: {causes}." if causes else "Emergency stop.")

    def _on_voice(self, message: Bool) -> None:
        if message.data and self.param("barge_in"):
            self._speech.barge_in()

    def _stop(self, stream_id: str) -> int:
        dropped = self._gate.stop(stream_id)
        self._speech.stop(stream_id)
        self._dropped += dropped
        return dropped

    def _control(
        self, request: ControlOutput.Request, response: ControlOutput.Response
    ) -> ControlOutput.Response:
        begun = time.monotonic()
        try:
            if request.command == ControlOutput.Request.STOP:
                response.dropped = self._stop(request.stream_id)
            elif request.command == ControlOutput.Request.PAUSE:
                self._gate.pause(request.stream_id)
            elif request.command == ControlOutput.Request.RESUME:
                self._gate.resume(request.stream_id)
            else:
                response.error_code = ControlOutput.Response.INVALID_REQUEST
                response.error_msg = f"Command {request.command} is none of STOP (0), PAUSE (1), RESUME (2)."
        except UnknownStreamError as error:
            response.error_code = ControlOutput.Response.UNKNOWN_STREAM
            response.error_msg = str(error)
        response.state = int(GateState(self._gate.state))
        response.elapsed_s = time.monotonic() - begun
        return response


def main(argv: list[str] | None = None) -> int:
    """Run the node."""
    return run_node(GatewayNode, argv)


if __name__ == "__main__":
    raise SystemExit(main())
