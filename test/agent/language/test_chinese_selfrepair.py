"""What is taken back, told of a place, or told of others within one Chinese sentence."""

from __future__ import annotations

import pytest

from zulong.agent.htn import OfflinePlanner
from zulong.agent.language.chinese_located import with_places
from zulong.agent.language.chinese_others import without_others
from zulong.agent.language.chinese_selfrepair import said_anew


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("去客厅，哦不，去书房等我", "去书房等我"),
        ("给我拿瓶可乐……不对，橙汁吧", "给我拿瓶橙汁"),
        ("把苹果给简，不是，给罗宾", "把苹果给罗宾"),
        ("去问简……哎不对，问罗宾，他喝不喝可乐", "去问罗宾，他喝不喝可乐"),
        ("数一下餐桌上的杯子，呃，不是杯子，是勺子", "数一下餐桌上的勺子"),
        ("来两罐，啊不，一罐可乐就够了", "来一罐可乐"),
        ("等三分钟——不不，五分钟吧", "等五分钟"),
        ("先去厨房，不是厨房，是浴室，再回来", "先去浴室，再回来"),
        ("把海绵拿给帕里斯……帕里斯吗？噢是朱尔斯", "把海绵拿给朱尔斯"),
        ("给我一个梨，不，要俩", "给我两个梨"),
        ("帮我拿红杯子，等下，蓝的，蓝杯子", "帮我拿蓝杯子"),
        ("把网球放到床上，床上不行，放到书架上吧", "把网球放到书架上"),
    ],
)
def test_what_is_said_anew_takes_the_place_of_its_like(
    planner: OfflinePlanner, said: str, meant: str
) -> None:
    assert said_anew(said, planner.vocabulary) == meant


@pytest.mark.parametrize(
    "said",
    [
        "告诉简：不，我不去",
        "他说不，我不喝",
        "告诉罗宾，不对的地方改一改",
        "别去厨房，不，去吧",
        "把苹果给简，不是罗宾的错",
        "去厨房，然后去书房",
        "给简拿可乐，罗宾不喝可乐，给他拿牛奶",
    ],
)
def test_a_sentence_that_takes_nothing_back_stays_as_it_is(planner: OfflinePlanner, said: str) -> None:
    assert said_anew(said, planner.vocabulary) is None


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("要一盒盒装果汁，储物架上应该有", "要储物架上的一盒盒装果汁"),
        ("给简送杯咖啡，她在客厅呢", "给客厅的简送杯咖啡"),
        ("我在沙发上，给我拿个苹果", None),
        ("把苹果和梨拿来，书桌上有", None),
        ("告诉简，冰箱里有牛奶", None),
        ("冰箱里有牛奶就给我拿一盒", None),
    ],
)
def test_a_place_told_by_itself_goes_to_the_one_thing_or_person(
    planner: OfflinePlanner, said: str, meant: str | None
) -> None:
    assert with_places(said, planner.vocabulary) == meant


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("我胳膊打着石膏，你把床头柜上的咖啡端给我", "你把床头柜上的咖啡端给我"),
        ("孩子要写作业，带查理去客厅", "带查理去客厅"),
        ("我要杀人，把刀给我", None),
        ("罗宾打了查理，你也去打他", None),
        ("你去洗碗，我歇会儿", None),
        ("我买了苹果，放书桌上", None),
    ],
)
def test_what_others_do_is_left_out_and_what_threatens_is_not(
    planner: OfflinePlanner, said: str, meant: str | None
) -> None:
    assert without_others(said, planner.vocabulary) == meant
