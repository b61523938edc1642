"""Memories as files in the robot's export folder: a choice of them as JSON lines, GraphML or a picture, or a backup."""

from __future__ import annotations

import hashlib
import re
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from threading import Event
from typing import Any

from zulong.memory import MemoryGraph
from zulong.memory.erasure import nodes_of_person
from zulong.memory.exchange import Transferred, all_edges, export_graphml, export_jsonl
from zulong.memory.model import Edge, Node, NodeType
from zulong.nodes.json_fields import InvalidFieldError

SUFFIXES = {"jsonl": ".jsonl", "graphml": ".graphml", "backup": "", "mermaid": ".mmd"}
MOST_PICTURED = 300
_PLAIN_NAME = re.compile(r"[^\W_][\w.\-]{0,99}")
_HASH_BLOCK = 1 << 20
_LABEL_CHARS = 60


class ExportStoppedError(RuntimeError):
    """The node came to rest in the middle of an export; nothing of it was kept."""


@dataclass(slots=True, frozen=True)
class Choice:
    """Which memories to write: these types (None: all), about this person (empty: all), since a moment (seconds)."""

    types: frozenset[NodeType] | None = None
    person: str = ""
    since: float | None = None


@dataclass(slots=True, frozen=True)
class Exported:
    """What was written where; ``sha256`` is empty for a folder."""

    path: Path
    nodes: int
    edges: int
    sha256: str


class MemoryExporter:
    """Writes into one folder and nowhere else.

    Args:
        memory: what to write.
        folder: made at the first export.
    """

    def __init__(self, memory: MemoryGraph, folder: Path) -> None:
        self._memory = memory
        self._folder = folder
        self._stopped = Event()

    def stop(self) -> None:
        """Let a running export end soon with :class:`ExportStoppedError`."""
        self._stopped.set()

    def files(self) -> list[str]:
        """Return the names of the exports there are."""
        return sorted(path.name for path in self._folder.iterdir()) if self._folder.is_dir() else []

    def write(self, format: str, name: str, choice: Choice) -> Exported:
        """Write an export; the file appears once it is complete.

        Args:
            format: a key of ``SUFFIXES``.
            name: plain file name; its suffix is added if it lacks it. Empty: one is made from the time.

        Raises:
            InvalidFieldError: the name is no plain file name, or is taken.
            ExportStoppedError: ``stop`` was called.
            OSError: the folder cannot be written or the disk is full.
        """
        target = self._target(format, name)
        try:
            if format == "backup":
                self._memory.backup(target)
                return Exported(target, len(self._memory), self._memory.stats().edges, "")
            selected = _Selected(self._memory, choice, self._stopped)
            done = _WRITERS[format](selected, target)
        finally:
            target.with_name(target.name + ".new").unlink(missing_ok=True)
        return Exported(target, done.nodes, done.edges, _sha256(target))

    def _target(self, format: str, name: str) -> Path:
        name = name or time.strftime("memory-%Y%m%d-%H%M%S", time.gmtime())
        suffix = SUFFIXES[format]
        if not name.endswith(suffix):
            name += suffix
        if not _PLAIN_NAME.fullmatch(name):
            raise InvalidFieldError(
                f"name {name[:120]!r} must be a plain file name: letters, digits, '.', '_', '-', at most 100."
            )
        self._folder.mkdir(parents=True, exist_ok=True)
        target = self._folder / name
        if target.is_symlink() or target.exists():
            raise InvalidFieldError(f"There is an export {name!r} already; choose another name.")
        return target


class _Selected:
    """A choice of the memory in the form that the writers read."""

    def __init__(self, memory: MemoryGraph, choice: Choice, stopped: Event) -> None:
        self._engine = memory.engine
        self.memory = memory.engine.memory
        self._choice = choice
        self._stopped = stopped
        self._ids: set[str] = set()
        self._of_person = frozenset(nodes_of_person(memory.engine, choice.person)) if choice.person else None

    def documents(self) -> Iterator[Node]:
        choice = self._choice
        for node in self._engine.documents():
            if self._stopped.is_set():
                raise ExportStoppedError("The memory node came to rest in the middle of the export.")
            if (
                (choice.types is None or node.type in choice.types)
                and (choice.since is None or node.stamp >= choice.since)
                and (self._of_person is None or node.uid in self._of_person)
            ):
                self._ids.add(node.id)
                yield node

    def edges(self, keys: Sequence[tuple[int, int, int]]) -> list[Edge]:
        if self._stopped.is_set():
            raise ExportStoppedError("The memory node came to rest in the middle of the export.")
        return [edge for edge in self._engine.edges(keys) if edge.src in self._ids and edge.dst in self._ids]


def _export_mermaid(selected: Any, path: Path) -> Transferred:
    """Draw the newest memories of the choice, at most MOST_PICTURED, with the edges among them."""
    nodes = sorted(selected.documents(), key=lambda node: node.stamp)[-MOST_PICTURED:]
    names = {node.id: f"m{number}" for number, node in enumerate(nodes)}
    lines = ["graph LR"]
    lines += [f'  {names[node.id]}["{node.type.name}: {_label(node.text)}"]' for node in nodes]
    edges = [edge for edge in all_edges(selected) if edge.src in names and edge.dst in names]
    lines += [f"  {names[edge.src]} -->|{edge.type.name}| {names[edge.dst]}" for edge in edges]
    temporary = path.with_name(path.name + ".new")
    temporary.write_text("\n".join(lines) + "\n", encoding="utf-8")
    temporary.replace(path)
    return Transferred(len(nodes), len(edges))


def _label(text: str) -> str:
    """Return a text as Mermaid takes it: one short line, what has a meaning there as its character code."""
    line = " ".join(text.split())
    line = line if len(line) <= _LABEL_CHARS else line[: _LABEL_CHARS - 1] + "…"
    return "".join(f"#{ord(c)};" if c in '"#;<>&`[]{}|\\' or not c.isprintable() else c for c in line)


_WRITERS: dict[str, Any] = {
    "jsonl": export_jsonl,
    "graphml": export_graphml,
    "mermaid": _export_mermaid,
}


def _sha256(path: Path) -> str:
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while block := file.read(_HASH_BLOCK):
            digest.update(block)
    return digest.hexdigest()
