"""Characters typed for others that sound alike: 「平果」 for 「苹果」, 「厨方」 for 「厨房」.

Speech recognition and input methods mix up characters of one sound. A stretch of a sentence that is no name but
becomes one when some of its characters are taken for others of (nearly) the same sound is read as that name. Only
names of things and places, of two characters or more, are put right, and at least one character must be right as it
stands: a corrected verb could change what is done.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable

from zulong.agent.language.lexicon import Vocabulary

# Characters of the names of things and places of a home, each group with what is commonly typed in their place.
# Flat and retroflex initials (z/zh, c/ch, s/sh) and final n/ng sound alike to many.
_GROUPS = (
    "苹平评瓶屏萍凭坪贫频", "果过国裹锅", "香相乡箱湘厢像想象", "蕉焦交教娇胶浇郊", "橙成城澄程诚呈承陈晨",
    "橘桔局菊", "汁之知织支只枝", "梨离黎犁狸李里理", "桃逃淘陶萄", "草曹槽", "莓梅没煤霉玫每", "柠宁拧凝",
    "檬蒙盟萌猛门", "葡蒲普铺朴", "牛妞扭", "奶乃耐", "可克课渴刻客", "乐勒了", "咖卡喀", "啡非飞菲废肥", "冰兵并彬宾",
    "红洪虹宏鸿", "酒九久", "茶查察", "热惹", "带代袋戴", "薯属鼠叔书输梳舒", "片骗篇", "饼丙柄", "干甘赶杆",
    "麦卖迈", "脆翠", "玉雨语", "米蜜迷", "糖唐堂塘汤", "芥介戒界借", "末莫墨沫", "番翻帆", "茄切",
    "金今斤巾津", "枪抢呛", "鱼余于渔", "罐灌贯管", "午五武", "餐参", "肉揉", "巧桥", "冻动洞",
    "海害", "绵棉面", "肥飞废", "皂造早", "清青轻", "洁节杰结", "剂记计济", "网往忘", "球求囚", "足组族",
    "棒帮榜绑", "垒雷累", "魔摩磨膜", "方放房防芳", "骰头投色", "子字", "勺烧少", "叉插差", "盘判盼潘", "碟蝶叠",
    "碗晚挽万", "杯背悲北被", "刀到道倒", "厨橱除锄储初出", "卧握我沃", "室式事市试视是世示",
    "客克刻", "厅听亭停庭", "书叔输舒梳", "浴玉育预", "卫位为围", "生声升", "间见件尖", "洗喜习", "手首守",
    "办半伴板", "公工功宫", "沙砂纱莎杀", "发法", "茶差", "几机鸡集", "桌卓捉做作坐", "椅以已", "架加价家假驾",
    "柜贵跪桂", "床窗创", "冰并", "箱厢香", "电店殿垫点", "视式是", "储除处", "藏脏", "物务雾", "置制治至",
    "微围为", "波拨", "炉路卢", "水谁睡", "槽曹草", "池迟持", "垃拉啦", "圾及机级", "桶筒通同", "入人如", "口扣",
    "出初", "灯登等", "台抬太", "边变便", "小晓", "扶服福", "衣一医", "帽貌", "盆", "栽载在",
)  # fmt: skip


@functools.lru_cache(maxsize=1)
def _sounds() -> dict[str, frozenset[str]]:
    alike: dict[str, set[str]] = {}
    for group in _GROUPS:
        for char in group:
            alike.setdefault(char, set()).update(group)
    return {char: frozenset(others) for char, others in alike.items()}


@functools.lru_cache(maxsize=8)
def _names(vocabulary: Vocabulary) -> tuple[str, ...]:
    kinds = ("object", "room", "placement", "category")
    names = {
        phrase
        for phrase, senses in vocabulary.chinese.items()
        if len(phrase) >= 2
        and not phrase.isascii()
        and any(sense.kind in kinds and (sense.known and sense.ids) for sense in senses)
    }
    return tuple(sorted(names, key=len, reverse=True))


def without_slips(text: str, vocabulary: Vocabulary, known: Iterable[str]) -> str:
    """Return the sentence with names put right that were typed by their sound.

    Args:
        text: a normalised sentence.
        vocabulary: knows the names.
        known: stretches of the sentence that are words as they stand and are never changed.
    """
    held, strange = _held(text, known)
    chars = set(text)
    for name in _names(vocabulary):
        length = len(name)
        if chars.isdisjoint(name):
            # At least one character must be right as it stands.
            continue
        for start in range(len(text) - length + 1):
            if any(held[start : start + length]) or not any(strange[start : start + length]):
                continue
            if _sounds_like(text[start : start + length], name):
                text = text[:start] + name + text[start + length :]
                held[start : start + length] = [True] * length
    return text


def _held(text: str, known: Iterable[str]) -> tuple[list[bool], list[bool]]:
    """Return which characters are never changed, and which belong to no known word."""
    held, strange = [False] * len(text), [True] * len(text)
    position = 0
    for word in known:
        start = text.find(word, position)
        if start < 0:
            continue
        position = start + len(word)
        strange[start:position] = [False] * len(word)
        if len(word) > 1:
            held[start:position] = [True] * len(word)
    return held, strange


def _sounds_like(typed: str, name: str) -> bool:
    sounds = _sounds()
    wrong = [(a, b) for a, b in zip(typed, name, strict=True) if a != b]
    if not wrong or len(wrong) == len(name):
        return False
    return all(a in sounds.get(b, frozenset()) for a, b in wrong)
