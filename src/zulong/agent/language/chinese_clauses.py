"""Chinese clauses: the verb, and what stands before and after it."""

from __future__ import annotations

from dataclasses import replace

from zulong.agent.language.chinese_cursor import FEELINGS, MOVING, WANTING, Frame
from zulong.agent.language.chinese_speech import ChineseSpeech
from zulong.agent.language.meaning import Referent
from zulong.agent.language.tokens import Token


class ChineseClauses(ChineseSpeech):
    """Reads clauses."""

    def _verb(self, token: Token) -> None:
        sense = token.sense("danger", "verb")
        action = "dangerous" if sense is None or sense.kind == "danger" else sense.value
        frame = self.frame
        if token.text in ("找到", "看到", "见到") and self._found_then():
            return
        if token.text == "来" and self._at(1).plays("number") and self._at(2).plays("times"):
            # 「再来一次」: what was done is to be done again, nobody is to come.
            self.leftover.append("".join(self._at(offset).text for offset in range(3)))
            self.index += 3
            return
        if token.text == "来" and not frame.action and self._served_here():
            return
        if frame.action and not self._complements(frame, token, action):
            then = self._at(-1).plays("then")
            if (
                token.text in ("过来", "过去", "来", "去", "回来", "回去")
                and frame.action in MOVING
                and not then
            ):
                self._direction(frame, token)
                return
            self._close()
            frame = self.frame
        elif frame.action:
            self.index += 1
            return
        if action == "go" and token.text in ("来", "去") and self._is_auxiliary():
            self.index += 1
            return
        frame.action, frame.verb = action, token.text
        self._doubt(frame, token, action)
        if frame.theme is not None and frame.theme.kind == "place" and action != "go":
            frame.where, frame.theme = frame.where or frame.theme, None
        self.index += 1
        if action in ("tell", "ask"):
            self._speech(frame)
        elif action == "go":
            self._go(frame)

    def _doubt(self, frame: Frame, token: Token, action: str) -> None:
        """Note what shows that this is no order, or not all of one."""
        speaker = frame.theme
        speaks = speaker is not None and speaker.kind == "person" and speaker.pronoun != "you"
        said = action in ("tell", "ask") and frame.recipient is None and not frame.handled
        if speaker is not None and speaks and said and token.text in ("说", "讲", "喊", "问"):
            # 「简说晚饭好了」「我说开始你就去厨房」 order nothing.
            self.leftover.append(speaker.text + token.text)
        if action == "bring" and len(token.text) > 1 and token.text.endswith("给"):
            # 「拿给」 and nobody after it.
            self.leftover.append(token.text)

    def _served_here(self) -> bool:
        """Read 「来杯果汁」「来一杯咖啡」: it is to be brought."""
        counted = self._at(1).plays("measure", "any") or (
            self._at(1).plays("number") and self._at(2).plays("measure")
        )
        found = self.nouns.read(self.index + 1) if counted else None
        if found is None or found[0].kind != "object":
            return False
        topic = self.frame.theme
        if _counts(found[0]) and topic is not None and topic.kind == "object" and not topic.pronoun:
            # 「可乐来一瓶」
            found = replace(topic, number=found[0].number, definite=False), found[1]
        self.frame.action, self.frame.verb, self.frame.theme = "bring", "来", found[0]
        self.frame.recipient = Referent("person", text="我", pronoun="me", definite=True)
        self.index = found[1]
        return True

    def _found_then(self) -> bool:
        """Skip 「找到了」 in 「去找简，找到了告诉我」: it only says when the next is to be done."""
        end = self.index + 1
        while self.nouns.at(end).text in ("了", "后", "以后", "之后", "就", "的话", "的话就", ","):
            end += 1
        if end == self.index + 1 or not (self.clauses or self.frame.action):
            return False
        if not (self.nouns.at(end).has("verb") or self.nouns.at(end).plays("ba")):
            return False
        self._close()
        self.index = end
        return True

    def _is_auxiliary(self) -> bool:
        """Tell 「去拿」 (go and) from 「去厨房」."""
        return self._at(1).has("verb") and not self._at(1).has("object", "room", "placement")

    def _complements(self, frame: Frame, token: Token, action: str) -> bool:
        """Tell a second verb that only completes the first: 「拿起来」「找到」."""
        if frame.action == "stop" and frame.verb in ("停止", "停", "别再"):
            return True
        if token.text in ("放好", "摆好", "放下", "放着", "收好") and frame.goal is not None:
            # 「拿到洗碗机那里放好」
            return frame.action in ("bring", "put", "take")
        if token.plays("complement") and token.text in ("起来", "走", "好", "住", "完", "看", "一看", "一下"):
            return True
        return frame.action == "find" and frame.theme is None and action == "find"

    def _direction(self, frame: Frame, token: Token) -> None:
        """Read 「拿过来」「带过去」, with a place after it when there is one."""
        place = self.nouns.read(self.index + 1)
        self.index += 1
        if place is not None and place[0].kind == "place":
            frame.goal, self.index = place
        elif frame.goal is not None and frame.goal.name:
            # 「端到客厅来」: the place was said.
            return
        elif token.text in ("过来", "来", "回来") and frame.action in ("bring", "take", "put"):
            frame.action = "bring"
            frame.recipient = frame.recipient or Referent("person", text="我", pronoun="me", definite=True)
        elif token.text in ("过来", "来", "回来") and frame.action in ("guide", "go"):
            frame.goal = frame.goal or Referent("place", text=token.text, pronoun="back", definite=True)

    def _go(self, frame: Frame) -> None:
        if (
            frame.verb in ("过来", "来", "回来", "返回", "回去")
            and not self._at().has("room", "placement")
            and not self._at().plays("me", "here")
            and not self._at().has("verb")
            and frame.goal is None
        ):
            frame.goal = Referent("place", text=frame.verb, pronoun="back", definite=True)
            return
        found = self.nouns.read(self.index)
        if found is None:
            return
        referent, end = found
        if referent.kind == "place":
            frame.goal = referent
        elif referent.kind == "person":
            if referent.pronoun == "me" and self.nouns.at(end).plays("here", "near", "inside"):
                end += 1
            if referent.pronoun == "me":
                frame.goal = Referent("place", text=referent.text, pronoun="back", definite=True)
            else:
                frame.theme = referent
                while self.nouns.at(end).plays("near", "here", "there"):
                    end += 1
        elif referent.unknown:
            frame.goal = replace(referent, kind="place")
        else:
            return
        self.index = end

    def _ba(self) -> None:
        if self.frame.action:
            self._close()
        subject = self.frame.theme
        if subject is not None and subject.kind == "person" and not subject.at:
            # 「我把苹果放在书桌上了」 is no order.
            self.leftover.append(subject.text)
        found = self.nouns.read(self.index + 1)
        self.index += 1
        if found is None:
            self.leftover.append(self._at(-1).text + self._at().text)
            return
        self.frame.theme, self.index = found
        self.frame.handled = True
        if self._at().plays("all") and self.frame.theme.kind == "object":
            if self.frame.theme.number is None:
                self.frame.theme = replace(self.frame.theme, number=-1)
            self.index += 1
        if self._at().plays("de") and self._at(1).has("attribute"):
            self.frame.topic, self.frame.attribute = "attribute", self._at(1).value("attribute")
            self.index += 2
        while self._at().plays("noun_and") or self._at().text == "、":
            more = self.nouns.read(self.index + 1)
            if more is None or more[0].kind != "object":
                break
            self.frame.more = (*self.frame.more, more[0])
            self.index = more[1]

    def _from(self) -> None:
        if (self.frame.action and self.frame.source is not None) or self.frame.action == "go":
            self._close()
        found = self.nouns.read(self.index + 1)
        self.index += 1
        if found is not None and found[0].kind in ("place", "person"):
            if found[0].pronoun in ("me", "back"):
                self.index = found[1]
                return
            self.frame.source, self.index = found

    def _give(self, token: Token) -> bool:
        """Read 「给我」「给简」 as the one who gets it."""
        if not token.plays("give") and not (
            token.has("verb") and token.value("verb") == "bring" and token.text.endswith("给")
        ):
            return False
        found = self.nouns.read(self.index + 1)
        if found is None or found[0].kind != "person":
            return False
        frame = self.frame
        if frame.action == "tell" or frame.action == "go":
            self._close()
            frame = self.frame
        if frame.action and frame.recipient is not None and frame.action != "bring":
            self._close()
            frame = self.frame
        frame.recipient, self.index = found
        if not frame.action and (frame.theme is None or frame.apart):
            # 「给简和罗宾各拿一个」: each of them gets one.
            frame.others, self.index = self._listed(self.index)
        if (
            not frame.action
            and frame.theme is not None
            and self._at().value("verb") in ("bring", "take", "put")
        ):
            # 「把书给我拿过来」「都给我移到餐桌」: the verb is still to come.
            frame.favour = frame.recipient.pronoun == "me"
            return True
        if not frame.action and (frame.theme is not None or not self._more_verb()):
            frame.action, frame.verb = "bring", token.text
        elif frame.action in ("take", "find", "put", "missing:pour"):
            if frame.action == "find" and frame.theme is not None:
                theme = frame.theme
                recipient = frame.recipient
                frame.recipient = None
                self._close()
                self.frame.action, self.frame.verb, self.frame.recipient = "bring", token.text, recipient
                self.frame.theme = replace(theme, pronoun="it", at=None) if theme.kind == "object" else None
            elif frame.action in ("take", "put"):
                frame.action = "bring"
        return True

    def _for(self, token: Token) -> bool:
        """Read 「帮简拿个苹果」: it is Jane who gets it."""
        if token.text not in ("帮", "替", "为") or self.frame.action:
            return False
        found = self.nouns.read(self.index + 1)
        if found is None or found[0].kind != "person" or found[0].pronoun in ("me", "you"):
            return False
        position = found[1]
        while position < len(self.tokens) and not self.nouns.at(position).plays("punct", "conj"):
            if self.nouns.at(position).value("verb") in ("bring", "take", "find"):
                self.frame.recipient = found[0]
                self.frame.others, self.index = self._listed(found[1])
                return True
            position += 1
        return False

    def _more_verb(self) -> bool:
        """Tell whether a verb follows in this clause."""
        position = self.index
        while position < len(self.tokens) and not self.nouns.at(position).plays("punct", "conj"):
            if self.nouns.at(position).has("verb") and not self._noun_use(self.nouns.at(position)):
                return True
            position += 1
        return False

    def _to(self, token: Token) -> bool:
        """Read 「到厨房」「去厨房」 after the verb as where it ends."""
        frame = self.frame
        if (
            not token.plays("to")
            or self._at(-1).plays("then")
            or not frame.action
            or frame.action not in ("bring", "take", "put", "guide", "follow")
        ):
            if (
                token.plays("to")
                and not frame.action
                and (frame.source is not None or frame.theme is not None)
                and not token.plays("complement")
            ):
                return False
            return False
        found = self.nouns.read(self.index + 1)
        if found is None:
            return False
        referent, end = found
        if referent.kind == "place":
            if frame.goal is not None:
                return False
            frame.goal, self.index = referent, end
            return True
        if referent.kind == "person" and frame.action in ("bring", "take", "put"):
            frame.recipient, self.index = referent, end
            while self._at().plays("near", "here", "there"):
                self.index += 1
            return True
        if referent.pronoun == "me" or (referent.kind == "person" and frame.action == "guide"):
            frame.goal = referent
            self.index = end
            while self._at().plays("near", "here", "there"):
                self.index += 1
            return True
        if referent.unknown:
            frame.goal, self.index = replace(referent, kind="place"), end
            return True
        return False

    def _located(self, token: Token) -> bool:
        """Read 「在厨房」 before or after the verb."""
        again = bool(self.clauses) and self._at(-1).plays("punct", "conj")
        if not token.plays("at") or (
            token.value("verb") == "put" and (self.frame.theme is not None or again)
        ):
            return False
        found = self.nouns.place(self.index + 1)
        noun = self.nouns.read(self.index + 1)
        if noun is not None and noun[0].kind != "place":
            # 「在厨房里的人」 is a noun phrase.
            whole = self.nouns.read(self.index)
            if (
                whole is not None
                and whole[0].kind != "place"
                and self.nouns.at((found or noun)[1]).plays("de")
            ):
                return False
        if found is None:
            self.index += 1
            return True
        place, end = found
        frame = self.frame
        if self.nouns.at(end).plays("de") and noun is not None and noun[0].kind != "place":
            return False
        self.index = end
        if frame.action == "put":
            frame.goal = place
        elif (frame.action in ("guide", "follow") and frame.theme is not None and frame.theme.at is None) or (
            frame.action and frame.theme is not None and frame.theme.at is None and frame.action != "go"
        ):
            frame.theme = replace(frame.theme, at=place)
        elif (
            frame.action
            and frame.recipient is not None
            and frame.recipient.at is None
            and frame.recipient.pronoun != "me"
        ):
            frame.recipient = replace(frame.recipient, at=place)
        elif (
            not frame.action
            and frame.theme is not None
            and frame.theme.kind == "person"
            and frame.theme.at is None
        ):
            frame.theme = replace(frame.theme, at=place)
        elif frame.action == "go" and frame.goal is not None:
            self._close()
            self.frame.where = place
        else:
            frame.where = place
        return True

    def _topic(self, token: Token) -> bool:
        frame = self.frame
        if frame.action in ("greet", "introduce") or (token.has("verb") and not frame.action):
            return False
        if not frame.action or frame.action in ("tell", "ask", "answer"):
            frame.topic = token.value("topic")
            if not frame.action:
                frame.asked = True
                frame.action = "tell"
            self.index += 1
            return True
        self.index += 1
        return True

    def _noun(self, token: Token) -> bool:
        found = self.nouns.read(self.index)
        if found is None or found[1] == self.index:
            return False
        referent, end = found
        frame = self.frame
        if referent.kind == "person" and not frame.action and self.nouns.at(end).text in FEELINGS:
            if not referent.pronoun:
                self.fragment.append(referent)
            while self.index < len(self.tokens) and not self._at().plays("punct"):
                self.settled.add(self.index)
                self.index += 1
            return True
        if referent.kind == "person" and not frame.action and self.nouns.at(end).text in WANTING:
            wanted = self.nouns.read(end + 1)
            if wanted is not None and wanted[0].kind == "object" and not wanted[0].unknown:
                self.fragment.extend((wanted[0], referent))
                self.index = wanted[1]
                return True
        if referent.unknown and not frame.action:
            # Unknown words before any verb are not taken for things.
            return False
        if (
            frame.action == "answer"
            and self.nouns.at(end).plays("de")
            and self.nouns.at(end + 1).plays("question")
        ):
            frame.recipient = referent
            frame.text = self.nouns.at(end + 1).text
            self.index = end + 2
            return True
        self.index = end
        if self._at().plays("de") and self._at(1).has("attribute"):
            frame.theme = referent
            frame.topic, frame.attribute = "attribute", self._at(1).value("attribute")
            if frame.action in ("", "find"):
                frame.action = "tell"
            self.index += 2
            return True
        self._assign(frame, referent)
        return True

    def _assign(self, frame: Frame, referent: Referent) -> None:
        if referent.kind == "place" and frame.goal is not None and frame.goal.kind == "place":
            if frame.action == "go":
                # 「去餐桌和沙发」
                denied = self.frame.negated
                self._close()
                self.frame.action, self.frame.verb, self.frame.goal = "go", "去", referent
                self.frame.negated = denied
                return
            if frame.action in ("put", "bring", "guide"):
                self.leftover.append(referent.text)
                return
        if referent.kind == "place":
            if (
                (frame.action in ("go",) and frame.goal is None)
                or (
                    frame.action in ("put", "bring", "guide", "follow")
                    and frame.theme is not None
                    and frame.goal is None
                )
                or (frame.action == "put" and frame.goal is None)
                or (frame.action in ("guide", "bring") and frame.goal is None)
            ):
                frame.goal = referent
            elif frame.action in ("find", "count") and frame.theme is None:
                frame.theme = referent
            else:
                if frame.where is not None:
                    self.leftover.append(frame.where.text)
                frame.where = referent
            return
        if (
            frame.action in ("tell", "ask", "greet", "answer")
            and referent.kind == "person"
            and frame.recipient is None
        ):
            frame.recipient = referent
            return
        if (
            frame.action == "bring"
            and referent.kind == "person"
            and frame.recipient is None
            and not frame.verb.startswith(("带",))
        ):
            frame.recipient = referent
            return
        if frame.theme is None:
            frame.theme = referent
        elif _counts(referent) and frame.theme.kind == "object" and not frame.theme.pronoun:
            # 「苹果给我拿两个」「苹果和梨各拿一个」
            frame.theme = replace(frame.theme, number=referent.number, definite=False)
            if frame.more and not any(
                t.text in ("各", "每", "每个", "每样", "每种", "都", "分别", "各自") for t in self.tokens
            ):
                # 「苹果和梨随便拿一个」: which of them is not said.
                self.leftover.append(referent.text)
            frame.more = tuple(replace(more, number=referent.number, definite=False) for more in frame.more)
        elif (
            frame.action
            and frame.theme.kind != referent.kind
            and frame.recipient is None
            and referent.kind == "person"
        ):
            frame.recipient = referent
        else:
            if frame.action == "" and frame.theme.kind == "person":
                frame.recipient, frame.theme = frame.theme, referent
            else:
                frame.more = (*frame.more, referent)


def _counts(referent: Referent) -> bool:
    """Tell 「两个」「一个」, which only say how many."""
    return (
        referent.kind == "object"
        and not (referent.name or referent.category or referent.colour or referent.at or referent.unknown)
        and (
            referent.number is not None
            or (referent.pronoun == "it" and any(c in referent.text for c in "一"))
        )
    )
