"""What the kill tests run: small graphs with side effects, in a child that is killed at a numbered point.

A point is the entry into any function of the engine or the saver, so the numbers cover every place between
two of their actions.
"""

from __future__ import annotations

import operator
import os
import shutil
import signal
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any, TypedDict

from zulong.stategraph import END, START, Command, Runtime, Send, StateGraph, entrypoint, task
from zulong.stategraph.channels import AppendLog
from zulong.stategraph.checkpoint.lmdb import LmdbSaver

CONFIG: dict[str, Any] = {"configurable": {"thread_id": "1"}}
CHILD_S = 30.0


class State(TypedDict, total=False):
    n: int
    total: Annotated[int, operator.add]
    log: Annotated[list[str], AppendLog]


class World:
    """The world outside: it does a thing once per idempotency key, however often it is asked."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir(exist_ok=True)

    def act(self, runtime: Runtime[Any], what: str) -> None:
        """Do `what` in the name of the running task."""
        info = runtime.execution_info
        assert info is not None
        path = self.folder / f"{what}-{info.task_id}"
        try:
            os.close(os.open(path, os.O_CREAT | os.O_EXCL))
        except FileExistsError:
            pass  # asked again under the same key

    def done(self) -> dict[str, int]:
        """How often each thing was done."""
        counts: dict[str, int] = {}
        for name in os.listdir(self.folder):
            what = name.split("-")[0]
            counts[what] = counts.get(what, 0) + 1
        return counts


def loop(world: World, saver: Any) -> Any:
    """A counter that goes round twelve times and appends to a log."""

    def step(s: State, runtime: Runtime[None]) -> Any:
        world.act(runtime, "step")
        return {"n": s["n"] + 1, "total": s["n"], "log": [f"step {s['n']}"]}

    graph = StateGraph(State).add_node(step).add_edge(START, "step")
    return graph.add_conditional_edges("step", lambda s: "step" if s["n"] < 12 else END).compile(
        checkpointer=saver
    )


def parallel(world: World, saver: Any) -> Any:
    """Fan out, join, and fan out again by sends."""
    graph = StateGraph(State)
    for name in ("left", "middle", "right"):

        def branch(s: State, runtime: Runtime[None], name: str = name) -> Any:
            world.act(runtime, name)
            return {"total": 1, "log": [name]}

        graph.add_node(name, branch).add_edge(START, name)

    def work(item: Any, runtime: Runtime[None]) -> Any:
        world.act(runtime, "work")
        return {"total": item, "log": [f"work {item}"]}

    graph.add_node("join", lambda s: Command(goto=[Send("work", i) for i in range(4)], update={"n": 1}))
    graph.add_node("work", work).add_edge(["left", "middle", "right"], "join")
    return graph.compile(checkpointer=saver)


def nested(world: World, saver: Any) -> Any:
    """A subgraph with its own steps between two nodes."""

    def acting(name: str) -> Callable[..., Any]:
        def node(s: State, runtime: Runtime[None]) -> Any:
            world.act(runtime, name)
            return {"total": 1, "log": [name]}

        return node

    inner = StateGraph(State).add_node("one", acting("one")).add_node("two", acting("two"))
    sub = inner.add_edge(START, "one").add_edge("one", "two").compile()

    def call(s: State) -> Any:
        return {"log": sub.invoke({"log": []})["log"][-2:]}

    outer = (
        StateGraph(State)
        .add_node("first", acting("first"))
        .add_node("call", call)
        .add_node("last", acting("last"))
    )
    outer.add_edge(START, "first").add_edge("first", "call").add_edge("call", "last")
    return outer.compile(checkpointer=saver)


def functional(world: World, saver: Any) -> Any:
    """A workflow whose tasks call tasks."""

    @task
    def leaf(i: int) -> int:
        world.act(_runtime(), "leaf")
        return i * 10

    @task
    def branch(i: int) -> int:
        world.act(_runtime(), "branch")
        return leaf(i).result() + leaf(i + 1).result()

    @entrypoint(checkpointer=saver)
    def flow(given: dict[str, Any]) -> Any:
        return [f.result() for f in [branch(1), branch(5)]]

    return flow


def _runtime() -> Any:
    from zulong.stategraph.runtime import get_runtime

    return get_runtime()


GRAPHS: dict[str, Callable[[World, Any], Any]] = {
    "loop": loop,
    "parallel": parallel,
    "nested": nested,
    "functional": functional,
}
INPUT: dict[str, Any] = {"n": 0, "total": 0, "log": ["start"]}


def plain(output: Any) -> Any:
    """An output as plain values, to compare."""
    return (
        {k: list(v) if k == "log" else v for k, v in output.items()} if isinstance(output, dict) else output
    )


def _count_points(limit: int) -> Callable[[], int]:
    """Count entries into the engine and the saver in all threads; at `limit` this process kills itself."""
    import threading

    passed = [0]

    def profile(frame: Any, event: str, arg: Any) -> None:
        if event == "call" and "zulong/stategraph" in frame.f_code.co_filename:
            passed[0] += 1
            if passed[0] == limit:
                os.kill(os.getpid(), signal.SIGKILL)

    threading.setprofile(profile)
    sys.setprofile(profile)
    return lambda: passed[0]


def run_and_die(name: str, folder: Path, durability: str, limit: int) -> int | None:
    """Run a graph in a forked child that dies at point `limit`; returns how many points a whole run has, None
    if the child was killed."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            saver = LmdbSaver(folder / "saved")
            graph = GRAPHS[name](World(folder / "world"), saver)
            points = _count_points(limit)
            graph.invoke(INPUT, CONFIG, durability=durability)
            sys.setprofile(None)
            os.write(writing, str(points()).encode())
        finally:
            os._exit(0)
    os.close(writing)
    try:
        status = _wait(child)
        text = os.read(reading, 100)
    finally:
        os.close(reading)
    if os.WIFSIGNALED(status):
        assert os.WTERMSIG(status) == signal.SIGKILL
        return None
    assert text, "the child ended without finishing its run"
    return int(text)


def _wait(child: int) -> int:
    deadline = time.monotonic() + CHILD_S
    while time.monotonic() < deadline:
        ended, status = os.waitpid(child, os.WNOHANG)
        if ended:
            return status
        time.sleep(0.002)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    raise TimeoutError(f"The child did not end within {CHILD_S:g} s.")


def resume(name: str, folder: Path) -> tuple[Any, dict[str, int]]:
    """Go on where the killed run was (or begin, if it left nothing); returns the output and what was done."""
    world = World(folder / "world")
    saver = LmdbSaver(folder / "saved")
    try:
        graph = GRAPHS[name](world, saver)
        begun = graph.get_state(CONFIG).created_at is not None
        output = plain(graph.invoke(None if begun else INPUT, CONFIG))
        assert graph.get_state(CONFIG).next == ()
        return output, world.done()
    finally:
        saver.close()


def round_of(name: str, folder: Path, durability: str, limit: int) -> tuple[Any, dict[str, int]]:
    """One kill and resume in a folder of its own."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    run_and_die(name, folder, durability, limit)
    return resume(name, folder)
