"""A cursor over the words of a Chinese instruction, and the clause that is being read."""

from __future__ import annotations

from dataclasses import dataclass, replace

from zulong.agent.language.chinese_nouns import ChineseNounReader
from zulong.agent.language.chinese_slips import without_slips
from zulong.agent.language.chinese_wordings import wordings_of
from zulong.agent.language.chinese_words import normalise, plain, tokenise
from zulong.agent.language.lexicon import Vocabulary
from zulong.agent.language.meaning import Clause, Condition, Referent
from zulong.agent.language.merge import locate, merge_referent
from zulong.agent.language.tokens import Token, chinese_number

MOVING = ("bring", "take", "put", "guide", "follow", "go")
STATES = {"open": "open", "closed": "closed"}
FEELINGS = frozenset(
    ("渴", "饿", "累", "困", "冷", "热", "口渴", "好渴", "好饿", "有点渴", "有点饿", "很渴", "很饿")
)
WANTING = frozenset(
    ("我想要", "我要", "想要", "我想", "我需要", "需要", "要", "我希望", "来", "想吃", "想喝", "要吃", "要喝")
)
DEVICES = (
    "灯",
    "电视",
    "电视机",
    "空调",
    "风扇",
    "音响",
    "收音机",
    "微波炉",
    "洗衣机",
    "洗碗机",
    "加湿器",
    "电脑",
)
FAVOUR = frozenset(("帮我", "替我", "为我", "帮忙", "帮个忙"))


@dataclass(slots=True)
class Frame:
    """What was said in a clause before its verb, and with it."""

    action: str = ""
    verb: str = ""
    theme: Referent | None = None
    more: tuple[Referent, ...] = ()
    others: tuple[Referent, ...] = ()
    recipient: Referent | None = None
    source: Referent | None = None
    goal: Referent | None = None
    where: Referent | None = None
    topic: str = ""
    attribute: str = ""
    text: str = ""
    negated: bool = False
    repeat: int = 1
    seconds: float | None = None
    asked: bool = False
    apart: bool = False
    """Each thing is for another person."""
    favour: bool = False
    """「给我」 stood before the verb: it may only say for whose sake."""
    handled: bool = False
    """The theme was given by 「把」: something is to be done with it."""

    def _avoided(self) -> tuple[Referent, ...]:
        if not self.negated or self.action != "go":
            return ()
        return tuple(place for place in (self.goal, self.where) if place is not None)

    def clauses(self) -> list[Clause]:
        """Return one clause for each theme and each listener."""
        themes = (self.theme, *self.more) if self.more else (self.theme,)
        listeners = (self.recipient, *self.others)
        if self.apart and len(themes) == len(listeners):
            # 「把苹果和梨分别给简和罗宾」
            pairs = list(zip(themes, listeners, strict=True))
        else:
            pairs = [(theme, recipient) for theme in themes for recipient in listeners]
        return [
            Clause(
                self.action, verb=self.verb, theme=theme, recipient=recipient, source=self.source,
                goal=self.goal, where=self.where, topic=self.topic, attribute=self.attribute, text=self.text,
                negated=self.negated, repeat=self.repeat, seconds=self.seconds, asked=self.asked,
                avoid=self._avoided(),
            )
            for theme, recipient in pairs
        ]  # fmt: skip


class ChineseCursor:
    """The words of one instruction, where the reading stands, and what was read."""

    def __init__(self, text: str, vocabulary: Vocabulary) -> None:
        self.text = text
        self.vocabulary = vocabulary
        said = normalise(wordings_of(vocabulary).apply(plain(text)))
        self.tokens = tokenise(said, vocabulary)
        if any(not (t.roles or t.senses) and not t.text.isascii() for t in self.tokens):
            right = without_slips(said, vocabulary, [t.text for t in self.tokens if t.roles or t.senses])
            self.tokens = tokenise(right, vocabulary) if right != said else self.tokens
        self.nouns = ChineseNounReader(self.tokens)
        self.index = 0
        self.frame = Frame()
        self.clauses: list[Clause] = []
        self.fragment: list[Referent] = []
        self.leftover: list[str] = []
        self.condition: Condition | None = None
        self.last_condition: Condition | None = None
        self.deferred: list[Clause] = []
        self.alongside = False
        self.called_off = False
        self.settled: set[int] = set()
        """Positions of words that are not in the meaning with a reason: what was taken back, why a thing is wanted."""

    def _at(self, offset: int = 0) -> Token:
        return self.nouns.at(self.index + offset)

    def _close(self) -> None:
        """End the clause that is being read."""
        frame, self.frame = self.frame, Frame()
        if not frame.action:
            self._loose(frame)
            return
        self._settle(frame)
        if frame.seconds is not None and frame.action != "wait" and not frame.negated:
            # 「跟着简五分钟」: nothing but waiting can be timed.
            self.leftover.append(f"{frame.seconds:g}秒")
        new = frame.clauses()
        if self.alongside:
            new = [replace(clause, alongside=True) for clause in new]
            self.alongside = False
        if self.condition is not None:
            new = [replace(clause, condition=self.condition) for clause in new]
        self.clauses.extend(new)

    def _loose(self, frame: Frame) -> None:
        """Keep what was said without a verb: a place that opens the sentence, or a fragment."""
        if frame.topic and frame.topic != "free":
            frame.action = "tell"
            frame.asked = True
            self.clauses.extend(self._with_condition(frame.clauses()))
            return
        last_words = self.index >= len(self.tokens) and frame.theme is None and frame.source is None
        if frame.where is not None and last_words and self.clauses and self._there(frame.where):
            # 「麦片拿给查理，就在食品柜里」
            return
        if frame.where is not None and frame.theme is not None and frame.theme.kind != "place":
            frame.theme, frame.where = replace(frame.theme, at=frame.theme.at or frame.where), None
        if frame.where is not None or (frame.theme is not None and frame.theme.kind == "place"):
            place = frame.where or frame.theme
            if place is not None:
                self.fragment.append(place)
                if frame.theme is None or frame.theme is place:
                    return
        if (
            frame.source is not None
            and self.clauses
            and frame.theme is None
            and self._from_there(frame.source)
        ):
            # 「拿给我一个苹果，从书桌上」
            return
        told = frame.theme
        if told is not None and told.at is not None and (told.pronoun or told.name) and self.clauses:
            # 「……交给简，她在客厅」
            placed = [locate(clause, told) for clause in self.clauses]
            if placed != self.clauses:
                self.clauses[:] = placed
                return
        for referent in (frame.theme, *frame.more, frame.recipient, frame.goal, frame.source):
            shade = (
                referent is not None
                and referent.kind == "object"
                and (referent.colour or referent.at or referent.demonstrative)
                and not (referent.name or referent.category or referent.pronoun or referent.unknown)
            )
            if referent is not None and shade and self.fragment and self.fragment[-1].kind == "object":
                # 「那个杯子，红色的，拿给我」
                self.fragment[-1] = merge_referent(self.fragment[-1], referent)
            elif referent is not None:
                self.fragment.append(referent)

    def _there(self, place: Referent) -> bool:
        last = self.clauses[-1]
        theme = last.theme
        if last.action not in ("bring", "take", "put", "find") or last.source is not None or place.pronoun:
            return False
        if theme is None or theme.kind != "object" or theme.at is not None:
            return False
        self.clauses[-1] = replace(last, theme=replace(theme, at=place))
        return True

    def _from_there(self, source: Referent) -> bool:
        last = self.clauses[-1]
        if last.action not in ("bring", "take", "put") or last.source is not None or source.kind != "place":
            return False
        if last.theme is None or last.theme.at is not None:
            return False
        self.clauses[-1] = replace(last, source=source)
        return True

    def _with_condition(self, clauses: list[Clause]) -> list[Clause]:
        return clauses if self.condition is None else [replace(c, condition=self.condition) for c in clauses]

    def _settle(self, frame: Frame) -> None:
        """Decide between neighbouring actions by what the arguments are."""

    def _repetition(self, token: Token) -> bool:
        if token.plays("number") and self._at(1).plays("times"):
            number = chinese_number(token.text)
            if number is not None:
                target = self.frame
                if not target.action and self.clauses:
                    self.clauses[-1] = replace(self.clauses[-1], repeat=number)
                else:
                    target.repeat = number
                self.index += 2
                return True
        return False

    def _duration(self, token: Token) -> bool:
        """Read 「两分钟」「一个半小时」「一分三十秒」."""
        total, offset = 0.0, 0
        while (part := self._length_of_time(self.index + offset)) is not None and (
            not offset or part[0] < 60
        ):
            total, offset = total + part[0], part[1] - self.index
        if not offset:
            return False
        self.frame.seconds = total
        if not self.frame.action:
            self.frame.action, self.frame.verb = "wait", "等"
        self.index += offset
        return True

    def _length_of_time(self, index: int) -> tuple[float, int] | None:
        """Return the seconds that a number with its unit here stands for, and the position after it."""
        token, unit, end = self.nouns.at(index), self.nouns.at(index + 1), index + 2
        if not token.plays("number", "half"):
            return None
        halved = unit.plays("measure") and self.nouns.at(end).plays("half")
        if unit.plays("measure") and self.nouns.at(end + halved).plays("hours"):
            # 「两个小时」「一个半小时」
            unit, end = self.nouns.at(end + halved), end + halved + 1
        if not unit.plays("seconds", "minutes", "hours"):
            return None
        number: float | None = 0.5
        if not token.plays("half"):
            digits = token.text.replace(".", "").isdigit()
            number = float(token.text) if digits else chinese_number(token.text)
        if number is None:
            return None
        if halved:
            number += 0.5
        elif self.nouns.at(end).plays("half"):
            number += 0.5
            end += 2 if self.nouns.at(end + 1).text in ("钟", "分钟") else 1
        scale = 3600.0 if unit.plays("hours") else 60.0 if unit.plays("minutes") else 1.0
        return number * scale, end

    def _noun_use(self, token: Token) -> bool:
        """Tell a noun that also is a verb: 「水」, 「画」."""
        return token.has("object", "category", "placement", "room") and not token.has("danger")
