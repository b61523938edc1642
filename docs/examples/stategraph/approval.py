"""A robot asks before it moves: interrupt, restart, answer.

With LangGraph the imports would read `langgraph.graph`, `langgraph.types` and a saver of your choice; nothing
else would change.
"""

import tempfile
from typing import TypedDict

from zulong.stategraph.checkpoint.lmdb import LmdbSaver
from zulong.stategraph.graph import END, START, StateGraph
from zulong.stategraph.types import Command, interrupt


class Errand(TypedDict, total=False):
    request: str
    approved: bool
    report: str


def ask(errand: Errand) -> Errand:
    return {"approved": interrupt(f"May I {errand['request']}?")}


def act(errand: Errand) -> Errand:
    return {"report": f"I did {errand['request']}."}


def refuse(errand: Errand) -> Errand:
    return {"report": "Then I stay here."}


builder = StateGraph(Errand).add_node(ask).add_node(act).add_node(refuse).add_edge(START, "ask")
builder.add_conditional_edges("ask", lambda e: "act" if e["approved"] else "refuse", ["act", "refuse"])
builder.add_edge("act", END).add_edge("refuse", END)


def main() -> str:
    folder = tempfile.mkdtemp()
    thread = {"configurable": {"thread_id": "errand-1"}}

    saver = LmdbSaver(folder)
    asked = builder.compile(checkpointer=saver).invoke({"request": "fetch the red cup"}, thread, version="v2")
    print("asked:", asked.interrupts[0].value)
    saver.close()  # the robot is switched off here

    saver = LmdbSaver(folder)
    done = builder.compile(checkpointer=saver).invoke(Command(resume=True), thread)
    saver.close()
    print("report:", done["report"])
    return done["report"]


if __name__ == "__main__":
    main()
