"""The mission's StateGraph: its nodes and where they may lead."""

from __future__ import annotations

from typing import Any

from zulong.agent.mission.nodes import MissionNodes
from zulong.agent.mission.state import MissionState
from zulong.stategraph.checkpoint.base import BaseCheckpointSaver
from zulong.stategraph.constants import END, START
from zulong.stategraph.graph.state import StateGraph

_NEXT = {
    "accept": ("understand", "dispatch", "conclude"),
    "understand": ("dispatch", "ask", "conclude"),
    "ask": ("understand", "dispatch", "ask"),
    "dispatch": ("execute", "ask", "conclude"),
    "execute": ("evaluate",),
    "evaluate": ("dispatch", "understand", "conclude"),
    "conclude": ("conclude", END),
}


def build_mission_graph(nodes: MissionNodes, checkpointer: BaseCheckpointSaver[Any] | None) -> Any:
    """Return the compiled graph of a mission; every node says itself where it goes."""
    builder: Any = StateGraph(MissionState)
    for name, targets in _NEXT.items():
        builder.add_node(name, getattr(nodes, name), destinations=targets)
    builder.add_edge(START, "accept")
    return builder.compile(checkpointer=checkpointer)
