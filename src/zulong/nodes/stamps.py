"""Seconds since the epoch to ROS time messages and back; infinite and missing are the zero time."""

from __future__ import annotations

import math

from builtin_interfaces.msg import Duration, Time

_NANO = 1_000_000_000


def to_time(seconds: float | None) -> Time:
    """Return the message for a moment; None, infinities and negative moments become zero (unset)."""
    if seconds is None or not math.isfinite(seconds) or seconds <= 0.0:
        return Time()
    whole = math.floor(seconds)
    return Time(sec=whole, nanosec=min(_NANO - 1, round((seconds - whole) * _NANO)))


def from_time(stamp: Time) -> float | None:
    """Return the moment in seconds, None when it is zero (unset)."""
    if stamp.sec == 0 and stamp.nanosec == 0:
        return None
    return stamp.sec + stamp.nanosec / _NANO


def to_duration(seconds: float) -> Duration:
    """Return the message for a length of time, at least zero."""
    seconds = max(0.0, seconds)
    whole = math.floor(seconds)
    return Duration(sec=whole, nanosec=min(_NANO - 1, round((seconds - whole) * _NANO)))


def from_duration(duration: Duration) -> float:
    """Return the length of time in seconds; zero means unset by convention of the interfaces."""
    return float(duration.sec) + duration.nanosec / _NANO
