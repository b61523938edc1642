"""A log that grows for ever: a step costs what it adds, and a fork sees exactly its own branch."""

import tempfile
from typing import Annotated, Any, TypedDict

from zulong.stategraph.channels import AppendLog
from zulong.stategraph.checkpoint.lmdb import LmdbSaver
from zulong.stategraph.graph import END, START, StateGraph


class Patrol(TypedDict):
    round: int
    seen: Annotated[list[str], AppendLog]  # in LangGraph: Annotated[list[str], operator.add]


def look(patrol: Patrol) -> dict[str, Any]:
    return {"round": patrol["round"] + 1, "seen": [f"round {patrol['round']}: nothing new"]}


builder = StateGraph(Patrol).add_node(look).add_edge(START, "look")
builder.add_conditional_edges("look", lambda p: "look" if p["round"] < 20 else END)


def main() -> tuple[int, list[str]]:
    saver = LmdbSaver(tempfile.mkdtemp())
    graph = builder.compile(checkpointer=saver)
    thread = {"configurable": {"thread_id": "night"}, "recursion_limit": 100}
    whole = graph.invoke({"round": 0, "seen": ["start"]}, thread)
    print("the night has", len(whole["seen"]), "entries")

    earlier = next(s for s in graph.get_state_history(thread) if s.values.get("round") == 18)
    fork = graph.update_state(earlier.config, {"seen": ["a window is open"]})
    other = graph.invoke(None, {**thread, **fork})
    print("the other night ends with", other["seen"][-3:])
    saver.close()
    return len(whole["seen"]), other["seen"][-3:]


if __name__ == "__main__":
    main()
