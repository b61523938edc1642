"""Runs a group chat inside a supervisor; the first life ends with kill -9 in the second turn. A program for a test."""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path

from zulong.agent.patterns import Agent, group_chat, pattern_agent, supervisor
from zulong.stategraph.checkpoint.lmdb import LmdbSaver

THREAD = {"configurable": {"thread_id": "1"}}


def turn(name: str, folder: Path) -> Agent:
    def speak(messages) -> str:
        with (folder / "turns").open("a") as file:
            file.write(name + "\n")
        if name == "second" and not (folder / "killed").exists():
            (folder / "killed").touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return f"{name} done"

    return Agent(name, speak)


def live(folder: Path) -> str:
    chat = group_chat([turn("first", folder), turn("second", folder)], max_rounds=2)
    graph = supervisor(
        [pattern_agent("team", chat)],
        lambda messages: "team" if len(messages) == 1 else None,
        checkpointer=LmdbSaver(folder / "threads"),
    )
    begun = graph.get_state(THREAD).next
    given = None if begun else {"messages": [{"role": "user", "content": "go"}]}
    return str(graph.invoke(given, THREAD, durability="sync")["messages"][-1]["content"])


if __name__ == "__main__":
    print(live(Path(sys.argv[1])))
