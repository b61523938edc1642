"""The course of a Chinese sentence: what is done one after the other, how often, how long, and what it hangs on.

The grammar reads clauses from the left; here a sentence is a row of stretches, each of which goes somewhere, waits,
leads, follows, moves a thing, says what the rest hangs on, how often it is done, takes back what stood before it, or
only tells something. Every stretch must be one of these, and every word of it must have its part. What was said is put
in plain words in the order in which it is done, and the grammar reads those with the same rigour as anything else.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from zulong.agent.language.chinese_flow_conditions import Hangs, condition_reader
from zulong.agent.language.chinese_flow_steps import Step, step_reader
from zulong.agent.language.chinese_flow_words import any_of
from zulong.agent.language.chinese_gist import Composer
from zulong.agent.language.chinese_reasons import reason
from zulong.agent.language.chinese_told import Told, names_thing, note, note_told, one_thing
from zulong.agent.language.chinese_turns import straight
from zulong.agent.language.chinese_words import plain
from zulong.agent.language.lexicon import Vocabulary
from zulong.agent.language.rewording_chinese import ChineseBackground
from zulong.agent.language.stretches import Stretch

_MOST_STEPS = 24
_MOST_STRETCHES = 14
_BROKEN = re.compile(r"…|～|~|—|\.\.")
_ELSE = re.compile(r"^(?:否则的话|不然的话|要不然|否则|不然|反之|其他情况|要不)(?:你|就|那就|，)*")
_UNLESS = re.compile(r"^除非")
_JOINED = re.compile(
    r"(?<=[^，。；！？])(?:，|,)?(?:然后再|然后|接着再|接着|完了再|随后|之后再|最后再|紧接着)"
    r"(?=[^，。；！？])"
)
_REPORT = re.compile(
    r"(?P<back>回来|过来|回头|再回来|再)?(?:告诉我|跟我说|和我说|跟我讲|给我说|通知我|跟我汇报|向我汇报|报告我|跟我报告|来告诉我|来跟我说|来汇报|告我|知会我|跟我言语|汇报|说)"
    r"(?:一声|一下|下|一句|声|句)?(?:吧|呗|啊|哦|就行|就好)*"
)
_SPEAKS = re.compile(
    r"(?P<verb>问问|问一下|问一声|问|告诉|转告|通知|跟|和|提醒)(?P<who>他|她|人家|他们|她们)(?=.)"
)
_LEADS_ON = re.compile(
    r"(?:你|您)?(?:在|走)?(?:前头|前面|前边|头前|头里)(?:走|带路|领路|引路|开路|带着|走着)?"
)
_AFTER_ME = re.compile(
    r"(?:我|我们)(?:就|好)?(?:跟着|跟在|在)?(?:你|您)?(?:后面|后头|身后)?"
    r"(?:跟着|走|跟你走|跟着你走|跟着你)?(?:走)?"
)

_NOT_THERE = re.compile(
    r"(?:别|不要|甭|不用|不必)(?:再)?(?:去|到|上|进)(?P<where>.+?)(?:里|那儿)?(?:了|啊|哦)?|"
    r"(?P<place>.+?)(?:你)?(?:就|先)?(?:别|甭|不用|不要|不必)(?:再)?(?:去|进|到|看|管)(?:了|啊|哦)?|"
    r"(?:除了|除开)(?P<but>.+?)(?:以外|之外|外)?"
)
_ON_WAY = re.compile(
    r"(?:等)?(?:你)?(?:回来|返回|往回走|回|回程|往回)的?"
    r"(?:时候|路上|途中|时|道上|半道上)(?:，|你|顺便|顺道|再)*"
)
_ENDING = re.compile(r"(?<=.)(?:吧|呗|啊|呀|哦|嘛|哈)+$")
_GOES = re.compile(
    r"(?P<who>.{1,12}?)(?:要|想|得|准备|打算|现在)*(?:去|到|上|回)(?P<where>[^，]{2,8}?)(?:了|一趟|一下)?"
)
_WAY = re.compile(
    r"(?:你|先|再)*(?:往|向|朝)(?:后|前|左|右|旁边|边上|里|外|后面|前面)(?P<verb>[退走挪靠让站移开跑])(?:[退走挪靠让站移开跑]|一[退走挪靠让站移]|一下|点儿?|一点儿?)?(?:吧|啊)?"
)
_DUE = re.compile(
    r"(?P<what>[^，]{1,10}?)(?:也|都|早)?(?:该|得|要|还没|没|刚|已经|需要)(?:[洗擦刷换热晒清]|清理|收拾|收|归位|归还|还|挪窝|挪地方|换地方|换个地方)(?:一下|一洗|完|好|干净|过)?(?:了|呢)?"
)
_CORNER = re.compile(r"(?:角落|墙角|墙边|屋角|靠墙|靠窗|窗边|对面)(?:里|边)?的(?=[^，。]{1,4})")
_FOR_THEM_ALL = re.compile(
    r"(?:都|全|统统|通通|一起|一并|给我|直接|该|应该|得|要|也|就)*(?:进|归|归到|回|回到|入|收进|收到|挪到|放到|摆到|搁到|送到|端到|拿到|搬到)"
    r"(?P<where>[^，]{1,8}?)(?:去|吧|得了|就行|就好|了)*"
)
_STATES = re.compile(
    r"(?P<what>[^，]{2,14}?)(?:都|全|也|已经|刚|刚刚|还)+(?:洗|擦|刷|晾|用|吃|喝|玩|看|收拾|热|凉|脏|湿|干|没洗|没收)(?:过|好|完|干净|透|够|了)*"
)
_I_GO = re.compile(
    r"(?:我|我们|咱们?)(?:现在|马上|这就|要|想|得|准备|先|打算)*(?:往|去|到|上|回)(?P<where>[^，]{2,8}?)(?:那边|那儿)?(?:走|去|走去|一趟|一下)?(?:了|啊|啦)?"
)
_REPAIRING = frozenset(("算了", "等等", "等一下", "等会儿", "慢着", "行了"))
_COUNTS_DOWN = re.compile(
    r"^(?:我|等我)(?:数到|喊到)[一二三四五六七八九十\d]+(?:下|声)?，?(?:你)?(?:就|再)?(?=.)"
)
_FURTHER = re.compile(
    r"(?:走，?)?(?:我们|咱们|咱)(?:一起|一块儿?)?(?:去|到|上|回|走到)(?P<where>.+?)(?:去|吧|看看)*"
)
_ASIDES = tuple(
    re.compile(pattern)
    for pattern in (
        r"(?:你)?(?:先|快|给我)?(?:闪|让|靠|躲|挪|站|退|滚|待|走|移|往|上|到)+(?:一?边儿?|边上|旁边|远点儿?|开点儿?|后点儿?|开)(?:去|点|待着|站着|儿去|一点)*(?:吧|啊)?",
        r"你(?:现在|又|正|老是?|总是?|一直|怎么|怎么又|这样|这么)*(?:在|待在|站在|杵在|停在)?(?:这儿?|这里|那儿|我前面|我面前|门口|路中间)?(?:老|总|一直|在)*(?:站|杵|待|呆|坐|蹲|堵|挡|碍|占|晃|绊|杵着|站着|待着|挡着|堵着)[^，把给拿去到等]{0,8}",
        r"(?:过会儿|过一会儿|一会儿|待会儿|等会儿|回头|晚点|等下|迟点|晚些)(?:再|才)(?:充|充电|歇|说|弄|管|聊|忙|讲|休息|玩)[^，]{0,2}",
        r"(?:我们|咱们?|我跟你|咱俩)(?:来|一起|一块儿?|今天|现在)*(?:玩|聊|比赛|比)[^，]{0,8}",
        r"(?:我|我们|咱|大家|客人|孩子们?)?(?:今晚|今天|晚上|中午|早上|早饭|午饭|晚饭|一会儿|待会儿?|等会儿|下午|周末|回头|吃饭|饭后|马上|就|还|急着|正)*(?:要|得|想|好)(?:喝|吃|用|玩|看|招待|请客|聚|做饭|开会|拍照|开饭|上桌|待客|用它)(?:的|它|了|呢)?",
        r"(?:别|不要|可别|甭|千万别)(?:再|又|给我|老|乱|总|随便)*(?:扔|丢|放|搁|摆|撂|堆|落|忘)(?:在|到)?(?:地上|外面|外头|到处|一边|那儿|这儿|别处|别的地方|一地)(?:了)?",
        r"(?:你)?(?:现在|马上|这就|赶紧|快)?(?:出发|动身|走起|开始|行动|上路)(?:吧|了|啦)?",
        r"看看?(?:他|她|它)(?:要|想|准备|打算)?(?:去|上|往|干|做)(?:哪[儿里]?|什么|啥)(?:去|呢)?",
        r"(?:充电|充)(?:的事)?(?:先|就)?(?:不急|不忙|别急|缓缓|放放|等等|往后放|晚点再说|回头再说)",
    )
)
_HANDLES = re.compile(
    r"(?:你|给我|帮我|先|再|快|赶紧|就|直接|都|给)*(?:挪|移|转移|搬|换|停|靠|收|拿|放|搁|摆)"
)
_NOT_HIM = re.compile(r"(?:不是|不要|别)(?P<what>[^，]{1,8})")
_UNHEARD = re.compile(
    r"(?:过|等)?(?:了)?(?P<lasting>[^，]{1,8}?)(?:之内|以内|内|后|以后)?(?:要是|如果|还|都|也)*"
    r"(?:没动静|没有动静|没人来|没人应|没人|没来人|没等到人|没人出来|没见人|没见着人|没等着|没人影)(?:的话)?，?(?:你)?(?:就|再)(?P<rest>.+)"
)


@dataclass(slots=True)
class _Block:
    """Steps that hang on the same."""

    hangs: Hangs | None = None
    steps: list[Step] = field(default_factory=list)
    otherwise: bool = False


class _Lost(Exception):
    """A stretch has no part."""


def course(text: str, vocabulary: Vocabulary, background: ChineseBackground) -> str | None:
    """Return what a sentence orders in plain words, one after the other; None when a stretch of it has no part.

    Args:
        text: the sentence.
        vocabulary: knows the names.
        background: cuts the sentence into stretches.
    """
    said = _JOINED.sub("，", _CORNER.sub("", straight(plain(text)).replace("：", "，").replace(":", "，")))
    stretches = background.split(said)
    if not 0 < len(stretches) <= _MOST_STRETCHES or re.search(r"[“\"「『‘]", said):
        return None
    try:
        return _Course(stretches, vocabulary).read()
    except _Lost:
        return None


class _Course:
    """Reads the stretches of one sentence."""

    def __init__(self, stretches: Sequence[Stretch], vocabulary: Vocabulary) -> None:
        self._vocabulary = vocabulary
        self._steps = step_reader(vocabulary)
        self._stretches = [stretch for stretch in stretches if not self._idle(stretch.text)]
        self._conditions = condition_reader(vocabulary)
        self._told = Told()
        self._composer = Composer(vocabulary, self._told)
        self._blocks = [_Block()]
        self._asked: Hangs | None = None
        """What was asked and not yet answered."""
        self._base: Hangs | None = None
        """What 「没有就」 is about."""
        self._repairing = False
        self._broken = False
        self._leading = False
        self._charge = ""
        """Who is led to all the places that follow."""
        self._often = 0
        """How often what follows is to be done."""
        self._on_way = False
        """What is done is done on the way back."""
        self._bound = ""
        """Who was told to go somewhere, and is to be led or followed."""
        self._at = 0
        self._repair = re.compile(rf"(?:{any_of('repairs')}|[啊哦噢呃哎嗯])+(?:了|啊|呀|哦|吧)*")
        self._instead = re.compile(rf"^(?:{any_of('instead')})+")

    def read(self) -> str | None:
        """Return the plain words."""
        while self._at < len(self._stretches):
            stretch = self._stretches[self._at]
            self._at += 1
            self._stretch(stretch.text.strip("，。 "), stretch.mark)
        if self._asked is not None or self._repairing or self._broken or self._bound or self._leading:
            return None
        if self._charge and all(step.who != self._charge for b in self._blocks for step in b.steps):
            return None
        if self._on_way:
            self._add([Step("come")])
        if self._often:
            self._repeat(self._often)
        blocks = [block for block in self._blocks if block.steps]
        if not blocks or sum(len(block.steps) for block in blocks) > _MOST_STEPS:
            return None
        steps = [step for block in blocks for step in block.steps]
        words = "".join(step.words for step in steps)
        told = self._told
        if any(step.kind == "await" for step in steps) or any(thing in words for thing in told.refused):
            return None
        if any(thing not in words for thing in told.wanted):
            return None
        return _joined(blocks)

    def _idle(self, text: str) -> bool:
        """Tell a stretch that never has a part, wherever it stands."""
        if _AFTER_ME.fullmatch(text) or text in _REPAIRING:
            return False
        return self._steps.aside(text) or any(pattern.fullmatch(text) for pattern in _ASIDES)

    def _stretch(self, text: str, mark: str) -> None:
        if not text or self._steps.aside(text):
            return
        if self._at < len(self._stretches):
            # 「厨房、书房、卫生间，挨个跑一趟」
            both = f"{text}，{self._stretches[self._at].text}"
            for said in self._steps.openings(both):
                tour = self._steps.tour(said) if len(self._steps.named(text)) > 1 else None
                if tour is not None and not self._repairing:
                    self._at += 1
                    self._add(tour)
                    return
        if self._corrects(text):
            return
        if self._repairing:
            text = self._instead.sub("", text) or text
        if self._hangs(text, mark):
            return
        self._ordered(text, mark)

    # -- taking back

    def _corrects(self, text: str) -> bool:
        """Read 「不对」, and 「不是罗宾」 of the one who was just named."""
        if self._repair.fullmatch(text):
            steps = self._block.steps
            if self._broken:
                self._broken = False
            elif self._at >= len(self._stretches) and len(steps) > 1 and steps[-1].kind == steps[-2].kind:
                # 「到书架……书桌那儿去，我说错了」
                del steps[-2]
            elif self._block.steps:
                self._repairing = True
            return True
        denied = _NOT_HIM.fullmatch(text)
        last = self._block.steps[-1] if self._block.steps else None
        if denied is not None and last is not None and denied["what"] in (last.who, last.place):
            self._repairing = True
            return True
        return False

    def _replace(self, new: Sequence[Step]) -> None:
        """Put steps in the place of those that were taken back."""
        steps = self._block.steps
        size = len(new)
        if size == 1 and new[0].kind == "go" and steps[-1].kind == "guide":
            # 「带安琪去浴室，不不，是去卧室」
            new = [replace(steps[-1], place=new[0].place)]
        if [step.kind for step in steps[-size:]] != [step.kind for step in new]:
            raise _Lost
        steps[-size:] = new
        self._repairing = False

    def _replaced_part(self, text: str) -> bool:
        """Read a place or a person in the place of another."""
        steps = self._block.steps
        bare = re.sub(r"(?:那儿|那边|那里|吧|了|才对|才是)+$", "", text)
        places = self._steps.named(bare)
        if places and places[0] == bare:
            at = next((n for n in range(len(steps) - 1, -1, -1) if steps[n].place), None)
            if at is None:
                return False
            steps[at] = replace(steps[at], place=bare)
        else:
            who = self._steps.person(bare)
            if not who or not steps or not steps[-1].who:
                return False
            steps[-1] = replace(steps[-1], who=who)
        self._repairing = False
        return True

    # -- what it hangs on

    @property
    def _block(self) -> _Block:
        return self._blocks[-1]

    def _hangs(self, text: str, mark: str) -> bool:
        """Read a condition, a question that is answered by 「有就」, and 「否则」."""
        otherwise = _ELSE.match(text)
        if otherwise is not None and self._block.hangs is not None:
            self._open(self._block.hangs.opposite(), text[otherwise.end() :], mark)
            return True
        unheard = _UNHEARD.fullmatch(text)
        if unheard is not None and self._unheard(unheard, mark):
            return True
        about = self._asked or self._base
        if about is not None:
            answered = self._conditions.answer(text, about)
            if answered is not None:
                self._open(*answered, mark)
                return True
        for stated, rest in self._conditions.split(text):
            self._open(stated, rest, mark)
            return True
        unless = _UNLESS.match(text)
        bare = text[unless.end() :] if unless else self._conditions.without_if(text)
        stated_here = self._conditions.statement(bare) if bare else None
        if stated_here is not None:
            self._open(stated_here.opposite() if unless else stated_here, "", mark)
            if unless:
                self._drop_else()
            return True
        asked = self._conditions.question(text, "？" in mark or "?" in mark)
        if asked is not None and self._answered_later(asked):
            self._asked = self._base = self._located(asked)
            return True
        return False

    def _answered_later(self, asked: Hangs) -> bool:
        """Tell whether the next stretch answers the question by 「有就」."""
        rest = [s for s in self._stretches[self._at :] if not self._steps.aside(s.text)]
        return bool(rest) and self._conditions.answer(rest[0].text, asked) is not None

    def _unheard(self, found: re.Match[str], mark: str) -> bool:
        """Read 「五分钟没动静就回来」: after that time, when nobody is there."""
        steps = self._steps.step(found["lasting"])
        if steps is None or [step.kind for step in steps] != ["wait"]:
            return False
        self._add(steps)
        place = self._last_place()
        if not place:
            raise _Lost
        self._open(Hangs("人", place, negated=True), found["rest"], mark)
        return True

    def _drop_else(self) -> None:
        if self._at < len(self._stretches):
            stretch = self._stretches[self._at]
            self._stretches[self._at] = replace(stretch, text=_ELSE.sub("", stretch.text))

    def _open(self, hangs: Hangs, rest: str, mark: str) -> None:
        """Begin what hangs on something."""
        hangs = self._located(hangs)
        self._asked, self._base = None, hangs
        before = self._block
        otherwise = before.hangs is not None and before.hangs.opposite() == hangs and bool(before.steps)
        self._blocks.append(_Block(hangs, otherwise=otherwise))
        if hangs.subject not in ("人", "门", "电") and not hangs.person:
            self._told.things[:] = [hangs.subject]
            self._told.located[hangs.subject] = hangs.place
        elif hangs.person:
            self._told.people[:] = [hangs.subject]
        rest = rest.strip("，")
        if rest and not self._conditions.nothing(rest):
            self._ordered(rest, mark)
        elif not rest and self._at < len(self._stretches):
            following = self._stretches[self._at].text.strip("，。")
            if self._conditions.nothing(following):
                self._at += 1

    def _located(self, hangs: Hangs) -> Hangs:
        if hangs.place or hangs.subject in ("门", "电"):
            return hangs
        place = self._last_place()
        if not place:
            raise _Lost
        return replace(hangs, place=place)

    def _last_place(self) -> str:
        for block in reversed(self._blocks):
            for step in reversed(block.steps):
                if step.kind == "go" and step.place:
                    return step.place
        return ""

    # -- orders

    def _ordered(self, text: str, mark: str) -> None:
        if self._asked is not None:
            raise _Lost
        on_way = _ON_WAY.match(text)
        if on_way is not None:
            # 「回来的路上去趟厨房」
            self._on_way = True
            text = text[on_way.end() :]
            if not text:
                return
        if not self._repairing and self._told.things and _HANDLES.match(text) and self._carried(text, mark):
            # 「床头柜上的咖啡太占地方了，挪书桌上」
            return
        counted = _COUNTS_DOWN.match(text)
        if counted is not None:
            # 「我数到三你就过来」
            text = text[counted.end() :]
        for said in self._steps.openings(text):
            often = self._steps.often(said)
            if often is not None:
                self._repeat(often)
                return
            steps = self._steps.steps(said)
            if steps is not None:
                self._add([self._settled(step) for step in steps])
                return
            if self._guides_me(said) or self._reports(said) or self._left_out(said):
                return
        if self._repairing and self._replaced_part(text):
            return
        if self._together(text) or self._in_charge(text) or self._mine(text):
            return
        further = _FURTHER.fullmatch(text)
        last = self._block.steps[-1] if self._block.steps else None
        if further is not None and last is not None and last.kind == "follow" and not last.place:
            # 「跟着我，咱们去卧室」
            where = self._steps.named(further["where"])
            if where == [further["where"]]:
                self._block.steps[-1] = replace(last, place=where[0])
                return
        if (
            self._bound_for(text)
            or self._background(text, mark)
            or self._carried(text, mark)
            or self._speaks(text)
        ):
            return
        following = self._stretches[self._at].text if self._at < len(self._stretches) else ""
        if _BROKEN.search(mark) or self._repair.fullmatch(following):
            # 「就把灯……不，就回来」
            self._broken = True
            return
        raise _Lost

    def _add(self, steps: Sequence[Step]) -> None:
        if self._broken:
            raise _Lost
        if self._repairing:
            self._replace(steps)
            return
        if self._leading:
            if [step.kind for step in steps] != ["go"]:
                raise _Lost
            steps, self._leading = [Step("guide", steps[0].place, "我")], False
        if self._charge and steps[0].kind == "go":
            steps = [Step("guide", s.place, self._charge) if s.kind == "go" else s for s in steps]
        for step in steps:
            last = self._block.steps[-1] if self._block.steps else None
            if last is not None and last.kind == "await" and step.kind == "wait":
                self._block.steps.pop()
            if last is not None and last.kind == step.kind == "follow" and last.who == step.who:
                # 「跟着简，一直跟到厨房」
                if step.place:
                    self._block.steps[-1] = step
                continue
            if step != last or step.kind not in ("go", "come", "charge"):
                self._block.steps.append(step)

    def _settled(self, step: Step) -> Step:
        """Return the step with the person and the place that were not named."""
        if step.kind in ("guide", "follow") and not step.who:
            people = [self._bound] if self._bound else self._told.people
            named = [s.who for block in self._blocks for s in block.steps if s.who and s.who != "我"]
            who = people[0] if len(set(people)) == 1 else named[-1] if not people and named else ""
            if not people and not named and "我" in self._told.bound:
                who = "我"
            if not who:
                raise _Lost
            step = replace(step, who=who)
        if step.kind in ("guide", "follow") and step.who == self._bound:
            self._bound = ""
        if step.kind in ("go", "guide") and not step.place:
            hangs = self._block.hangs
            place = hangs.place if hangs is not None and hangs.place else ""
            if not place and step.kind == "guide":
                place = self._told.bound.get(step.who, "")
            if not place:
                raise _Lost
            step = replace(step, place=place)
        if step.kind == "follow" and not step.place:
            step = replace(step, place=self._told.bound.get(step.who, ""))
        return step

    def _repeat(self, number: int) -> None:
        """Do all that was said so far several times."""
        steps = self._block.steps
        if not steps and not self._often:
            # 「来回跑三趟：从餐桌到水池」
            self._often = number
            return
        plainly = all(step.kind in ("go", "wait", "come") for step in steps)
        if len(self._blocks) > 1 or not steps or not plainly or not 1 <= number <= 5:
            raise _Lost
        if len(steps) == 1 and number > 1:
            raise _Lost
        steps[:] = steps * number

    def _guides_me(self, text: str) -> bool:
        """Read 「你在前头走，我跟着你」: the speaker is led where the next stretch goes."""
        if _LEADS_ON.fullmatch(text):
            self._leading = True
            return True
        return self._leading and _AFTER_ME.fullmatch(text) is not None

    def _bound_for(self, text: str) -> bool:
        """Read 「查理去厨房」 before he is to be led or followed there."""
        found = _GOES.fullmatch(text)
        if found is None or self._bound or self._repairing:
            return False
        who = self._steps.person(found["who"])
        places = self._steps.named(found["where"])
        if not who or who == "我" or places != [found["where"]]:
            return False
        self._bound = who
        self._told.bound[who] = found["where"]
        if who not in self._told.people:
            self._told.people.append(who)
        return True

    def _reports(self, text: str) -> bool:
        """Read 「跟我说一声」 where something hangs on something."""
        found = _REPORT.fullmatch(text)
        if found is None or self._block.hangs is None or self._block.hangs.subject == "电":
            return False
        self._add([Step("words", words="回来告诉我" if found["back"] else "告诉我")])
        return True

    def _left_out(self, text: str) -> bool:
        """Read 「客厅就甭去了」: nothing leads there, or that part of a round is left out."""
        found = _NOT_THERE.fullmatch(text)
        if found is None:
            return False
        where = found["where"] or found["place"] or found["but"]
        if self._steps.named(where) != [where]:
            return False
        there = [step for step in self._block.steps if step.place == where]
        if there and len(self._block.steps) < 3:
            raise _Lost
        self._block.steps[:] = [step for step in self._block.steps if step.place != where]
        return True

    def _carried(self, text: str, mark: str) -> bool:
        """Read what moves a thing, perhaps over several stretches."""
        rest = [stretch.text for stretch in self._stretches[self._at :]]
        for more in range(min(3, len(rest)), -1, -1):
            words = [_ENDING.sub("", word) for word in (text, *rest[:more])]
            if any(self._conditions.without_if(word) is not None for word in words):
                continue
            put = self._composer.framed(words)
            if put is None:
                continue
            told = self._told
            if (
                "拿给我" in put
                and "我" not in "".join(words)
                and told.people
                and told.wanted
                and not told.mine
            ):
                # Whether it is for who speaks or for who was spoken of is not said.
                raise _Lost
            if self._repairing:
                self._replace([Step("words", words=put)])
            else:
                self._add([Step("words", words=put)])
            self._at += more
            return True
        return False

    def _background(self, text: str, mark: str) -> bool:
        """Note what only tells something."""
        asked = "？" in mark or "?" in mark
        said = [text, *self._steps.openings(text)]
        if any(pattern.fullmatch(words) for pattern in _ASIDES for words in said) or self._same_way(text):
            return True
        due = _DUE.fullmatch(text)
        if due is not None and one_thing(due["what"], self._vocabulary) and not self._repairing:
            # 「餐桌上那碗该洗了」
            note(self._told, due["what"], self._vocabulary)
            return True
        if (
            not self._repairing
            and not asked
            and any(map(reason, said))
            and not names_thing(text, self._vocabulary)
        ):
            return True
        return not self._repairing and note_told(self._told, text, text, asked, self._vocabulary)

    def _together(self, text: str) -> bool:
        """Read 「餐桌上的蓝杯子、白盘子，统统进洗碗机」 and 「桃子李子都洗过了，摆到边桌上」."""
        if self._at >= len(self._stretches) or self._repairing:
            return False
        stated = _STATES.fullmatch(text)
        found = _FOR_THEM_ALL.fullmatch(self._stretches[self._at].text)
        if found is None or not self._steps.named(found["where"]):
            return False
        put = self._composer.framed([f"{stated['what'] if stated else text}都放到{found['where']}"])
        if put is None or "放到" not in put:
            return False
        self._add([Step("words", words=put)])
        self._at += 1
        return True

    def _in_charge(self, text: str) -> bool:
        """Read 「你领着罗宾，先去书房，再去厨房」: the places are for him."""
        if self._repairing or self._charge:
            return False
        for said in self._steps.openings(text):
            who = self._steps.charge(said)
            if who:
                self._charge = who
                return True
        return False

    def _mine(self, text: str) -> bool:
        """Read 「我往卧室走」, where the speaker is to be followed or led."""
        found = _I_GO.fullmatch(text)
        if found is None or self._steps.named(found["where"]) != [found["where"]]:
            return False
        self._told.bound["我"] = found["where"]
        return True

    def _same_way(self, text: str) -> bool:
        """Read 「往后退退，退到衣帽架那边」: the next stretch says how far."""
        way = _WAY.fullmatch(text)
        following = self._stretches[self._at].text if self._at < len(self._stretches) else ""
        return way is not None and following.startswith(way["verb"])

    def _speaks(self, text: str) -> bool:
        """Read 「问问她喝不喝可乐」 at the end: the words stay as they are."""
        found = _SPEAKS.match(text)
        people = list(dict.fromkeys(self._told.people))
        if found is None or self._at < len(self._stretches) or len(people) != 1 or self._block.hangs is None:
            return False
        self._add(
            [Step("words", words=found["verb"].replace("问问", "问") + people[0] + text[found.end() :])]
        )
        return True


def _joined(blocks: Sequence[_Block]) -> str:
    said = ""
    for number, block in enumerate(blocks):
        steps = "，然后".join(step.plain() for step in block.steps)
        if block.hangs is None:
            mark = "。" if number else ""
            said += f"{mark}{steps}"
        elif block.otherwise and blocks[number - 1].steps[-1].kind != "words":
            said += f"，否则{steps}"
        else:
            mark = "" if not number else "。" if block.otherwise else "，"
            said += f"{mark}{block.hangs.plain()}，就{steps}"
    return said
