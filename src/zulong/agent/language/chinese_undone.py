"""What a Chinese sentence orders and no clause does: half of an order is better asked about than done.

「草莓给帕里斯尝尝，跟她说是我买的」 is not done by the message alone, 「五分钟后再去」 not by waiting, and
「除了书房，每个屋都转转」 not by a round that stops in the study.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from zulong.agent.language.chinese_named import Names
from zulong.agent.language.meaning import CARRYING, Clause

_NUMERALS = {"两": 2, "俩": 2, "三": 3, "仨": 3, "四": 4, "五": 5, "六": 6}
_BROUGHT = re.compile(
    r"(?<![没别不谁])(?:拿|带|送|递|端|捎)(?:过来|给我|回来(?!了))(?!的)[^，。过了]{0,3}(?=[，。！]|$)"
)
_TASTED = re.compile(
    r"(?:^|[，。])(?P<what>[^，。给]{1,6})给(?!我)[^，。]{1,6}(?:尝尝|吃|喝|用|拿去|送去|送过去)(?=[，。！]|$)"
)
_SET_DOWN = re.compile(
    r"(?:^|[，。])(?:把|将)?(?P<what>[^，。把在要想拿]{1,8})(?:放|搁|摆)(?!着|的|了|好)(?:在|到|进|回)?(?P<where>[^，。的了]{1,6})(?=[，。！]|$)"
)
_LATER = re.compile(r"(?:分钟|小时|秒钟?|会儿)(?:之|以)?后再(?:去|来|走|过去|过来)(?=[，。！吧]|$)")
_EXCEPTED = re.compile(r"除(?!非)了?(?P<what>[^，。]{1,8}?)(?:之外|以外|外)?[，、](?!.{0,3}(?:还|也))")
_ALL_OF_THEM = re.compile(
    r"(?P<many>[两俩三仨四五六])(?:[个瓶罐杯盒根只块份]|(?=都))都|都?[^，。]{0,2}(?:这|那)(?P<these>[两俩三仨四五六])[个瓶罐杯盒根只块份]"
)
_ONE_OF_MANY = re.compile(
    r"有[两俩三四五六\d][个瓶罐杯盒根只块份][^，。]{1,5}[，]?(?:的话)?[，]?就?(?:给我|帮我)?(?:拿|取|带|来)一[个瓶罐杯盒根只块份]"
)
_ONE_MORE = re.compile(r"^再(?:来|拿|要|送|端)一[个瓶罐杯盒根只块份]")


_HANGS = re.compile(
    r"(?:如果|要是(?!说)|假如|假使|倘若|万一|一旦|除非|前提是|(?<!不)只要(?=[^，。]{0,6}(?:[有没在]|[开关]着)))[^，。]{2,}|"
    r"[^，。要不]{1,8}(?<!好)(?<!我)的话(?!题|筒|剧|说)(?=[，。就去给把拿告]|$)|[^，。]{0,6}[有没]人(?:来|要|说话|答应|应门|应)?(?:的话)?就(?!是|行|好)|"
    r"(?:超过|多于|少于|不到|不足)[^，。]{1,6}，?就"
)
_COURTESY = re.compile(
    r"(?:如果|要是|假如)?(?:你)?(?:方便|可以|有空|不忙|有时间|没记错|我没记错|没猜错|不介意|不麻烦|行|能行|顺路|没事|能|"
    r"愿意|没问题)(?:的话)?"
)


_MOVED = re.compile(r"(?<![你自])(?:挪|搬|摆|收)(?:到|去|进|回)")
_ASKED_AND_DONE = re.compile(r"[了要想愿意是]就(?:给|把|拿|带|送|端|递|回|领)")
_SOMEBODY_WANTS = re.compile(r"是[他她](?:们)?(?:要|想要|点|需要)的")
_DENIED_WHOLE = re.compile(r"(?:你|请|千万|可|先|都|那)*(?:别|不要|不许|不准|甭)把[^，。！？,]+[。！]*")
_AND_NOT = re.compile(r"同时(?:又|也)?(?:不要|别|不能|不许)")


def _half_read(said: str, done: Sequence[Clause], carried: Sequence[Clause], names: Names) -> Iterator[str]:
    """Yield what is to be moved, done upon an answer or given to somebody, where the orders have no such part."""
    moved = _MOVED.search(said)
    things = [i for _, i in names.found(said[: moved.start()])] if moved is not None else []
    things = [i for i in things if i not in names.places | names.people]
    if moved is not None and things and all(clause.action in ("go", "wait") for clause in done):
        yield moved[0]
    for clause in done:
        upon = _ASKED_AND_DONE.search(clause.text) if clause.action == "ask" else None
        if upon is not None:
            yield upon[0]
    wanted = _SOMEBODY_WANTS.search(said)
    mine = [c for c in carried if c.recipient is None or c.recipient.pronoun == "me"]
    if wanted is not None and mine == list(done):
        yield wanted[0]
    if done and _DENIED_WHOLE.fullmatch(said):
        yield "别"
    against = _AND_NOT.search(said)
    if against is not None:
        yield against[0]


def undone(said: str, done: Sequence[Clause], spoken: str, names: Names) -> Iterator[str]:
    """Yield the words of the sentence that order what no clause does, or less or more than every clause does.

    Args:
        said: the plain sentence.
        done: the orders that were read out of it.
        spoken: the words that are said to somebody.
        names: the names of the map.
    """
    carried = [clause for clause in done if clause.action in CARRYING]
    yield from _nothing_carried(said, done, carried, spoken, names)
    yield from _never_set_down(said, carried, spoken, names)
    yield from _half_read(said, done, carried, names)
    if _LATER.search(said) and all(clause.action == "wait" for clause in done):
        yield _LATER.findall(said)[0]
    yield from _excepted(said, done, names)
    yield from _otherwise_many(said, carried)
    yield from _hangs_on_nothing(said, done, spoken)


def _nothing_carried(
    said: str, done: Sequence[Clause], carried: Sequence[Clause], spoken: str, names: Names
) -> Iterator[str]:
    """Yield 「找着了拿给我」 where nothing is carried."""
    if carried or any(clause.condition is not None or clause.action in ("guide", "ask") for clause in done):
        return
    for match in _BROUGHT.finditer(said):
        if match.group() not in spoken:
            yield match.group()
    for match in _TASTED.finditer(said):
        if match.group().strip("，。") not in spoken and names.found(match["what"]):
            yield match.group().strip("，。")


def _never_set_down(said: str, carried: Sequence[Clause], spoken: str, names: Names) -> Iterator[str]:
    """Yield 「汤罐头放餐桌」 where the thing would be brought to the speaker only."""
    if not carried or any(clause.action == "put" or clause.goal is not None for clause in carried):
        return
    for match in _SET_DOWN.finditer(said):
        there = any(thing in names.places for _, thing in names.found(match["where"]))
        if there and names.found(match["what"]) and match.group().strip("，。") not in spoken:
            yield match.group().strip("，。")


def _excepted(said: str, done: Sequence[Clause], names: Names) -> Iterator[str]:
    """Yield the room that was to be left out of a round and is gone to."""
    gone = {
        id for clause in done if clause.action == "go" and clause.goal is not None for id in clause.goal.ids
    }
    for match in _EXCEPTED.finditer(said):
        if any(thing in gone for _, thing in names.found(match["what"])):
            yield match.group().strip("，、")


def _otherwise_many(said: str, carried: Sequence[Clause]) -> Iterator[str]:
    """Yield the number of things of which fewer, or more, would be carried: 「三个都给简」, 「有三个就拿一个」."""
    total = sum(max(clause.repeat, int((clause.theme and clause.theme.number) or 1)) for clause in carried)
    if not carried:
        return
    for match in _ALL_OF_THEM.finditer(said):
        if total < _NUMERALS[match["many"] or match["these"]] and not any(
            clause.theme is not None and (clause.theme.plural or len(clause.theme.ids) > 1)
            for clause in carried
        ):
            yield match.group()
    for pattern in (_ONE_OF_MANY, _ONE_MORE):
        one = pattern.search(said)
        if one is not None and total > 1:
            yield one.group()


def _hangs_on_nothing(said: str, done: Sequence[Clause], spoken: str) -> Iterator[str]:
    """Yield the condition of a sentence where every order of it would be done at once."""
    if any(clause.condition is not None or clause.repeat > 1 for clause in done):
        return
    for match in _HANGS.finditer(_COURTESY.sub("", said)):
        words = match.group().strip("，")
        if words not in spoken and words.rstrip("的话") not in spoken:
            yield words
