import pytest

from zulong.memory import Importance, NodeType
from zulong.memory.door.junk import junk_reason
from zulong.memory.door.rules import domains_of, importance_of


@pytest.mark.feature("MG-16")
@pytest.mark.parametrize(
    "text",
    [
        "", "   ", "...!!", "aaaaaaaa", "哈哈哈哈哈", "null", "N/A", "ok", "好的。", "asdfghjkl", "heartbeat ok", "心跳正常",
        "As an AI language model, I cannot feel.", "作为一个人工智能，我没有感情", "Lorem ipsum dolor sit amet",
        "blah " * 20, "A1b2" * 80, "#### $$$$ %%%% ^^^^ &&&& a",
    ],
)  # fmt: skip
def test_junk_is_refused_with_a_reason(text):
    assert junk_reason(text, NodeType.EPISODE)


@pytest.mark.feature("MG-16")
@pytest.mark.parametrize(
    "text",
    [
        "Anna came home.", "杯子在厨房", "It rained.", "The code is 4711.", "No, the cup is not in the kitchen",
        "Robot r2 fell at 12:31", "嗯，他说他明天会来", "ROS", "C++ > Rust?", "哈哈，小明真好笑", "x = 3.5 m, y = 2 m",
    ],
)  # fmt: skip
def test_what_says_something_is_let_in(text):
    assert junk_reason(text, NodeType.EPISODE) == ""


def test_what_was_said_is_kept_even_if_it_is_one_word():
    assert junk_reason("ok", NodeType.DIALOGUE) == ""
    assert junk_reason("好的", NodeType.DIALOGUE) == ""
    assert junk_reason("?!", NodeType.DIALOGUE)
    assert junk_reason("xml", NodeType.MODULE) == ""


@pytest.mark.feature("MG-08")
@pytest.mark.parametrize(
    ("text", "type", "importance"),
    [
        ("Please remember that the key is under the mat", NodeType.EPISODE, Importance.MUST_REMEMBER),
        ("请记住钥匙在垫子下面", NodeType.EPISODE, Importance.MUST_REMEMBER),
        ("千万别忘了关煤气", NodeType.DIALOGUE, Importance.MUST_REMEMBER),
        ("Anna is allergic to peanuts", NodeType.EPISODE, Importance.IMPORTANT),
        ("小明对花生过敏", NodeType.KNOWLEDGE, Importance.IMPORTANT),
        ("My name is Peter", NodeType.DIALOGUE, Importance.IDENTITY),
        ("我叫小红，今年八岁", NodeType.DIALOGUE, Importance.IDENTITY),
        ("The cup belongs to Anna", NodeType.EPISODE, Importance.FACT),
        ("爷爷喜欢绿茶", NodeType.EPISODE, Importance.FACT),
        ("A chair was moved to the left", NodeType.EPISODE, Importance.NORMAL),
        ("Good morning", NodeType.DIALOGUE, Importance.TRIVIAL),
        ("谢谢", NodeType.DIALOGUE, Importance.TRIVIAL),
        ("A chair has four legs", NodeType.KNOWLEDGE, Importance.FACT),
        ("{'warning': 'urgent'}", NodeType.TOOL_RESULT, Importance.NORMAL),
    ],
)
def test_importance_follows_the_words_and_the_type(text, type, importance):
    assert importance_of(text, type) == importance


@pytest.mark.feature("MG-08")
@pytest.mark.parametrize(
    ("text", "domain"),
    [
        ("The doctor changed her medication", "health"),
        ("他吃完早餐喝了咖啡", "food"),
        ("The route through the corridor was blocked by an obstacle", "navigation"),
        ("夹爪没抓住杯子，杯子掉了", "manipulation"),
        ("The battery is charging", "device"),
        ("明天下午三点有会议", "schedule"),
    ],
)
def test_domains_are_tagged(text, domain):
    assert domain in domains_of(text, NodeType.EPISODE)
    assert domains_of("zzz qqq", NodeType.EPISODE) == ()
