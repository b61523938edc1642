"""What a clause of a Chinese instruction takes over from its neighbours, once all of it was read."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from zulong.agent.language.chinese_cursor import FAVOUR, WANTING
from zulong.agent.language.chinese_repairs import ChineseRepairs
from zulong.agent.language.meaning import Clause, Referent
from zulong.agent.language.tokens import chinese_number

_HIM = Referent("person", text="他", pronoun="him", definite=True)
_AFTERWARDS = re.compile(r"再|然后|接着|之后|随后|完")
_OUT = ("下来", "出来", "上来", "起来", "进来", "过来", "回来")
_LED_ON = re.compile(
    r"(?:带|领|陪|引|送)[^，。；把给]{1,14}?[，]?先(?:去|到|上|回)[^，。；]{2,8}[，]?(?:再|然后|接着|最后|随后)|"
    r"(?:带|领|陪|引|送)[^，。；把给]{1,14}?(?:去|到)[^，。；]{2,6}(?:再|然后再?|接着再?)(?:去|到)"
)
_AGAIN = re.compile(r"再|又|还|另|各|一[^，]{0,3}一|分别|先后|两|俩|三")


def _left(since: Sequence[Clause]) -> bool:
    """Tell whether the robot went somewhere in the meantime."""
    return any(clause.action == "go" and not clause.negated for clause in since)


def _split(one: Clause, other: Clause) -> bool:
    """Tell 「给罗宾也拿一个」, read as 「给」 and 「拿」."""
    if one.action in ("follow", "guide") or (one.action == "wait" and one.seconds is None):
        return True
    return one.verb == "给" and other.verb != "给" and (other.theme is None or other.theme.pronoun == "it")


def _same(one: Clause, other: Clause) -> bool:
    """Tell whether two clauses have the same thing carried to the same."""
    if one.action == other.action == "follow":
        return one.theme is not None and (
            other.theme is None or bool(other.theme.pronoun) or other.theme.name == one.theme.name
        )
    if one.action == other.action == "wait" and one.seconds is None:
        # 「在沙发旁等着，等三分钟」
        return other.seconds is not None and one.goal == other.goal
    if one.action == other.action == "guide" and one.goal is not None and one.goal == other.goal:
        # 「走在简前面带她去厨房」
        return other.theme is None or other.theme.pronoun in ("him", "her", "them")
    if one.action == other.action == "go" and one.goal is not None and other.goal is not None:
        alike = one.goal.name == other.goal.name != "" and one.condition == other.condition
        return alike and one.goal.relation == other.goal.relation and one.negated == other.negated
    if one.action != other.action or one.action not in ("bring", "take", "put") or one.theme is None:
        return False
    if other.theme is None:
        # 「网球找着了就给我拿来」
        return one.recipient == other.recipient and one.goal == other.goal and one.verb == "给"
    if other.theme.pronoun != "it" and (not one.theme.name or one.theme.name != other.theme.name):
        return False
    alike = (
        (one.theme.colour == other.theme.colour or other.theme.pronoun == "it" or not one.theme.colour)
        and one.theme.number in (None, 1)
        and other.theme.number in (None, 1)
        and (one.theme.at is None or other.theme.at is None or one.theme.at == other.theme.at)
    )
    ends = tuple(
        (c.recipient and (c.recipient.name, c.recipient.pronoun), c.goal and c.goal.name)
        for c in (one, other)
    )
    return alike and ends[0] == ends[1] and one.condition == other.condition and one.negated == other.negated


class ChineseCompletion(ChineseRepairs):
    """Completes clauses by the others."""

    def _complete(self) -> None:
        """Complete the clauses, in the order in which one completion builds on another."""
        self._lift_exclusions()
        self._wishes()
        self._unwanted_at_all()
        self._alternatives()
        self._same_receiver()
        self._found_there()
        self._same_message()
        self._put_there()
        self._shared_out()
        self._carried_on()
        self._led_on()
        self._once()

    def _carried_on(self) -> None:
        """Join 「给我拿三个苹果放到餐桌上」: they are taken to be put there, for the sake of who speaks."""
        if _AFTERWARDS.search(self.text):
            return
        for number in range(len(self.clauses) - 1, 0, -1):
            before, clause = self.clauses[number - 1 : number + 1]
            theme = before.theme
            if theme is None or theme.kind != "object" or clause.theme is not None or before.goal is not None:
                continue
            mine = (
                before.recipient is not None
                and before.recipient.pronoun == "me"
                and (
                    before.verb in ("拿", "取", "给")
                    or (before.verb.endswith(_OUT) and "我" not in self.text)
                )
            )
            many = before.action == "take" and (theme.number or 0) > 1
            put = clause.action == "put" and clause.goal is not None and clause.source is None
            if put and (mine or many) and before.condition == clause.condition and not clause.negated:
                self.clauses[number] = replace(clause, theme=theme, source=before.source, where=before.where)
                del self.clauses[number - 1]

    def _led_on(self) -> None:
        """Complete 「带罗宾先去书房再去厨房」: he is led to all the places."""
        if not _LED_ON.search(self.text):
            return
        led: Clause | None = None
        for number, clause in enumerate(self.clauses):
            if clause.action == "guide" and clause.theme is not None and not clause.negated:
                led = clause
            elif (
                clause.action != "go"
                or clause.goal is None
                or clause.goal.pronoun
                or clause.goal.kind != "place"
            ):
                led = None
            elif led is not None and led.condition == clause.condition and not clause.negated:
                again = led.theme if led.theme and led.theme.name else _HIM
                first = led.goal is None
                self.clauses[number] = replace(led, theme=led.theme if first else again, goal=clause.goal)
                led = self.clauses[number]
        self.clauses = [
            clause
            for number, clause in enumerate(self.clauses)
            if clause.action != "guide"
            or clause.goal is not None
            or not (self.clauses[number + 1 : number + 2] and self.clauses[number + 1].action == "guide")
        ]

    def _once(self) -> None:
        """Keep one of two orders for the same: 「网球找着了就给我拿来」 names it once and brings it once."""
        again = _AGAIN.search(self.text) is not None
        kept: list[Clause] = []
        for clause in self.clauses:
            twin = next((n for n, other in enumerate(kept) if _same(other, clause)), None)
            if again and twin is not None and not (twin == len(kept) - 1 and _split(kept[twin], clause)):
                twin = None
            if twin is not None and clause.action in ("go", "wait") and _left(kept[twin + 1 :]):
                # 「去沙发，去床，去沙发」: there once more.
                twin = None
            if twin is None:
                kept.append(clause)
            elif clause.action == "wait" or (
                clause.theme is not None
                and not clause.theme.pronoun
                and (clause.theme.at or clause.theme.colour)
            ):
                kept[twin] = clause
        self.clauses = kept

    def _wishes(self) -> None:
        """Read 「我想要一个橙子」 and 「帮我拿一个苹果」 as wishes to have the thing brought."""
        me = Referent("person", text="我", pronoun="me", definite=True)
        said = {token.text for token in self.tokens}
        if (
            not self.clauses
            and self.fragment
            and all(referent.kind == "object" for referent in self.fragment)
            and said & WANTING
        ):
            wanted, self.fragment = self.fragment, []
            self.clauses.extend(
                Clause("bring", verb="要", theme=thing, recipient=me, inferred=True) for thing in wanted
            )
        elif self.clauses and said & FAVOUR:
            last = self.clauses[-1]
            if (
                (last.action == "take" or last.verb in ("递", "传"))
                and last.recipient is None
                and last.goal is None
                and not (last.theme and last.theme.pronoun and "一" not in last.theme.text)
            ):
                self.clauses[-1] = replace(last, action="bring", recipient=me)

    def _alternatives(self) -> None:
        """Complete 「有牛奶就拿给我，没有就拿橙汁」: what is taken instead is for the same person."""
        for number in range(1, len(self.clauses)):
            before, clause = self.clauses[number - 1 : number + 1]
            one, other = before.condition, clause.condition
            if one is None or other is None or clause.action != "take" or before.action != "bring":
                continue
            opposed = replace(one, negated=False, text="") == replace(other, negated=False, text="")
            if opposed and one.negated != other.negated and clause.recipient is None and clause.goal is None:
                self.clauses[number] = replace(
                    clause, action="bring", recipient=before.recipient, goal=before.goal
                )

    def _same_receiver(self) -> None:
        """Complete 「给简拿个苹果，再拿根香蕉」: the last thing is for the same person."""
        if len(self.clauses) < 2:
            return
        before, last = self.clauses[-2:]
        alike = before.action == "bring" and last.action == "take" and last.verb in ("拿", "取")
        open_ended = last.recipient is None and last.goal is None and last.theme is not None
        same = before.condition == last.condition and before.negated == last.negated
        if alike and open_ended and same and before.recipient is not None and last.theme != before.theme:
            self.clauses[-1] = replace(last, action="bring", recipient=before.recipient)

    def _found_there(self) -> None:
        """Complete 「冰箱里有牛奶就拿一盒给我」: one of those that are there."""
        for number, clause in enumerate(self.clauses):
            condition, theme = clause.condition, clause.theme
            if condition is None or condition.kind != "exists" or condition.subject is None:
                continue
            subject = condition.subject
            if theme is None or theme.pronoun != "it" or subject.kind != "object" or subject.pronoun:
                continue
            if condition.negated:
                # 「架子上没海绵的话，就去水槽拿一块来」: another one.
                other = replace(subject, at=None, definite=False, number=theme.number)
                self.clauses[number] = replace(clause, theme=other)
                continue
            found = replace(subject, at=subject.at or condition.where, definite=False, number=theme.number)
            self.clauses[number] = replace(clause, theme=found)

    def _same_message(self) -> None:
        """Complete 「跟简说晚饭好了，再去告诉罗宾」 by what the one before was told."""
        said: Clause | None = None
        for number, clause in enumerate(self.clauses):
            bare = clause.action == "tell" and not (clause.topic or clause.text or clause.theme)
            if (
                bare
                and said is not None
                and clause.recipient is not None
                and clause.recipient.pronoun != "me"
            ):
                self.clauses[number] = replace(clause, topic=said.topic, text=said.text)
            elif clause.action == "tell" and clause.topic == "free":
                said = clause
            elif clause.action != "go":
                said = None

    def _put_there(self) -> None:
        """Complete 「拿起柠檬，走到书桌那儿，把它放下」: it is put where the robot then stands."""
        for number in range(1, len(self.clauses)):
            before, clause = self.clauses[number - 1 : number + 1]
            if (
                (
                    clause.action == "put"
                    and clause.goal is None
                    and clause.recipient is None
                    and before.action == "go"
                )
                and before.goal is not None
                and before.goal.name
                and before.condition == clause.condition
            ):
                self.clauses[number] = replace(clause, goal=before.goal)

    def _shared_out(self) -> None:
        """Join 「拿牛奶和橙汁，牛奶给简，橙汁给罗宾」 and 「拿两瓶饮料来，一瓶给简，一瓶给我」 into what each gets."""
        index = 0
        while index < len(self.clauses):
            clause = self.clauses[index]
            theme = clause.theme
            plain = clause.action in ("take", "bring") and not clause.negated and clause.condition is None
            mine = clause.recipient is None or clause.recipient.pronoun == "me"
            if not plain or not mine or clause.goal is not None or theme is None or theme.kind != "object":
                index += 1
                continue
            later = range(index + 1, len(self.clauses))
            given = [n for n in later if self._gets(self.clauses[n], theme)]
            many = theme.number if theme.number is not None and theme.number > 1 else 1
            several = (
                sum(c.action in ("take", "bring") for c in self.clauses[: index + 1]) > 1 or len(later) > 1
            )
            if len(given) != many or not several or (many == 1 and len(later) == len(given)):
                index += 1
                continue
            one = replace(theme, number=None, plural=False)
            for position, token in enumerate(self.tokens):
                if token.plays("number") and chinese_number(token.text) == many:
                    self.settled.add(position)
            for n in given:
                old = self.clauses[n]
                self.clauses[n] = replace(old, theme=one, source=old.source or clause.source)
            del self.clauses[index]

    @staticmethod
    def _gets(clause: Clause, theme: Referent) -> bool:
        got = clause.theme
        if (
            clause.action not in ("bring", "put")
            or clause.negated
            or clause.condition is not None
            or got is None
        ):
            return False
        if theme.number is not None and theme.number > 1:
            return got.pronoun == "it" or (got.name == theme.name and got.number in (None, 1))
        return bool(got.name) and (got.name, got.colour) == (theme.name, theme.colour)
