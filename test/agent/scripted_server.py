"""A server that speaks OpenAI's chat completions over real HTTP and plays what a script tells it, slips included."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Act = Callable[["Reply"], None]


class Reply:
    """What a script's act does with one request: headers, pieces of a stream, silence, a broken connection."""

    def __init__(
        self, handler: BaseHTTPRequestHandler, request: dict[str, Any], stopping: threading.Event
    ) -> None:
        self._handler = handler
        self._begun = False
        self._stopping = stopping
        self.request = request

    def status(self, code: int, message: str = "no", **headers: str) -> None:
        text = json.dumps({"error": {"message": message, "type": "error"}})
        self.whole(code, text, "application/json", **headers)

    def whole(self, code: int, text: str, kind: str, **headers: str) -> None:
        body = text.encode()
        self._handler.send_response(code)
        for name, value in headers.items():
            self._handler.send_header(name.replace("_", "-"), value)
        self._handler.send_header("content-type", kind)
        self._handler.send_header("content-length", str(len(body)))
        self._handler.end_headers()
        self._handler.wfile.write(body)

    def event(self, delta: dict[str, Any], finish: str | None = None, **more: Any) -> None:
        choice = {"index": 0, "delta": delta, "finish_reason": finish}
        chunk = {
            "id": "chat-1",
            "object": "chat.completion.chunk",
            "created": 1,
            "model": self.request.get("model", "m"),
            "choices": [choice],
        }
        self.raw("data: " + json.dumps(chunk | more, ensure_ascii=False) + "\n\n")

    def raw(self, text: str) -> None:
        if not self._begun:
            self._begun = True
            self._handler.send_response(200)
            self._handler.send_header("content-type", "text/event-stream")
            self._handler.send_header("connection", "close")
            self._handler.end_headers()
        self._handler.wfile.write(text.encode())
        self._handler.wfile.flush()

    def done(self) -> None:
        self.raw("data: [DONE]\n\n")

    def pause(self, seconds: float) -> None:
        self._stopping.wait(seconds)

    def break_off(self) -> None:
        self._handler.close_connection = True
        self._handler.connection.close()


def say(*pieces: str, finish: str = "stop") -> Act:
    def act(reply: Reply) -> None:
        for piece in pieces:
            reply.event({"content": piece})
        reply.event({}, finish)
        reply.done()

    return act


def call(*calls: tuple[str, Any], text: str = "") -> Act:
    """Tool calls whose arguments come in pieces of a few characters; a string is sent as it is."""

    def act(reply: Reply) -> None:
        if text:
            reply.event({"content": text})
        for index, (name, arguments) in enumerate(calls):
            written = arguments if isinstance(arguments, str) else json.dumps(arguments, ensure_ascii=False)
            head = {"index": index, "id": f"c{time.monotonic_ns()}", "type": "function"}
            reply.event({"tool_calls": [head | {"function": {"name": name, "arguments": ""}}]})
            for start in range(0, len(written), 4):
                piece = {"arguments": written[start : start + 4]}
                reply.event({"tool_calls": [{"index": index, "function": piece}]})
        reply.event({}, "tool_calls")
        reply.done()

    return act


def cut_in_a_call(name: str, text: str = "") -> Act:
    def act(reply: Reply) -> None:
        for word in text.split(" ") if text else ():
            reply.event({"content": word + " "})
        head = {"index": 0, "id": "c1", "type": "function", "function": {"name": name, "arguments": '{"pla'}}
        reply.event({"tool_calls": [head]})
        reply.break_off()

    return act


def cut_after(*pieces: str) -> Act:
    def act(reply: Reply) -> None:
        for piece in pieces:
            reply.event({"content": piece})
        reply.break_off()

    return act


def status(code: int, message: str = "no", **headers: str) -> Act:
    return lambda reply: reply.status(code, message, **headers)


def body(text: str, kind: str = "application/json") -> Act:
    """The whole answer at once, with status 200 whatever it says."""
    return lambda reply: reply.whole(200, text, kind)


def stall(seconds: float = 60.0, *before: str) -> Act:
    def act(reply: Reply) -> None:
        for piece in before:
            reply.event({"content": piece})
        reply.pause(seconds)

    return act


def drip(every_s: float, pieces: int = 10_000) -> Act:
    def act(reply: Reply) -> None:
        for _ in range(pieces):
            reply.event({"content": "a "})
            reply.pause(every_s)

    return act


def endless(piece: str = "and so on ") -> Act:
    def act(reply: Reply) -> None:
        for _ in range(1_000_000):
            reply.event({"content": piece})

    return act


def refuse(words: str) -> Act:
    def act(reply: Reply) -> None:
        reply.event({"refusal": words})
        reply.event({}, "stop")
        reply.done()

    return act


class ScriptedServer:
    """Plays one act a request; the last one again and again when the script is at its end."""

    def __init__(self) -> None:
        self.script: list[Act] = []
        self.requests: list[dict[str, Any]] = []
        self.stopping = threading.Event()
        outer = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers.get("content-length", 0)))
                request = json.loads(body)
                outer.requests.append(request)
                act = outer.script.pop(0) if len(outer.script) > 1 else outer.script[0]
                try:
                    act(Reply(self, request, outer.stopping))
                except (BrokenPipeError, ConnectionError, ValueError, OSError):
                    pass  # the client has left
                self.close_connection = True

            def log_message(self, *args: Any) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self._thread = threading.Thread(
            target=self._server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True
        )
        self._thread.start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}/v1"

    def play(self, *acts: Act) -> None:
        self.script = list(acts)

    def close(self) -> None:
        self.stopping.set()
        self._server.shutdown()
        self._server.server_close()
