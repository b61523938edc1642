"""What a Chinese clause asks for, decided when all of it was read: by its verb and by what stands around it."""

from __future__ import annotations

from dataclasses import replace

from zulong.agent.language.chinese_cursor import DEVICES, ChineseCursor, Frame
from zulong.agent.language.chinese_verbs import AWAY, TOWARDS_ME
from zulong.agent.language.meaning import Referent

_ORIGINAL = frozenset(("原处", "原位", "原来的地方", "原来的位置"))
_ME = Referent("person", text="我", pronoun="me", definite=True)
_TAKES_WHAT_WAS_NAMED = ("bring", "take", "put", "find", "guide", "follow", "tell", "count")


class ChineseSettling(ChineseCursor):
    """Settles clauses."""

    def _settle(self, frame: Frame) -> None:
        """Decide between neighbouring actions by what the arguments are."""
        self._wanted(frame)
        self._settle_place(frame)
        self._settle_colour(frame)
        self._settle_named(frame)
        if frame.favour and frame.goal is not None and frame.goal.kind == "place" and not frame.goal.pronoun:
            frame.recipient = None
        self._settle_people(frame)
        self._settle_carrying(frame)
        self._settle_listener(frame)

    def _settle_place(self, frame: Frame) -> None:
        if frame.action != "put" or frame.goal is not None:
            return
        theme = frame.theme
        if frame.where is None and self.fragment and theme is not None and theme.kind == "object":
            if self.fragment[-1].kind == "place":
                # 「餐桌上放个盘子」
                frame.goal = self.fragment.pop()
        elif frame.where is not None and frame.where.name:
            # 「在餐桌上放一个碗」
            frame.goal, frame.where = frame.where, None

    def _settle_colour(self, frame: Frame) -> None:
        """Read 「杯子别拿红的，拿绿的给我」: the colours are those of what was named first."""
        named = self.fragment[-1] if self.fragment else None
        theme = frame.theme
        if theme is None or named is None or theme.kind != "object" or named.kind != "object":
            return
        bare = theme.colour and not (theme.name or theme.category or theme.unknown)
        if bare and named.name and not named.colour:
            frame.theme = replace(theme, name=named.name, ids=named.ids)
            if frame.negated:
                self.settled.update(range(self.index))
            else:
                self.fragment.pop()

    def _settle_named(self, frame: Frame) -> None:
        """Take what was named before the clause: 「沙发，薯片，拿来」."""
        last = self.fragment[-1] if self.fragment else None
        if last is not None and frame.theme is None and frame.action in _TAKES_WHAT_WAS_NAMED:
            thing = last.kind == "object" and frame.action != "tell" and not frame.topic
            person = last.kind == "person" and frame.action in ("guide", "follow", "find")
            if thing or person:
                frame.theme = self.fragment.pop()
                while thing and self.fragment and _another(self.fragment[-1], frame.theme):
                    # 「棒球、骰子，挪到床头柜」
                    frame.more = (frame.theme, *frame.more)
                    frame.theme = self.fragment.pop()
        placed = frame.where is not None or frame.source is not None or frame.action == "go"
        if self.fragment and self.fragment[-1].kind == "place" and not placed:
            frame.where = self.fragment.pop()

    def _settle_people(self, frame: Frame) -> None:
        """Tell people who are led from people who are given something."""
        theme, taken = frame.theme, frame.recipient
        busy = bool(self.clauses) and self.clauses[-1].action in ("take", "bring", "find")
        led = (
            frame.goal is not None and frame.goal.kind == "place" and frame.verb in ("送", "送到", "接", "请")
        )
        somebody = taken is not None and taken.pronoun != "me" and theme is None and not self.fragment
        if frame.action == "bring" and led and somebody and not busy:
            # 「送简去门口」
            frame.action, frame.theme, frame.recipient = "guide", taken, None
            return
        if frame.action == "go" and theme is not None and theme.kind != "place" and frame.goal is not None:
            self.leftover.append(theme.text)
        if frame.action in ("take", "bring", "put") and theme is not None and theme.kind == "person":
            self._settle_person(frame, theme)
        if frame.action in ("bring", "guide") and frame.theme is None and frame.recipient is None:
            met = self._met()
            if frame.verb.startswith(("带", "领", "送")) and frame.goal is not None and met is not None:
                # 「接一下门口的客人，带到客厅」
                frame.action = "guide"
                frame.theme = Referent("person", text="他", pronoun="them", definite=True)

    def _settle_person(self, frame: Frame, theme: Referent) -> None:
        if theme.pronoun == "me" and frame.recipient is None and frame.goal is None:
            frame.theme, frame.recipient = None, theme
        elif frame.goal is not None or frame.verb.startswith("带"):
            frame.action = "guide"
            if frame.goal is None and frame.verb in TOWARDS_ME:
                frame.goal = Referent("place", text=frame.verb, pronoun="back", definite=True)
        elif frame.recipient is None:
            frame.theme, frame.recipient = None, theme

    def _met(self) -> Referent | None:
        """Return the person that the clause before is about, if it meets one."""
        last = self.clauses[-1] if self.clauses else None
        if last is None or last.action not in ("meet", "find", "greet"):
            return None
        met = last.theme or (last.recipient if last.action == "greet" else None)
        return met if met is not None and met.kind == "person" else None

    def _settle_carrying(self, frame: Frame) -> None:
        placed = frame.verb.startswith(("放", "搁", "摆", "存")) and frame.action in ("bring", "put")
        if placed and frame.recipient is not None and (frame.goal or frame.where) is not None:
            # 「把咖啡给简放餐桌上」: it is put there, for her.
            frame.action, frame.recipient = "put", None
            frame.goal, frame.where = frame.goal or frame.where, frame.where if frame.goal else None
        handled = frame.theme or frame.where
        if frame.action == "missing:open" and handled is not None and handled.text.endswith(DEVICES):
            frame.action = "missing:switch"
        if frame.action == "guide" and frame.theme is not None and frame.theme.kind == "object":
            frame.action = "take" if frame.verb in ("带着", "带上", "领着") else "bring"
        if frame.action == "take" and (frame.recipient is not None or frame.goal is not None):
            frame.action = "bring"
        if frame.goal is not None and frame.goal.text in _ORIGINAL and frame.action in ("put", "bring"):
            # Where a thing was before is not known.
            frame.goal = None
        if (
            frame.verb == "拿到"
            and frame.action == "bring"
            and frame.recipient is None
            and frame.goal is None
        ):
            frame.action = "take"
        hither = frame.verb in TOWARDS_ME or frame.verb in ("拿个", "给")
        if frame.recipient is not None or frame.goal is not None:
            return
        if (frame.action in ("bring", "take") and hither) or (frame.action == "bring" and frame.verb == "递"):
            frame.action, frame.recipient = "bring", _ME

    def _settle_listener(self, frame: Frame) -> None:
        theme = frame.theme
        about = frame.topic in ("attribute", "count", "where", "exists")
        if frame.action in ("greet", "ask", "answer", "tell") and frame.recipient is None and not about:
            if theme is not None and theme.kind == "person":
                frame.recipient, frame.theme = theme, None
        elif frame.action in ("follow", "meet", "find") and theme is None and frame.recipient is not None:
            frame.theme, frame.recipient = frame.recipient, None

    def _wanted(self, frame: Frame) -> None:
        """Read 「坐着的人需要橙汁，快送去」「帕里斯想吃苹果，送一个过去」: it is for whoever wants it."""
        person = next((r for r in reversed(self.fragment) if r.kind == "person" and not r.pronoun), None)
        away = frame.verb in AWAY or frame.verb in ("送", "拿", "带", "端", "给")
        if frame.action not in ("bring", "take") or not away or person is None:
            return
        each = frame.recipient is not None and frame.recipient.text in ("他们", "她们")
        if (frame.recipient is not None and not each) or frame.goal is not None:
            return
        if frame.theme is not None and frame.theme.kind != "object":
            return
        things = [r for r in self.fragment if r.kind == "object" and not r.pronoun]
        people = [r for r in self.fragment if r.kind == "person" and not r.pronoun]
        thing = things[0] if things else None
        if len(people) > 1:
            if frame.theme is None and len(things) == len(people):
                # 「简要牛奶，罗宾要可乐，都送过去」
                frame.action, frame.apart = "bring", True
                frame.theme, frame.more = things[0], tuple(things[1:])
                frame.recipient, frame.others = people[0], tuple(people[1:])
                self.fragment = [r for r in self.fragment if r not in things and r not in people]
            return
        if frame.theme is None and (thing is None or len(things) > 1):
            return
        if (frame.theme is None or frame.theme.pronoun == "it") and thing is not None:
            frame.theme = thing
            self.fragment.remove(thing)
        frame.action, frame.recipient = "bring", person
        self.fragment.remove(person)


def _another(before: Referent, named: Referent) -> bool:
    """Tell whether two things named one after the other make a list."""
    return (
        before.kind == "object"
        and not before.pronoun
        and before.at is None
        and bool(before.name or before.category)
        and (before.name, before.colour) != (named.name, named.colour)
        and not before.unknown
    )
