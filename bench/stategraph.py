"""Measures the StateGraph against the newest LangGraph, interleaved, in CPU time.

    python bench/stategraph.py [--quick] [--only FIGURE]

Standard output has one JSON line a figure, {"figure", "ours", "peer", "ratio", "unit"} with ratio = ours/peer;
standard error has a table. Each side runs in a process of its own, so that neither's imports, threads nor
garbage weigh on the other; rounds alternate between the two, and the median of the CPU times counts.
"""

from __future__ import annotations

import argparse
import json
import operator
import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any, TypedDict

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent

#: figure -> (goal for the ratio, unit, rounds, rounds with --quick)
FIGURES: dict[str, tuple[float, str, int, int]] = {
    "superstep": (0.25, "us", 15, 5),
    "superstep_memory_saver_sync": (0.25, "us", 15, 5),
    "superstep_lmdb_sync": (0.35, "us", 15, 11),  # the disk makes single rounds differ
    "chain_1000": (0.2, "ms", 7, 3),
    "fanout_100": (0.25, "ms", 15, 5),
    "fanout_1000": (0.25, "ms", 7, 3),
    "append_400x1kB_bytes": (2.0, "bytes on disk / bytes of data", 1, 1),
    "append_onto_10000": (0.02, "us", 15, 5),
    "import_time": (0.2, "ms", 9, 5),
}


# -- what is measured; runs in a child process, `side` is "ours" or "peer" ----------------------------


def modules(side: str) -> Any:
    """The names that both sides have."""
    base = "zulong.stategraph" if side == "ours" else "langgraph"
    from importlib import import_module
    from types import SimpleNamespace

    graph = import_module(f"{base}.graph")
    types = import_module(f"{base}.types")
    return SimpleNamespace(base=base, StateGraph=graph.StateGraph, START=graph.START, Send=types.Send)


def loop_graph(m: Any, saver: Any = None) -> Any:
    """One key, one node that counts to the input's limit in a loop."""

    class State(TypedDict):
        x: int

    builder = m.StateGraph(State)
    builder.add_node("a", lambda state: {"x": state["x"] + 1})
    builder.add_node("b", lambda state: {"x": state["x"] + 1})
    builder.add_edge(m.START, "a")
    builder.add_edge("a", "b")
    builder.add_conditional_edges("b", lambda state: "a" if state["x"] < 200 else "__end__", ["a", "__end__"])
    return builder.compile(checkpointer=saver)


def superstep(m: Any) -> tuple[Callable[[], Any], float]:
    graph = loop_graph(m)
    return lambda: graph.invoke({"x": 0}, {"recursion_limit": 1000}), 200 / 1e6


def superstep_memory_saver_sync(m: Any) -> tuple[Callable[[], Any], float]:
    from importlib import import_module

    saver = import_module(f"{m.base}.checkpoint.memory").InMemorySaver()
    return _saved(loop_graph(m, saver)), 200 / 1e6


def superstep_lmdb_sync(m: Any) -> tuple[Callable[[], Any], float]:
    folder = tempfile.mkdtemp(prefix="zulong-bench-")
    saver: Any
    if m.base == "langgraph":
        import sqlite3

        from langgraph.checkpoint.sqlite import SqliteSaver

        connection = sqlite3.connect(f"{folder}/peer.sqlite", check_same_thread=False)
        saver = SqliteSaver(connection)
        saver.setup()
        # Equal durability: a commit is on the disk when it returns, as with LMDB.
        connection.execute("PRAGMA synchronous=FULL")
    else:
        from zulong.stategraph.checkpoint.lmdb import LmdbSaver

        saver = LmdbSaver(f"{folder}/ours")
    return _saved(loop_graph(m, saver)), 200 / 1e6


def _saved(graph: Any) -> Callable[[], Any]:
    threads = iter(range(1_000_000))

    def run() -> None:
        config = {"recursion_limit": 1000, "configurable": {"thread_id": str(next(threads))}}
        graph.invoke({"x": 0}, config, durability="sync")

    return run


def chain_1000(m: Any) -> tuple[Callable[[], Any], float]:
    class State(TypedDict):
        x: int

    builder = m.StateGraph(State)
    before = m.START
    for i in range(1000):
        builder.add_node(f"n{i}", lambda state: {"x": state["x"] + 1})
        builder.add_edge(before, f"n{i}")
        before = f"n{i}"
    graph = builder.compile()
    return lambda: graph.invoke({"x": 0}, {"recursion_limit": 2000}), 1 / 1e3


def fanout(m: Any, width: int) -> tuple[Callable[[], Any], float]:
    class State(TypedDict):
        n: int
        done: Annotated[list[int], operator.add]

    builder = m.StateGraph(State)
    builder.add_node("plan", lambda state: {})
    builder.add_node("work", lambda item: {"done": [item["i"]]})
    builder.add_node("gather", lambda state: {})
    builder.add_edge(m.START, "plan")
    builder.add_conditional_edges(
        "plan", lambda state: [m.Send("work", {"i": i}) for i in range(state["n"])], ["work"]
    )
    builder.add_edge("work", "gather")
    graph = builder.compile()
    return lambda: graph.invoke({"n": width, "done": []}), 1 / 1e3


def append_onto_10000(m: Any) -> tuple[Callable[[], Any], float]:
    from importlib import import_module

    message = import_module(f"{m.base}.graph.message")
    if m.base == "langgraph":
        from langchain_core.messages import HumanMessage

        many: Any = [HumanMessage(content=f"message {i}", id=str(i)) for i in range(10_000)]
        one: Any = HumanMessage(content="one more", id="new")
    else:
        many = [{"role": "user", "content": f"message {i}", "id": str(i)} for i in range(10_000)]
        one = {"role": "user", "content": "one more", "id": "new"}
    have = message.add_messages([], many)
    repeat = 20 if m.base == "langgraph" else 200

    def run() -> None:
        for _ in range(repeat):
            message.add_messages(have, [one])

    return run, repeat / 1e6


def append_400x1kB_bytes(side: str) -> float:
    """Bytes on disk over bytes of data: 400 steps that each add a text of 1 kB to a list."""
    import random
    import string

    chance = random.Random(7)
    texts = ["".join(chance.choices(string.ascii_letters, k=1000)) for _ in range(400)]
    folder = Path(tempfile.mkdtemp(prefix="zulong-bench-"))
    m = modules(side)
    saver: Any
    reducer: Any
    if side == "ours":
        from zulong.stategraph.channels.delta import AppendLog
        from zulong.stategraph.checkpoint.lmdb import LmdbSaver

        saver, reducer = LmdbSaver(folder / "ours"), AppendLog
    else:
        import sqlite3

        from langgraph.checkpoint.sqlite import SqliteSaver

        saver, reducer = (
            SqliteSaver(sqlite3.connect(folder / "peer.sqlite", check_same_thread=False)),
            operator.add,
        )

    State = TypedDict("State", {"i": int, "log": Annotated[list[str], reducer]})  # noqa: UP013 - made at run time
    builder = m.StateGraph(State)
    builder.add_node("add", lambda state: {"i": state["i"] + 1, "log": [texts[state["i"]]]})
    builder.add_edge(m.START, "add")
    builder.add_conditional_edges(
        "add", lambda state: "add" if state["i"] < 400 else "__end__", ["add", "__end__"]
    )
    graph = builder.compile(checkpointer=saver)
    config = {"recursion_limit": 1000, "configurable": {"thread_id": "1"}}
    out = graph.invoke({"i": 0, "log": []}, config, durability="sync")
    assert len(out["log"]) == 400
    if hasattr(saver, "close"):
        saver.close()
    # What the disk really holds: LMDB's map file is sparse.
    used = sum(f.stat().st_blocks * 512 for f in folder.rglob("*") if f.is_file() and "lock" not in f.name)
    return used / 400_000


IMPORTS = {
    side: f"from {base}.graph import StateGraph, START, END; from {base}.types import Command, Send, interrupt"
    for side, base in (("ours", "zulong.stategraph"), ("peer", "langgraph"))
}


def serve(side: str) -> None:
    """The child: for each line `figure` on stdin, one round; answers with its CPU seconds (or value)."""
    import gc
    import time

    ready: dict[str, tuple[Callable[[], Any], float]] = {}
    makers: dict[str, Callable[[Any], tuple[Callable[[], Any], float]]] = {
        "superstep": superstep,
        "superstep_memory_saver_sync": superstep_memory_saver_sync,
        "superstep_lmdb_sync": superstep_lmdb_sync,
        "chain_1000": chain_1000,
        "fanout_100": lambda m: fanout(m, 100),
        "fanout_1000": lambda m: fanout(m, 1000),
        "append_onto_10000": append_onto_10000,
    }
    for line in sys.stdin:
        figure = line.strip()
        if figure == "append_400x1kB_bytes":
            print(json.dumps(append_400x1kB_bytes(side)), flush=True)
            continue
        if figure not in ready:
            ready[figure] = makers[figure](modules(side))
            ready[figure][0]()  # warm up
        run, scale = ready[figure]
        gc.collect()
        before = time.process_time()
        run()
        print(json.dumps((time.process_time() - before) / scale), flush=True)


def import_cost(side: str, env: dict[str, str]) -> float:
    """CPU milliseconds of a fresh process that imports the public names, less those of an empty one."""

    def cpu(code: str) -> float:
        program = f"import time; a = time.process_time(); {code}; print(time.process_time() - a)"
        done = subprocess.run(
            [sys.executable, "-c", program], env=env, capture_output=True, text=True, timeout=60, check=True
        )
        return float(done.stdout) * 1e3

    return cpu(IMPORTS[side])


class Side:
    """One child process."""

    def __init__(self, side: str, peer_folder: Path) -> None:
        self.side = side
        paths = [str(ROOT / "src"), *([str(peer_folder)] if side == "peer" else [])]
        self.env = {**os.environ, "PYTHONPATH": os.pathsep.join(paths), "OMP_NUM_THREADS": "1"}
        self.env |= {"LANGSMITH_TRACING": "false"}
        self.process = subprocess.Popen(
            [sys.executable, str(HERE / "stategraph.py"), "--serve", side],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env=self.env,
        )

    def measure(self, figure: str) -> float:
        """One round."""
        if figure == "import_time":
            return import_cost(self.side, self.env)
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(figure + "\n")
        self.process.stdin.flush()
        answer = self.process.stdout.readline()
        if not answer:
            raise RuntimeError(f"The {self.side} side of {figure} ended early; see its error above.")
        return float(json.loads(answer))

    def close(self) -> None:
        """End the child."""
        assert self.process.stdin is not None
        self.process.stdin.close()
        self.process.wait(timeout=30)


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--quick", action="store_true", help="fewer rounds, under a minute")
    parser.add_argument("--only", help="one figure")
    parser.add_argument("--serve", choices=("ours", "peer"), help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.serve:
        serve(arguments.serve)
        return 0
    sys.path.insert(0, str(HERE))
    import peers

    folder = peers.langgraph()
    sides = [Side("ours", folder), Side("peer", folder)]
    print(f"{'figure':<30}{'ours':>12}{'peer':>12}{'ratio':>9}{'goal':>8}", file=sys.stderr)
    missed = 0
    try:
        for figure, (goal, unit, rounds, quick) in FIGURES.items():
            if arguments.only not in (None, figure):
                continue
            taken: list[list[float]] = [[], []]
            for _ in range(quick if arguments.quick else rounds):
                for values, side in zip(taken, sides, strict=True):
                    values.append(side.measure(figure))
            ours, peer = (statistics.median(values) for values in taken)
            ratio = ours if figure == "append_400x1kB_bytes" else ours / peer
            missed += ratio > goal
            row = {"figure": figure, "ours": round(ours, 3), "peer": round(peer, 3), "ratio": round(ratio, 4)}
            print(json.dumps({**row, "unit": unit}), flush=True)
            mark = "" if ratio <= goal else "  missed"
            print(f"{figure:<30}{ours:>12.2f}{peer:>12.2f}{ratio:>9.4f}{goal:>8}{mark}", file=sys.stderr)
    finally:
        for side in sides:
            side.close()
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
