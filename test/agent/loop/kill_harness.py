"""Runs the loop in processes that are frozen and killed at random moments; run by test_kill.py as a program.

The model is a function of the conversation: it makes a fixed series of internal and remote calls, one or two at
a time. The world is one file in which each effect is a line.
"""

from __future__ import annotations

import json
import os
import random
import signal
import sys
import threading
import time
from pathlib import Path

from zulong.agent.chat.model import ChatChunk
from zulong.agent.codes import SkillCode, TaskCode
from zulong.agent.ledger import LedgeredSkills, LmdbLedger
from zulong.agent.local_skills import LocalSkills, SkillError
from zulong.agent.loop import LoopSettings, ToolLoop
from zulong.agent.skills import SkillProfile, SkillResult
from zulong.agent.tools import ToolRegistry, tool_from_skill
from zulong.stategraph.checkpoint.lmdb import LmdbSaver

THREAD = "loop"
CALLS = 8
LIFE_LIMIT_S = 120.0
MOST_KILLS = 60


class Series:
    """Makes the calls of a seed's series that have no answer yet, then reports."""

    name = "series"
    context_window = 100_000

    def __init__(self, seed: int) -> None:
        rng = random.Random(seed)
        self.kinds = [rng.choice(["near", "far", "look"]) for _ in range(CALLS)]

    def stream(self, request, cancel):
        answered = sum(1 for message in request.messages if message["role"] == "tool")
        if answered >= CALLS:
            yield ChatChunk(text="The series is made.", finish="stop")
            return
        yield ChatChunk(
            call_index=0,
            call_id="c",
            call_name=self.kinds[answered],
            call_arguments=json.dumps({"n": answered}),
        )
        yield ChatChunk(finish="tool_calls")


class World:
    def __init__(self, path: Path) -> None:
        self.path = path

    def change(self, text: str) -> None:
        fd = os.open(self.path, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
        os.write(fd, (text + "\n").encode())
        os.fsync(fd)
        os.close(fd)

    def lines(self) -> list[str]:
        return self.path.read_text().splitlines() if self.path.exists() else []


def live(folder: Path, seed: int) -> None:
    world, rng = World(folder / "world"), random.Random()
    ledger = LmdbLedger(folder / "ledger")
    local = LocalSkills()

    def act(n: int, canceled=lambda: False) -> dict:
        time.sleep(rng.random() * 0.003)
        if canceled():
            raise SkillError(SkillCode.CANCELED, "stopped before anything was done")
        world.change(str(n))
        time.sleep(rng.random() * 0.003)
        return {"did": n}

    schema = {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}
    profile = SkillProfile("far", "Act far away.", schema, when_frozen="cancel")
    local.add(lambda arguments, context: act(arguments["n"], lambda: context.cancel.is_set), profile)

    def check(call):
        done = str(call.arguments["n"]) in world.lines()
        return SkillResult(SkillCode.SUCCEEDED, result={"did": call.arguments["n"]}) if done else False

    registry = ToolRegistry([tool_from_skill(profile)])

    @registry.function(has_side_effects=True)
    def near(n: int) -> dict:
        """Act here."""
        return act(n)

    @registry.function()
    def look(n: int) -> int:
        """Look."""
        return n

    limits = {"no_progress": {"turns": 20}, "tool_streak": {"limit": 20}}
    loop = ToolLoop(
        Series(seed),
        registry,
        LmdbSaver(folder / "checkpoints"),
        settings=LoopSettings(
            breaker=limits, nets={"final_confirmation": {"min_effects": 99}}, approval="never"
        ),
        skills=LedgeredSkills(local, ledger, check),
        ledger=ledger,
    )
    threading.Thread(target=freeze_at_random, args=(loop, rng), daemon=True).start()
    begun = folder / "begun"
    if begun.exists() and loop.messages(THREAD):
        outcome = loop.resume(THREAD)
    else:
        begun.touch()
        outcome = loop.run("make the series", thread_id=THREAD)
    answers = [m["content"] for m in loop.messages(THREAD) if m["role"] == "tool"]
    write_report(folder, {"code": outcome.code, "message": outcome.message, "answers": answers})


def freeze_at_random(loop: ToolLoop, rng: random.Random) -> None:
    """A nervous reflex: it freezes the loop a few times in a life, and lets it go a moment later."""
    for _ in range(3):
        time.sleep(rng.random() * 0.1)
        loop.freeze(THREAD, "a shadow")
        time.sleep(rng.random() * 0.005)
        loop.thaw(THREAD)


def write_report(folder: Path, report: dict) -> None:
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


def one_run(folder: Path, seed: int, patience: Patience, kill_until: float) -> int:
    kills = 0
    world = World(folder / "world")
    while not (folder / "report.json").exists():
        pid = os.fork()
        if pid == 0:
            code = 1
            try:
                live(folder, seed)
                code = 0
            finally:
                os._exit(code)
        before = len(world.lines())
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
        elif status != 0:
            raise SystemExit(f"a life ended with status {status}, seed {seed}")
        patience.learn(len(world.lines()) - before, status is None)
    return kills


def verify(folder: Path, seed: int) -> int:
    """Check a finished run; return for how many internal calls nobody could know whether they were done."""
    report = json.loads((folder / "report.json").read_text())
    if report["code"] != TaskCode.SUCCEEDED or len(report["answers"]) != CALLS:
        raise SystemExit(f"seed {seed}: {report}")
    acted = World(folder / "world").lines()
    if len(set(acted)) != len(acted):
        raise SystemExit(f"seed {seed}: something was done twice: {acted}")
    unknown = 0
    for n, (kind, answer) in enumerate(zip(Series(seed).kinds, report["answers"], strict=True)):
        if kind == "look":
            continue
        if "nobody knows" in answer and kind == "near":
            unknown += 1
        elif str(n) not in acted or answer.startswith("error"):
            raise SystemExit(f"seed {seed}: call {n} ({kind}) was answered {answer!r}, effects {acted}")
    return unknown


def main() -> None:
    root, wanted, first_seed = Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
    kill_until = time.monotonic() + float(sys.argv[4])
    patience = Patience(first_seed)
    kills, unknown, seed = 0, 0, first_seed
    while kills < wanted and (kills == 0 or time.monotonic() < kill_until):
        folder = root / str(seed)
        folder.mkdir()
        kills += one_run(folder, seed, patience, kill_until)
        unknown += verify(folder, seed)
        seed += 1
    late = time.monotonic() >= kill_until
    print(json.dumps({"kills": kills, "out_of_time": late, "runs": seed - first_seed, "unknown": unknown}))


if __name__ == "__main__":
    main()
