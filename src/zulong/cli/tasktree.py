"""A task graph as text for people. Works on any object with the fields of zulong/TaskGraph."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import Any

# Index = TaskNode.STATUS_*
STATUS_NAMES = (
    "pending",
    "in progress",
    "completed",
    "blocked",
    "skipped",
    "needs adjust",
    "waiting for input",
)
STATUS_MARKS = ("·", "▶", "✓", "✗", "⊘", "!", "?")
STATUS_STYLES = ("dim", "bold cyan", "green", "red", "dim", "yellow", "magenta")


@dataclass(slots=True, frozen=True)
class Row:
    """One line of the tree: ``depth`` 0 is the root."""

    id: str
    depth: int
    status: int
    text: str

    def plain(self) -> str:
        """Return the line without colour."""
        return f"{'  ' * self.depth}{STATUS_MARKS[self.status]} {self.text}"


def rows(graph: Any) -> list[Row]:
    """Return the lines of ``graph``, parents before children, siblings by position.

    Nodes whose parent is missing are shown at the top; a cycle in the tree shows each node once.
    """
    known = {node.id for node in graph.nodes}
    children: dict[str, list[Any]] = defaultdict(list)
    for node in graph.nodes:
        children[node.parent_id if node.parent_id in known and node.parent_id != node.id else ""].append(node)
    result: list[Row] = []
    seen: set[str] = set()
    stack = [(node, 0) for node in sorted(children[""], key=lambda each: each.position, reverse=True)]
    while stack:
        node, depth = stack.pop()
        if node.id in seen:
            continue
        seen.add(node.id)
        result.append(Row(node.id, depth, _status(node), _text(node)))
        below = sorted(children[node.id], key=lambda each: each.position, reverse=True)
        stack.extend((each, depth + 1) for each in below)
    return result


def _status(node: Any) -> int:
    return node.status if 0 <= node.status < len(STATUS_MARKS) else 0


def _text(node: Any) -> str:
    text = node.title or node.id
    if node.skill:
        text += f"  [{node.skill}]"
    if _status(node) == 1 and 0.0 < node.progress < 1.0:
        text += f"  {node.progress:.0%}"
    if node.attempts > 1:
        text += f"  (attempt {node.attempts})"
    if node.error_msg and _status(node) in (3, 5):
        text += f"  - {node.error_msg}"
    return text
