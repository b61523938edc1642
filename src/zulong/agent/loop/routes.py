"""Where the loop goes next: pure functions of the state, and nothing else."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from zulong.agent.loop.state import LoopState
from zulong.stategraph.constants import END


def after_accept(state: LoopState) -> str:
    """End when the surroundings forbid going on, else begin."""
    return END if state.get("outcome") else "check"


def after_check(state: LoopState) -> str:
    """End, or let the model speak."""
    return END if state.get("outcome") else "call_model"


def after_call_model(state: LoopState) -> str:
    """End, ask for approval, make the calls, or look at the reply."""
    if state.get("outcome"):
        return END
    calls = state["turn"]["calls"]
    if any(call.get("approve") for call in calls):
        return "approve"
    return "exec_tools" if calls else "evaluate"


def after_exec_tools(state: LoopState) -> str:
    """Wait for remote calls, or look at the turn."""
    return "await_remote" if state["turn"]["remote"] else "evaluate"


def after_evaluate(state: LoopState) -> str:
    """End, or let the model speak again."""
    return END if state.get("outcome") else "call_model"


def always(target: str) -> Callable[[LoopState], str]:
    """Return the route that leads to one node whatever the state."""
    return lambda state: target


# Where each node may lead, and the function that says where it does.
ROUTES: Mapping[str, tuple[Callable[[LoopState], str], tuple[str, ...]]] = {
    "accept": (after_accept, ("check", END)),
    "check": (after_check, ("call_model", END)),
    "call_model": (after_call_model, ("approve", "exec_tools", "evaluate", END)),
    "approve": (always("exec_tools"), ("exec_tools",)),
    "exec_tools": (after_exec_tools, ("await_remote", "evaluate")),
    "await_remote": (always("evaluate"), ("evaluate",)),
    "evaluate": (after_evaluate, ("call_model", END)),
}
