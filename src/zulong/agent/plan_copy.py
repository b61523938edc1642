"""The task graph folded from the checkpoint's events, kept between nodes so that it is not folded each time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from zulong.tasks import TaskEvent, TaskGraph


class GraphCopy:
    """The graph at the state's events. A node may change it; if its step is then lost, it is folded anew."""

    def __init__(self) -> None:
        self._graph = TaskGraph()
        self._last: Mapping[str, Any] | None = None

    def at(self, events: Sequence[Mapping[str, Any]]) -> TaskGraph:
        """Return the graph that these events make."""
        count = len(events)
        known = self._graph.version
        same = known == count and (
            count == 0 or self._graph.events_since(count - 1)[0].to_dict() == events[-1]
        )
        if not same:
            self._graph = TaskGraph.from_events([TaskEvent.from_dict(event) for event in events])
        return self._graph
