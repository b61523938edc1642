"""Limits of tool calls in Chinese words.

A clause that speaks of calling tools may set its limit anywhere; a bare count of times ("最多三次") is one only
where the clause says nothing else that could happen three times.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from zulong.agent.numerals import NUMBER, number

_N = rf"(?P<n>{NUMBER})"
_TOOL = (
    r"(?:工具(?![箱房间包架书栏台柜锤刀人机])|函数|技能|插件|接口|(?:tool|function)-?(?:call)?s?(?![a-z]))"
)
_CALL = r"(?:调用|調用)"
_USE = rf"(?:使用|{_CALL}|动用|用到|借助|依靠|依赖|触发|请求|用|调|靠|call|use)"
_NOT = (
    r"(?:不允许|不要|别|不准|不许|不能|不得|不可|不可以|禁止|严禁|禁|无需|不需要|不必|不用|请勿|勿|莫|甭|不)"
)
_ANY = r"(?:任何|一切|什么|其他|你的|这些|外部|所有|的|再|去|随便|一个|一次|到|多)*"
_THINGS = re.compile(
    r"[带拿放搬递收装买修搁借还洗擦找见列讲]|碰|介绍|说出|哪|几[个种次]|多少|给(?:我|他|她)|取来"
)

_NONE = [
    rf"{_NOT}(?:再|去|随便|擅自|依)?{_USE}(?!的){_ANY}{_TOOL}",
    rf"(?:不要|禁止|严禁|禁用|无需|不需要|不必|不用(?!的)|不准|请勿){_ANY}{_TOOL}",
    rf"{_TOOL}(?:{_CALL})?(?:一个|一次|任何|统统|全部|全)?(?:都|也|全)?{_NOT}{_USE}",
    rf"(?:一次|一个|任何|半个){_TOOL}?(?:都|也){_NOT}{_USE}(?:{_TOOL})?",
    rf"(?:零|0|０)\s*次(?:{_TOOL})?(?:的)?{_CALL}",
    rf"(?:禁止|严禁|不准|不许){_ANY}(?:{_TOOL}){_CALL}",
]
_MOST = (
    r"(?:(?:最多|至多|顶多)(?:是|为)?(?:不超过)?|不超(?:过)?|(?:不(?:要|能|可|得|许|准)?|别|勿|莫)(?:超过|超出|多于|多过|大于)|≤|<="
    r"|(?:上限|限额|额度|配额|预算|限制|限定|控制|限用|限|次数)(?:是|为|在|于|到|成|[:：=])?|只|仅)"
)
_FILL = (
    r"(?:你|您|我)?(?:只|仅|就)?(?:能|可以|可|允许|许|准|得|限|有|给|让)?(?:你|您)?(?:再)?"
    rf"(?:{_USE}|尝试|试)?(?:{_TOOL})?(?:{_CALL})?"
)
_COUNTER = r"\s*(?:次|个|回|种|遍|轮|下)?"
_WITHIN = r"(?:以内|之内|内|以下|封顶|为限|为上限|到顶|为止)"
_SUFFICES = r"(?=(?:就|便|也就)(?:好|行|够|可以|成|得)|即可|足够|足矣|够了|得了)"
_ENDS = ("内", "以下", "封顶", "为限", "上限", "到顶", "为止")
_MORE_THAN = r"(?:超过|超出|多于|多过)"
_BOUNDS = [
    (rf"{_MOST}\s*{_FILL}\s*{_N}{_COUNTER}", 0),
    (rf"{_NOT}{_FILL}{_MORE_THAN}\s*{_N}{_COUNTER}", 0),
    (rf"{_N}\s*(?:次|个|回|种)(?:{_TOOL})?(?:的)?(?:{_CALL}|使用)?{_WITHIN}", 0),
    (rf"{_NOT}{_FILL}\s*{_N}{_COUNTER}以上", 0),
    (rf"(?:有|给你|给您|允许你)\s*{_N}\s*次(?=[^，。]{{0,8}}(?:机会|额度|{_CALL}))", 0),
    (rf"(?:少于|低于|不到|小于|<)\s*{_FILL}\s*{_N}{_COUNTER}", 1),
    (rf"{_USE}\s*{_N}\s*[次个回](?:{_TOOL})(?:{_CALL})?{_SUFFICES}", 0),
    (rf"{_TOOL}{_FILL}\s*{_N}\s*[次回]{_SUFFICES}", 0),
]
_NONE_RE = [re.compile(p, re.IGNORECASE) for p in _NONE]
_BOUNDS_RE = [(re.compile(p, re.IGNORECASE), less) for p, less in _BOUNDS]
_SPEAKS_OF_CALLS = re.compile(rf"{_TOOL}|{_CALL}", re.IGNORECASE)
# What may follow a count where calls are spoken of: what is counted, or what is done with it; no other noun.
_FOLLOWS = re.compile(
    rf"\s*(?:的)?(?:{_TOOL}|{_CALL}|使用|机会|{_WITHIN}|$|[)）:：\"”'’]|[就来去把吧了即则并且和或哦啊呀呢啦哈]"
    r"|完成|解决|搞定|做完|办完|找|查|回答|告诉|帮|看)",
    re.IGNORECASE,
)
_PER = re.compile(r"(?:每|一)(?:天|小时|分钟|秒|周|个月)")
# All that may stand around a bare count of times.
_BARE = re.compile(
    r"(?:请|你|您|总共|一共|总计|全程|全部|必须|务必|尽量|要|得|应|应该|需|在|用|就|但|而且|并且|次数|操作|尝试|记住|注意)*"
    rf"(?:(?P<most>(?:(?:最多|至多|顶多)(?:是|为)?(?:不超过)?|(?:次数)?上限(?:是|为)?|不超(?:过)?|(?:不(?:要|能|可|得|许|准)?|别|勿)(?:超过|超出|多于|多过|大于)|控制在|限制在|限定在|限在)"
    rf"(?:只)?(?:能|可以|可|用|试|尝试)*\s*(?P<n>{NUMBER})\s*[次回](?:以内|之内|内)?)"
    rf"|[以限]?(?P<within>{NUMBER})\s*[次回]{_WITHIN}|(?:少于|低于)(?P<less>{NUMBER})\s*[次回])"
    r"(?:就|内|吧|了|里|地|哦|啊|呀|呢|啦|哈)*(?:(?:要|必须)?(?:完成|解决|搞定|做完|办完|弄完|结束|找到|查到|回答|答完).*)?$"
)
_REPORTED = re.compile(
    r"(?:告诉|通知|提醒|转告|转达|嘱咐|叮嘱)(?!我|咱)|(?:跟|对|向|和).{1,6}?说|(?:让|叫|请|要求)(?:他|她|它|大家|小[^时心]|老.)"
)
_CLAUSE = re.compile(r"[，。；！？、（）,;!?()\n]+|\.(?=\s|$)")


def chinese_limits(text: str) -> Iterator[int]:
    """Yield each limit of tool calls that a text sets in Chinese."""
    for clause in _CLAUSE.split(text.lower()):
        clause = "".join(clause.split())
        reported = _REPORTED.search(clause)
        if reported is not None:
            clause = clause[: reported.start()]
        if _SPEAKS_OF_CALLS.search(clause):
            yield from _of_calls(clause)
        elif (bare := _BARE.match(clause)) is not None:
            value = number(bare["n"] or bare["within"] or bare["less"])
            yield from () if value is None else (max(0, value - (bare["less"] is not None)),)


def _of_calls(clause: str) -> Iterator[int]:
    handled = re.search(_CALL, clause) is None and _THINGS.search(clause) is not None
    bounds = [] if handled else list(_bounds(clause))
    yield from bounds
    if bounds:
        return
    for pattern in _NONE_RE:
        for match in pattern.finditer(clause):
            handed = re.search(r"[带拿放搬递收装买修碰洗擦]", match[0])
            if not handed and not re.match(rf"\s*{_MORE_THAN}", clause[match.end() :]):
                yield 0


def _bounds(clause: str) -> Iterator[int]:
    for pattern, less in _BOUNDS_RE:
        for match in pattern.finditer(clause):
            value = number(match["n"])
            ends = match[0].endswith(_ENDS) or _FOLLOWS.match(clause, match.end())
            if value is not None and ends and not _PER.search(clause):
                yield max(0, value - less)
