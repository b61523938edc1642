"""Chinese questions, by themselves or inside 「告诉我……」."""

from __future__ import annotations

from dataclasses import dataclass, replace

from zulong.agent.language.chinese_conditions import ChineseConditions
from zulong.agent.language.chinese_cursor import Frame
from zulong.agent.language.meaning import Referent
from zulong.agent.language.tokens import Token


@dataclass(slots=True)
class _Asked:
    """What a question is about, as far as it was read."""

    subject: Referent | None
    place: Referent | None
    attribute: Token | None = None


class ChineseQuestions(ChineseConditions):
    """Reads questions: where, who, what, how many, is there."""

    def _question(self, token: Token) -> bool:
        """Read a question from here to the end of the clause; True when it is one."""
        end = self.index
        while end < len(self.tokens) and not self.nouns.at(end).plays("punct"):
            if self.nouns.at(end).plays("conj") and self.nouns.at(end).text in (
                "然后",
                "接着",
                "并",
                "再",
                "随后",
                "并且",
            ):
                break
            end += 1
        roles = {role for t in self.tokens[self.index : end] for role in t.roles}
        if not roles & {"howmany", "where", "what", "who", "have_or_not"} and not self._is_yes_no(end):
            return False
        if self.frame.action == "go":
            self._close()
        frame = self.frame
        if not frame.action and self._verb_before_question(end):
            return False
        if frame.action and frame.action not in ("tell", "ask", "count", "find"):
            return False
        if frame.action == "ask" and frame.recipient is not None:
            return False
        if "howmany" in roles:
            return self._how_many(end)
        if "where" in roles:
            return self._where(end)
        if "who" in roles:
            return self._who(end)
        if "what" in roles:
            return self._what(end)
        return self._exists(end)

    def _is_yes_no(self, end: int) -> bool:
        """Tell 「厨房里有苹果吗」."""
        words = self.tokens[self.index : end]
        if not words or (self.frame.action in ("tell", "ask") and self.frame.text):
            return False
        asking = (
            any(t.text in ("吗", "么") for t in words)
            or words[-1].text in ("没有", "没")
            or any(t.text in ("是不是", "是否", "有没有") for t in words)
        )
        about = any(
            t.plays("have", "door", "at", "see") or t.text == "还有" or t.has("posture", "gesture")
            for t in words
        )
        return asking and about

    def _verb_before_question(self, end: int) -> bool:
        """Tell whether a verb other than those of speech stands between here and the end of the clause."""
        for position in range(self.index, end):
            token = self.nouns.at(position)
            if token.plays("howmany", "where", "what", "who"):
                return False
            if token.has("verb") and not self._noun_use(token) and not token.plays("see", "where", "wear"):
                return True
        return False

    def _asking(self, topic: str) -> Frame:
        frame = self.frame
        if not frame.action or frame.action == "find":
            frame.asked = not frame.action
            frame.action = "tell"
        frame.topic = topic
        return frame

    def _describe_all(self, end: int) -> tuple[Referent | None, Referent | None, Token | None]:
        """Collect what the question is about between here and ``end``: the subject, a place, an attribute."""
        theme = self.frame.theme
        asked = _Asked(theme if theme is not None and theme.kind != "place" else None, self.frame.where)
        position = self.index
        while position < end:
            token, after = self.nouns.at(position), self.nouns.at(position + 1)
            denied = token.text in ("没", "没有", "不", "不是") and after.has("posture", "gesture")
            if token.plays("except") or denied or (token.text == "没" and after.plays("wear")):
                self.leftover.append(token.text)
            position = (
                self._asked_place(asked, position)
                or self._asked_trait(asked, position)
                or self._asked_thing(asked, position)
            )
        return asked.subject, asked.place, asked.attribute

    def _asked_place(self, asked: _Asked, position: int) -> int:
        """Read a place; return the position after it, 0 when there is none here."""
        token = self.nouns.at(position)
        if (
            token.plays("at")
            and (found := self.nouns.place(position + 1)) is not None
            and not self.nouns.at(found[1]).plays("de")
        ):
            asked.place = found[0]
            return found[1]
        if token.has("attribute") and not token.has("verb"):
            asked.attribute = token
            return position + 1
        spot = self.nouns.place(position) if token.has("room", "placement") else None
        if spot is None or self.nouns.at(spot[1]).plays("de"):
            return 0
        if asked.place is not None and asked.place.name != spot[0].name:
            self.leftover.append(spot[0].text)
        asked.place = asked.place or spot[0]
        return spot[1]

    def _asked_trait(self, asked: _Asked, position: int) -> int:
        """Read what somebody wears, how somebody stands, or which of several is meant."""
        token, after = self.nouns.at(position), self.nouns.at(position + 1)
        somebody = asked.subject or Referent("person", text="人")
        if token.plays("wear"):
            garment = self.nouns.garment(somebody, position)
            if garment is not None:
                asked.subject = replace(garment[0], kind="person")
                return garment[1]
            if after.plays("what"):
                asked.attribute = token
        if token.has("posture", "gesture") and not self.nouns.before_person(position + 1):
            kind = "posture" if token.has("posture") else "gesture"
            posed = replace(somebody, kind="person")
            value = token.value(kind)
            asked.subject = (
                replace(posed, posture=value) if kind == "posture" else replace(posed, gesture=value)
            )
            return position + 1
        if token.has("superlative") and asked.subject is not None:
            asked.subject = replace(asked.subject, superlative=token.value("superlative"))
            return position + 1
        if token.plays("me", "you") or (token.plays("pron") and after.plays("howmany")):
            return position + 1
        return 0

    def _asked_thing(self, asked: _Asked, position: int) -> int:
        """Read the thing or person that is asked about, or pass a word by."""
        token = self.nouns.at(position)
        plain = token.plays("howmany", "what", "where", "who", "be", "have", "mood")
        found = None if plain else self.nouns.read(position)
        if found is None or found[1] <= position or (found[0].unknown and found[0].kind != "person"):
            if not token.roles and not token.senses:
                self.leftover.append(token.text)
            return position + 1
        referent, subject = found[0], asked.subject
        if referent.kind == "place":
            asked.place = asked.place or referent
        elif subject is None or (subject.is_bare() and not referent.is_bare()) or not subject.text:
            at = subject.at if subject is not None else None
            asked.subject = replace(referent, at=referent.at or at)
        elif referent.kind == subject.kind == "person" and referent.gender and not referent.name:
            # 「穿蓝外套的姑娘」
            asked.subject = replace(subject, gender=referent.gender)
        elif referent.kind == subject.kind and referent != subject and not referent.is_bare():
            self.leftover.append(referent.text)
        return found[1]

    def _how_many(self, end: int) -> bool:
        number = next((t.text for t in self.tokens[self.index : end] if t.plays("howmany")), "")
        if number in ("几", "几个") and self.frame.action in ("find",):
            return False
        subject, place, _ = self._describe_all(end)
        if subject is None:
            subject = Referent("person", text="人") if number in ("几位", "人数", "多少位") else None
        if subject is None:
            if self.clauses or self.frame.action or number not in ("多少个", "几个", "个数", "总数", "数量"):
                return False
            frame = self._asking("count")
            frame.where, self.index = place, end
            return True
        frame = self._asking("count")
        frame.theme = replace(subject, plural=True)
        frame.where = place
        self.index = end
        return True

    def _where(self, end: int) -> bool:
        subject, place, _ = self._describe_all(end)
        if subject is None:
            if place is None:
                return False
            subject = place
        frame = self._asking("where")
        frame.theme, frame.where = subject, None
        self.index = end
        return True

    def _who(self, end: int) -> bool:
        for position in range(self.index, end):
            if self.nouns.at(position).plays("who") and self.nouns.at(position + 1).text in ("都", "也"):
                # 「谁都不要去厨房」 asks nothing.
                self.leftover.append(self.nouns.at(position).text)
                self.index = position + 2
                return True
        subject, place, _ = self._describe_all(end)
        frame = self._asking("attribute")
        frame.attribute = "name"
        frame.theme = (
            subject if subject is not None and subject.kind == "person" else Referent("person", text="人")
        )
        frame.where = place
        self.index = end
        return True

    def _what(self, end: int) -> bool:
        words = self.tokens[self.index : end]
        topic = next((t for t in words if t.has("topic")), None)
        if topic is not None:
            frame = self._asking(topic.value("topic"))
            self.index = end
            return True
        subject, place, attribute = self._describe_all(end)
        if subject is None and place is None and any(t.plays("see") for t in words):
            frame = self._asking("property")
            frame.theme, frame.attribute, self.index = (
                Referent("object", text="东西", plural=True),
                "here",
                end,
            )
            return True
        if attribute is not None:
            frame = self._asking("attribute")
            frame.attribute = "clothes" if attribute.plays("wear") else attribute.value("attribute")
            frame.theme = subject or Referent("person", text="人")
            frame.where = place
            self.index = end
            return True
        if any(t.plays("named") for t in words) and subject is not None and subject.kind == "person":
            frame = self._asking("attribute")
            frame.attribute, frame.theme, frame.where = "name", subject, place
            self.index = end
            return True
        if subject is None and place is None and not any(t.plays("have") for t in words):
            return False
        frame = self._asking("property")
        frame.theme = subject or Referent("object", text="东西", plural=True)
        frame.where = place
        self.index = end
        return True

    def _exists(self, end: int) -> bool:
        for position in range(self.index, end):
            if self.nouns.at(position).plays("door"):
                return self._door_question(position, end)
        posed = next((t for t in self.tokens[self.index : end] if t.has("posture", "gesture")), None)
        subject, place, _ = self._describe_all(end)
        if subject is None:
            return False
        if place is None and any(t.plays("see") for t in self.tokens[self.index : end]):
            # 「你看见我的书了吗」
            frame = self._asking("where")
            frame.theme, frame.where, self.index = subject, None, end
            return True
        anybody = any(t.plays("have", "have_or_not") for t in self.tokens[self.index : end])
        if posed is not None and subject.kind == "person" and (subject.name or (place and not anybody)):
            frame = self._asking("attribute")
            frame.attribute = "pose" if posed.has("posture") else "gesture"
            frame.theme, frame.where, self.index = replace(subject, posture="", gesture=""), place, end
            return True
        frame = self._asking("exists")
        frame.theme, frame.where = subject, place
        self.index = end
        return True

    def _door_question(self, position: int, end: int) -> bool:
        """Read 「门开着吗」."""
        condition = self._door(self.index, position, end)
        if condition.kind != "state":
            return False
        frame = self._asking("state")
        frame.theme, frame.text, self.index = condition.subject, condition.state, end
        return True
