"""Importance and domain tags by rules, for Chinese and English."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence

from zulong.embedding.tokens import stem
from zulong.memory.model import Importance, NodeType


def _words(english: str, chinese: str) -> re.Pattern[str]:
    return re.compile(rf"\b(?:{english})\b|{chinese}", re.IGNORECASE)


# The first rule that fits decides; the order is from what must not be lost downwards.
_IMPORTANCE: Sequence[tuple[Importance, re.Pattern[str]]] = (
    (
        Importance.MUST_REMEMBER,
        _words(
            r"(?:always |please |do |must )?remember (?:this|that|to)|(?:do not|don't|never) (?:ever )?forget"
            r"|under no circumstances|life-?threatening|anaphyla\w+",
            r"(?:请|一定要|必须|要)记住|记住[：:，,]|(?:别|不要|千万别|不能)忘|绝对不能|会致命",
        ),
    ),
    (
        Importance.IMPORTANT,
        _words(
            r"allerg(?:y|ic|ies)|medications?|medicine|prescription|insulin|emergency|dangerous|danger|warning|urgent"
            r"|deadline|important|critical|hospital|appointment|passport|fragile|must not",
            r"过敏|药物?|处方|胰岛素|紧急|危险|警告|截止|重要|关键|医院|预约|护照|易碎|禁止",
        ),
    ),
    (
        Importance.IDENTITY,
        _words(
            r"my name is|i am called|call me|(?:his|her|their) name is|is called|birthday|born (?:on|in)|years old"
            r"|lives? (?:in|at)|works? (?:at|for|as)|(?:is|are) married|(?:wife|husband|son|daughter|mother|father|sister"
            r"|brother|friend) of|phone number|e-?mail address|favou?rite",
            r"我叫|我的名字|名叫|叫做|生日|出生|岁了?|住在|在.{1,12}(?:工作|上班|上学)|电话|手机号|最喜欢",
        ),
    ),
    (
        Importance.FACT,
        _words(
            r"(?:is|are) (?:located|kept|stored|made of|used for)|belongs? to|consists? of|means|prefers?"
            r"|(?:dis)?likes?|hates?"
            r"|costs?|weighs?|measures?|password|opens? at|closes? at|never|always",
            r"位于|放在|存放|属于|由.{1,8}组成|意思是|喜欢|讨厌|偏好|价格|重量|密码|总是|从不|营业",
        ),
    ),
)
_GREETING = re.compile(
    r"^\W*(?:ok(?:ay)?|yes|no|yeah|hi|hello|hey|thanks?(?: you)?|bye|good (?:morning|night|evening)|sure|fine|great|hm+"
    r"|好的?|嗯+|哦+|是的?|谢谢|你好|再见|行|可以|早上好|晚安|收到)\W*$",
    re.IGNORECASE,
)
_BY_TYPE: Mapping[NodeType, Importance] = {
    NodeType.PERSON: Importance.IDENTITY,
    NodeType.KNOWLEDGE: Importance.FACT,
    NodeType.CONCEPT: Importance.FACT,
    NodeType.EXPERIENCE: Importance.FACT,
    NodeType.CODE_SYMBOL: Importance.FACT,
    NodeType.MODULE: Importance.FACT,
    NodeType.APPROVAL: Importance.IMPORTANT,
}
# Machines write much and mean little by it; no word in it makes it more important.
_BY_TYPE_ALONE = frozenset({NodeType.TOOL_CALL, NodeType.TOOL_RESULT, NodeType.CODE_SYMBOL, NodeType.MODULE})
_READ_AT_MOST = 2_000
"""Characters looked at: what matters in a long text is cut into chunks anyway."""


def _stems(words: str) -> frozenset[str]:
    return frozenset(stem(word) for word in words.split())


# English by stems, since a dictionary look-up a word costs less than a dozen patterns a text.
_ENGLISH_DOMAINS: Mapping[str, frozenset[str]] = {
    "health": _stems(
        "allergy allergic medicine medication doctor hospital pain injury injured sick ill fever blood heart dentist"
        " nurse therapy symptom prescription insulin"
    ),
    "food": _stems(
        "eat ate eaten food meal breakfast lunch dinner cook cooking drink drank coffee tea fruit recipe restaurant kitchen"
    ),
    "home": _stems(
        "room bedroom bathroom sofa bed table shelf lamp door window clean cleaning laundry dishwasher"
    ),
    "navigation": _stems(
        "navigate navigation route path map corridor obstacle localize localization docking waypoint elevator stairs"
    ),
    "manipulation": _stems("grasp grip gripper pick place arm joint torque drop dropped handed"),
    "people": _stems(
        "family friend mother father wife husband son daughter neighbor neighbour guest colleague visitor"
    ),
    "schedule": _stems("tomorrow meeting appointment deadline schedule calendar birthday remind reminder"),
    "work": _stems("project report client office workshop presentation budget team boss salary contract"),
    "device": _stems(
        "battery charge charging charger phone laptop computer camera sensor lidar router software firmware screen"
    ),
    "safety": _stems("emergency danger dangerous fire smoke leak collision fell hazard unsafe alarm"),
    "preference": _stems("like dislike prefer preference hate favorite favourite love rather enjoy"),
    "travel": _stems("trip travel flight hotel airport train vacation holiday luggage"),
    "weather": _stems("weather rain rainy snow snowy sunny storm stormy cloudy"),
}
_CHINESE_DOMAINS: Mapping[str, re.Pattern[str]] = {
    name: re.compile(words)
    for name, words in {
        "health": r"过敏|药|医生|医院|疼|痛|受伤|生病|发烧|血压|心脏|牙医|护士|治疗|症状",
        "food": r"吃|饭|菜|早餐|午餐|晚餐|煮|喝|咖啡|茶|水果|食谱|餐厅|厨房",
        "home": r"房间|卧室|客厅|浴室|沙发|床|桌子|架子|灯|门|窗|打扫|清洁|洗衣|洗碗",
        "navigation": r"导航|路线|路径|地图|走廊|障碍|定位|充电桩|电梯|楼梯",
        "manipulation": r"抓|夹爪|拿起|放下|机械臂|关节|扭矩|掉了|递给",
        "people": r"家人|朋友|妈妈|爸爸|妻子|丈夫|儿子|女儿|邻居|客人|同事|访客",
        "schedule": r"明天|会议|预约|截止|日程|日历|[\d一二三四五六七八九十两]{1,3}点|生日|提醒",
        "work": r"项目|报告|客户|办公室|研讨会|演示|预算|团队|老板|工资|合同",
        "device": r"电池|充电|手机|电脑|相机|传感器|雷达|路由器|软件|固件|屏幕",
        "safety": r"紧急|危险|着火|烟雾|漏气|碰撞|摔倒|碎玻璃|隐患|警报",
        "preference": r"喜欢|讨厌|偏好|最爱|宁愿|不爱",
        "travel": r"旅行|旅游|航班|酒店|机场|火车|假期|行李",
        "weather": r"天气|下雨|下雪|晴|暴风|多云|气温",
    }.items()
}
_WORD = re.compile(r"[a-z]+(?:'[a-z]+)?")
_DOMAINS_OF_STEM: dict[str, tuple[str, ...]] = {}
for _name, _members in _ENGLISH_DOMAINS.items():
    for _member in _members:
        _DOMAINS_OF_STEM[_member] = (*_DOMAINS_OF_STEM.get(_member, ()), _name)
# Without one of these words no English rule of importance can fit.
_TRIGGERS = frozenset(
    """remember forget circumstances threatening allergy allergic allergies medication medications medicine prescription
    insulin emergency dangerous danger warning urgent deadline important critical hospital appointment passport fragile
    must name called call birthday born years live lives work works married wife husband son daughter mother father
    sister brother friend phone address mail favorite favourite located kept stored made used belong belongs consist
    consists means prefer prefers like likes dislike dislikes hate hates cost costs weigh weighs measure measures
    password opens closes open close never always""".split()  # noqa: SIM905 - a list of 90 quoted words is unreadable
)


def importance_of(text: str, type: NodeType) -> Importance:
    """Return how much a memory matters by its words and its type; the greater of both."""
    floor = _BY_TYPE.get(type, Importance.NORMAL)
    if type in _BY_TYPE_ALONE:
        return floor
    if type in (NodeType.DIALOGUE, NodeType.EPISODE) and _GREETING.match(text):
        return Importance.TRIVIAL
    head = text[:_READ_AT_MOST]
    if (
        head.isascii()
        and _TRIGGERS.isdisjoint(_WORD.findall(head.lower()))
        and "anaphyla" not in head.lower()
    ):
        return floor
    for importance, pattern in _IMPORTANCE:
        if importance <= floor:
            break
        if pattern.search(head):
            return importance
    return floor


def domains_of(text: str, type: NodeType, limit: int = 3) -> tuple[str, ...]:
    """Return the domains that a text speaks of, the one with most words first, at most ``limit``."""
    if type in _BY_TYPE_ALONE:
        return ()
    head = text[:_READ_AT_MOST]
    counts: Counter[str] = Counter()
    for word in _WORD.findall(head.lower()):
        domains = _DOMAINS_OF_STEM.get(stem(word))
        if domains is not None:
            counts.update(domains)
    if not head.isascii():
        for name, pattern in _CHINESE_DOMAINS.items():
            counts[name] += len(pattern.findall(head))
    if not counts:
        return ()
    found = sorted((name for name, count in counts.items() if count), key=lambda name: -counts[name])
    return tuple(found[:limit])
