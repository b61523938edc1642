"""What the kill tests share: lives of a process that are ended with kill -9 until one of them reaches its end.

A harness is a program: its parent imports everything once and forks a child for each life, so that hundreds of
kills take seconds. A child opens its files itself; nothing but code is shared. Its test starts it with
:func:`run_harness`.
"""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

LIFE_LIMIT_S = 120.0
MOST_KILLS = 60
SOURCES = Path(__file__).parents[2] / "src"


class World:
    """A world of one file: each effect is a line, durable before the call that made it returns."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def change(self, **effect: Any) -> None:
        fd = os.open(self._path, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
        os.write(fd, (json.dumps(effect) + "\n").encode())
        os.fsync(fd)
        os.close(fd)

    def effects(self) -> list[dict[str, Any]]:
        if not self._path.exists():
            return []
        return [json.loads(line) for line in self._path.read_text().splitlines() if line.endswith("}")]


def write_report(folder: Path, report: dict[str, Any]) -> None:
    """Appear whole or not at all: this process may be killed within the write, and the file ends the run."""
    unfinished = folder / "report.unfinished"
    unfinished.write_text(json.dumps(report))
    unfinished.replace(folder / "report.json")


class Patience:
    """How long a life lasts: random, and on the average long enough for a few steps on this machine, now."""

    def __init__(self, seed: int) -> None:
        self._rng = random.Random(seed)
        self._longest_s = 0.2

    def draw(self) -> float:
        return self._rng.random() * self._longest_s

    def learn(self, steps: int, killed: bool) -> None:
        if killed and steps == 0:
            self._longest_s = min(3.0, self._longest_s * 1.2)
        elif not killed or steps > 3:
            self._longest_s = max(0.05, self._longest_s * 0.8)


def fork(work: Callable[[], None]) -> int:
    """Do some work in a child process; return its id."""
    pid = os.fork()
    if pid == 0:
        code = 1
        try:
            work()
            code = 0
        finally:
            os._exit(code)
    return pid


def lives(folder: Path, live: Callable[[], None], patience: Patience, kill_until: float) -> int:
    """Kill a life at a random moment and begin the next, until one has written its report; return the kills."""
    kills = 0
    world = World(folder / "world.jsonl")
    while not (folder / "report.json").exists():
        pid = fork(live)
        before = len(world.effects())
        killing = kills < MOST_KILLS and time.monotonic() < kill_until
        end = time.monotonic() + (patience.draw() if killing else LIFE_LIMIT_S)
        status = None
        while status is None and time.monotonic() < end:
            done, word = os.waitpid(pid, os.WNOHANG)
            status = word if done else None
            time.sleep(0.001)
        if status is None:
            os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)
            kills += 1
            if not killing:
                raise SystemExit(f"a life in {folder} did not end within {LIFE_LIMIT_S:g} s")
        elif status != 0:
            raise SystemExit(f"a life in {folder} ended with status {status}")
        patience.learn(len(world.effects()) - before, status is None)
    return kills


def main(one_run: Callable[[Path, int, Patience, float], tuple[int, dict[str, int]]]) -> None:
    """Make runs until enough kills have happened or the time is up; print how many as JSON.

    Args:
        one_run: makes one run in a folder with a seed until it has ended and is checked; returns the kills and
            what else is worth counting.
    """
    root, wanted, first_seed = Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
    kill_until = time.monotonic() + float(sys.argv[4])
    patience = Patience(first_seed)
    kills, seed = 0, first_seed
    counted: dict[str, int] = {}
    while kills < wanted and (kills == 0 or time.monotonic() < kill_until):
        folder = root / str(seed)
        folder.mkdir()
        more, seen = one_run(folder, seed, patience, kill_until)
        kills += more
        counted = {name: counted.get(name, 0) + count for name, count in seen.items()}
        seed += 1
    late = time.monotonic() >= kill_until
    print(json.dumps({"kills": kills, "out_of_time": late, "runs": seed - first_seed, **counted}))


def run_harness(harness: Path, folder: Path, *, kills: int, seed: int, seconds: float, limit_s: float) -> int:
    """Run a harness as a program of its own and return its kills; what it finds wrong fails the test."""
    environment = os.environ | {"PYTHONPATH": str(SOURCES)}
    command = [sys.executable, str(harness), str(folder), str(kills), str(seed), str(seconds)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=limit_s)
    assert done.returncode == 0, done.stderr[-3000:]
    report = json.loads(done.stdout.splitlines()[-1])
    # On a machine that has no time for so many, fewer must do: every one of them was checked.
    assert report["kills"] >= kills or (report["out_of_time"] and report["kills"] > 0)
    return int(report["kills"])
