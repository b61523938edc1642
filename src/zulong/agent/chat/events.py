"""The events of a streamed chat completion as plain data, whatever form the server gives its answer."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from zulong.agent.chat.sse import read_events

_LONGEST_BODY = 16 * 1024 * 1024


class Events:
    """The events of one request as plain data, None for the end mark; opened at once, closed from any thread.

    A server that does not stream answers with one JSON object; it is the only event then.

    Args:
        completions: ``client.chat.completions`` of the ``openai`` package.
        arguments: of the request.
    """

    def __init__(self, completions: Any, arguments: Mapping[str, Any]) -> None:
        opened = completions.with_streaming_response.create(**arguments)
        self._response = opened.__enter__()

    def close(self) -> None:
        """End the response."""
        self._response.close()

    def __iter__(self) -> Iterator[Mapping[str, Any] | None]:
        try:
            kind = str(self._response.headers.get("content-type", ""))
            pieces = self._response.iter_bytes()
            yield from _whole(pieces, kind) if "json" in kind else _streamed(pieces, kind)
        finally:
            self.close()


def _streamed(pieces: Iterator[bytes], kind: str) -> Iterator[Mapping[str, Any] | None]:
    head: list[bytes] = []
    size, seen = 0, False

    def kept() -> Iterator[bytes]:
        nonlocal size
        for piece in pieces:
            if not seen and size < _LONGEST_BODY:
                head.append(piece)
                size += len(piece)
            yield piece

    for data in read_events(kept()):
        seen = True
        head.clear()
        if data.startswith("[DONE]"):
            yield None
            return
        event = json.loads(data, strict=False)
        if isinstance(event, dict):
            yield event
    if not seen:
        yield from _whole(iter(head), kind)


def _whole(pieces: Iterator[bytes], kind: str) -> Iterator[Mapping[str, Any] | None]:
    """Yield a body that is one JSON object, whatever its type says."""
    body, size = [], 0
    for piece in pieces:
        body.append(piece)
        size += len(piece)
        if size > _LONGEST_BODY:
            raise ValueError(f"its answer is longer than {_LONGEST_BODY} bytes")
    text = b"".join(body).decode("utf-8-sig", "replace")
    if not text.strip():
        return
    try:
        event = json.loads(text, strict=False)
    except ValueError:
        raise ValueError(
            f"its answer is no chat completion but {kind or 'something'}: {text[:80]!r}"
        ) from None
    if isinstance(event, dict):
        yield event
