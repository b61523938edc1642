"""Chinese conditions: 「如果门关着」「要是厨房里有苹果」「除非简在客厅」."""

from __future__ import annotations

from dataclasses import replace

from zulong.agent.language.chinese_cursor import STATES
from zulong.agent.language.chinese_settling import ChineseSettling
from zulong.agent.language.meaning import Condition, Referent
from zulong.agent.language.tokens import Token, chinese_number


class ChineseConditions(ChineseSettling):
    """Reads conditions."""

    def _condition_here(self) -> bool:
        """Read a condition that starts here; False when the word was not meant so."""
        token = self._at()
        if token.text in ("当", "若", "如") and not self._at(1).senses and not self._at(1).roles:
            return False
        self._close()
        start = self.index
        end = self.index + 1
        while end < len(self.tokens) and not (
            self.nouns.at(end).plays("punct")
            or (self.nouns.at(end).plays("then") and self.nouns.at(end).text != "时")
        ):
            end += 1
        condition = self._read_condition(start + 1, end)
        negated = token.plays("unless")
        text = "".join(t.text for t in self.tokens[start:end])
        self.condition = replace(condition, negated=condition.negated != negated, text=text)
        self.last_condition = self.condition
        self.index = end
        while self._at().plays("punct", "then"):
            self.index += 1
        return True

    def _plain_condition(self) -> bool:
        """Read 「客厅没有人的话」: a condition without a word that opens it."""
        if self.index and not self._at(-1).plays("punct", "conj"):
            return False
        if self._at().plays("able") and self._at().text.endswith("的话") and self.clauses:
            # 「给我拿牛奶，找不到的话拿可乐」
            self._close()
            self.condition = self.last_condition = Condition("failed", text=f"如果{self._at().text}")
            self.index += 1
            while self._at().plays("punct", "then"):
                self.index += 1
            return True
        if self._none_left() or self._then_condition():
            return True
        end = self.index
        while end < len(self.tokens) and not self.nouns.at(end).plays("punct", "if", "unless"):
            if self.nouns.at(end).text in ("的话", "的话就"):
                break
            end += 1
        else:
            return False
        if end == self.index or self.nouns.at(end).text not in ("的话", "的话就"):
            return False
        self._close()
        text = "".join(t.text for t in self.tokens[self.index : end])
        if text in ("不在", "没有", "没", "不是", "没在", "没人", "不行") and self.last_condition is not None:
            # 「如果简在客厅就……，不在的话就回来」
            denied = self.last_condition
            self.condition = replace(denied, negated=not denied.negated, text="否则")
            self.index = end + 1
            while self._at().plays("punct", "then"):
                self.index += 1
            return True
        self.condition = replace(self._read_condition(self.index, end), text=f"如果{text}")
        self.last_condition = self.condition
        self.index = end + 1
        while self._at().plays("punct", "then"):
            self.index += 1
        return True

    def _none_left(self) -> bool:
        """Read 「给我拿可乐，没了就拿冰茶」「没有就拿梨」: the clause before did not work out."""
        if self._at().text not in ("没有", "没了", "没", "没有了", "要没有", "找不到", "找不着", "没找到"):
            return False
        end = self.index + 1
        while self.nouns.at(end).text in ("了", "的话", ","):
            end += 1
        if self.nouns.at(end).text not in ("就", "那就", "则", "的话就") or not (
            self.nouns.at(end + 1).has("verb") or self.nouns.at(end + 1).plays("ba", "give")
        ):
            return False
        if not self._sought():
            return False
        self._close()
        self.condition = self.last_condition = Condition(
            "failed", text="如果" + "".join(t.text for t in self.tokens[self.index : end])
        )
        self.settled.update(range(self.index, end))
        self.index = end + 1
        return True

    def _sought(self) -> bool:
        """Tell whether what was to be done before can fail for want of a thing."""
        if self.frame.action:
            return self.frame.action in ("bring", "take", "put", "find")
        before = self.clauses[-1] if self.clauses else None
        return (
            before is not None
            and before.action in ("bring", "take", "put", "find")
            and before.condition is None
        )

    def _without_it(self, token: Token) -> bool:
        """Read 「给我拿可乐，没有的话拿冰茶」."""
        if not token.text.startswith("没有") or self.last_condition is not None or not self._sought():
            return False
        self._close()
        self.condition = self.last_condition = Condition("failed", text=f"如果{token.text}")
        self.index += 1
        while self._at().plays("punct", "then"):
            self.index += 1
        return True

    def _answered(self, token: Token) -> bool:
        """Read 「看看冰箱里有没有牛奶，有就拿给我」: the answer decides what is done."""
        position = self.index
        if self.frame.action or not self._starts_segment(position):
            return False
        while self.nouns.at(position).plays("if"):
            position += 1
        word = self.nouns.at(position).text
        whole = word.endswith("的话") and word.removesuffix("的话") in _NO
        word = word.removesuffix("的话")
        after = position + 1
        if word in ("不", "没") and self.nouns.at(after).text in ("在", "有"):
            word, after = word + self.nouns.at(after).text, after + 1
        if word not in _YES and word not in _NO:
            return False
        end = after
        while self.nouns.at(end).plays("then", "punct") or self.nouns.at(end).text in (
            "了",
            "的话",
            "的话就",
        ):
            end += 1
        if (end == after and not whole) or not (
            self.nouns.at(end).has("verb") or self.nouns.at(end).plays("ba", "give", "toward", "not", "from")
        ):
            return False
        asked = self.clauses[-1] if self.clauses else None
        if asked is not None and asked.topic == "exists" and asked.theme is not None and not asked.negated:
            self.clauses.pop()
            subject = asked.theme if asked.theme.kind == "person" else replace(asked.theme, plural=False)
            base = Condition("exists", subject=subject, where=asked.where)
        elif self.last_condition is not None and self.last_condition.kind == "exists":
            base = replace(self.last_condition, negated=False)
        else:
            return False
        text = "如果" + "".join(t.text for t in self.tokens[position:after])
        self.condition = self.last_condition = replace(base, negated=word in _NO, text=text)
        self.settled.update(range(self.index, end))
        self.index = end
        return True

    def _starts_segment(self, position: int) -> bool:
        return position == 0 or self.nouns.at(position - 1).plays("punct", "conj", "mood")

    def _then_condition(self) -> bool:
        """Read 「冰箱里没有牛奶就拿橙汁」「简在客厅就告诉我」: a statement before 「就」."""
        end = self.index
        while end < len(self.tokens) and not self.nouns.at(end).plays("punct", "if", "unless", "then"):
            if self.nouns.at(end).plays("ba", "give") or (
                self.nouns.at(end).has("verb") and not self._noun_use(self.nouns.at(end))
            ):
                return False
            end += 1
        comma = self.nouns.at(end).text == ","
        then = end + 1 if comma else end
        if end == self.index or self.nouns.at(then).text not in ("就", "那就", "则", "那么", "那"):
            return False
        if not any(
            t.plays("have", "have_not", "at", "open", "closed", "empty", "battery")
            for t in self.tokens[self.index : end]
        ):
            return False
        if not (
            self.nouns.at(then + 1).has("verb")
            or self.nouns.at(then + 1).plays("ba", "give", "to", "not", "toward", "from")
        ):
            return False
        condition = self._read_condition(self.index, end)
        if condition.kind not in ("exists", "state", "fact"):
            return False
        self._close()
        text = "".join(t.text for t in self.tokens[self.index : end])
        self.condition = self.last_condition = replace(condition, text=f"如果{text}")
        self.index = then + 1
        return True

    def _read_condition(self, index: int, end: int) -> Condition:
        tokens = self.tokens[index:end]
        if any(t.plays("able") for t in tokens) or all(
            t.text in ("没有", "没", "找不到", "了") for t in tokens
        ):
            return Condition("failed")
        if any(t.plays("battery") for t in tokens):
            return _battery(tokens)
        seen = next(
            (
                i
                for i in range(index, end)
                if self.nouns.at(i).plays("see")
                or self.nouns.at(i).value("verb") == "find"
                or self.nouns.at(i).value("verb") == "meet"
            ),
            None,
        )
        if seen is not None:
            found = self.nouns.read(seen + 1)
            if found is not None and found[0].kind == "place":
                # 「看见浴室没人了」
                return self._existence(seen + 1, end)
            if found is not None:
                place = self._condition_place(index, seen)
                negated = any(
                    t.plays("have_not") or t.text in ("没", "没有", "不") for t in self.tokens[index:seen]
                )
                return Condition("exists", subject=found[0], where=place, negated=negated)
        for position in range(index, end):
            if self.nouns.at(position).plays("door"):
                return self._door(index, position, end)
        return self._existence(index, end)

    def _condition_place(self, index: int, end: int) -> Referent | None:
        for position in range(index, end):
            place = self.nouns.place(position)
            if place is not None:
                return place[0]
        return None

    def _door(self, index: int, position: int, end: int) -> Condition:
        door = Referent("object", text="门", name="door", definite=True)
        place = self._condition_place(index, position)
        if place is not None:
            door = replace(door, at=place)
        rest = self.tokens[position + 1 : end]
        negated = any(t.text in ("没", "没有", "不", "不是") for t in rest)
        for role, state in STATES.items():
            if any(t.plays(role) for t in rest):
                return Condition("state", subject=door, state=state, negated=negated)
        return Condition("unknown")

    def _used_up(self, position: int, end: int) -> bool:
        """Tell 「喝完了」 that was read as two words."""
        following = self.nouns.at(position + 1).text if position + 1 < end else ""
        return self.nouns.at(position).text in ("喝", "吃", "用") and following in (
            "完",
            "光",
            "完了",
            "光了",
        )

    def _existence(self, index: int, end: int) -> Condition:
        """Read 「厨房里有苹果」「简在客厅」「苹果不在桌上」「客厅没有人」."""
        negated = False
        subject: Referent | None = None
        place: Referent | None = None
        position = index
        while position < end:
            token = self.nouns.at(position)
            if token.text in ("喝完", "吃完", "用完", "没了", "喝光", "吃光", "用光") or self._used_up(
                position, end
            ):
                negated, position = True, position + 1
                continue
            if token.plays("have_not") or token.text in ("不", "不在", "没", "没有", "没有的话"):
                negated = True
                position += 1
                continue
            if token.plays("at"):
                found = self.nouns.place(position + 1)
                if found is not None:
                    place, position = found
                    continue
            found = self.nouns.read(position)
            if found is not None and found[1] > position and not found[0].unknown:
                if found[0].kind == "place" and place is None:
                    place = found[0]
                elif subject is None:
                    subject = found[0]
                position = found[1]
                continue
            if subject is not None and subject.kind == "person" and token.has("posture"):
                subject = replace(subject, posture=token.value("posture"))
            if subject is not None and subject.kind == "person" and token.has("gesture"):
                subject = replace(subject, gesture=token.value("gesture"))
            position += 1
        if subject is None and place is not None and any(t.plays("empty") for t in self.tokens[index:end]):
            return Condition("state", subject=place, state="empty", negated=negated)
        if subject is None:
            return Condition("unknown")
        if (
            subject.kind == "place"
            and place is None
            and any(t.plays("empty") for t in self.tokens[index:end])
        ):
            return Condition("state", subject=subject, state="empty", negated=negated)
        if subject.kind == "place":
            return Condition("unknown")
        op, value = _amount(self.tokens[index:end])
        if op == "<":
            # The same is counted for 「超过两个」 and for 「不到三个」.
            op, negated = ">=", not negated
        return Condition("exists", subject=subject, where=place, negated=negated, op=op, value=value)


_YES = frozenset(("有", "在", "有的", "有人", "开着", "是"))
_NO = frozenset(("没有", "没", "不在", "没了", "没人", "没有人"))
_BOUNDS = {"以上": ">=", "至少": ">=", "最少": ">=", "起码": ">=", "以下": "<=", "最多": "<=", "至多": "<="}


def _amount(tokens: list[Token]) -> tuple[str, float]:
    """Read 「超过三个」「两个以上」: the comparison and the number, ("", 0) when none was said."""
    number = next((chinese_number(t.text) for t in tokens if t.plays("number")), None)
    if number is None:
        return "", 0.0
    if any(t.plays("more") for t in tokens):
        return ">=", float(number + 1)
    if any(t.plays("less") for t in tokens):
        return "<", float(number)
    op = next((op for t in tokens for word, op in _BOUNDS.items() if word in t.text), "")
    return op or (">=" if number > 1 else ""), float(number) if op or number > 1 else 0.0


def _battery(tokens: list[Token]) -> Condition:
    op = "<" if any(t.plays("less") for t in tokens) else ">" if any(t.plays("more") for t in tokens) else ""
    number = next((t.text for t in tokens if t.plays("number")), "")
    negated = any(t.text in ("不", "没", "没有", "不是") for t in tokens)
    value = float(number) if number.replace(".", "").isdigit() else chinese_number(number) if number else None
    if op and value is not None:
        return Condition("fact", fact="battery.percent", op=op, value=float(value), negated=negated)
    if op == "<":
        return Condition("fact", fact="battery.percent", op="<", value=20.0, negated=negated)
    return Condition("unknown")
