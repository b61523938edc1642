"""The steps of the course of a Chinese sentence: each stretch that is one, read by its words.

A stretch goes somewhere, waits, comes back, goes to charge, leads somebody, follows somebody, or says how often; every
word of it must have its part. What moves a thing is read by :mod:`zulong.agent.language.chinese_gist`.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator
from dataclasses import dataclass

from zulong.agent.language.chinese_flow_words import DURATION, any_of, places, rooms, seconds, times
from zulong.agent.language.chinese_told import one_person
from zulong.agent.language.lexicon import Vocabulary

_TIMES = r"(?P<times>[一两二三四五六七八九十俩\d]+)个?(?:趟|遍|次|回|圈|来回)"
_SPEAKER = frozenset("我 我们 咱 咱们 我俩 咱俩 俺".split())  # noqa: SIM905 - shorter than quoted words
_HIM = frozenset("他 她 人家 他们 她们 那位 这位 那人 这人 那个人 这个人 客人他 人".split())  # noqa: SIM905 - shorter than quoted words
_CUTS = re.compile(r"(?<=.)(?=[再就去到回过来等待停歇带领跟最进站上走先然接后其末])")
_LEAST = 2
_NUMERAL = r"[零一二三四五六七八九十百两\d]+"
_THAT_ONE = re.compile(r"^(.{0,6}?)(?:那|这)(?:位|个)(?:人)?(.{2,8})的(?:那位|那个)?$")
_AWHILE = (
    r"(?:待|站|蹲|坐|歇|停|躲|靠|猫|转|逛|呆|守|候|看|溜达|晃|玩|走|睡|趴|休息|缓)(?:上|个|了|着)?"
    r"(?:一|两|几)?(?:小)?(?:会儿?|阵儿?|阵子|下|圈|遍|趟|眼|回)"
)
_ABOUT = r"(?:大概|大约|差不多|约摸着?|约|顶多|最多|也就|估摸着?|少说|足足|整整|满|就|个)*"
_THERE = r"(?:进去|过去|进|去|去那儿|去那里|去那边|到那儿|到那里|上那儿|上那边|到那边|在那儿|在那里)"
_ALL = ("都", "各", "挨", "轮", "全", "依次")
_MARK = re.compile(r"(?:在|去|到|往|上|回|着|的)$")


@dataclass(slots=True, frozen=True)
class Step:
    """One step.

    Attributes:
        kind: ``go``, ``wait``, ``come``, ``charge``, ``guide``, ``follow``, ``await`` (how long is not said), or
            ``words`` for what stays as it was said.
        place: the name of the place.
        who: the person as named, 「我」 for who speaks, "" for 「他」.
        seconds: how long.
        words: what stays as it was said, or what moves a thing, in plain words.
    """

    kind: str
    place: str = ""
    who: str = ""
    seconds: float = 0.0
    words: str = ""

    def plain(self) -> str:
        """Return the step in plain words."""
        if self.kind == "go":
            return f"去{self.place}"
        if self.kind == "wait":
            return f"等{self.seconds:g}秒"
        if self.kind == "come":
            return "回到我这里"
        if self.kind == "charge":
            return "去充电"
        if self.kind == "guide":
            return f"带{self.who}去{self.place}"
        if self.kind == "follow":
            return f"跟着{self.who}到{self.place}" if self.place else f"跟着{self.who}"
        return self.words


_NO_COUNT = r"(?!(?:去|来|再)*数一[下个声]?$)"
"""Who says 「数一下」 wants something counted, and no second waited for."""


class StepReader:
    """Reads stretches of one vocabulary.

    Args:
        vocabulary: knows the names.
    """

    def __init__(self, vocabulary: Vocabulary) -> None:
        self._vocabulary = vocabulary
        place, at = places(vocabulary), any_of("at")
        goes, waits, about, close = (
            any_of(*names) for names in (("goes",), ("waits",), ("about",), ("close",))
        )
        being = rf"(?:{any_of('being', 'awaits')}|{_AWHILE})"
        self._awaits = re.compile(any_of("awaits"))
        self._rooms = rooms(vocabulary)
        where = rf"(?P<place>{place})(?:的?{at})?"
        lasting = rf"{_ABOUT}(?P<lasting>{DURATION}){about}*"
        stay = rf"(?:(?:{being}|{waits})*{lasting}(?:{being})*|(?:{being})*)"
        here = r"(?:在(?:原地|这儿|这里|那儿|那里|原处|门外))"
        to_do = rf"(?:去|来|那儿|那边)?{stay}{close}*"
        patterns = (
            ("go", rf"(?:把你?自己)?{goes}+{where}{to_do}"),
            ("go", rf"在{where}(?:(?:{being}|{waits})*{lasting}(?:{being})*|(?:{being})+){close}*"),
            ("go", rf"(?:把自己|把你自己)?{any_of('way_to')}{where}(?:那个方向|方向)?{any_of('moves_on')}+{to_do}"),
            ("both", rf"(?:从|打)(?P<one>{place})(?:的?{at})?(?:出发)?，?[走跑开挪]?[到去回]{where}[去来]?{close}*"),
            ("go", rf"(?:从|打){place}(?:的?{at})?(?:出来|出去|离开|走)?(?:再|就|直接)?{goes}+{where}{to_do}"),
            ("go", rf"{where}(?:(?:{being}|{waits})*{lasting}(?:{being})*|(?:{being})+){close}*"),
            ("wait", rf"{here}?(?:{waits}|{being})*{lasting}(?:{being})*{any_of('later')}*{close}*"),
            (
                "count",
                rf"{_NO_COUNT}(?:{waits}|{being})*数?[到够满上]?(?P<number>{_NUMERAL})"
                rf"(?:个数|下|声|个)?{any_of('later')}*",
            ),
            ("come", rf"{any_of('comes')}(?:{being})*{close}*"),
            ("charge", rf"{any_of('charges')}{close}*"),
            ("charge", rf"{goes}*(?:你的?)?{any_of('docks')}(?:的?{at})?[去里]*(?:{any_of('charges')}|{being})*{close}*"),
            ("go", rf"(?:先|再|然后|接着|最后|后|其次|末了|头一个|第一个|第二个)(?:是|就是|去)?{where}"),
            ("there", rf"{_THERE}{to_do}"),
        )  # fmt: skip
        self._patterns = [(kind, re.compile(pattern)) for kind, pattern in patterns]
        self._lead = re.compile(
            rf"(?:把|将)?{any_of('leads')}?(?P<who>[^，]{{1,14}}?)(?:跟着?你走?|随你|慢慢|一起|一块儿?|一道|先|走|慢慢地|安全)*"
            rf"(?:给我|帮我)?(?:{any_of('leads')}|走|回)?(?:{goes}+{where}|(?:过去|进去|去那儿|去那里|去那边|到那儿|到那里|去))(?P<stay>[^，]{{0,6}})"
        )
        self._leads = re.compile(any_of("leads"))
        self._follow = re.compile(
            rf"(?:在)?(?:{any_of('behind')})?(?:一直)?{any_of('follows')}+(?:在|着)?(?P<who>[^，]{{0,14}}?)(?:的?{any_of('behind')})?(?:走|跑|去|来|走着|一起走)*"
            rf"(?:(?:一直)?(?:走|跟|跑)?(?:到|去|上|往|进|回)+{where})?(?:为止|去|那儿|走)?(?:{being}|(?:拿|取|找|看|搬|见|办)(?:个|点儿?|些|一下|一?件)?(?:东西|人|衣服|书|资料|文件|事儿?))?{close}*"
        )
        self._wherever = re.compile(
            rf"(?P<who>[^，]{{1,8}}?)(?:走|去|上|走到|跑到|到)(?:哪儿|哪里|哪个?屋|哪间屋?|哪边|哪块儿?|哪)，?(?:你|您)?(?:就|也)*(?:跟|去|上|走|跑)(?:到|着|去|着去|到那)?(?:哪儿|哪里|哪个?屋|哪间屋?|哪边|哪块儿?|哪){close}*"
        )
        self._every = re.compile(
            rf"(?:你|去|在|把|到)*(?:家里|全家|屋里|整个屋子?|整个家|全屋)?(?:的)?"
            rf"(?:每一?[个间](?:房间|屋子?|房)?|所有(?:的)?(?:房间|屋子?)|各个?(?:房间|屋子?)|全屋|满屋子?|整个屋子|整个家|整套房子?|家里各处|家里上下|家里|屋里屋外|全家|屋里|几个屋|几间屋子?|各屋|各处|里里外外)"
            rf"(?:都|各|挨个|全|给我|你|去|到|走|转|看|巡|跑|逛)*(?:{being}|走到|转到|看到|跑到){close}*"
        )
        self._open = re.compile(
            rf"(?:{any_of('open')}|[走转看巡跑逛等数放忙弄干搞溜歇停站待拿收摆说]完(?:了)?(?:之后|以后|后)?)+"
        )
        self._place = re.compile(rf"(?:{place})")
        self._to_and_fro = re.compile(
            rf"(?:往返|来回|来来回回)(?:于|在)?(?P<one>{place})(?:的?{at})?(?:和|跟|与|、|到)(?P<other>{place})(?:的?{at})?(?:之间)?"
            rf"(?:走|跑|去|各)*(?:{_TIMES})?{close}*"
        )
        self._charge_of = re.compile(
            rf"(?:{any_of('leads')})(?P<who>[^，]{{1,14}}?)(?:一起|一块儿?|走|出发)?{close}*"
        )
        self._station = re.compile(
            rf"(?:再)?(?:下一站|下一个地方|下一处|头一站|第[一二三四五]站|最后一站|终点|终点站|目的地)(?:去|到|是|就是|为|：|，)?{where}{to_do}"
        )
        self._tour = re.compile(
            rf"(?:咱家|我家|家里)?(?:的)?(?P<going>{goes})?(?P<places>{place}(?:的?{at})?(?:(?:、|和|跟|与|及|还有|以及|，|再到|到|去|再去)?{place}(?:的?{at})?)+)，?"
            rf"(?P<each>(?:都|各|挨个|挨着|轮流|轮着|依次|分别|逐个|全|全都|(?:按|照|按照)(?:这个|这|那个)?(?:顺序|次序)|一个个|一个一个|顺次|先后|每处|每间|每个地方|你|给我|去|走|跑|转|看|巡)*(?:{being}|{goes})*(?:给我)?{close}*)"
        )
        self._aside = re.compile(rf"(?:{any_of('aside')}){close}*")
        self._again = re.compile(rf"(?:{any_of('again')}){close}*")
        self._often = re.compile(
            rf"(?:{any_of('whole')})*(?:{any_of('does')})*(?:上|个|够|满)?{_TIMES}{close}*"
        )
        self._rounds = re.compile(
            rf"(?:{goes})*{where}(?:你|给我|帮我)*(?:{any_of('does')})(?:上|个|够|满)?{_TIMES}{close}*"
        )
        self._between = re.compile(
            rf"(?:在|从|打)?(?P<one>{place})(?:的?{at})?(?:和|跟|与|到|至|、|走到|去)(?P<other>{place})(?:的?{at})?(?:之间|中间)?，?"
            rf"(?:你|给我|帮我)?(?:来回|来来回回|往返|反复|来来去去)(?:地)?(?:走|跑|溜达|去|转|跑上|走上)*(?:{_TIMES})?{close}*"
        )  # fmt: skip
        self._purpose = re.compile(
            rf"(?:去|来|那边|那儿|里)?(?:{being}|{any_of('close')}|吃饭|吃|坐坐|坐一坐|坐下|坐|坐会儿|休息|睡觉|喝茶|喝水|洗手|洗脸|洗澡|看电视|开会|聊天|看书|办公|工作|吃早饭|吃晚饭|吃午饭|玩|玩会儿|躺会儿|躺躺|躺一躺|"
            r"躺下|透气|方便|方便一下|上厕所|门口|拿东西|找人|见人|换衣服|等车|等人|集合|聚聚|一下|里头|里面)*"
        )

    def openings(self, text: str) -> Iterator[str]:
        """Yield the stretch without what may stand before any order, the shortest first, and as it was said last."""
        whole = self._open.match(text)
        for end in range(whole.end() if whole is not None else 0, 0, -1):
            if end < len(text) and self._open.fullmatch(text[:end]):
                yield text[end:]
        yield text

    def aside(self, text: str) -> bool:
        """Return whether the stretch orders nothing."""
        return self._aside.fullmatch(text) is not None

    def named(self, text: str) -> list[str]:
        """Return the names of places in a text."""
        return self._place.findall(text)

    def often(self, text: str) -> int | None:
        """Return how often all that was said is to be done (「一共跑两趟」), None when it is not said."""
        if self._again.fullmatch(text):
            return 2
        found = self._often.fullmatch(text)
        return None if found is None else times(found["times"])

    def tour(self, text: str) -> list[Step] | None:
        """Return the steps of 「厨房、书房、卫生间，挨个跑一趟」, perhaps with how long one stays at each."""
        found = self._tour.fullmatch(text)
        if found is None or not (found["going"] or found["each"]):
            return None
        apart = re.search(r"[、和跟与及，到去]|还有", found["places"]) is not None
        if not apart and not found["each"].startswith(_ALL):
            # 「厨房门口」
            return None
        return [Step("go", place) for place in self.named(found["places"])]

    def steps(self, text: str) -> list[Step] | None:
        """Return the steps of a stretch, one or several; None when it is none."""
        whole = self._several(text)
        if whole is not None:
            return whole
        for cut in _CUTS.finditer(text):
            # 「过三分钟再进来找我」
            before, after = text[: cut.start()], text[cut.start() :]
            if len(before) < _LEAST or not after:
                continue
            first = self.step(before)
            if first is None:
                continue
            for rest in self.openings(after):
                further = self.steps(rest) if len(rest) < len(text) else None
                if further is not None:
                    return [*first, *further]
        return None

    def _several(self, text: str) -> list[Step] | None:
        rounds = self._rounds.fullmatch(text)
        if rounds is not None:
            # 「洗碗机跑两趟」
            number = times(rounds["times"])
            return [Step("words", words=f"去{rounds['place']}{number}趟")] if number else None
        there_and_back = self._between.fullmatch(text) or self._to_and_fro.fullmatch(text)
        if there_and_back is not None:
            number = times(there_and_back["times"]) if there_and_back["times"] else 1
            if number is None or not 1 <= number <= 5:
                return None
            one, other = (Step("go", there_and_back[name]) for name in ("one", "other"))
            return [step for _ in range(number) for step in (one, other)]
        if self._every.fullmatch(text):
            return [Step("go", room) for room in self._rooms]
        wherever = self._wherever.fullmatch(text)
        if wherever is not None and (who := self.person(wherever["who"])) is not None:
            return [Step("follow", "", who)]
        station = self._station.fullmatch(text)
        if station is not None and not station["lasting"]:
            return [Step("go", station["place"])]
        return self.tour(text) or self.step(text)

    def step(self, text: str) -> list[Step] | None:
        """Return the steps of a stretch that begins with its verb or its place."""
        for kind, pattern in self._patterns:
            found = pattern.fullmatch(text)
            if found is None:
                continue
            said = found.groupdict()
            place, lasting = said.get("place") or "", said.get("lasting") or ""
            length = seconds(lasting) if lasting else 0.0
            if length is None:
                return None
            done = [Step("wait", seconds=length)] if length else []
            if not length and kind in ("go", "there") and self._awaits.search(text):
                # How long is still to be said.
                done = [Step("await")]
            if kind == "count":
                number = times(found["number"]) if "数" in text else None
                return [Step("wait", seconds=float(number))] if number else None
            if kind == "there":
                kind = "go"
            if kind == "both":
                return [Step("go", found["one"]), Step("go", place)]
            return done if kind == "wait" else [Step(kind, place), *done]
        return self._led(text) or self._followed(text)

    def _led(self, text: str) -> list[Step] | None:
        found = self._lead.fullmatch(text)
        if found is None or not self._leads.search(text) or not self._purpose.fullmatch(found["stay"]):
            return None
        people = [self.person(name) for name in re.split(r"和|跟|与|、|还有", found["who"])]
        if any(who is None for who in people) or (len(people) > 1 and not all(people)):
            return None
        return [Step("guide", found["place"] or "", who or "") for who in people]

    def _followed(self, text: str) -> list[Step] | None:
        found = self._follow.fullmatch(text)
        who = self.person(_MARK.sub("", found["who"])) if found is not None else None
        if found is None or who is None or (text.startswith("一直") and not found["place"]):
            return None
        return [Step("follow", found["place"] or "", who)]

    def charge(self, text: str) -> str | None:
        """Return whom 「你领着罗宾」 is about, when it says no more."""
        found = self._charge_of.fullmatch(text)
        return self.person(found["who"]) if found is not None else None

    def person(self, text: str) -> str | None:
        """Return who is meant: 「我」, "" for 「他」, or the words for one person; None when it is nobody known."""
        if text in _SPEAKER:
            return "我"
        if text in _HIM or not text:
            return ""
        described = _THAT_ONE.sub(r"\1\2的人", text)
        return next((who for who in (text, described) if one_person(who, self._vocabulary)), None)


@functools.lru_cache(maxsize=8)
def step_reader(vocabulary: Vocabulary) -> StepReader:
    """Return the reader for a vocabulary."""
    return StepReader(vocabulary)
