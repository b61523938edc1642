"""Chinese questions and errands with people in the words of very different people."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
import yaml

from zulong.agent.htn import OfflinePlanner
from zulong.agent.language import chinese_wordings
from zulong.agent.language.chinese_wordings import wordings_of
from zulong.agent.language.chinese_words import plain
from zulong.agent.language.lexicon import LexiconError

WORDINGS = yaml.safe_load(Path(__file__).with_name("wordings_zh.yaml").read_text(encoding="utf-8"))


def _comes_to(expected: str, got: str) -> bool:
    if expected == "nothing":
        return got[0] in "?!"
    if expected[0] in "?!":
        return got == expected or got.startswith(expected + " ")
    wanted, leaves = expected.split("; "), got.split("; ")
    return len(wanted) == len(leaves) and all(map(_same, wanted, leaves))


def _same(wanted: str, got: str) -> bool:
    if wanted.startswith(("say", "recall")):
        return got.startswith(wanted)
    return (got.partition("@")[0] if "@" not in wanted else got) == wanted


@pytest.mark.feature("FC-10")
def test_every_wording_gets_the_plan_that_it_asks_for(outcome: Callable[[str | Sequence[str]], str]) -> None:
    wrong = [
        f"{text}\n    expected {entry['outcome']}\n    got      {got}"
        for entry in WORDINGS
        for text in entry["said"]
        if not _comes_to(entry["outcome"], got := outcome(text))
    ]
    assert sum(len(entry["said"]) for entry in WORDINGS) >= 2100
    assert wrong == [], "\n".join(wrong)


@pytest.mark.feature("FC-10")
@pytest.mark.parametrize(
    ("said", "form"),
    [
        ("你上回是在什么地方瞧见骰子的", "骰子在哪里"),
        ("我忘记把骰子放在哪里了", "骰子在哪里"),
        ("柜子上的饮料当中哪一种最重", "柜子上最重的饮料是什么"),
        ("今儿礼拜几来着", "今天星期几"),
        ("查理要去浴室，你引他过去", "带查理去浴室"),
        ("原地别动，等半分钟", "等半分钟"),
        # words for others are never orders
        ("转告罗宾：把苹果放到书桌上，别等我", "告诉罗宾「把苹果放到书桌上，别等我」"),
        ("问下摩根要不要苹果，然后回来告诉我他怎么说", "问摩根「要不要苹果」，然后回来告诉我"),
        ("告诉简“水开了”", "告诉简“水开了”"),
        # what the robot has to find out or knows is no message
        ("告诉简客厅里有几个人", "告诉简客厅里有几个人"),
        ("告诉简都几点了", "告诉简现在几点"),
        # no form takes a word that it does not know
        ("骰子咕噜去哪儿了", "骰子咕噜在哪里"),
    ],
)
def test_a_turn_of_phrase_comes_to_the_form_of_the_grammar(
    said: str, form: str, planner: OfflinePlanner
) -> None:
    assert wordings_of(planner.vocabulary).apply(plain(said)) == form


@pytest.mark.feature("FC-10")
def test_more_than_anybody_says_at_once_is_left_as_it_is(planner: OfflinePlanner) -> None:
    text = "跟简说" * 200
    assert wordings_of(planner.vocabulary).apply(text) == text


@pytest.mark.feature("FC-10")
@pytest.mark.parametrize(
    "content", ["forms: {}\n", "- 1\n", "macros: {}\nwhen: {}\nmessages: {}\nforms: {where: []}\n"]
)
def test_a_file_of_another_form_is_refused_by_name(
    content: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "wordings_zh.yaml"
    path.write_text(content, encoding="utf-8")
    monkeypatch.setattr(chinese_wordings, "config_path", lambda name: path)
    with pytest.raises(LexiconError, match=r"wordings_zh\.yaml"):
        chinese_wordings.read_wordings()
