"""Orders that move things or people, put together from their words in whatever order those stand.

The grammar reads clauses by their form. Here a sentence is a heap of parts: what is carried, from where, to where, to
whom, how many, towards or away. Each part says by its own mark what it is (「把」「从」「给」「到」, a complement of
direction, a place before or after the verb), so 「橙汁，冰箱里那盒，给拿过来」 and 「把冰箱里的橙汁拿给我」 come to one
frame. Every word must have its part: one that has none leaves the sentence without a reading.
"""

from __future__ import annotations

from collections.abc import Sequence

from zulong.agent.language.chinese_parts import AND, Frame, OrderWords
from zulong.agent.language.meaning import Referent
from zulong.agent.language.tokens import Token

_HANDING = frozenset("递 送 拿 还 借 分 发 交还 归还 转交 奉 赏 匀 带 捎 来 奖励 犒劳".split())  # noqa: SIM905 - shorter than quoted words
_COUNTED = frozenset("来 上 整 弄 搞 点 备".split())  # noqa: SIM905 - shorter than quoted words
"""These carry only what is counted: 「来两瓶」."""
_AND_THEN = frozenset("再 然后 并 就 先 后 接着 顺便".split())  # noqa: SIM905 - shorter than quoted words
_DONE = frozenset("一下 好 成 开 干净 完 掉 了".split())  # noqa: SIM905 - shorter than quoted words
_EACH_IN_TURN = frozenset("都 各 全 挨个 逐个 依次 轮流 去 走 各自 分别 给我".split())  # noqa: SIM905 - shorter than quoted words
_ME = "我"


class OrderReader(OrderWords):
    """Reads the orders of a sentence; make a new one for each.

    Args:
        tokens: its words, from :func:`zulong.agent.language.chinese_pieces.pieces`.
    """

    def __init__(self, tokens: Sequence[Token]) -> None:
        super().__init__(tokens)
        self.steps = (
            self._punctuation, self._rounds, self._handled, self._from, self._wish, self._given, self._onto, self._going,
            self._leads, self._verb, self._doing, self._direction, self._count, self._thing, self._at_place,
            self._person, self._people, self._fill,
        )  # fmt: skip

    def read(self) -> list[Frame] | None:
        """Return the orders, None when a word has no part in them."""
        while self.index < self.length:
            if not any(step(self._at()) for step in self.steps):
                return None
        self._close()
        return None if self.lost else self.frames

    def _close(self) -> None:
        frame, self.frame = self.frame, Frame()
        if frame.verb or frame.themes or frame.kind or frame.recipients:
            self.frames.append(frame)
        elif frame.at or frame.source or frame.goal or frame.number:
            self.lost = True

    def _punctuation(self, token: Token) -> bool:
        if not token.plays("punct") or token.text == "、":
            return False
        frame = self.frame
        if frame.kind in ("go", "guide") or (frame.verb and frame.themes and frame.settled()):
            self._close()
        self.index += 1
        return True

    def _handled(self, token: Token) -> bool:
        """Read 「把」 and what is handled, perhaps several things."""
        if not token.plays("ba"):
            return False
        found = self._listed(self.index + 1)
        if found is None:
            return False
        texts, referent, end = found
        if self.frame.verb or (self.frame.themes and not referent.pronoun):
            self._close()
        if not (referent.pronoun and self.frame.themes):
            self._take_theme(texts, referent)
        self.index = end
        return True

    def _rounds(self, token: Token) -> bool:
        """Read 「客厅、卧室和书房各转一圈」: one after the other."""
        places: list[str] = []
        index = self.index + (token.plays("f:going") and self.nouns.place(self.index) is None)
        while (
            (found := self.nouns.place(index)) is not None and not found[0].pronoun and not found[0].relation
        ):
            places.append(self._bare_place(index, found[1]))
            index = found[1] + (self.nouns.at(found[1]).text in AND)
        if len(places) < 2 or self.frame.verb or self.frame.themes:
            return False
        start = index
        while self.nouns.at(index).text in _EACH_IN_TURN:
            index += 1
        while self.nouns.at(index).plays("f:being_there"):
            index += 1
        if index == start or not self._ends(index):
            return False
        self.frames.extend(Frame(kind="go", goal=place) for place in places)
        self.index = index
        return True

    def _take_theme(self, texts: list[str], referent: Referent) -> None:
        self.frame.themes, self.frame.named = texts, referent
        self.frame.pronoun = bool(referent.pronoun)

    def _from(self, token: Token) -> bool:
        if token.text not in ("从", "打", "自", "由", "打从"):
            return False
        found = self.nouns.read(self.index + 1)
        if found is None or found[0].kind != "place" or found[0].pronoun:
            return False
        if self.frame.source or (self.frame.verb and self.frame.settled()):
            self._close()
        self.frame.source, self.index = self._text(self.index + 1, found[1]), found[1]
        return True

    def _wish(self, token: Token) -> bool:
        """Read 「我想喝」 and what is wanted."""
        if not token.plays("f:wish"):
            return False
        found = self._listed(self.index + 1)
        if found is None or found[1].kind != "object":
            return False
        if self.frame.verb:
            self._close()
        self.frame.kind, self.frame.verb, self.frame.hither = "carry", "要", True
        self.index += 1
        return True

    def _given(self, token: Token) -> bool:
        """Read 「给」 and who gets it; without anybody it only says for whose sake."""
        frame = self.frame
        onto = self.nouns.place(self.index + 1) if token.text == "给" and not frame.verb else None
        if onto is not None and not onto[0].pronoun and self.nouns.at(onto[1]).plays("f:put"):
            # 「给餐桌摆上一个碗」
            frame.at, self.index = self._text(self.index + 1, onto[1]), onto[1]
            return True
        if token.text not in ("给", "帮", "替", "为", "交给", "递给", "送给", "拿给", "带给"):
            return False
        found = self.nouns.read(self.index + 1)
        if found is None or found[0].kind != "person" or found[0].pronoun == "you":
            shared = token.text == "给" and len(frame.recipients) > 1 and not frame.themes
            if token.text not in ("给", "帮") or not (shared or self._verb_ahead(self.index + 1)):
                return False
            frame.favour = True
            self.index += 1
            return True
        who, end = self._text(self.index + 1, found[1]), self._beside(found[1])
        frame.stranger = frame.stranger or found[0].unknown
        if found[0].pronoun == "me" and not frame.verb:
            frame.favour = True
        if len(token.text) > 1:
            frame.sought = False
            frame.verb, frame.kind = frame.verb or token.text, frame.kind or "carry"
        if token.text in ("帮", "替", "为"):
            frame.beneficiary = who
        elif frame.recipients and who not in frame.recipients:
            if not (frame.verb and frame.themes):
                return False
            self._close()
            self.frame.recipients = [who]
        elif who not in frame.recipients:
            frame.recipients.append(who)
        self.index = end
        while token.text == "给" and self._at().text in AND:
            more = self.nouns.read(self.index + 1)
            if more is None or more[0].kind != "person" or more[0].unknown:
                return False
            self.frame.recipients.append(self._text(self.index + 1, more[1]))
            self.index = more[1]
        return True

    def _onto(self, token: Token) -> bool:
        """Read 「到厨房」「在桌上」「到简手里」 after the verb."""
        frame = self.frame
        if not token.plays("f:onto") or not frame.verb or frame.kind == "go":
            return False
        if token.text == "在" and frame.kind != "put":
            return False
        found = self.nouns.read(self.index + 1)
        if found is None or found[0].unknown:
            return False
        referent, end = found
        if referent.kind == "place" and referent.pronoun in ("back", "here"):
            frame.hither = True
        elif referent.kind == "place" and not frame.goal and not referent.pronoun:
            frame.goal = self._text(self.index + 1, end)
        elif referent.kind == "person" and not frame.recipients:
            frame.recipients, end = [self._text(self.index + 1, end)], self._beside(end)
        else:
            return False
        self.index = end
        return True

    def _going(self, token: Token) -> bool:
        """Read 「去厨房」 before anything is carried, 「过来」, and 「去」 before a verb."""
        next_one = token.text == "是" and bool(self.frames) and self.frames[-1].kind == "go"
        if not token.plays("f:going") and not next_one:
            return False
        frame = self.frame
        index = self.index + 1
        while self.nouns.at(index).text in ("一趟", "趟", "一下", "下", "了", "一回", "到", "一遭"):
            index += 1
        found = self.nouns.read(index)
        if found is not None and not found[0].unknown and not frame.verb and not frame.kind:
            referent, end = found
            text = self._text(index, end)
            if referent.pronoun == "start":
                self._go(text, end)
                return True
            if referent.kind == "place" and (not referent.pronoun or referent.pronoun in ("back", "here")):
                if referent.relation:
                    return False
                self._go(_ME if referent.pronoun else self._bare_place(index, end), end)
                return True
            if referent.kind == "person" and self._beside(end) > end:
                self._go(text, self._beside(end))
                return True
        alone = (
            token.text in ("过来", "回来", "来")
            and not frame.verb
            and not frame.themes
            and self._ends(self.index + 1)
        )
        if alone:
            self._go(_ME, self.index + 1)
            return True
        following = self.nouns.at(self.index + 1)
        if token.text in ("去", "来", "过去", "过来", "回去", "再") and (
            following.plays("f:carry", "f:put") or following.text in ("把", "给", "从", "帮")
        ) and not frame.verb:  # fmt: skip
            self.index += 1
            return True
        return False

    def _go(self, where: str, end: int) -> None:
        themes, named, frame = self.frame.themes, self.frame.named, self.frame
        if frame.themes:
            # 「薯片去沙发上拿」
            frame.source, self.index = where, end
            return
        self.frames.append(Frame(kind="go", goal=where))
        self.frame.themes, self.frame.named = themes, named
        self.index = end
        while self._at().plays("f:being_there", "f:purpose") or self._at().text in (
            "去",
            "来",
            "上去",
            "过去",
            "里去",
        ):
            after = self.nouns.at(self.index + 1)
            if after.has("object", "category", "person") or after.plays("number", "measure"):
                break
            self.index += 1

    def _leads(self, token: Token) -> bool:
        """Read 「带简去厨房」."""
        if not token.plays("f:lead"):
            return False
        found = self.nouns.read(self.index + 1)
        if found is None or found[0].kind != "person" or found[0].unknown or found[0].pronoun == "you":
            return False
        way = self.nouns.at(found[1])
        place = self.nouns.read(found[1] + 1)
        if not way.plays("f:going") or place is None or place[0].kind != "place" or place[0].pronoun:
            return False
        if self.frame.verb or self.frame.themes:
            self._close()
        self.frame = Frame(
            kind="guide", verb=token.text, themes=[self._text(self.index + 1, found[1])],
            goal=self._text(found[1] + 1, place[1]),
        )  # fmt: skip
        self.index = place[1]
        return True

    def _verb(self, token: Token) -> bool:
        """Read a verb of carrying or putting and its complements."""
        if not token.plays("f:carry", "f:put"):
            return False
        after = self.nouns.at(self.index + 1)
        counted = after.plays("number", "measure", "any") or after.has("object", "category")
        if token.text in _COUNTED and not counted and not self._complement(after):
            return False
        if token.text == "来" and not counted:
            return False
        frame = self.frame
        end = self.index + 1
        while self._complement(self.nouns.at(end)):
            end += 1
        if frame.verb and frame.themes:
            found = self._listed(end)
            if found is not None and found[1].kind == "object" and not found[1].pronoun:
                self._close()
                frame = self.frame
            else:
                frame.hither = frame.thither = frame.held = False
        frame.sought = token.text in ("找", "寻") and (not frame.verb or frame.sought)
        frame.kind = "put" if token.plays("f:put") and not token.plays("f:carry") else frame.kind or "carry"
        frame.verb = token.text
        frame.hither = frame.hither or token.text in ("来", "上", "整", "整点", "弄点")
        for position in range(self.index + 1, end):
            self._turn(self.nouns.at(position))
        self.index = end
        return True

    def _turn(self, token: Token) -> None:
        if token.plays("f:hither"):
            self.frame.hither = True
        elif token.plays("f:thither"):
            self.frame.thither = True
        else:
            self.frame.held = True
            self.frame.out = self.frame.out or token.text in ("出来", "出", "下来")

    def _direction(self, token: Token) -> bool:
        """Read 「来」「过去」 after what is carried."""
        if not self.frame.verb or not token.plays("f:hither", "f:thither"):
            return False
        self._turn(token)
        self.index += 1
        return True

    def _doing(self, token: Token) -> bool:
        """Read what whoever gets the thing will do with it: 「给他玩」「拿来我吃」."""
        frame = self.frame
        index, named = self.index, bool(frame.recipients)
        if not (frame.verb or (self.frames and self.frames[-1].kind != "go")) or not (
            frame.themes or self.frames
        ):
            return False
        while self.nouns.at(index).text in (
            "我",
            "他",
            "她",
            "自己",
            "好",
            "来",
            "去",
            "让",
            "先",
            "他们",
            "我们",
            "也",
        ):
            named = named or self.nouns.at(index).text in ("我", "他", "她", "自己", "他们", "我们")
            index += 1
        doing = self.nouns.at(index)
        before, after = self.nouns.at(index - 1), self.nouns.at(index + 1)
        own = (
            named and doing.plays("f:own_doing") and before.text not in _AND_THEN and after.text not in _DONE
        )
        mine = frame.recipients == ["我"] and before.text != "我"
        if not (doing.plays("f:purpose") or (own and not mine)):
            return False
        index += 1
        if self.nouns.at(index).plays("f:fill") and self.nouns.at(index).text in (
            "的",
            "用",
            "呢",
            "了",
            "吧",
        ):
            index += 1
        if not self._ends(index):
            return False
        frame.favour = frame.favour or not frame.recipients
        self.index = index
        return True

    def _count(self, token: Token) -> bool:
        """Read 「一瓶」「两个」 without the name of what is counted."""
        found = self.nouns.read(self.index)
        if found is None or not self._only_count(found[0]) or self.frame.number:
            return False
        self.frame.number = self._text(self.index, found[1])
        self.index = found[1]
        return True

    def _thing(self, token: Token) -> bool:
        frame = self.frame
        if token.text in ("剩下的", "剩的", "余下的") and not frame.themes:
            self._take_theme([token.text], Referent("object", text=token.text, pronoun="it"))
            self.index += 1
            return True
        found = self._listed(self.index)
        if found is None or found[1].kind != "object":
            return False
        texts, referent, end = found
        shade = not (referent.name or referent.category or referent.pronoun)
        last = frame if frame.themes else (self.frames[-1] if self.frames else None)
        if (
            shade
            and last is not None
            and len(last.themes) == 1
            and (referent.colour or referent.at or referent.size)
        ):
            # 「那个杯子，红色的，拿给我」
            described = f"{referent.colour and texts[0].partition('的')[0] + '的'}" if referent.at is None else (
                texts[0].partition("的")[0].partition("那")[0] + "的"
            )  # fmt: skip
            last.themes = [described + last.themes[0]]
            while self.nouns.at(end).plays("det", "de", "measure") and self.nouns.at(end).text not in ("把",):
                end += 1
        elif frame.pronoun and not referent.pronoun:
            # 「拿一下那个，芥末」
            self._take_theme(texts, referent)
        elif frame.themes and frame.verb and self._after_a_thing():
            frame.themes.extend(texts)
        elif frame.themes and frame.verb and frame.settled():
            self._close()
            self._take_theme(texts, referent)
        elif frame.themes:
            return False
        else:
            self._take_theme(texts, referent)
        self.index = end
        return True

    def _at_place(self, token: Token) -> bool:
        """Read a place: where the thing is, or where it goes."""
        start = self.index + (token.plays("at") or token.text in ("就在", "在"))
        found = self.nouns.read(start)
        if found is None or found[0].kind != "place" or found[0].pronoun or found[0].unknown:
            return False
        frame, text, end = self.frame, self._text(start, found[1]), found[1]
        if self.nouns.at(end).plays("de") and not self.nouns.at(end + 1).has(
            "object", "category", "person", "generic"
        ):
            end += 1
        carried_there = (
            not frame.goal and not frame.hither and self.nouns.at(end).plays("f:hither", "f:thither")
        )
        added = bool(frame.themes) and not frame.source and start > self.index
        empty = not (frame.verb or frame.themes or frame.recipients)
        afterthought = empty and start > self.index and bool(self.frames) and bool(self.frames[-1].themes)
        if frame.verb and ((frame.kind == "put" and not frame.goal) or carried_there):
            frame.goal = text
        elif afterthought and not (self.frames[-1].at or self.frames[-1].source) and self._ends(end):
            # 「我要那个蓝杯子，在餐桌上」
            self.frames[-1].at = text
        elif not frame.at and (not frame.verb or added):
            frame.at = text
        elif not frame.verb and not frame.themes and self.frames and not self.frames[-1].at:
            self.frames[-1].at = text
        else:
            return False
        self.index = end
        return True

    def _person(self, token: Token) -> bool:
        """Read 「递我一瓶水」."""
        found = self.nouns.read(self.index)
        frame = self.frame
        if found is None or found[0].kind != "person" or found[0].unknown or found[0].pronoun == "you":
            return False
        if not frame.verb or frame.recipients or frame.verb not in _HANDING:
            return False
        frame.recipients = [self._text(self.index, found[1])]
        self.index = self._beside(found[1])
        return True

    def _people(self, token: Token) -> bool:
        """Read 「安琪和摩根，一人一个苹果」."""
        people, index = [], self.index
        while (
            (found := self.nouns.read(index)) is not None
            and found[0].kind == "person"
            and not found[0].unknown
        ):
            people.append(self._text(index, found[1]))
            index = found[1]
            if self.nouns.at(index).text not in AND:
                break
            index += 1
        each = any(self.nouns.at(position).plays("f:each") for position in range(index, self.length))
        if len(people) < 2 or not each or self.frame.verb or self.frame.recipients or self.frame.themes:
            return False
        self.frame.recipients, self.frame.kind, self.frame.verb = people, "carry", "给"
        self.index = index
        return True

    def _fill(self, token: Token) -> bool:
        if token.text.startswith("第"):
            # Things are not counted off.
            return False
        if token.plays("f:each"):
            them = self.frame.recipients[:1] in (["他们"], ["她们"], ["他俩"], ["她俩"])
            if len(self.frame.recipients) < 2 and len(self.frame.themes) < 2 and not them:
                return False
            self.frame.each = True
        elif token.text in ("都", "全"):
            if len(self.frame.themes) < 2:
                return False
        elif token.plays("f:fill", "mood") or (token.plays("total", "conj", "then") and not token.senses):
            if token.text.startswith(("帮", "替", "麻烦", "给")):
                self.frame.favour = True
        elif not (token.has("polite") and not token.plays("not", "no", "have_not", "f:wish")):
            return False
        self.index += 1
        return True
