"""What a plan overlooks of a Chinese sentence: conditions, counts, places, questions, things not to be forgotten.

「开着就去出口」 is not done at once, of 「两个苹果」 not three are shared out, and 「她人在厨房」 says where to look.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from zulong.agent.language.chinese_named import CORRECTED, Names, ids_of
from zulong.agent.language.meaning import CARRYING, Clause


def oversights(said: str, done: Sequence[Clause], spoken: str, names: Names) -> Iterator[str]:
    """Yield the words of the sentence that the orders pass by.

    Args:
        said: the plain sentence.
        done: the orders that were read out of it.
        spoken: the words that are said to somebody.
        names: the names of the map.
    """
    yield from _at_once(said, done, spoken)
    yield from _too_many(said, done)
    yield from _forgotten(said, done, names)
    yield from _run_out(said, done)
    yield from _unanswered(said, done, spoken)
    yield from _cannot_be_seen(said, done)
    yield from _for_another(said, done, names)
    yield from _elsewhere(said, done, spoken, names)


_HANGS = re.compile(
    r"(?:^|[，。？?；;、])(?:要是|如果|若是|要|门|他|她|人|那儿|那里)?(?:是)?(?:还|都|已经|真|正好)?"
    r"(?:开着|关着|没开|没关|锁着|空着|没空|在|不在|有|没有|没人|有人|睡着|睡了|没睡|醒着|醒了|够|不够|要|不要|想|不想|想要|想喝|想吃|愿意|不愿意|同意|不同意|答应|没答应|闲着|没事)"
    r"(?:的话|呢|了)?[，]?(?:你|那|那你|咱)?就(?:先|直接|赶紧|帮我|给我|再)?(?=[去拿给把送放带告问回等跟找来端取])[^，。]*"
)


def _at_once(said: str, done: Sequence[Clause], spoken: str) -> Iterator[str]:
    """Yield what hangs on something and would be done at once: 「开着就去出口」."""
    if any(clause.condition is not None for clause in done):
        return
    for match in _HANGS.finditer(said):
        words = match.group().strip("，。？?；;、")
        if words not in spoken:
            yield words


_SO_MANY = re.compile(
    r"(?P<many>[两俩二三仨四五六])[个瓶罐杯盒根只块份包颗]?(?P<what>[^，。一给两三四五]{1,6}?)(?=[，,给]|一[个瓶罐杯盒根只块份包颗])"
)
_NUMERALS = {"两": 2, "俩": 2, "二": 2, "三": 3, "仨": 3, "四": 4, "五": 5, "六": 6}


def _too_many(said: str, done: Sequence[Clause]) -> Iterator[str]:
    """Yield how many things there are of which more would be carried: 「两个苹果，给简一个，给罗宾一个」."""
    carried = [c for c in done if c.action in CARRYING and c.theme is not None and c.theme.kind == "object"]
    people = {(c.recipient.name, c.recipient.text) for c in carried if c.recipient is not None}
    if len(people) < _SEVERAL or re.search(r"各|每|一人|都|另外|再", said):
        return
    for match in _SO_MANY.finditer(said):
        same = [
            c
            for c in carried
            if c.theme is not None and c.theme.text and c.theme.text.endswith(match["what"])
        ]
        total = sum(int(c.theme.number or 1) for c in same if c.theme is not None)
        if total > _NUMERALS[match["many"]]:
            yield match.group().strip("，,")


_NOT_TO_FORGET = re.compile(
    r"(?:别忘了?|不要忘了?|可别忘了?|别落下|记得带上?|带上)(?!告诉|通知|去|把|给|拿)[^，。]{1,6}"
)


def _forgotten(said: str, done: Sequence[Clause], names: Names) -> Iterator[str]:
    """Yield what was not to be forgotten and would be: 「给简送咖啡，别忘了糖」."""
    if not any(c.action in CARRYING for c in done):
        return
    served, spoken = ids_of(done), "".join(c.text for c in done)
    for match in _NOT_TO_FORGET.finditer(said):
        if match.group() not in spoken and any(
            thing not in served for _, thing in names.found(match.group())
        ):
            yield match.group()


_RAN_OUT = re.compile(
    r"(?:没有?|用完|喝完|吃完|喝光|吃光)(?P<what>[^，。了]{1,4}?)了|(?P<that>[^，。没]{1,4}?)(?:没有?|用完|喝完|吃完|喝光|吃光)了"
)


def _run_out(said: str, done: Sequence[Clause]) -> Iterator[str]:
    """Yield what there is none of any more and would be carried beside another thing."""
    carried = [c.theme for c in done if c.action in CARRYING and c.theme is not None and c.theme.name]
    if len({theme.name for theme in carried}) < _SEVERAL:
        return
    for match in _RAN_OUT.finditer(said):
        words = match["what"] or match["that"]
        if any(theme.text and theme.text[-1] in words for theme in carried):
            yield match.group()


_EVERYBODY = re.compile(r"(?:大家|所有人|全家人?|每个人|人)(?:都|全)(?:已经)?(?:在|到|来)")
_ALL_COME = re.compile(
    r"(?:人|大家|他们)?(?:都)?(?:到|来)齐了?(?:以后|之后|后)?[，]?(?:你|就|再)|(?P<which>谁|哪[儿里个间边种]|几[个瓶罐盒])[^，。？?]{1,8}就[^，。]{0,8}(?P=which)"
)
_ONE_MORE = re.compile(r"(?<=[，,])[^，。去拿给告回]{1,8}(?:也|都)(?:没有?|有|不在|在)了?(?=[，,])")
_ANY_OF_THEM = re.compile(r"随便什么[^，。]{1,6}都(?:行|可以|好|成)")
_TELLS_NOTHING = re.compile(
    r"(?:告诉|通知|转告|跟|和|对)(?:他|她|人家)(?:们)?(?:说|讲)?(?:一声|一下)?(?=[。！]*$)"
)


def _cannot_be_seen(said: str, done: Sequence[Clause]) -> Iterator[str]:
    """Yield 「大家都在」, which cannot be looked at, and 「有人就告诉他」, which leaves open what he is told."""
    yield from (match.group() for match in _ALL_COME.finditer(said))
    if not any(clause.condition is not None for clause in done):
        return
    for pattern in (_EVERYBODY, _TELLS_NOTHING, _ONE_MORE, _ANY_OF_THEM):
        yield from (match.group() for match in pattern.finditer(said))


_SEVERAL = 2
_ASKS = re.compile(
    r"(?:^|[，。？?；;])[^，。？?；;]*(?:在不在|在没在|有没有|是不是|多少|几[个位瓶只件样]|什么|哪[儿里个只些瓶种]|谁)[^，。？?；;]*(?=[，。？?；;]|$)"
)
_NO_QUESTION_AT_ALL = re.compile(
    r"什么[^，。]{0,3}(?:都|也)|谁(?:都|也)|哪(?:儿|里|个)?(?:都|也)|没什么|不知(?:道)?|没有什么|什么的|有什么(?:事|需要)|干什么用|怎么|(?:说|讲|想|做|看|读|走)到哪|随便|几[个位瓶只件样](?:都|吧)|那什么|不管|无论|"
    r"没你(?:什么|啥)|(?:去|上|走|到)(?:哪儿?|哪里)[^，]{0,6}(?:去|上|跟|走)[^，]{0,3}(?:哪儿?|哪里)|"
    r"谁(?:给|又)?(?:扔|丢|忘|搁|摆|撂|喝剩|用剩|买|弄|拿|留)|像什么(?:样|话)|是不是(?:该|可以)|可不可以|像话|谁(?:把|让|叫|放|落|吃剩|的)|谁[^，。]{0,4}(?:的|了)$|算什么|为什么|什么时候"
)


_IS_IT_THERE = re.compile(r"有没有|在哪儿?里?$|在哪(?:里|儿)?[呢啊了]*$|有吗")


def _unanswered(said: str, done: Sequence[Clause], spoken: str) -> Iterator[str]:
    """Yield a question beside orders none of which finds anything out."""
    if any(
        c.asked
        or c.topic
        or c.condition is not None
        or c.action in ("count", "describe", "ask", "tell", "find", "answer", "guide")
        for c in done
    ):
        return
    for match in _ASKS.finditer(said):
        words = match.group().strip("，。？?；; ")
        if _IS_IT_THERE.search(words) and any(
            c.action in CARRYING and c.theme is not None and c.theme.text[-2:] in words for c in done
        ):
            # 「冰红茶有没有？来一瓶」: who orders it wants no answer.
            continue
        if words not in spoken and _NO_QUESTION_AT_ALL.search(words) is None:
            yield words


_OWN = re.compile(r"我|咱|俺|过来|[拿送端递取带捎]来|回来|来(?=$|[，。吧呗一点个瓶杯罐盒])")


def _for_another(said: str, done: Sequence[Clause], names: Names) -> Iterator[str]:
    """Yield what is told of somebody when only the speaker, who said nothing of himself, would get something."""
    carried = [c for c in done if c.action in CARRYING]
    mine = [c for c in carried if c.recipient is not None and c.recipient.pronoun == "me"]
    if not mine or len(mine) != len(done) or _OWN.search(said):
        return
    for part in re.split(r"[，。；！？]", said):
        person = names.pattern.match(part)
        if (
            person is not None
            and names.ids[person.group()] in names.people
            and len(part) > len(person.group()) + 1
        ):
            yield part


def _elsewhere(said: str, done: Sequence[Clause], spoken: str, names: Names) -> Iterator[str]:
    """Yield the place where a thing is told to be, when it would be looked for anywhere."""
    if not any(c.action in CARRYING for c in done) or CORRECTED.search(said):
        return
    served = ids_of(done)
    for part in re.split(r"[，。；！？,.;!?]", said):
        has = _HAS_THERE.fullmatch(part)
        if (
            has is not None
            and part not in spoken
            and any(
                c.action in CARRYING and c.theme is not None and c.theme.text[-2:] in has["what"]
                for c in done
            )
        ):
            yield from (
                part
                for _, thing in names.found(has["where"])
                if thing in names.places and thing not in served
            )
        told = _LIES_THERE.search(part)
        found = names.found(part)
        if (
            len(found) == _SEVERAL
            and _PUT_THERE.search(part)
            and not re.search("[不别没]", part)
            and part not in spoken
        ):
            # 「我孙子把骰子扔沙发上了，帮我收回书架」
            (_, thing), (_, place) = found
            if place in names.places and place not in served and thing in served:
                yield part
        if told is None or len(found) != 1 or part in spoken:
            continue
        name, thing = found[0]
        only = _MAYBE.sub("", part[: told.start()]).removeprefix("在") == name
        if only and thing in names.places and thing not in served:
            yield part


_HAS_THERE = re.compile(r"(?P<where>[^有没]{2,8})有(?!没有)(?P<what>[^有没吗]{2,9})")
_PUT_THERE = re.compile(r"(?:扔|放|落|忘|丢|掉|搁|滚|留|摆)(?:在|到|进)?[^，。]{1,6}(?:里|上|那儿|那边)?了$")
_MAYBE = re.compile(r"^(?:应该|好像|可能|估计|大概|就|都|还)*")
_LIES_THERE = re.compile(
    r"(?:里面|里头|里边|上面|上头|那儿|那边|里|上)?(?:就|应该|好像|可能|还|正|都)*(?:有|放着|搁着|摆着|躺着|存着|收着|冰着|镇着|多的是)(?:呢|吧|的|啊|来着|哦)*$"
)
