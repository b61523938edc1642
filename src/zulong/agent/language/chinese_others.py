"""What the speaker or somebody else does, told beside a Chinese order: 「我胳膊打着石膏，把咖啡端给我」.

Its verb may be one that the robot refuses or has no skill for; it is not asked to do it. Such a stretch is left out
where it names nothing of the map, so that nothing that the order needs goes with it. What orders, forbids, asks or sets
a condition is never left out.
"""

from __future__ import annotations

import re

from zulong.agent.language.chinese_messages import harmless
from zulong.agent.language.chinese_pieces import pieces
from zulong.agent.language.chinese_telling import tells
from zulong.agent.language.chinese_words import plain
from zulong.agent.language.lexicon import Vocabulary

_MARKS = re.compile(r"([，。！；,.!;]+)")
_QUOTED = re.compile(r"[“”\"「」『』：:？?]")
_NOT_TO_HIM = re.compile(r"^[^，]*[你您把将帮让叫请给替]|告诉|通知")
_OTHERS = (
    r"(?:[^，]{0,2}(?:师傅|阿姨|叔叔|老师|医生|奶奶|爷爷|先生|女士)|快递员|外卖员|物业|保姆|邻居|客人|警察|"
    r"同事|老板|孩子|小孩|宝宝|娃|爸爸?|妈妈?|"
    r"爷爷|奶奶|姥姥|姥爷|哥哥?|姐姐?|弟弟?|妹妹?|老公|老婆|儿子|女儿|我|我们|咱们?|他|她|他们|她们|大家|人家)"
)
_BUSY = re.compile(
    rf"^(?:刚|刚才|今天|今晚|明天|一会儿|待会儿|现在|马上)*(?:我)?{_OTHERS}(?:们)?[^，]*(?:了|着|呢|要|在|正|"
    rf"得|想|来|去|刚|还|不)[^，]*$"
)
_JUST_DONE = re.compile(
    r"(?:我)?(?:刚|刚刚|刚才|才)(?:擦|拖|洗|扫|刷|做|煮|炒|烧|打扫|收拾|整理|修|剪|切|浇)(?:完|好|过|"
    r"了)[^，把给你帮去]{0,6}|"
    r"(?:我)?(?:刚|又)?(?:走|跑|爬|骑|站|坐|干|忙|写|开|看|加|扛|搬|挤)了[^，把给帮拿]{1,6}(?:步|圈|公里|里路|"
    r"里|班|楼|站|会|趟|活|地铁|公交|活儿)"
)
_PLANS = re.compile(
    r"(?:因为|由于|可|不过)?(?:我们?|咱们?|孩子|家里|他|她)?(?:明天|后天|今晚|今天晚上|晚上|下午|明早|明儿|"
    r"下周|周末|待会儿|一会儿)(?:还|就|又)?(?:要|得|有|没|还有|去|上|早|就)[^，把给帮拿取送带放你]{1,10}"
)
_LONGEST = 120


def without_others(text: str, vocabulary: Vocabulary) -> str | None:
    """Return the sentence without what others do, None where nothing of the kind is told.

    Args:
        text: the sentence as it was said.
        vocabulary: knows the names and the verbs.
    """
    said = plain(text)
    if _QUOTED.search(said) or len(said) > _LONGEST:
        return None
    parts = _MARKS.split(said)
    kept: list[str] = []
    for number in range(0, len(parts), 2):
        mark = parts[number + 1] if number + 1 < len(parts) else ""
        others = "".join(parts[number + 1 :])
        elsewhere = any(token.has("placement", "room") for token in pieces(others, vocabulary))
        if not _told_of_others(parts[number], vocabulary, elsewhere=elsewhere):
            kept.append(parts[number] + mark)
    rest = "".join(kept).strip("，,；;")
    return rest if rest and rest != said.strip("，,；;") else None


def _told_of_others(stretch: str, vocabulary: Vocabulary, *, elsewhere: bool) -> bool:
    if _PLANS.fullmatch(stretch) and not names_anything(stretch, vocabulary):
        return True
    if _NOT_TO_HIM.search(stretch) or not _beyond(stretch, vocabulary):
        return False
    kinds = (
        ("object", "category", "person")
        if elsewhere
        else ("object", "category", "person", "placement", "room")
    )
    if _JUST_DONE.fullmatch(stretch):
        return True
    named = any(
        token.has(*kinds) and any(sense.ids for sense in token.senses)
        for token in pieces(stretch, vocabulary)
    )
    other = _BUSY.match(stretch) is not None or stretch.startswith(("别", "不要", "甭"))
    return not named and other and tells(stretch, vocabulary)


def names_anything(stretch: str, vocabulary: Vocabulary) -> bool:
    """Tell whether a thing, a person or a place of the map is named.

    Args:
        stretch: a part of a sentence.
        vocabulary: knows the names.
    """
    kinds = ("object", "category", "person", "placement", "room")
    return any(
        token.has(*kinds) and any(sense.ids for sense in token.senses)
        for token in pieces(stretch, vocabulary)
    )


def _beyond(stretch: str, vocabulary: Vocabulary) -> bool:
    """Tell whether a verb is said that the robot has no skill for, and none that threatens: who is to hurt is heeded."""
    said = harmless(stretch)
    values = {
        sense.value
        for at in range(len(stretch))
        for length in range(1, min(vocabulary.longest_zh, len(stretch) - at) + 1)
        for sense in vocabulary.chinese.get(stretch[at : at + length], ())
    }
    threatens = any(
        sense.value == "dangerous"
        for at in range(len(said))
        for length in range(1, min(vocabulary.longest_zh, len(said) - at) + 1)
        for sense in vocabulary.chinese.get(said[at : at + length], ())
    )
    return not threatens and any(value == "dangerous" or value.startswith("missing:") for value in values)
