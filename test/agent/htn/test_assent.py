"""What is a yes, what is a no, and what is neither."""

from __future__ import annotations

import pytest

from zulong.agent.htn import OfflinePlanner, Plan, condition_holds
from zulong.agent.htn.assent import assents


@pytest.mark.parametrize(
    "answer",
    [
        "Yes, please.",
        "yeah",
        "Sure, why not?",
        "I'd love one",
        "I am",
        "Of course she is",
        "OK",
        "no problem",
        "I don't mind",
        "very",
        "要",
        "好的，谢谢",
        "行啊",
        "嗯",
        "想喝",
        "同意",
        "没问题",
        "可以",
        "求之不得",
    ],
)
def test_what_agrees(answer: str) -> None:
    assert assents(answer) is True


@pytest.mark.parametrize(
    "answer",
    [
        "No, thanks.",
        "nope",
        "I don't",
        "not now",
        "She isn't",
        "I'm fine",
        "I would rather not",
        "不用了，谢谢",
        "不要",
        "没有",
        "不同意",
        "别拿了",
        "算了吧",
        "我不想喝",
    ],
)
def test_what_declines(answer: str) -> None:
    assert assents(answer) is False


@pytest.mark.parametrize(
    "answer",
    [
        "",
        "maybe",
        "I don't know",
        "It depends",
        "yes, no, wait",
        "blue",
        "at half past six",
        "不知道",
        "随便",
        "看情况",
        "也许吧",
    ],
)
def test_what_is_neither(answer: str) -> None:
    assert assents(answer) is None


@pytest.mark.parametrize(
    "text",
    [
        "Ask Jane if she wants a cola; if she does, bring her one, otherwise come back",
        "问简要不要可乐，要的话拿给她，不要就回来",
    ],
)
@pytest.mark.parametrize(("answer", "done"), [("yes", [0]), ("不要", [1]), ("hm, maybe", [])])
def test_only_what_hangs_on_the_answer_given_is_done(
    planner: OfflinePlanner, text: str, answer: str, done: list[int]
) -> None:
    plan = planner.plan(text)
    assert isinstance(plan, Plan)
    asks = next(leaf.id for leaf in plan.leaves() if leaf.skill == "ask_person")
    hanging = [step for step in plan.walk() if step.condition is not None]
    assert len(hanging) == 2
    held = [condition_holds(step.condition, {asks: {"answer": answer}}) for step in hanging]
    assert [number for number, holds in enumerate(held) if holds] == done
    assert not any(condition_holds(step.condition, {}) for step in hanging)
