"""Chinese errands in stages: what is heard one by one, in which order, and what is never cut."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest

from zulong.agent.htn import OfflinePlanner
from zulong.agent.language.chinese_characters import simplified
from zulong.agent.language.chinese_pauses import with_pauses
from zulong.agent.language.chinese_rounds import in_a_row
from zulong.agent.language.chinese_stages import in_turn, stages


@pytest.mark.feature("FC-10")
@pytest.mark.parametrize(
    ("said", "orders"),
    [
        ("先去厨房，再把盘子放水槽，完了回来", ["去厨房", "把盘子放水槽", "回来"]),
        ("先边桌，后书房，最后客厅", ["去边桌", "去书房", "去客厅"]),
        ("足球给查理，可不许给简", ["足球给查理"]),
        ("我在打扫，你去书房", ["你去书房"]),
        ("把刀放食品柜，把糖也放进去", ["把刀放食品柜", "把糖放到食品柜"]),
    ],
)
def test_orders_that_follow_each_other_are_heard_one_by_one(
    planner: OfflinePlanner, said: str, orders: list[str]
) -> None:
    assert [order.removeprefix("再") for order in stages(said, planner.vocabulary)] == orders


@pytest.mark.feature("FC-10")
@pytest.mark.parametrize(
    "said",
    [
        "如果厨房没人，就去书房，再回来",
        "告诉简先去厨房，再去书房",
        "去厨房，不对，去书房",
        "拿苹果，简拿梨",
        "去厨房站一会儿，来两遍",
        "给我拿水果，苹果别拿",
        "把苹果给简，她不吃就拿回来",
    ],
)
def test_what_turns_an_order_round_or_may_belong_to_a_message_is_not_cut(
    planner: OfflinePlanner, said: str
) -> None:
    assert len(stages(said, planner.vocabulary)) == 0


@pytest.mark.feature("FC-10")
def test_what_is_done_first_stands_first_and_the_report_is_said_in_words(planner: OfflinePlanner) -> None:
    vocabulary = planner.vocabulary
    assert in_turn("去书房之前先去厨房", vocabulary) == "先去厨房，然后去书房"
    assert in_turn("把可乐放餐桌上，不过在那之前先去厨房", vocabulary) == "先去厨房，然后把可乐放餐桌上"
    reported = in_turn("把可乐放餐桌上，弄好了叫我", vocabulary)
    assert reported is not None and reported.startswith("把可乐放餐桌上") and reported.endswith("“做好了”")
    assert in_turn("我出门之前先把门关上", vocabulary) is None


@pytest.mark.feature("FC-10")
def test_a_round_is_put_as_the_row_of_places_that_it_stands_for(planner: OfflinePlanner) -> None:
    vocabulary = planner.vocabulary
    spared = in_a_row("除了书房，每个屋都转转", vocabulary)
    assert spared is not None and "办公室" not in spared and spared.count("去") == 4
    assert in_a_row("去书架和沙发，每处停五秒", vocabulary) == "去书架，等五秒，然后去沙发，等五秒"
    assert in_a_row("除了苹果，水果都拿来", vocabulary) is None


@pytest.mark.feature("FC-10")
def test_a_sentence_without_marks_gets_its_pauses_and_a_message_keeps_its_words() -> None:
    assert with_pauses("红杯子落书房了帮我捎过来") == "红杯子落书房了，帮我捎过来"
    assert with_pauses("告诉简饭好了你别等") is None
    assert with_pauses("我要的是苹果你给我拿个梨来") is None
    assert simplified("請幫我拿冰箱裡的鮮奶") == "请帮我拿冰箱里的鲜奶"


@pytest.mark.feature("FC-10")
@pytest.mark.parametrize(
    ("said", "plan"),
    [
        ("我靠红杯子落书房了帮我捎过来", "look red_cup@office; go found; pick; go operator; give operator"),
        ("罗宾人呢找到他跟他说开饭了", "look robin@living_room; say ~开饭了"),
        ("我先洗澡你等十分钟再去浴室", "wait 600; go bathroom"),
        ("你去把盘子收到水槽然后来找我", "look plate@kitchen_table; pick; go sink; place sink; go operator"),
    ],
)
def test_a_sentence_without_marks_comes_to_what_it_orders(
    outcome: Callable[[str | Sequence[str]], str], said: str, plan: str
) -> None:
    assert outcome(said) == plan
