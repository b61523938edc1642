"""How other commands talk to the running supervisor: one JSON line each way over a Unix socket."""

from __future__ import annotations

import contextlib
import json
import os
import selectors
import socket
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

SOCKET = "supervisor.sock"
_LIMIT_BYTES = 64 * 1024


class NotRunningError(RuntimeError):
    """No supervisor answers."""


@contextlib.contextmanager
def _short_address(path: Path) -> Any:
    """Yield an address for ``path`` of any length: socket addresses end at 107 bytes, /proc makes them short."""
    folder = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY)
    try:
        yield f"/proc/self/fd/{folder}/{path.name}"
    finally:
        os.close(folder)


class ControlServer:
    """Answers requests when polled; holds no thread and never waits."""

    def __init__(self, folder: Path, answer: Callable[[dict[str, Any]], dict[str, Any]]) -> None:
        self._path = folder / SOCKET
        self._answer = answer
        self._path.unlink(missing_ok=True)
        self._listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM | socket.SOCK_NONBLOCK)
        with _short_address(self._path) as address:
            self._listener.bind(address)
        os.chmod(self._path, 0o600)
        self._listener.listen(8)
        self._selector = selectors.DefaultSelector()
        self._selector.register(self._listener, selectors.EVENT_READ, None)

    def poll(self) -> None:
        """Serve what is there."""
        for key, _ in self._selector.select(timeout=0):
            if key.data is None:
                connection, _address = self._listener.accept()
                connection.setblocking(False)
                self._selector.register(connection, selectors.EVENT_READ, bytearray())
            else:
                self._receive(key.fileobj, key.data)  # type: ignore[arg-type]

    def _receive(self, connection: socket.socket, buffer: bytearray) -> None:
        try:
            piece = connection.recv(4096)
        except (BlockingIOError, ConnectionError):
            piece = b""
        buffer += piece
        if piece and b"\n" not in buffer and len(buffer) < _LIMIT_BYTES:
            return
        self._selector.unregister(connection)
        with connection, contextlib.suppress(OSError):
            if b"\n" in buffer:
                connection.settimeout(1.0)
                connection.sendall(json.dumps(self._reply(bytes(buffer))).encode() + b"\n")

    def _reply(self, line: bytes) -> dict[str, Any]:
        try:
            request = json.loads(line.split(b"\n", 1)[0])
        except ValueError:
            return {"error": "the request is no JSON"}
        if not isinstance(request, dict):
            return {"error": "the request is no JSON object"}
        return self._answer(request)

    def close(self) -> None:
        """Stop listening and remove the socket."""
        for key in list(self._selector.get_map().values()):
            if key.data is not None:
                key.fileobj.close()  # type: ignore[union-attr]
        self._selector.close()
        self._listener.close()
        self._path.unlink(missing_ok=True)


def request(folder: Path, message: dict[str, Any], timeout_s: float = 5.0) -> dict[str, Any]:
    """Send ``message`` to the supervisor whose run folder is ``folder`` and return its answer.

    Raises:
        NotRunningError: nobody answers within ``timeout_s``.
    """
    deadline = time.monotonic() + timeout_s
    try:
        with (
            socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as connection,
            _short_address(folder / SOCKET) as address,
        ):
            connection.settimeout(timeout_s)
            connection.connect(address)
            connection.sendall(json.dumps(message).encode() + b"\n")
            buffer = bytearray()
            while b"\n" not in buffer:
                connection.settimeout(max(0.01, deadline - time.monotonic()))
                piece = connection.recv(65536)
                if not piece:
                    break
                buffer += piece
        answer = json.loads(buffer)
    except (OSError, ValueError) as error:
        raise NotRunningError("ZULONG is not running here; start it with `zulong up`.") from error
    return answer if isinstance(answer, dict) else {}
