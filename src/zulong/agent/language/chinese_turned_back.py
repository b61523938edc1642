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
    text = _SLIP.sub("不对，", text)
    if _NOTHING_INSTEAD.fullmatch(text) and not _ONLY_NO.fullmatch(text):
        return ""
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
