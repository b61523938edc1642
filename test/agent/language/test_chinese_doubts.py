"""What a Chinese sentence says beside its order, and no reader has a part for, is asked about and not passed by."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest

Outcome = Callable[[str | Sequence[str]], str]


@pytest.mark.feature("FC-10")
@pytest.mark.parametrize(
    "text",
    [
        "你把牛奶给简了没有",
        "有没有带罗宾去卧室",
        "你还去书房吗",
        "谁叫你把苹果拿走的",
        "不是让你去厨房吗",
        "你端得动那个碗吗",
        "我想去卧室看看",
        "听说橙汁在冰箱里",
        "下次把可乐给罗宾",
        "以后玩具都放书架上",
        "十分钟说一次你好",
        "去客厅待着，我叫你再过来",
        "跟着罗宾，直到他到书房",
        "回来的时候带个苹果",
        "找人把牛奶给简",
        "把大家的杯子拿来",
        "跟简一起把桌子收了，把苹果拿来",
        "应该把牛奶放哪儿",
        "谁在罗宾旁边",
        "告诉简开饭了，不用告诉罗宾",
        "告诉罗宾或者简晚饭好了",
        "问罗宾几点下班并转告简",
        "跟简说点什么",
        "说明情况",
        "告诉简真相",
        "告诉简你看到了什么",
        "叫罗宾把苹果拿给你",
        "给我拿杯喝的，不要面包",
        "把玩具都收到书架上，魔方留下",
        "拿个水果给罗宾，他对花生过敏",
        "给简苹果，罗宾梨",
        "带简去厨房，罗宾去卧室",
        "把罗宾的牛奶拿来",
        "把牛奶放到冰箱旁边",
        "去沙发后面",
    ],
)
def test_what_no_reader_has_a_part_for_is_not_passed_by(text: str, outcome: Outcome) -> None:
    assert outcome(text)[:1] in "?!"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("半小时内把苹果拿来", "look apple@desk; pick; go operator; give operator"),
        ("不要可乐，给我拿牛奶", "look milk@cabinet; pick; go operator; give operator"),
        ("别拿红杯子，拿绿杯子给我", "look green_cup@kitchen_table; pick; go operator; give operator"),
        ("去厨房，不对，去卧室", "go bedroom"),
        ("帮我把魔方拿过来好吗", "look rubiks_cube@bookshelf; pick; go operator; give operator"),
        ("告诉查理去厨房", "look charlie@living_room; say ~去厨房"),
        ("对简说“把苹果拿给查理”", "look jane@living_room; say ~把苹果拿给查理"),
        ("别忘了把肥皂放回架子上", "look soap@shelf; pick; go shelf; place shelf"),
    ],
)
def test_what_is_said_plainly_is_done(text: str, expected: str, outcome: Outcome) -> None:
    assert outcome(text) == expected
