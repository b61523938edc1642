"""Which skill is missing for a Chinese order or question that the robot has no skill for.

「地板该拖了」 and 「外面下雨了没」 hold no thing and no place that could be asked about: an honest answer names what the
robot cannot do. The words are data, ``config/beyond_zh.yaml``. Most are looked at only after the sentence was tried as
an order, so that none of them takes an errand away; whoever is to be carried and furniture that is to be moved are
refused anyway.
"""

from __future__ import annotations

import functools
import re
from dataclasses import dataclass

from zulong.agent.language.chinese_telling import tells
from zulong.agent.language.chinese_wordings import name_patterns
from zulong.agent.language.chinese_words import SURNAMES, plain, roles_of
from zulong.agent.language.lexicon import Vocabulary
from zulong.resources import config_path, read_yaml

_MARKS = re.compile(r"[，。！？；：,.!?;:…]+")
_QUOTED = re.compile(r"[“\"「『‘][^”\"」』’]*[”\"」』’]")
_COURTESY = re.compile(
    r"^(?:请|你|您|麻烦(?:你|您)?|劳驾|帮我|帮忙|替我|给我|能不能|可不可以|能|可以|快|快点|赶紧|现在|马上|先|"
    r"再|然后|去|来|过来|那个|嗯|哎|喂|嘿|祖龙|机器人|辛苦你?|顺便|一会儿|待会儿|我想让你|我要你)+"
)
_STILL_ASKED = re.compile(r"该|得|要|没$|没有$|吗|不$|几|多少|怎么|什么|如何")
_NO_ORDER = re.compile(
    r"^(?:我|他|她|它|我们|咱们|他们)(?!想让|要你|想请|需要你|让你|叫你|的)|"
    r"告诉|转告|通知|提醒|捎话|说一声|[跟对向和][^，。]{1,6}[说讲]|问(?!题)|别(?!人|的)|不要|不用|不许|甭|"
    r"不必|如果|要是|除非|(?:我|他|她|我们|他们|妈妈?|爸爸?|孩子|客人|[^，。]{1,4}师傅)(?:正|在|正在|要|想|刚|"
    r"刚刚|已经|自己|马上|待会儿?|一会儿?|得|去|来|准备|打算|昨天|今天)"
)
_FURNITURE = (
    r"(?:沙发|长沙发|床|双人床|餐桌|书桌|桌子|茶几|椅子|餐椅|柜子|衣柜|书柜|书架|架子|电视柜|床头柜|食品柜|"
    r"冰箱|洗碗机|洗衣机|电视机?|单人沙发|扶手椅|边桌|储物架|钢琴|梳妆台|鞋柜|盆栽|落地灯|台灯)"
)
_NAMES = re.compile(r"洗碗机(?![^，。到进里上]{0,3}[开关])|电视[柜架]")
"""Names of places in which the words of a deed stand."""


@dataclass(slots=True, frozen=True)
class _Beyond:
    """The patterns for one vocabulary, each with the skill it takes."""

    always: tuple[tuple[str, re.Pattern[str]], ...]
    orders: tuple[tuple[str, re.Pattern[str]], ...]
    questions: tuple[tuple[str, re.Pattern[str]], ...]


def never_done(text: str, vocabulary: Vocabulary) -> str:
    """Return the skill for carrying somebody or moving furniture that the sentence orders, "" when it orders neither.

    Args:
        text: the sentence as it was said.
        vocabulary: knows the names of people.
    """
    return _found(_stretches(text, vocabulary), _beyond(vocabulary).always)


def missing_for(text: str, vocabulary: Vocabulary) -> str:
    """Return the skill that the sentence would take and the robot has not, "" when none is known.

    Args:
        text: the sentence as it was said.
        vocabulary: knows the names of people.
    """
    beyond, stretches = (
        _beyond(vocabulary),
        [_NAMES.sub("那里", part) for part in _stretches(text, vocabulary)],
    )
    asked = _found([part.strip() for part in _MARKS.split(plain(text)) if part.strip()], beyond.questions)
    return _found(stretches, beyond.orders) or asked


_STRANGER = re.compile(
    r"(?:给|找(?:一下|找|到)?|告诉|转告|通知|提醒|问问?(?:一下)?|叫上?|带|领|请|跟着?|送给|交给|拿给|递给|接|陪|跟|向|替|找)"
    rf"(?:楼下|楼上|隔壁|对门|邻居)?(?:的)?(?P<name>(?:[{SURNAMES}]|欧阳|上官|司马|"
    rf"诸葛)[\u4e00-\u9fff]{{1,2}}?)(?=$|[，,：:。！？]|送|拿|端|带|来|"
    rf"去|说|讲|一|两|，|打|捎|到|把|我|今|明|晚|吃|喝|饭|快|在|问|道|几|要|过|买|点|弄|倒|盛)"
)


def stranger_named(text: str, vocabulary: Vocabulary) -> str:
    """Return the full name of somebody who is not known here, 「王建国」, "" when nobody is named so.

    Args:
        text: the sentence as it was said.
        vocabulary: knows the names of people, things and places, none of which is a stranger.
    """
    for found in _STRANGER.finditer(_QUOTED.sub("", plain(text))):
        name = found["name"]
        known = any(
            name[at : at + length] in vocabulary.chinese
            for at in range(len(name))
            for length in range(2, len(name) - at + 1)
        )
        if not known and name not in roles_of():
            return name
    return ""


_CALLED = re.compile(
    r"(?:给|告诉|转告|通知|提醒|问问?(?:一下)?|叫上|带|送给|交给|拿给|递给|跟着?|找|叫|请|喊|^(?:不是[^，]{1,4}，|不对，|说错了，)+(?:而)?是(?:给|告诉)?)"
    r"(?:隔壁|楼上|楼下|对门|对面|邻居)?(?:家)?(?:的)?"
    rf"(?P<name>[小老阿](?!师|板|公|婆|人|家|朋友|孩|伙|狗|猫|鬼|乡|头|妈|爸|爷|奶|姨|伯|"
    rf"叔)(?:[{SURNAMES}明红强刚军丽芳敏静杰娟霞玲飞华兰英云雪梅亮宇欣怡佳琪美花龙虎宝])"
    r"|汤姆|杰克|玛丽|约翰|彼得|大卫|迈克尔?|艾米|露西|莉莉|丽莎|安娜|哈利|哈里|杰瑞|鲍勃|爱丽丝|凯特|史蒂夫|托尼|艾伦|山姆|"
    r"索菲亚?|艾玛|亨利|乔治|露丝|海伦|珍妮|凯文|马克|保罗|卢克|瑞恩|杰森|韩梅梅|李雷"
    rf"|(?<=，是)[{SURNAMES}](?:老师|医生|大夫|阿姨|叔叔|先生|女士|小姐|太太|奶奶|爷爷|经理|师傅|大爷|大妈|大姐|大哥|护士|教授))"
    r"(?=$|[，,：:。！？]|[送拿端带来去说讲一两打捎到把今明晚吃喝饭快在问道过点倒和跟家])"
)
"""How somebody is called who has no full name: 「小明」, 「老王」, 「汤姆」."""


def stranger_called(text: str, vocabulary: Vocabulary) -> str:
    """Return how somebody is called who is not known here, 「小红」, "" when nobody is called so.

    Such a name is nothing else, so what was made of the sentence without it was not meant.

    Args:
        text: the sentence as it was said.
        vocabulary: knows the names of people, things and places, none of which is a stranger.
    """
    for found in _CALLED.finditer(_QUOTED.sub("", plain(text))):
        if found["name"] not in vocabulary.chinese and found["name"] not in roles_of():
            return found["name"]
    return ""


def _stretches(text: str, vocabulary: Vocabulary) -> list[str]:
    """Return the stretches that may be orders, without the courtesies before them."""
    parts = _MARKS.split(_QUOTED.sub("", plain(text)))
    parts = [part for part in parts if not (tells(part, vocabulary) and _STILL_ASKED.search(part) is None)]
    return [_COURTESY.sub("", part) for part in parts if part and _NO_ORDER.search(part) is None]


def _found(stretches: list[str], patterns: tuple[tuple[str, re.Pattern[str]], ...]) -> str:
    return next((s for stretch in stretches for s, pattern in patterns if pattern.search(stretch)), "")


@functools.lru_cache(maxsize=4)
def _beyond(vocabulary: Vocabulary) -> _Beyond:
    data = read_yaml(config_path("beyond_zh.yaml"))
    parts = {"{person}": name_patterns(vocabulary)["person"], "{furniture}": _FURNITURE}

    def compiled(section: str) -> tuple[tuple[str, re.Pattern[str]], ...]:
        found = []
        for skill, phrases in data[section].items():
            for phrase in phrases:
                for name, pattern in parts.items():
                    phrase = phrase.replace(name, pattern)
                found.append((skill, re.compile(phrase)))
        return tuple(found)

    return _Beyond(compiled("always"), compiled("orders"), compiled("questions"))
