"""What skills brought, as later steps refer to it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from zulong.tasks import TaskGraph, TaskStatus


def results_of(graph: TaskGraph) -> dict[str, Mapping[str, Any]]:
    """Return the results that arguments and conditions may refer to, by the plan's step id and by node id."""
    results: dict[str, Mapping[str, Any]] = {}
    for node in graph.nodes():
        if node.status is TaskStatus.COMPLETED and isinstance(node.result, Mapping):
            results[node.id] = node.result
            step = node.meta.get("step")
            if step:
                results[str(step)] = node.result
    return results


def results_for(graph: TaskGraph, wanting: Any) -> dict[str, Mapping[str, Any]]:
    """Return :func:`results_of` for plain data that refers to some; empty, and quick, for any other."""
    return results_of(graph) if "${" in repr(wanting) else {}
