"""How a node measures itself: periods, misses and latencies, over the newest window. Plain Python, no ROS."""

from __future__ import annotations

import threading
from collections import deque
from dataclasses import dataclass, field
from enum import IntEnum

WINDOW = 256


class Level(IntEnum):
    """The level of a diagnostic status, with the numbers of diagnostic_msgs/DiagnosticStatus."""

    OK = 0
    WARN = 1
    ERROR = 2
    STALE = 3


@dataclass(slots=True)
class Health:
    """What a node says about itself: a level, one sentence, and named figures."""

    level: Level = Level.OK
    message: str = ""
    values: dict[str, str | float | int | bool] = field(default_factory=dict)


def percentile(values: list[float], share: float) -> float:
    """Return the nearest-rank percentile of ``values`` (not empty) for ``share`` in 0..1."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


class Latency:
    """Durations in seconds of one kind of work; safe from any thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._window: deque[float] = deque(maxlen=WINDOW)
        self._count = 0
        self._worst = 0.0

    def note(self, seconds: float) -> None:
        """Add one duration."""
        with self._lock:
            self._window.append(seconds)
            self._count += 1
            self._worst = max(self._worst, seconds)

    def figures(self) -> dict[str, float | int]:
        """Return count, p50, p99 of the window and the worst ever, times in milliseconds."""
        with self._lock:
            window, count, worst = list(self._window), self._count, self._worst
        if not window:
            return {"count": 0}
        return {
            "count": count,
            "p50_ms": round(percentile(window, 0.5) * 1e3, 3),
            "p99_ms": round(percentile(window, 0.99) * 1e3, 3),
            "max_ms": round(worst * 1e3, 3),
        }


class Period:
    """The rhythm of one periodic activity and how often it came late."""

    def __init__(self, wanted_s: float, tolerance: float = 0.5) -> None:
        self.wanted_s = wanted_s
        self._late_after = wanted_s * (1.0 + tolerance)
        self._lock = threading.Lock()
        self._window: deque[float] = deque(maxlen=WINDOW)
        self._last: float | None = None
        self._misses = 0

    def tick(self, now: float) -> None:
        """Note one occurrence at ``now`` (steady clock, seconds)."""
        with self._lock:
            if self._last is not None:
                gap = now - self._last
                self._window.append(gap)
                if gap > self._late_after:
                    self._misses += 1
            self._last = now

    def reset(self) -> None:
        """Forget the newest occurrence: a pause on purpose is no miss."""
        with self._lock:
            self._last = None

    @property
    def misses(self) -> int:
        """How often the gap was more than half a period too long."""
        return self._misses

    def figures(self) -> dict[str, float | int]:
        """Return the wanted, mean and longest period of the window in milliseconds, and the misses."""
        with self._lock:
            window, misses = list(self._window), self._misses
        result: dict[str, float | int] = {"wanted_ms": round(self.wanted_s * 1e3, 3), "misses": misses}
        if window:
            result["mean_ms"] = round(sum(window) / len(window) * 1e3, 3)
            result["max_ms"] = round(max(window) * 1e3, 3)
        return result
