"""Carries out random plans in processes that are killed at random moments; run by test_kill.py as a program.

The parent imports everything once and forks a child for each life of a mission, so that hundreds of kills take
seconds. The child opens its files itself; nothing but code is shared.
"""

from __future__ import annotations

import json
import os
import random
import signal
import sys
import time
from pathlib import Path

from zulong.agent.codes import SkillCode, TaskCode
from zulong.agent.htn.step import Plan, Step
from zulong.agent.ledger import LedgeredSkills, LmdbLedger
from zulong.agent.local_skills import LocalSkills
from zulong.agent.mission import MissionConfig, MissionEngine
from zulong.agent.skills import SkillProfile, SkillResult
from zulong.stategraph.checkpoint.lmdb import LmdbSaver

THREAD = "mission"
LIFE_LIMIT_S = 120.0
MOST_KILLS = 60


def random_plan(seed: int) -> Plan:
    rng = random.Random(seed)
    names = [f"s{i}" for i in range(rng.randint(4, 9))]
    steps: list[Step] = []
    for i, name in enumerate(names):
        needs = tuple(rng.sample(names[:i], k=min(i, rng.randint(0, 2))))
        skill = rng.choice(["move", "grip", "flaky"])
        if rng.random() < 0.3:
            inner = (Step(f"{name}a", name, skill), Step(f"{name}b", name, "move", depends_on=(f"{name}a",)))
            steps.append(Step(name, name, None, children=inner, depends_on=needs))
        else:
            steps.append(Step(name, name, skill, depends_on=needs))
    return Plan(tuple(steps), "en", "random")


class World:
    """A world of one file: each effect is one line, durable before the skill returns."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def lines(self) -> list[dict]:
        if not self._path.exists():
            return []
        return [json.loads(line) for line in self._path.read_text().splitlines() if line.endswith("}")]

    def change(self, key: str, node: str) -> None:
        fd = os.open(self._path, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
        os.write(fd, (json.dumps({"key": key, "node": node}) + "\n").encode())
        os.fsync(fd)
        os.close(fd)


def live(folder: Path, seed: int) -> None:
    """One life of the mission: start it, or go on with it, to its end."""
    world = World(folder / "world.jsonl")
    local = LocalSkills()
    rng = random.Random()

    def act(arguments, context):
        time.sleep(rng.random() * 0.004)
        world.change(context.call.idempotency_key, context.call.task_node_id)
        time.sleep(rng.random() * 0.004)
        return {"done": context.call.task_node_id}

    def flaky(arguments, context):
        if context.call.idempotency_key.endswith("/1"):
            from zulong.agent.local_skills import SkillError

            raise SkillError(SkillCode.BUSY, "not now")
        return act(arguments, context)

    local.add(act, SkillProfile("move", moves_base=True))
    local.add(act, SkillProfile("grip"))
    local.add(flaky, SkillProfile("flaky"))

    def check(call):
        done = any(line["key"] == call.idempotency_key for line in world.lines())
        return SkillResult(SkillCode.SUCCEEDED, result={"done": call.task_node_id}) if done else False

    skills = LedgeredSkills(local, LmdbLedger(folder / "ledger"), check)
    engine = MissionEngine(
        None, skills, LmdbSaver(folder / "checkpoints"), config=MissionConfig(retry_pause_s=0.001)
    )
    if engine.knows(THREAD):
        mission = engine.resume(THREAD)
    else:
        mission = engine.start(plan=random_plan(seed), thread_id=THREAD)
    outcome = engine.carry_out(mission)
    statuses = {node.id: node.status.value for node in engine.task_graph(THREAD).nodes()}
    report = {"code": outcome.code, "message": outcome.message, "statuses": statuses}
    write_report(folder, report)


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


def one_mission(folder: Path, seed: int, patience: Patience, kill_until: float) -> tuple[int, dict]:
    """Kill the mission again and again until a life reaches its end; return the number of kills."""
    kills = 0
    world = World(folder / "world.jsonl")
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
        while time.monotonic() < end:
            done, status_word = os.waitpid(pid, os.WNOHANG)
            if done:
                status = status_word
                break
            time.sleep(0.001)
        if status is None:
            os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)
            kills += 1
        elif status != 0:
            raise SystemExit(f"a life ended with status {status}, seed {seed}")
        patience.learn(len(world.lines()) - before, status is None)
    return kills, json.loads((folder / "report.json").read_text())


def verify(folder: Path, seed: int, report: dict) -> None:
    plan = random_plan(seed)
    leaves = [leaf.id for leaf in plan.leaves()]
    lines = World(folder / "world.jsonl").lines()
    acted = [line["node"] for line in lines]
    if report["code"] != TaskCode.SUCCEEDED:
        raise SystemExit(f"seed {seed}: ended with {report}")
    if sorted(acted) != sorted(leaves):
        raise SystemExit(f"seed {seed}: effects {acted}, expected each once of {leaves}")
    if set(report["statuses"].values()) != {"completed"}:
        raise SystemExit(f"seed {seed}: end state {report['statuses']}")
    below = {step.id: [leaf.id for leaf in step.leaves()] for step in plan.walk()}
    for step in plan.walk():
        for needed in step.depends_on:
            last = max(acted.index(leaf) for leaf in below[needed])
            if any(acted.index(leaf) < last for leaf in below[step.id]):
                raise SystemExit(f"seed {seed}: {step.id} acted before {needed}")


def main() -> None:
    root, wanted, first_seed = Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
    kill_until = time.monotonic() + float(sys.argv[4])
    patience = Patience(first_seed)
    kills, seed = 0, first_seed
    while kills < wanted and (kills == 0 or time.monotonic() < kill_until):
        folder = root / str(seed)
        folder.mkdir()
        more, report = one_mission(folder, seed, patience, kill_until)
        verify(folder, seed, report)
        kills += more
        seed += 1
    late = time.monotonic() >= kill_until
    print(json.dumps({"kills": kills, "out_of_time": late, "missions": seed - first_seed}))


if __name__ == "__main__":
    main()
