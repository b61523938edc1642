"""What a result of the planner is: vague, a mere refraining, without the condition that was said, a name not known."""

from __future__ import annotations

import re

from zulong.agent.htn.errands import CALLED_OFF, REFRAINS
from zulong.agent.htn.step import Plan, PlanResult, Question, Refusal, Step

_KIN = re.compile(
    r"(?:my |our |the )?(?:grand(?:ad|dad|pa|ma|mum|mother|father)|gran|granny|nan|nana|nanny|mum|mom|mummy|mommy|dad|daddy|"
    r"mother|father|auntie?|aunty|uncle|cousin|sister|brother|neighbou?rs?|postman|plumber|doctor|nurse|vicar|boss)"
)

_GIVING = "take|bring|carry|deliver|hand|pass|give|send|fetch|get|serve|show"


def named_like_somebody(refusal: Refusal, text: str) -> bool:
    """Tell whether the place or thing that is not known is written like a name, or is a word for people."""
    if refusal.code not in ("unknown_place", "unknown_object") or not refusal.missing:
        return False
    name = re.escape(refusal.missing.title())
    given = re.search(rf"\b(?:{_GIVING})\b", text, re.IGNORECASE)
    to_whom = re.search(rf"(?<=\bto ){name}(?=\W|$)", text) is not None
    # "bring Tom the milk": who stands between the verb and the thing gets it.
    between = rf"\b(?:{_GIVING}) {re.escape(refusal.missing)} (?:the|a|an|some|my|this|that|two|three|both)\b"
    to_whom = to_whom or re.search(between, text, re.IGNORECASE) is not None
    return (given is not None and to_whom) or _KIN.fullmatch(refusal.missing.lower()) is not None


UNKNOWN = ("unknown_object", "unknown_person", "unknown_place")


def vague(result: PlanResult) -> bool:
    """Tell a result that does not say what is missing: the sentence was not understood, or no verb was found in it."""
    if isinstance(result, Refusal):
        return result.code == "not_understood"
    return isinstance(result, Question) and result.slot == "action"


def denies(plan: Plan) -> bool:
    return len(plan.steps) == 1 and plan.steps[0].arguments.get("text") in REFRAINS


def only_refrains(plan: Plan) -> bool:
    """Tell a plan that only says that nothing will be done: too much for words that were not understood at first."""
    said = plan.steps[0].arguments.get("text") if len(plan.steps) == 1 else None
    return said in (*REFRAINS, *CALLED_OFF)


_CONDITION = re.compile(r"如果|要是(?!说)|假如|倘若|除非|否则|的话(?!题)|[有没]人就|[有没]就")
_COURTESY = re.compile(
    r"(?:如果|要是|假如)?(?:你)?(?:方便|可以|有空|不忙|有时间|没记错|我没记错|没猜错|不介意|不麻烦|行|能行|顺路|"
    r"没事)(?:的话)?"
)


def drops_condition(text: str, plan: Plan) -> bool:
    """Tell a plan that does at once what a Chinese sentence hangs on something."""
    hangs = _CONDITION.search(_COURTESY.sub("", text)) is not None
    return hangs and not any(_conditional(step) for step in plan.steps)


def _conditional(step: Step) -> bool:
    return step.condition is not None or any(_conditional(child) for child in step.children)
