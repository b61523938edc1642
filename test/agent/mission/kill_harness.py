"""Carries out random plans in processes that are killed at random moments; run by test_kill.py as a program.

The plans have parallel branches, conditions, other ways, compensations, a performer in another process, and
skills of which nobody can say after a kill whether they were done: then the mission asks, and the next life
answers with what the world shows. Meanwhile somebody pauses, cancels, freezes and rolls back.
"""

from __future__ import annotations

import json
import os
import random
import sys
import threading
import time
from collections import Counter
from pathlib import Path

from zulong.agent.approval import ApprovalDesk
from zulong.agent.codes import SkillCode, TaskCode
from zulong.agent.htn.step import Plan, Step
from zulong.agent.ledger import LedgeredSkills, LmdbLedger
from zulong.agent.local_skills import LocalSkills, SkillError
from zulong.agent.mission import Mission, MissionConfig, MissionEngine
from zulong.agent.skills import SkillProfile, SkillResult
from zulong.stategraph.checkpoint.lmdb import LmdbSaver

sys.path.insert(0, str(Path(__file__).parents[1]))

from killing import Patience, World, fork, lives, main, write_report

THREAD = "mission"
ACTS = ("move", "grip", "flaky", "far", "blind")
PROFILES = (
    SkillProfile("move", moves_base=True),
    SkillProfile("grip", approval="always"),
    SkillProfile("flaky"),
    SkillProfile("far"),
    SkillProfile("blind"),
    SkillProfile("undo"),
    SkillProfile("look", has_side_effects=False),
    SkillProfile("stuck", has_side_effects=False),
)


def random_plan(seed: int) -> tuple[Plan, set[str]]:
    """Return a plan and the names of what must be done when it has ended, each once."""
    rng = random.Random(seed)
    wanted: set[str] = set()

    def act(name: str, needs: tuple[str, ...] = (), counts: bool = True, **more) -> Step:
        if counts:
            wanted.add(name)
        undo = {"skill": "undo", "arguments": {"what": name}}
        return Step(name, name, rng.choice(ACTS), {"what": name}, depends_on=needs, compensation=undo, **more)

    names = [f"s{i}" for i in range(rng.randint(4, 8))]
    steps: list[Step] = []
    for i, name in enumerate(names):
        needs = tuple(rng.sample(names[:i], k=min(i, rng.randint(0, 2))))
        shape = rng.choice(["act", "act", "branch", "group", "other way"])
        if shape == "act":
            steps.append(act(name, needs))
        elif shape == "branch":
            door = rng.choice(["open", "closed"])
            look = Step(f"{name}_look", "look", "look", {"door": door})
            seen = {"left": f"${{{name}_look.door}}", "op": "==", "right": "open"}
            then = act(f"{name}_if", (look.id,), door == "open", condition=seen)
            steps.append(Step(name, name, None, children=(look, then), depends_on=needs))
        elif shape == "group":
            inner = (act(f"{name}a"), act(f"{name}b", (f"{name}a",)), act(f"{name}c"))
            steps.append(Step(name, name, None, children=inner, depends_on=needs))
        else:
            first = Step(f"{name}_try", "try", "stuck", {})
            never = act(f"{name}_old", (first.id,), counts=False)
            other = ((act(f"{name}_new"),),)
            steps.append(
                Step(name, name, None, children=(first, never), depends_on=needs, alternatives=other)
            )
    return Plan(tuple(steps), "en", "random"), wanted


def live(folder: Path, seed: int) -> None:
    """One life of the mission: start it, or go on with it, to its end."""
    rng = random.Random()
    world = World(folder / "world.jsonl")
    desk = ApprovalDesk()

    def say_yes(request, state) -> None:
        if state == "pending":
            threading.Timer(rng.random() * 0.005, desk.answer, (request.request_id, True, "anna")).start()

    desk.on_change(say_yes)
    skills = LedgeredSkills(
        performers(world, folder, rng),
        LmdbLedger(folder / "ledger"),
        lambda call: None if call.skill == "blind" else found(world, call),
    )
    config = MissionConfig(retry_pause_s=0.001)
    saver = LmdbSaver(folder / "checkpoints")
    engine = MissionEngine(None, skills, saver, config=config, desk=desk)
    answer = ""
    while True:
        if engine.knows(THREAD):
            mission = engine.resume(THREAD, answer)
        else:
            mission = engine.start(plan=random_plan(seed)[0], thread_id=THREAD)
        threading.Thread(target=meddle, args=(mission, rng, seed), daemon=True).start()
        outcome = engine.carry_out(mission)
        if outcome.code not in (TaskCode.NEEDS_INPUT, TaskCode.CANCELED):
            break
        answer = truth(world, engine) if outcome.code == TaskCode.NEEDS_INPUT else ""
    graph = engine.task_graph(THREAD)
    statuses = {leaf.id: leaf.status.value for leaf in graph.leaves()}
    write_report(folder, {"code": outcome.code, "message": outcome.message, "statuses": statuses})


def performers(world: World, folder: Path, rng: random.Random) -> LocalSkills:
    local = LocalSkills()

    def act(arguments, context):
        time.sleep(rng.random() * 0.003)
        if context.cancel.is_set and rng.random() < 0.5:
            raise SkillError(SkillCode.CANCELED, "stopped before anything was done")
        world.change(key=context.call.idempotency_key, did=arguments["what"])
        time.sleep(rng.random() * 0.003)
        return {"done": arguments["what"]}

    def flaky(arguments, context):
        if context.call.idempotency_key.endswith("/1"):
            raise SkillError(SkillCode.BUSY, "not now")
        return act(arguments, context)

    def far(arguments, context):
        name = context.call.idempotency_key.replace("/", "-")
        asked, done = folder / "far" / f"{name}.asked", folder / "far" / f"{name}.done"
        unfinished = asked.with_suffix(".unfinished")
        unfinished.write_text(json.dumps({"key": context.call.idempotency_key, "did": arguments["what"]}))
        unfinished.replace(asked)
        while not done.exists():
            time.sleep(0.002)
        return {"done": arguments["what"]}

    def undo(arguments, context):
        world.change(key=context.call.idempotency_key, undid=arguments["what"])
        return {}

    def stuck(arguments, context):
        raise SkillError(SkillCode.NOT_FOUND, "no way")

    local_functions = {"far": far, "flaky": flaky, "undo": undo, "stuck": stuck, "look": lambda a, c: a}
    for profile in PROFILES:
        local.add(local_functions.get(profile.name, act), profile)
    return local


def perform_far_away(folder: Path) -> None:
    """Do what is asked of the other process, each once, until the run has its report."""
    world = World(folder / "world.jsonl")
    while not (folder / "report.json").exists():
        for asked in (folder / "far").glob("*.asked"):
            done = asked.with_suffix(".done")
            if not done.exists():
                world.change(**json.loads(asked.read_text()))
                done.touch()
        time.sleep(0.002)


def found(world: World, call) -> SkillResult | bool:
    """Return what the world shows of a call that was begun in an earlier life."""
    if any(effect["key"] == call.idempotency_key for effect in world.effects()):
        return SkillResult(SkillCode.SUCCEEDED, result={"done": call.arguments.get("what")})
    return False


def truth(world: World, engine: MissionEngine) -> str:
    """Answer the mission's question whether a step was done."""
    node = next(n for n in engine.task_graph(THREAD).leaves() if n.meta.get("unknown_end"))
    key = f"{THREAD}/{node.id}/{node.attempts}"
    return "yes" if any(effect["key"] == key for effect in world.effects()) else "no"


def meddle(mission: Mission, rng: random.Random, seed: int) -> None:
    """Be a nervous user: pause, cancel, let a reflex freeze it, have something undone, a few times in a life."""
    steps = [step.id for step in random_plan(seed)[0].walk()]
    for _ in range(3):
        time.sleep(rng.random() * 0.08)
        what = rng.choice(["pause", "freeze", "roll back", "cancel"])
        if what == "pause":
            mission.pause()
            time.sleep(rng.random() * 0.005)
            mission.resume()
        elif what == "freeze":
            mission.freeze("a shadow")
            time.sleep(rng.random() * 0.005)
            mission.thaw()
        elif what == "cancel":
            mission.cancel("never mind")
        else:
            mission.roll_back(rng.choice(steps))


def verify(folder: Path, seed: int) -> dict[str, int]:
    report = json.loads((folder / "report.json").read_text())
    plan, wanted = random_plan(seed)
    effects = World(folder / "world.jsonl").effects()
    if report["code"] != TaskCode.SUCCEEDED:
        raise SystemExit(f"seed {seed}: ended with {report}")
    keys = Counter(effect["key"] for effect in effects)
    if max(keys.values()) > 1:
        raise SystemExit(f"seed {seed}: done twice under one key: {keys.most_common(3)}")
    stands = Counter(e["did"] for e in effects if "did" in e)
    stands.subtract(e["undid"] for e in effects if "undid" in e)
    if +stands != Counter(wanted) or min(stands.values()) < 0:
        raise SystemExit(f"seed {seed}: what stands is {stands}, wanted {sorted(wanted)}, by {effects}")
    if not set(report["statuses"].values()) <= {"completed", "skipped"}:
        raise SystemExit(f"seed {seed}: end state {report['statuses']}")
    last = {e["did"]: n for n, e in enumerate(effects) if "did" in e}
    below = {step.id: [s.id for s in step.walk()] + [f"{step.id}_new"] for step in plan.walk()}
    for step in plan.walk():
        for needed in step.depends_on:
            before = max((last[leaf] for leaf in below[needed] if leaf in last), default=-1)
            if any(last[leaf] < before for leaf in below[step.id] if leaf in last):
                raise SystemExit(f"seed {seed}: {step.id} acted before {needed}")
    return {"undone": sum("undid" in effect for effect in effects)}


def one_run(folder: Path, seed: int, patience: Patience, kill_until: float) -> tuple[int, dict[str, int]]:
    (folder / "far").mkdir()
    far_away = fork(lambda: perform_far_away(folder))
    try:
        kills = lives(folder, lambda: live(folder, seed), patience, kill_until)
    finally:
        if not (folder / "report.json").exists():
            write_report(folder, {})
        os.waitpid(far_away, 0)
    return kills, verify(folder, seed)


if __name__ == "__main__":
    main(one_run)
