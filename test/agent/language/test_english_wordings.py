"""English wordings of questions and of errands with people, the quoting of what is passed on, the gist of a question."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
import yaml

from zulong.agent.htn import OfflinePlanner
from zulong.agent.language.english_gist import gist
from zulong.agent.language.english_messages import quoted
from zulong.agent.language.english_reported import asked
from zulong.agent.language.english_wordings import Wordings
from zulong.agent.language.english_words import normalise
from zulong.agent.language.lexicon import LexiconError

WORDINGS = yaml.safe_load(Path(__file__).with_name("wordings_en.yaml").read_text(encoding="utf-8"))


def _as_wanted(wanted: str, got: str) -> bool:
    """Compare an outcome with what is wanted; see the head of corpus.yaml for the notation."""
    if wanted[0] in "?!" or got[:1] in "?!":
        return got == wanted or got.startswith(wanted + " ")
    leaves = list(zip(wanted.split("; "), got.split("; "), strict=False))
    return len(wanted.split("; ")) == len(got.split("; ")) and all(
        g == w or (g.startswith(w) if w.startswith("say") else "@" not in w and g.partition("@")[0] == w)
        for w, g in leaves
    )


@pytest.mark.feature("FC-10")
def test_wordings_of_very_different_people_come_to_what_they_mean(
    outcome: Callable[[str | Sequence[str]], str],
) -> None:
    wrong = [f"{said}: {got}" for said, wanted in WORDINGS if not _as_wanted(wanted, got := outcome(said))]
    assert len(wrong) <= 0.02 * len(WORDINGS), "\n".join(wrong)


@pytest.mark.feature("FC-10")
@pytest.mark.parametrize(
    ("said", "plain"),
    [
        ("Where did you last see the sponge?", "where is the sponge?"),
        ("In which room was the peach the last time you saw it?", "where is the peach?"),
        ("any idea where Paris went", "tell me where is paris"),
        ("give me a headcount for the office", "count the people in the office"),
        ("what does Morgan look like?", "describe morgan?"),
        ("What's lying on the bedside table?", "what is on the bedside table?"),
    ],
)
def test_a_known_wording_is_put_the_plain_way(said: str, plain: str) -> None:
    assert normalise(said) == plain


@pytest.mark.feature("FC-10")
@pytest.mark.parametrize(
    ("said", "who", "words"),
    [
        ("pass on to Paris that lunch is on the blargish table", "paris", "lunch is on the blargish table"),
        ("let Jane know I've left", "jane", "I've left"),
        (
            "tell the person in the kitchen that the taxi is here",
            "the person in the kitchen",
            "the taxi is here",
        ),
        ("message for Jane: call your mother", "jane", "call your mother"),
        ("tell Robin not to wait for you", "robin", "please do not wait for me"),
    ],
)
def test_what_is_to_be_passed_on_is_quoted_word_for_word(said: str, who: str, words: str) -> None:
    assert quoted(said.lower()) == f'tell {who} "{words}"'


@pytest.mark.feature("FC-10")
def test_what_is_asked_of_somebody_is_put_as_it_is_said_to_that_person() -> None:
    assert asked("if she wants tea", "jane").text == "do you want tea?"
    assert asked("whether he is hungry", "robin").text == "are you hungry?"
    assert asked("what her plans are", "jane").text == "what are your plans?"
    assert quoted("ask axel if he has time tomorrow") == 'ask axel "do you have time tomorrow?"'


@pytest.mark.feature("FC-10")
@pytest.mark.parametrize(
    "text",
    [
        "tell Jane that I will kill her",
        "let Robin know that we will burn the house down",
        'say "I will stab you" to Jane',
    ],
)
def test_a_threat_is_not_passed_on(text: str, outcome: Callable[[str | Sequence[str]], str]) -> None:
    assert outcome(text) == "! dangerous"


@pytest.mark.feature("FC-10")
@pytest.mark.parametrize(
    "text",
    [
        "tell me that lunch is ready",
        "I told Jane that lunch is ready",
        "Jane told me that the milk is in the fridge",
        "did you tell Jane that dinner is ready?",
        "I asked Robin what he wants",
    ],
)
def test_what_was_said_before_is_no_order_to_say_it(
    text: str, outcome: Callable[[str | Sequence[str]], str]
) -> None:
    assert not outcome(text).startswith(("look", "ask", "go "))


@pytest.mark.feature("FC-10")
def test_a_question_with_unexpected_small_words_still_has_a_gist(planner: OfflinePlanner) -> None:
    vocabulary = planner.vocabulary
    assert gist("be honest, where have you hidden away, I wonder, the milk", vocabulary) is None
    assert gist("my guess is that you know where the milk lives", vocabulary) == "where is the milk"
    assert gist("roughly what is the total of cups kept on the desk, I wonder", vocabulary) is not None


@pytest.mark.feature("FC-10")
@pytest.mark.parametrize(
    "text",
    [
        "where is the blargish cup",
        "take the milk, where is it",
        "where is the milk and where is Jane",
        "if you know where the milk is, bring it",
        "where is not the milk",
        "bring me the milk",
    ],
)
def test_an_order_a_condition_or_an_unknown_thing_leaves_no_gist(planner: OfflinePlanner, text: str) -> None:
    assert gist(text, planner.vocabulary) is None


@pytest.mark.feature("FC-10")
def test_a_broken_wordings_file_is_refused_by_name(tmp_path: Path) -> None:
    broken = tmp_path / "wordings.yaml"
    broken.write_text("parts: {}\n", encoding="utf-8")
    with pytest.raises(LexiconError, match="asking"):
        Wordings.load(broken)
    broken.write_text("parts: {}\nasking: {asked: '(', known: x}\nspoken: []\n", encoding="utf-8")
    with pytest.raises(LexiconError, match=r"no regular expression|section or part"):
        Wordings.load(broken)
