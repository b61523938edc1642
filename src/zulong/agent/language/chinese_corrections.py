"""A Chinese turn that puts a number or a listener right, said in whole words: 「两个太多了，一个就行」.

After 「给我两个橙子」 it says 「不对，一个橙子」; after 「告诉安琪晚饭好了」, 「错了，是告诉阿黛尔」 says
「不对，是阿黛尔」. What is corrected is in the order before; where that carries several things, nothing is guessed.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from zulong.agent.language.chinese_followups import followed_up
from zulong.agent.language.chinese_turned_back import plainly_corrected
from zulong.agent.language.meaning import CARRYING, Clause, clause_from_dict

_N = r"(?:[一二两三四五六七八九十俩仨\d]+)"
_M = r"(?:[个只瓶杯罐盒根块颗份件把本条包袋张]|听)"
_OOPS = r"(?:不对|不是|错了|说错了|不|哦|噢|哎|啊|呃|嗯|算了|等等|等一下)"
_FEWER = re.compile(
    rf"(?P<back>(?:{_OOPS}[，,…。！]*)+)?(?P<much>(?:{_N}{_M}?)?(?:也)?(?:有点儿?)?太[多少](?:了)?(?:吧|点)?[，,。！]+)?"
    rf"(?P<instead>(?:还是|改成|改|只|就|换成|应该是|是)*(?:要|拿|来|给我)?)(?P<count>{_N}{_M})"
    rf"(?P<enough>(?:就|也)?(?:够|行|好|成|可以|得)(?:了|啦)?)?(?:吧|啊|呀|了)*[。！]*"
)
_GIVE_INSTEAD = re.compile(
    r"(?:[哦噢哎啊呃]，?)?(?:他|她|人家|[^，]{1,4}?)(?:又|说|现在|已经)*(?:不要|不想要|不喝|不吃|不用|不想喝|不想吃|走|出门|不在|睡着|睡)(?:了)?"
    r"，(?:你|那|就|那就|还是|改)*(?:送|拿|递)?给(?P<who>[^，他她我]{1,6}?)(?:吧|好了|得了|算了|呗)?"
)
_GO_INSTEAD = re.compile(
    r"(?P<no>[^，]{2,5}?)(?:就|先)?(?:不去|别去|不用去|甭去|不要去)(?:了|啦)?，(?:你|还是|就|那|那就)*(?:改|换|直接)?(?:成)?(?:去|到|上)(?P<place>[^，]{2,6}?)(?:吧|好了)?"
)
_CHANGED = re.compile(
    r"(?:[哦噢哎啊呃唉]+，)?[^，]{2,10}(?:(?:不让|不能|不许|没法|喝不了|吃不了|不想|不爱|太)[^，]{1,6}|(?:不要|不用|别拿|不想要)了)，(?:那就|那|还是|就)?换(?:成|个|一|那)*[个盒瓶罐杯根块份]?(?P<what>[^，]{1,6}?)(?:吧|好了|得了)?"
)
_SLIP = re.compile(
    r"^(?:哎呀?|哦|噢|呃)?[，]?(?:我)?(?:整|弄|搞|记|喊|叫|说|讲)(?:差|错|岔|秃噜嘴|反|混)了?[，,]"
)
_TAKES_BACK = re.compile(
    r"(?:(?:[哦噢哎啊呃诶]呀?|等等|哎呀)[，,]?)*(?:不对[，,](?=数)|(?:我)?(?:又)?(?:改主意了|改变主意了|口误|嘴瓢了|记错了|说错了|更正(?:一下)?|是说|我的意思是|对不起|不好意思|抱歉)[，,]*(?:应该|我)?(?:是)?|"
    r"(?:算了[，,])?(?:要不)?还是(?![拿去把放带来找取])(?=.*(?:好了|吧)))(?P<what>[^，。？?吗]{1,9}?)(?:吧|好了|的)?[。！]*"
)
_LATE = re.compile(
    r"(?P<what>[^，。？?吗不没]{1,9}?)(?:吧)?[，,](?:我)?(?:刚才|刚)?(?:说|讲|搞|弄|记)错了[。！]*"
)
_COUNT_INSTEAD = re.compile(
    rf"(?:(?:{_OOPS}|说错了|搞错了|我说错了|不是[^，]{{1,8}})[，,…。！]*)+(?:应该|要|去|我(?:要|让你|是说))*(?:是)?(?:数(?:一下|数|一数)?)?(?P<who>[^，。？?数]{{1,10}}?)(?:吧|才对)?"
)
_BY_THE_WAY = re.compile(r"^(?:顺便|另外|对了|哦对)[，]?(?=(?:跟|对)[^，]{1,6}?(?:说|讲)[^一声，]{2,})")
_RIGHT = re.compile(
    rf"(?:{_OOPS}[，,…。！]*)*(?:应该)?(?:是|在)?(?P<what>[^，。？?是]{{1,9}}?)才(?:对|是)(?:吧|啊)?"
)
_AND_ADDED = re.compile(
    r"(?P<first>[^，]{1,16}?)，(?P<added>(?:再|另外再?|还要|外加|顺便再?|然后再)(?:加|来|拿|要|给我拿|带|添)[^，]{1,10})"
)
_COUNTED = re.compile(rf"^(?:这|那)?{_N}{_M}?")
_TO = re.compile(
    rf"(?:{_OOPS}[，,…。！]*)+(?:我)?(?:是|应该是|要|得)?(?P<verb>告诉|通知|转告|提醒|跟|对|给|送给|拿给|问|带|领|跟着|叫)"
    r"(?P<who>[^，。？！我拿送带取来]{1,4}?)(?P<say>说|讲)?(?:的|才对|去)?(?:吧|啊|呀)*[。！]*"
)
_SAME_VERB = {
    "告诉": ("tell",), "通知": ("tell",), "转告": ("tell",),
    "提醒": ("tell",), "跟": ("tell",), "对": ("tell",), "叫": ("tell",),
    "给": ("bring", "take"), "送给": ("bring", "take"), "拿给": ("bring", "take"),
    "问": ("ask",), "带": ("guide",), "领": ("guide",), "跟着": ("follow",),
}  # fmt: skip


def in_whole_words(text: str, context: Mapping[str, Any]) -> str:
    """Return the turn with what it leaves to the order before it, "" where it may be about one of several things.

    Args:
        text: the turn as it was said.
        context: that of the result before.
    """
    before = [clause_from_dict(entry) for entry in context.get("clauses") or ()]
    if not before or context.get("pending"):
        return text
    text = plainly_corrected(_SLIP.sub("说错了，", text.strip()), before)
    taken_back = _TAKES_BACK.fullmatch(text) or _LATE.fullmatch(text)
    if taken_back is not None and len(before) == 1:
        said = re.sub(r"^(?:我)?(?:想要|要)(?=.)", "", taken_back["what"])
        counts = "count" in (before[0].action, before[0].topic)
        said = said[1:] if counts and said.startswith("数") else said
        posed = counts and re.search(r"着的?$", said)
        text = f"不对，{said.removesuffix('的')}的人" if posed else f"不对，{said}"
    text = _BY_THE_WAY.sub("", text)
    recounted = _COUNT_INSTEAD.fullmatch(text.strip("。！!"))
    if recounted is not None and "count" in (before[-1].action, before[-1].topic):
        whom = "人" if recounted["who"].endswith("着的") else ""
        return f"不对，{recounted['who']}{whom}"
    right = _RIGHT.fullmatch(text.strip("。！!"))
    if right is not None and len(before) == 1:
        return f"不对，{right['what']}"
    instead = followed_up(text.strip("。！!？?"), before) or _instead(text.strip("。！!"), before)
    if instead:
        return instead
    first = _AND_ADDED.fullmatch(text.strip("。！!"))
    if first is not None:
        whole = in_whole_words(first["first"], context)
        return f"{whole}，{first['added']}"
    amount = _amount(text.strip(), before)
    return _listener(text.strip(), before) or text if amount is None else amount


def _instead(text: str, before: list[Clause]) -> str:
    """Return 「他不要了，给摩根吧」 and 「卧室不去了，改去书房」 as corrections of the order before."""
    last = before[-1]
    to = _GIVE_INSTEAD.fullmatch(text)
    if to is not None and len(before) == 1 and last.action in CARRYING and last.recipient is not None:
        return f"不对，给{to['who']}"
    went = _GO_INSTEAD.fullmatch(text)
    gone = last.goal.text if last.action == "go" and last.goal is not None and len(before) == 1 else ""
    if went is not None and gone == went["no"]:
        return f"不对，去{went['place']}"
    other = _CHANGED.fullmatch(text)
    if other is not None and len(before) == 1 and last.action in CARRYING and last.theme is not None:
        return f"换成{other['what']}"
    return ""


def _amount(text: str, before: list[Clause]) -> str | None:
    said = _FEWER.fullmatch(text)
    carried = [clause.theme for clause in before if clause.action in CARRYING and clause.theme is not None]
    put_right = said is not None and (
        said["back"] or said["much"] or said["enough"] or "改" in said["instead"]
    )
    if said is None or not put_right or not carried:
        return None
    thing = _COUNTED.sub("", carried[0].text)
    if not thing and len(carried) == 1 and carried[0].name:
        # 「两瓶吧」 was said before: the thing was named in a turn before that.
        return f"不对，{said['count']}"
    return f"不对，{said['count']}{thing}" if len(carried) == 1 and thing else ""


def _listener(text: str, before: list[Clause]) -> str:
    said = _TO.fullmatch(text)
    if said is None or before[-1].action not in _SAME_VERB[said["verb"]]:
        return ""
    if said["verb"] in ("跟", "对") and not said["say"]:
        return ""
    return f"不对，是{said['who']}"
