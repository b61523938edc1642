"""What a Chinese speaker left open: an order broken off, a condition with nothing behind it, one of two people.

「先去厨房，然后」 goes on, and half of it must not be carried out as if it were all; 「如果门开着」 says when and not what;
「简或者罗宾，给其中一个」 leaves to the robot what it cannot know.
"""

from __future__ import annotations

import functools
import re
from typing import Literal

from zulong.agent.language.chinese_wordings import name_patterns
from zulong.agent.language.lexicon import Vocabulary

_END = r"[\s，,…。—~～]*$"
_BROKEN_OFF = re.compile(
    r"[^，。？！\s]{2,}(?:[，,、…—\s]+(?:(?:然后|接着|随后|之后|再|并且|还有|以及|而且|和|或者|跟|顺便|最后)+(?:再|就|呢)?|"
    r"(?:然后|接着|再|之后|最后|就|顺便|并)*(?:把|将|给|去|到|跟|带|找|问|告诉|在|往|从))|(?:然后|接着|随后|"
    r"并且|以及|或者)(?:再|就)?)" + _END
)
_ANSWERED_QUESTION = re.compile(r"[？?吗]|谁|什么|哪|几")
_ONLY_IF = re.compile(
    r"(?:[^，。？！你我]{1,5}?)?(?:如果|要是|假如|若是|倘若|万一|只要)(?!可以|方便|有空|能|你|没事|"
    r"不忙)[^，。？！就给把拿送带告会怎谁什哪几吗]{2,12}(?:的话)?[，,]?(?:你|那|咱)?(?:就|那就|则)?" + _END
)


def broken_off(text: str) -> bool:
    """Tell an order that ends with the word that should lead on: 「先去厨房，然后」."""
    return _BROKEN_OFF.fullmatch(text) is not None and _ANSWERED_QUESTION.search(text) is None


_THOSE_TWO = re.compile(r"给(?:他们|她们|他|她|那)(?:几个|两个|三个|俩|仨|二位|几位|两位|三位)")
_ANOTHER = re.compile(
    r"(?:我)?(?:不是)?(?:这|那)?(?:个|瓶|杯|只|根|种)?(?:我)?(?:不要|不行|不好|不喜欢|不想要|坏了|太大|"
    r"太小)?(?:了)?[，,]?(?:你|请|帮我|给我|麻烦)*"
    r"(?:重新)?换(?:一)?(?:个|瓶|杯|只|根|种|下)?(?:那个|别的|另一个|另外一个|其他的|新的|大的|小的)?(?:来|吧|"
    r"呗|给我|试试)*[。！]?"
)
_TRAILS_OFF = re.compile(r"(?:…|\.{3}|——|。{3})[。\s]*$")
_WISHES_NOTHING = re.compile(
    r"我?(?:就|还|也|现在)?(?:想要|想|要|需要|想吃|想喝|要吃|要喝)(?:一)?(?:点|个|些)?[。！]?"
)
_LOOKS_FOR_NOTHING = re.compile(
    r"(?:你|请|去|帮我|帮忙|麻烦|快|再)*(?:看看|看一下|数数|数一下|数一数|找找|找一下|查查|查一下)(?:有没有|"
    r"有多少|有几个|还有没有|有吗|(?:它|那个|东西|那东西)?(?:还)?在不在|还剩多少|还剩几个|剩几个)?(?:吧|呗|了)?[。？?！]?"
)


_HOW_MANY = re.compile(
    r"(?:你|请|去|帮我|给我|麻烦|先|再)*(?:来|拿|取|要|送|端|带|给我|买)(?:上|来|给我)?几(?:个|瓶|罐|杯|盒|根|"
    r"颗|块|只|份|把|包|支|张|粒|样)[^，。？！几谁哪吗呢]{1,6}(?:来|过来|吧|呗|给我)*[。！]?"
)
_TELLS_NOBODY = re.compile(
    r"(?:你|请|去|快|帮我|替我|给我|麻烦|麻烦您|赶紧)*(?:通知|告诉|转告|说|告知|带个话|捎个话|捎句话|"
    r"传个话)(?:一声|一下)?[，,：:](?:就说|就讲|说)?(?!我|他|她|大家|谁|这|你)[^，。？]{2,}"
)


_ANOTHER_ONE = re.compile(
    r"(?:给|送给|拿给|找|叫|问|告诉|通知|带|领|送到?)(?:另外?一个人|另外那个人|另外那位|另一位|另外一位|别的人|其他人|"
    r"另外的人|那个谁|那谁)"
)
_SOME_BEHIND = re.compile(
    r"(?:把)?[^，。？！几谁哪]{1,6}(?:给我|帮我)?(?:拿|来|要|送|给我拿|端|取|带)几[个瓶罐杯盒根颗块只份把包](?:给我|"
    r"过来|来|上|给[^，]{1,4})?(?:吧|呗)?"
    r"(?:，(?:别|不用|不要)太多|，多拿[点几]个?|，够吃就行|，几个都行)?[。！]*"
)
_NO_QUESTION_BUT_MANY = re.compile(r"，(?:别|不用|不要)(?:拿)?太多[。！]*$")
_HEADLESS = re.compile(
    r"(?:(?:我|我想|再|请|麻烦)*(?:给我|要|想要|来|拿|取|给我拿|给我来|再来|拿来)"
    r"(?:[一二两三四五六七八九十俩仨\d]+[个瓶罐盒根只份杯包块把]?)[，不对哦啊是噢呃吧。！]*"
    r"(?:[一二两三四五六七八九十俩仨\d]+[个瓶罐盒根只份杯包块把]?)?(?:来|过来|吧|就行|就好|给我)*[。！]*)"
)


def another_person(text: str) -> bool:
    """Tell that somebody else is meant of whom nothing is said but that it is another.

    Args:
        text: the sentence as it was said.
    """
    return _ANOTHER_ONE.search(text) is not None


_PUT_NOWHERE = re.compile(
    r"[^，]*?(?:放|搁|摆|送|拿|搬)(?:到|在|进|回)?(?P<place>[^，]{1,6}?)(?:里|上)?(?:吧)?，(?:[哦啊哎]?不对?|等等|等一下|算了|不行|哦不|啊不)[，]*"
    r"(?:还是)?(?:不|别|先别|不要)(?:放|搁|摆|送|拿|搬)(?:到|在|进|回)?(?P=place)(?:里|上)?(?:了|吧)*[。！]*"
)


def put_nowhere(text: str) -> bool:
    """Tell an order that takes back only where to: 「把红酒放冰箱，不，不放冰箱」.

    Args:
        text: the sentence as it was said.
    """
    return _PUT_NOWHERE.fullmatch(text) is not None


def counts_nothing(text: str) -> bool:
    """Tell an order for so many of nothing that is named: 「我要两个，不对，三个」.

    Args:
        text: the sentence as it was said.
    """
    return _HEADLESS.fullmatch(text) is not None


_HAS_NOTHING = re.compile(
    r"(?:如果|要是|假如|若是)?[^，。？]{2,6}?(?:里面?|上面?|那儿)?(?:还)?(?<!没)有(?:的话)?[，,](?:你)?(?:就)?(?:给我|"
    r"帮我|你)*"
    r"(?:拿|取|送|端|带)(?:来|过来|给我|一个来|一个)?[。！]?"
)
_WHERE_IS = re.compile(r"(?:那个|它|东西)?(?:现在|到底)?在哪(?:儿|里)?(?:呢|啊|呀)?[？?。]?")
_ASKS_NOBODY = re.compile(r"(?:你|去|帮我|快|先)*问(?:问|一下)?(?:看|去|呗|吧)?[。！]?")
_FOLLOWS_NOBODY = re.compile(r"(?:你)?(?:快|再)?跟(?:紧|着|上|牢|好)(?:点儿?|一点儿?)?(?:啊|吧|了)?[。！]?")
_TILL_THEN = re.compile(
    r"[^，。？]*(?:等着?|待着?|站着?|候着?)[，,](?:到时间|时间到|到点|时间一到|到时候|差不多)(?:了)?(?:就|再|后)"
    r"[^，。]+[。！]?"
)
_TALK_OF_WEATHER = re.compile(
    r"(?:今天|今儿|今日|外面|外头|这|最近|这两天|哎呀?|，)*天(?:气|儿)?(?:可|真|好|太|这么|挺|还|真是|可真|怪)*(?:不错|"
    r"好|热|冷|闷|差|糟糕?|舒服|晴朗|凉快|暖和)"
    r"(?:了|啊|呀|呢|得很|的)*[。！~～]*"
)
_SPEAKS_OF_NOTHING = re.compile(
    r"(?=[^，]*(?:如果|要是|假如|若是|的话))[^，。？]{3,}[，,](?:你)?(?:就)?(?:去)?(?:跟|对|和|向)[^，。我]{1,5}(?:说|"
    r"讲)[。！]?"
)


def follows_nobody(text: str) -> bool:
    """Tell an order to follow that says nobody: 「跟紧点」.

    Args:
        text: the sentence as it was said.
    """
    return _FOLLOWS_NOBODY.fullmatch(text) is not None


def of_weather(text: str) -> bool:
    """Tell talk of the weather, 「今天天气真不错」, which asks for no forecast.

    Args:
        text: the sentence as it was said.
    """
    return _TALK_OF_WEATHER.fullmatch(text) is not None


def without_words(text: str) -> bool:
    """Tell a condition with a message that has no words: 「门要是开着，你就跟查理说」.

    Args:
        text: the sentence as it was said.
    """
    return _SPEAKS_OF_NOTHING.fullmatch(text) is not None


def tells_nobody(text: str) -> bool:
    """Tell a message without a listener: 「去通知一声，就说饭好了」.

    Args:
        text: the sentence as it was said.
    """
    return _TELLS_NOBODY.fullmatch(text) is not None


def how_many(text: str) -> bool:
    """Tell an order for 「几个」 of a thing: how many is for the speaker to say.

    Args:
        text: the sentence as it was said.
    """
    few = _NO_QUESTION_BUT_MANY.sub("", text)
    return _HOW_MANY.fullmatch(few) is not None or _SOME_BEHIND.fullmatch(text) is not None


def left_open(text: str, vocabulary: Vocabulary) -> Literal["", "action", "person", "object", "duration"]:
    """Return what is to be asked of a sentence that is not understood: what to do then, which person or what is meant."""
    if _THOSE_TWO.search(text) is not None or _TELLS_NOBODY.fullmatch(text) is not None:
        return "person"
    if _TRAILS_OFF.search(text) is not None:
        return "action"
    if _HAS_NOTHING.fullmatch(text) is not None or _WHERE_IS.fullmatch(text) is not None:
        return "object"
    if _ASKS_NOBODY.fullmatch(text) is not None:
        return "person"
    if _TILL_THEN.fullmatch(text) is not None:
        return "duration"
    if _WISHES_NOTHING.fullmatch(text) or _ANOTHER.fullmatch(text) or _LOOKS_FOR_NOTHING.fullmatch(text):
        return "object"
    if _ONLY_IF.fullmatch(text) is not None:
        return "action"
    return "person" if _either(vocabulary).search(text) is not None else ""


@functools.lru_cache(maxsize=4)
def _either(vocabulary: Vocabulary) -> re.Pattern[str]:
    person = name_patterns(vocabulary)["person"]
    return re.compile(rf"{person}(?:或者|或是|或|还是){person}")


_TRAFFIC = re.compile(r"(?:路|环|街|车|高速|桥|隧道|道|[^，]上)[^，。把给]{0,6}堵|堵车|又堵|堵得")


def of_traffic(text: str) -> bool:
    """Tell talk of the traffic, 「三环又堵死了」, whose words threaten nobody.

    Args:
        text: the sentence as it was said.
    """
    return _TRAFFIC.search(text) is not None and re.search(r"[把将]|你|嘴|门|去堵", text) is None
