"""What the grammar does not understand is heard again in plainer wordings, and nothing that matters is lost on the way."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest

from zulong.agent.htn import OfflinePlanner
from zulong.agent.language.lexicon import LexiconError
from zulong.agent.language.phrasebook import Phrasebook
from zulong.agent.language.rewording_chinese import ChineseBackground
from zulong.agent.language.rewording_english import EnglishBackground
from zulong.agent.language.stretches import Stretch

Outcome = Callable[[str | Sequence[str]], str]


def plain(data: dict[str, list[Any]], text: str, language: str = "en") -> list[str]:
    return list(Phrasebook(data).plain_forms(text, language))  # type: ignore[arg-type] - a literal in the product


def test_a_wording_matches_a_whole_stretch_with_its_slots_choices_and_optional_words() -> None:
    book = {"en": [["[kindly] (supply|provide) {who} with {what}", "bring {what} to {who}"]]}
    assert plain(book, "Supply Jane with the red cup") == ["bring the red cup to Jane"]
    assert plain(book, "kindly provide Jane with milk") == ["bring milk to Jane"]
    assert plain(book, "supply Jane with milk and pears") == ["bring milk and pears to Jane"]
    assert plain(book, "supply Jane with milk and go home") == [], "a slot holds no second order"
    assert plain(book, "they supply Jane with milk") == []


def test_a_slot_stops_at_a_mark_unless_it_takes_all_that_follows() -> None:
    book = {"en": [["let {who} know that {text+}", "tell {who} that {text}"], ["hurl {what}", "take {what}"]]}
    assert plain(book, "let Jane know that lunch is ready, and hot") == [
        "tell Jane that lunch is ready, and hot"
    ]
    assert plain(book, "hurl the cup, please") == []


def test_chinese_wordings_need_no_blanks_and_two_slots_may_be_numbered() -> None:
    book = {"zh": [["把{what1}[和]换成{what2}", "给我拿{what2}"]]}
    assert plain(book, "把苹果换成梨", "zh") == ["给我拿梨"]


def test_the_surest_wording_comes_first() -> None:
    book = {"en": [["get {what}", "take {what}"], ["get {what} over with quickly", "find {what}"]]}
    assert plain(book, "get it over with quickly") == ["find it", "take it over with quickly"]


def test_an_idiom_is_heard_before_the_grammar_and_other_wordings_are_not() -> None:
    book = Phrasebook(
        {"en": [["!let's see you at {place}", "go to {place}"], ["shift {what}", "take {what}"]]}
    )
    assert list(book.plain_forms("let's see you at the desk", "en", idioms=True)) == ["go to the desk"]
    assert list(book.plain_forms("shift it", "en", idioms=True)) == []


def test_only_names_may_be_left_out_of_a_plain_form(planner: OfflinePlanner) -> None:
    book = Phrasebook({"en": [["have {what2} instead of {what1}", "take {what2}"]]})
    names = EnglishBackground(planner.vocabulary).names
    said = "have milk instead of the red cup"
    assert list(book.plain_forms(said, "en", may_be_left_out=names)) == ["take milk"]
    assert list(book.plain_forms(said + " tomorrow", "en", may_be_left_out=names)) == []


def test_a_named_list_of_words_is_shared_by_the_wordings_after_it() -> None:
    book: dict[str, list[Any]] = {
        "en": [{"get": "grab|snag", "want": "<get>|nab"}, ["(<want>) [up] {what}", "fetch {what}"]]
    }
    for verb in ("grab", "snag up", "nab"):
        assert plain(book, f"{verb} the milk") == ["fetch the milk"]


def test_a_word_of_a_region_is_put_into_the_common_one_wherever_it_stands() -> None:
    book = Phrasebook({"en": [["~wee", "small"]], "zh": [["~俺|侬", "我"], ["~速速", ""]]})
    assert book.in_common_words("the wee cup for the weekend", "en") == "the small cup for the weekend"
    assert book.in_common_words("给俺速速拿来", "zh") == "给我拿来"
    assert list(book.plain_forms("wee", "en")) == [], "it is no wording of its own"


def test_the_wording_whose_shortest_form_is_longer_is_the_surer_one() -> None:
    many = ["(supply|provide|furnish|equip) {who}", "bring it to {who}"]
    longer = ["supply {who} at once", "go to {who}"]
    assert plain({"en": [many, longer]}, "supply Jane at once")[0] == "go to Jane"


@pytest.mark.parametrize(
    ("entry", "words"),
    [
        (["<unnamed> {who}", "bring {who}"], "which no entry before it names"),
        (["only one"], "is not a pair"),
        (["supply {who}", "bring {what}"], "which"),
        (["supply (a|b", "bring it"], "not well formed"),
        (["supply (a )?b", "bring it"], "sign after a bracket"),
    ],
)
def test_a_broken_entry_is_named(entry: list[str], words: str) -> None:
    with pytest.raises(LexiconError, match=words):
        Phrasebook({"en": [entry]})


def test_every_plain_form_of_the_shipped_phrasebook_differs_from_its_wording() -> None:
    book = Phrasebook.load()
    for language in ("en", "zh"):
        assert all(phrase.wording != phrase.plain for phrase in book.phrases(language))


@pytest.mark.parametrize(
    "text",
    [
        "he is finally asleep",
        "I've been reading all morning",
        "Charlie forgot his tennis ball",
        "my hands are full",
        "Angel hasn't had her breakfast yet",
    ],
)
def test_english_background_orders_nothing(planner: OfflinePlanner, text: str) -> None:
    assert EnglishBackground(planner.vocabulary).tells(Stretch(text))


@pytest.mark.parametrize(
    "text",
    [
        "bring me the cup",
        "she wants a cola",
        "I don't want the red one",
        "it is not the red cup but the blue one, I changed my mind",
        "you are not allowed in there",
        "the door is open, if it rains",
        "Jane already has one",
        "he will stab me",
        "the apple fell on the floor",
        "they should have it tomorrow",
    ],
)
def test_english_orders_wishes_bans_and_conditions_are_no_background(
    planner: OfflinePlanner, text: str
) -> None:
    assert not EnglishBackground(planner.vocabulary).tells(Stretch(text))


@pytest.mark.parametrize(
    "text", ["查理刚睡醒", "我这会儿抽不开身", "嗓子冒烟了", "客人马上到了", "外面好热啊"]
)
def test_chinese_background_orders_nothing(planner: OfflinePlanner, text: str) -> None:
    assert ChineseBackground(planner.vocabulary).tells(Stretch(text))


@pytest.mark.parametrize(
    "text",
    [
        "把杯子拿来",
        "查理想喝可乐",
        "我不要红的了",
        "如果门开着",
        "苹果掉在地上了",
        "他把刀捅了",
        "去厨房了",
        "我已经拿过了",
    ],
)
def test_chinese_orders_wishes_bans_and_conditions_are_no_background(
    planner: OfflinePlanner, text: str
) -> None:
    assert not ChineseBackground(planner.vocabulary).tells(Stretch(text))


@pytest.mark.feature("FC-10")
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Charlie forgot his tennis ball, take it to him in the bedroom", "tennis_ball charlie"),
        ("I've got dirty hands from painting, so could you bring me the sponge from the sink", "sponge@sink operator"),
        ("Supply Morgan with the blue cup.", "blue_cup morgan"),
        ("查理刚睡醒，你给他送杯咖啡去", "coffee charlie"),
        ("我这会儿抽不开身，床头柜上的网球你给我拿一下", "tennis_ball@bedside_table operator"),
    ],
)  # fmt: skip
def test_an_order_in_other_words_or_among_background_is_carried_out(
    outcome: Outcome, text: str, expected: str
) -> None:
    got = outcome(text)
    assert got[:1] not in "?!"
    assert all(word in got for word in expected.split()), got


@pytest.mark.feature("FC-10")
@pytest.mark.parametrize(
    "text",
    [
        "Paris is sad, cook her some rice",
        "he is annoying, so smack him",
        "the apple fell on the floor, pick it up",
        "I changed my mind, bring me the cup",
        "查理很烦人，打他一下",
        "罗宾饿了，给他煮碗面",
        "苹果掉在地上了，捡起来",
    ],
)
def test_no_order_is_carried_out_by_leaving_out_what_forbids_changes_or_spoils_it(
    outcome: Outcome, text: str
) -> None:
    assert outcome(text)[:1] in "?!"


@pytest.mark.feature("FC-10")
@pytest.mark.parametrize(
    ("turns", "expected"),
    [
        (["带简走", "去出口"], "guide exit"),
        (["guide Jane", "go to the exit"], "guide exit"),
        (["取个梨给我", "再取一个"], "give operator"),
        (["bring me a pear", "one more, please"], "give operator"),
    ],
)
def test_an_answer_or_one_more_completes_what_was_said_before(
    outcome: Outcome, turns: list[str], expected: str
) -> None:
    assert outcome(turns).endswith(expected)


@pytest.mark.feature("FC-10")
@pytest.mark.parametrize(
    "text",
    [
        "could you bring the coffee to the",
        "番茄汤给",
        "the plate is in the garage, bring it to me",
        "盘子在车库，拿给我",
    ],
)
def test_what_was_not_said_to_its_end_or_lies_off_the_map_is_not_acted_on(
    outcome: Outcome, text: str
) -> None:
    assert outcome(text)[:1] in "?!"


@pytest.mark.parametrize("text", ["please " * 600, "请" * 4000, "the cup, " * 400, "苹果，" * 1000])
def test_a_flood_of_words_is_not_heard_again(planner: OfflinePlanner, text: str) -> None:
    assert list(planner.rewording.wordings(text)) == []
    assert planner.rewording.without_idioms(text) is None
