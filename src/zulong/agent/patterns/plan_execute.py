"""Plan and execute: a list of steps, done one by one, with a look at the plan after each."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypedDict

from zulong.agent.patterns.speaking import PatternError, Retry, go_on_unless_canceled
from zulong.stategraph.constants import END, START
from zulong.stategraph.graph.state import StateGraph
from zulong.stategraph.types import Command


class PlanState(TypedDict, total=False):
    """The state of one goal: the steps left, (step, result) of those done, the answer.

    ``ended`` tells why the last run ended: ``done``, or ``max_steps``.
    """

    goal: str
    steps: list[str]
    done: list[list[str]]
    answer: str
    ended: str


Done = Sequence[Sequence[str]]


def plan_and_execute(
    plan: Callable[[str], Sequence[str]],
    execute: Callable[[str, Done], str],
    conclude: Callable[[str, Done], str],
    replan: Callable[[str, Done, Sequence[str]], Sequence[str]] | None = None,
    *,
    max_steps: int = 25,
    checkpointer: Any = None,
    retry: Retry = None,
) -> Any:
    """Return the compiled graph; invoke it with ``{"goal": ...}`` and read ``answer``.

    Args:
        plan: returns the steps to a goal.
        execute: does a step, given what was done before, and returns its result.
        conclude: words the answer from what was done.
        replan: given goal, what was done and what is left, returns what is left now; None keeps the plan.
        max_steps: most steps that are done, however often the plan changes.
        checkpointer: where threads live; a thread takes one goal after another.
        retry: how often a part that raises is tried again.

    Raises:
        PatternError: when running: there is no goal, or a plan is no list.
    """

    def make_plan(state: PlanState) -> dict[str, Any]:
        if "goal" not in state:
            raise PatternError('There is no goal: invoke({"goal": "..."}).')
        go_on_unless_canceled()
        return {"steps": listed(plan(state["goal"]), "plan"), "done": [], "ended": ""}

    def do_step(state: PlanState) -> Command[str]:
        go_on_unless_canceled()
        done = state["done"]
        if not state["steps"] or len(done) >= max_steps:
            return Command(goto="conclude", update={"ended": "max_steps" if state["steps"] else "done"})
        step, *left = state["steps"]
        result = execute(step, done)
        target = "replan" if replan is not None else "execute"
        return Command(goto=target, update={"done": [*done, [step, result]], "steps": left})

    def look_again(state: PlanState) -> dict[str, Any]:
        assert replan is not None  # noqa: S101 - nobody comes here without it
        go_on_unless_canceled()
        return {"steps": listed(replan(state["goal"], state["done"], state["steps"]), "replan")}

    def word_answer(state: PlanState) -> dict[str, Any]:
        return {"answer": conclude(state["goal"], state["done"])}

    builder: Any = StateGraph(PlanState)
    builder.add_node("plan", make_plan, retry_policy=retry)
    targets = ("replan", "execute", "conclude")
    builder.add_node("execute", do_step, destinations=targets, retry_policy=retry)
    builder.add_node("replan", look_again, retry_policy=retry)
    builder.add_node("conclude", word_answer, retry_policy=retry)
    builder.add_edge(START, "plan")
    builder.add_edge("plan", "execute")
    builder.add_edge("replan", "execute")
    builder.add_edge("conclude", END)
    return builder.compile(checkpointer=checkpointer)


def listed(steps: Any, who: str) -> list[Any]:
    """Return steps as a list of their own. Raises :class:`PatternError` when they are no list."""
    if isinstance(steps, (str, bytes)) or not isinstance(steps, Iterable):
        raise PatternError(f"{who} must return a list of steps, got {repr(steps)[:80]}.")
    return list(steps)
