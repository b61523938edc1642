"""Chinese orders that hang on an answer: 「问简要不要可乐，要的话拿给她，不要就回来」."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from zulong.agent.language.awaited import Awaited, Branch
from zulong.agent.language.stretches import Mention

_ASKING = re.compile(
    r"(?P<opening>[^，。；,]*?(?:[，,]\s*)?)(?:问问|问一下|问下|问一问|问一声|问)(?!题|候|好)(?P<question>[^，。；？?,;！!]{2,}?)[，。；？?,;！!\s]+"
    r"(?P<rest>.+)",
    re.DOTALL,
)
_YES_OR_NO = re.compile(
    r"(?P<verb>[\u4e00-\u9fff])不(?P=verb)(?P<more>[喝吃用])?|(?P<able>[可愿需同])不(?P=able)[\u4e00-\u9fff]|是否|有没有|吗|没有?$|好了没"
)
_IF = r"(?:如果|要是|假如|若是|若|只要|倘若|等)?"
_WHO = r"(?:她们|他们|她|他|对方|人家|那个人)?"
_MARK = re.compile(
    rf"(?:^|[，。；,;！!\s]+)(?P<cond>(?P<else>否则的话|不然的话|否则|要不然|不然)|"
    rf"(?P<if>{_IF}){_WHO}(?P<say>说|回答|答应|点头|答)?(?:是)?(?P<word>[^，。；,;！!就说]{{0,5}}?)(?P<end>的话|了)?)"
    rf"(?:[，,\s]*(?P<then>就|再|那就|那)|[，,]\s*|(?<=的话))"
)
_AGREES = re.compile(
    r"(?:想要|想喝|想吃|同意|需要|可以|愿意|喜欢|答应|肯|准备好|要|想|行|好|是|对|嗯|有|在|会|饿|渴|冷|累|点头|肯定的?)"
)
_HANGS = re.compile(r"如果|要是|假如|假使|倘若|若|只要|万一|一旦|除非|的话|[有没在]人|[在有]就|看看")
_OTHERWISE = re.compile(r"否则|不然|要不然|(?:要是|如果)?(?:不在|没有|没在)(?:的话|就|，)")
_NOTHING = re.compile(r"(?:就)?(?:算了|拉倒|不用(?:管|拿|送)?(?:了)?|别(?:管|拿|送)?(?:了)?|罢了|作罢)")
_TAKEN = re.compile(
    r"(?P<verb>拿|取|递|送|带|端|捎|来|给|倒)(?P<many>[一两]?[个罐瓶杯根盒份块颗条包碗])?(?P<go>过去|来|去|过来)?$"
)
_TO_WHOM = re.compile(r"(?:拿|取|递|送|带|端|捎|交)给(?:她们|他们|她|他)$")


def awaited(text: str, mentions: Callable[[str], Sequence[Mention]]) -> Awaited | None:
    """Return the question and what hangs on its answer, None when nothing hangs on an answer.

    Args:
        text: the instruction.
        mentions: names the things, people and places in a text.
    """
    said = text.strip()
    asking = _ASKING.fullmatch(said)
    if asking is None:
        return None
    asked = _YES_OR_NO.search(asking["question"])
    if asked is None or (_HANGS.search(asking["opening"]) and _OTHERWISE.match(asking["rest"])):
        # 「如果简在客厅，问她饿不饿，否则回来」: the other case is of the condition, not of the answer.
        return None
    predicate = (asked["verb"] or "") + (asked["more"] or "")
    things = list(dict.fromkeys(m.text for m in mentions(asking["question"]) if m.kind == "thing"))
    branches = _branches(asking["rest"].rstrip("。！!？? "), predicate, asking["question"])
    if branches is None:
        return None
    kept = tuple(
        Branch(_with_thing(order, things), agreed, words)
        for words, agreed, order in branches
        if not _NOTHING.fullmatch(order)
    )
    return Awaited(said[: asking.end("question")], kept) if kept else None


def _branches(rest: str, predicate: str, question: str) -> list[tuple[str, bool, str]] | None:
    """Return for each condition its words, whether it is a yes, and the order; None when one is no answer."""
    marks = [mark for mark in _MARK.finditer(rest) if _answer(mark, predicate, question) is not None]
    if not marks or marks[0].start() > 0:
        return None
    ends = [mark.start() for mark in marks[1:]] + [len(rest)]
    found: list[tuple[str, bool, str]] = []
    for mark, end in zip(marks, ends, strict=True):
        order = rest[mark.end() : end].strip("，。；,;！! ")
        if not order:
            return None
        found.append((mark["cond"], bool(_answer(mark, predicate, question)), order))
    return found


def _answer(mark: re.Match[str], predicate: str, question: str) -> bool | None:
    """Return whether a condition is a yes or a no to the question, None when it is neither."""
    if mark["else"]:
        return False
    hangs = bool(mark["if"] or mark["say"] or mark["end"] or mark["then"])
    word = (mark["word"] or "").removesuffix("了")
    if not word:
        return True if mark["say"] in ("点头", "答应") else None
    if not hangs:
        return None
    denied = word[:1] in ("不", "没") or word[:2] == "要不"
    bare = re.sub(r"^(?:不|没|要不)", "", word)
    known = not bare or bare == predicate or _AGREES.fullmatch(bare) is not None
    again = bool(bare) and bare in question
    return (not denied) if known or again else None


def _with_thing(order: str, things: Sequence[str]) -> str:
    """Put the one thing that was asked about for 「它」, and where the order names nothing."""
    if len(things) != 1 or things[0] in order:
        return order
    if "它" in order or "这个" in order:
        return order.replace("它", things[0], 1).replace("这个", things[0], 1)
    if _TO_WHOM.search(order):
        return f"把{things[0]}{order}"
    taken = _TAKEN.search(order)
    if taken is None or (taken["verb"] in ("来", "给") and not taken["many"]):
        return order
    many = taken["many"] or ""
    return f"{order[: taken.start()]}{taken['verb']}{many}{things[0]}{taken['go'] or ''}"
