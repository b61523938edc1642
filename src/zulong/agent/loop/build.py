"""The loop's StateGraph."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from zulong.agent.loop.nodes import LoopNodes
from zulong.agent.loop.routes import ROUTES
from zulong.agent.loop.state import LoopState
from zulong.stategraph.checkpoint.base import BaseCheckpointSaver
from zulong.stategraph.constants import START
from zulong.stategraph.graph.state import StateGraph
from zulong.stategraph.types import Command


def build_loop_graph(nodes: LoopNodes, checkpointer: BaseCheckpointSaver[Any] | None) -> Any:
    """Return the compiled graph of the function-calling loop."""
    builder: Any = StateGraph(LoopState)
    for name, (route, targets) in ROUTES.items():
        builder.add_node(name, _routed(getattr(nodes, name), route), destinations=targets)
    builder.add_edge(START, "accept")
    return builder.compile(checkpointer=checkpointer)


def _routed(
    node: Callable[[LoopState], dict[str, Any]], route: Callable[[LoopState], str]
) -> Callable[[LoopState], Command[str]]:
    """Return a node that also says where it leads.

    The route is computed from what the node has just returned; a conditional edge would read the whole state
    once more for that.
    """

    def run(state: LoopState) -> Command[str]:
        update = node(state)
        after: Any = {**state, **update}
        return Command(update=update, goto=route(after))

    return run
