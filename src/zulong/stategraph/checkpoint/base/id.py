"""Checkpoint ids: UUID version 6 as text, so that sorting the text sorts by time of creation (RFC 9562, 5.6)."""

from __future__ import annotations

import random
import threading
import time
import uuid

_GREGORIAN_OFFSET = 0x01B21DD213814000  # 100 ns ticks from 1582-10-15 to 1970-01-01
_lock = threading.Lock()
_last_ticks = 0


def _next_ticks(at_least: int) -> int:
    """Return a count of 100 ns ticks that no earlier call of this process returned, above `at_least`."""
    global _last_ticks
    ticks = time.time_ns() // 100 + _GREGORIAN_OFFSET
    with _lock:
        floor = _last_ticks if _last_ticks > at_least else at_least
        if ticks <= floor:
            ticks = floor + 1
        _last_ticks = ticks
    return ticks


def _ticks_of(checkpoint_id: str | None) -> int:
    """Return the creation time inside a version 6 id, 0 for any other text."""
    if checkpoint_id is None or len(checkpoint_id) != 36 or checkpoint_id[14] != "6":
        return 0
    try:
        return int(checkpoint_id[0:8] + checkpoint_id[9:13] + checkpoint_id[15:18], 16)
    except ValueError:
        return 0


def _text(ticks: int, clock_seq: int, node: int) -> str:
    high = ticks >> 12
    sequence = 0x8000 | (clock_seq & 0x3FFF)
    return f"{high >> 16:08x}-{high & 0xFFFF:04x}-6{ticks & 0xFFF:03x}-{sequence:04x}-{node:012x}"


def create_checkpoint_id(step: int | None = None, *, after: str | None = None) -> str:
    """Return a new id that sorts behind every id made by this process, and behind `after`.

    A robot's clock may be set back (no battery-backed clock, first contact with a time server). Passing
    the parent's id as `after` keeps the newest checkpoint the one that sorts last all the same.
    """
    clock_seq = random.getrandbits(14) if step is None else step
    created = _text(_next_ticks(0), clock_seq, random.getrandbits(48))
    if after is not None and created <= after:
        created = _text(_next_ticks(_ticks_of(after)), clock_seq, random.getrandbits(48))
    return created


def uuid6(node: int | None = None, clock_seq: int | None = None) -> uuid.UUID:
    """Return a version 6 UUID object; `create_checkpoint_id` is the cheaper way to its text."""
    return uuid.UUID(
        _text(
            _next_ticks(0),
            random.getrandbits(14) if clock_seq is None else clock_seq,
            random.getrandbits(48) if node is None else node & 0xFFFFFFFFFFFF,
        )
    )
