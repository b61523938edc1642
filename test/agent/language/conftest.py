"""The planner for the default home, and short signatures of what it plans."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pytest

from zulong.agent.htn import OfflinePlanner, Plan, PlanResult, Question, Refusal, Step
from zulong.agent.htn.answered import is_of_answer


@pytest.fixture(scope="session")
def planner() -> OfflinePlanner:
    """Return the planner with the shipped lexicon, domain and map, and no beliefs."""
    return OfflinePlanner()


@pytest.fixture(scope="session")
def outcome(planner: OfflinePlanner) -> Callable[[str | Sequence[str]], str]:
    """Return a function from an instruction (or a dialogue) to the signature of its outcome."""

    def run(turns: str | Sequence[str]) -> str:
        context: Mapping[str, Any] | None = None
        result: PlanResult | None = None
        for text in [turns] if isinstance(turns, str) else turns:
            result = planner.plan(text, context)
            context = result.context
        assert result is not None
        return signature(result)

    return run


def signature(result: PlanResult) -> str:
    """Return the outcome in the notation of corpus.yaml."""
    if isinstance(result, Question):
        return f"? {result.slot}"
    if isinstance(result, Refusal):
        return f"! {result.code} {result.missing}".strip()
    return "; ".join(plan_signature(result))


def plan_signature(plan: Plan) -> list[str]:
    """Return one entry a leaf; a go_to that only serves the look or count after it is left out."""
    leaves = list(_guarded(plan.steps, False))
    said: list[str] = []
    for number, (leaf, guarded) in enumerate(leaves):
        after = leaves[number + 1][0] if number + 1 < len(leaves) else None
        if leaf.skill == "go_to" and after is not None and after.skill in ("look_for", "count", "describe"):
            following = leaves[number + 1 : number + 2]
            if after.arguments.get("where") == leaf.arguments.get("place") and not _own_clause(plan, leaf):
                assert following
                continue
        said.append(("if " if guarded else "") + _leaf(leaf))
    return said


def _own_clause(plan: Plan, leaf: Step) -> bool:
    return any(
        step.id == leaf.id or [child.id for child in step.children] == [leaf.id] for step in plan.steps
    )


def _guarded(steps: Sequence[Step], guarded: bool) -> Sequence[tuple[Step, bool]]:
    found: list[tuple[Step, bool]] = []
    for step in steps:
        inner = guarded or step.condition is not None
        if step.skill is not None:
            found.append((step, inner))
        found.extend(_guarded(step.children, inner))
    return found


def _leaf(leaf: Step) -> str:
    arguments = leaf.arguments
    skill = str(leaf.skill)
    if skill == "go_to":
        place = arguments["place"]
        return "go found" if "${" in place else f"go {place}"
    if skill in ("look_for", "count", "describe"):
        word = {"look_for": "look", "count": "count", "describe": "describe"}[skill]
        where = arguments.get("where")
        return f"{word} {_what(arguments['what'])}" + (f"@{where}" if where and where != "here" else "")
    if skill == "place":
        return f"place {arguments['at']}"
    if skill == "hand_over":
        return f"give {'them' if '${' in arguments['to'] else arguments['to']}"
    if skill in ("follow", "guide"):
        return f"{skill} {arguments['to']}" if arguments.get("to") else skill
    if skill == "wait":
        return f"wait {arguments['seconds']:g}"
    if skill == "recall":
        return f"recall {arguments['object']}".strip()
    return {"pick": "pick", "say": f"say ~{arguments.get('text', '')}", "ask_person": "ask"}[skill]


def _what(what: Any) -> str:
    if isinstance(what, str):
        return "them"
    if "id" in what:
        return str(what["id"])
    if is_of_answer(what):
        return "answered"
    clothes = what.get("clothes") or {}
    words = [what.get(key) for key in ("superlative", "posture", "gesture")]
    words += [
        clothes.get("colour"),
        clothes.get("kind"),
        what.get("colour"),
        what.get("name") or what.get("category"),
    ]
    said = " ".join(str(word) for word in words if word)
    return said or str(what["kind"])
