"""A Chinese turn that goes on with the order before it, said in whole words: 「顺便告诉我他怎么说」「把罗宾也带过去」.

After a question to somebody it may want the answer, after a message other words, after whoever was led one more; what
it leaves to the order before is said in full, so that it is heard like any other order.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from zulong.agent.language.meaning import CARRYING, Clause

_OOPS = r"(?:(?:不对|不是|错了|说错了|我说错了|搞错了|不|哦|噢|哎|啊|呃|嗯|等等|等一下|等下)[，…。！]*)"
_ON = r"(?:那|然后呢?|还有|对了|哦|顺便|另外|再|接着|顺便再)*[，]?"
_TELL_ME = re.compile(
    rf"{_ON}(?:你|记得|问完|回头|回来)*(?:再|就|也)?(?:告诉我|跟我(?:说|讲)|回来(?:告诉我|跟我说|说)|讲给我听|向我汇报)(?:一下|一声)?[，]?"
    r"(?:(?:他|她|他们|她们|人家)(?:都)?(?:是)?(?:怎么|咋)(?:说|回答|讲)(?:的)?|(?:他|她|他们|她们|人家)(?:都)?(?:说|回答|讲)(?:了)?(?:些)?(?:什么|啥)|"
    r"(?:他|她|他们|她们)的?(?:回答|答案|意思|想法)|(?:他|她)要不要|(?:他|她)愿不愿意|(?:他|她)同不同意|结果)?(?:吧|啊|哦|了)*"
)
_ANSWER_TOLD = re.compile(
    rf"{_ON}(?:你|记得|问完|回头|回来|再)*把(?:他|她|他们|她们|人家)的?(?:回答|答案|意思|想法|话)(?:告诉我|跟我说|讲给我听)(?:一下|一声)?(?:吧|啊|哦)*"
)
_WANTS = re.compile(
    r"(?:[哦噢哎啊呃]，?)?(?:他|她|人家)(?:又|刚才?|现在)?(?:说|讲)?(?:，)?(?:他|她)?(?:想|还是)?(?:要|喝|吃|想要)(?:的是)?(?P<what>[^，要不的了吗？]{1,6}?)(?:了|吧|呢)?"
)
_LED_ELSEWHERE = re.compile(
    r"(?:不对?|算了|哦不|等等|改主意了|[，])*(?:还是)?(?:带|领|送|请)(?:他|她|人|她们|他们)(?:去|到|回)(?P<place>[^，]{2,6}?)(?:吧|好了|算了|去)*"
)
_LED_TOO = re.compile(
    rf"{_ON}(?:你|麻烦|请|去)*(?:把|将|带|领|请|叫)?(?P<who>[^，也把]{{1,10}}?)也(?:一起|一块儿?|给我|顺便)*"
    r"(?:(?:带|领|送|请|叫|弄)(?:过去|过来|去|来|上|到那儿?|到那里|到那边)|一起(?:去|过去)?|去)(?:吧|了|啊|哦)*"
)
_LEAD_TOO = re.compile(
    rf"{_ON}(?:你|麻烦|请)*也(?:把)?(?:带|领|送)(?:上)?(?P<who>[^，]{{1,10}}?)(?:过去|去|一起去?)?(?:吧|了|啊|哦)*"
)
_TOLD_TOO = re.compile(
    rf"{_ON}(?:跟|对|给)?(?P<who>[^，跟对给]{{1,10}}?)(?:那边|那儿|那里)?(?:也|那边也)(?:去)?(?:说|讲|通知|告诉|提醒|问|打)(?:一声|一下|一句|声|个招呼)*(?:吧|哦|啊)*"
)
_IF_GONE = re.compile(
    r"(?:那|要是|如果)*(?P<what>[^，]{1,6}?)(?:要是|如果)?(?:没有?了?|没了|找不到|拿不到)(?:的话)?[，]?(?:就|那就)(?:给(?:他|她|我))?(?:拿|换|送|换成)(?P<other>[^，给]{1,6}?)(?:吧|也行|给(?:他|她|我))?"
)
_NOT_BUT = re.compile(
    rf"{_OOPS}*(?:不是|不说|别说)(?P<no>[^，]{{1,16}}?)(?:了)?，(?:而)?(?:是|要说|改说|说|应该是)(?P<but>[^，]{{1,20}})"
)
_OTHER_WORDS = re.compile(
    rf"(?:{_OOPS}*(?:改成|换成|改说|改为|就说|应该说|要说|是说)|{_OOPS}+(?:跟(?:他|她))?说)(?:是)?[，：]?[“\"「『]?(?P<words>[^”\"」』“「]{{2,30}}?)[”\"」』]?(?:吧)?"
)
_CLOCK = re.compile(
    r"(?:早上|上午|中午|下午|傍晚|晚上)?[零一二两三四五六七八九十\d]+点(?:半|[零一二三四五六七八九十\d]+分?|钟)?"
)
_DAY = re.compile(r"早上|上午|中午|下午|傍晚|晚上")
_OTHER_TIME = re.compile(
    rf"(?:{_OOPS}+(?:我)?(?:应该)?(?:是|改成|改到|改在|改为)?|(?:时间)?(?:改成|改到|改在|改为))"
    rf"(?P<time>{_CLOCK.pattern})(?P<rest>[^，了]{{0,8}}?)(?:了|吧|才对)*"
)
_NEGATED = re.compile(
    r"(?:那|嗯|哦|要是|如果)*[，]?没有?(?:人|了)?(?:的话)?[，]?(?:你|那)?就?(?P<rest>(?:给我|帮我)?(?:拿|取|送|端|放|换|把|给|去|告诉|回来|带)[^，。！？]*)"
)
_SOMEBODY_THERE = re.compile(
    r"(?:那|嗯|哦|要是|如果)*[，]?(?:有人|有)(?:的话)?[，]?(?:你|那)?就?(?P<rest>(?:给他|给她|叫|让|请|问|告诉|跟|带|对|把)[^，。！？]*)"
)


def followed_up(text: str, before: Sequence[Clause]) -> str:
    """Return the turn with what it leaves to the order before it said in full, "" when it leaves nothing to it.

    Args:
        text: the turn, without its last punctuation.
        before: what was to be done before; not empty.
    """
    last = before[-1]
    if (
        last.action == "ask"
        and last.recipient is not None
        and last.text
        and (_TELL_ME.fullmatch(text) or _ANSWER_TOLD.fullmatch(text))
    ):
        return f"问问{last.recipient.text}{last.text}，回来告诉我"
    if last.action == "guide" and last.goal is not None and last.goal.text and not last.goal.pronoun:
        elsewhere = _LED_ELSEWHERE.fullmatch(text)
        if elsewhere is not None and len(before) == 1:
            return f"不对，去{elsewhere['place']}"
        too = _LED_TOO.fullmatch(text) or _LEAD_TOO.fullmatch(text)
        if too is not None:
            return f"带{too['who']}去{last.goal.text}"
    if last.action in ("tell", "ask") and last.text and last.recipient is not None:
        return _to_say(text, last, last.recipient.text)
    named = last.recipient is not None and last.recipient.pronoun != "me"
    wants = _WANTS.fullmatch(text) if last.action in CARRYING and named and last.theme is not None else None
    if wants is not None and len(before) == 1:
        return f"换成{wants['what']}"
    gone = _IF_GONE.fullmatch(text) if last.action in CARRYING and len(before) == 1 else None
    if (
        gone is not None
        and last.theme is not None
        and last.recipient is not None
        and gone["what"] in last.theme.text
    ):
        whom = "我" if last.recipient.pronoun == "me" else last.recipient.text
        return f"如果有{gone['what']}就给{whom}拿{gone['what']}，没有就给{whom}拿{gone['other']}"
    if last.topic == "exists":
        there = last.where or next((c.goal for c in before[-2:-1] if c.action == "go"), None)
        return _whether_there(text, last, there.text if there is not None and not there.pronoun else "")
    return ""


def _to_say(text: str, last: Clause, whom: str) -> str:
    speaks = f"告诉{whom}：" if last.action == "tell" else f"问问{whom}"
    too = _TOLD_TOO.fullmatch(text)
    if too is not None:
        return f"告诉{too['who']}：{last.text}" if last.action == "tell" else f"问问{too['who']}{last.text}"
    denied = _NOT_BUT.fullmatch(text)
    if denied is not None:
        for said in (f"{denied['no']}了", denied["no"]):
            if said in last.text:
                return speaks + last.text.replace(said, denied["but"], 1)
    time, old = _OTHER_TIME.fullmatch(text), _CLOCK.search(last.text)
    if time is not None and old is not None and time["rest"] in last.text:
        day = _DAY.match(old.group())
        kept = day.group() if day is not None and not _DAY.match(time["time"]) else ""
        return speaks + last.text[: old.start()] + kept + time["time"] + last.text[old.end() :]
    other = _OTHER_WORDS.fullmatch(text)
    return speaks + other["words"] if other is not None and last.topic in ("", "free") else ""


def _whether_there(text: str, last: Clause, where: str) -> str:
    thing = last.theme.text if last.theme is not None else ""
    if not thing or not where:
        return ""
    negated = _NEGATED.fullmatch(text)
    if negated is not None:
        return f"如果{where}没有{thing}，就{negated['rest']}"
    there = _SOMEBODY_THERE.fullmatch(text)
    if there is not None and last.theme is not None and last.theme.kind == "person":
        return f"如果{where}有{thing}，就{there['rest']}"
    return ""
