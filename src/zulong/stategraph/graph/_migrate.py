"""Brings checkpoints of LangGraph before 0.4 (layout below 3) to today's names of edge channels."""

from __future__ import annotations

from typing import Any

from zulong.stategraph._keys import BRANCH_PREFIX, END, INTERRUPT, MISSING, START


def migrate_edges(graph: Any, checkpoint: dict[str, Any]) -> None:
    """Rename, in place, what woke nodes: `start:x`, `branch:a:c:x` and the name of the node before."""
    versions: dict[str, Any] = checkpoint["channel_versions"]
    for old in list(versions):
        if old.startswith("start:") and old.split(":")[1] in graph.nodes:
            _rename(checkpoint, old, old.split(":")[1])
        elif old.startswith("branch:") and old.count(":") == 3 and old.split(":")[-1] in graph.nodes:
            _rename(checkpoint, old, old.split(":")[-1])
    following: dict[str, list[str]] = {}
    for start, end in graph.builder.edges:
        if start != START and end != END:
            following.setdefault(start, []).append(end)
    for old in [n for n in versions if n in graph.nodes and n != START]:
        version, value = versions.pop(old), checkpoint["channel_values"].pop(old, MISSING)
        for target in following.get(old, ()):
            _move(checkpoint, old, target, version, value, keep=True)
        checkpoint["versions_seen"].get(INTERRUPT, {}).pop(old, None)


def _rename(checkpoint: dict[str, Any], old: str, target: str) -> None:
    version = checkpoint["channel_versions"].pop(old)
    value = checkpoint["channel_values"].pop(old, MISSING)
    _move(checkpoint, old, target, version, value, keep=False)


def _move(checkpoint: dict[str, Any], old: str, target: str, version: Any, value: Any, *, keep: bool) -> None:
    new = f"{BRANCH_PREFIX}{target}"
    versions, seen = checkpoint["channel_versions"], checkpoint["versions_seen"]
    versions[new] = max(versions[new], version) if new in versions else version
    for known in (seen.get(target), seen.get(INTERRUPT)):
        if known is not None and old in known:
            before = known[old] if keep and known is seen.get(INTERRUPT) else known.pop(old)
            known[new] = max(known[new], before) if new in known else before
    if value is not MISSING:
        checkpoint["channel_values"].setdefault(new, value)
