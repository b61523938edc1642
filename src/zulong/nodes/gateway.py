"""The output gateway as a node: every word that leaves the robot passes here, and a stop closes it at once."""

from __future__ import annotations

import time
from typing import ClassVar

from zulong.msg import Event, TextChunk
from zulong.nodes import names, qos
from zulong.nodes.base import Health, Parameter, ZulongNode
from zulong.nodes.base import main as run_node
from zulong.output import GateState, OutputGate, Words
from zulong.output.gate import UnknownStreamError
from zulong.srv import ControlOutput


class GatewayNode(ZulongNode):
    """TextChunk in on ``output/input``, out on ``output/text``, under the service ``control_output``."""

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
    )

    def __init__(self) -> None:
        super().__init__("gateway")

    def setup(self) -> None:
        """Make the gate between the two topics."""
        self._chunks: dict[tuple[str, int], TextChunk] = {}
        self._emitted = 0
        self._dropped = 0
        self._gate = OutputGate(self._emit, most_held=self.param("most_held"))
        self._out = self.create_publisher(TextChunk, names.TEXT_OUT, qos.stream())
        self.subscribe(TextChunk, names.TEXT_IN, self._on_text, qos.stream())
        self.subscribe(Event, names.EVENTS_ORDERED, self._on_event, qos.event())
        self.serve(ControlOutput, names.CONTROL_OUTPUT, self._control)

    def stop(self) -> None:
        """No word leaves while the node is not active."""
        self._gate.stop()
        self._chunks.clear()

    def start(self) -> None:
        """Words flow again."""
        self._gate.resume()

    def health(self) -> Health:
        """Tell what holds."""
        return Health(
            message=f"Words are {self._gate.state.name.lower()}.",
            values={"emitted": self._emitted, "dropped": self._dropped, "held": len(self._chunks)},
        )

    def _on_text(self, chunk: TextChunk) -> None:
        key = (chunk.stream_id, chunk.sequence)
        self._chunks[key] = chunk
        if not self._gate.push(Words(chunk.stream_id, chunk.sequence, chunk.text, chunk.is_final)):
            self._chunks.pop(key, None)
            self._dropped += 1

    def _emit(self, words: Words) -> None:
        chunk = self._chunks.pop((words.stream_id, words.sequence), None)
        if chunk is not None:
            self._out.publish(chunk)
            self._emitted += 1

    def _on_event(self, event: Event) -> None:
        if event.type == "control.stop":
            self._stop("")

    def _stop(self, stream_id: str) -> int:
        dropped = self._gate.stop(stream_id)
        for key in [key for key in self._chunks if not stream_id or key[0] == stream_id]:
            del self._chunks[key]
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
