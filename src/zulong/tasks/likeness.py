"""How alike two requests are: by what is to be done, with what, and where; English and Chinese.

A request becomes weighted terms. Verbs and nouns that people use for the same thing of a household are one term, in
either language, so that another wording counts as the same; what every request has (articles, "please", "把") counts
for nothing. Two requests are alike by Dice's coefficient of their terms:

    2 * weight(common) / (weight(a) + weight(b))

Rooms and verbs are in most requests of a household and weigh less than the things a request is about. Requests that
name different deeds are further apart: to clean the kitchen is not to find it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache

_WORDS = re.compile(r"[\u3400-\u9fff]+|[^\W_\u3400-\u9fff]+")
_DEED, _ROOM, _CHARACTER = 0.4, 0.7, 0.3
_OTHER_DEED = 0.6
"""A request that names other deeds keeps this share of its likeness."""

# The words of both languages that name a concept; one with many has several lines. Deeds begin with !, rooms with @.
_CONCEPTS = """
!bring: bring fetch get take carry deliver hand pass give grab pick put place set move transport 拿 取 送 带 递 搬 放 给 端
!bring: 拿来 拿到 拿去 拿给 取来 送到 送去 送给 带来 带到 递给 放到 放在 放回 搬到
!clean: clean tidy wipe mop sweep vacuum dust wash scrub 打扫 清洁 清理 收拾 整理 擦 扫 拖 洗 吸尘
!find: find search look locate seek spot where 找 在哪里 在哪儿 哪里 哪儿 寻找
!find: 查找 找到 找找 看看 看一下
!go: go drive walk navigate head return 去 到 前往 走 过去 回到 来
!tell: tell say inform announce let remind notify 告诉 说 通知 转告 提醒 讲
!ask: ask question 问 询问 请教
!count: count many number 数 多少 几个 几
!follow: follow accompany 跟 跟随 跟着
!guide: guide lead escort show 带领 引导 领 陪
!greet: greet welcome hello 问候 欢迎 打招呼
!water: watering 浇水 浇
!open: open 打开 开
!close: close shut 关 关上 关闭
!wait: wait 等 等待
!describe: describe 描述 形容
!charge: charge recharge dock 充电
@kitchen: kitchen 厨房
@bedroom: bedroom 卧室 睡房
@living: livingroom lounge 客厅 起居室
@bath: bathroom toilet restroom 浴室 卫生间 洗手间 厕所
@dining: diningroom 餐厅 饭厅
@study: study office 书房 办公室
@hall: hall hallway corridor 走廊 过道 门厅
@balcony: balcony terrace 阳台 露台
@garden: garden yard 花园 院子
@garage: garage 车库
@door: entrance 门口 入口
red: red 红色 红
blue: blue 蓝色 蓝
green: green 绿色 绿
yellow: yellow 黄色 黄
white: white 白色 白
black: black 黑色 黑
cup: cup mug 杯子 茶杯 水杯 马克杯 杯
bottle: bottle 瓶子 瓶
plate: plate dish 盘子 碟子 盘
bowl: bowl 碗
fork: fork 叉子 叉
spoon: spoon 勺子 汤匙 勺
knife: knife 刀子 餐刀
drink: drink beverage 饮料
milk: milk 牛奶
tea: tea 茶
coffee: coffee 咖啡
apple: apple 苹果
banana: banana 香蕉
bread: bread 面包
book: book 书
newspaper: newspaper paper 报纸
phone: phone smartphone telephone 手机 电话
key: key 钥匙
glasses: glasses spectacle 眼镜
medicine: medicine medication pill drug 药 药片
plant: plant flower 植物 花 盆栽
table: table desk 桌子 餐桌 书桌 桌上 桌
chair: chair 椅子 椅
sofa: sofa couch settee 沙发
bed: bed 床
floor: floor 地板 地面 地
window: window 窗户 窗子 窗
trash: trash garbage rubbish litter 垃圾
dog: dog puppy 狗
cat: cat kitten 猫
person: person people someone guest visitor 人 客人
dinner: dinner supper meal food 晚饭 晚餐 饭
breakfast: breakfast 早餐 早饭
toy: toy 玩具
ball: ball 球
clothes: clothes clothing laundry 衣服
shoe: shoe 鞋子 鞋
bag: bag 包 袋子
light: light lamp 灯
"""
_COMMON_WORDS = """
a an and are as at be been but by can could do does for from had has have he her here hey him his how i if im in into is
it its just like ll me my need now of off on onto or our out over please robot s she so some than that the their them
then there they this to too up us very want was we were what where which who will with would you your
"""
_COMMON = frozenset(_COMMON_WORDS.split())
_COMMON_CHINESE = re.compile(
    "[的了吗呢吧啊请把被和与在是我你他她它们这那一个想要里上下过能可以会得就都又也还有帮没]"
)
_JOINED = (("living room", "livingroom"), ("dining room", "diningroom"), ("how many", "count"))


def likeness(asked: str, known: str) -> float:
    """Return how alike two requests are, 0 (nothing in common) to 1 (the same in other words)."""
    return dice(terms(asked), terms(known))


def dice(a: Mapping[str, float], b: Mapping[str, float]) -> float:
    """Return Dice's coefficient of two sets of weighted terms, less where they name different deeds."""
    common = a.keys() & b.keys()
    if not common or (all(map(_is_deed, common)) and not all(map(_is_deed, a.keys() | b.keys()))):
        return 0.0  # to bring the one thing and to bring the other have nothing in common
    alike = 2.0 * sum(min(a[term], b[term]) for term in common) / (sum(a.values()) + sum(b.values()))
    deeds = [set(filter(_is_deed, one)) for one in (a, b)]
    other = all(deeds) and not deeds[0] & deeds[1]
    return min(1.0, alike * _OTHER_DEED if other else alike)


def covered(asked: Mapping[str, float], by: Mapping[str, float]) -> float:
    """Return the share of what is asked that is there too, 0 to 1; deeds, which most tasks have, do not count."""
    wanted = {term: weight for term, weight in asked.items() if not _is_deed(term)}
    whole = sum(wanted.values())
    return sum(weight for term, weight in wanted.items() if term in by) / whole if whole else 0.0


def _is_deed(term: str) -> bool:
    return term[0] == "!"


@lru_cache(maxsize=16_384)
def terms(text: str) -> Mapping[str, float]:
    """Return the terms of a text with their weights; not to be changed."""
    lowered = text.casefold()
    for words, joined in _JOINED:
        lowered = lowered.replace(words, joined)
    found: dict[str, float] = {}
    for run in _WORDS.findall(lowered):
        for term, weight in _chinese(run) if "\u3400" <= run[0] <= "\u9fff" else _latin(run):
            found[term] = weight
    return found


def _latin(word: str) -> Iterator[tuple[str, float]]:
    if word in _COMMON:
        return
    for form in _forms(word):
        if form in _CONCEPT:
            yield _weighted(_CONCEPT[form])
            return
    yield _forms(word)[-1], 1.0


def _forms(word: str) -> list[str]:
    """Return a word and what it may be a form of, the plainest last."""
    forms = [word]
    if len(word) > 4 and word.endswith("ies"):
        forms.append(word[:-3] + "y")
    elif len(word) > 4 and word.endswith(("ches", "shes", "sses", "xes")):
        forms.append(word[:-2])
    elif len(word) > 3 and word.endswith("s") and not word.endswith("ss"):
        forms.append(word[:-1])
    elif len(word) > 5 and word.endswith("ing"):
        forms += [word[:-3] + "e", word[:-3]]
    elif len(word) > 4 and word.endswith("ed"):
        forms += [word[:-1], word[:-2]]
    return forms


def _chinese(run: str) -> Iterator[tuple[str, float]]:
    """Cut out the longest known words; what is left counts by its characters and pairs of them."""
    rest, start = [], 0
    while start < len(run):
        for length in range(min(_LONGEST, len(run) - start), 0, -1):
            concept = _CONCEPT.get(run[start : start + length])
            if concept is not None:
                yield _weighted(concept)
                rest.append(" ")
                start += length
                break
        else:
            rest.append(run[start])
            start += 1
    for part in _COMMON_CHINESE.sub(" ", "".join(rest)).split():
        for character in part:
            yield character, _CHARACTER if len(part) > 1 else 1.0
        for first in range(len(part) - 1):
            yield part[first : first + 2], 1.0 - _CHARACTER


def _weighted(concept: str) -> tuple[str, float]:
    return concept, {"!": _DEED, "@": _ROOM}.get(concept[0], 1.0)


def _read_concepts() -> dict[str, str]:
    concepts: dict[str, str] = {}
    for line in _CONCEPTS.strip().splitlines():
        name, _, words = line.partition(":")
        term = name if name[0] in "!@" else f"={name}"
        concepts.update(dict.fromkeys(words.split(), term))
    return concepts


_CONCEPT = _read_concepts()
_LONGEST = max(len(word) for word in _CONCEPT if word[0] >= "\u3400")
