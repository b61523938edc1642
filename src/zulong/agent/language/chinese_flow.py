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

from zulong.agent.language import chinese_flow_forms as forms
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
    said = forms.JOINED.sub(
        "，", forms.CORNER.sub("", straight(plain(text)).replace("：", "，").replace(":", "，"))
    )
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
        self._there = ""  # the place where the robot was told not to go
        self._charge = ""  # who is led to all the places that follow
        self._often = 0  # how often what follows is to be done
        self._on_way = False  # what is done is done on the way back
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
        if forms.AFTER_ME.fullmatch(text) or text in forms.REPAIRING:
            return False
        return self._steps.aside(text) or any(pattern.fullmatch(text) for pattern in forms.ASIDES)

    def _stretch(self, text: str, mark: str) -> None:
        if not text:
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
        denied = forms.NOT_HIM.fullmatch(text)
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
        otherwise = forms.ELSE.match(text)
        if otherwise is not None and self._block.hangs is not None:
            self._open(self._block.hangs.opposite(), text[otherwise.end() :], mark)
            return True
        unheard = forms.UNHEARD.fullmatch(text)
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
        unless = forms.UNLESS.match(text)
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
            self._stretches[self._at] = replace(stretch, text=forms.ELSE.sub("", stretch.text))

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
        on_way = forms.ON_WAY.match(text)
        if on_way is not None:
            # 「回来的路上去趟厨房」
            self._on_way = True
            text = text[on_way.end() :]
            if not text:
                return
        if (
            not self._repairing
            and self._told.things
            and forms.HANDLES.match(text)
            and self._carried(text, mark)
        ):
            # 「床头柜上的咖啡太占地方了，挪书桌上」
            return
        counted = forms.COUNTS_DOWN.match(text)
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
        if self._together(text) or self._likewise(text) or self._in_charge(text) or self._mine(text):
            return
        further = forms.FURTHER.fullmatch(text)
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
        if forms.BROKEN.search(mark) or self._repair.fullmatch(following):
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
            place = (self._there or hangs.place) if hangs is not None else ""
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
        if forms.LEADS_ON.fullmatch(text):
            self._leading = True
            return True
        return self._leading and forms.AFTER_ME.fullmatch(text) is not None

    def _bound_for(self, text: str) -> bool:
        """Read 「查理去厨房」 before he is to be led or followed there."""
        found = forms.GOES.fullmatch(text)
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
        found = forms.REPORT.fullmatch(text)
        if found is None or self._block.hangs is None or self._block.hangs.subject == "电":
            return False
        self._add([Step("words", words="回来告诉我" if found["back"] else "告诉我")])
        return True

    def _left_out(self, text: str) -> bool:
        """Read 「客厅就甭去了」: nothing leads there, or that part of a round is left out."""
        found = forms.NOT_THERE.fullmatch(text)
        if found is None:
            return False
        where = found["where"] or found["place"] or found["but"]
        if self._steps.named(where) != [where]:
            return False
        self._there = where
        there = [step for step in self._block.steps if step.place == where]
        if there and len(self._block.steps) < 3:
            raise _Lost
        self._block.steps[:] = [step for step in self._block.steps if step.place != where]
        return True

    def _carried(self, text: str, mark: str) -> bool:
        """Read what moves a thing, perhaps over several stretches."""
        rest = [stretch.text for stretch in self._stretches[self._at :]]
        for more in range(min(3, len(rest)), -1, -1):
            words = [forms.ENDING.sub("", word) for word in (text, *rest[:more])]
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
        if any(pattern.fullmatch(words) for pattern in forms.ASIDES for words in said) or self._same_way(
            text
        ):
            return True
        due = forms.DUE.fullmatch(text)
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
        stated = forms.STATES.fullmatch(text)
        found = forms.FOR_THEM_ALL.fullmatch(self._stretches[self._at].text)
        if found is None or not self._steps.named(found["where"]):
            return False
        put = self._composer.framed([f"{stated['what'] if stated else text}都放到{found['where']}"])
        if put is None or "放到" not in put:
            return False
        self._add([Step("words", words=put)])
        self._at += 1
        return True

    def _likewise(self, text: str) -> bool:
        """Read 「白糖也收进去」, and 「没有就摆玉米片」 after 「有就摆餐桌上」."""
        if self._repairing:
            return False
        too = self._composer.compose([text]) if "也" in text else None
        if too is not None and too != text and re.search(r"放到|拿给", too):
            self._add([Step("words", words=too)])
            return True
        instead = forms.INSTEAD.fullmatch(text)
        before = self._blocks[-2].steps if self._block.otherwise and len(self._blocks) > 1 else []
        ends = re.search(r"(?:放到|拿给)[^，]+$", before[-1].words) if before else None
        if instead is None or ends is None or not one_thing(instead["what"], self._vocabulary):
            return False
        self._add([Step("words", words=f"把{instead['what']}{ends.group()}")])
        return True

    def _in_charge(self, text: str) -> bool:
        """Read 「你领着罗宾，先去书房，再去厨房」: the places are for him."""
        if self._repairing or self._charge:
            return False
        for said in self._steps.openings(text):
            who = self._steps.charge(said)
            bound = self._told.bound
            led = next(iter(bound)) if who == "" and len(bound) == 1 else who or ""
            if led in bound:
                # 「罗宾找厕所呢，你带他一下」
                self._add([Step("guide", bound[led], led)])
                self._bound = ""
                return True
            if who:
                self._charge = who
                return True
        return False

    def _mine(self, text: str) -> bool:
        """Read 「我往卧室走」, where the speaker is to be followed or led."""
        found = forms.I_GO.fullmatch(text)
        if found is None or self._steps.named(found["where"]) != [found["where"]]:
            return False
        self._told.bound["我"] = found["where"]
        return True

    def _same_way(self, text: str) -> bool:
        """Read 「往后退退，退到衣帽架那边」: the next stretch says how far."""
        way = forms.WAY.fullmatch(text)
        following = self._stretches[self._at].text if self._at < len(self._stretches) else ""
        return way is not None and following.startswith(way["verb"])

    def _speaks(self, text: str) -> bool:
        """Read 「问问她喝不喝可乐」 at the end: the words stay as they are."""
        found = forms.SPEAKS.match(text)
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
