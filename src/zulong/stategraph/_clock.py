"""The wall clock as text."""

from __future__ import annotations

import time
from datetime import datetime, timezone

_latest = (0, "")  # a second, and its text


def now_text() -> str:
    """Return the wall clock in UTC as ISO 8601 text, to the microsecond.

    Every step of every run asks for it, so date and time of the day are put into words once a second.
    """
    global _latest
    second, nanoseconds = divmod(time.time_ns(), 1_000_000_000)
    known = _latest
    if known[0] != second:
        text = datetime.fromtimestamp(second, timezone.utc).strftime("%Y-%m-%dT%H:%M:%S")
        known = _latest = (second, text)
    return f"{known[1]}.{nanoseconds // 1000:06d}+00:00"
