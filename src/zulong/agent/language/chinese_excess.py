"""Orders read out of a Chinese sentence that are more, fewer or other than were said.

A thing that was named once is carried once, somebody who was named once gets what stands by the name, what the speaker
wants for himself is not forgotten over somebody else, and who is asked for a thing is not its receiver.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence

from zulong.agent.language.meaning import CARRYING, Clause, Referent

_AGAIN = re.compile(
    r"再|又|也(?:要|想|来|一样|是|同样|给)|还|另|各|都|每|一人|一.{0,8}一|分别|先后|轮流|依次|两|俩|[三四五六七八九十]|\d"
)
_CORRECTS = re.compile(r"我是说|我说的是|应该是|不对|错了|改成|换成")
_OTHERWISE = re.compile(
    r"[，,](?:他|她|那里|那儿)?(?:来|要|去|想|肯|愿意|同意|不在|不吃|不喝|不要|不想|没有|没空|没人|不行|不来)(?:的话)?就"
)
_MINE = re.compile(
    r"(?:^|[，。])我(?:也|还|就|自己)?(?:想要|想喝|想吃|要喝|要吃|喝|吃|要)(?P<what>[^，。]{1,6})"
)
_FROM_HIM = r"去[^，。]{1,4}(?:那儿|那里|那边)(?:拿|取|要)[^，。]*"
# Words that make another thing of a carried object.
_OTHER_DEEDS = tuple(
    re.compile(pattern)
    for pattern in (
        r"(?:向|管|(?<!请)问)[^，。]{1,6}?(?:拿|(?<![需想还谁不])要(?!不要|什么|啥|几|哪|多少|不|[^，。]{0,6}[吗么]$)|取|借|讨)(?=[^，。])",
        r"(?:找|跟)[^，。给都]{1,3}(?:那儿|那里)?(?:要|借|讨)(?!是|不)[^，。]*",
        _FROM_HIM,
        r"第[二三四五六七八九十\d]+(?:大|小|重|轻|个|瓶|只|排|层)?",
        r"(?:^|[，。你给我把先])(?:放|撂|搁)下(?=[^，。来去了吧])[^，。]{1,6}",
        r"给我把?[^，。]{1,8}(?:放|撂|搁)下(?:了|吧)?$",
        r"看(?:好|住|紧|着点)(?!了)[^，。]*",
        r"找(?!出|回)[^，。不到出回]{1,4}(?:过)?来$",
        r"(?:拿|带|送|端)[^，。]{1,8}(?:到|去)[^，。]{1,5}找[^，。]{1,4}$",
        r"那谁",
        r"(?:^|[，。]|你)(?:还)?(?:想|要)(?:吃|喝|要)?(?!.*(?:可以|能|行|好|成|帮))[^，。]{1,5}吗$",
        r"我要的是[^，]{1,8}你[^，]*",
        r"别给[^我，]{1,4}[^，]{1,5}，给(?!我|他|她)[^，]{1,4}$",
        r"够(?:不够)?[^，。]{0,4}吗$|我需要[^，。]*吗$|真行(?=[啊呀])|又把",
    )
)
_ANOTHER_THERE = re.compile(r"，(?:另外?)?[一两三][个瓶罐盒根杯只](?:送|拿|放)?(?:到|去|在)[^，。]*")
_ANY_OF_THEM = re.compile(r"随便|任意|任选|挑")
_STACKED = r"(?:在|到|进){0}(?:上|里|中)"
_BESIDE = r"{0}的?(?:旁边|旁|后面|前面|左边|右边|下面|边上)的"
_NOT_YET = re.compile(
    r"(?<!来)[，,](?:但|可|不过)?(?:不是现在|现在先?不|先不(?:急|用)?|先别)(?!着急|急)[^，。]{0,6}$"
)
_FETCHED_BACK = re.compile(r"(?:再|然后)(?:把|送|带|领)[^，。]{1,4}(?:送|带|领)?(?:回来|回去)")
_ASKS_WHERE = re.compile(
    r"(?:替|代|帮)(?!我|忙)[^，。我]{1,4}去?问(?!好|候)|打听(?:一下|打听)?[^，。]{1,4}(?:在哪|去哪|上哪|跑哪)"
)


def excess(said: str, done: Sequence[Clause]) -> Iterator[str]:
    """Yield the words that speak against the orders.

    Args:
        said: the sentence.
        done: what is to be done; nothing that is denied.
    """
    carried = [clause for clause in done if clause.action in CARRYING]
    if not carried:
        yield from (match.group().strip("，。") for match in _GIVEN_HIM.finditer(said))
    yield from _twice(said, carried)
    yield from _shared_wrongly(said, carried)
    yield from _too_few(said, carried)
    yield from _needy(said, carried)
    if any(c.recipient is not None and c.recipient.pronoun == "me" for c in carried) and "我" not in said:
        yield from (match.group() for match in _ALSO_FOR.finditer(said))
    yield from _other_share(said, carried)
    yield from _forgotten(said, done)
    if carried or any(clause.action == "find" for clause in done):
        for pattern in _OTHER_DEEDS:
            against = (match.group().strip("，。") for match in pattern.finditer(said))
            yield from (
                word for word in against if not (pattern.pattern == _FROM_HIM and _at_a_place(word, done))
            )
    if any(clause.action == "go" for clause in done):
        yield from (match.group().strip("，") for match in _ANOTHER_THERE.finditer(said))
    if any(clause.action == "ask" for clause in done):
        yield from (match.group() for match in _ASKS_WHERE.finditer(said))
    if any(clause.action == "guide" for clause in done):
        guided = sum(clause.action == "guide" for clause in done)
        yield from (match.group() for match in _FETCHED_BACK.finditer(said) if guided == 1)
    spoken = "".join(clause.text for clause in done)
    yield from (
        words for match in _NOT_YET.finditer(said) if (words := match.group().strip("，,")) not in spoken
    )
    if all(clause.condition is None for clause in done):
        yield from (match.group().strip("，,") for match in _OTHERWISE.finditer(said))


def _at_a_place(words: str, done: Sequence[Clause]) -> bool:
    """Tell whether 「去……那儿拿」 names a place of the orders and no person."""
    places = [r for clause in done for r in clause.referents() if r.kind == "place" and r.ids]
    places += [r.at for clause in done for r in clause.referents() if r.at is not None and r.at.ids]
    return any(
        re.match(rf"去{re.escape(re.sub('(?:那儿|那里|那边)$', '', place.text))}", words) for place in places
    )


def _twice(said: str, carried: Sequence[Clause]) -> Iterator[str]:
    """Yield a thing that was named once and would be carried twice, or carried on after it was handed over."""
    for before, clause in itertools.pairwise(carried):
        one, other = before.theme, clause.theme
        if _same_again(before, clause) and not re.search(r"再|又|还|另", said):
            yield (other.text if other is not None else "") or clause.verb
        if one is None or not one.text or before.condition != clause.condition:
            continue
        same = (
            other is None
            or other.pronoun == "it"
            or (bool(one.name) and (one.name, one.colour) == (other.name, other.colour))
        )
        ends = before.recipient is not None or (before.goal is not None and before.action != "take")
        mine = before.recipient is not None and before.recipient.pronoun == "me"
        named_once = not one.name or said.count(one.text) <= 1
        too = (
            "也" in said
            and before.recipient is not None
            and clause.recipient is not None
            and (before.recipient.name != clause.recipient.name)
        )
        if same and ends and named_once and not mine and not too and not _AGAIN.search(said):
            yield one.text
    texts = [c.theme.text for c in carried if c.theme is not None and c.theme.text]
    for text in set(texts[1:]) if len(set(texts)) > 1 else ():
        stacked = re.search(_STACKED.format(re.escape(text)), said)
        if stacked is not None:
            yield stacked.group()
    for text in set(texts[:1]) if len(set(texts)) > 1 else ():
        beside = re.search(_BESIDE.format(re.escape(text)), said)
        if beside is not None:
            yield beside.group()
    if len(set(texts)) > 1 and (any_of := _ANY_OF_THEM.search(said)) is not None:
        yield any_of.group()
    if len(carried) > 1 and len({_end(c) for c in carried}) > 1:
        # 「把饮料都给我，牛奶给简」
        yield from (c.theme.text for c in carried if c.theme is not None and c.theme.number == -1)
    yield from _corrected(said, carried)


def _too_few(said: str, carried: Sequence[Clause]) -> Iterator[str]:
    """Yield how many were wanted of a thing of which fewer would be carried."""
    if _TAKEN_BACK.search(said):
        return
    brought: dict[str, int] = {}
    for clause in carried:
        theme = clause.theme
        if theme is not None and theme.name:
            named = re.sub(r"[一两三四五六\d][个瓶罐盒根杯只把块颗份条包]$", "", theme.text) or theme.text
            name = re.sub(r"^.*[个瓶罐盒根杯只把块颗份条包的]", "", named) or named
            brought[name] = brought.get(name, 0) + max(theme.number or 1, 1) * max(clause.repeat, 1)
    for name, number in brought.items():
        for match in re.finditer(rf"([两俩三仨四五六])[个瓶罐盒根杯只把块颗份包条]?{re.escape(name)}", said):
            if number < _MANY[match.group(1)]:
                yield match.group()


def _other_share(said: str, carried: Sequence[Clause]) -> Iterator[str]:
    """Yield how many somebody is to get when he would get another number: 「三个苹果，给简一个」."""
    for match in _SHARE.finditer(said):
        number = {"一": 1, **_MANY}[match["before"] or match["after"]]
        brought = sum(
            (c.theme.number or 1) * max(c.repeat, 1)
            for c in carried
            if c.theme is not None
            and c.recipient is not None
            and c.recipient.text
            and c.recipient.text in match.group()
        )
        if brought and brought != number:
            yield match.group()


_SHARE = re.compile(
    r"(?P<before>[一两三仨四五六])[个瓶罐盒根杯只把块颗份条包]给[^，。我]{1,5}(?=[，。]|$)|"
    r"给[^，。我]{1,5}?(?P<after>[一两三仨四五六])[个瓶罐盒根杯只把块颗份条包](?=[，。吧]|$)"
)


_GIVEN_HIM = re.compile(
    r"[，。]给[他她](?:拿|送|端|递|带)?(?![^，。]*(?:问|说|讲|打|介绍|带路|道))[^，。]{2,6}(?=$|[，。！])"
)


_ALSO_FOR = re.compile(r"给(?!我|咱|俺)[^，。我]{1,5}(?:也|再)来[一两三]?[个瓶罐盒根杯只把块份包]")


def _needy(said: str, carried: Sequence[Clause]) -> Iterator[str]:
    """Yield who is told to be in need where the speaker would get it, and said nothing of himself."""
    mine = [c for c in carried if c.recipient is not None and c.recipient.pronoun == "me"]
    if not mine or len(mine) != len(carried) or _TO_SPEAKER.search(said):
        return
    yield from (match.group().strip("，。") for match in _IN_NEED.finditer(said))


_TO_SPEAKER = re.compile(
    r"我|过来|拿来|送来|端来|递来|取来|带来|回来|咱|俺|来[一点个瓶杯罐盒]|来(?=$|[，。吧呗])"
)
_IN_NEED = re.compile(
    r"(?:^|[，。])(?!肚子|嗓子|嘴|人|今天|天|实在|真|都|又|有点|好|快|现在|这会儿)[^，。]{1,8}?(?:他|她|说)*(?:口渴|渴|饿|饿了|渴了|饿坏|渴坏)(?:了|坏了|死了|得慌)?(?=[，。])"
)
_MANY = {"两": 2, "俩": 2, "三": 3, "仨": 3, "四": 4, "五": 5, "六": 6}
_TAKEN_BACK = re.compile(r"不对|不是|错了|[，…](?:啊|哦|噢|呃)?不[，…]|改成|就行|就够|算了")


def _same_again(before: Clause, clause: Clause) -> bool:
    """Tell whether the same person would get what has no name of its own right after he got something."""
    who, again, what = before.recipient, clause.recipient, clause.theme
    unnamed = what is None or (what.kind == "object" and not (what.name or what.category or what.colour))
    return (
        who is not None
        and again is not None
        and (who.name or who.pronoun) == (again.name or again.pronoun) != ""
        and unnamed
    )


def _end(clause: Clause) -> tuple[str, str]:
    who, goal = clause.recipient, clause.goal
    return (who.name or who.pronoun if who else "", goal.name or goal.pronoun if goal else "")


def _corrected(said: str, carried: Sequence[Clause]) -> Iterator[str]:
    """Yield a correction behind which stands what would be carried before it."""
    corrects = _CORRECTS.search(said, 1)
    texts = [c.theme.text for c in carried if c.theme is not None and c.theme.name]
    if corrects is not None and len(set(texts)) > 1:
        before_it = any(text in said[: corrects.start()] for text in texts)
        if before_it and any(text in said[corrects.end() :] for text in texts):
            yield corrects.group()
    elif texts and corrects is not None and corrects.group().startswith("我"):
        named = re.match(
            r"[，,]?(?![给放去到红蓝绿黄黑白大小])[^，。]{1,6}(?=[，。]|$)", said[corrects.end() :]
        )
        if named is not None and not any(text in said[corrects.end() :] for text in texts):
            yield corrects.group()


def _shared_wrongly(said: str, carried: Sequence[Clause]) -> Iterator[str]:
    """Yield who was named once and would get things that stand on both sides of another name."""
    got: dict[str, list[Referent]] = {}
    for clause in carried:
        if clause.recipient is not None and clause.recipient.name and clause.theme is not None:
            got.setdefault(clause.recipient.text, []).append(clause.theme)
    for who, things in got.items():
        places = [said.find(thing.text) for thing in things if thing.name and said.find(thing.text) >= 0]
        here = said.find(who)
        if len(set(places)) < 2 or here < 0 or said.count(who) != 1:
            continue
        others = [said.find(name) for name in got if name != who]
        first, last = min(places), max(places)
        if first < here < last or any(first < other < last for other in others):
            yield who


def _forgotten(said: str, done: Sequence[Clause]) -> Iterator[str]:
    """Yield what the speaker wants where only others would get something."""
    carried = [clause for clause in done if clause.action == "bring" and clause.recipient is not None]
    if not carried or any(c.recipient is not None and c.recipient.pronoun == "me" for c in carried):
        return
    for match in _MINE.finditer(said):
        wanted = match["what"]
        if any(c.theme is not None and c.theme.text and c.theme.text[-2:] in wanted for c in carried) or (
            _THING_LIKE.search(wanted)
        ):
            yield match.group().strip("，。")


_THING_LIKE = re.compile(r"(?:奶|汁|茶|乐|啡|果|梨|桃|蕉|子|片|干|酒|汤|冻|糖|冰)$")
