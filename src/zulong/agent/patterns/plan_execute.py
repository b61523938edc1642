"""Plan and execute: a list of steps, done one by one, with a look at the plan after each."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Annotated, Any, TypedDict

from zulong.stategraph.channels import AppendLog
from zulong.stategraph.constants import END, START
from zulong.stategraph.graph.state import StateGraph
from zulong.stategraph.types import Command


class PlanState(TypedDict, total=False):
    """The state: the goal, the steps left, (step, result) of those done, and the answer."""

    goal: str
    steps: list[str]
    done: Annotated[list[list[str]], AppendLog]
    answer: str


Done = Sequence[Sequence[str]]


def plan_and_execute(
    plan: Callable[[str], Sequence[str]],
    execute: Callable[[str, Done], str],
    conclude: Callable[[str, Done], str],
    replan: Callable[[str, Done, Sequence[str]], Sequence[str]] | None = None,
    *,
    max_steps: int = 25,
    checkpointer: Any = None,
) -> Any:
    """Return the compiled graph; invoke it with ``{"goal": ...}`` and read ``answer``.

    Args:
        plan: returns the steps to a goal.
        execute: does a step, given what was done before, and returns its result.
        conclude: words the answer from what was done.
        replan: given goal, what was done and what is left, returns what is left now; None keeps the plan.
        max_steps: most steps that are done, however often the plan changes.
        checkpointer: where threads live.
    """

    def make_plan(state: PlanState) -> dict[str, Any]:
        return {"steps": list(plan(state["goal"]))}

    def do_step(state: PlanState) -> Command[str]:
        done = state.get("done") or []
        if not state["steps"] or len(done) >= max_steps:
            return Command(goto="conclude")
        step, *left = state["steps"]
        result = execute(step, done)
        target = "replan" if replan is not None else "execute"
        return Command(goto=target, update={"done": [[step, result]], "steps": left})

    def look_again(state: PlanState) -> dict[str, Any]:
        assert replan is not None  # noqa: S101 - nobody comes here without it
        return {"steps": list(replan(state["goal"], state["done"], state["steps"]))}

    def word_answer(state: PlanState) -> dict[str, Any]:
        return {"answer": conclude(state["goal"], state.get("done") or [])}

    builder: Any = StateGraph(PlanState)
    builder.add_node("plan", make_plan)
    builder.add_node("execute", do_step, destinations=("replan", "execute", "conclude"))
    builder.add_node("replan", look_again)
    builder.add_node("conclude", word_answer)
    builder.add_edge(START, "plan")
    builder.add_edge("plan", "execute")
    builder.add_edge("replan", "execute")
    builder.add_edge("conclude", END)
    return builder.compile(checkpointer=checkpointer)
