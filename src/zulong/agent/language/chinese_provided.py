"""Chinese orders that hang on how things are, taken apart: 「简要是在厨房就给她送杯咖啡，不在就放餐桌上」.

The condition is read in any wording by :mod:`zulong.agent.language.chinese_hanging`; each order is left as it was said,
to be heard as an instruction of its own with all that a sentence may be. The English twin is :mod:`english_provisos`.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from typing import TypeGuard

from zulong.agent.language.chinese_flow_conditions import Hangs, side
from zulong.agent.language.chinese_hanging import Case, Hanging
from zulong.agent.language.chinese_told import one_thing
from zulong.agent.language.chinese_wordings import name_patterns
from zulong.agent.language.chinese_words import plain
from zulong.agent.language.lexicon import Vocabulary
from zulong.agent.language.meaning import Condition, Meaning
from zulong.agent.language.provided import Provided

_LONGEST = 120
_QUOTED = re.compile(r"[“”\"「」『』‘’：:]")
_MAY_HANG = re.compile(
    r"如果|要是|假如|假使|假若|倘若|若|只要|万一|一旦|的话|除非|否则|不然|[有没在着人]就|[了就]"
)
_SEEN = frozenset(("exists", "state"))
_CASES = 2
_COMES_TO_TELL = re.compile(
    r"^(?P<come>(?:你|快|赶紧|马上|立刻|就|再|赶快)*(?:回来|过来|来))(?=(?:再|就|马上)*(?:告诉|通知|跟|和|向|给|报告|汇报|说)(?:我|一声)?)"
)
_SOME = re.compile(
    r"(?<=[拿取端送递带来要放])(?P<many>[一两三四五几]?[个瓶罐杯盒根块份颗包只把袋条])(?=来|给|过|回|去|摆|放|搁|端|进|，|到|$)"
)
_LATER = re.compile(
    r"(?P<wait>(?:先)?(?:等|待|过)[^，]{2,8}?)(?:以后|之后|后)?[，,]?再(?P<deed>[收拿送去放给叫带领端搬说问])(?:吧|一次)?"
)
_SET_UP = re.compile(r"(?P<what>把[^，把]{1,6}?)(?:摆|放|搁)(?:上|进|回)(?:去|来)?(?=$|，)")
_PUT_THERE = re.compile(r"(?:摆|放|搁|端|拿|送|补)(?:上|进|回|过|到那儿)去?$")
_WHETHER = re.compile(r"(?<=[里上儿边柜箱机架桌])(?:还)?(?:有没有|有吗)$")
_TELLS_HIM = re.compile(r"(?:告诉|通知|转告|跟|和|对)(?:他|她|人家)(?:们)?(?:说|讲)?(?:一声|一下)?$")
_WHICHEVER = re.compile(r"(?P<which>谁|哪[儿里个间边种]|几[个瓶罐盒])[^，。？?]{1,8}就[^，。]{0,8}(?P=which)")
_EVERYBODY = re.compile(r"(?:大家|所有人|全家人?|每个人|人)(?:都|全)(?:已经)?(?:在|到|来)")
_COUNTED = re.compile(r"^[一两二三四五六七八九十几\d]+[个瓶罐杯盒根块份颗包只把袋条]")
_ASKS_HIM = re.compile(
    r"(?P<ask>问问|问一下|问一声|问下)(?=(?:是不是|要不要|需不需要|想不想|有没有|渴不渴|饿不饿|要|想|需要|有|叫|怎么|什么|啥|吃|喝|在等|找)(?!我))"
)


def provided(text: str, vocabulary: Vocabulary, read: Callable[[str], Meaning]) -> Provided | None:
    """Return the condition of a sentence with the orders that hang on it, None when it has no single condition.

    Args:
        text: the sentence.
        vocabulary: the names.
        read: reads plain words; what it makes of the condition is what is looked at.
    """
    said = plain(text)
    if len(said) > _LONGEST or _QUOTED.search(said) or not _MAY_HANG.search(said):
        return None
    if _EVERYBODY.search(said) or _WHICHEVER.search(said):
        # Whether all of them are there cannot be looked at.
        return None
    hanging = Hanging(said, vocabulary)
    found = hanging.cases()
    if found is None:
        return None
    before, cases = found
    only = cases[0] if len(cases) == 1 else None
    cases = [case for case in cases if case.orders]
    if only is not None and not cases and before and _lacking(only.hangs, before[-1], vocabulary):
        # 「跟摩根说水烧好了，摩根不在厨房就算了」
        cases, before = [Case(only.hangs.opposite(), before[-1:])], before[:-1]
    if not 0 < len(cases) <= _CASES or cases[0].hangs is None:
        return None
    if len(cases) == _CASES and cases[1].hangs != cases[0].hangs.opposite():
        return None
    condition = _condition(cases[0].hangs, read)
    if condition is None:
        return None
    instead = hanging.fetched(cases[-1])
    hanging.complete(cases)
    orders = [_in_full("，".join(case.orders), case.hangs, vocabulary) for case in cases]
    if len(cases) == _CASES:
        orders[1] = _to_somebody(orders[1], cases[1].hangs, orders[0])
    other = (instead or _again(orders[1], orders[0])) if len(cases) == _CASES else ""
    if not other and before and _lacking(cases[0].hangs, before[-1], vocabulary):
        # 「把碗给我，要是碗不在餐桌上就拿盘子」: the bowl is given only if it is there.
        opposite = replace(condition, negated=not condition.negated, text="")
        return Provided(
            opposite, before[-1], instead or orders[0], "，".join(before[:-1]), opposite=condition.text
        )
    otherwise = cases[1].hangs if len(cases) == _CASES else None
    words = otherwise.plain() if otherwise is not None else ""
    reports = _TELLS_HIM.search(orders[0]) is None
    return Provided(condition, orders[0], other, "，".join(before), opposite=words, reports=reports)


def _condition(hangs: Hangs, read: Callable[[str], Meaning]) -> Condition | None:
    """Return the condition as the grammar reads its plain words, None when it is nothing that is looked at."""
    meaning = read(f"{hangs.plain()}，就等一秒")
    if len(meaning.clauses) != 1 or meaning.leftover or meaning.clauses[0].action != "wait":
        return None
    condition = meaning.clauses[0].condition
    return condition if condition is not None and condition.kind in _SEEN else None


def _in_full(order: str, hangs: Hangs | None, vocabulary: Vocabulary) -> str:
    """Return the order with who is asked, and what is fetched, where it leaves that to the condition."""
    order = _COMES_TO_TELL.sub(r"\g<come>，", order)
    if hangs is None:
        return order
    if one_thing(hangs.subject, vocabulary):
        thing = _COUNTED.sub("", hangs.subject)
        there = (
            hangs.place and not hangs.negated and re.search(r"从|[去到上](?!来)[^，]{1,6}拿", order) is None
        )
        where = f"{hangs.place}{side(hangs.place)}的" if there else ""
        order = _SOME.sub(rf"\g<many>{where}{thing}", order, count=1)
        order = _WHETHER.sub(rf"\g<0>{thing}，告诉我", order)
        place = name_patterns(vocabulary)["place"]
        order = re.sub(
            rf"^(?:先|就)*(?:[收拿端]走|收起来|收)?(?=[放搁](?:到|在|进|回)?{place})", f"把{thing}", order
        )
        if hangs.place:
            order = _SET_UP.sub(rf"\g<what>放到{hangs.place}", order)
        if hangs.place and re.search(r"从|去[^，]{1,6}拿", order):
            order = _PUT_THERE.sub(f"放到{hangs.place}", order)
    somebody = hangs.person or hangs.subject.endswith("人")
    return _ASKS_HIM.sub(r"\g<ask>他", order, count=1) if somebody and not hangs.negated else order


def _to_somebody(order: str, hangs: Hangs | None, first: str) -> str:
    """Return the order of the second case with who is there then: 「没人就放下，有人就递给他」."""
    if hangs is None or hangs.negated or hangs.subject != "人" or not hangs.place:
        return order
    bare = re.fullmatch(r"(?:就|直接|再)*(?:递|拿|送|端|交)给[他她]", order)
    thing = re.match(r"把[^，把]{1,8}?(?=[放搁摆])", first) if bare is not None else None
    order = f"{thing.group() if thing is not None else ''}{order}"
    return re.sub(
        r"(?<=[给跟对带请问])[他她]们?(?!的)", f"{hangs.place}{side(hangs.place)}的人", order, count=1
    )


def _again(order: str, first: str) -> str:
    """Return 「等五分钟，然后把碗收到洗碗机里」 for 「等五分钟再收」 after that order."""
    later = _LATER.fullmatch(order)
    return f"{later['wait']}，然后{first}" if later is not None and later["deed"] in first else order


def _lacking(hangs: Hangs | None, order: str, vocabulary: Vocabulary) -> TypeGuard[Hangs]:
    """Tell whether the thing or the person that an order names is said not to be where it is looked for."""
    if hangs is None or not hangs.negated or hangs.least:
        return False
    named = hangs.person or one_thing(hangs.subject, vocabulary)
    return named and hangs.subject in order
