"""The MemoryGraph: a memory for years, exact, fast, and able to explain what it finds."""

from zulong.memory.config import MemoryConfig
from zulong.memory.graph import MemoryGraph
from zulong.memory.model import (
    Draft,
    Edge,
    EdgeType,
    Hit,
    Importance,
    Link,
    Node,
    NodeType,
    Place,
    RecallQuery,
    RecallResult,
    RememberResult,
)

__all__ = [
    "Draft",
    "Edge",
    "EdgeType",
    "Hit",
    "Importance",
    "Link",
    "MemoryConfig",
    "MemoryGraph",
    "Node",
    "NodeType",
    "Place",
    "RecallQuery",
    "RecallResult",
    "RememberResult",
]
