"""Runs the loop in processes that are frozen and killed at random moments; run by test_kill.py as a program.

The model is a function of the conversation: it makes a fixed series of internal and remote calls, one or two at
a time. The world is one file in which each effect is a line.
"""

from __future__ import annotations

import json
import random
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

sys.path.insert(0, str(Path(__file__).parents[1]))

from killing import Patience, World, lives, main, write_report

THREAD = "loop"
CALLS = 8


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


def live(folder: Path, seed: int) -> None:
    world, rng = World(folder / "world.jsonl"), random.Random()
    ledger = LmdbLedger(folder / "ledger")
    local = LocalSkills()

    def act(n: int, canceled=lambda: False) -> dict:
        time.sleep(rng.random() * 0.003)
        if canceled():
            raise SkillError(SkillCode.CANCELED, "stopped before anything was done")
        world.change(n=n)
        time.sleep(rng.random() * 0.003)
        return {"did": n}

    schema = {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}
    profile = SkillProfile("far", "Act far away.", schema, when_frozen="cancel")
    local.add(lambda arguments, context: act(arguments["n"], lambda: context.cancel.is_set), profile)

    def check(call):
        done = {"n": call.arguments["n"]} in world.effects()
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


def verify(folder: Path, seed: int) -> int:
    """Check a finished run; return for how many internal calls nobody could know whether they were done."""
    report = json.loads((folder / "report.json").read_text())
    if report["code"] != TaskCode.SUCCEEDED or len(report["answers"]) != CALLS:
        raise SystemExit(f"seed {seed}: {report}")
    acted = [effect["n"] for effect in World(folder / "world.jsonl").effects()]
    if len(set(acted)) != len(acted):
        raise SystemExit(f"seed {seed}: something was done twice: {acted}")
    unknown = 0
    for n, (kind, answer) in enumerate(zip(Series(seed).kinds, report["answers"], strict=True)):
        if kind == "look":
            continue
        if "nobody knows" in answer and kind == "near":
            unknown += 1
        elif n not in acted or answer.startswith("error"):
            raise SystemExit(f"seed {seed}: call {n} ({kind}) was answered {answer!r}, effects {acted}")
    return unknown


def one_run(folder: Path, seed: int, patience: Patience, kill_until: float) -> tuple[int, dict[str, int]]:
    kills = lives(folder, lambda: live(folder, seed), patience, kill_until)
    return kills, {"unknown": verify(folder, seed)}


if __name__ == "__main__":
    main(one_run)
