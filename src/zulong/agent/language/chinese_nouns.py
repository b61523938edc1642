"""Chinese noun phrases: 「厨房里的红色的杯子」「正在挥手的人」「穿灰色大衣的人」."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from zulong.agent.language.meaning import Referent
from zulong.agent.language.tokens import Token, chinese_number

_HEADS = ("object", "category", "person", "person_noun", "placement", "room", "generic")
_SOMEBODY = frozenset(("那位", "这位", "那人", "这人", "那个人", "这个人", "此人"))
_SOMEWHAT = frozenset(("一点", "一点儿", "点", "点儿", "些", "一些"))
_LOCALISERS = ("inside", "on", "near")


@dataclass(slots=True)
class ChineseNounReader:
    """Reads noun phrases out of a list of tokens; positions are indices into it."""

    tokens: Sequence[Token]
    unweighed: dict[int, str] = field(default_factory=dict)
    """Denials inside a description, by their position: nothing can be looked for by them."""

    def at(self, index: int) -> Token:
        """Return the token at this position, an empty one beyond the end."""
        return self.tokens[index] if 0 <= index < len(self.tokens) else Token("")

    def read(self, index: int) -> tuple[Referent, int] | None:
        """Return the noun phrase that starts here and the position after it, None when there is none."""
        token = self.at(index)
        everyone = self._everyone(index)
        if everyone is not None:
            return everyone
        pronoun = self._pronoun(index)
        if pronoun is not None and not (token.plays("det") and self._goes_on(index + 1)):
            return pronoun
        return self._described(index)

    def _pronoun(self, index: int) -> tuple[Referent, int] | None:
        token = self.at(index)
        text = token.text
        if token.plays("me"):
            # 「我的杯子」「我这里」 begin otherwise.
            if self.at(index + 1).plays("de") and self._goes_on(index + 2):
                return self._described(index + 2)
            if self.at(index + 1).plays("nickname"):
                # 「我妈」
                kin = text + self.at(index + 1).text
                return Referent("person", text=kin, name=kin, unknown=True, definite=True), index + 2
            if self.at(index + 1).plays("here", "near"):
                return Referent("place", text=text, pronoun="back", definite=True), index + 2
            return Referent("person", text=text, pronoun="me", definite=True), index + 1
        if token.plays("here"):
            return Referent("place", text=text, pronoun="back", definite=True), index + 1
        if token.plays("start"):
            return Referent("place", text=text, pronoun="start", definite=True), index + 1
        if token.plays("there") and not self._goes_on(index + 1) and not self._of_there(index):
            return Referent("place", text=text, pronoun="there", definite=True), index + 1
        before = self.at(index - 1)
        if text in _SOMEBODY and (before.plays(*_LOCALISERS, "de") or before.has("room", "placement")):
            # 「书桌旁边那人」
            return Referent("person", text=text, definite=True), index + 1
        if token.plays("pron"):
            if self.at(index + 1).plays("de") and self._goes_on(index + 2):
                return None
            kind = "object" if text in ("它", "它们", "那东西", "这东西") else "person"
            pronoun = {
                "它": "it",
                "它们": "it",
                "他": "him",
                "她": "her",
                "那东西": "it",
                "这东西": "it",
            }.get(text, "them")
            if kind == "object":
                return Referent("object", text=text, pronoun=pronoun, definite=True), index + 1
            return Referent("person", text=text, pronoun=pronoun, definite=True), index + 1
        if (
            token.plays("det")
            and text in ("这个", "那个", "这", "那", "这些", "那些")
            and not self._goes_on(index + 1)
        ):
            return Referent("object", text=text, pronoun="it", definite=True), index + 1
        return None

    def _of_there(self, index: int) -> bool:
        """Tell 「那里的人」."""
        return self.at(index + 1).plays("de") and self.at(index + 2).has(*_HEADS)

    def _everyone(self, index: int) -> tuple[Referent, int] | None:
        if not self.at(index).plays("everyone"):
            return None
        return Referent("person", text=self.at(index).text, number=-1, plural=True, definite=True), index + 1

    def _goes_on(self, index: int) -> bool:
        """Tell whether a noun phrase can go on here."""
        token = self.at(index)
        return (
            token.has(*_HEADS, "colour", "superlative", "size", "posture", "gesture")
            or token.plays("wear", "measure", "everyone", "nickname")
            or self._plain(index)
            or token.text in _SOMEBODY
            or (token.plays("zhe") and self.at(index + 1).has("posture", "gesture"))
            or (token.plays("at") and self.at(index + 1).has("room", "placement"))
        )

    def _plain(self, index: int) -> bool:
        token = self.at(index)
        return bool(token.text) and not token.roles and not token.senses

    def _described(self, index: int) -> tuple[Referent, int] | None:
        """Collect modifiers until the head."""
        start = index
        base = Referent("object", definite=True)
        said = False
        while index < len(self.tokens):
            step = self._modifier(base, index)
            if step is None:
                break
            base, index = step
            said = True
        headed = self._head(base, index, said)
        if headed is None:
            return None
        referent, index = headed
        text = "".join(token.text for token in self.tokens[start:index])
        return replace(referent, text=text), index

    def _modifier(self, base: Referent, index: int) -> tuple[Referent, int] | None:
        token = self.at(index)
        after = self.at(index + 1)
        if token.plays("number") and after.plays("measure"):
            number = chinese_number(token.text)
            return replace(base, number=number, definite=False), index + 2
        if token.plays("number") and after.has(*_HEADS):
            return replace(base, number=chinese_number(token.text), definite=False), index + 1
        if token.plays("any"):
            return replace(base, definite=False), index + (2 if after.plays("measure", "de") else 1)
        if token.plays("all") and self._goes_on(index + 1):
            return replace(base, number=-1), index + 1
        if token.plays("det") and self._goes_on(index + 1):
            end = index + (2 if after.plays("measure") and not after.has("object") else 1)
            return replace(base, demonstrative=True), end
        if (
            token.plays("measure")
            and not token.plays("ba")
            and (not token.has(*_HEADS) or self._fills(index))
            and self._goes_on(index + 1)
        ):
            return replace(base, definite=False), index + 1
        if token.plays("pron") and after.plays("de"):
            return base, index + 2
        if token.has("superlative"):
            return replace(base, superlative=token.value("superlative")), self._skip_de(index + 1)
        if token.has("colour") and not (
            token.has("object") and not after.plays("de") and not after.has(*_HEADS)
        ):
            return replace(base, colour=token.value("colour")), self._skip_de(index + 1)
        if token.has("size") and after.text in _SOMEWHAT and self.at(index + 2).plays("de"):
            # 「大一点的碗」
            return replace(base, size=token.value("size")), self._skip_de(index + 2)
        if token.has("size") and not token.has(*_HEADS) and self._goes_on(self._skip_de(index + 1)):
            return replace(base, size=token.value("size")), self._skip_de(index + 1)
        if token.text in ("没", "没有", "不", "未") and (
            after.plays("wear") or after.has("posture", "gesture")
        ):
            denied = self._modifier(base, index + 1)
            if denied is not None:
                self.unweighed[index] = token.text
            return denied
        if token.plays("wear"):
            return self.garment(base, index)
        if token.plays("zhe", "at") and after.has("gesture", "posture"):
            return self._modifier(base, index + 1)
        if token.has("gesture") and self.before_person(index + 1):
            return replace(base, kind="person", gesture=token.value("gesture")), self._skip_de(index + 1)
        if token.has("posture") and self.before_person(index + 1):
            return replace(base, kind="person", posture=token.value("posture")), self._skip_de(index + 1)
        if (token.plays("at") and after.has("placement", "room")) or (
            token.plays("at") and after.plays("here", "there", "det")
        ):
            located = self._place_modifier(base, index + 1)
            if located is not None and base.at is None:
                return located
        if token.has("placement", "room") and base.at is None:
            return self._place_modifier(base, index)
        if token.plays("there") and self._of_there(index) and base.at is None:
            return replace(
                base, at=Referent("place", text=token.text, pronoun="there", definite=True)
            ), index + 2
        if token.plays("named") and after.has("person"):
            sense = after.need("person")
            return replace(base, kind="person", name=sense.value, ids=sense.ids), self._skip_de(index + 2)
        if token.plays("have") and after.has("placement"):
            return None
        return None

    def _fills(self, index: int) -> bool:
        """Tell 「端碗番茄汤」 from 「端碗」: what follows the vessel at once is in it."""
        before, after = self.at(index - 1), self.at(index + 1)
        return after.has("object", "category") and (before.has("verb") or before.plays("f:carry", "number"))

    def before_person(self, index: int) -> bool:
        """Tell 「躺着的人」 from 「躺在床上」: a person must follow the modifiers."""
        for ahead in range(index, min(index + 8, len(self.tokens))):
            token = self.at(ahead)
            if token.has("person_noun") or token.text in _SOMEBODY:
                return True
            modifier = token.plays(
                "de", "zhe", "wear", "measure", "number", "det", "mood", "at", "inside", "on", "near"
            ) or token.has("gesture", "posture", "colour", "garment", "room", "placement")
            if not modifier:
                return False
        return False

    def _skip_de(self, index: int) -> int:
        while self.at(index).plays("de") or self.at(index).text in ("着", "着的"):
            index += 1
        return index

    def garment(self, base: Referent, index: int) -> tuple[Referent, int] | None:
        index += 1
        if self.at(index).plays("number") and self.at(index + 1).plays("measure"):
            index += 2
        elif self.at(index).plays("measure"):
            index += 1
        colour = ""
        if self.at(index).has("colour"):
            colour = self.at(index).value("colour")
            index = self._skip_de(index + 1)
        garment = ""
        if self.at(index).has("garment"):
            garment = self.at(index).value("garment")
            index += 1
        elif self.at(index).text in ("衣服", "上衣") or self.at(index).has("attribute"):
            index += 1
        elif self._plain(index):
            return replace(base, kind="person", garment=self.at(index).text, unknown=True), self._skip_de(
                index + 1
            )
        if not colour and not garment:
            return None
        return replace(base, kind="person", garment=garment, garment_colour=colour), self._skip_de(index)

    def _place_modifier(self, base: Referent, index: int) -> tuple[Referent, int] | None:
        """Read 「厨房里的」 in front of a noun; None when the place itself is the head."""
        found = self.place(index)
        if found is None:
            return None
        place, end = found
        localised = end > index + 1
        de = self.at(end).plays("de")
        after = self._skip_de(end)
        if self.at(after).plays("number") and self.at(after + 1).plays("times"):
            return None
        if not (self._goes_on(after) or self.at(after).plays("number", "det", "any", "all")):
            return None
        if not de and not localised and self.at(after).has("placement", "room"):
            return replace(base, at=place), after
        if not de and not self._starts_noun(after):
            return None
        return replace(base, at=place), after

    def _starts_noun(self, index: int) -> bool:
        """Tell whether a noun phrase with a head other than a verb's object starts here."""
        token = self.at(index)
        if token.plays("number", "det", "everyone", "all"):
            return True
        return (
            token.has(*_HEADS, "colour", "superlative", "size", "posture", "gesture")
            or token.plays("wear", "zhe")
            or token.text in _SOMEBODY
        )

    def place(self, index: int) -> tuple[Referent, int] | None:
        """Read a place and its localiser: 「厨房里」「桌子旁边」「厨房的桌子上」."""
        start = index
        token = self.at(index)
        pronoun = self._pronoun(index)
        if pronoun is not None and pronoun[0].kind == "place":
            return pronoun
        if token.plays("det") and self.at(index + 1).has("room", "placement"):
            index += 1
            token = self.at(index)
        if not token.has("room", "placement"):
            return None
        sense = token.need("placement", "room") if not token.has("room") else token.need("room", "placement")
        place = Referent("place", name=sense.value, ids=sense.ids, definite=True)
        index += 1
        after = self._skip_de(self._localiser(index))
        if token.has("room") and self.at(after).has("placement"):
            inner = self.at(after).need("placement")
            place = Referent("place", name=inner.value, ids=inner.ids, definite=True, at=place)
            index = after + 1
        relation = ""
        for role in ("behind", "below", "left_of", "right_of", "in_front_of", "above"):
            if self.at(index).plays(f"relation:{role}") and len(self.at(index).text) > 1:
                relation = role
        end = self._localiser(index)
        if relation and end == index:
            end = index + 1
        text = "".join(t.text for t in self.tokens[start:end])
        return replace(place, text=text, relation=relation), end

    def _localiser(self, index: int) -> int:
        while self.at(index).plays(*_LOCALISERS) or (
            self.at(index).text in ("这边", "这儿", "这里") and not self.at(index - 1).plays("here")
        ):
            index += 1
        return index

    def _head(self, base: Referent, index: int, said: bool) -> tuple[Referent, int] | None:
        token = self.at(index)
        sense = token.sense(*_HEADS)
        if sense is not None and not (token.plays("door") and not token.has("object")):
            if sense.kind in ("room", "placement"):
                place = self.place(index)
                if place is None:
                    return None
                return replace(place[0], at=place[0].at or base.at, demonstrative=base.demonstrative), place[
                    1
                ]
            if sense.kind == "person":
                return replace(base, kind="person", name=sense.value, ids=sense.ids), index + 1
            if sense.kind == "person_noun":
                gender = sense.value if sense.value != "anyone" else base.gender
                if self.at(index + 1).has("person_noun"):
                    index += 1
                return replace(base, kind="person", gender=gender), index + 1
            if sense.kind == "category":
                return replace(base, category=sense.value, ids=sense.ids), index + 1
            if sense.kind == "generic":
                return base, index + 1
            relation = self._relation(base, sense.value, sense.ids, index)
            if relation is not None:
                return relation
            return replace(
                base, name=sense.value, ids=sense.ids, colour=sense.colour or base.colour
            ), index + 1
        if token.text in _SOMEBODY and (said or not token.plays("pron")):
            return replace(base, kind="person"), index + 1
        if token.plays("nickname"):
            return replace(base, kind="person", name=token.text, unknown=True), index + 1
        if token.plays("everyone"):
            return replace(base, kind="person", number=-1, plural=True), index + 1
        counted = base.number is not None and base.number > 0 and said
        ends = not token.text or token.plays("punct", "mood", "conj", "give", "to", "complement")
        if counted and (ends or token.has("verb")) and replace(base, number=None, definite=True).is_bare():
            # 「拿一瓶」: one of what was spoken of.
            return replace(base, number=None if base.number == 1 else base.number, pronoun="it"), index
        if self._plain(index):
            after = self._skip_de(index + 1)
            if base.kind != "person" and self.at(after).has("object", "category", "generic"):
                # 「破的盘子」「热咖啡」: what nobody can tell by looking at the map.
                described = "".join(t.text for t in self.tokens[index : after + 1])
                return replace(base, name=described, unknown=True), after + 1
            if base.kind == "person":
                return replace(base, name=token.text, unknown=True), index + 1
            return replace(base, name=token.text, unknown=True), index + 1
        if base.colour and token.plays("noun_and"):
            ahead = self.read(index + 1)
            if ahead is not None and ahead[0].colour and ahead[0].name and ahead[0].kind == "object":
                # 「红的和蓝的杯子」
                return replace(base, name=ahead[0].name, ids=ahead[0].ids), index
        if (
            said
            and base.kind == "person"
            and (base.garment or base.garment_colour or base.gesture or base.posture)
        ):
            # 「厨房里穿红衬衫的」
            return base, index
        if said and (base.colour or base.superlative or base.demonstrative or base.number is not None):
            return base, index
        return None

    def _relation(
        self, base: Referent, name: str, ids: tuple[str, ...], index: int
    ) -> tuple[Referent, int] | None:
        """Read 「碗后面的东西」: the thing that stands in relation to this one."""
        for role in ("behind", "below", "left_of", "right_of", "in_front_of", "above"):
            if self.at(index + 1).plays(f"relation:{role}") or (
                role == "above" and self.at(index + 1).plays("on")
            ):
                after = self._skip_de(index + 2)
                if self.at(after).has("generic", "object", "category"):
                    target = Referent(
                        "object", text=name, name=name, ids=ids, definite=True, colour=base.colour
                    )
                    head = self._head(replace(base, colour=""), after, True)
                    if head is not None:
                        return replace(head[0], relation=role, relatum=target), head[1]
        return None
