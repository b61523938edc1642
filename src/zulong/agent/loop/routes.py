"""Where the loop goes next: pure functions of the state, and nothing else."""

from __future__ import annotations

from zulong.agent.loop.state import LoopState
from zulong.stategraph.constants import END


def after_check(state: LoopState) -> str:
    """End, or let the model speak."""
    return END if state.get("outcome") else "call_model"


def after_call_model(state: LoopState) -> str:
    """End, ask for approval, make the calls, or look at the reply."""
    if state.get("outcome"):
        return END
    if any(call.get("approve") for call in state["calls"]):
        return "approve"
    return "exec_tools" if state["calls"] else "evaluate"


def after_exec_tools(state: LoopState) -> str:
    """Wait for remote calls, or look at the turn."""
    return "await_remote" if state["remote"] else "evaluate"


def after_evaluate(state: LoopState) -> str:
    """End, or take another turn."""
    return END if state.get("outcome") else "check"
