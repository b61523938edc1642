"""What the course of a Chinese sentence hangs on: 「浴室空着的话」, 「有就……，没有就……」, 「柜子里红酒只要还有」.

Every way of saying it comes to a statement about who or what is where, or about the door, and each is put in the one
way that the grammar reads: 「如果浴室没有人」.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from zulong.agent.language.chinese_flow_words import any_of, places, rooms_and_seats
from zulong.agent.language.chinese_told import one_person, one_thing
from zulong.agent.language.lexicon import Vocabulary
from zulong.agent.language.tokens import chinese_number

_COUNTED = re.compile(
    r"^(?:一|两|几)?(?:个|瓶|罐|杯|盒|包|根|块|把|份|袋|颗|点儿?|些|任何|什么|啥|多余的|剩下的|剩的|的)*(?=.)"
)
_N = r"(?P<n>[一二两三四五六七八九十俩仨\d]+)"
_M = r"(?P<m>[个位名口瓶罐盒杯包根块把份袋颗只件本条张片双样])?"
_MORE, _LEAST, _LESS = (
    "超过|多于|大于|不止|多过|高于|不光",
    "至少|起码|最少|不少于|不低于|少说",
    "不到|少于|不足|不满|低于|没到|小于|没有",
)
_BOUND = rf"(?P<bound>{_MORE}|{_LEAST}|{_LESS})(?:有|了|过)?"
_POSE = r"(?P<pose>招着?手|挥着?手|举着?手|躺着|坐着|站着|睡着|睡觉|趴着|躺|坐|站|蹲着)"
_GONE = r"(?:(?:被)?(?:喝|吃|用|拿|倒|卖|洗)(?:完|光|没|走)(?:了)?|没了|没有了|空了|光了)"
_SIGHT = "看到|看见|瞧见|瞅见|见到|见着|找到|找着|发现|碰到|碰见|遇到|遇见"
_NOT_SEEN = rf"(?:没有?|不|未)(?:{_SIGHT}|见)|(?:看|找|见|瞧|瞅)不(?:到|见|着)"
_SEEN = rf"(?:能|可以|还)?(?:{_SIGHT}|撞见|(?:看|找|见|瞧)得(?:到|见|着))"
_ASKS = re.compile(r"(?:吗|么|没有|没|不|否|呢|嘛|没得)$")
_LOOK = re.compile(
    r"^(?:你|您|先|请|麻烦|帮我|给我|去|过去|到|快|再|然后|替我)*(?:看(?=[^，看]{2,14}(?:没有?|吗|不)$)|看看|看一看|看一下|看一眼|看下|瞧瞧|瞧一眼|瞅瞅|瞅一眼|检查一下|检查|确认一下|确认|查一下|查查|数数|瞧一下|瞅一下|望一眼|瞄一眼)[，：]?"
)
_EITHER_WAY = (
    ("有没有", "有"), ("有无", "有"), ("是不是有", "有"), ("是否有", "有"), ("在不在", "在"), ("是不是在", "在"),
    ("在没在", "在"), ("开没开着", "开着"), ("开没开", "开着"), ("关没关", "关着"), ("是不是", ""), ("是否", ""),
    ("空不空", "空着"),
)  # fmt: skip
_DOOR = r"(?:大门|房门|屋门|门)"
_OPEN = "(?:开着|敞着|敞开着|没关上?|没关好|没锁|虚掩着|开着门|是开着的|是开的|开着的|大开着)"
_SHUT = "(?:关着|锁着|锁了|关了|关上了|没开|没有开|关上|关好了|是关着的|关着的|闭着|紧闭着)"


@dataclass(slots=True, frozen=True)
class Hangs:
    """A statement that orders hang on.

    Attributes:
        subject: 「人」, a thing, a person, 「门」, or 「电」 for what is said of the battery.
        place: where; "" when it was not said.
        negated: it must not be so; for the door: it must be closed.
        words: the statement as it is put when it is none of these.
        person: the subject is somebody who is called by name or described.
        posture: how that person is found: 「躺着」; "" when it was not said.
        least: at least so many are there; negated: fewer.
        measure: the word that they are counted with.
    """

    subject: str
    place: str = ""
    negated: bool = False
    words: str = ""
    person: bool = False
    posture: str = ""
    least: int = 0
    measure: str = ""

    def plain(self) -> str:
        """Return the condition in plain words."""
        if self.words:
            return f"如果{self.words}"
        if self.subject == "门":
            where = f"{self.place}的" if self.place else ""
            return f"如果{where}门{'关着' if self.negated else '开着'}"
        if self.posture:
            return f"如果{self.subject}{'没' if self.negated else ''}在{self.place}{self.posture}"
        if self.person:
            return f"如果{self.subject}{'不' if self.negated else ''}在{self.place}"
        if self.subject == "人" and not self.least:
            return f"如果{self.place}{'没' if self.negated else '有'}人"
        if self.least > 1:
            bound = f"不到{_numeral(self.least)}" if self.negated else f"超过{_numeral(self.least - 1)}"
            return f"如果{self.place}{side(self.place)}{bound}{self.measure or '个'}{self.subject}"
        return f"如果{self.place}{side(self.place)}{'没有' if self.negated else '有'}{self.subject}"

    def opposite(self) -> Hangs:
        """Return the statement that the other holds."""
        return replace(self, negated=not self.negated)


class ConditionReader:
    """Reads what orders hang on.

    Args:
        vocabulary: knows the names.
    """

    def __init__(self, vocabulary: Vocabulary) -> None:
        self._vocabulary = vocabulary
        place = rf"(?P<place>{places(vocabulary)})(?:的?{any_of('at')})?"
        now = rf"(?:{any_of('now')})*"
        end = r"(?:的|了|着|在|呢|啊|呀)*"
        self._nobody = re.compile(rf"{now}{place}(?:的)?{now}{any_of('nobody')}{end}")
        self._somebody = re.compile(rf"{now}{place}(?:的)?{now}{any_of('somebody')}{end}")
        self._has = re.compile(
            rf"{now}{place}(?:的)?{now}(?P<no>没有|没)?(?:有|还有|剩着?|剩有|剩下|放着|摆着|搁着)?(?P<what>[^，]{{1,10}}?){end}"
        )
        self._topic_has = re.compile(
            rf"{now}{place}的?(?P<what>[^，]{{1,10}}?){now}(?P<has>没有|没了|没|还有|有|剩着|剩|在|不在){end}"
        )
        self._is_at = re.compile(
            rf"{now}(?P<what>[^，]{{1,12}}?){now}(?P<no>不|没有|没)?(?:在{{1,2}}|放在|摆在|搁在){now}{place}(?:坐着|站着|躺着|待着|放着|搁着|摆着)?{end}"
        )
        there = places(vocabulary).replace("(?:", "(?P<there>", 1)
        self._found = re.compile(
            rf"{now}{any_of('found')}了?(?P<what>[^，]{{1,10}}?)(?:人)?在{place}{end}|"
            rf"{now}在{there}(?:的?{any_of('at')})?{any_of('found')}了?(?P<thing>[^，]{{1,10}}?){end}"
        )
        self._door = re.compile(
            rf"(?:{place}的?)?{_DOOR}{now}(?:(?P<open>{_OPEN})|(?P<shut>{_SHUT}))(?:的|了|着)*"
        )
        self._battery = re.compile(
            r"(?:你的?)?(?:电量|电|电池)(?:只剩|剩|剩下|掉到|降到|已经|要是)*(?:不足|不到|低于|少于|不够|小于|只有)?(?P<percent>百分之[一二三四五六七八九十]+|\d+%)(?:以下|了|以内)?"
        )
        self._low = re.compile(
            r"(?:你)?(?:快)?(?:没电|没电了|电不够|电不够了|电不足|电量不足|电量低|电快没了|快没电了|电不多了)"
        )
        self._if = re.compile(any_of("if"))
        self._room = re.compile(rooms_and_seats(vocabulary))
        self._there = tuple(
            (re.compile(pattern), form)
            for pattern, form in (
                # where it is said first or last, seen, used up, of which colour: one way to say each
                (rf"{now}(?P<who>有人|有谁|没人|没有人|没谁){now}在{place}{end}", "{place}里{who}"),
                (
                    rf"{now}在?{place}(?:里)?{now}(?:{_NOT_SEEN})(?P<what>[^，]{{1,10}}?){end}",
                    "{place}里没有{what}",
                ),
                (rf"{now}(?:{_NOT_SEEN})(?P<what>[^，]{{1,10}}?)在{place}{end}", "{place}里没有{what}"),
                (
                    rf"{now}在?{place}(?:里)?{now}{_SEEN}(?:了|有)?(?P<what>[^，]{{1,10}}?){end}",
                    "{place}里有{what}",
                ),
                (rf"(?:你)?{_SEEN}(?:了)?(?P<what>[^，]{{2,16}})", "{what}"),
                (
                    rf"{now}{place}的?(?P<what>[^，]{{1,8}}?)(?:都|全|已经)?{_GONE}{end}",
                    "{place}里没有{what}",
                ),
                (
                    rf"{now}{place}(?:里)?(?:连|就)?(?:一|半){_M}(?P<what>[^，]{{1,8}}?)(?:都|也)(?:没|不)(?:有|剩|在)?{end}",
                    "{place}里没有{what}",
                ),
                (
                    rf"{now}{place}的?(?P<what>[^，]{{1,8}}?)(?:一|半){_M}(?:都|也)(?:没|不)(?:有|剩|在)?{end}",
                    "{place}里没有{what}",
                ),
                (
                    rf"{now}{place}的?(?P<what>[^，都]{{1,6}}?)(?P<no>不)?是(?P<shade>[红蓝绿黄黑白橙灰棕紫粉])色?的{end}",
                    "{place}里{no}有{shade}色的{what}",
                ),
            )
        )
        counted = (
            rf"(?:剩下的?|剩的?|现有的?)?(?P<what>[^，]{{1,8}}?)(?:的)?(?:人数|数量|个数|数目|数)?{now}"
            rf"(?:只)?(?:有|剩|剩下)?(?:下)?"
        )
        self._amounts = tuple(
            re.compile(pattern)
            for pattern in (
                rf"{now}(?:{place}的?)?{now}(?:只)?(?:有|剩下?|坐着|待着|站着)?{_BOUND}{_N}{_M}(?:的)?(?P<what>[^，]{{1,8}}?){end}",
                rf"{now}(?:{place}的?)?{now}(?:有)?{_N}{_M}(?P<bound>及?以上|或以上|以下|及以下|多)(?:的)?(?P<what>[^，]{{1,8}}?){end}",
                rf"{now}(?:{place}的?)?{now}{counted}{_BOUND}{_N}{_M}{end}",
                rf"{now}(?:{place}的?)?{now}{counted}{_N}{_M}(?P<bound>及?以上|或以上|以下|及以下){end}",
                rf"{now}(?:{place}的?)?{now}连{_N}{_M}(?P<what>[^，]{{1,8}}?)都(?P<bound>不到|没有|没到){end}",
            )
        )
        somebody = r"(?P<some>有人|有个人|有一个人|有位|没人|没有人)"
        self._posed = tuple(
            re.compile(pattern)
            for pattern in (
                rf"{now}{place}{now}{somebody}(?:正|正在|在)?{_POSE}{end}",
                rf"{now}{somebody}(?:正|正在)?在{place}(?:正|正在)?{_POSE}{end}",
                rf"{now}{place}{now}(?P<some>有|没有|没)(?:个|一个|位|正|正在)*{_POSE}的人{end}",
                rf"{now}(?:在)?{place}(?:里|上)?{_POSE}的(?:人|那个人?|那位|那人)?(?P<no>不)?(?P<late>没)?是(?P<who>[^，]{{1,10}}?){end}",
                rf"{now}(?P<who>[^，]{{1,10}}?)(?:人)?{now}(?P<no>不|没有?)?(?:正|正在)?(?:在)?{place}(?:正|正在)?(?P<late>没有?)?{_POSE}{end}",
            )
        )
        self._answer = re.compile(
            rf"(?:{any_of('if')})?(?:(?:你)?(?:他|她|它|人|人家|里面|里头|那儿|那里|还|真|确实|已经|正好))?(?:(?P<yes>{any_of('answered')})|(?P<no>{any_of('denied')}))"
            rf"(?:(?:的话|呢|你|您|那(?!儿|里|边|个)|就|则|，|直接|也|再|先|麻烦|请)+(?P<rest>.*)|(?P<bare>(?:[去到回等把拿给带跟放过收请叫领帮]|告诉|通知|说说|描述|找找|找一|看看|先|在那|在原地|数(?!据)|问(?!题|一)).*))?"
        )
        self._nothing = re.compile(rf"(?:你|那|那么)?{any_of('nothing_then')}(?:了|吧|呗|啊)*")

    def statement(self, text: str) -> Hangs | None:
        """Return what a stretch without its 「如果」 states, None when it is nothing that can be found out."""
        said = text.strip("，")
        door = self._door.fullmatch(said)
        if door is not None:
            front = "入口" if "大门" in said else ""
            return Hangs("门", door["place"] or front, door["shut"] is not None)
        if self._low.fullmatch(said):
            return Hangs("电", words="没电了")
        battery = self._battery.fullmatch(said) if "电" in said else None
        if battery is not None:
            return Hangs("电", words=f"电量低于{battery['percent']}")
        for pattern, negated in ((self._nobody, True), (self._somebody, False)):
            if (found := pattern.fullmatch(said)) is not None:
                # 「冰箱是空的」: of what nobody can be in.
                things = "人" not in said and "谁" not in said and not self._room.fullmatch(found["place"])
                return Hangs("东西" if things else "人", found["place"], negated)
        counted = self._counted(said)
        return counted or self._in_posture(said) or self._put_plainly(said) or self._of_names(said)

    def _counted(self, said: str) -> Hangs | None:
        """Read 「厨房里的人超过两个」 and 「不到三个人」."""
        if not _COUNTS.search(said):
            return None
        for pattern in self._amounts:
            found = pattern.fullmatch(said)
            named = self._named(found["what"]) if found is not None else None
            number = (
                chinese_number(found["n"].replace("俩", "两").replace("仨", "三"))
                if found is not None
                else None
            )
            by_name = named is not None and named[1] and not named[0].endswith("人")
            if found is None or named is None or by_name or number is None:
                continue
            bound = found["bound"]
            less = re.fullmatch(_LESS, bound) is not None or bound.endswith("以下")
            least = number + (re.fullmatch(_MORE, bound) is not None or bound.endswith("以下"))
            return Hangs(named[0], found["place"] or "", less, least=least, measure=found["m"] or "")
        return None

    def _in_posture(self, said: str) -> Hangs | None:
        """Read 「有人在卧室躺着」 and 「西蒙没在卧室躺着」."""
        if not re.search(_POSE, said):
            return None
        for pattern in self._posed:
            found = pattern.fullmatch(said)
            if found is None:
                continue
            named = found.groupdict()
            pose = {"睡觉": "躺着", "躺": "躺着", "坐": "坐着", "站": "站着"}.get(
                found["pose"], found["pose"]
            )
            if named.get("some"):
                return Hangs(f"{pose}的人", found["place"], found["some"].startswith("没"))
            if one_person(found["who"], self._vocabulary):
                negated = bool(named["no"] or named["late"])
                return Hangs(found["who"], found["place"], negated, person=True, posture=pose)
        return None

    def _put_plainly(self, said: str) -> Hangs | None:
        """Read 「在厨房没看到简」, 「牛奶喝完了」 and 「杯子是红的」 by what they come to."""
        for pattern, form in self._there:
            found = pattern.fullmatch(said)
            if found is None:
                continue
            named = found.groupdict()
            named["no"] = "没" if named.get("no") else ""
            if named.get("what") and len(named["what"]) >= len(said):
                continue
            stated = self.statement(form.format_map(named))
            if stated is not None:
                return stated
        return None

    def _of_names(self, said: str) -> Hangs | None:
        found = self._topic_has.fullmatch(said)
        if found is not None and (named := self._named(found["what"])):
            return Hangs(named[0], found["place"], found["has"].startswith(("没", "不")), person=named[1])
        found = self._is_at.fullmatch(said)
        if found is not None and (named := self._named(found["what"])):
            return Hangs(named[0], found["place"], bool(found["no"]), person=named[1])
        found = self._found.fullmatch(said)
        if found is not None:
            place, what = found["place"] or found["there"], found["what"] or found["thing"]
            if named := self._named(what):
                return Hangs(named[0], place, person=named[1])
        found = self._has.fullmatch(said)
        has = re.search(r"有|没|剩|放着|摆着|搁着", said)
        if found is not None and has is not None and (named := self._named(found["what"])):
            return Hangs(named[0], found["place"], bool(found["no"]), person=named[1])
        return None

    def _named(self, text: str) -> tuple[str, bool] | None:
        """Return the name of a thing or a person, and whether it is a person."""
        bare = _COUNTED.sub(
            "",
            re.sub(r"的?人$", "", text)
            if len(text) > _SHORTEST
            and text.endswith("人")
            and one_person(re.sub(r"的?人$", "", text), self._vocabulary)
            else text,
        )
        if bare in ("人", "别人", "其他人", "谁"):
            return "人", False
        if one_thing(bare, self._vocabulary):
            return bare, False
        return (bare, True) if one_person(bare, self._vocabulary) else None

    def without_if(self, text: str) -> str | None:
        """Return a stretch without its 「如果」 and 「的话」, None when it has neither."""
        said = re.sub(r"(?:的话|的时候|的情况下)$", "", text)
        opened = self._if.match(said)
        if opened is not None and opened.end() < len(said):
            return said[opened.end() :]
        for found in self._if.finditer(said):
            # 「简要是还在客厅」「柜子里红酒只要还有」
            if found.group() in ("要是", "如果", "只要", "假如", "若是", "若", "万一") and found.start():
                rest = said[: found.start()] + said[found.end() :]
                if self.statement(rest) is not None:
                    return rest
        return said if said != text else None

    def question(self, text: str, asked: bool) -> Hangs | None:
        """Return the statement that a stretch asks about, None when it asks nothing.

        Args:
            text: the stretch.
            asked: it ends with a question mark.
        """
        looked = _LOOK.match(text)
        said = text[looked.end() :] if looked else text
        said = said.removesuffix("吧") if asked else said
        plain = said
        for way, put in _EITHER_WAY:
            plain = plain.replace(way, put)
        bare = re.sub(r"(?:了|的|呢|啊|呀)+$", "", _ASKS.sub("", plain))
        if not (asked or looked or plain != said or bare != plain):
            return None
        found = self.statement(bare) or self.statement(_ASKS.sub("", plain)) or self.statement(plain)
        if found is None and looked is not None:
            return None
        return replace(found, negated=False) if found is not None and found.subject != "门" else found

    def split(self, text: str) -> Iterator[tuple[Hangs, str]]:
        """Yield readings of 「没人就进去」: what is stated, and the order behind it."""
        for found in re.finditer(
            r"(?:的话，?(?:你|您)?(?:就|则|那就|那么就|便|再|直接)?|(?:你|您)?(?:就|则|那就|那么就|便))", text
        ):
            head = text[: found.start()]
            stated = self.statement(self.without_if(head) or head)
            if stated is not None and found.end() < len(text):
                yield stated, text[found.end() :]

    def answer(self, text: str, asked: Hangs) -> tuple[Hangs, str] | None:
        """Return what 「有就」 and 「没人的话」 mean after a question or a condition, and the order behind it."""
        found = self._answer.fullmatch(text)
        if found is None:
            return None
        word = found["yes"] or found["no"] or ""
        shut = re.search(r"关着|没开", word) is not None and asked.subject == "门"
        negated = found["no"] is not None
        if asked.subject == "门":
            negated = shut or (negated and not re.search("没关", word))
        elif asked.subject == "人" and asked.negated and word in ("是", "是的话", "不是", "不是的话"):
            negated = found["yes"] is not None
        return replace(asked, negated=negated), found["rest"] or found["bare"] or ""

    def nothing(self, text: str) -> bool:
        """Return whether nothing is to be done then: 「没有拉倒」."""
        return self._nothing.fullmatch(text) is not None


_SHORTEST = 1
_COUNTS = re.compile(rf"{_MORE}|{_LEAST}|{_LESS}|以上|以下|多")
_NUMERALS = "零一两三四五六七八九十"


def side(place: str) -> str:
    """Return whether things are on it or in it."""
    return "上" if re.search(r"(?:桌子?|沙发|床|架子?|几|椅子?|台|床头)$", place) else "里"


def _numeral(number: int) -> str:
    return _NUMERALS[number] if number < len(_NUMERALS) else str(number)


@functools.lru_cache(maxsize=8)
def condition_reader(vocabulary: Vocabulary) -> ConditionReader:
    """Return the reader for a vocabulary."""
    return ConditionReader(vocabulary)
