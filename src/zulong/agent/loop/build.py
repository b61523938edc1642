"""The loop's StateGraph."""

from __future__ import annotations

from typing import Any

from zulong.agent.loop import routes
from zulong.agent.loop.nodes import LoopNodes
from zulong.agent.loop.state import LoopState
from zulong.stategraph.checkpoint.base import BaseCheckpointSaver
from zulong.stategraph.constants import END, START
from zulong.stategraph.graph.state import StateGraph


def build_loop_graph(nodes: LoopNodes, checkpointer: BaseCheckpointSaver[Any] | None) -> Any:
    """Return the compiled graph of the function-calling loop."""
    builder: Any = StateGraph(LoopState)
    for name in ("accept", "check", "call_model", "approve", "exec_tools", "await_remote", "evaluate"):
        builder.add_node(name, getattr(nodes, name))
    builder.add_edge(START, "accept")
    builder.add_edge("accept", "check")
    builder.add_conditional_edges("check", routes.after_check, ["call_model", END])
    builder.add_conditional_edges(
        "call_model", routes.after_call_model, ["approve", "exec_tools", "evaluate", END]
    )
    builder.add_edge("approve", "exec_tools")
    builder.add_conditional_edges("exec_tools", routes.after_exec_tools, ["await_remote", "evaluate"])
    builder.add_edge("await_remote", "evaluate")
    builder.add_conditional_edges("evaluate", routes.after_evaluate, ["check", END])
    return builder.compile(checkpointer=checkpointer)
