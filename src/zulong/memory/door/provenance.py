"""Where a memory comes from: the chain of DERIVED_FROM edges down to what was seen or said."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from zulong.memory.model import EdgeType, Node
from zulong.memory.reader import MemoryReader


@dataclass(slots=True, frozen=True)
class Origin:
    """One memory on the way down: ``depth`` 0 is the memory asked about; ``id`` may be gone (node None)."""

    id: str
    node: Node | None
    depth: int


def origins(reader: MemoryReader, id: str, *, depth: int = 8) -> Iterator[Origin]:
    """Yield the memory and everything it was derived from, nearest first, each once.

    A source that was forgotten is still named, with ``node`` None.
    """
    seen = {id}
    level = [id]
    for distance in range(depth + 1):
        following: list[str] = []
        for current in level:
            node = reader.node(current)
            yield Origin(current, node, distance)
            edges = reader.neighbours(current, (EdgeType.DERIVED_FROM,)) if node is not None else []
            sources = [edge.dst for edge in edges if edge.src == current]
            for source in (*sources, *(node.source_ids if node is not None else ())):
                if source not in seen:
                    seen.add(source)
                    following.append(source)
        level = following
