"""``zulong plan``: what an instruction would become, without ROS and without a robot that moves."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable, Mapping
from typing import Any, TextIO

import yaml

from zulong.agent.htn import MapWorld, OfflinePlanner, Plan, PlanResult, Question, Step, WorldError

EXIT_PLANNED, EXIT_REFUSED, EXIT_USAGE, EXIT_QUESTION = 0, 1, 2, 4
_PROMPT = "> "


def plan(arguments: argparse.Namespace) -> int:
    """Show the plan, question or refusal of each instruction; those of one call are turns of one dialogue.

    Returns 0 when the last one was planned, 1 when it was refused, 2 when the map cannot be read and 4 when
    something must be answered first.
    """
    try:
        world = MapWorld.load(arguments.map)
    except (OSError, yaml.YAMLError, WorldError) as error:
        print(f"The map {arguments.map} cannot be read: {error}", file=sys.stderr)
        return EXIT_USAGE
    planner = OfflinePlanner(world=world)
    turns: Iterable[str] = arguments.instruction or _typed(sys.stdin)
    status = EXIT_PLANNED
    context: dict[str, Any] = {}
    for turn in turns:
        result = planner.plan(turn, context)
        context = dict(result.context)
        if arguments.json:
            print(json.dumps(outcome(turn, result), ensure_ascii=False), flush=True)
        else:
            print("\n".join(lines(result)), flush=True)
        status = (
            EXIT_PLANNED
            if isinstance(result, Plan)
            else EXIT_QUESTION
            if isinstance(result, Question)
            else EXIT_REFUSED
        )
    return status


def outcome(instruction: str, result: PlanResult) -> dict[str, Any]:
    """Return ``result`` as plain data: ``outcome`` is ``plan``, ``question`` or ``refusal``."""
    if isinstance(result, Plan):
        steps = [step.to_dict() for step in result.steps]
        return {"instruction": instruction, "outcome": "plan", "summary": result.summary, "steps": steps}
    if isinstance(result, Question):
        return {
            "instruction": instruction,
            "outcome": "question",
            "text": result.text,
            "slot": result.slot,
            "options": list(result.options),
        }
    return {
        "instruction": instruction,
        "outcome": "refusal",
        "text": result.text,
        "code": result.code,
        "missing": result.missing,
    }


def lines(result: PlanResult) -> list[str]:
    """Return ``result`` as lines for people: a tree of steps, or one line that asks or refuses."""
    if isinstance(result, Plan):
        shown = [f"✓ {result.summary}"]
        for step in result.steps:
            shown.extend(_branch(step, 1))
        return shown
    if isinstance(result, Question):
        choices = f"  [{' | '.join(result.options)}]" if result.options else ""
        return [f"? {result.text}{choices}  ({result.slot})"]
    missing = f" {result.missing}" if result.missing else ""
    return [f"✗ {result.text}  ({result.code}{missing})"]


def _branch(step: Step, depth: int) -> Iterable[str]:
    line = f"{'  ' * depth}· {step.title}"
    if step.skill is not None:
        arguments = ", ".join(f"{name}={_shown(value)}" for name, value in step.arguments.items())
        line += f"   {step.skill}({arguments})"
    yield line
    for child in step.children:
        yield from _branch(child, depth + 1)


def _shown(value: Any) -> str:
    """Return an argument in the shortest form that still tells which one is meant."""
    if isinstance(value, Mapping):
        rest = {name: each for name, each in value.items() if name not in ("kind", "name")}
        if set(rest) in ({"id"}, {"category"}):
            return str(next(iter(rest.values())))
        if not rest:
            return str(value.get("name", ""))
    return json.dumps(value, ensure_ascii=False)


def _typed(stream: TextIO) -> Iterable[str]:
    """Yield the lines of ``stream`` that hold something, with a prompt on a terminal."""
    while True:
        if stream.isatty():
            print(_PROMPT, end="", flush=True)
        line = stream.readline()
        if not line:
            return
        if line.strip():
            yield line.strip()
