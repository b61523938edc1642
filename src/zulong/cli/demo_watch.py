"""What the demonstration sees of the robot while it works: an observer on the ordinary topics."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from nav_msgs.msg import Odometry
from std_msgs.msg import Bool

from zulong.action import ExecuteTask
from zulong.msg import ReflexEvent
from zulong.nodes import names, qos
from zulong.nodes.stamps import from_time

_POLL_S = 0.02


@dataclass(slots=True)
class Sights:
    """Counts and moments (seconds on the steady clock)."""

    speed_mps: float = 0.0
    turn_rps: float = 0.0
    contacts: int = 0
    stops: list[float] = field(default_factory=list)
    frozen_at: float | None = None
    thawed_at: float | None = None
    first_plan_s: float | None = None


class Watch:
    """Collects :class:`Sights` from the topics of one robot."""

    def __init__(self, node: Any) -> None:
        self.sights = Sights()
        self._lock = threading.Lock()
        self._bumped = False
        self._asked_at: float | None = None
        self._phase = -1
        feedback = ExecuteTask.Impl.FeedbackMessage
        for kind, topic, callback, profile in (
            (Odometry, names.ODOM, self._on_odometry, qos.sensor()),
            (Bool, names.BUMPER, self._on_bumper, qos.sensor()),
            (ReflexEvent, names.REFLEX_EVENT, self._on_reflex, qos.event()),
            (feedback, f"{names.EXECUTE_TASK}/_action/feedback", self._on_feedback, qos.event()),
        ):
            node.create_subscription(kind, topic, callback, profile)

    def asked(self) -> None:
        """Note that the errand is sent now."""
        self._asked_at = time.monotonic()

    def until(self, condition: Callable[[Sights], bool], limit_s: float) -> bool:
        """Wait until ``condition`` holds, at most ``limit_s`` on the steady clock."""
        deadline = time.monotonic() + limit_s
        while time.monotonic() < deadline:
            with self._lock:
                if condition(self.sights):
                    return True
            time.sleep(_POLL_S)
        return False

    def _on_odometry(self, odometry: Odometry) -> None:
        self.sights.speed_mps = odometry.twist.twist.linear.x
        self.sights.turn_rps = odometry.twist.twist.angular.z

    def _on_reflex(self, event: ReflexEvent) -> None:
        if event.kind != ReflexEvent.KIND_OBSTACLE or not event.active:
            return
        # The event is stamped right after its stop command was sent.
        sent, scanned = from_time(event.header.stamp), from_time(event.sensor_stamp)
        with self._lock:
            self.sights.stops.append((sent or 0.0) - (scanned or 0.0))

    def _on_bumper(self, pressed: Bool) -> None:
        self.sights.contacts += pressed.data and not self._bumped
        self._bumped = pressed.data

    def _on_feedback(self, message: Any) -> None:
        phase, now = message.feedback.phase, time.monotonic()
        with self._lock:
            if (
                self.sights.first_plan_s is None
                and self._asked_at
                and len(message.feedback.task_graph.nodes) > 1
            ):
                self.sights.first_plan_s = now - self._asked_at
            if phase == ExecuteTask.Feedback.PHASE_FROZEN and self.sights.frozen_at is None:
                self.sights.frozen_at = now
            thawed = self._phase == ExecuteTask.Feedback.PHASE_FROZEN != phase
            if thawed and self.sights.thawed_at is None:
                self.sights.thawed_at = now
            self._phase = phase
