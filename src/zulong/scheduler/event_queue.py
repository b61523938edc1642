"""A bounded queue of events: four priorities, first in first out within each, expiry, and room kept for CRITICAL."""

from __future__ import annotations

import threading
from collections import deque
from dataclasses import dataclass
from enum import IntEnum


class Priority(IntEnum):
    """Order of service; the values are those of ``Event.msg``."""

    LOW = 0
    NORMAL = 1
    HIGH = 2
    CRITICAL = 3


@dataclass(slots=True, frozen=True)
class Event:
    """One thing that happened. ``expires_s`` is steady-clock time; infinity never expires."""

    id: str
    source: str
    type: str
    priority: Priority
    payload_json: str = "{}"
    expires_s: float = float("inf")


@dataclass(slots=True)
class QueueCounts:
    """What the queue did since it was made."""

    accepted: int = 0
    delivered: int = 0
    expired: int = 0
    displaced: int = 0
    refused: int = 0


class EventQueue:
    """Hands out the most urgent event first.

    When full, a new event displaces the oldest of the lowest priority below its own; with none below, it is
    refused. CRITICAL events have a reserve of their own and are refused only when that is full as well.

    Args:
        capacity: places for LOW to HIGH together.
        critical_capacity: places for CRITICAL.
    """

    def __init__(self, capacity: int = 1000, critical_capacity: int = 1000) -> None:
        if capacity < 1 or critical_capacity < 1:
            raise ValueError("EventQueue needs room for at least one event of each kind.")
        self._capacity = capacity
        self._critical_capacity = critical_capacity
        self._lanes: dict[Priority, deque[Event]] = {p: deque() for p in sorted(Priority, reverse=True)}
        self._changed = threading.Condition()
        self._closed = False
        self.counts = QueueCounts()

    def __len__(self) -> int:
        return sum(len(lane) for lane in self._lanes.values())

    def put(self, event: Event, now_s: float) -> bool:
        """Add an event. Returns False when it was refused: already expired, or no room for its priority."""
        with self._changed:
            if event.expires_s <= now_s:
                self.counts.expired += 1
                return False
            if not self._make_room(event.priority, now_s):
                self.counts.refused += 1
                return False
            self._lanes[event.priority].append(event)
            self.counts.accepted += 1
            self._changed.notify()
            return True

    def take(self, now_s: float) -> Event | None:
        """Remove and return the most urgent live event, or None at once when there is none."""
        with self._changed:
            return self._take(now_s)

    def wait(self, timeout_s: float) -> bool:
        """Block until an event is queued, the queue is closed, or ``timeout_s`` has passed; True when one is queued."""
        with self._changed:
            self._changed.wait_for(lambda: self._closed or len(self) > 0, timeout_s)
            return len(self) > 0

    def close(self) -> None:
        """Wake every waiter; what is queued can still be taken."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()

    def _take(self, now_s: float) -> Event | None:
        for lane in self._lanes.values():
            while lane:
                event = lane.popleft()
                if event.expires_s > now_s:
                    self.counts.delivered += 1
                    return event
                self.counts.expired += 1
        return None

    def _make_room(self, priority: Priority, now_s: float) -> bool:
        if priority is Priority.CRITICAL:
            return len(self._lanes[Priority.CRITICAL]) < self._critical_capacity
        ordinary = len(self) - len(self._lanes[Priority.CRITICAL])
        if ordinary < self._capacity:
            return True
        if self._drop_expired(now_s):
            return True
        for lower in sorted(Priority):
            if lower >= priority:
                return False
            if self._lanes[lower]:
                self._lanes[lower].popleft()
                self.counts.displaced += 1
                return True
        return False

    def _drop_expired(self, now_s: float) -> bool:
        dropped = 0
        for priority, lane in self._lanes.items():
            live = deque(event for event in lane if event.expires_s > now_s)
            dropped += len(lane) - len(live)
            self._lanes[priority] = live
        self.counts.expired += dropped
        return dropped > 0
