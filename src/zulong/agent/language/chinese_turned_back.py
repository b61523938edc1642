"""A Chinese turn that takes something back, brought to the form in which corrections are read: 「不对，是……」.

「等一下，不是简，是安琪」, 「口误口误，是浴室」, 「不是给我，是罗宾要」 and 「应该告诉查理才对」 all put one part
of the order before right; 「不要香蕉，要可乐」 after a search means that the other one is to be looked for.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from zulong.agent.language.meaning import CARRYING, Clause

_SOUND = r"(?:[哦噢哎啊呃嗯诶唉]+[，,…]*)*"
_WAITING = re.compile(
    rf"^{_SOUND}(?:等一下|等等|等会儿|等下|慢着|且慢|停一下|停|哎呀|糟了|糟糕)[，,。！!…]+(?=(?:不是|不对|错了|说错|"
    rf"应该|我是说|不要))"
)
_TWICE = re.compile(r"(口误|嘴瓢了?|错了|说错了|不对|不是)(?:[，,]?\1)+")
_SLIP = re.compile(
    rf"^{_SOUND}(?:我)?(?:刚才|刚)?(?:口误|嘴瓢|说错|讲错|打错|叫错|记错|搞错)(?:了)?[，,。！!…]+(?:应该)?(?=是|不是|"
    rf"改|去|给)"
)
_WANTED_BY = re.compile(
    rf"{_SOUND}(?:不是|不对|不)(?:给|要给)?[^，]{{0,6}}[，,](?:而)?是(?P<who>[^，给]{{1,8}}?)(?:想)?(?:要|喝|吃|用|点)"
    rf"(?:的|了)?[。！]*"
)
_SHOULD = re.compile(
    rf"{_SOUND}(?:不对[，,])?(?:我)?(?:应该|应当|该)(?:是|去)?(?:告诉|通知|转告|跟|给|拿给|送给|问|提醒|叫|带|领|跟着)"
    rf"(?P<who>[^，]{{1,8}}?)(?:说|讲)?(?:才对|才是|的)[。！]*"
)
_OTHER_ONE = re.compile(
    rf"{_SOUND}(?:我)?(?:不要|不是|不找|别找|不用找)(?P<no>[^，]{{1,8}}?)(?:了)?[，,](?:我)?(?:是)?(?:要|是|找|要找|"
    rf"改找|换成)(?P<what>[^，]{{1,8}}?)(?:吧|了)?[。！]*"
)
_SO_MANY = re.compile(
    r"(?:那就|那|还是|就)?(?:要|拿|来|给我)?(?P<count>[两三四五六俩仨\d][个只瓶杯罐盒根块颗份件把本条包])(?:吧|好了|呗|"
    r"得了)[。！]*"
)
_POSED = re.compile(
    r"(?:那|其中)?(?P<how>[站坐躺]着|挥手|招手|举着?[左右]?手|指着?[左右]边)的(?:人)?(?:有)?(?:几个|"
    r"多少)?(?:人)?(?:呢)?[？?]?"
)
_PUT_INSTEAD = re.compile(
    rf"{_SOUND}(?:(?:他|她|人家)(?:在|正|正在|已经|现在|不|还|没)[^，放搁摆]{{1,8}}[，,])(?:那)?(?:就|还是|你就|"
    rf"先)?(?:给(?:他|她))?"
    r"(?:放|搁|摆)(?:在|到)?(?:他|她|我)?(?:的)?(?P<where>[^，我他她]{2,8}?)(?:吧|就行|好了|得了|就好)?[。！]*"
)
_IS_THERE = re.compile(
    r"(?:他|她|人)(?:人)?(?:现在|这会儿|应该|就|正)*在(?P<where>[^，。？哪什谁吃睡忙开做玩看]{2,6}?)(?:里|呢|那儿|"
    r"那边)*[。！]*"
)
_BY_THE_WAY = re.compile(rf"^{_SOUND}(?:对了|差点忘了|忘了说)[，,。！!…]*(?=还有|再|顺便)")
_LOOKS_THERE = re.compile(
    r"(?:顺便|再|然后|另外)?[，,]?(?:去)?(?:看看|看一下|看一眼|瞧瞧)(?P<what>[^，。他她你我它]{1,6}?)(?:还)?(?:在不在|"
    r"有没有|在吗)(?:那儿|那里)?[？?。]?"
)
_ANY_BUT = re.compile(
    r"(?:随便|什么|哪种|哪个|啥)(?:什么|哪种)?(?:都|也)?(?:行|可以|成|好)[，,](?:但|不过|只)?(?:除了|只要不是|别是|"
    r"不要|别拿|要不是)(?P<not>[^，]{1,6}?)(?:就行|就好|都行|就可以)?[。！]*"
)
_SAID_TOO = re.compile(
    r"(?:再|也|顺便|然后|还有|另外|再帮我)+(?:跟(?:他|她))?(?:说|道|讲)(?:一)?(?:声|句|下)?(?P<words>[^，。？他她我]{2,10})[。！]*"
)
_WHEN_FOUND = re.compile(
    r"(?:要是|如果)?找到(?:他|她|它|人)?(?:了)?(?:的话|以后|之后|后)?[，,]?(?:就|再|你就)?(?P<order>(?:让|叫|请|带|把|"
    r"拿|给|送|放|跟|告诉|问).+)"
)
_NOTHING_INSTEAD = re.compile(
    r"(?:不对|不是|错了|说错了|搞错了|弄错了|不不|不|哎呀?|哦|啊|呃|等等|[，,。！!\s])+"
)
_ONLY_NO = re.compile(r"不[，,。！!\s]*")


def plainly_corrected(text: str, before: Sequence[Clause]) -> str:
    """Return the turn as 「不对，是……」 where it puts one part of the order before right, else as it is.

    Args:
        text: the turn as it was said.
        before: what was to be done before; not empty.

    Returns:
        "" for a turn that takes back without saying what is meant instead.
    """
    last = before[-1]
    text = _TWICE.sub(r"\1", _WAITING.sub("", text.strip()))
    text = _BY_THE_WAY.sub("", _SLIP.sub("不对，", text))
    if _NOTHING_INSTEAD.fullmatch(text) and not _ONLY_NO.fullmatch(text):
        return ""
    put = _PUT_INSTEAD.fullmatch(text)
    if put is not None and len(before) == 1 and last.action in CARRYING and last.theme is not None:
        return f"把{last.theme.text}放到{put['where']}"
    there = _IS_THERE.fullmatch(text)
    to = last.recipient if last.action in CARRYING and len(before) == 1 else None
    if there is not None and to is not None and not to.pronoun and last.theme is not None:
        return f"把{last.theme.text}拿给{there['where']}的{to.text}"
    but = _ANY_BUT.fullmatch(text)
    if but is not None and last.action in CARRYING and last.theme is not None and last.theme.category:
        whom = to.text if to is not None and not to.pronoun else "我"
        return f"给{whom}拿{last.theme.text}，不要{but['not']}"
    looked = _LOOKS_THERE.fullmatch(text)
    if looked is not None and last.action == "go" and last.goal is not None and not last.goal.pronoun:
        return f"看看{last.goal.text}有没有{looked['what']}"
    found = _WHEN_FOUND.fullmatch(text)
    if found is not None and last.action in ("find", "meet"):
        return _of_what_was_found(found["order"], last) or text
    also = _SAID_TOO.fullmatch(text)
    if also is not None and last.action in ("tell", "greet") and last.recipient is not None:
        return f"告诉{last.recipient.text}：{also['words']}"
    more = _SO_MANY.fullmatch(text)
    if more is not None and sum(clause.action in CARRYING for clause in before) == 1:
        return f"改成{more['count']}"
    posed = _POSED.fullmatch(text)
    where = last.where or next((clause.goal for clause in before[-2:-1] if clause.action == "go"), None)
    if posed is not None and "count" in (last.action, last.topic) and where is not None and not where.pronoun:
        return f"{where.text}有几个{posed['how']}的人"
    wanted = _WANTED_BY.fullmatch(text)
    if wanted is not None and last.action in CARRYING and last.theme is not None:
        return f"不对，给{wanted['who']}"
    should = _SHOULD.fullmatch(text)
    if should is not None:
        return f"不对，{'给' if last.action in CARRYING else '是'}{should['who']}"
    other = _OTHER_ONE.fullmatch(text)
    searched = last.action == "find" and last.theme is not None and len(before) == 1
    if other is not None and searched and last.theme is not None and other["no"] in last.theme.text:
        return f"不对，是{other['what']}"
    return text


def _of_what_was_found(order: str, searched: Clause) -> str:
    """Return the order about what was searched for, named in it; "" where it is not clear that it is about that."""
    sought = searched.theme or searched.recipient
    if sought is None or sought.pronoun:
        return ""
    named = re.sub("他|她|它", sought.text, order, count=1)
    if named != order:
        return named
    return f"把{sought.text}{order}" if re.match("[拿送放给]", order) and sought.kind == "object" else ""
