"""Somebody who was noticed and is then addressed: 「卧室里有人在挥手，你过去打个招呼」「沙发上坐的是谁？去问问她渴不渴」.

What was noticed says who is meant: 「跟卧室里挥手的人打个招呼」. A pronoun of the orders after it becomes that
description, and an order to a person that names nobody is for him. A condition (「有的话」) is no such order.
"""

from __future__ import annotations

import functools
import re

from zulong.agent.language.chinese_wordings import name_patterns
from zulong.agent.language.chinese_words import plain
from zulong.agent.language.lexicon import Vocabulary

_MARKS = re.compile(r"([，。！？；,.!?;]+|——|…+)")
_NEVER = re.compile(
    r"[“”\"「」『』]|如果|要是|假如|若是|万一|的话|否则|不然|除非|一旦|只要|没人|没有人|有[，,]?就|[有在][，,]?的?话?就"
)
_LONGEST = 120
_CALL = (
    r"(?:哎|诶|喂|嘿|你看|看|瞧|好像|似乎|刚才|刚刚|我看见|我看到|我瞧见|那边|有没有看到|你去看看|去看看|看看|"
    r"去瞧瞧|瞧瞧|你看看|请看|，)*"
)
_AT = r"(?:里面|里边|里头|上面|旁边|附近|那边|那儿|跟前|门口|里|上|中|边)?"
_ANYBODY = (
    r"(?:(?:有|来了|坐着|站着|躺着)(?:一)?(?:个|位|名)?(?:人|客人|小伙子|姑娘|女士|先生|男的|女的|朋友|大哥|"
    r"大姐|阿姨|大爷|老人|小姑娘|谁|男士|男人|女人|大叔|叔叔|奶奶|老太太|老人家)|谁|是谁|谁在那儿?)"
)
_NOW = r"(?:在|正在|正|一直|老|冲我|朝我|朝我们|冲咱|向我|向你|冲你|朝你|冲这边|朝这边|使劲|不停地?|那儿|那里|着)*"
_COURTESY = (
    r"(?:你|您|请|麻烦|麻烦你|快|赶紧|就|再|然后|顺便|帮我|替我|代我|给我|帮忙|去|过去|上前|走过去|过去一下|"
    r"去一下|到跟前|也)*"
)
_PRONOUN = re.compile(r"(?:那个人|那位|人家|(?<!其)(?:他|她)(?!们|的))")
_GREETS = re.compile(
    rf"(?P<lead>{_COURTESY})(?P<deed>打(?:个|声|一声|一个|下)?招呼|问(?:个|声|一声)?好|招呼一?[下声]?|"
    rf"说(?:一?声|个|一?句)?(?:你好|您好|欢迎|嗨|哈喽)|"
    r"自我介绍(?:一下)?|做个自我介绍|介绍(?:一下)?(?:你)?自己|敬个礼|表示欢迎|欢迎一下|致意)(?P<end>吧|呗|啊|"
    r"呀|去|一下|好吗)*"
)
_ASKS = re.compile(
    rf"(?P<lead>{_COURTESY})(?P<deed>问问|问一问|问一下|问一声|问声|问下|打听一下|打听打听|打听)(?P<rest>.*)"
)
_WANTS = re.compile(
    rf"{_COURTESY}(?:看看|瞧瞧|看一下|看下|看|瞅瞅)(?:他|她|人家)"
    r"(?P<what>(?:到底|究竟|是不是)?(?:想|要|需要|有|缺)[^，]{0,6}?(?:什么|啥|不|没|吗)[^，]{0,6})"
)
_OPENS = re.compile(
    r"^(?:你|您|请|麻烦|快|赶紧|就|再|然后|顺便)*(?:过?去|上前|走过去)(?:看看|瞧瞧|看一下|一下|一趟|吧)*$"
)


def addressed(text: str, vocabulary: Vocabulary) -> str | None:
    """Return the sentence with who was noticed put where he is addressed, None where nobody is noticed and addressed.

    Args:
        text: the sentence as it was said.
        vocabulary: knows the names of places, postures, gestures and garments.
    """
    said = plain(text)
    if len(said) > _LONGEST or _NEVER.search(said):
        return None
    stretches = [part for part in _MARKS.split(said)[::2] if part]
    if len(stretches) < 2:
        return None
    several = _several(vocabulary).fullmatch(stretches[0])
    if several is not None and _scene(vocabulary).fullmatch(stretches[0]) is None:
        # 「书房有两个人，坐着的那个叫什么」
        one = _one_of(vocabulary).match(stretches[1])
        where = f"{several['place']}{several['at'] or ''}"
        return (
            "，".join([f"{where}{one['how']}的人{stretches[1][one.end() :]}", *stretches[2:]])
            if one
            else None
        )
    who = _noticed(stretches[0], vocabulary)
    if who is None:
        return None
    rest = [stretch for stretch in stretches[1:] if not _OPENS.match(stretch)]
    if not rest:
        return None
    first = _to(rest[0], who)
    if first is None:
        return None
    later = [_PRONOUN.sub("他", stretch) for stretch in rest[1:]]
    return "，".join([first, *later])


def _to(stretch: str, who: str) -> str | None:
    """Return the order with the one who was noticed in it, None where it is no order to somebody."""
    wants = _WANTS.fullmatch(stretch)
    if wants is not None:
        return f"问{who}{wants['what']}"
    pronoun = _PRONOUN.search(stretch)
    if pronoun is not None:
        return stretch[: pronoun.start()] + who + stretch[pronoun.end() :]
    greets = _GREETS.fullmatch(stretch)
    if greets is not None:
        return f"跟{who}{greets['deed']}"
    asks = _ASKS.fullmatch(stretch)
    if (
        asks is not None
        and asks["rest"]
        and not asks["rest"].startswith(("我", "你", "大家", "回来", "再", "然后", "告诉", "给我"))
    ):
        return f"问{who}{asks['rest']}"
    return None


def _noticed(stretch: str, vocabulary: Vocabulary) -> str | None:
    """Return the description of the one whom the stretch says to be there: 「卧室里挥手的人」."""
    looks = _looks_for_me(vocabulary).fullmatch(stretch)
    if looks is not None:
        return looks[1]
    seen = _scene(vocabulary).fullmatch(stretch)
    if seen is None:
        return None
    where = f"{seen['place'] or seen['place2'] or seen['place4'] or ''}{seen['at'] or seen['at2'] or seen['at4'] or ''}"
    how = seen["how"] or seen["how2"] or seen["how3"] or seen["how4"] or ""
    if not (where or how):
        return None
    if how in ("坐", "站", "躺"):
        how += "着"
    return f"{where}{how}的人" if how else f"{where}的人"


@functools.lru_cache(maxsize=4)
def _looks_for_me(vocabulary: Vocabulary) -> re.Pattern[str]:
    person = name_patterns(vocabulary)["person"]
    return re.compile(
        rf"({person})(?:来|要|想|在|正|说要|刚才)*(?:找|见|等|看)(?:我|咱|我们)(?:们)?(?:了|呢|吗|啊|有事)*"
    )


@functools.lru_cache(maxsize=4)
def _several(vocabulary: Vocabulary) -> re.Pattern[str]:
    place = name_patterns(vocabulary)["place"]
    return re.compile(
        rf"{_CALL}(?P<place>{place})(?P<at>{_AT})(?:现在|这会儿)?(?:有|来了|坐着|站着)(?:[两三四五六几好]+|好几|一群)(?:个|位|名)?人"
    )


@functools.lru_cache(maxsize=4)
def _one_of(vocabulary: Vocabulary) -> re.Pattern[str]:
    return re.compile(
        rf"(?:其中)?(?P<how>{_posed(vocabulary)})的(?:那个人|那位|那个|那人|人|一个|一位|个)?(?!衣服|毛衣|外套)"
    )


@functools.lru_cache(maxsize=4)
def _posed(vocabulary: Vocabulary) -> str:
    """Return a pattern for postures, gestures and what somebody wears."""
    how = sorted(
        (
            phrase
            for phrase, senses in vocabulary.chinese.items()
            if any(sense.kind in ("posture", "gesture") for sense in senses) and not phrase.isascii()
        ),
        key=len,
        reverse=True,
    )
    garments = sorted(
        (p for p, senses in vocabulary.chinese.items() if any(s.kind == "garment" for s in senses)),
        key=len,
        reverse=True,
    )
    worn = rf"穿(?:着|了)?[^，。的]{{0,5}}的?(?:{'|'.join(map(re.escape, garments))})"
    return rf"(?:{'|'.join(map(re.escape, how))}|{worn})"


@functools.lru_cache(maxsize=4)
def _scene(vocabulary: Vocabulary) -> re.Pattern[str]:
    place = name_patterns(vocabulary)["place"]
    posed = _posed(vocabulary)
    return re.compile(
        rf"{_CALL}(?:(?:在)?(?:(?P<place>{place})(?P<at>{_AT}))?(?:那边|那儿|那里|，)?"
        rf"(?:{_ANYBODY}{_NOW}(?P<how>{posed})|(?P<how2>{posed})(?:着)?(?:的)?(?:是|一个|个|一位|位)*(?:谁|"
        rf"哪位|什么人|一?个?人)|(?:是|有)(?:谁|人)(?:在)?)|"
        rf"{_ANYBODY}(?:正|正在|一直|好像)?在(?P<place2>{place})(?P<at2>{_AT}){_NOW}(?P<how3>{posed})?|"
        rf"(?P<how4>{posed})的(?:那个|那位|这位|那)?(?:人|小伙子|姑娘|女士|先生|男的|女的|客人|朋友|大哥|大姐|"
        rf"阿姨|大爷|老人|叔叔|奶奶|男士)?"
        rf"(?:就|正|正在|一直|好像|还|现在)*(?:坐|站|躺|待|呆)?在(?P<place4>{place})(?P<at4>{_AT})(?:坐着|站着|躺着|待着)?)"
        r"(?:着|呢|啊|呀|了|吗|的|你|我|我们)*"
    )
