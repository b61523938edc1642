"""Properties of the grammar: it never fails, it keeps the dialogue as plain data, it knows its limits."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from zulong.agent.htn import MapWorld, OfflinePlanner, Plan, Question, Refusal
from zulong.agent.language import Lexicon, LexiconError, Vocabulary, read
from zulong.agent.language.lexicon import edit_distance, gerund_of, plural_of
from zulong.agent.language.meaning import clause_from_dict, clause_to_dict
from zulong.agent.language.tokens import chinese_number, language_of

PLANNER = OfflinePlanner()
ENGLISH = sorted(" ".join(phrase) for phrase in PLANNER.vocabulary.english)
CHINESE = sorted(PLANNER.vocabulary.chinese)
GLUE = [
    "the",
    "a",
    "to",
    "from",
    "and",
    "then",
    "if",
    "not",
    "who is",
    "that",
    ",",
    ".",
    "?",
    "3",
    "no",
    "it",
    "me",
]
ZH_GLUE = [
    "把",
    "的",
    "到",
    "从",
    "然后",
    "如果",
    "不",
    "在",
    "里",
    "，",
    "。",
    "三",
    "给",
    "我",
    "它",
    "吗",
    "多少",
]


@settings(max_examples=300, deadline=None)
@given(st.lists(st.sampled_from(ENGLISH) | st.sampled_from(GLUE), max_size=12).map(" ".join))
def test_no_english_words_in_any_order_make_the_planner_fail(text: str) -> None:
    result = PLANNER.plan(text)
    assert isinstance(result, (Plan, Question, Refusal))
    json.dumps(result.context)


@settings(max_examples=300, deadline=None)
@given(st.lists(st.sampled_from(CHINESE) | st.sampled_from(ZH_GLUE), max_size=12).map("".join))
def test_no_chinese_words_in_any_order_make_the_planner_fail(text: str) -> None:
    result = PLANNER.plan(text)
    assert isinstance(result, (Plan, Question, Refusal))
    json.dumps(result.context)


@settings(max_examples=150, deadline=None)
@given(st.text(max_size=60))
def test_no_text_at_all_makes_the_planner_fail(text: str) -> None:
    assert isinstance(PLANNER.plan(text), (Plan, Question, Refusal))


@settings(max_examples=100, deadline=None)
@given(
    st.lists(
        st.sampled_from(
            ["bring me the cup", "the blue one", "no", "yes", "on the sofa", "Jane", "put it there", "stop", "twice",
             "把杯子拿给我", "红色的", "不对", "是的", "放到沙发上", "那梨呢", "算了"]
        ),
        max_size=6,
    )
)  # fmt: skip
def test_a_dialogue_of_any_turns_goes_on(turns: list[str]) -> None:
    context = None
    for text in turns:
        result = PLANNER.plan(text, context)
        context = json.loads(json.dumps(result.context))


@pytest.mark.parametrize(
    "text",
    [
        "if Jane is in the kitchen, bring her two red cups from the desk twice",
        "如果简在厨房，就把红色的杯子拿给她",
    ],
)
def test_clauses_survive_being_written_as_plain_data(text: str) -> None:
    for clause in read(text, PLANNER.vocabulary).clauses:
        assert clause_from_dict(json.loads(json.dumps(clause_to_dict(clause)))) == clause


def test_a_very_long_text_is_cut_and_answered() -> None:
    assert isinstance(PLANNER.plan("go to the kitchen and " * 5000), (Plan, Question, Refusal))


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("go to the kitchen", "en"),
        ("去厨房", "zh"),
        ("把 red cup 拿到 kitchen 去", "zh"),
        ("go to 厨房 now please", "en"),
        ("", "en"),
    ],
)
def test_the_language_of_the_instruction_is_the_one_that_prevails(text: str, language: str) -> None:
    assert language_of(text) == language


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("三", 3),
        ("十", 10),
        ("十二", 12),
        ("二十", 20),
        ("两百零五", 205),
        ("42", 42),
        ("三四", None),
        ("", None),
    ],
)
def test_chinese_numerals_are_read(text: str, number: int | None) -> None:
    assert chinese_number(text) == number


@pytest.mark.parametrize(
    ("noun", "plural"),
    [
        ("cup", "cups"),
        ("dish", "dishes"),
        ("knife", "knives"),
        ("cleaning supply", "cleaning supplies"),
        ("toy", "toys"),
        ("chairs", "chairs"),
    ],
)
def test_plurals_are_regular(noun: str, plural: str) -> None:
    assert plural_of(noun) == plural


@pytest.mark.parametrize(
    ("verb", "gerund"),
    [("say hello", "saying hello"), ("put down", "putting down"), ("take", "taking"), ("see", "seeing")],
)
def test_gerunds_are_regular(verb: str, gerund: str) -> None:
    assert gerund_of(verb) == gerund


@pytest.mark.parametrize(
    ("left", "right", "distance"),
    [
        ("kitchen", "kitchen", 0),
        ("kichen", "kitchen", 1),
        ("ktichen", "kitchen", 1),
        ("cat", "kitchen", 3),
        ("abcd", "badc", 2),
    ],
)
def test_the_edit_distance_counts_swaps_as_one_and_stops_at_its_limit(
    left: str, right: str, distance: int
) -> None:
    assert edit_distance(left, right) == distance


def test_a_lexicon_without_a_section_is_refused_by_name() -> None:
    with pytest.raises(LexiconError, match="rooms"):
        Lexicon({})


def test_a_name_of_the_map_that_the_lexicon_does_not_know_is_still_known() -> None:
    world = MapWorld.from_mapping(
        {
            "rooms": [{"id": "orangery", "name": "orangery"}],
            "placements": [],
            "categories": [],
            "objects": [],
            "people": [],
        }
    )
    vocabulary = Vocabulary(Lexicon.load(), world)
    clauses = read("go to the orangery", vocabulary).clauses
    assert clauses[0].goal is not None and clauses[0].goal.ids == ("orangery",)


@pytest.mark.feature("FC-10")
@pytest.mark.parametrize(
    ("text", "forbidden"),
    [
        ("I don't want you to go to the kitchen", "kitchen"),
        ("never go to the kitchen", "kitchen"),
        ("go to the bedroom, not to the kitchen", "kitchen"),
        ("avoid the kitchen", "kitchen"),
        ("go to the office but stay out of the kitchen", "kitchen"),
        ("go to the kitchen... no, forget it", "kitchen"),
        ("go to the kitchen, no, the bedroom", "kitchen"),
        ("你别去厨房", "kitchen"),
        ("千万不要进厨房", "kitchen"),
        ("去卧室，别去厨房", "kitchen"),
        ("去厨房，算了", "kitchen"),
        ("去厨房，不对，是卧室", "kitchen"),
    ],
)
def test_what_was_forbidden_or_taken_back_is_never_done(text: str, forbidden: str) -> None:
    result = PLANNER.plan(text)
    if isinstance(result, Plan):
        assert forbidden not in [leaf.arguments.get("place") for leaf in result.leaves()]


@pytest.mark.parametrize(
    "text",
    [
        "bring the frobnicator to Jane",
        "把红色的杯子拿给咕噜",
        "go to the kitchen via the wormhole",
        "bring me the cup of doom",
    ],
)
def test_words_that_were_not_understood_stop_the_robot(text: str) -> None:
    assert not isinstance(PLANNER.plan(text), Plan)
