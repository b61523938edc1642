"""A crew: roles, and a list of tasks that build on each other's results."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, TypedDict

from zulong.agent.patterns.speaking import Agent, PatternError, Retry, by_name, check_name
from zulong.stategraph.constants import END, START
from zulong.stategraph.graph.state import StateGraph
from zulong.tasks import CycleError, TaskGraph


@dataclass(slots=True, frozen=True)
class CrewTask:
    """One task.

    Attributes:
        name: unique.
        description: what is to be done; ``{goal}`` stands for the crew's goal.
        role: name of the agent that does it.
        after: names of the tasks whose results it needs; tasks that need nothing of each other run together.
    """

    name: str
    description: str
    role: str
    after: tuple[str, ...] = ()


def _merge(left: dict[str, str] | None, right: dict[str, str]) -> dict[str, str]:
    return {**(left or {}), **right}


class CrewState(TypedDict, total=False):
    """The state: the goal, and each task's result by name."""

    goal: str
    results: Annotated[dict[str, str], _merge]


def crew(
    roles: Sequence[Agent], tasks: Sequence[CrewTask], *, checkpointer: Any = None, retry: Retry = None
) -> Any:
    """Return the compiled graph of a crew; invoke it with ``{"goal": ...}`` and read ``results``.

    Args:
        roles: who works.
        tasks: what is to be done; a task whose agent raises ends the run, and what others have done meanwhile
            is kept: with a checkpointer ``invoke(None, config)`` makes only what is missing.
        checkpointer: where threads live.
        retry: how often a task that raises is tried again.

    Raises:
        PatternError: a role, a task or a name is missing or double, or the tasks wait for each other in a
            circle; when running: there is no goal.
    """
    named = by_name(roles)
    _check(tasks, named)
    builder: Any = StateGraph(CrewState)
    needed = {name for task in tasks for name in task.after}
    for task in tasks:
        builder.add_node(task.name, _work(task, named[task.role]), retry_policy=retry)
        if task.after:
            builder.add_edge(list(task.after), task.name)
        else:
            builder.add_edge(START, task.name)
        if task.name not in needed:
            builder.add_edge(task.name, END)
    return builder.compile(checkpointer=checkpointer)


def _work(task: CrewTask, agent: Agent) -> Callable[[CrewState], dict[str, Any]]:
    def work(state: CrewState) -> dict[str, Any]:
        if "goal" not in state:
            raise PatternError('A crew needs a goal: invoke({"goal": "..."}).')
        results = state.get("results") or {}
        given = [
            {"role": "user", "name": name, "content": f"Result of {name}: {results[name]}"}
            for name in task.after
        ]
        asked = {"role": "user", "content": task.description.replace("{goal}", str(state["goal"]))}
        return {"results": {task.name: agent.answer([*given, asked]).text}}

    return work


def _check(tasks: Sequence[CrewTask], named: Mapping[str, Agent]) -> None:
    graph = TaskGraph()
    if not tasks:
        raise PatternError("A crew needs at least one task.")
    for task in tasks:
        check_name(task.name)
        if task.role not in named:
            raise PatternError(f"Task {task.name!r} is for {task.role!r}; there are {', '.join(named)}.")
        if task.name in graph:
            raise PatternError(f"Two tasks are called {task.name!r}.")
        graph.add_node(task.description, id=task.name)
    for task in tasks:
        for name in task.after:
            if name not in graph:
                raise PatternError(f"Task {task.name!r} needs {name!r}, which is no task of this crew.")
            try:
                graph.add_dependency(task.name, name)
            except CycleError as error:
                raise PatternError(f"The tasks wait for each other: {' -> '.join(error.cycle)}.") from error
