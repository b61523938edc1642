"""Measures the memory engine: ``python bench/memory.py [--quick] [--full]``.

One JSON line a figure on stdout: ``{"figure", "ours", "peer", "ratio", "unit", "goal"}``, a table on stderr.
Where a peer does the same work in the same process (networkx for spreading), ``ratio`` is ours / peer.
Where there is none, ``peer`` is null and ``ratio`` is how far the goal is used up: ours / goal for times and
sizes, goal / ours for rates; at most 1 means that the goal is met.

Work is measured in CPU time of the process, so that a busy machine does not count; latencies (``*_p95_ms``,
``*_1M_s``) are on the steady clock, because waiting is what they are about.

``--quick`` takes 20,000 nodes and 200,000 edges instead of 100,000 and 1,000,000 (but for spreading).
``--full`` adds the store of a million nodes, five million edges and a million vectors, opened with the
default retrieval: its resident size counts the keyword index and what is in memory of the vector indexes.
"""

from __future__ import annotations

import argparse
import gc
import json
import random
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from zulong.embedding import default_embedder
from zulong.memory import Draft, EdgeType, Importance, MemoryConfig, MemoryGraph, NodeType, forgetting
from zulong.memory.config import StorageConfig
from zulong.memory.image import rates_of
from zulong.memory.topology import Base, EdgeArrays, compress

DAY_S = 86_400.0
START = 1_750_000_000.0
PLAIN = {"direct": True}
OPEN_DOOR = {"open": True}
LEVELS = (Importance.TRIVIAL, Importance.NORMAL, Importance.FACT, Importance.IMPORTANT)


@dataclass(slots=True, frozen=True)
class Size:
    """How big the bench is."""

    nodes: int
    edges: int
    samples: int


class Report:
    """Prints each figure once it is known."""

    def __init__(self) -> None:
        self.rows: list[tuple[str, ...]] = []

    def add(
        self,
        figure: str,
        ours: float,
        unit: str,
        *,
        peer: float | None = None,
        goal: float,
        higher: bool = False,
    ) -> None:
        """Print one figure; ``goal`` bounds the ratio where there is a peer, else the figure itself."""
        if peer is not None:
            ratio = ours / peer
        else:
            ratio = goal / ours if higher else ours / goal
        line = {
            "figure": figure,
            "ours": round(ours, 4),
            "peer": None if peer is None else round(peer, 4),
            "ratio": round(ratio, 4),
            "unit": unit,
            "goal": goal,
        }
        print(json.dumps(line), flush=True)
        met = ratio <= (goal if peer is not None else 1.0)
        self.rows.append(
            (
                figure,
                f"{ours:.4g} {unit}",
                "" if peer is None else f"{peer:.4g}",
                f"{ratio:.3f}",
                "yes" if met else "NO",
            )
        )

    def table(self) -> str:
        """Return all figures as a table."""
        head = ("figure", "ours", "peer", "ratio", "goal met")
        widths = [max(len(row[column]) for row in (head, *self.rows)) for column in range(len(head))]
        return "\n".join(
            "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True))
            for row in (head, *self.rows)
        )


class Clock:
    """A clock that the bench moves by hand, so that decay has something to do."""

    def __init__(self) -> None:
        self.time = START

    def __call__(self) -> float:
        return self.time


def texts(count: int, rng: random.Random) -> list[str]:
    """Return sentences over a vocabulary with the long tail of language."""
    words = [f"word{index}" for index in range(20_000)]
    pick = rng.paretovariate
    return [
        " ".join(words[min(int(pick(0.6)), len(words) - 1)] for _ in range(12)) + f" number{index}"
        for index in range(count)
    ]


def random_edges(nodes: int, edges: int, rng: random.Random) -> Iterator[tuple[str, str, EdgeType, float]]:
    """Yield edges between nodes ``n0``, ``n1``, ... over all types."""
    types = list(EdgeType)
    for _ in range(edges):
        yield (
            f"n{rng.randrange(nodes)}",
            f"n{rng.randrange(nodes)}",
            types[rng.randrange(14)],
            rng.uniform(0.06, 1.0),
        )


@contextmanager
def folder() -> Iterator[Path]:
    """Give a temporary folder and remove it."""
    path = Path(tempfile.mkdtemp(prefix="zulong-bench-"))
    try:
        yield path
    finally:
        shutil.rmtree(path, ignore_errors=True)


def p95_ms(seconds: list[float]) -> float:
    """Return the 95th percentile in milliseconds."""
    return float(np.percentile(seconds, 95)) * 1e3


# -- topology -------------------------------------------------------------------------------------------


def bench_topology(report: Report, size: Size, path: Path) -> None:
    """Ingest, live edges and decay on one store without retrieval."""
    rng, clock = random.Random(1), Clock()
    config = MemoryConfig(retrieval=PLAIN, door=OPEN_DOOR)
    with MemoryGraph.open(path, clock=clock, config=config) as graph:
        sentences = texts(size.nodes, rng)
        drafts = [
            Draft(text, NodeType.EPISODE, f"n{index}", LEVELS[index % 4])
            for index, text in enumerate(sentences)
        ]
        begun = time.process_time()
        graph.remember_many(drafts)
        report.add(
            "ingest_nodes_per_s",
            size.nodes / (time.process_time() - begun),
            "1/s of CPU",
            goal=20_000,
            higher=True,
        )
        graph.engine.link_many(random_edges(size.nodes, size.edges, rng))
        graph.engine.memory.topology.merge(graph.engine.memory.columns.count)
        bench_live_edges(report, size, graph, rng)
        bench_decay(report, size, graph, clock)


def bench_live_edges(report: Report, size: Size, graph: MemoryGraph, rng: random.Random) -> None:
    """Add edges one call each; CPU of the call, the transaction and the commit together, the best of five rounds."""
    rounds = []
    for _ in range(5):
        pairs = [(f"n{rng.randrange(size.nodes)}", f"n{rng.randrange(size.nodes)}") for _ in range(5000)]
        pairs = [(src, dst) for src, dst in pairs if src != dst]
        begun = time.process_time()
        futures = [graph.link_async(src, dst, EdgeType.SEMANTIC, 0.5) for src, dst in pairs]
        for future in futures:
            future.result(60)
        rounds.append((time.process_time() - begun) / len(pairs))
    report.add("add_edge_us", min(rounds) * 1e6, "us CPU", goal=50)


def bench_spread(report: Report, samples: int, path: Path) -> None:
    """Spread from ten seeds over three hops, the same rule here and in networkx, answers compared.

    Always at 100,000 nodes and 1,000,000 edges, which are put into the topology at once: it is the walk that
    is measured here, not the writing.
    """
    nodes, edges, rng = 100_000, 1_000_000, random.Random(4)
    clock = Clock()
    with MemoryGraph.open(path, clock=clock, config=MemoryConfig(retrieval=PLAIN, door=OPEN_DOOR)) as graph:
        graph.remember_many([Draft(f"n{index}", importance=LEVELS[index % 4]) for index in range(nodes)])
        graph.engine.memory.topology.load(random_base(graph, edges))
        clock.time += 3600.0
        _bench_spread(report, samples, graph, nodes, rng)


def random_base(graph: MemoryGraph, edges: int) -> Base:
    """Return that many random edges of all types over the nodes of ``graph``."""
    rng, memory = np.random.default_rng(5), graph.engine.memory
    nodes = memory.columns.count
    src = np.sort(rng.integers(0, nodes, edges)).astype(np.int32)
    dst = rng.integers(0, nodes, edges).astype(np.int32)
    types = rng.integers(0, len(EdgeType), edges).astype(np.uint8)
    weight = rng.uniform(0.06, 1.0, edges).astype(np.float32)
    rates = rates_of(memory, src, dst, types)
    return compress(EdgeArrays(src, dst, types, weight, np.full(edges, START), rates), nodes)


def _bench_spread(report: Report, samples: int, graph: MemoryGraph, nodes: int, rng: random.Random) -> None:
    peer_graph = as_networkx(graph)
    questions = [{rng.randrange(1, nodes + 1): 1.0 for _ in range(10)} for _ in range(samples // 4)]
    ours, found = cpu_times(lambda seeds: graph.engine.spread(seeds, direction="out"), questions)
    theirs, expected = cpu_times(
        lambda seeds: spread_networkx(peer_graph, seeds, decay=0.5, depth=3, cut=0.01), questions
    )
    both, _ = cpu_times(graph.engine.spread, questions)
    for one, other in zip(found, expected, strict=True):
        compare(dict(zip(one.uids.tolist(), one.values.tolist(), strict=True)), other)
    report.add(
        "spread_10_seeds_depth_3",
        float(np.median(ours)) * 1e3,
        "ms CPU",
        peer=float(np.median(theirs)) * 1e3,
        goal=0.2,
    )
    report.add("spread_10_seeds_depth_3_ms", float(np.median(ours)) * 1e3, "ms CPU", goal=5)
    report.add("spread_both_directions_ms", float(np.median(both)) * 1e3, "ms CPU", goal=20)


def cpu_times(work: Callable[[Any], Any], questions: list[Any]) -> tuple[list[float], list[Any]]:
    """Return the CPU seconds and the answer of each question, asked one after the other.

    All are asked three times over and the least of each counts, for ours and for the peer: other programs empty the
    caches of the processor, which adds to the CPU time of either. Between two askings of one question all the
    others are asked, so that no answer comes from a cache that is warm with just this question.
    """
    seconds = [float("inf")] * len(questions)
    answers: list[Any] = [None] * len(questions)
    for _ in range(3):
        for number, question in enumerate(questions):
            begun = time.process_time()
            answers[number] = work(question)
            seconds[number] = min(seconds[number], time.process_time() - begun)
    return seconds, answers


def as_networkx(graph: MemoryGraph) -> Any:
    """Return the same graph for networkx; of parallel edges the best is enough for a maximum over paths."""
    import networkx

    memory, now = graph.engine.memory, graph.engine.now()
    view, uid = memory.topology.view, memory.columns.uid
    edges = view.base.edges
    weight = edges.weight_now(slice(0, len(view.base)), now)
    exists = (edges.type != 255) & ((edges.rate == 0) | (weight >= memory.topology.floor))
    peer = networkx.DiGraph()
    rows = zip(
        uid[edges.src[exists]].tolist(), uid[edges.dst[exists]].tolist(), weight[exists].tolist(), strict=True
    )
    for src, dst, left in rows:
        if left > peer.get_edge_data(src, dst, {"weight": 0.0})["weight"]:
            peer.add_edge(src, dst, weight=left)
    return peer


def spread_networkx(
    peer: Any, seeds: dict[int, float], *, decay: float, depth: int, cut: float
) -> dict[int, float]:
    """Spread by the rule of the memory, written for networkx: layer by layer, only what improved goes on."""
    best = dict(seeds)
    frontier = list(seeds)
    adjacency = peer.adj
    for _ in range(depth):
        improved: dict[int, float] = {}
        for node in frontier:
            reach = best[node] * decay
            if reach < cut or node not in adjacency:
                continue
            for other, attributes in adjacency[node].items():
                value = reach * attributes["weight"]
                if value >= cut and value > best.get(other, 0.0) and value > improved.get(other, 0.0):
                    improved[other] = value
        if not improved:
            break
        best.update(improved)
        frontier = list(improved)
    return best


def compare(ours: dict[int, float], theirs: dict[int, float]) -> None:
    """Stop if the two answers differ beyond what float32 explains (at the cut, one may have what one has not)."""
    for node in ours.keys() | theirs.keys():
        one, other = ours.get(node, 0.0), theirs.get(node, 0.0)
        if abs(one - other) > 1e-4 * max(one, other) and max(one, other) > 0.0101:
            raise AssertionError(f"Spreading disagrees with networkx at {node}: {one} and {other}.")


def bench_decay(report: Report, size: Size, graph: MemoryGraph, clock: Clock) -> None:
    """Forget after a day: scan every edge, remove what has faded, journal it."""
    clock.time += DAY_S
    begun = time.process_time()
    done = forgetting.prune(graph.engine)
    cpu = time.process_time() - begun
    per_million = cpu * 1e6 / size.edges
    print(f"decay pruned {done.pruned} of {size.edges} edges", file=sys.stderr)
    report.add("decay_prune_1M_s", per_million, "s CPU", goal=1.5)
    report.add("decay_longest_slice_ms", done.found.longest_slice_s * 1e3, "ms", goal=5)


# -- recall ---------------------------------------------------------------------------------------------


def bench_recall(report: Report, size: Size, path: Path) -> None:
    """Hot and cold recall of the default retrieval over ``size.nodes`` memories with vectors."""
    rng = random.Random(2)
    config = MemoryConfig(door=OPEN_DOOR, retrieval={"semantic_edges": 0})
    with MemoryGraph.open(path, config=config) as graph:
        sentences = texts(size.nodes, rng)
        graph.remember_many([Draft(text, id=f"n{index}") for index, text in enumerate(sentences)])
        graph.engine.link_many(random_edges(size.nodes, size.edges // 10, rng))
        index_all(graph)
        graph.engine.memory.topology.merge(graph.engine.memory.columns.count)

        def question() -> str:
            return " ".join(rng.sample(sentences[rng.randrange(size.nodes)].split(), 5))

        for _ in range(20):
            graph.recall(question(), cold_deadline_s=5.0)
        gc.collect()
        gc.freeze()  # the sentences of the bench itself are not the memory's to scan
        report.add(
            "hot_recall_p95_idle_ms", p95_ms(hot_latencies(graph, question, size.samples)), "ms", goal=10
        )
        report.add("cold_recall_p95_ms", p95_ms(cold_latencies(graph, question, size.samples)), "ms", goal=30)
        with writing(graph, 500) as rate:
            latencies = hot_latencies(graph, question, size.samples)
        print(f"durable writes beside the recalls: {rate():.0f} a second", file=sys.stderr)
        report.add("hot_recall_p95_writing_ms", p95_ms(latencies), "ms", goal=50)
        gc.unfreeze()


def index_all(graph: MemoryGraph) -> None:
    """Let retrieval embed and index everything."""
    deadline = time.monotonic() + 1800
    while graph.retriever.maintain(1.0):
        if time.monotonic() > deadline:
            raise TimeoutError("Indexing did not finish within half an hour.")


def hot_latencies(graph: MemoryGraph, question: Callable[[], str], count: int) -> list[float]:
    """Time recalls over the hot path alone, with its deadline out of the way."""
    seconds = []
    for _ in range(count):
        text = question()
        begun = time.perf_counter()
        graph.recall(text, hot_deadline_s=5.0, cold_deadline_s=0.0)
        seconds.append(time.perf_counter() - begun)
        time.sleep(0.002)
    return seconds


def cold_latencies(graph: MemoryGraph, question: Callable[[], str], count: int) -> list[float]:
    """Time recalls over the cold path alone; asked twice, so that the question's vector is there."""
    seconds = []
    for _ in range(count):
        text = question()
        graph.recall(text, hot_deadline_s=0.0, cold_deadline_s=5.0)
        begun = time.perf_counter()
        graph.recall(text, hot_deadline_s=0.0, cold_deadline_s=5.0)
        seconds.append(time.perf_counter() - begun)
    return seconds


@contextmanager
def writing(graph: MemoryGraph, per_second: int) -> Iterator[Callable[[], float]]:
    """Write durably beside what runs inside; gives a function that tells the rate reached."""
    stop = threading.Event()
    done: list[int] = []
    begun = time.monotonic()

    def write() -> None:
        number, futures = 0, []
        while not stop.is_set():
            due = int((time.monotonic() - begun) * per_second)
            while number < due:
                futures.append(
                    graph.remember_async(Draft(f"written beside number {number}", id=f"beside{number}"))
                )
                number += 1
            stop.wait(0.005)
        done.extend(1 for future in futures if future.result(60).verdict == "added")

    thread = threading.Thread(target=write)
    thread.start()
    try:
        yield lambda: len(done) / (ended - begun)
    finally:
        ended = time.monotonic()
        stop.set()
        thread.join(120)


# -- a million ------------------------------------------------------------------------------------------


def bench_million(report: Report, path: Path) -> None:
    """Build a store of 1M nodes, 5M edges and 1M vectors over two years, then open it in a process of its own.

    It is opened with the default retrieval, keyword index and vector index included. The vectors are random
    rows of the size that the default embedder gives: to embed a million texts would take longer than all the rest.
    """
    nodes, edges = 1_000_000, 5_000_000
    rng = random.Random(3)
    storage = StorageConfig(map_size=1 << 33)
    with MemoryGraph.open(
        path, clock=Clock(), config=MemoryConfig(door=OPEN_DOOR, retrieval=PLAIN, storage=storage)
    ) as graph:
        for start in range(0, nodes, 50_000):
            sentences = texts(50_000, rng)
            graph.remember_many(
                [
                    Draft(
                        text,
                        id=f"n{start + index}",
                        stamp=START - 2 * 365 * DAY_S * (1 - (start + index) / nodes),
                    )
                    for index, text in enumerate(sentences)
                ]
            )
        put_random_vectors(graph)
        graph.engine.link_many(random_edges(nodes, edges, rng))
        graph.engine.memory.topology.merge(graph.engine.memory.columns.count)
    # Once with indexing on the calling thread: that makes the caches, as a year of running would have.
    with MemoryGraph.open(path, clock=Clock(), config=indexed(background=False)):
        pass
    for name, damage in (("", False), ("_without_cache", True)):
        if damage:
            shutil.rmtree(path / "cache")
        told = subprocess.run(
            [sys.executable, __file__, "--open-only", str(path)],
            capture_output=True,
            text=True,
            check=True,
            timeout=1800,
        )
        opened, ready, resident = json.loads(told.stdout)
        report.add(f"open_1M_s{name}", opened, "s", goal=20 if not damage else 60)
        report.add(f"recall_ready_1M_s{name}", ready, "s", goal=20 if not damage else 600)
        report.add(f"resident_1M_GB{name}", resident, "GB", goal=3)


def indexed(*, background: bool) -> MemoryConfig:
    """Return the default retrieval without semantic edges, which the store of the bench would not have."""
    return MemoryConfig(door=OPEN_DOOR, retrieval={"background": background, "semantic_edges": 0})


def put_random_vectors(graph: MemoryGraph) -> None:
    """Store a random vector for every node under the name and size of the default embedder."""
    embedder, rng = default_embedder(), np.random.default_rng(6)
    uids = graph.engine.memory.columns.uid[: graph.engine.memory.columns.count].copy()
    for start in range(0, len(uids), 4096):
        block = uids[start : start + 4096]
        # As sparse as those of a sentence, which is what decides how much room they take on disk.
        matrix = rng.normal(size=(len(block), embedder.dim)) * (rng.random((len(block), embedder.dim)) < 0.5)
        matrix /= np.linalg.norm(matrix, axis=1, keepdims=True)
        graph.engine.put_vectors(block, matrix.astype(np.float32), embedder.name)


def peak_resident_gb() -> float:
    """Return the greatest resident size of this program; getrusage would tell that of the parent before exec."""
    for line in Path("/proc/self/status").read_text(encoding="ascii").splitlines():
        if line.startswith("VmHWM:"):
            return int(line.split()[1]) * 1024 / 1e9
    raise RuntimeError("The kernel does not tell the peak resident size.")


def open_only(path: str) -> None:
    """Open a store and print [seconds until the first spread, seconds until a whole recall, resident GB].

    The resident size is the greatest after many recalls, which bring in vectors of months long past.
    """
    begun = time.monotonic()
    with MemoryGraph.open(path, clock=Clock(), config=indexed(background=True)) as graph:
        graph.engine.spread({1: 1.0})
        elapsed = time.monotonic() - begun
        while graph.recall("word1 number7", hot_deadline_s=5.0, cold_deadline_s=5.0).late:
            if time.monotonic() - begun > 1500:
                raise TimeoutError("The indexes were not ready within 25 minutes.")
        ready = time.monotonic() - begun
        for number in range(100):
            graph.recall(f"word{number} number{number * 9973}", hot_deadline_s=5.0, cold_deadline_s=5.0)
        resident = peak_resident_gb()
    print(json.dumps([elapsed, ready, resident]))


def main() -> None:
    """Run the bench."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--quick", action="store_true", help="20,000 nodes and 200,000 edges")
    parser.add_argument("--full", action="store_true", help="also 1M nodes and 5M edges")
    parser.add_argument("--only", choices=("topology", "recall", "million"), help="one part of it")
    parser.add_argument("--open-only", metavar="PATH", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.open_only:
        open_only(arguments.open_only)
        return
    size = Size(20_000, 200_000, 100) if arguments.quick else Size(100_000, 1_000_000, 200)
    report = Report()
    with folder() as path:
        if arguments.only in (None, "topology"):
            bench_spread(report, size.samples, path / "spread")
            bench_topology(report, size, path / "topology")
        if arguments.only in (None, "recall"):
            bench_recall(report, size, path / "recall")
        if arguments.full or arguments.only == "million":
            bench_million(report, path / "million")
    print(report.table(), file=sys.stderr)


if __name__ == "__main__":
    main()
