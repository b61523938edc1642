"""Map-reduce: a job is split into parts found at run time, worked on in parallel, and put together."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Annotated, Any, TypedDict

from zulong.stategraph.constants import END, START
from zulong.stategraph.graph.state import StateGraph
from zulong.stategraph.types import Send


def _collect(left: list[Any] | None, right: list[Any]) -> list[Any]:
    return [*(left or []), *right]


class MapReduceState(TypedDict, total=False):
    """The state: the job, (position, result) of each part, and the whole."""

    job: Any
    parts: Annotated[list[Any], _collect]
    result: Any


def map_reduce(
    split: Callable[[Any], Sequence[Any]],
    work: Callable[[Any], Any],
    reduce: Callable[[list[Any]], Any],
    *,
    checkpointer: Any = None,
) -> Any:
    """Return the compiled graph; invoke it with ``{"job": ...}`` and read ``result``.

    Args:
        split: returns the parts of a job; there may be none.
        work: returns the result of one part; called in parallel.
        reduce: puts the results together; they come in the order of the parts.
        checkpointer: where threads live.
    """

    def fan_out(state: MapReduceState) -> Any:
        sends = [Send("work", {"position": n, "part": part}) for n, part in enumerate(split(state["job"]))]
        return sends or "reduce"

    def work_on(task: dict[str, Any]) -> dict[str, Any]:
        return {"parts": [[task["position"], work(task["part"])]]}

    def put_together(state: MapReduceState) -> dict[str, Any]:
        parts = sorted(state.get("parts") or [], key=lambda part: int(part[0]))
        return {"result": reduce([result for _, result in parts])}

    builder: Any = StateGraph(MapReduceState)
    builder.add_node("work", work_on, input_schema=dict)
    builder.add_node("reduce", put_together)
    builder.add_conditional_edges(START, fan_out, ["work", "reduce"])
    builder.add_edge("work", "reduce")
    builder.add_edge("reduce", END)
    return builder.compile(checkpointer=checkpointer)
