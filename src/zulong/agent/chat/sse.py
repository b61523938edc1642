"""Server-sent events out of the bytes of a response (WHATWG HTML, 9.2)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

_LINE_END = re.compile(rb"\r\n|\n|\r")
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"
_LONGEST_EVENT = 16 * 1024 * 1024


class EventTooLongError(ValueError):
    """An event does not end."""


def read_events(pieces: Iterable[bytes]) -> Iterator[str]:
    """Yield the data of each event that has any; comments, pings and other fields are passed over.

    Lines end at CR, LF or both and nowhere else, because JSON may hold other line separators as they are. An
    event that the end of the response closes counts, for many servers leave the last blank line out.

    Args:
        pieces: the body as it comes, cut anywhere.

    Raises:
        EventTooLongError: an event grows beyond 16 MB.
    """
    data: list[bytes] = []
    size = 0
    for line in _lines(pieces):
        if not line:
            if data:
                yield b"\n".join(data).decode("utf-8", "replace")
            data, size = [], 0
            continue
        name, _, value = line.partition(b":")
        if name == b"data":
            value = value.removeprefix(b" ")
            size += len(value)
            if size > _LONGEST_EVENT:
                raise EventTooLongError(f"an event is longer than {_LONGEST_EVENT} bytes")
            if value:
                data.append(value)
    if data:
        yield b"\n".join(data).decode("utf-8", "replace")


def _lines(pieces: Iterable[bytes]) -> Iterator[bytes]:
    rest: list[bytes] = []
    length, first, after_cr = 0, True, False
    for piece in pieces:
        if not piece:
            continue
        if after_cr:
            piece = piece.removeprefix(b"\n")
        after_cr = piece.endswith(b"\r")
        *whole, tail = _LINE_END.split(piece)
        for line in whole:
            line = b"".join([*rest, line])
            rest, length = [], 0
            yield line.removeprefix(_BYTE_ORDER_MARK) if first else line
            first = False
        rest.append(tail)
        length += len(tail)
        if length > _LONGEST_EVENT:
            raise EventTooLongError(f"a line is longer than {_LONGEST_EVENT} bytes")
    last = b"".join(rest)
    if last:
        yield last.removeprefix(_BYTE_ORDER_MARK) if first else last
