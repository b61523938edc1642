"""Characters typed for others that sound alike: 「平果」 for 「苹果」, 「厨方」 for 「厨房」.

Speech recognition and input methods mix up characters of one sound. A stretch of a sentence that is no name but
becomes one when some of its characters are taken for others of (nearly) the same sound is read as that name. Only
names of things and places, of two characters or more, are put right, and at least one character must be right as it
stands: a corrected verb could change what is done.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable

from zulong.agent.language.lexicon import Vocabulary

# Characters of the names of things and places of a home, each group with what is commonly typed in their place.
# Flat and retroflex initials (z/zh, c/ch, s/sh) and final n/ng sound alike to many.
_GROUPS = (
    "苹平评瓶屏萍凭坪贫频", "果过国裹锅", "香相乡箱湘厢像想象", "蕉焦交教娇胶浇郊", "橙成城澄程诚呈承陈晨",
    "橘桔局菊", "汁之知织支只枝", "梨离黎犁狸李里理", "桃逃淘陶萄", "草曹槽", "莓梅没煤霉玫每", "柠宁拧凝",
    "檬蒙盟萌猛门", "葡蒲普铺朴", "牛妞扭", "奶乃耐", "可克课渴刻客", "乐勒了", "咖卡喀", "啡非飞菲废肥", "冰兵并彬宾",
    "红洪虹宏鸿", "酒九久", "茶查察", "热惹", "带代袋戴", "薯属鼠叔书输梳舒", "片骗篇偏", "饼丙柄", "干甘赶杆",
    "麦卖迈", "脆翠", "玉雨语", "米蜜迷", "糖唐堂塘汤", "芥介戒界借", "末莫墨沫", "番翻帆", "茄切",
    "金今斤巾津", "枪抢呛", "鱼余于渔", "罐灌贯管", "午五武", "餐参", "肉揉", "巧桥", "冻动洞",
    "海害", "绵棉面", "肥飞废", "皂造早", "清青轻", "洁节杰结", "剂记计济", "网往忘", "球求囚", "足组族",
    "棒帮榜绑", "垒雷累", "魔摩磨膜", "方放房防芳仿访纺妨", "骰头投色", "子字", "勺烧少", "叉插差", "盘判盼潘", "碟蝶叠",
    "碗晚挽万", "杯背悲北被", "刀到道倒", "厨橱除锄储初出", "卧握我沃", "室式事市试视是世示",
    "客克刻", "厅听亭停庭", "书叔输舒梳", "浴玉育预", "卫位为围", "生声升", "间见件尖", "洗喜习", "手首守",
    "办半伴板", "公工功宫", "沙砂纱莎杀", "发法", "茶差", "几机鸡集", "桌卓捉做作坐", "椅以已", "架加价家假驾",
    "柜贵跪桂", "床窗创", "冰并", "箱厢香", "电店殿垫点", "视式是", "储除处", "藏脏", "物务雾", "置制治至",
    "微围为", "波拨", "炉路卢", "水谁睡", "槽曹草", "池迟持", "垃拉啦", "圾及机级", "桶筒通同", "入人如", "口扣",
    "出初", "灯登等", "台抬太", "边变便", "小晓", "扶服福", "衣一医", "帽貌", "盆", "栽载在",
)  # fmt: skip

_SPELLING = (
    "ping:苹瓶 guo:果 zi:子 cheng:橙 ju:橘 zhi:汁 li:李梨 tao:桃 cao:草 mei:莓 ning:柠 meng:檬 xiang:香箱 "
    "jiao:蕉 niu:牛 nai:奶 ke:可客 le:乐 ka:咖 fei:啡 bing:冰饼 hong:红 jiu:酒 cha:茶叉 shu:薯书 pian:片 "
    "mai:麦 tang:糖汤 jie:芥洁 mo:末魔 fan:番 qie:茄 jin:金 qiang:枪 yu:鱼玉浴 guan:罐 wu:午 can:餐 rou:肉 "
    "qiao:巧 dong:冻 hai:海 mian:绵 zao:皂 qing:清 ji:剂机 wang:网 qiu:球 zu:足 bang:棒 lei:垒 fang:方房 "
    "tou:骰 shao:勺 pan:盘 die:碟 wan:碗 bei:杯 dao:刀 chu:厨橱储 wo:卧 shi:室视 ting:厅 wei:卫 sheng:生 "
    "jian:间 xi:洗 shou:手 ban:办 gong:公 sha:沙 fa:发 zhuo:桌 yi:椅 jia:架 gui:柜 chuang:床 dian:电 wu:物 "
    "zhi:置 shui:水 cao:槽 lu:炉 tai:台 bian:边 hua:花 se:色 bai:白 lan:蓝 lv:绿 huang:黄 pi:皮 mu:木 ge:格 "
    "zhen:诊 nong:浓 re:热 dai:带"
)


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
            if not any(strange[start : start + length]):
                continue
            typed = text[start : start + length]
            wrong = [start + at for at in range(length) if typed[at] != name[at]]
            if any(held[start : start + length]) and not all(strange[at] for at in wrong):
                # 「洗碗鸡」: what is right as it stands may be a word of its own.
                continue
            if _sounds_like(text[start : start + length], name):
                text = text[:start] + name + text[start + length :]
                held[start : start + length] = [True] * length
    return text


_LETTERS = re.compile(r"[A-Za-z]")
_SPELT = {
    char: sound for group in _SPELLING.split() for sound, _, chars in [group.partition(":")] for char in chars
}


@functools.lru_cache(maxsize=8)
def _by_letters(vocabulary: Vocabulary) -> tuple[re.Pattern[str], dict[str, str]]:
    """Return a pattern for names some of whose characters are spelt in letters, and the name for each."""
    groups: dict[str, str] = {}
    forms = []
    for number, name in enumerate(_names(vocabulary)):
        if all(char in _SPELT for char in name):
            groups[f"n{number}"] = name
            forms.append(f"(?P<n{number}>" + "".join(f"(?:{char}|{_SPELT[char]})" for char in name) + ")")
    return re.compile("(?<![A-Za-z])(?:" + "|".join(forms) + ")(?![A-Za-z])", re.IGNORECASE), groups


def in_characters(text: str, vocabulary: Vocabulary) -> str:
    """Return the text with names in characters that were typed in letters: 「kele」「苹guo」.

    Args:
        text: the sentence as it was typed.
        vocabulary: knows the names.
    """
    if _LETTERS.search(text) is None:
        return text
    pattern, groups = _by_letters(vocabulary)
    text = pattern.sub(lambda found: groups[str(found.lastgroup)], text)
    people = _in_english(vocabulary)
    return _LATIN_NAME.sub(lambda found: people.get(found[0].lower(), found[0]), text)


_LATIN_NAME = re.compile(r"(?<![A-Za-z])[A-Za-z]{3,}(?![A-Za-z])")


@functools.lru_cache(maxsize=8)
def _in_english(vocabulary: Vocabulary) -> dict[str, str]:
    """Return what people with an English name are called in a Chinese sentence: 「告诉Axel」."""
    return {
        phrase.lower(): vocabulary.name(sense.ids[0], "zh")
        for phrase, senses in vocabulary.chinese.items()
        if phrase.isascii() and phrase.isalpha()
        for sense in senses
        if sense.kind == "person" and len(sense.ids) == 1
    }


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
