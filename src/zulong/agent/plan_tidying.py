"""Plans as models write them, brought into the one form they are checked in, where that needs no guessing."""

from __future__ import annotations

import itertools
import re
from collections.abc import Mapping, Sequence
from typing import Any

_REFERENCE = re.compile(r"\$\{\s*(?P<step>[^.{}]+?)\s*\.\s*(?P<key>[^{}]+?)\s*\}")


def tidied(plain: Mapping[str, Any]) -> dict[str, Any]:
    """Return a plan with its kind, texts and steps in place, ids that are identifiers, and its order said.

    A bare call is a plan of one step; what is left out (kind, text, title, arguments) is put in where it is plain.
    Whoever refers to a step's result comes after it. Steps of which none names another are done in their order.
    """
    plan = dict(plain)
    if "steps" not in plan and isinstance(skill := plan.get("skill") or plan.get("tool"), str):
        plan = {"steps": [{"skill": skill, "arguments": plan.get("arguments")}]}
    if "kind" not in plan and isinstance(plan.get("steps"), list):
        plan["kind"] = "plan"
    if isinstance(plan.get("kind"), str):
        plan["kind"] = plan["kind"].strip().lower()
    if plan.get("kind") == "plan":
        plan["text"] = plan.get("text") or ""
    steps = plan.get("steps")
    if isinstance(steps, list) and all(isinstance(step, Mapping) for step in steps):
        plan["steps"] = _steps(steps)
    return plan


def references_in(value: Any) -> set[str]:
    """Return the ids of the steps whose results a value refers to, as ``${step.key}``."""
    if isinstance(value, str):
        return {match["step"] for match in _REFERENCE.finditer(value)}
    if isinstance(value, Mapping):
        return set().union(*map(references_in, value.values()))
    return set().union(*map(references_in, value)) if isinstance(value, list) else set()


def _steps(steps: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    rough = [_step(number, step) for number, step in enumerate(steps, start=1)]
    names = _identifiers([step["id"] for step in rough])
    for step in rough:
        written = step["arguments"]
        step["depends_on"] = [names.get(name, name) for name in step["depends_on"]]
        step["id"] = names.get(step["id"], step["id"])
        if isinstance(written, Mapping):
            step["arguments"] = {key: _renamed(value, names) for key, value in written.items()}
            needed = references_in(step["arguments"]) - set(step["depends_on"])
            step["depends_on"] += sorted(needed)
    if len(rough) > 1 and not any(step["depends_on"] for step in rough):
        for before, step in itertools.pairwise(rough):
            step["depends_on"] = [before["id"]]
    return rough


def _step(number: int, plain: Mapping[str, Any]) -> dict[str, Any]:
    step = dict(plain)
    step["skill"] = step.get("skill") or step.pop("tool", None) or step.pop("action", None)
    step["id"] = str(step.get("id") if step.get("id") not in (None, "") else f"s{number}")
    step["title"] = step.get("title") or str(step["skill"])
    step["arguments"] = {} if step.get("arguments") is None else step["arguments"]
    needed = step.get("depends_on")
    step["depends_on"] = [
        str(n) for n in (needed if isinstance(needed, list) else [needed]) if n not in (None, "")
    ]
    return step


def _identifiers(ids: Sequence[str]) -> dict[str, str]:
    """Return an identifier for each id; the same for the same, which the check of the plan refuses."""
    names: dict[str, str] = {}
    for number, written in enumerate(ids, start=1):
        if written in names:
            continue
        name = re.sub(r"[^a-z0-9_]", "_", written.lower())
        if not name.strip("_") or name in names.values():
            name = f"step_{number}"
        while name in names.values():
            name += "_"
        names[written] = name
    return names


def _renamed(value: Any, names: Mapping[str, str]) -> Any:
    if isinstance(value, str):
        return _REFERENCE.sub(lambda m: f"${{{names.get(m['step'], m['step'])}.{m['key']}}}", value)
    if isinstance(value, list):
        return [_renamed(item, names) for item in value]
    if isinstance(value, Mapping):
        return {key: _renamed(item, names) for key, item in value.items()}
    return value
