"""Compiled graphs, and graphs built by hand from channels and nodes."""

from zulong.stategraph.pregel._graph import Pregel
from zulong.stategraph.pregel._node import NodeBuilder

__all__ = ("NodeBuilder", "Pregel")
