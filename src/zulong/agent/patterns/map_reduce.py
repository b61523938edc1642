"""Map-reduce: a job is split into parts found at run time, worked on in parallel, and put together."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Annotated, Any, TypedDict

from zulong.agent.patterns.speaking import PatternError, Retry, go_on_unless_canceled
from zulong.stategraph.constants import END, START
from zulong.stategraph.graph.state import StateGraph
from zulong.stategraph.types import Send


def _collect(left: list[Any] | None, right: list[Any] | None) -> list[Any]:
    """Join what the branches bring; None begins anew, for the next job of a thread."""
    return [] if right is None else [*(left or []), *right]


class MapReduceState(TypedDict, total=False):
    """The state: the job and what it is split into, (position, result) of each part, and the whole."""

    job: Any
    pieces: list[Any]
    parts: Annotated[list[Any], _collect]
    result: Any


def map_reduce(
    split: Callable[[Any], Sequence[Any]],
    work: Callable[[Any], Any],
    reduce: Callable[[list[Any]], Any],
    *,
    checkpointer: Any = None,
    retry: Retry = None,
) -> Any:
    """Return the compiled graph; invoke it with ``{"job": ...}`` and read ``result``.

    A part whose work raises ends the run; with a checkpointer the other parts' results are kept, and
    ``invoke(None, config)`` makes only what is missing. ``max_concurrency`` in the config limits how many parts
    are worked on at once.

    Args:
        split: returns the parts of a job; there may be none.
        work: returns the result of one part; called in parallel.
        reduce: puts the results together; they come in the order of the parts.
        checkpointer: where threads live.
        retry: how often a part that raises is tried again.

    Raises:
        PatternError: when running: there is no job.
    """

    def split_job(state: MapReduceState) -> dict[str, Any]:
        if "job" not in state:
            raise PatternError('There is nothing to do: invoke({"job": ...}).')
        return {"pieces": list(split(state["job"])), "parts": None}

    def fan_out(state: MapReduceState) -> Any:
        return [Send("work", {"position": n, "part": p}) for n, p in enumerate(state["pieces"])] or "reduce"

    def work_on(task: dict[str, Any]) -> dict[str, Any]:
        go_on_unless_canceled()
        return {"parts": [[task["position"], work(task["part"])]]}

    def put_together(state: MapReduceState) -> dict[str, Any]:
        parts = sorted(state.get("parts") or [], key=lambda part: int(part[0]))
        return {"result": reduce([result for _, result in parts])}

    builder: Any = StateGraph(MapReduceState)
    builder.add_node("split", split_job)
    builder.add_node("work", work_on, input_schema=dict, retry_policy=retry)
    builder.add_node("reduce", put_together)
    builder.add_edge(START, "split")
    builder.add_conditional_edges("split", fan_out, ["work", "reduce"])
    builder.add_edge("work", "reduce")
    builder.add_edge("reduce", END)
    return builder.compile(checkpointer=checkpointer)
