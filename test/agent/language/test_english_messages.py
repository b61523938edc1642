"""Messages and questions for people in English: where they end, and how the robot says them."""

from __future__ import annotations

import pytest

from zulong.agent.htn import OfflinePlanner, Plan
from zulong.agent.language.english_messages import quoting
from zulong.agent.language.english_reported import asked, requested, told
from zulong.agent.language.english_unanswered import unanswered

NAMES = frozenset(("jane", "adel", "robin", "morgan"))


@pytest.mark.feature("FC-10")
@pytest.mark.parametrize(
    ("said", "who", "spoken"),
    [
        ("you are coming", "jane", "I am coming"),
        ("you were looking for her", "jane", "I was looking for you"),
        ("she's late and her dinner is cold", "jane", "you are late and your dinner is cold"),
        ("she has lost her keys", "jane", "you have lost your keys"),
        ("he always forgets his umbrella", "robin", "you always forget your umbrella"),
        ("i'm home", "jane", "I'm home"),
        ("my dog was ill", "jane", "my dog was ill"),
        ("i miss her", "jane", "I miss you"),
        ("he is late", "jane", "he is late"),
        ("they are late", "the people in the kitchen", "you are late"),
        ("they are here", "jane", "they are here"),
        ("morgan wants to see him", "robin", "morgan wants to see you"),
        ("you're welcome", "jane", "you are welcome"),
    ],
)
def test_a_message_is_turned_to_the_one_who_hears_it(said: str, who: str, spoken: str) -> None:
    assert told(said, who, NAMES).text == spoken


@pytest.mark.feature("FC-10")
def test_a_pronoun_that_may_mean_two_people_is_unclear() -> None:
    assert told("adel has lost her keys", "jane", NAMES).unclear == ("her",)
    assert told("adel wants you to bring her a plum", "jane", NAMES).unclear == ("her",)
    assert told("the door is open", "jane", NAMES).unclear == ()


@pytest.mark.feature("FC-10")
@pytest.mark.parametrize(
    ("said", "question"),
    [
        ("what she wants", "what do you want?"),
        ("when she is coming home", "when are you coming home?"),
        ("whether the report is finished", "is the report finished?"),
        ("if you can help her", "can I help you?"),
        ("if i can borrow her cup", "can I borrow your cup?"),
        ("what time the meeting is", "what time is the meeting?"),
        ("where robin is", "where is robin?"),
        ("who is there", "who is there?"),
        ("how she slept", "how did you sleep?"),
        ("where she put your plum", "where did you put my plum?"),
        ("what robin said", "what did robin say?"),
        ("what robin wants", "what does robin want?"),
        ("whether or not she is coming", "are you coming?"),
        ("if she has seen the plum", "have you seen the plum?"),
        ("if she is hungry and what she wants", "are you hungry and what do you want?"),
    ],
)
def test_an_indirect_question_is_asked_directly(said: str, question: str) -> None:
    assert asked(said, "jane", NAMES).text == question


@pytest.mark.feature("FC-10")
def test_the_one_who_asks_is_spoken_to_when_asked_himself() -> None:
    assert asked("what i want", "me", NAMES).text == "what do you want?"
    assert requested("help you", "jane", NAMES).text == "Please help me."


@pytest.mark.feature("FC-10")
@pytest.mark.parametrize(
    ("text", "plain", "unclear"),
    [
        ("tell jane that it is late, then come back", 'tell jane "it is late" then come back', ()),
        ("tell jane that it is late and adel too", 'tell jane "it is late" and tell adel "it is late"', ()),
        ("tell jane that it is late, not that it is early", 'tell jane "it is late"', ()),
        (
            "ask jane if she is hungry and robin if he is tired",
            'ask jane "are you hungry?" and ask robin "are you tired?"',
            (),
        ),
        (
            "tell jane that i will go home and bring adel a plum",
            'tell jane "I will go home" and bring adel a plum',
            ("and bring adel a plum",),
        ),
        ("tell jane that she can come in if you see her", 'tell jane "you can come in", if you see her',
         ("if you see her",)),
    ],
)  # fmt: skip
def test_a_message_ends_where_a_clause_for_the_robot_begins(
    text: str, plain: str, unclear: tuple[str, ...]
) -> None:
    assert quoting(text, NAMES) == (plain, unclear)


@pytest.mark.feature("FC-10")
def test_the_words_of_an_answer_keep_their_capitals(planner: OfflinePlanner) -> None:
    asks = planner.plan("Tell Jane")
    result = planner.plan("Adel's train is late", asks.context)
    assert isinstance(result, Plan)
    spoken = [
        leaf.arguments["text"] for step in result.steps for leaf in step.leaves() if leaf.skill == "say"
    ]
    assert spoken == ["Adel's train is late"]


@pytest.mark.feature("FC-10")
@pytest.mark.parametrize(
    "text",
    ["where is the plum?", "what can you do?", "where did I leave my cup", "when did you last see Jane?",
     "what day will it be tomorrow", "who is in the kitchen?", "when you have found it, bring it to me",
     "why don't you bring me the milk"],
)  # fmt: skip
def test_questions_with_an_answer_and_orders_are_not_turned_down(text: str) -> None:
    assert unanswered(text) == ""
