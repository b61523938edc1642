"""No word that matters gets lost: a changed English instruction gives another plan, a question or a refusal."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
import yaml

from zulong.agent.htn import OfflinePlanner, Plan, PlanResult

CORPUS = yaml.safe_load(Path(__file__).with_name("corpus.yaml").read_text(encoding="utf-8"))
UNKNOWN = "blargish"

# What is said beside an order, taken back, not to be done, merely told or asked for word by word may hold any word.
_FREE = re.compile(
    r"n't|not|never|no,|forget|cancel|stop|wait, no|sorry|without|ask|say|tell|announce|joke|"
    r"hear what|inquire|enquire|question|instead of|i am|i'm|it's|mind|hello|thank|"
    r"later|tomorrow|there (?:is|should)|(?:is|she's|he's) (?:in|at|on|hungry)|wants|belongs|be a dear|"
    r"so that|rather|leave (?:it|the)|hold on to|to cut|"
    # What the speaker does meanwhile is an aside without a sign.
    r"while i\b",
    re.IGNORECASE,
)
_ASKS = re.compile(
    r"(?:which|where|what|who|how|is|are|any|do|does|have|did|seen|count|find|see|look)\b", re.IGNORECASE
)


def _orders() -> list[str]:
    # What is not to be done is left alone whatever else is said.
    acting = [entry for entry in CORPUS["served"] if not entry[1].startswith("say ~All right")]
    texts = [entry[0] for entry in acting if isinstance(entry[0], str)]
    plain = [text for text in texts if text.isascii() and not _FREE.search(text)]
    # Asides, which may hold any word, are set off by signs; a question moves nothing.
    return [text for text in plain if not re.search(r"[,;:.] |\?", text) and not _ASKS.match(text)][::6]


@pytest.mark.feature("FC-10")
def test_an_unknown_word_anywhere_changes_what_comes_of_an_order(
    outcome: Callable[[str | Sequence[str]], str],
) -> None:
    lost = []
    for text in _orders()[::2]:
        plain, words = outcome(text), text.split()
        for position in range(len(words) + 1):
            changed = " ".join([*words[:position], UNKNOWN, *words[position:]])
            # "report back to ... me": who is told by default needs no name.
            if outcome(changed) == plain and "report" not in text:
                lost.append(changed)
    assert lost == []


@pytest.mark.feature("FC-10")
def test_a_word_replaced_by_an_unknown_one_changes_what_comes_of_an_order(
    outcome: Callable[[str | Sequence[str]], str],
) -> None:
    lost = []
    for text in _orders()[::2]:
        plain, words = outcome(text), text.split()
        for position, word in enumerate(words):
            if len(word) < 4 or "introduce" in text:
                continue
            changed = " ".join(
                [*words[:position], re.sub(r"[A-Za-z']+", UNKNOWN, word), *words[position + 1 :]]
            )
            if outcome(changed) == plain:
                lost.append(changed)
    assert lost == []


@pytest.mark.feature("FC-10")
@pytest.mark.parametrize(
    "tail", ["tomorrow", "at 5", "or the plum", "except the plum", "if it is blargish", "later", "until noon"]
)
def test_what_is_added_at_the_end_is_never_carried_out_without_it(
    tail: str, outcome: Callable[[str | Sequence[str]], str], planner: OfflinePlanner
) -> None:
    acted = []
    for text in _orders():
        changed = f"{text.rstrip('.?! ')} {tail}"
        if outcome(changed) == outcome(text) and not _rules_out(planner.plan(changed)):
            acted.append(changed)
    assert acted == []


def _rules_out(result: PlanResult) -> bool:
    """Tell whether the search leaves something out: "except the plum" has its part in the plan."""
    searches = (
        [leaf for leaf in result.leaves() if leaf.skill == "look_for"] if isinstance(result, Plan) else []
    )
    return any(
        "not_ids" in leaf.arguments["what"] for leaf in searches if isinstance(leaf.arguments["what"], dict)
    )


@pytest.mark.feature("FC-10")
def test_an_order_under_a_negation_is_not_carried_out(outcome: Callable[[str | Sequence[str]], str]) -> None:
    acted = [text for text in _orders() if outcome(f"do not {text}") == outcome(text)]
    assert acted == []
