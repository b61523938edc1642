"""Killed at any instant: what was acknowledged is there, nothing half-written is, and the image agrees."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from zulong.memory import EdgeType, MemoryConfig, MemoryGraph
from zulong.memory.verification import verify

VICTIM = Path(__file__).with_name("crash_writer.py")
CONFIG = MemoryConfig(retrieval={"direct": True}, door={"open": True})


class Acknowledged:
    """What the killed processes said was durable."""

    def __init__(self) -> None:
        self.nodes: set[str] = set()
        self.edges: set[tuple[str, str, EdgeType]] = set()
        self.maybe_gone: set[str] = set()
        self.gone: set[str] = set()

    def read(self, text: str) -> None:
        for line in text.split("\n")[:-1]:  # the last line may have been cut by the kill
            kind, _, rest = line.partition(" ")
            names = rest.split()
            if kind == "node":
                self.nodes.add(names[0])
                if len(names) > 1:
                    self.edges.add((names[0], names[2], EdgeType.TEMPORAL))
            elif kind == "batch":
                self.nodes |= set(names)
            elif kind == "edge":
                self.edges.add((names[0], names[1], EdgeType.SEMANTIC))
            elif kind == "forgetting":
                self.maybe_gone.add(names[0])
            elif kind == "forgot":
                self.gone.add(names[0])


def run_until_killed(store: Path, round_number: int, rng: random.Random) -> str:
    """Let the victim write, kill it at a random moment of that, and return what it printed."""
    process = subprocess.Popen(
        [sys.executable, str(VICTIM), str(store), str(round_number)],
        stdout=subprocess.PIPE,
        text=True,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)},
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    time.sleep(rng.uniform(0.01, 0.35))
    process.send_signal(signal.SIGKILL)
    text, _ = process.communicate(timeout=20)
    return text


def check(store: Path, said: Acknowledged) -> None:
    with MemoryGraph.open(store, config=CONFIG) as graph:
        present = {node.id: node for node in graph.engine.documents()}
        lost = said.nodes - said.maybe_gone - present.keys()
        assert not lost, f"acknowledged but lost: {sorted(lost)[:5]}"
        assert not said.gone & present.keys(), "acknowledged as forgotten but still there"
        for node in present.values():
            if node.id.count(".") == 3:  # a batch is one transaction: all of it or none
                assert node.text == f"batch {node.id}"
        kept = set(present)
        for src, dst, type in said.edges:
            if {src, dst} <= kept:
                assert any((e.src, e.dst, e.type) == (src, dst, type) for e in graph.edges_of(src, [type])), (
                    src,
                    dst,
                )
    report = verify(store)
    assert report.problems == [], report.problems


def crash_rounds(tmp_path: Path, rounds: int, check_every: int) -> None:
    rng = random.Random(7)
    said = Acknowledged()
    store = tmp_path / "store"
    for number in range(rounds):
        said.read(run_until_killed(store, number, rng))
        if number % check_every == check_every - 1 or number == rounds - 1:
            check(store, said)
    assert len(said.nodes) > rounds * 5


@pytest.mark.feature("MG-11")
def test_thirty_kills_during_heavy_writing_lose_nothing_acknowledged(tmp_path: Path) -> None:
    crash_rounds(tmp_path, 30, check_every=5)


@pytest.mark.slow
@pytest.mark.feature("MG-11")
@pytest.mark.timeout(1200)
def test_two_hundred_kills_during_heavy_writing_lose_nothing_acknowledged(tmp_path: Path) -> None:
    crash_rounds(tmp_path, 200, check_every=10)
