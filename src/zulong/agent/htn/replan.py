"""What to do when a step fails: the next alternative, another try, or an honest end."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from zulong.agent.htn.step import Plan, PlanResult, Refusal, Step, WorldView, rename_references
from zulong.agent.htn.wording import Wording

# Names of the constants of ExecuteSkill: failures that may pass by themselves, and those that end the errand.
_PASSING = frozenset(("BLOCKED", "TIMEOUT", "BUSY", "NO_ANSWER", "OUT_OF_REACH", "OUTCOME_UNKNOWN"))
_FINAL = frozenset(("CANCELED", "ABORTED_BY_SAFETY", "INVALID_ARGUMENTS", "INTERNAL", "UNAVAILABLE"))
_HAND_SKILLS = ("pick", "place", "hand_over")
_MOST_RETRIES = 1


def replan(
    plan: Plan,
    failed_step: str,
    error: str,
    world: WorldView,
    wording: Wording,
    *,
    done: Sequence[str] = (),
    message: str = "",
) -> PlanResult:
    """Return what is still to be done after ``failed_step`` failed, or a refusal when no way is left.

    Args:
        plan: the plan that was being carried out.
        failed_step: id of the leaf that failed.
        error: name of its error code (``NOT_FOUND``, ``UNREACHABLE``, ...).
        world: beliefs now.
        wording: the language for a refusal.
        done: ids of completed (or skipped) steps; they are not in the new plan, their results stay in use.
        message: the sentence of the failed skill, for the refusal.

    Raises:
        KeyError: the plan has no such step.
    """
    path = _path(plan.steps, failed_step)
    if path is None:
        raise KeyError(
            f"The plan has no step {failed_step!r}; its steps are {', '.join(s.id for s in plan.walk())}."
        )
    failed = path[-1]
    if error == "UNKNOWN_SKILL":
        skill = failed.skill or ""
        return Refusal(
            "missing_skill", wording.missing_skill(skill, failed.title), skill, plan.language, plan.context
        )
    finished = set(done)
    if error == "OUTCOME_UNKNOWN" and failed.skill in _HAND_SKILLS and _hand_shows_success(failed, world):
        return _remaining(plan, finished | {failed.id}, None, (), {})
    tries = dict(plan.context.get("retries") or {})
    origin = failed.id.split("_try")[0]
    if error not in _FINAL:
        if error in _PASSING and tries.get(origin, 0) < _MOST_RETRIES:
            tries[origin] = tries.get(origin, 0) + 1
            again = replace(failed, id=f"{origin}_try{tries[origin]}")
            return _remaining(plan, finished, failed.id, (again,), {failed.id: again.id}, tries)
        for ancestor in reversed(path[:-1]):
            if ancestor.alternatives:
                return _next_way(plan, ancestor, finished, world, tries)
    text = wording.no_way_left(path[0].title, _sentence(message, error))
    return Refusal("no_way_left", text, failed.skill or "", plan.language, plan.context)


def _sentence(message: str, error: str) -> str:
    words = message.strip() or error.replace("_", " ").lower()
    return words if words.endswith((".", "。", "!", "！")) else words + "."


def _hand_shows_success(failed: Step, world: WorldView) -> bool:
    return (world.holding() is not None) == (failed.skill == "pick")


def _path(steps: Sequence[Step], step_id: str) -> list[Step] | None:
    for step in steps:
        if step.id == step_id:
            return [step]
        below = _path(step.children, step_id)
        if below is not None:
            return [step, *below]
    return None


def _next_way(
    plan: Plan, parent: Step, finished: set[str], world: WorldView, tries: Mapping[str, int]
) -> Plan:
    ways = sorted(parent.alternatives, key=lambda way: not _agrees(way, world))
    chosen, rest = ways[0], tuple(ways[1:])
    names = _same_role(parent.children, chosen)
    renewed = replace(parent, children=chosen, alternatives=rest)
    return _remaining(plan, finished, parent.id, (renewed,), names, tries)


def _agrees(way: Sequence[Step], world: WorldView) -> bool:
    """Tell whether this way looks where the thing is believed to be by now."""
    for step in way:
        for leaf in step.leaves():
            what = leaf.arguments.get("what")
            if leaf.skill == "look_for" and isinstance(what, Mapping) and "id" in what:
                return world.location_of(str(what["id"])) == leaf.arguments.get("where")
    return False


def _same_role(old: Sequence[Step], new: Sequence[Step]) -> dict[str, str]:
    """Pair the steps of two ways whose ids differ only in the way's letter."""
    fresh = {step.id.partition("_")[2]: step.id for top in new for step in top.walk() if "_" in step.id}
    pairs: dict[str, str] = {}
    for top in old:
        for step in top.walk():
            role = re.sub(r"(_try\d+|_\d+)+$", "", step.id.partition("_")[2])
            if role in fresh:
                pairs[step.id] = fresh[role]
    return pairs


def _remaining(
    plan: Plan,
    finished: set[str],
    replaced: str | None,
    by: tuple[Step, ...],
    names: Mapping[str, str],
    tries: Mapping[str, int] | None = None,
) -> Plan:
    kept = _prune(plan.steps, finished, replaced, by)
    left = {step.id for top in kept for step in top.walk()}
    steps = tuple(_renamed(step, names, left) for step in kept)
    context: dict[str, Any] = dict(plan.context)
    if tries:
        context["retries"] = dict(tries)
    return replace(plan, steps=steps, context=context)


def _prune(
    steps: Sequence[Step], finished: set[str], replaced: str | None, by: tuple[Step, ...]
) -> list[Step]:
    kept: list[Step] = []
    for step in steps:
        if step.id == replaced:
            kept.extend(by)
        elif step.id in finished:
            continue
        elif step.children:
            children = _prune(step.children, finished, replaced, by)
            if children:
                kept.append(replace(step, children=tuple(children)))
        else:
            kept.append(step)
    return kept


def _renamed(step: Step, names: Mapping[str, str], left: set[str]) -> Step:
    depends = tuple(names.get(item, item) for item in step.depends_on)
    return replace(
        step,
        arguments=rename_references(step.arguments, names),
        condition=rename_references(step.condition, names),
        compensation=rename_references(step.compensation, names),
        depends_on=tuple(item for item in depends if item in left),
        children=tuple(_renamed(child, names, left) for child in step.children),
    )
