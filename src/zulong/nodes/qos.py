"""The named QoS profiles. No node builds one by hand.

A subscription that asks for a deadline or for liveliness gets nothing at all from a publisher that does not
offer them, and the drivers, Gazebo and Nav2 do not. So these are offered by our publishers and asked for by
none of our subscriptions; silence is noticed by a Watchdog, which also sees a publisher that never came.
"""

from __future__ import annotations

from rclpy.duration import Duration
from rclpy.qos import DurabilityPolicy, HistoryPolicy, LivelinessPolicy, QoSProfile, ReliabilityPolicy

COMMAND_DEADLINE_S = 0.05
COMMAND_LEASE_S = 0.5


def _profile(reliability: ReliabilityPolicy, depth: int) -> QoSProfile:
    return QoSProfile(history=HistoryPolicy.KEEP_LAST, depth=depth, reliability=reliability)


def sensor(*, deadline_s: float | None = None) -> QoSProfile:
    """Best effort, only the newest sample. ``deadline_s`` is for publishers that keep a period."""
    profile = _profile(ReliabilityPolicy.BEST_EFFORT, 1)
    if deadline_s is not None:
        profile.deadline = Duration(seconds=deadline_s)
    return profile


def command() -> QoSProfile:
    """For subscriptions to commands: reliable, only the newest."""
    return _profile(ReliabilityPolicy.RELIABLE, 1)


def command_publisher() -> QoSProfile:
    """For publishers of commands: reliable, a deadline of 50 ms and liveliness are promised."""
    profile = command()
    profile.deadline = Duration(seconds=COMMAND_DEADLINE_S)
    profile.liveliness = LivelinessPolicy.AUTOMATIC
    profile.liveliness_lease_duration = Duration(seconds=COMMAND_LEASE_S)
    return profile


def latched(depth: int = 1) -> QoSProfile:
    """Reliable, kept for those who come late. ``depth`` above 1 for topics with several messages to keep."""
    profile = _profile(ReliabilityPolicy.RELIABLE, depth)
    profile.durability = DurabilityPolicy.TRANSIENT_LOCAL
    return profile


def event() -> QoSProfile:
    """Reliable, a queue of 100: events may come in bursts and none may be lost on the way."""
    return _profile(ReliabilityPolicy.RELIABLE, 100)


def stream() -> QoSProfile:
    """Reliable, a queue of 1000: sound and tokens, in order and complete."""
    return _profile(ReliabilityPolicy.RELIABLE, 1000)
