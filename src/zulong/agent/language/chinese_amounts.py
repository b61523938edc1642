"""How many of a thing and for whom, said apart from the order: 「三个李子，两个给我，一个给简」「给我拿可乐，要两罐」.

Numbers behind a thing, shares that add up, a list behind its sum and a number behind the order are put where the
grammar has them, and so are quoted words that stand before their listener or before how often they are said. Where
the shares do not add up, or it is not clear what is counted, the sentence stays as it is.
"""

from __future__ import annotations

import functools
import re

from zulong.agent.language.chinese_wordings import name_patterns
from zulong.agent.language.chinese_words import plain
from zulong.agent.language.lexicon import Vocabulary

_DIGITS = {
    "一": 1,
    "二": 2,
    "两": 2,
    "俩": 2,
    "三": 3,
    "仨": 3,
    "四": 4,
    "五": 5,
    "六": 6,
    "七": 7,
    "八": 8,
    "九": 9,
    "十": 10,
}
_WORDS = {1: "一", 2: "两", 3: "三", 4: "四", 5: "五", 6: "六", 7: "七", 8: "八", 9: "九", 10: "十"}
_N = r"[一二两俩三仨四五六七八九十]|\d"
_M = r"[个瓶罐盒根杯只把块份包颗条袋本盘碗支枚听]"
_QUOTED = re.compile(r"[“”\"「」『』‘’]")
_OPENS = r"(?:你|您|请|麻烦(?:你)?|帮我|帮忙|给我|替我|去|来|拿|取|端|要|我要|再|先|把|有|那|这)*"
_SHARED = (
    rf"{_OPENS}(?P<at>[^，]{{1,8}}[上里]的)?(?P<many>{_N})(?P<measure>{_M})?(?P<what>{{thing}})(?:来|过来)?"
    r"[，：](?P<parts>.+)"
)
_PART = re.compile(
    rf"(?:其中|另外|还有|再|然后|也)*(?:(?P<count>{_N})(?:{_M})?|(?P<rest>(?:剩下|剩余|余下|其余|多出来|另外|最后)(?:的)?(?:那|这)?(?:{_N})?(?:{_M})?(?:的)?))"
    rf"(?:就|都|全|是)*(?:(?P<put>放(?:到|在|进)?)|给|送给|拿给|归|送到|留给|端给)(?P<who>[^，、一两三]{{1,14}}?)"
    rf"|(?:再|也)*(?:给|送给|拿给|分给)?(?P<gets>[^，、一两三给把]{{1,10}}?)(?:要|得|拿|分)?(?:(?P<of>{_N})(?:{_M})?)"
)
_PARTS = re.compile(r"[，、；]|(?:和|以及)(?=[一二两三四五六七八九十])")
_TAIL = re.compile(r"(?:就行|就好|吧|都送去|都拿过去|好了)$")
_COUNTED_BEHIND = (
    rf"(?P<opens>(?:你|您|请|麻烦(?:你)?|帮我|帮忙|替我|去|把|给我拿|给我|拿)*)(?P<list>(?:{{thing}}(?:要|来|拿)?(?:{_N}){_M}[，、和]?)+)(?:都|全|一起|一块儿)*[，]?"
    r"(?:都|全|一起|一块儿|再|就|把它们|把这些|统统)*(?P<then>(?:放|搁|摆|送|给|拿|端|搬|收|交)[^，]{1,14})"
)
_ONE_OF_THE_LIST = rf"(?P<thing>{{thing}})(?:要|来|拿)?(?P<count>{_N})(?P<measure>{_M})"
_SUM = (
    rf"(?P<before>[^，：]*?)(?P<what>{{thing}}|东西)?(?P<mid>[^，：]{{0,6}}?)(?P<many>{_N})(?:样|种|件)(?:东西|吃的|喝的|玩具|水果|餐具)?(?P<after>[^，：]{{0,10}})[：，]"
    rf"(?:一样是|分别是|就是|是)?(?P<list>{{thing}}(?:要)?(?:(?:{_N}){_M})?(?:[，、和跟](?:还有|以及)?{{thing}}(?:要)?(?:(?:{_N}){_M})?)+)"
)
_ONE_OF_THE_SUM = rf"(?P<thing>{{thing}})(?:要)?(?:(?P<count>{_N})(?P<measure>{_M}))?"
_AFTERWARDS = (
    rf"(?P<before>.*?(?:给|拿|送|来|要|取|端|放|带|把)[^，]*?)(?:一?(?P<old>{_M}))?(?P<what>{{thing}})(?P<after>[^，]{{0,12}})，(?P<more>(?:就[^，]{{1,8}}(?:那种|的|那个|里的|上的)，)?)"
    rf"(?:我|一共|总共|记得|就)*(?:要|拿|送|来|给|取|带|端|放)(?:上)?(?P<count>{_N})(?P<measure>{_M})(?:就行|就好|就够|就够了|吧|哦|啊|来|过来|过去|去|给(?:我|他|她))*"
)
_COUNTED = re.compile(rf"(?:{_N}|几)(?:{_M})|两|每人|一人|各|些|点")
_BOTH = (
    rf"(?:我)?(?:要|拿|来)?(?:(?P<one>(?:{_N}){_M})?(?P<a>{{thing}})[和、跟，]?(?P<two>(?:{_N}){_M})?(?P<b>{{thing}}))(?:都要|都拿来|都拿上|都拿|各一[个份])?，"
    r"(?P<given>(?P=a)给[^，]{1,12}，(?P=b)给[^，]{1,12}|(?P=b)给[^，]{1,12}，(?P=a)给[^，]{1,12})"
)
_EACH = (
    rf"{_OPENS}(?P<what>{{thing}})(?:一人|每人|各|一个人|每个人)(?:都)?一(?P<measure>{_M})，"
    r"(?:都|就|请)*(?:给|送给|分给|拿给)(?P<who>[^，]{2,20})"
)
_SAYS_TIMES = re.compile(
    r"(?P<before>.*?)(?P<speak>(?:说|讲|喊|念)(?:一声|一句)?)?[“\"「『](?P<words>[^”\"」』]{1,24})[”\"」』]，?(?:你|给我|要|连着?|一共|总共|就)*"
    rf"(?:说|讲|喊|念|重复|说上|连说)(?P<times>(?:{_N})[遍次回声])(?P<rest>(?:，.*)?)"
)
_WORDS_FIRST = re.compile(
    r"(?P<before>(?:请|你|去|麻烦你?|帮我|替我)*)(?:把|将)[“\"「『](?P<words>[^”\"」』]{1,24})[”\"」』](?:这句话|这话|这个消息|这几个字)?"
    r"(?:去|带给|转达给|告诉|转告|通知|说给|讲给|念给|捎给)+(?P<who>[^，。告诉]{1,5}?)(?:听|一声)?(?P<rest>(?:，.*)?)"
)
_SAYS_TIMES_UNQUOTED = re.compile(
    r"(?P<before>(?:你|请|去|过去|帮我|[^，]{2,5}，|去[^，跟对和向]{2,5})*(?:跟|对|和|向)[^，说讲]{1,10})(?:说|讲|喊)(?:一声|一句)?(?P<words>[^，“”「」：]{2,12})，(?:要|连着?|一共|总共)*"
    rf"(?:说|讲|喊|重复)(?P<times>(?:{_N})[遍次回])(?P<rest>)"
)


def counted_plainly(text: str, vocabulary: Vocabulary) -> str | None:
    """Return the sentence with each number before what it counts and with whoever gets it, None when it has none apart.

    Args:
        text: the sentence as it was said.
        vocabulary: the names.
    """
    whole = plain(text).strip("。！!")
    repeated = _SAYS_TIMES.fullmatch(text.strip("。！!"))
    listener = _WORDS_FIRST.fullmatch(text.strip("。！!"))
    if listener is not None and re.fullmatch(name_patterns(vocabulary)["person"], listener["who"]):
        return f"{listener['before']}告诉{listener['who']}「{listener['words']}」{listener['rest']}"
    repeated = repeated or _SAYS_TIMES_UNQUOTED.fullmatch(whole)
    if repeated is not None and not re.search(r"告诉|通知|转告|提醒", repeated["before"]):
        before = repeated["before"].removesuffix("把")
        return f"{before}说{repeated['times']}「{repeated['words']}」{repeated['rest']}"
    if _QUOTED.search(whole):
        return None
    forms = _forms(vocabulary)
    if not re.search(_N, whole):
        return _given_apart(whole, forms[6])
    return (
        _shared_out(whole, forms[0])
        or _counted_before(whole, forms[1], forms[2])
        or _summed_up(whole, forms[3], forms[4])
        or _afterwards(whole, forms[5])
        or _given_apart(whole, forms[6])
        or _one_each(whole, forms[7])
    )


@functools.lru_cache(maxsize=4)
def _forms(vocabulary: Vocabulary) -> tuple[re.Pattern[str], ...]:
    thing = name_patterns(vocabulary)["thing"]
    forms = (_SHARED, _COUNTED_BEHIND, _ONE_OF_THE_LIST, _SUM, _ONE_OF_THE_SUM, _AFTERWARDS, _BOTH, _EACH)
    return tuple(re.compile(form.replace("{thing}", thing)) for form in forms)


def _value(word: str) -> int:
    return int(word) if word.isdigit() else _DIGITS[word]


def _shared_out(said: str, form: re.Pattern[str]) -> str | None:
    """Return 「把两个李子拿给我，把一个李子拿给简」 where the shares add up to what is there."""
    found = form.fullmatch(_TAIL.sub("", said))
    if found is None:
        return None
    parts = [_PART.fullmatch(part.strip()) for part in _PARTS.split(found["parts"]) if part.strip()]
    if len(parts) < 2 or any(part is None for part in parts):
        return None
    many, measure = _value(found["many"]), found["measure"] or "个"
    told = [part for part in parts if part is not None]
    shares = [_value(part["count"] or part["of"]) if (part["count"] or part["of"]) else 0 for part in told]
    if shares.count(0) > 1:
        return None
    left = many - sum(shares)
    shares = [share or left for share in shares]
    if left < 0 or (left and 0 not in [s if s != left else 0 for s in shares]) or sum(shares) != many:
        return None
    who = [part["who"] or part["gets"] for part in told]
    if any(re.fullmatch(r"他|她|他们|她们|别人|另一个人|大家", name) for name in who):
        return None
    things = [f"{found['at'] or ''}{_WORDS[share]}{measure}{found['what']}" for share in shares]
    verbs = ["放到" if part["put"] else "拿给" for part in told]
    return "，".join(f"把{thing}{verb}{name}" for thing, verb, name in zip(things, verbs, who, strict=True))


def _counted_before(said: str, form: re.Pattern[str], one: re.Pattern[str]) -> str | None:
    """Return 「把一把勺子和一把叉子放餐桌」 for 「勺子一把、叉子一把，放餐桌」."""
    found = form.fullmatch(said)
    if found is None:
        return None
    things = [f"{part['count']}{part['measure']}{part['thing']}" for part in one.finditer(found["list"])]
    if len(things) < 2:
        return None
    return f"把{'和'.join(things)}{found['then']}"


def _summed_up(said: str, form: re.Pattern[str], one: re.Pattern[str]) -> str | None:
    """Return 「把魔方和网球放到书架」 for 「玩具收两样到书架：魔方一个，网球一个」, only where the list has that many."""
    found = form.fullmatch(said)
    if found is None:
        return None
    things = [
        f"{part['count'] or ''}{part['measure'] or ''}{part['thing']}" for part in one.finditer(found["list"])
    ]
    if len(things) != _value(found["many"]):
        return None
    listed = "和".join(things)
    order = f"{found['before']}{found['mid']}"
    if re.search(r"把$", order):
        return f"{order}{listed}{found['after']}"
    moved = re.fullmatch(r"(?:给我|帮我|请|你)*(?P<verb>收|放|摆|拿|送|搬)", order)
    if moved is not None and re.match(r"[到回进在给]", found["after"]):
        verb = "放" if moved["verb"] == "收" else moved["verb"]
        return f"把{listed}{verb}{found['after']}"
    return f"{order}{listed}{found['after']}" if re.search(r"[拿送来要取给端]$", order) else None


def _one_each(said: str, form: re.Pattern[str]) -> str | None:
    """Return 「给简和罗宾每人一包饼干」 for 「饼干一人一包，给简和罗宾」; everybody has to be named."""
    found = form.fullmatch(_TAIL.sub("", said))
    if found is None or not re.search(r"[和跟、]", found["who"]):
        return None
    return f"给{found['who']}每人一{found['measure']}{found['what']}"


def _given_apart(said: str, form: re.Pattern[str]) -> str | None:
    """Return 「把薯片给我，把饼干给简」 for 「薯片和饼干都要，薯片给我，饼干给简」."""
    found = form.fullmatch(_TAIL.sub("", said))
    if found is None or found["a"] == found["b"]:
        return None
    orders = []
    for part in found["given"].split("，"):
        thing = found["a"] if part.startswith(found["a"]) else found["b"]
        count = (found["one"] if thing == found["a"] else found["two"]) or ""
        orders.append(f"把{count}{part}")
    return "，".join(orders)


def _afterwards(said: str, form: re.Pattern[str]) -> str | None:
    """Return 「给我拿两罐可乐」 for 「给我拿可乐，要两罐」."""
    found = form.fullmatch(said)
    if found is None or _COUNTED.search(found["before"]) or re.search(r"[，]", found["before"]):
        return None
    if found["old"] and found["old"] != found["measure"]:
        return None
    source = re.fullmatch(r"就(.{1,8}?)(?:那种|的|那个|里的|上的)，", found["more"] or "")
    where = f"{source[1]}的" if source is not None else ""
    if where and not re.search(r"[上里]的$", where):
        where = where.replace("的", "上的") if where.endswith("的") else where
    before = re.sub(r"(?<=[给把])$", "", found["before"])
    return f"{before}{found['count']}{found['measure']}{where}{found['what']}{found['after']}"
