"""Where the loop goes next: pure functions of the state, and nothing else.

    accept -> check -> call_model -> [approve] -> exec_tools -> [await_remote] -> evaluate -> done | continue | force

*Done* is the end; *continue* leads to check, which looks at limits and signals before every reply of the model;
*force* is a verdict of check: the model is called once more without tools, and what it says then is the end. A
freeze leads to hold from wherever it is noticed, and back again.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from zulong.agent.loop.state import LoopState
from zulong.stategraph.constants import END


def after_accept(state: LoopState) -> str:
    """End when the surroundings forbid going on, else begin."""
    return END if state.get("outcome") else "check"


def after_check(state: LoopState) -> str:
    """End, wait while frozen, or let the model speak."""
    return _way_out(state) or "call_model"


def after_call_model(state: LoopState) -> str:
    """End, wait while frozen, ask for approval, make the calls, or look at the reply."""
    out = _way_out(state)
    if out is not None:
        return out
    calls = state["turn"]["calls"]
    if any(call.get("approve") for call in calls):
        return "approve"
    return "exec_tools" if calls else "evaluate"


def after_exec_tools(state: LoopState) -> str:
    """Wait while frozen, wait for remote calls, or look at the turn."""
    return _way_out(state) or _waits(state)


def after_await_remote(state: LoopState) -> str:
    """End, wait for what is still under way, or look at the turn."""
    return END if state.get("outcome") else _waits(state)


def after_evaluate(state: LoopState) -> str:
    """Done, or continue."""
    return END if state.get("outcome") else "check"


def after_hold(state: LoopState) -> str:
    """End, or go back to where the freeze was noticed, or to where its verdict leads."""
    return END if state.get("outcome") else str(state["hold"]["back"])


def always(target: str) -> Callable[[LoopState], str]:
    """Return the route that leads to one node whatever the state."""
    return lambda state: target


def _way_out(state: LoopState) -> str | None:
    if state.get("outcome"):
        return END
    return "hold" if (state.get("hold") or {}).get("frozen") else None


def _waits(state: LoopState) -> str:
    return "await_remote" if state["turn"].get("remote") else "evaluate"


# Where each node may lead, and the function that says where it does.
ROUTES: Mapping[str, tuple[Callable[[LoopState], str], tuple[str, ...]]] = {
    "accept": (after_accept, ("check", END)),
    "check": (after_check, ("call_model", "hold", END)),
    "call_model": (after_call_model, ("approve", "exec_tools", "evaluate", "hold", END)),
    "approve": (always("exec_tools"), ("exec_tools",)),
    "exec_tools": (after_exec_tools, ("await_remote", "evaluate", "hold", END)),
    "await_remote": (after_await_remote, ("await_remote", "evaluate", END)),
    "evaluate": (after_evaluate, ("check", END)),
    "hold": (after_hold, ("check", "call_model", "exec_tools", "evaluate", END)),
}
