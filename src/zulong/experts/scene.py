"""The newest sighting of everything: what skills remember between two looks. Safe from any thread."""

from __future__ import annotations

import math
import threading
from collections.abc import Iterable, Sequence

from zulong.experts.robot import Seen

_SAME_M = 0.3
_MOST = 500


class SceneBook:
    """Keeps one entry for each thing; detectors without lasting ids are joined by label and place."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._entries: dict[str, Seen] = {}

    def note(self, seen: Iterable[Seen]) -> None:
        """Take new sightings."""
        with self._lock:
            for item in seen:
                key = (
                    item.id
                    or self._near(item)
                    or f"{item.label}@{item.position[0]:.1f},{item.position[1]:.1f}"
                )
                known = self._entries.pop(key, None)
                self._entries[key] = item if known is None or item.seen_s >= known.seen_s else known
            while len(self._entries) > _MOST:
                self._entries.pop(next(iter(self._entries)))

    def remembered(self) -> Sequence[Seen]:
        """Return everything, the newest sighting last."""
        with self._lock:
            return sorted(self._entries.values(), key=lambda s: s.seen_s)

    def forget(self, thing_id: str) -> None:
        """Drop an entry, for instance because the gripper holds the thing now."""
        with self._lock:
            self._entries.pop(thing_id, None)

    def _near(self, item: Seen) -> str:
        for key, known in self._entries.items():
            if known.label == item.label and math.dist(known.position[:2], item.position[:2]) < _SAME_M:
                return key
        return ""
